// Reads and writes tessera_migration.

#include "migrate/journal.h"

#include <charconv>
#include <string>

#include "migrate/db_error.h"

namespace tessera::migrate::journal {
namespace {

using namespace std::string_literals;

constexpr std::string_view kSelect =
    "SELECT table_name, column_name, target, step, last_key, tick, tick_time_ms, rows_done, pass, "
    "batch_rows, paused, started_ms, updated_ms FROM tessera_migration";

// For MariaDB, a row that is set to what it was has not been changed, as if it were not there: so
// its time always moves on.
constexpr std::string_view kLater = "CASE WHEN updated_ms < ? THEN ? ELSE updated_ms + 1 END";

// The key with its kind in front, so that it comes back as what it was.
db::Value text_of_key(const db::Value& key) {
  if (db::is_null(key)) return key;
  const bool number = std::holds_alternative<std::int64_t>(key);
  return (number ? "n" : "t") + string_of(key);
}

db::Value key_of_text(const db::Value& text) {
  if (db::is_null(text)) return text;
  const std::string key = string_of(text);
  if (!key.starts_with('n')) return key.substr(std::min<std::size_t>(1, key.size()));
  std::int64_t number = 0;
  std::from_chars(key.data() + 1, key.data() + key.size(), number);
  return number;
}

Result<Entry, Error> entry_of(const std::vector<db::Value>& row) {
  Entry entry;
  entry.table = string_of(row[0]);
  entry.column = string_of(row[1]);
  entry.target = string_of(row[2]);
  const auto step = step_of(string_of(row[3]));
  if (!step) {
    return refuse(Error::Code::store_schema, "tessera_migration has a step that is not known",
                  "Another version of tessera began this migration; go on with that.");
  }
  entry.step = *step;
  entry.last_key = key_of_text(row[4]);
  entry.ids = {static_cast<std::uint64_t>(number_of(row[5])),
               static_cast<std::uint64_t>(number_of(row[6]))};
  entry.rows_done = number_of(row[7]);
  entry.pass = number_of(row[8]);
  entry.batch_rows = number_of(row[9]);
  entry.paused = number_of(row[10]) != 0;
  entry.started_ms = number_of(row[11]);
  entry.updated_ms = number_of(row[12]);
  return entry;
}

Result<std::vector<Entry>, Error> read(db::Connection& connection, const std::string& sql,
                                       std::initializer_list<db::Value> parameters) {
  const auto rows = connection.query(sql, parameters);
  std::vector<Entry> entries;
  if (!rows) {
    if (rows.error().kind == db::DbError::Kind::missing) return entries;
    return Failure{error_of(rows.error(), connection.engine())};
  }
  for (const auto& row : rows->rows) {
    auto entry = entry_of(row);
    if (!entry) return Failure{entry.error()};
    entries.push_back(*std::move(entry));
  }
  return entries;
}

Done changed_one(const Result<db::Rows, Error>& rows) {
  if (!rows) return Failure{rows.error()};
  if (rows->affected == 1) return true;
  return refuse(Error::Code::not_found, "the migration is no longer on record: it was aborted");
}

}  // namespace

Done create(db::Connection& connection) {
  return send(
      connection,
      std::string(
          "CREATE TABLE IF NOT EXISTS tessera_migration (table_name VARCHAR(130) NOT NULL, "
          "column_name "
          "VARCHAR(64) NOT NULL, target VARCHAR(2000) NOT NULL, step VARCHAR(16) NOT NULL, "
          "last_key "
          "TEXT, "
          "tick BIGINT NOT NULL, tick_time_ms BIGINT NOT NULL, rows_done BIGINT NOT NULL, pass "
          "BIGINT "
          "NOT "
          "NULL, batch_rows BIGINT NOT NULL, paused SMALLINT NOT NULL, started_ms BIGINT NOT NULL, "
          "updated_ms BIGINT NOT NULL, PRIMARY KEY (table_name, column_name))") +
          (connection.engine() == db::Engine::mariadb
               ? " ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
               : ""));
}

Done insert(db::Connection& connection, const Entry& entry) {
  return changed_one(
      ask(connection,
          "INSERT INTO tessera_migration (table_name, column_name, target, step, last_key, tick, "
          "tick_time_ms, rows_done, pass, batch_rows, paused, started_ms, updated_ms) VALUES (?, "
          "?, ?, ?, NULL, 0, 0, 0, 1, ?, 0, ?, ?)",
          {entry.table, entry.column, entry.target, std::string(name_of(entry.step)),
           entry.batch_rows, entry.started_ms, entry.updated_ms}));
}

Result<std::optional<Entry>, Error> find(db::Connection& connection, std::string_view table,
                                         std::string_view column, Hold hold) {
  const bool locks = hold != Hold::no && connection.engine() != db::Engine::sqlite;
  auto found = read(connection,
                    std::string(kSelect) + " WHERE table_name = ? AND column_name = ?" +
                        (locks ? " FOR UPDATE" : ""),
                    {std::string(table), std::string(column)});
  if (!found) return Failure{found.error()};
  if (found->empty()) return std::optional<Entry>();
  return std::optional<Entry>(std::move(found->front()));
}

Result<std::vector<Entry>, Error> list(db::Connection& connection) {
  return read(connection,
              std::string(kSelect) + " WHERE column_name <> '' ORDER BY table_name, column_name",
              {});
}

Saving saving(const Entry& entry, std::string_view more_rows) {
  return {
      "UPDATE tessera_migration SET last_key = ?, tick = ?, tick_time_ms = ?, rows_done = ? + "s +
          std::string(more_rows) + ", pass = ?, batch_rows = ?, updated_ms = " +
          std::string(kLater) + " WHERE table_name = ? AND column_name = ?",
      {text_of_key(entry.last_key), static_cast<std::int64_t>(entry.ids.tick),
       static_cast<std::int64_t>(entry.ids.time_ms), entry.rows_done, entry.pass, entry.batch_rows,
       entry.updated_ms, entry.updated_ms, entry.table, entry.column}};
}

Done save_cursor(db::Connection& connection, const Entry& entry) {
  const Saving statement = saving(entry, "0");
  return changed_one(ask(connection, statement.sql, statement.values));
}

Done save_step(db::Connection& connection, const Entry& entry, StepName step, std::int64_t now_ms) {
  return changed_one(ask(connection,
                         "UPDATE tessera_migration SET step = ?, updated_ms = "s +
                             std::string(kLater) + " WHERE table_name = ? AND column_name = ?",
                         {std::string(name_of(step)), now_ms, now_ms, entry.table, entry.column}));
}

Done save_paused(db::Connection& connection, const Entry& entry, bool paused) {
  return changed_one(ask(
      connection,
      "UPDATE tessera_migration SET paused = ?, updated_ms = updated_ms + 1 WHERE table_name = ? "
      "AND column_name = ?",
      {std::int64_t{paused}, entry.table, entry.column}));
}

Done place_canary(db::Connection& connection, std::string_view table) {
  if (auto done = remove_canary(connection, table); !done) return done;
  return changed_one(
      ask(connection,
          "INSERT INTO tessera_migration (table_name, column_name, target, step, last_key, tick, "
          "tick_time_ms, rows_done, pass, batch_rows, paused, started_ms, updated_ms) VALUES (?, "
          "'', '', 'done', NULL, 0, 0, 0, 1, 0, 0, 0, 0)",
          {std::string(table)}));
}

Done touch_canary(db::Connection& connection, std::string_view table) {
  return changed_one(ask(connection,
                         "UPDATE tessera_migration SET updated_ms = updated_ms + 1 WHERE "
                         "table_name = ? AND column_name = ''",
                         {std::string(table)}));
}

Done remove_canary(db::Connection& connection, std::string_view table) {
  const auto gone =
      ask(connection, "DELETE FROM tessera_migration WHERE table_name = ? AND column_name = ''",
          {std::string(table)});
  if (!gone) return Failure{gone.error()};
  return true;
}

Done remove(db::Connection& connection, const Entry& entry) {
  if (auto done = remove_canary(connection, entry.table); !done) return done;
  return changed_one(ask(connection,
                         "DELETE FROM tessera_migration WHERE table_name = ? AND column_name = ?",
                         {entry.table, entry.column}));
}

}  // namespace tessera::migrate::journal
