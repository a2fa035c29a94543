// SQLite: one writer at a time, so that a batch is all that others wait for; an index takes longer.

#include <algorithm>

#include "migrate/db_error.h"
#include "migrate/dialect.h"
#include "migrate/id_sql.h"
#include "migrate/identifier.h"
#include "tessera/parse_error.h"
#include "tessera/time_text.h"

namespace tessera::migrate {
namespace {

using Code = Error::Code;
using db::Connection;
using db::Engine;
using db::Value;

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

class Sqlite final : public Dialect {
 public:
  explicit Sqlite(const Target& target)
      : target_(target),
        table_(quoted_table(Engine::sqlite, target.table)),
        column_(quoted_name(Engine::sqlite, target.column)),
        key_(quoted_name(Engine::sqlite, target.key)) {}

  Done prepare(Connection& connection) const override {
    connection.set_timeout(std::chrono::seconds(60));
    return true;
  }

  Result<TableFacts, Error> look(Connection& connection) override {
    if (target_.table.find('.') != std::string::npos) {
      return refuse(Code::invalid_request, "SQLite has one schema: name the table alone");
    }
    const auto columns =
        ask(connection, "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)",
            {target_.table});
    if (!columns) return Failure{columns.error()};
    if (columns->empty())
      return refuse(Code::not_found, "there is no table " + quoted(target_.table));
    const auto find = [&](const std::string& name) -> const std::vector<Value>* {
      for (const auto& column : columns->rows) {
        if (string_of(column[0]) == name) return &column;
      }
      return nullptr;
    };
    for (const std::string& name :
         {target_.key, target_.tenant_column, target_.created_at, target_.from}) {
      if (!name.empty() && find(name) == nullptr) {
        return refuse(Code::not_found, quoted(target_.table) + " has no column " + quoted(name));
      }
    }
    facts_ = TableFacts{};
    facts_.name = target_.table;
    facts_.key_type = upper(string_of((*find(target_.key))[1]));
    if (const auto* column = find(target_.column)) {
      facts_.column_type = upper(string_of((*column)[1]));
      if (facts_.column_type != column_type()) {
        return refuse(Code::already_exists,
                      "the column " + quoted(target_.column) + " is there, and is " +
                          printable(facts_.column_type) + ", not " + column_type(),
                      "Choose another with --column, or the other --form.");
      }
    }
    if (const auto fault = key_fault(connection, *columns); !fault.empty()) {
      return refuse(Code::invalid_request, "the key " + quoted(target_.key) + " " + fault,
                    "Name a column that is unique by itself and never NULL, with --key.");
    }
    const auto encoding = ask(connection, "PRAGMA encoding");
    if (!encoding) return Failure{encoding.error()};
    if (target_.form == Form::bytes && string_of(encoding->rows[0][0]) != "UTF-8") {
      return refuse(Code::invalid_request, "bytes can be put together in a database in UTF-8 only",
                    "Use --form text.");
    }
    const auto count = ask(connection, "SELECT count(*) FROM " + table_);
    if (!count) return Failure{count.error()};
    facts_.rows = number_of(count->rows[0][0]);
    const auto size = ask(
        connection, "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()");
    if (!size) return Failure{size.error()};
    facts_.size = number_of(size->rows[0][0]);
    return facts_;
  }

  std::vector<Step> steps() const override {
    const auto rows = static_cast<double>(facts_.rows);
    const std::string tenant = target_.tenant_column.empty()
                                   ? ""
                                   : ", " + quoted_name(Engine::sqlite, target_.tenant_column);
    std::vector<Step> steps;
    steps.push_back({StepName::column,
                     {"ALTER TABLE " + table_ + " ADD COLUMN " + column_ + " " + column_type()},
                     "the file, an instant",
                     0.01});
    steps.push_back(
        {StepName::trigger,
         {trigger_sql("i", "INSERT", "NULL"), trigger_sql("u", "UPDATE", "OLD." + column_)},
         "the file, an instant",
         0.01});
    steps.push_back({StepName::backfill,
                     {rows_sql(" AND " + key_ + " > ?"), update_sql()},
                     "the file, for a batch at a time: writers wait",
                     rows / 200'000});
    steps.push_back(
        {StepName::index,
         {"CREATE UNIQUE INDEX IF NOT EXISTS " + quoted_name(Engine::sqlite, index_name()) +
          " ON " + table_ + " (" + column_ + tenant + ")"},
         "the file, while it is built: writers wait",
         rows / 500'000});
    steps.push_back({StepName::verify, {}, "none", rows / 500'000});
    return steps;
  }

  Done perform(Connection& connection, const Step& step) override {
    if (step.name == StepName::column) {
      const auto there = ask(connection, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?",
                             {target_.table, target_.column});
      if (!there) return Failure{there.error()};
      return there->empty() ? send(connection, step.statements[0]) : Done(true);
    }
    for (const std::string& statement : step.statements) {
      if (auto done = send(connection, statement); !done) return done;
    }
    return true;
  }

  Done lock(Connection&) override { return true; }  // a batch has the file to itself
  bool writes_beside_others() const override { return false; }
  bool reads_ahead() const override { return false; }

  std::string_view begin() const override { return "BEGIN IMMEDIATE"; }

  Result<std::vector<Row>, Error> next_rows(Connection& connection, const Value& after,
                                            std::int64_t limit) const override {
    const auto found = db::is_null(after)
                           ? ask(connection, rows_sql(""), {limit})
                           : ask(connection, rows_sql(" AND " + key_ + " > ?"), {after, limit});
    if (!found) return Failure{found.error()};
    std::vector<Row> rows;
    rows.reserve(found->rows.size());
    for (const auto& row : found->rows) {
      if (std::holds_alternative<db::Bytes>(row[0])) {
        return refuse(Code::invalid_request, "a key that is bytes cannot be gone through");
      }
      rows.push_back({row[0], time_of(row[1]), row[2]});
    }
    return rows;
  }

  Result<std::int64_t, Error> fill(Connection& connection, std::span<const Row> rows,
                                   std::span<const Value> ids, Care) override {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto done = ask(connection, update_sql(), {ids[i], rows[i].key});
      if (!done) return Failure{done.error()};
    }
    return static_cast<std::int64_t>(rows.size());
  }

  // Writers cannot be counted: they ask for the file again and again.
  Result<std::int64_t, Error> waiting(Connection&) override { return std::int64_t{0}; }
  Result<Signals, Error> signals(Connection&) override { return Signals{}; }

  Result<bool, Error> rows_are_left(Connection& connection) override {
    const auto found =
        ask(connection, "SELECT 1 FROM " + table_ + " WHERE " + missing_sql() + " LIMIT 1");
    if (!found) return Failure{found.error()};
    return !found->empty();
  }
  std::string missing_sql() const override { return column_ + " IS NULL"; }

  Done tidy(Connection&, Tidy, Hurry) const override { return true; }

  Done undo(Connection& connection) override {
    const auto name = [](const std::string& text) { return quoted_name(Engine::sqlite, text); };
    if (auto begun = send(connection, "BEGIN IMMEDIATE"); !begun) return begun;
    auto done = send(connection, "DROP INDEX IF EXISTS " + name(index_name()) +
                                     ";\nDROP TRIGGER IF EXISTS " + name(trigger_name("i")) +
                                     ";\nDROP TRIGGER IF EXISTS " + name(trigger_name("u")) + ";");
    const auto there = ask(connection, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?",
                           {target_.table, target_.column});
    if (done && there && !there->empty()) {
      done = send(connection, "ALTER TABLE " + table_ + " DROP COLUMN " + column_);
    }
    if (done && there) return send(connection, "COMMIT");
    static_cast<void>(connection.batch("ROLLBACK"));
    return done ? Done(Failure{there.error()}) : done;
  }

  Result<bool, Error> has_index(Connection& connection) override {
    const auto found =
        ask(connection, "SELECT 1 FROM pragma_index_list(?) WHERE name = ? AND \"unique\" = 1",
            {target_.table, index_name()});
    if (!found) return Failure{found.error()};
    return !found->empty();
  }
  std::string wrong_form_sql() const override {
    if (target_.form == Form::bytes)
      return "typeof(" + column_ + ") <> 'blob' OR length(" + column_ + ") <> 16";
    return "typeof(" + column_ + ") <> 'text' OR " + column_ + " NOT GLOB " +
           quoted_text(glob_pattern(target_));
  }
  std::string table_sql() const override { return table_; }
  std::string name_sql(std::string_view name) const override {
    return quoted_name(Engine::sqlite, name);
  }
  std::string time_sql() const override {
    return target_.created_at.empty() ? "NULL" : quoted_name(Engine::sqlite, target_.created_at);
  }
  // Anything may be in a column; what is no time is none.
  std::optional<std::int64_t> time_of(const Value& value) const override {
    if (const auto* text = std::get_if<std::string>(&value)) return parse_time(*text);
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr || *number < 0) return std::nullopt;
    return *number > kMillisecondsAbove ? *number : *number * 1000;
  }

 private:
  static constexpr std::int64_t kMillisecondsAbove = 100'000'000'000;

  std::string column_type() const {
    if (target_.form == Form::bytes) return "BLOB";
    return "VARCHAR(" + std::to_string(std::max<std::size_t>(64, text_size(target_.type))) + ")";
  }
  std::string index_name() const {
    const std::string name = "uk_" + target_.table + "_" + target_.column;
    return is_identifier(name) ? name : derived_name("uk_tessera_", target_.table, target_.column);
  }
  std::string trigger_name(std::string_view which) const {
    return derived_name("tessera_id_" + std::string(which) + "_", target_.table, target_.column);
  }

  // Behind the row, which has no ID for the time of the statement: SQLite lets no trigger change a
  // row before it is there. Another trigger's UPDATE may have set the ID by then.
  std::string trigger_sql(std::string_view which, std::string_view event,
                          const std::string& old) const {
    const std::string now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";
    std::string time = now;
    if (!target_.created_at.empty()) {
      const std::string of = "NEW." + quoted_name(Engine::sqlite, target_.created_at);
      const std::string given =
          "CASE typeof(" + of + ") WHEN 'integer' THEN " + of + " * (CASE WHEN " + of +
          " > 100000000000 THEN 1 ELSE 1000 END) WHEN 'text' THEN CAST(round((julianday(" + of +
          ") - 2440587.5) * 86400000) AS INTEGER) END";
      time = "CASE WHEN (" + given + ") BETWEEN 0 AND 281474976710655 THEN (" + given + ") ELSE " +
             now + " END";
    }
    std::string when = "NEW." + column_ + " IS NULL";
    std::string id = "(SELECT " + sqlite_id(target_) + " FROM (SELECT " + time + " AS t))";
    if (!target_.from.empty()) {
      const std::string from = "NEW." + quoted_name(Engine::sqlite, target_.from);
      const std::string fits = from + " GLOB " + quoted_text(glob_pattern(target_));
      id = "CASE WHEN " + fits + " THEN " + sqlite_body(target_, from) + " END";
      // With nothing to read it does nothing: the trigger that makes the text fires this one then.
      when += " AND (" + old + " IS NOT NULL OR " + fits + ")";
    }
    return "CREATE TRIGGER IF NOT EXISTS " + quoted_name(Engine::sqlite, trigger_name(which)) +
           " AFTER " + std::string(event) + " ON " + table_ + " WHEN " + when + " BEGIN UPDATE " +
           table_ + " SET " + column_ + " = coalesce(" + old + ", " + id + ") WHERE " + key_ +
           " = NEW." + key_ + " AND " + column_ + " IS NULL; END";
  }
  std::string rows_sql(std::string_view where) const {
    const std::string from =
        target_.from.empty() ? "NULL" : quoted_name(Engine::sqlite, target_.from);
    return "SELECT " + key_ + ", " + time_sql() + ", " + from + " FROM " + table_ + " WHERE " +
           column_ + " IS NULL" + std::string(where) + " ORDER BY " + key_ + " LIMIT ?";
  }
  std::string update_sql() const {
    return "UPDATE " + table_ + " SET " + column_ + " = ? WHERE " + key_ + " = ? AND " + column_ +
           " IS NULL";
  }

  // Empty: it will do.
  std::string key_fault(Connection& connection, const db::Rows& columns) const {
    std::int64_t parts = 0;
    bool primary = false;
    for (const auto& column : columns.rows) {
      parts += number_of(column[3]) > 0 ? 1 : 0;
      primary = primary || (string_of(column[0]) == target_.key && number_of(column[3]) == 1);
    }
    if (!primary || parts != 1) {
      const auto unique =
          ask(connection,
              "SELECT 1 FROM pragma_index_list(?) l WHERE l.\"unique\" = 1 AND l.partial = 0 AND "
              "(SELECT count(*) = 1 AND min(name) = ? FROM pragma_index_info(l.name))",
              {target_.table, target_.key});
      if (!unique || unique->empty()) return "is not unique by itself";
    }
    const auto null =
        ask(connection, "SELECT 1 FROM " + table_ + " WHERE " + key_ + " IS NULL LIMIT 1");
    return null && null->empty() ? "" : "is NULL in some row";
  }

  Target target_;
  std::string table_;
  std::string column_;
  std::string key_;
  TableFacts facts_;
};

}  // namespace

std::unique_ptr<Dialect> sqlite_dialect(const Target& target) {
  return std::make_unique<Sqlite>(target);
}

}  // namespace tessera::migrate
