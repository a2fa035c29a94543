// PostgreSQL: nothing that clients wait for longer than an instant, or than a batch.

#include <algorithm>

#include "migrate/db_error.h"
#include "migrate/dialect.h"
#include "migrate/id_sql.h"
#include "migrate/identifier.h"
#include "migrate/journal.h"
#include "tessera/parse_error.h"

namespace tessera::migrate {
namespace {

using Code = Error::Code;
using db::Connection;
using db::Engine;
using db::Value;
using std::chrono::milliseconds;

constexpr milliseconds kShort{60'000};  // a statement that should take a moment
constexpr milliseconds kLong = std::chrono::hours(24);

bool is_number_type(std::string_view type) noexcept {
  return type == "bigint" || type == "integer" || type == "smallint";
}

// As a server reads an element of an array: quoted, so that nothing in it means something.
void add_element(std::string& array, const Value& value) {
  if (array.size() > 1) array += ',';
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    array += string_of(value);
    return;
  }
  array += '"';
  if (text->find_first_of("\"\\") == std::string::npos) {
    array += *text;
  } else {
    for (const char c : *text) {
      if (c == '"' || c == '\\') array += '\\';
      array += c;
    }
  }
  array += '"';
}

std::string uuid_text(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;  // a server reads it without hyphens too
}

class Postgres final : public Dialect {
 public:
  explicit Postgres(const Target& target)
      : target_(target),
        column_(quoted_name(Engine::postgres, target.column)),
        key_(quoted_name(Engine::postgres, target.key)) {}

  Done prepare(Connection& connection) const override {
    connection.set_timeout(kShort);
    // Batches go by the key: statistics of a column that is new would say otherwise. They are
    // many and small, and all go the same way: to plan each anew took a tenth of the time. And
    // what was begun by a client that was killed must not go on for long.
    auto done =
        send(connection,
             "SET standard_conforming_strings = on; SET lock_timeout = '100ms'; "
             "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; "
             "SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; "
             "SET enable_sort = off; SET jit = off; "
             "SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning");
    if (!done) return done;
    // From version 14 on; without it the server finds out when it has something to say.
    static_cast<void>(connection.batch("SET client_connection_check_interval = '500ms'"));
    return true;
  }

  Result<TableFacts, Error> look(Connection& connection) override {
    const std::string given = quoted_table(Engine::postgres, target_.table);
    const auto found =
        ask(connection,
            "SELECT n.nspname::text, c.relname::text, c.relkind::text, c.reltuples::bigint, "
            "pg_table_size(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = "
            "c.relnamespace WHERE c.oid = to_regclass(?)",
            {given});
    if (!found) return Failure{found.error()};
    if (found->empty())
      return refuse(Code::not_found, "there is no table " + quoted(target_.table));
    const auto& row = found->rows[0];
    if (string_of(row[2]) != "r") {
      return refuse(Code::invalid_request, quoted(target_.table) + " is no ordinary table",
                    "Of a partitioned table each partition is migrated by itself.");
    }
    schema_ = string_of(row[0]);
    name_ = string_of(row[1]);
    table_ = quoted_name(Engine::postgres, schema_) + "." + quoted_name(Engine::postgres, name_);
    facts_ = TableFacts{};
    facts_.name = schema_ + "." + name_;
    facts_.rows = number_of(row[3]);
    facts_.size = number_of(row[4]);
    if (facts_.rows < 0) {  // never counted
      const auto count = ask(connection, "SELECT count(*) FROM " + table_);
      if (!count) return Failure{count.error()};
      facts_.rows = number_of(count->rows[0][0]);
    }
    const auto columns =
        ask(connection,
            "SELECT attname::text, format_type(atttypid, atttypmod), attnotnull FROM "
            "pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT "
            "attisdropped",
            {table_});
    if (!columns) return Failure{columns.error()};
    const auto type_of = [&](std::string_view name) -> std::string {
      for (const auto& column : columns->rows) {
        if (string_of(column[0]) == name) return string_of(column[1]);
      }
      return "";
    };
    facts_.key_type = type_of(target_.key);
    facts_.column_type = type_of(target_.column);
    for (const std::string& name :
         {target_.key, target_.tenant_column, target_.created_at, target_.from}) {
      if (!name.empty() && type_of(name).empty()) {
        return refuse(Code::not_found, quoted(target_.table) + " has no column " + quoted(name));
      }
    }
    if (!facts_.column_type.empty() && facts_.column_type != column_type()) {
      return refuse(Code::already_exists,
                    "the column " + quoted(target_.column) + " is there, and is " +
                        printable(facts_.column_type) + ", not " + column_type(),
                    "Choose another with --column, or the other --form.");
    }
    if (!target_.created_at.empty()) {
      facts_.created_type = type_of(target_.created_at);
      const std::string& type = facts_.created_type;
      if (!type.starts_with("timestamp") && type != "date" && !is_number_type(type)) {
        return refuse(Code::invalid_request,
                      quoted(target_.created_at) + " holds no times: it is " + printable(type));
      }
    }
    const auto unique = ask(
        connection,
        "SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = "
        "i.indkey[0] WHERE i.indrelid = to_regclass(?) AND i.indisunique AND i.indisvalid AND "
        "i.indpred IS NULL AND i.indnkeyatts = 1 AND a.attname = ? AND a.attnotnull",
        {table_, target_.key});
    if (!unique) return Failure{unique.error()};
    if (unique->empty()) {
      return refuse(Code::invalid_request,
                    "the key " + quoted(target_.key) + " is not unique and NOT NULL by itself",
                    "Name a column that is, with --key.");
    }
    return facts_;
  }

  std::vector<Step> steps() const override {
    const auto rows = static_cast<double>(facts_.rows);
    const std::string alter = "ALTER TABLE " + table_;
    const std::string check = quoted_name(Engine::postgres, name_for("tessera_nn_"));
    std::vector<Step> steps;
    steps.push_back({StepName::column,
                     {alter + " ADD COLUMN " + column_ + " " + column_sql()},
                     "ACCESS EXCLUSIVE, an instant",
                     0.01});
    steps.push_back({StepName::trigger,
                     {function_sql(), trigger_sql()},
                     "SHARE ROW EXCLUSIVE, an instant: writers wait",
                     0.01});
    // Estimates, by rates that were seen with two million rows of 150 bytes on two cores.
    steps.push_back({StepName::backfill,
                     {select_sql(), update_sql(), vacuum_sql(Tidy::all)},
                     "the rows of a batch, for as long as it takes",
                     rows / 60'000});
    steps.push_back({StepName::index,
                     {index_sql()},
                     "SHARE UPDATE EXCLUSIVE: nobody who reads or writes waits",
                     rows / 500'000});
    steps.push_back(
        {StepName::check,
         {alter + " ADD CONSTRAINT " + check + " CHECK (" + column_ + " IS NOT NULL) NOT VALID"},
         "ACCESS EXCLUSIVE, an instant",
         0.01});
    steps.push_back({StepName::validate,
                     {alter + " VALIDATE CONSTRAINT " + check},
                     "SHARE UPDATE EXCLUSIVE: nobody who reads or writes waits",
                     rows / 5'000'000});
    // In one statement the check would go first, and the whole table would be read under the lock.
    steps.push_back({StepName::not_null,
                     {alter + " ALTER COLUMN " + column_ + " SET NOT NULL",
                      alter + " DROP CONSTRAINT IF EXISTS " + check},
                     "ACCESS EXCLUSIVE, an instant, twice",
                     0.01});
    steps.push_back({StepName::verify, {}, "none", rows / 500'000});
    return steps;
  }

  Done perform(Connection& connection, const Step& step) override {
    switch (step.name) {
      case StepName::column: {
        const auto there =
            exists(connection,
                   "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(?) AND attname "
                   "= ? AND NOT attisdropped",
                   target_.column);
        return !there || *there ? there : send(connection, step.statements[0]);
      }
      case StepName::trigger: {
        auto there = exists(
            connection, "SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass(?) AND tgname = ?",
            trigger_name());
        if (!there || *there) return there;
        return send(connection, step.statements[0] + ";\n" + step.statements[1]);
      }
      case StepName::index: return make_index(connection, step);
      case StepName::check: {
        auto there = is_not_null(connection);
        if (there && !*there) there = exists(connection, kConstraint, name_for("tessera_nn_"));
        return !there || *there ? there : send(connection, step.statements[0]);
      }
      case StepName::validate: {
        const auto open = exists(connection, std::string(kConstraint) + " AND NOT convalidated",
                                 name_for("tessera_nn_"));
        return !open || !*open ? open : unhurried(connection, step.statements[0]);
      }
      case StepName::not_null: {
        auto done = is_not_null(connection);
        if (done && !*done) done = send(connection, step.statements[0]);
        return done ? send(connection, step.statements[1]) : done;
      }
      default: return true;
    }
  }

  // A run that has just ended may still hold it, until the server notices.
  Done lock(Connection& connection) override {
    constexpr int kTries = 5;
    for (int tries = 1;; ++tries) {
      const auto got = ask(connection, "SELECT pg_try_advisory_lock(hashtextextended(?, 0))",
                           {"tessera_migration " + facts_.name});
      if (!got) return Failure{got.error()};
      if (number_of(got->rows[0][0]) != 0) return true;
      if (tries == kTries) return false;
      if (auto done = send(connection, "SELECT pg_sleep(0.2)"); !done) return done;
    }
  }

  std::string_view begin() const override { return "BEGIN"; }

  Result<std::vector<Row>, Error> next_rows(Connection& connection, const Value& after,
                                            std::int64_t limit) const override {
    auto found = db::is_null(after) ? ask(connection, first_sql(), {limit})
                                    : ask(connection, select_sql(), {key_value(after), limit});
    if (!found) return Failure{found.error()};
    return rows_of(*std::move(found), target_, *this);
  }

  // A row that changes is written anew, and a page that was full has no room for it: the first
  // round moves an eighth of each page elsewhere. What they leave behind, the server clears away
  // when it next sees the page; so most rows of later rounds find room beside their old place, and
  // no index hears of them. Rows have grown, so that each round makes room for a smaller one. A
  // first round of more than an eighth would split the pages of indexes.
  Shape shape() const override {
    static constexpr std::array<std::uint8_t, 8> kShape = {3, 4, 4, 4, 3, 3, 2, 2};
    return kShape;
  }

  Result<std::int64_t, Error> fill(Connection& connection, std::span<const Row> rows,
                                   std::span<const Value> ids, Care care) override {
    const auto [keys, values] = arrays(rows, ids);
    if (care == Care::no) {
      const auto done = ask(connection, update_sql(), {keys, values});
      if (!done) return Failure{done.error()};
      return done->affected;
    }
    const auto done = ask(connection, careful_sql(), {keys, keys, values});
    if (!done) return Failure{done.error()};
    const auto locked = number_of(done->rows[0][0]);
    const auto changed = number_of(done->rows[0][1]);
    if (changed != locked) {
      return refuse(Code::store_failed,
                    "a batch changed " + std::to_string(changed) + " of " + std::to_string(locked) +
                        " rows that it had locked",
                    "A trigger or rule of the table keeps rows from being changed.");
    }
    return changed;
  }

  bool fills_at_once() const override { return true; }
  Result<std::optional<std::int64_t>, Error> fill_at_once(Connection& connection,
                                                          std::span<const Row> rows,
                                                          std::span<const Value> ids,
                                                          const Entry& entry, Save save) override {
    auto [keys, texts] = arrays(rows, ids);
    if (save == Save::now_or_later) {
      const auto done = connection.query(
          alone_sql(), {std::move(keys), std::move(texts), entry.table, entry.column});
      if (!done && done.error().kind != db::DbError::Kind::conflict)
        return Failure{error_of(done.error(), Engine::postgres)};
      return done && done->affected > 0 ? std::optional(done->affected) : std::nullopt;
    }
    auto [saving, saved] = journal::saving(entry, "(SELECT count(*) FROM changed)");
    std::vector<Value> values = {entry.table, entry.column, std::move(keys), std::move(texts)};
    std::ranges::move(saved, std::back_inserter(values));
    const auto done = connection.query(at_once_sql(saving), values);
    const bool held = !done && done.error().kind == db::DbError::Kind::conflict;
    if (!done && !held) return Failure{error_of(done.error(), Engine::postgres)};
    if (held || number_of(done->rows[0][0]) == 0) return std::optional<std::int64_t>();
    return std::optional(number_of(done->rows[0][1]));
  }

  Result<std::int64_t, Error> waiting(Connection& connection) override {
    const auto count = ask(connection,
                           "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = "
                           "'transactionid' AND transactionid = pg_current_xact_id()::xid");
    if (!count) return Failure{count.error()};
    return number_of(count->rows[0][0]);
  }

  Result<bool, Error> rows_are_left(Connection& connection) override {
    return exists_sql(connection,
                      "SELECT 1 FROM " + table_ + " WHERE " + missing_sql() + " LIMIT 1");
  }
  std::string missing_sql() const override { return column_ + " IS NULL"; }

  Result<Signals, Error> signals(Connection& connection) override {
    const auto found =
        ask(connection,
            "SELECT coalesce((SELECT max(extract(epoch FROM replay_lag) * 1000)::bigint FROM "
            "pg_stat_replication), 0), (SELECT count(*) FROM pg_stat_activity WHERE state = "
            "'active' AND "
            "backend_type = 'client backend' AND pid <> pg_backend_pid())");
    if (!found) return Failure{found.error()};
    return Signals{milliseconds(number_of(found->rows[0][0])), number_of(found->rows[0][1])};
  }

  // Unless there is a hurry, in steps of a few milliseconds, with a rest of one behind each.
  Done tidy(Connection& connection, Tidy what, Hurry hurry) const override {
    auto done = send(connection, hurry == Hurry::yes
                                     ? "SET vacuum_cost_delay = 0"
                                     : "SET vacuum_cost_delay = '1ms'; SET vacuum_cost_limit = "
                                       "2000");
    return done ? unhurried(connection, vacuum_sql(what)) : done;
  }

  Done undo(Connection& connection) override {
    // The index goes with its column.
    return send(connection, "DROP TRIGGER IF EXISTS " +
                                quoted_name(Engine::postgres, trigger_name()) + " ON " + table_ +
                                ";\nDROP FUNCTION IF EXISTS " + function_name() +
                                "();\nALTER TABLE " + table_ + " DROP CONSTRAINT IF EXISTS " +
                                quoted_name(Engine::postgres, name_for("tessera_nn_")) +
                                ", DROP COLUMN IF EXISTS " + column_);
  }

  Result<bool, Error> has_index(Connection& connection) override {
    return exists(
        connection,
        "SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = "
        "to_regclass(?) AND c.relname = ? AND i.indisvalid AND i.indisunique",
        index_name());
  }
  std::string wrong_form_sql() const override {
    if (target_.form == Form::bytes) return "false";  // a uuid has 16 bytes
    return column_ + " !~ " + quoted_text(pattern(target_));
  }
  std::string table_sql() const override { return table_; }
  std::string name_sql(std::string_view name) const override {
    return quoted_name(Engine::postgres, name);
  }
  std::string time_sql() const override {
    return target_.created_at.empty()
               ? "NULL::bigint"
               : time_of_column(quoted_name(Engine::postgres, target_.created_at));
  }
  std::optional<std::int64_t> time_of(const Value& value) const override {
    if (db::is_null(value)) return std::nullopt;
    return number_of(value);
  }

 private:
  static constexpr std::string_view kConstraint =
      "SELECT 1 FROM pg_constraint WHERE conrelid = to_regclass(?) AND conname = ?";

  std::string name_for(std::string_view what) const {
    return derived_name(what, facts_.name, target_.column);
  }
  std::string index_name() const {
    const std::string name = "uk_" + name_ + "_" + target_.column;
    return is_identifier(name) ? name : name_for("uk_tessera_");
  }
  // Triggers go by their names: the one that reads an ID comes behind the one that makes it.
  std::string trigger_name() const {
    return name_for(target_.from.empty() ? "tessera_id_" : "tessera_of_");
  }
  std::string function_name() const {
    return quoted_name(Engine::postgres, schema_) + "." +
           quoted_name(Engine::postgres, trigger_name());
  }
  std::string column_type() const {
    if (target_.form == Form::bytes) return "uuid";
    return "character varying(" +
           std::to_string(std::max<std::size_t>(64, text_size(target_.type))) + ")";
  }
  std::string column_sql() const {
    return target_.form == Form::bytes ? column_type() : column_type() + " COLLATE \"C\"";
  }

  // In whole milliseconds before it becomes a fraction, which would round.
  std::string time_of_column(const std::string& name) const {
    if (is_number_type(facts_.created_type)) {
      return "CASE WHEN " + name + " > 100000000000 THEN " + name + "::bigint WHEN " + name +
             " >= 0 THEN " + name + "::bigint * 1000 END";
    }
    const std::string time = facts_.created_type == "date" ? name + "::timestamp" : name;
    return "CASE WHEN isfinite(" + name +
           ") THEN round(extract(epoch FROM date_trunc('milliseconds', " + time +
           ")) * 1000)::bigint END";
  }

  std::string reading_function_sql() const {
    const std::string from = "NEW." + quoted_name(Engine::postgres, target_.from);
    return "BEGIN\n  IF TG_OP = 'UPDATE' THEN\n    NEW." + column_ + " := OLD." + column_ +
           ";\n  END IF;\n  IF NEW." + column_ + " IS NULL AND " + from + " ~ " +
           quoted_text(pattern(target_)) + " THEN\n    NEW." + column_ +
           " := " + postgres_body(target_, from) + ";\n  END IF;\n  RETURN NEW;\nEND";
  }
  std::string making_function_sql() const {
    std::string body =
        "DECLARE\n  t bigint;\n"
        "  r bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());\n"
        "BEGIN\n"
        "  IF TG_OP = 'UPDATE' THEN\n"
        "    IF OLD." +
        column_ +
        " IS NOT NULL THEN\n"
        "      NEW." +
        column_ + " := OLD." + column_ +
        ";\n"
        "      RETURN NEW;\n    END IF;\n  END IF;\n";
    if (!target_.created_at.empty()) {
      body +=
          "  t := " + time_of_column("NEW." + quoted_name(Engine::postgres, target_.created_at)) +
          ";\n";
    }
    body +=
        "  IF t IS NULL OR t < 0 OR t > 281474976710655 THEN\n"
        "    t := floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;\n  END IF;\n"
        "  NEW." +
        column_ + " := " + postgres_id(target_) + ";\n  RETURN NEW;\nEND";
    return body;
  }
  std::string function_sql() const {
    return "CREATE OR REPLACE FUNCTION " + function_name() +
           "() RETURNS trigger LANGUAGE plpgsql AS " +
           quoted_text(target_.from.empty() ? making_function_sql() : reading_function_sql());
  }
  std::string trigger_sql() const {
    return "CREATE TRIGGER " + quoted_name(Engine::postgres, trigger_name()) +
           " BEFORE INSERT OR UPDATE ON " + table_ + " FOR EACH ROW WHEN (NEW." + column_ +
           " IS NULL) EXECUTE FUNCTION " + function_name() + "()";
  }
  std::string index_sql() const {
    const std::string tenant = target_.tenant_column.empty()
                                   ? ""
                                   : ", " + quoted_name(Engine::postgres, target_.tenant_column);
    return "CREATE UNIQUE INDEX CONCURRENTLY " + quoted_name(Engine::postgres, index_name()) +
           " ON " + table_ + " (" + column_ + tenant + ")";
  }
  std::string rows_sql(std::string_view where) const {
    const std::string time = target_.created_at.empty() ? "" : ", " + time_sql();
    const std::string from =
        target_.from.empty() ? "" : ", " + quoted_name(Engine::postgres, target_.from) + "::text";
    return "SELECT " + key_ + time + from + " FROM " + table_ + " WHERE " + column_ + " IS NULL" +
           std::string(where) + " ORDER BY " + key_ + " LIMIT ?";
  }
  std::string first_sql() const { return rows_sql(""); }
  std::string select_sql() const { return rows_sql(" AND " + key_ + " > ?"); }
  std::string value_sql() const { return target_.form == Form::bytes ? "u.v::uuid" : "u.v"; }
  std::string keys_sql() const { return "?::" + facts_.key_type + "[]"; }
  std::string update_sql() const {
    return "UPDATE " + table_ + " AS t SET " + column_ + " = " + value_sql() + " FROM unnest(" +
           keys_sql() + ", ?::text[]) AS u(k, v) WHERE t." + key_ + " = u.k AND t." + column_ +
           " IS NULL";
  }
  // Without a lock: who pauses it may see one more batch.
  std::string alone_sql() const {
    return update_sql() +
           " AND EXISTS (SELECT 1 FROM tessera_migration WHERE table_name = ? AND column_name = ? "
           "AND paused = 0)";
  }
  // The lock comes first, so that nobody pauses it in between.
  std::string at_once_sql(const std::string& saving) const {
    const std::string on_record = "EXISTS (SELECT 1 FROM on_record)";
    return "WITH on_record AS (SELECT 1 FROM tessera_migration WHERE table_name = ? AND "
           "column_name = ? AND paused = 0 FOR UPDATE), changed AS (" +
           update_sql() + " AND " + on_record + " RETURNING 1), saved AS (" + saving + " AND " +
           on_record +
           " RETURNING 1) SELECT (SELECT count(*) FROM saved), (SELECT count(*) FROM changed)";
  }
  // Locks what it can before it changes it: dearer by half, and never waits.
  std::string careful_sql() const {
    return "WITH held AS (SELECT t." + key_ + " AS k FROM unnest(" + keys_sql() +
           ") AS w(k) JOIN " + table_ + " AS t ON t." + key_ + " = w.k WHERE t." + column_ +
           " IS NULL FOR NO KEY UPDATE OF t SKIP LOCKED), changed AS (UPDATE " + table_ +
           " AS t SET " + column_ + " = " + value_sql() + " FROM unnest(" + keys_sql() +
           ", ?::text[]) AS u(k, v) JOIN held ON held.k = u.k WHERE t." + key_ + " = u.k AND t." +
           column_ +
           " IS NULL RETURNING 1) SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM "
           "changed)";
  }
  // Room is found in the table alone: an index is read from end to end each time. If somebody else
  // tidies, it is he who finds it.
  std::string vacuum_sql(Tidy what) const {
    return "VACUUM (TRUNCATE false, PARALLEL 0, " +
           std::string(what == Tidy::all ? "INDEX_CLEANUP on) "
                                         : "INDEX_CLEANUP off, SKIP_LOCKED true) ") +
           table_;
  }

  struct Arrays {
    std::string keys;
    std::string values;
  };
  Arrays arrays(std::span<const Row> rows, std::span<const Value> ids) const {
    Arrays out{"{", "{"};
    out.keys.reserve(rows.size() * 12);
    out.values.reserve(rows.size() * (text_size(target_.type) + 3));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      add_element(out.keys, rows[i].key);
      const auto* bytes = std::get_if<db::Bytes>(&ids[i]);
      if (bytes != nullptr) {
        add_element(out.values, uuid_text(bytes->bytes));
      } else {
        add_element(out.values, ids[i]);
      }
    }
    out.keys += '}';
    out.values += '}';
    return out;
  }

  Value key_value(const Value& key) const {
    if (is_number_type(facts_.key_type)) return number_of(key);
    return string_of(key);
  }

  static Result<bool, Error> exists_sql(Connection& connection, const std::string& sql) {
    const auto found = ask(connection, sql);
    if (!found) return Failure{found.error()};
    return !found->empty();
  }
  Result<bool, Error> exists(Connection& connection, std::string_view sql,
                             const std::string& name) const {
    const auto found = ask(connection, sql, {table_, name});
    if (!found) return Failure{found.error()};
    return !found->empty();
  }
  Result<bool, Error> is_not_null(Connection& connection) const {
    return exists(connection,
                  "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(?) AND attname = ? AND "
                  "attnotnull",
                  target_.column);
  }

  // For statements whose wait for a lock keeps nobody else waiting.
  static Done unhurried(Connection& connection, std::string_view sql) {
    if (auto done = send(connection, "SET lock_timeout = 0"); !done) return done;
    connection.set_timeout(kLong);
    auto done = send(connection, sql);
    connection.set_timeout(kShort);
    // Also when it failed: whoever goes on with the connection must not wait for a lock for ever.
    auto back = send(connection, "SET lock_timeout = '100ms'");
    return done ? back : done;
  }

  Done make_index(Connection& connection, const Step& step) {
    auto good = has_index(connection);
    if (!good || *good) return good;
    // What a run left that was killed while it was built; never an index of somebody else.
    auto left = exists(connection,
                       "SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE "
                       "i.indrelid = to_regclass(?) AND c.relname = ? AND NOT i.indisvalid",
                       index_name());
    if (!left) return left;
    if (*left) {
      auto done = unhurried(connection, "DROP INDEX CONCURRENTLY " +
                                            quoted_name(Engine::postgres, schema_) + "." +
                                            quoted_name(Engine::postgres, index_name()));
      if (!done) return done;
    }
    return unhurried(connection, step.statements[0]);
  }

  Target target_;
  std::string column_;
  std::string key_;
  std::string schema_;
  std::string name_;
  std::string table_;
  TableFacts facts_;
};

}  // namespace

std::unique_ptr<Dialect> postgres_dialect(const Target& target) {
  return std::make_unique<Postgres>(target);
}

}  // namespace tessera::migrate
