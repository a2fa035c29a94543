// MariaDB: rows are made wide enough first, by an ALTER that clients work beside, and then changed
// in place.
//
// A column that is added instantly is not in the rows: to give one a value splits almost every page
// of the table. So the table is written anew with a text of the same size that is no ID, and where
// others have NULL a row here has that text. It stays as the default: INSERT ... SELECT looks for
// one before it asks triggers.

#include <algorithm>
#include <charconv>

#include "db/literals.h"
#include "migrate/db_error.h"
#include "migrate/dialect.h"
#include "migrate/id_sql.h"
#include "migrate/identifier.h"
#include "migrate/journal.h"
#include "migrate/transaction.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"
#include "tessera/public_id.h"

namespace tessera::migrate {
namespace {

using Code = Error::Code;
using db::Connection;
using db::Engine;
using db::Value;
using std::chrono::milliseconds;

constexpr milliseconds kShort{60'000};  // a statement that should take a moment
constexpr milliseconds kLong = std::chrono::hours(24);
constexpr std::size_t kBytesSize = 16;

std::string name(std::string_view text) { return quoted_name(Engine::mariadb, text); }

bool is_number_type(std::string_view type) noexcept {
  return type == "bigint" || type == "int" || type == "mediumint" || type == "smallint" ||
         type == "tinyint";
}

// "10.11.6-MariaDB-log": at least 10.11, and no MySQL.
bool is_new_enough(std::string_view version) noexcept {
  if (version.find("MariaDB") == version.npos) return false;
  int major = 0;
  int minor = 0;
  const char* end = version.data() + version.size();
  const auto first = std::from_chars(version.data(), end, major);
  if (first.ptr == end || *first.ptr != '.') return false;
  std::from_chars(first.ptr + 1, end, minor);
  return major > 10 || (major == 10 && minor >= 11);
}

class Mariadb final : public Dialect {
 public:
  explicit Mariadb(const Target& target)
      : target_(target),
        table_(quoted_table(Engine::mariadb, target.table)),
        column_(name(target.column)),
        key_(name(target.key)) {}

  Done prepare(Connection& connection) const override {
    connection.set_timeout(kShort);
    // What waits for a lock of the table makes all others wait behind it: so not for long. Without
    // locks of gaps a batch holds its own rows and no others.
    return send(connection,
                "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT', "
                "SESSION lock_wait_timeout = 1, SESSION innodb_lock_wait_timeout = 1, "
                "SESSION idle_transaction_timeout = 60; "
                "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
  }

  Result<TableFacts, Error> look(Connection& connection) override {
    const auto version = ask(connection, "SELECT version()");
    if (!version) return Failure{version.error()};
    if (!is_new_enough(string_of(version->rows[0][0]))) {
      return refuse(Code::invalid_request,
                    "this server cannot be migrated: " + printable(string_of(version->rows[0][0])),
                    "MariaDB 10.11 or later can; MySQL has never been tried.");
    }
    if (target_.table.find('.') != std::string::npos) {
      return refuse(Code::invalid_request, "name the table alone, and its database in the URL");
    }
    Transaction pin(connection);
    if (const auto pinned = keep_as_it_is(connection, pin); !pinned) {
      if (pinned.error().code != Code::not_found) return Failure{pinned.error()};
      return refuse(Code::not_found, "there is no table " + quoted(target_.table));
    }
    const auto found =
        ask(connection,
            "SELECT table_name, table_type, engine, table_rows, data_length + index_length FROM "
            "information_schema.tables WHERE table_schema = database() AND table_name = ?",
            {target_.table});
    if (!found) return Failure{found.error()};
    if (found->empty())
      return refuse(Code::not_found, "there is no table " + quoted(target_.table));
    const auto& row = found->rows[0];
    if (string_of(row[1]) != "BASE TABLE" || string_of(row[2]) != "InnoDB") {
      return refuse(Code::invalid_request, quoted(target_.table) + " is no table of InnoDB");
    }
    facts_ = TableFacts{};
    facts_.name = target_.table;
    facts_.rows = number_of(row[3]);
    facts_.size = number_of(row[4]);
    constexpr std::int64_t kCounted = 100'000;  // of few rows the server knows too little
    if (facts_.rows < kCounted) {
      const auto count = ask(connection, "SELECT count(*) FROM " + table_);
      if (!count) return Failure{count.error()};
      facts_.rows = number_of(count->rows[0][0]);
    }
    return look_at_columns(connection);
  }

  std::vector<Step> steps() const override {
    const auto rows = static_cast<double>(facts_.rows);
    const std::string alter = "ALTER TABLE " + table_;
    const std::string online = ", ALGORITHM=INPLACE, LOCK=NONE";
    const std::string tenant =
        target_.tenant_column.empty() ? "" : ", " + name(target_.tenant_column);
    std::vector<Step> steps;
    // Estimates, by rates that were seen with rows of 150 bytes on two cores.
    steps.push_back({StepName::column,
                     {alter + " ADD COLUMN " + column_ + " " + column_sql() + ", FORCE" + online},
                     "metadata lock, an instant at both ends: the table is written anew beside its "
                     "clients",
                     rows / 250'000});
    steps.push_back({StepName::trigger,
                     {trigger_sql("i", "INSERT"), trigger_sql("u", "UPDATE")},
                     "metadata lock, an instant",
                     0.01});
    steps.push_back({StepName::backfill,
                     {rows_sql(" AND " + key_ + " > ?"), update_sql()},
                     "the rows of a batch, for as long as it takes",
                     rows / 60'000});
    steps.push_back({StepName::index,
                     {alter + " ADD UNIQUE INDEX " + name(index_name()) + " (" + column_ + tenant +
                      ")" + online},
                     "metadata lock, an instant at both ends",
                     rows / 500'000});
    steps.push_back({StepName::verify, {}, "none", rows / 300'000});
    return steps;
  }

  Done perform(Connection& connection, const Step& step) override {
    switch (step.name) {
      case StepName::column: {
        const auto there = exists(connection, kColumn, target_.column);
        return !there || *there ? there : unhurried(connection, step.statements[0]);
      }
      case StepName::trigger: {
        for (const std::string& statement : step.statements) {
          if (auto done = unhurried(connection, statement); !done) return done;
        }
        return true;
      }
      case StepName::index: {
        const auto there = has_index(connection);
        return !there || *there ? there : unhurried(connection, step.statements[0]);
      }
      default: return true;
    }
  }

  // A run that has just ended may still hold it, until the server notices.
  Done lock(Connection& connection) override {
    const auto got =
        ask(connection, "SELECT get_lock(concat('tessera ', md5(concat(database(), '.', ?))), 1)",
            {facts_.name});
    if (!got) return Failure{got.error()};
    return number_of(got->rows[0][0]) == 1;
  }

  std::string_view begin() const override { return "BEGIN"; }

  Result<std::vector<Row>, Error> next_rows(Connection& connection, const Value& after,
                                            std::int64_t limit) const override {
    auto found = db::is_null(after)
                     ? ask(connection, rows_sql(""), {limit})
                     : ask(connection, rows_sql(" AND " + key_ + " > ?"), {after, limit});
    if (!found) return Failure{found.error()};
    return rows_of(*std::move(found), target_, *this);
  }

  // An ID that is new and of no row's time may go to any row: then it is no matter if one of them
  // has got another since it was read. Otherwise rows are locked first.
  bool reads_ahead() const override { return target_.created_at.empty() && target_.from.empty(); }

  // In hope first: that nobody else holds a row between the first and the last. If somebody does,
  // it is undone, and rows that can be locked get their IDs by their keys. That takes about half as
  // long again.
  Result<std::int64_t, Error> fill(Connection& connection, std::span<const Row> rows,
                                   std::span<const Value> ids, Care care) override {
    if (care == Care::no) {
      const auto filled = fill_range(connection, rows, ids);
      if (!filled) return Failure{filled.error()};
      if (*filled) return **filled;
    }
    auto held = ask(connection, held_sql(), {rows.front().key, rows.back().key});
    if (!held) return Failure{held.error()};
    JsonWriter json;
    json.begin_array();
    std::int64_t held_count = 0;
    for (std::size_t i = 0, next = 0; i < rows.size() && next < held->rows.size(); ++i) {
      if (held->rows[next][0] != rows[i].key) continue;  // both are in the order of the key
      ++next;
      ++held_count;
      json.begin_array().value(string_of(rows[i].key));
      const auto* bytes = std::get_if<db::Bytes>(&ids[i]);
      json.value(bytes != nullptr ? db::hex_of(bytes->bytes) : string_of(ids[i])).end_array();
    }
    const auto done = ask(connection, careful_sql(), {std::string(json.end_array().text())});
    if (!done) return Failure{done.error()};
    if (done->affected != held_count) {
      return refuse(Code::store_failed,
                    "a batch changed " + std::to_string(done->affected) + " of " +
                        std::to_string(held_count) + " rows that it had locked",
                    "A trigger of the table keeps rows from being changed.");
    }
    return held_count;
  }

  bool fills_at_once() const override { return reads_ahead(); }
  Result<std::optional<std::int64_t>, Error> fill_at_once(Connection& connection,
                                                          std::span<const Row> rows,
                                                          std::span<const Value> ids,
                                                          const Entry& entry, Save save) override {
    const auto all = joined(ids);
    if (!all) return Failure{all.error()};
    const std::string update = update_sql(db::literal_of(*all), db::literal_of(rows.front().key),
                                          db::literal_of(rows.back().key),
                                          " AND @tessera_n < " + std::to_string(rows.size() - 1));
    const auto filled = save == Save::now ? fill_and_save(connection, update, entry)
                                          : fill_alone(connection, update, entry);
    if (filled) return *filled;
    if (filled.error().kind == db::DbError::Kind::conflict) return std::optional<std::int64_t>();
    return Failure{error_of(filled.error(), Engine::mariadb)};
  }

  // Of all transactions: what tells whose rows they wait for is out of date for as long as it is
  // asked more often than ten times a second.
  Result<std::int64_t, Error> waiting(Connection& connection) override {
    return status_value(connection, "INNODB_ROW_LOCK_CURRENT_WAITS");
  }

  Result<bool, Error> rows_are_left(Connection& connection) override {
    const auto found =
        ask(connection, "SELECT 1 FROM " + table_ + " WHERE " + missing_sql() + " LIMIT 1");
    if (!found) return Failure{found.error()};
    return !found->empty();
  }
  std::string missing_sql() const override { return column_ + " = " + none_sql(); }

  // A server does not know how far its replicas are behind.
  Result<Signals, Error> signals(Connection& connection) override {
    const auto running = status_value(connection, "THREADS_RUNNING");
    if (!running) return Failure{running.error()};
    return Signals{milliseconds(0), std::max<std::int64_t>(*running - 1, 0)};
  }

  Done tidy(Connection&, Tidy, Hurry) const override { return true; }

  // Triggers go when rows may be without an ID again, and the column goes last: nobody who writes
  // at the same time is refused.
  Done undo(Connection& connection) override {
    auto there = exists(connection, kColumn, target_.column);
    if (!there) return there;
    const std::string alter = "ALTER TABLE " + table_;
    std::vector<std::string> statements;
    if (*there) {
      statements.push_back(alter + " DROP INDEX IF EXISTS " + name(index_name()));
    }
    for (const std::string_view which : {"i", "u"})
      statements.push_back("DROP TRIGGER IF EXISTS " + name(trigger_name(which)));
    if (*there) statements.push_back(alter + " DROP COLUMN " + column_);
    for (const std::string& statement : statements) {
      if (auto done = unhurried(connection, statement); !done) return done;
    }
    return true;
  }

  Result<bool, Error> has_index(Connection& connection) override {
    return exists(connection,
                  "SELECT 1 FROM information_schema.statistics WHERE table_schema = database() AND "
                  "table_name = ? AND index_name = ? AND non_unique = 0",
                  index_name());
  }
  std::string wrong_form_sql() const override {
    if (target_.form == Form::bytes) return "false";  // all have 16 of them
    return "NOT (" + missing_sql() + ") AND NOT (" + fits_sql(column_) + ")";
  }
  std::string table_sql() const override { return table_; }
  std::string name_sql(std::string_view text) const override { return name(text); }
  std::string time_sql() const override {
    return target_.created_at.empty() ? "NULL" : time_of_column(name(target_.created_at));
  }
  std::optional<std::int64_t> time_of(const Value& value) const override {
    if (db::is_null(value)) return std::nullopt;
    return number_of(value);
  }

 private:
  static constexpr std::string_view kColumn =
      "SELECT 1 FROM information_schema.columns WHERE table_schema = database() AND table_name = ? "
      "AND column_name = ?";

  // Nobody changes the table until `pin` ends. Otherwise information_schema may leave it out: who
  // holds any lock, as a run does, is not made to wait for a change but told nothing of the table.
  Done keep_as_it_is(Connection& connection, Transaction& pin) const {
    if (auto done = pin.begin("BEGIN"); !done) return done;
    return send(connection, "SELECT 1 FROM " + table_ + " LIMIT 0");
  }

  Result<TableFacts, Error> look_at_columns(Connection& connection) {
    const auto columns = ask(connection,
                             "SELECT column_name, data_type, column_type, is_nullable, "
                             "character_set_name, collation_name FROM information_schema.columns "
                             "WHERE table_schema = database() AND table_name = ?",
                             {target_.table});
    if (!columns) return Failure{columns.error()};
    const auto find = [&](std::string_view wanted) -> const std::vector<Value>* {
      for (const auto& column : columns->rows) {
        if (string_of(column[0]) == wanted) return &column;
      }
      return nullptr;
    };
    for (const std::string& wanted :
         {target_.key, target_.tenant_column, target_.created_at, target_.from}) {
      if (!wanted.empty() && find(wanted) == nullptr) {
        return refuse(Code::not_found, quoted(target_.table) + " has no column " + quoted(wanted));
      }
    }
    if (const auto* column = find(target_.column)) {
      facts_.column_type = string_of((*column)[2]);
      if (facts_.column_type != column_type()) {
        return refuse(Code::already_exists,
                      "the column " + quoted(target_.column) + " is there, and is " +
                          printable(facts_.column_type) + ", not " + column_type(),
                      "Choose another with --column, or the other --form.");
      }
    }
    if (!target_.created_at.empty()) {
      facts_.created_type = string_of((*find(target_.created_at))[1]);
      const std::string& type = facts_.created_type;
      if (type != "timestamp" && type != "datetime" && type != "date" && !is_number_type(type)) {
        return refuse(Code::invalid_request,
                      quoted(target_.created_at) + " holds no times: it is " + printable(type));
      }
    }
    return look_at_key(connection, *find(target_.key));
  }

  Result<TableFacts, Error> look_at_key(Connection& connection, const std::vector<Value>& key) {
    const auto unique = ask(
        connection,
        "SELECT index_name FROM information_schema.statistics WHERE table_schema = database() AND "
        "table_name = ? AND non_unique = 0 GROUP BY index_name HAVING count(*) = 1 AND "
        "min(column_name) = ? AND max(sub_part) IS NULL ORDER BY index_name = 'PRIMARY' DESC",
        {target_.table, target_.key});
    if (!unique) return Failure{unique.error()};
    if (unique->empty() || string_of(key[3]) != "NO") {
      return refuse(Code::invalid_request,
                    "the key " + quoted(target_.key) + " is not unique and NOT NULL by itself",
                    "Name a column that is, with --key.");
    }
    key_index_ = name(string_of(unique->rows[0][0]));
    const std::string type = string_of(key[1]);
    if (is_number_type(type)) {
      facts_.key_type = string_of(key[2]);
    } else if (type == "uuid") {
      facts_.key_type = "char(36)";
    } else if (type == "char" || type == "varchar") {
      facts_.key_type = string_of(key[2]) + " CHARACTER SET " + string_of(key[4]) + " COLLATE " +
                        string_of(key[5]);
    } else {
      return refuse(Code::invalid_request,
                    "a key of the type " + printable(type) + " cannot be gone through",
                    "Name a column of numbers or of text, with --key.");
    }
    return facts_;
  }

  std::string column_type() const {
    if (target_.form == Form::bytes) return "binary(16)";
    return "varchar(" + std::to_string(std::max<std::size_t>(64, text_size(target_.type))) + ")";
  }
  std::string column_sql() const {
    return column_type() +
           (target_.form == Form::text ? " CHARACTER SET ascii COLLATE ascii_bin" : "") +
           " NOT NULL DEFAULT " + none_sql();
  }
  // What a row has that has no ID: of the size of one.
  std::string none_sql() const {
    if (target_.form == Form::bytes) return "x'" + std::string(32, '0') + "'";
    return quoted_text(target_.type.prefix + target_.type.separator +
                       std::string(public_id::body_size(target_.type.style), '-'));
  }
  std::string index_name() const {
    const std::string wanted = "uk_" + target_.table + "_" + target_.column;
    return is_identifier(wanted) ? wanted
                                 : derived_name("uk_tessera_", target_.table, target_.column);
  }
  std::string trigger_name(std::string_view which) const {
    return derived_name("tessera_id_" + std::string(which) + "_", target_.table, target_.column);
  }

  // Whatever the time zone of the session is.
  std::string time_of_column(const std::string& column) const {
    if (is_number_type(facts_.created_type)) {
      return "CASE WHEN " + column + " > 100000000000 THEN " + column + " WHEN " + column +
             " >= 0 THEN " + column + " * 1000 END";
    }
    if (facts_.created_type == "timestamp")
      return "CAST(floor(unix_timestamp(" + column + ") * 1000) AS SIGNED)";
    return "timestampdiff(MICROSECOND, '1970-01-01', " + column + ") DIV 1000";
  }

  // `$` would let a line end pass.
  std::string fits_sql(const std::string& column) const {
    return column + " REGEXP " + quoted_text(pattern(target_)) + " AND length(" + column +
           ") = " + std::to_string(text_size(target_.type));
  }

  std::string make_sql() const {
    const std::string set = "SET NEW." + column_ + " = ";
    if (!target_.from.empty()) {
      const std::string from = "NEW." + name(target_.from);
      return set + "if(" + fits_sql(from) + ", " + mariadb_body(target_, from) + ", " + none_sql() +
             ");";
    }
    const std::string time =
        target_.created_at.empty() ? "NULL" : time_of_column("NEW." + name(target_.created_at));
    return "SET t = " + time +
           ", r = random_bytes(16); IF t IS NULL OR t NOT BETWEEN 0 AND 281474976710655 THEN SET t "
           "= timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6)) DIV 1000; END IF; " +
           set + mariadb_id(target_) + ";";
  }
  std::string trigger_sql(std::string_view which, std::string_view event) const {
    // Variables only where they are needed: a trigger is called for every row of the backfill.
    std::string body = "BEGIN DECLARE t BIGINT; DECLARE r BINARY(16); " + make_sql() + " END;";
    if (event == "UPDATE") {
      body = "IF OLD." + column_ + " <> " + none_sql() + " THEN SET NEW." + column_ + " = OLD." +
             column_ + "; ELSE " + body + " END IF;";
    }
    return "CREATE TRIGGER IF NOT EXISTS " + name(trigger_name(which)) + " BEFORE " +
           std::string(event) + " ON " + table_ + " FOR EACH ROW IF coalesce(NEW." + column_ +
           ", " + none_sql() + ") = " + none_sql() + " THEN " + body + " END IF";
  }
  std::string rows_sql(std::string_view where) const {
    const std::string time = target_.created_at.empty() ? "" : ", " + time_sql();
    const std::string from = target_.from.empty() ? "" : ", " + name(target_.from);
    return "SELECT " + key_ + time + from + " FROM " + table_ + " FORCE INDEX (" + key_index_ +
           ") WHERE " + missing_sql() + std::string(where) + " ORDER BY " + key_ + " LIMIT ?" +
           (reads_ahead() ? "" : " FOR UPDATE SKIP LOCKED");
  }
  std::string held_sql() const {
    return "SELECT " + key_ + " FROM " + table_ + " FORCE INDEX (" + key_index_ + ") WHERE " +
           key_ + " BETWEEN ? AND ? AND " + missing_sql() + " ORDER BY " + key_ +
           " FOR UPDATE SKIP LOCKED";
  }

  // The IDs are one string of bytes, and each row cuts off the next of them: so the server reads a
  // single parameter, and joins nothing. It does not wait for a row.
  std::size_t id_size() const {
    return target_.form == Form::bytes ? kBytesSize : text_size(target_.type);
  }
  std::string update_sql(std::string_view ids = "?", std::string_view first = "?",
                         std::string_view last = "?", std::string_view more = "") const {
    const std::string size = std::to_string(id_size());
    return "SET STATEMENT innodb_lock_wait_timeout = 0 FOR UPDATE " + table_ + " FORCE INDEX (" +
           key_index_ + ") SET " + column_ + " = substr(" + std::string(ids) + ", 1 + " + size +
           " * (@tessera_n := @tessera_n + 1), " + size + ") WHERE " + key_ + " BETWEEN " +
           std::string(first) + " AND " + std::string(last) + " AND " + missing_sql() +
           std::string(more) + " ORDER BY " + key_;
  }
  // `update` changes nothing where @tessera_n is NULL, and no more rows than there are IDs. How
  // many it was is put on record the next time.
  using Filled = Result<std::optional<std::int64_t>, db::DbError>;
  static Filled fill_and_save(Connection& connection, const std::string& update,
                              const Entry& entry) {
    const journal::Saving saving = journal::saving(entry, "0");
    Transaction transaction(connection);
    const auto answers = transaction.send_whole(  // the lock comes first: nobody pauses in between
        "BEGIN;" + db::filled(saving.sql, saving.values) +
        " AND paused = 0;SET @tessera_n = if(row_count() = 1, -1, NULL);" + update + ";COMMIT");
    if (!answers) return Failure{answers.error()};
    if ((*answers)[1].affected != 1) return std::optional<std::int64_t>();
    return std::optional((*answers)[3].affected);
  }
  static Filled fill_alone(Connection& connection, const std::string& update, const Entry& entry) {
    const auto answers = connection.batch(
        "SET @tessera_n = (SELECT -1 FROM tessera_migration WHERE table_name = " +
        db::literal_of(entry.table) + " AND column_name = " + db::literal_of(entry.column) +
        " AND paused = 0);" + update);
    if (!answers) return Failure{answers.error()};
    const std::int64_t filled = answers->back().affected;
    return filled > 0 ? std::optional(filled) : std::nullopt;
  }
  Result<db::Bytes, Error> joined(std::span<const Value> ids) const {
    db::Bytes all;
    all.bytes.reserve(ids.size() * id_size());
    for (const Value& id : ids) {
      const auto* bytes = std::get_if<db::Bytes>(&id);
      all.bytes += bytes != nullptr ? bytes->bytes : std::get<std::string>(id);
    }
    if (all.bytes.size() != ids.size() * id_size())
      return refuse(Code::store_failed, "an ID is not of the size of its type");
    return all;
  }
  // How many it has filled: these rows and no others, unless some have got an ID since they were
  // read. None: that could not be, and nothing is done. Rows never lose an ID, and new ones have
  // one: there cannot be more that lack one than there were.
  Result<std::optional<std::int64_t>, Error> fill_range(Connection& connection,
                                                        std::span<const Row> rows,
                                                        std::span<const Value> ids) {
    auto all = joined(ids);
    if (!all) return Failure{all.error()};
    if (auto done = send(connection, "SAVEPOINT tessera; SET @tessera_n = -1"); !done)
      return Failure{done.error()};
    const auto done =
        connection.query(update_sql(), {*std::move(all), rows.front().key, rows.back().key});
    const auto count = static_cast<std::int64_t>(rows.size());
    if (done && (reads_ahead() ? done->affected <= count : done->affected == count))
      return std::optional(done->affected);
    // A deadlock has undone the savepoint too: then all is to be done again.
    const bool undone = (done || done.error().kind == db::DbError::Kind::conflict) &&
                        connection.batch("ROLLBACK TO SAVEPOINT tessera");
    if (!done && !undone) return Failure{error_of(done.error(), Engine::mariadb)};
    if (!undone) return refuse(Code::store_unavailable, "a batch could not be undone");
    return std::optional<std::int64_t>();
  }
  // The rows are found by their keys, one by one: no other is touched.
  std::string careful_sql() const {
    const std::string value = target_.form == Form::bytes ? "unhex(j.v)" : "j.v";
    return "UPDATE json_table(?, '$[*]' COLUMNS (k " + facts_.key_type +
           " PATH '$[0]', v varchar(200) CHARACTER SET ascii PATH '$[1]')) AS j STRAIGHT_JOIN " +
           table_ + " AS t ON t." + key_ + " = j.k SET t." + column_ + " = " + value + " WHERE t." +
           missing_sql();
  }

  Result<bool, Error> exists(Connection& connection, std::string_view sql,
                             const std::string& wanted) const {
    Transaction pin(connection);
    if (auto done = keep_as_it_is(connection, pin); !done) return done;
    const auto found = ask(connection, sql, {target_.table, wanted});
    if (!found) return Failure{found.error()};
    return !found->empty();
  }

  static Result<std::int64_t, Error> status_value(Connection& connection, std::string_view which) {
    const auto found =
        ask(connection,
            "SELECT variable_value FROM information_schema.global_status WHERE variable_name = ?",
            {std::string(which)});
    if (!found) return Failure{found.error()};
    return found->empty() ? 0 : number_of(found->rows[0][0]);
  }

  // Works beside its clients, but at its ends; there lock_wait_timeout holds.
  static Done unhurried(Connection& connection, std::string_view sql) {
    connection.set_timeout(kLong);
    auto done = send(connection, sql);
    connection.set_timeout(kShort);
    return done;
  }

  Target target_;
  std::string table_;
  std::string column_;
  std::string key_;
  std::string key_index_;
  TableFacts facts_;
};

}  // namespace

std::unique_ptr<Dialect> mariadb_dialect(const Target& target) {
  return std::make_unique<Mariadb>(target);
}

}  // namespace tessera::migrate
