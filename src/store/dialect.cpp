// Writes the statements.

#include "store/dialect.h"

#include "db/literals.h"

namespace tessera {
namespace {

using db::Engine;

// In PostgreSQL a parameter in a SELECT list needs a type; SQLite and MariaDB know no such cast.
std::string state_columns(Engine engine) {
  const char* updated_ms = "";
  switch (engine) {
    case Engine::sqlite:
      updated_ms = "coalesce(CAST(strftime('%s', updated_at) AS INTEGER) * 1000, 0)";
      break;
    case Engine::postgres: updated_ms = "(extract(epoch FROM updated_at) * 1000)::bigint"; break;
    case Engine::mariadb: updated_ms = "CAST(UNIX_TIMESTAMP(updated_at) AS SIGNED) * 1000"; break;
  }
  return std::string("scope, min_id, hard_max, step, ordering, js_safe, max_id, epoch, draws, ") +
         updated_ms;
}

}  // namespace

Dialect make_dialect(Engine engine, std::string_view table) {
  Dialect d;
  d.engine = engine;
  d.table = table;
  d.quote = engine == Engine::mariadb ? '`' : '"';
  switch (engine) {
    case Engine::sqlite:
      d.now = "CURRENT_TIMESTAMP";
      d.now_ms = "CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)";
      d.begin = "BEGIN IMMEDIATE";
      break;
    case Engine::postgres:
      d.now = "now()";
      d.now_ms = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
      d.begin = "BEGIN";
      break;
    case Engine::mariadb:
      d.now = "NOW()";
      d.now_ms = "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)";
      d.begin = "START TRANSACTION";
      break;
  }
  const std::string t = d.name();
  const std::string l = d.log_name();
  const std::string state = state_columns(engine);
  d.find = "SELECT " + state + " FROM " + t + " WHERE scope = ?";
  d.list = "SELECT " + state + " FROM " + t + " ORDER BY scope";
  d.create = "INSERT INTO " + t +
             " (scope, max_id, step, min_id, hard_max, ordering, js_safe, updated_at)"
             " VALUES (?, ?, ?, ?, ?, ?, ?, " +
             d.now + ")";
  d.set_step = "UPDATE " + t + " SET step = ?, updated_at = " + d.now + " WHERE scope = ?";
  d.advance = "UPDATE " + t + " SET max_id = ?, epoch = epoch + 1, updated_at = " + d.now +
              " WHERE scope = ? AND max_id <= ? AND hard_max >= ?";
  const std::string record =
      "SELECT scope, epoch, number, first_id, last_id, holder, request_key, drawn_ms FROM " + l;
  d.range_of = record + " WHERE scope = ? AND first_id <= ? ORDER BY first_id DESC LIMIT 1";
  d.ranges = record + " WHERE scope = ? ORDER BY number DESC LIMIT ?";

  const std::string c = d.cipher_name();
  d.fingerprint = "SELECT fingerprint FROM " + c + " WHERE scope = ?";
  d.keep_fingerprint =
      "INSERT INTO " + c + " (scope, fingerprint) SELECT scope, " +
      (engine == Engine::postgres ? "?::varchar" : "?") + " FROM " + t + " WHERE scope = ?" +
      (engine == Engine::mariadb ? " ON DUPLICATE KEY UPDATE scope = " + t + ".scope"
                                 : " ON CONFLICT DO NOTHING");

  d.lock = "SELECT max_id, hard_max, epoch, draws FROM " + t + " WHERE scope = ?" +
           (engine == Engine::sqlite ? "" : " FOR UPDATE");
  d.prior =
      "SELECT number, epoch, first_id, last_id FROM " + l + " WHERE scope = ? AND request_key = ?";
  d.update =
      "UPDATE " + t + " SET max_id = ?, draws = ?, updated_at = " + d.now + " WHERE scope = ?";
  d.log = "INSERT INTO " + l +
          " (scope, number, epoch, first_id, last_id, holder, request_key, drawn_ms)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, " +
          d.now_ms + ")";

  if (engine == Engine::mariadb) {
    // Another time than before, always: InnoDB does not write what stays as it is.
    d.confirm = "UPDATE " + t +
                " SET updated_at = IF(updated_at = NOW(), NOW() - INTERVAL 1 SECOND, NOW())"
                " WHERE scope = ?";
  }
  if (engine == Engine::sqlite) {
    d.draw = "UPDATE " + t + " SET max_id = max_id + ?, draws = draws + 1, updated_at = " + d.now +
             " WHERE scope = ? AND max_id <= hard_max - ? RETURNING draws, epoch, max_id";
  }
  if (engine == Engine::postgres) {
    // All parts see the same snapshot: of two callers with one new key, the second waits for the
    // row, then meets the unique key of the first, and nothing of its own is kept. It asks again.
    // A range that is found is locked, for the sake of the commit: a statement that writes nothing
    // would not wait for a synchronous standby, which may not have the range yet.
    d.draw =
        "WITH asked AS (SELECT ?::varchar AS scope, ?::varchar AS key, ?::bigint AS count,"
        " ?::varchar AS holder),"
        " prior AS (SELECT number, epoch, first_id, last_id FROM " +
        l +
        " WHERE scope = (SELECT scope FROM asked) AND request_key = (SELECT key FROM asked)"
        " FOR KEY SHARE),"
        " moved AS (UPDATE " +
        t +
        " SET max_id = max_id + (SELECT count FROM asked), draws = draws + 1, updated_at = now()"
        " WHERE scope = (SELECT scope FROM asked)"
        " AND max_id <= hard_max - (SELECT count FROM asked) AND NOT EXISTS (SELECT 1 FROM prior)"
        " RETURNING draws, epoch, max_id),"
        " logged AS (INSERT INTO " +
        l +
        " (scope, number, epoch, first_id, last_id, holder, request_key, drawn_ms)"
        " SELECT asked.scope, draws, epoch, max_id - asked.count + 1, max_id, asked.holder,"
        " asked.key, " +
        d.now_ms +
        " FROM moved, asked"
        " RETURNING number, epoch, first_id, last_id)"
        " SELECT number, epoch, first_id, last_id, 1 FROM prior"
        " UNION ALL SELECT number, epoch, first_id, last_id, 0 FROM logged";
  }
  return d;
}

std::string draw_packet(const Dialect& dialect, std::string_view scope, std::int64_t count,
                        std::string_view holder, std::string_view key) {
  const std::string t = dialect.name();
  const std::string l = dialect.log_name();
  const std::string n = std::to_string(count);
  // With its character set, or the column would be converted, and its index left aside.
  const std::string where = " WHERE scope = _utf8mb4 " + db::hex_literal(scope);
  const std::string same_key = where + " AND request_key = " + db::hex_literal(key);
  std::string out = "START TRANSACTION;";
  // The lock first: then nobody else can draw or write a key of this scope until we commit.
  out += "SELECT max_id, hard_max, epoch, draws FROM " + t + where + " FOR UPDATE;";
  if (!key.empty()) {
    out += "SELECT number, epoch, first_id, last_id FROM " + l + same_key + ";";
  }
  // The line of the log, then the mark, and the mark only if the line is there: the server goes on
  // when its client is gone, and ROW_COUNT() is not to be trusted then.
  const std::string fits = " AND max_id <= hard_max - " + n;
  out += "INSERT INTO " + l +
         " (scope, number, epoch, first_id, last_id, holder, request_key, drawn_ms)"
         " SELECT scope, draws + 1, epoch, max_id + 1, max_id + " +
         n + ", " + db::hex_literal(holder) + ", " + (key.empty() ? "NULL" : db::hex_literal(key)) +
         ", " + dialect.now_ms + " FROM " + t + where + fits;
  if (!key.empty()) out += " AND NOT EXISTS (SELECT 1 FROM " + l + same_key + ")";
  out += ";UPDATE " + t + " SET max_id = max_id + " + n +
         ", draws = draws + 1, updated_at = " + dialect.now + where + fits +
         " AND EXISTS (SELECT 1 FROM " + l + (key.empty() ? where : same_key) +
         " AND number = draws + 1 AND first_id - 1 = max_id);COMMIT";
  return out;
}

}  // namespace tessera
