// Looks at tables, makes them, adopts those of four columns.

#include "store/schema.h"

#include <algorithm>
#include <array>
#include <vector>

#include "store/db_errors.h"
#include "store/init_lock.h"
#include "store/requests.h"
#include "store/schema_files.h"
#include "tessera/parse_error.h"
#include "tessera/scope_name.h"

namespace tessera {
namespace {

using db::Connection;
using db::Engine;

Error schema_error(std::string message, std::string hint) {
  return Error{Error::Code::store_schema, std::move(message), std::move(hint)};
}

struct Column {
  std::string name;
  std::string type;
  bool primary = false;
  std::string collation;
};

Result<std::vector<Column>, Error> columns_of(Connection& connection, const std::string& table) {
  const char* sql = "";
  switch (connection.engine()) {
    case Engine::sqlite: sql = "SELECT name, type, pk > 0, '' FROM pragma_table_info(?)"; break;
    case Engine::postgres:
      sql =
          "SELECT a.attname::text, format_type(a.atttypid, a.atttypmod),"
          " EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary"
          " AND a.attnum = ANY (i.indkey)), coalesce(c.collname::text, '')"
          " FROM pg_attribute a LEFT JOIN pg_collation c ON c.oid = a.attcollation"
          " WHERE a.attrelid = to_regclass(quote_ident(?)) AND a.attnum > 0"
          " AND NOT a.attisdropped ORDER BY a.attnum";
      break;
    case Engine::mariadb:
      sql =
          "SELECT column_name, column_type, column_key = 'PRI', coalesce(collation_name, '')"
          " FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?"
          " ORDER BY ordinal_position";
      break;
  }
  const auto rows = connection.query(sql, {table});
  if (!rows) return Failure{error_of(rows.error(), connection.engine(), At::reading)};
  std::vector<Column> columns;
  for (const auto& row : rows->rows) {
    columns.push_back({text_of(row[0]), text_of(row[1]), number_of(row[2]) != 0, text_of(row[3])});
  }
  return columns;
}

const Column* find_column(const std::vector<Column>& columns, std::string_view name) noexcept {
  const auto found = std::ranges::find(columns, name, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

std::string with_table(std::string_view sql, std::string_view table) {
  constexpr std::string_view kMark = "{table}";
  std::string out(sql);
  for (std::size_t at = out.find(kMark); at != std::string::npos;
       at = out.find(kMark, at + table.size())) {
    out.replace(at, kMark.size(), table);
  }
  return out;
}

// A table that others have made must be such that its rows can go on as they are.
std::optional<Error> fault_of_adoption(Connection& connection, const Dialect& dialect,
                                       const std::vector<Column>& columns) {
  const std::string what = "cannot adopt table " + quoted(dialect.table) + ": ";
  const auto primaries = std::ranges::count_if(columns, &Column::primary);
  if (primaries != 1 || !find_column(columns, "scope")->primary) {
    return schema_error(what + "its primary key is not scope", "Make scope its primary key.");
  }
  constexpr std::size_t kSeedColumns = 4;
  if (connection.engine() == Engine::sqlite && columns.size() != kSeedColumns) {
    return schema_error(what + "it has columns besides the four",
                        "SQLite must copy the table, and would lose them; move them elsewhere.");
  }
  const auto rows = connection.query("SELECT scope, max_id, step FROM " + dialect.name());
  if (!rows) return error_of(rows.error(), connection.engine(), At::reading);
  for (const auto& row : rows->rows) {
    const std::string name = text_of(row[0]);
    if (scope_name_fault(name)) {
      return schema_error(what + "no name for a scope: " + quoted(name),
                          "Two such names may be one in another store, as 'ORDER' and 'ORDER ' are "
                          "in MariaDB; rename it.");
    }
    const auto* max_id = std::get_if<std::int64_t>(&row[1]);
    if (max_id == nullptr || *max_id < 0) {
      return schema_error(what + "max_id of " + quoted(name) + " is " + quoted(text_of(row[1])),
                          "It must be a whole number from 0 to 9223372036854775807.");
    }
    const auto* step = std::get_if<std::int64_t>(&row[2]);
    if (step == nullptr || *step < 1 || *step > Scope::kStepMax) {
      return schema_error(what + "step of " + quoted(name) + " is " + quoted(text_of(row[2])),
                          "It must be 1 to 1000000.");
    }
  }
  return std::nullopt;
}

struct Files {
  std::string_view create, adopt, adopted;
};

Files files_of(Engine engine) noexcept {
  switch (engine) {
    case Engine::sqlite: return {sqlite_create_sql, sqlite_adopt_sql, sqlite_adopted_sql};
    case Engine::postgres: return {postgres_create_sql, postgres_adopt_sql, ""};
    case Engine::mariadb: return {mariadb_create_sql, mariadb_adopt_sql, ""};
  }
  return {};
}

}  // namespace

std::optional<Error> fault_of_table(std::string_view table) {
  constexpr std::size_t kSizeMax = 48;  // PostgreSQL cuts names at 63, and we append to it
  const bool good = !table.empty() && table.size() <= kSizeMax &&
                    !(table[0] >= '0' && table[0] <= '9') && std::ranges::all_of(table, [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                    });
  if (good) return std::nullopt;
  return Error{Error::Code::invalid_request, "not a name for a table: " + quoted(table),
               "Use a-z, 0-9 and '_', at most 48, with no digit in front."};
}

Result<SchemaStatus, Error> look_at_schema(Connection& connection, const Dialect& dialect) {
  const auto columns = columns_of(connection, dialect.table);
  if (!columns) return Failure{columns.error()};
  if (columns->empty()) return SchemaStatus{0, kSchemaNewest};
  for (const std::string_view name : {"scope", "max_id", "step", "updated_at"}) {
    if (find_column(*columns, name) == nullptr) {
      return Failure{
          schema_error("table " + quoted(dialect.table) + " has no column " + quoted(name),
                       "It belongs to somebody else; name another table.")};
    }
  }
  if (find_column(*columns, "min_id") == nullptr) return SchemaStatus{-1, kSchemaNewest};
  const auto versions = columns_of(connection, dialect.table + "_schema");
  if (!versions) return Failure{versions.error()};
  const auto log = columns_of(connection, dialect.table + "_log");
  if (!log) return Failure{log.error()};
  if (versions->empty() || log->empty()) return SchemaStatus{-1, kSchemaNewest};  // half adopted
  const auto rows =
      connection.query("SELECT version FROM " + dialect.schema_name() + " WHERE id = 1");
  if (!rows) return Failure{error_of(rows.error(), connection.engine(), At::reading)};
  if (rows->empty()) return SchemaStatus{-1, kSchemaNewest};
  const auto version = static_cast<int>(number_of(rows->rows[0][0]));
  if (version > kSchemaNewest) {
    return Failure{schema_error("the tables are of version " + std::to_string(version) +
                                    ", newer than " + std::to_string(kSchemaNewest),
                                "Use the newer program that made them.")};
  }
  return SchemaStatus{version, kSchemaNewest};
}

Result<SchemaStatus, Error> bring_up_to_date(Connection& connection, const Dialect& dialect) {
  InitLock lock(connection);
  if (auto error = lock.take()) return Failure{*error};
  const auto before = look_at_schema(connection, dialect);
  if (!before) return Failure{before.error()};
  if (before->version == kSchemaNewest) return *before;

  const auto run = [&](std::string_view sql) -> std::optional<Error> {
    if (sql.empty()) return std::nullopt;
    const auto done = connection.batch(with_table(sql, dialect.table));
    if (done) return std::nullopt;
    return error_of(done.error(), connection.engine(), At::before_commit);
  };
  const Files files = files_of(connection.engine());
  const auto columns = columns_of(connection, dialect.table);
  if (!columns) return Failure{columns.error()};
  const bool adopt = !columns->empty() && find_column(*columns, "min_id") == nullptr;
  if (adopt) {
    if (auto fault = fault_of_adoption(connection, dialect, *columns)) return Failure{*fault};
    if (auto error = run(files.adopt)) return Failure{*error};
  }
  if (auto error = run(files.create)) return Failure{*error};
  if (adopt) {
    if (auto error = run(files.adopted)) return Failure{*error};
  }
  const std::string table = dialect.schema_name();
  if (auto error = run("DELETE FROM " + table + "; INSERT INTO " + table + " VALUES (1, " +
                       std::to_string(kSchemaNewest) + ")")) {
    return Failure{*error};
  }
  if (auto error = lock.commit()) return Failure{*error};
  return SchemaStatus{kSchemaNewest, kSchemaNewest};
}

std::optional<Error> fault_of_columns(Connection& connection, const Dialect& dialect) {
  const auto columns = columns_of(connection, dialect.table);
  if (!columns) return columns.error();
  const std::string what = "table " + quoted(dialect.table) + ": ";
  for (const std::string_view name : {"max_id", "hard_max"}) {
    const Column* column = find_column(*columns, name);
    const bool wide =
        column != nullptr && (connection.engine() == Engine::sqlite
                                  ? column->type == "INTEGER"
                                  : column->type.starts_with("bigint") &&
                                        column->type.find("unsigned") == std::string::npos);
    if (!wide) {
      return schema_error(
          what + "column " + quoted(name) + " is " +
              quoted(column == nullptr ? "missing" : column->type) +
              ", not a whole number of 64 bits with a sign",
          "A narrower one may stop counting, and then repeats ranges; make it BIGINT.");
    }
  }
  const Column* scope = find_column(*columns, "scope");
  const bool binary = connection.engine() == Engine::sqlite ||
                      (connection.engine() == Engine::postgres && scope->collation == "C") ||
                      scope->collation.ends_with("_bin") || scope->collation == "binary";
  if (!binary) {
    return schema_error(what + "column 'scope' has the collation " + quoted(scope->collation),
                        "Names that differ by case or accent would be one; make it binary.");
  }
  return std::nullopt;
}

}  // namespace tessera
