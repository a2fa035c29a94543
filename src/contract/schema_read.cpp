// Tables, columns and indexes, as the catalogues of SQLite, PostgreSQL and MariaDB tell them.

#include <algorithm>
#include <charconv>

#include "contract/sql_tokens.h"
#include "contract/words.h"
#include "tessera/contract/schema.h"

namespace tessera::contract {
namespace {

using db::Connection;
using db::DbError;
using db::Rows;
using db::Value;

std::string text_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* bytes = std::get_if<db::Bytes>(&value)) return bytes->bytes;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return {};
}

bool truth_of(const Value& value) {
  const std::string text = text_of(value);
  return text == "1" || text == "t" || text == "YES";
}

// Rows come by table: the last one, or a new one behind it.
SchemaTable& table_of(Schema& schema, const std::string& space, const std::string& name) {
  if (schema.tables.empty() || schema.tables.back().name != name ||
      schema.tables.back().space != space) {
    schema.tables.push_back({space, name, {}, {}, {}});
  }
  return schema.tables.back();
}

SchemaTable* find_table(Schema& schema, const std::string& space, const std::string& name) {
  const auto found = std::ranges::find_if(schema.tables, [&](const SchemaTable& table) {
    return table.name == name && table.space == space;
  });
  return found == schema.tables.end() ? nullptr : &*found;
}

// One row for each column of an index, in order.
void add_index_column(SchemaTable& table, const SchemaIndex& of, const std::string& column) {
  if (table.indexes.empty() || table.indexes.back().name != of.name) table.indexes.push_back(of);
  SchemaIndex& index = table.indexes.back();
  index.columns.push_back(column);
  index.whole = index.whole && of.whole;
}

// space, table, column, type, not null, made by, lost by; then space, table, index, column, unique,
// primary, whole. Both servers answer with the same columns.
Result<Schema, DbError> read_server(Connection& connection, std::string_view columns_sql,
                                    std::string_view indexes_sql) {
  Schema schema;
  schema.engine = connection.engine();
  const auto columns = connection.query(columns_sql);
  if (!columns) return Failure{columns.error()};
  for (const auto& row : columns->rows) {
    SchemaTable& table = table_of(schema, text_of(row[0]), text_of(row[1]));
    table.columns.push_back(
        {text_of(row[2]), lowered(text_of(row[3])), truth_of(row[4]), text_of(row[5])});
    table.lost_by = text_of(row[6]);
  }
  const auto indexes = connection.query(indexes_sql);
  if (!indexes) return Failure{indexes.error()};
  for (const auto& row : indexes->rows) {
    SchemaTable* table = find_table(schema, text_of(row[0]), text_of(row[1]));
    if (table == nullptr) continue;  // made since
    SchemaIndex index;
    index.name = text_of(row[2]);
    index.unique = truth_of(row[4]);
    index.primary = truth_of(row[5]);
    index.whole = truth_of(row[6]);
    add_index_column(*table, index, text_of(row[3]));
  }
  return schema;
}

// Partitions are their parent's; an index that is not valid yet promises nothing.
constexpr std::string_view kPostgresColumns = R"sql(
SELECT CASE WHEN n.nspname = current_schema() THEN '' ELSE n.nspname END::text, c.relname::text,
  a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull,
  CASE WHEN a.attidentity <> '' THEN 'identity'
       WHEN a.attgenerated <> '' THEN ''
       WHEN pg_get_expr(d.adbin, d.adrelid) LIKE '%(%' THEN pg_get_expr(d.adbin, d.adrelid)
       ELSE '' END,
  CASE c.relpersistence WHEN 'p' THEN '' ELSE 'UNLOGGED' END
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND n.nspname = ANY (current_schemas(false))
ORDER BY 1, 2, a.attnum)sql";
constexpr std::string_view kPostgresIndexes = R"sql(
SELECT CASE WHEN n.nspname = current_schema() THEN '' ELSE n.nspname END::text, c.relname::text,
  x.relname::text, coalesce(a.attname::text, ''), i.indisunique AND i.indisvalid, i.indisprimary,
  i.indpred IS NULL
FROM pg_index i
JOIN pg_class c ON c.oid = i.indrelid
JOIN pg_class x ON x.oid = i.indexrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum AND k.attnum > 0
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND k.place <= i.indnkeyatts
  AND n.nspname = ANY (current_schemas(false))
ORDER BY 1, 2, 3, k.place)sql";

// BINARY: a name may differ from another in case only.
constexpr std::string_view kMariadbColumns = R"sql(
SELECT '', c.TABLE_NAME, c.COLUMN_NAME, c.COLUMN_TYPE, c.IS_NULLABLE = 'NO',
  CASE WHEN c.EXTRA LIKE '%auto_increment%' THEN 'auto_increment'
       WHEN c.COLUMN_DEFAULT LIKE '%(%' THEN c.COLUMN_DEFAULT ELSE '' END,
  CASE WHEN t.ENGINE IN ('InnoDB', 'ROCKSDB') THEN '' ELSE coalesce(t.ENGINE, '') END
FROM information_schema.COLUMNS c
JOIN information_schema.TABLES t
  ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')
ORDER BY BINARY c.TABLE_NAME, c.ORDINAL_POSITION)sql";
constexpr std::string_view kMariadbIndexes = R"sql(
SELECT '', TABLE_NAME, INDEX_NAME, coalesce(COLUMN_NAME, ''), NON_UNIQUE = 0,
  INDEX_NAME = 'PRIMARY', SUB_PART IS NULL
FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = DATABASE()
ORDER BY BINARY TABLE_NAME, BINARY INDEX_NAME, SEQ_IN_INDEX)sql";

// SQLite ---------------------------------------------------------------------------------------

bool has_word(std::string_view sql, std::string_view word) {
  SqlTokens tokens(sql);
  for (SqlToken token = tokens.next(); token.kind != SqlToken::Kind::end; token = tokens.next()) {
    if (token.kind == SqlToken::Kind::word && same_word(token.text, word)) return true;
  }
  return false;
}

// A column INTEGER PRIMARY KEY is the rowid: SQLite makes a number where none is given, and with
// AUTOINCREMENT promises to.
std::string made_by_sqlite(const SchemaColumn& column, bool only_key, std::string_view table_sql,
                           const std::string& default_text) {
  if (only_key && column.type == "integer") {
    if (has_word(table_sql, "autoincrement")) return "AUTOINCREMENT";
    if (!has_word(table_sql, "without")) return "rowid";
  }
  return default_text.find('(') == std::string::npos ? "" : default_text;
}

std::optional<DbError> read_sqlite_indexes(Connection& connection, SchemaTable& table) {
  const auto list = connection.query(
      R"(SELECT name, "unique", partial, origin FROM pragma_index_list(?) ORDER BY name)",
      {table.name});
  if (!list) return list.error();
  for (const auto& row : list->rows) {
    SchemaIndex index;
    index.name = text_of(row[0]);
    index.unique = truth_of(row[1]);
    index.whole = !truth_of(row[2]);
    index.primary = text_of(row[3]) == "pk";
    const auto columns =
        connection.query("SELECT name FROM pragma_index_info(?) ORDER BY seqno", {index.name});
    if (!columns) return columns.error();
    for (const auto& column : columns->rows) index.columns.push_back(text_of(column[0]));
    table.indexes.push_back(std::move(index));
  }
  return std::nullopt;
}

std::optional<DbError> read_sqlite_table(Connection& connection, SchemaTable& table,
                                         std::string_view sql) {
  const auto columns = connection.query(
      R"(SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?) ORDER BY cid)",
      {table.name});
  if (!columns) return columns.error();
  std::vector<std::pair<std::int64_t, std::string>> key;
  for (const auto& row : columns->rows) {
    const auto* place = std::get_if<std::int64_t>(&row[4]);
    if (place != nullptr && *place > 0) key.emplace_back(*place, text_of(row[0]));
  }
  std::ranges::sort(key);
  for (const auto& row : columns->rows) {
    SchemaColumn column{text_of(row[0]), lowered(text_of(row[1])), truth_of(row[2]), {}};
    const bool only_key = key.size() == 1 && key[0].second == column.name;
    column.made_by = made_by_sqlite(column, only_key, sql, text_of(row[3]));
    // The rowid is never NULL, whatever the column says.
    column.not_null = column.not_null || (only_key && column.type == "integer");
    table.columns.push_back(std::move(column));
  }
  if (auto error = read_sqlite_indexes(connection, table)) return error;
  // The rowid has no index of its own.
  if (!key.empty() && table.primary_key() == nullptr) {
    SchemaIndex index{.name = "primary key", .columns = {}, .unique = true, .primary = true};
    for (const auto& [place, name] : key) index.columns.push_back(name);
    table.indexes.push_back(std::move(index));
  }
  return std::nullopt;
}

Result<Schema, DbError> read_sqlite(Connection& connection) {
  Schema schema;
  schema.engine = db::Engine::sqlite;
  const auto tables = connection.query(
      "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE "
      "'sqlite\\_%' ESCAPE '\\' ORDER BY name");
  if (!tables) return Failure{tables.error()};
  for (const auto& row : tables->rows) {
    SchemaTable table;
    table.name = text_of(row[0]);
    if (const auto error = read_sqlite_table(connection, table, text_of(row[1]))) {
      return Failure{*error};
    }
    schema.tables.push_back(std::move(table));
  }
  return schema;
}

}  // namespace

const SchemaColumn* SchemaTable::column(std::string_view wanted) const noexcept {
  const auto found = std::ranges::find_if(
      columns, [&](const SchemaColumn& column) { return same_word(column.name, wanted); });
  return found == columns.end() ? nullptr : &*found;
}

const SchemaIndex* SchemaTable::primary_key() const noexcept {
  const auto found = std::ranges::find_if(indexes, &SchemaIndex::primary);
  return found == indexes.end() ? nullptr : &*found;
}

const SchemaTable* Schema::table(std::string_view full_name) const noexcept {
  const auto found = std::ranges::find_if(
      tables, [&](const SchemaTable& table) { return table.full_name() == full_name; });
  return found == tables.end() ? nullptr : &*found;
}

Result<Schema, DbError> read_schema(Connection& connection) {
  switch (connection.engine()) {
    case db::Engine::postgres: return read_server(connection, kPostgresColumns, kPostgresIndexes);
    case db::Engine::mariadb: return read_server(connection, kMariadbColumns, kMariadbIndexes);
    case db::Engine::sqlite: break;
  }
  return read_sqlite(connection);
}

}  // namespace tessera::contract
