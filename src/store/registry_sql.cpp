// Writes the statements of the registry.
//
// A creation passes a gate, which it holds until it is committed, and reads the clock behind it. A
// barrier takes the gate for itself: when it has it, no creation is under way, and every later one
// reads a later clock. The gate is an advisory lock in PostgreSQL, the row of the type in MariaDB,
// and the file's only writer in SQLite.

#include "store/registry_sql.h"
#include "tessera/parse_error.h"

#include <array>

namespace tessera {
namespace {

using db::Engine;
using Storage = RegistryType::Storage;

std::string alias_of(std::size_t level) { return "p" + std::to_string(level); }

// The number of the gate of a type: FNV-1a, which is the same in every process.
std::string gate_number(const RegistryNames& names, const RegisteredType& type) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
  for (const char c : names.of(type)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
  }
  return std::to_string(static_cast<std::int64_t>(hash >> 1));
}

struct Writer {
  const RegistryNames& names;
  const RegisteredType& type;

  bool postgres() const noexcept { return names.engine == Engine::postgres; }

  // In PostgreSQL a parameter in a SELECT list needs a type; the others know no such cast.
  std::string parameter(std::string_view cast) const {
    return postgres() ? "?::" + std::string(cast) : "?";
  }
  std::string form() const {
    switch (type.declared.storage) {
      case Storage::text: return parameter("varchar");
      case Storage::bytes: return parameter("bytea");
      case Storage::integer: break;
    }
    return parameter("bigint");
  }
  // "JOIN p1 ... JOIN p2 ...", from `below` up. The first one hangs on a condition of its own.
  std::string joins(std::string_view how, std::string below, const RegisteredType* from,
                    std::size_t level) const {
    std::string out;
    for (const auto* at = from; at != nullptr; at = at->parent, ++level) {
      out += std::string(how) + names.of(*at) + " " + alias_of(level) + " ON " + alias_of(level) +
             ".id = " + below + ".parent_id";
      below = alias_of(level);
    }
    return out;
  }
  std::size_t depth() const { return type.depth(); }

  // The conditions of a chain of ancestors, all live, and the lock on them.
  std::string chain_from() const {
    return names.of(*type.parent) + " p1" + joins(" JOIN ", "p1", type.parent->parent, 2);
  }
  std::string chain_where() const {
    std::string out = "p1.tenant_id = ? AND p1.public_id = ? AND p1.state = 0";
    for (std::size_t level = 2; level <= depth(); ++level) {
      out += " AND " + alias_of(level) + ".public_id = ? AND " + alias_of(level) + ".state = 0";
    }
    return out;
  }
  std::string chain_lock() const {
    if (names.engine == Engine::sqlite) return "";
    if (!postgres()) return " LOCK IN SHARE MODE";
    std::string out = " FOR SHARE OF p1";
    for (std::size_t level = 2; level <= depth(); ++level) out += ", " + alias_of(level);
    return out;
  }
  std::string found_columns() const {
    std::string out = "t.state, t.created_ms, t.deleted_ms";
    for (std::size_t level = 1; level <= depth(); ++level) {
      const std::string p = alias_of(level);
      out += ", " + p + ".public_id, " + p + ".state, " + p + ".deleted_ms";
    }
    return out;
  }

  // PostgreSQL: the parts of a creation that come first, with the lock on the chain.
  std::string with_gate() const {
    return "WITH gate AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(" +
           gate_number(names, type) + ")), clock AS MATERIALIZED (SELECT " + names.now_ms() +
           " AS ms FROM gate)";
  }
  std::string with_parent() const {
    if (depth() == 0) return "";
    return ", parent AS MATERIALIZED (SELECT p1.id FROM " + chain_from() + " WHERE " +
           chain_where() + chain_lock() + ")";
  }
  // The lists of a batch, as a table.
  std::string entries() const {
    const Storage storage = type.declared.storage;
    const char* form = storage == Storage::text    ? "varchar"
                       : storage == Storage::bytes ? "bytea"
                                                   : "bigint";
    return "unnest(?::bigint[], ?::" + std::string(form) + "[]) AS e (id, public_id)";
  }
  std::string not_gone(bool many) const {
    if (!type.is_exact()) return "";
    return " AND NOT EXISTS (SELECT 1 FROM " + names.gone(type) +
           (many ? " WHERE tombstone = ANY (?::bytea[]))" : " WHERE tombstone = ?)");
  }

  std::string create() const;
  std::string create_many() const;
  std::string create_keyed(bool many) const;
  std::string create_many_of_pairs() const;
  std::string take_key() const;
  std::string insert_taken() const;
  std::string find(bool at_key) const;
  std::string list(bool deleted, bool of_parent, bool after) const;
  RegistrySql::Lists lists(bool deleted) const;
};

constexpr const char* kColumns = " (id, tenant_id, public_id, created_ms, parent_id) ";

std::string Writer::create() const {
  std::string with;
  std::string from;
  std::string now = "clock.ms";
  std::string gate_where;
  switch (names.engine) {
    case Engine::sqlite: from = "(SELECT " + names.now_ms() + " AS ms) clock"; break;
    case Engine::postgres:
      with = with_gate() + " ";
      from = "clock";
      break;
    case Engine::mariadb:
      from = names.types() + " gate";
      now = names.now_ms();
      gate_where = " AND gate.name = '" + type.id.prefix + "'";
      break;
  }
  std::string sql = with + "INSERT INTO " + names.of(type) + kColumns + "SELECT " +
                    parameter("bigint") + ", " + parameter("varchar") + ", " + form() + ", " + now +
                    ", " + (depth() > 0 ? "p1.id" : "NULL");
  if (postgres() && depth() == 0) sql += "::bigint";
  sql += " FROM " + from;
  if (depth() > 0) sql += ", " + chain_from();
  sql += " WHERE " + now + " BETWEEN " + parameter("bigint") + " AND " + parameter("bigint") +
         gate_where;
  if (depth() > 0) sql += " AND " + chain_where();
  sql += not_gone(false);
  if (names.engine == Engine::mariadb) return sql + " LOCK IN SHARE MODE";
  return depth() > 0 ? sql + chain_lock() : sql;
}

// PostgreSQL: all or none, since no condition is about a single entry.
std::string Writer::create_many() const {
  const bool child = depth() > 0;
  return with_gate() + with_parent() + " INSERT INTO " + names.of(type) + kColumns +
         "SELECT e.id, ?::varchar, e.public_id, clock.ms, " +
         (child ? "parent.id FROM clock, parent, " : "NULL::bigint FROM clock, ") + entries() +
         " WHERE clock.ms BETWEEN ?::bigint AND ?::bigint" + not_gone(true);
}

// PostgreSQL: all parts see the same snapshot. A twin that is under way is met at the key: we wait
// for it, change nothing, and say nothing; the steps then find its answer. An answer that is found
// is locked: a statement that writes nothing would not wait for a synchronous standby, which may
// not have it yet.
std::string Writer::create_keyed(bool many) const {
  const std::string prefix = "'" + type.id.prefix + "'";
  const std::string key_time = std::to_string(type.declared.key_time.count());
  const bool child = depth() > 0;
  std::string sql = with_gate() + ", prior AS MATERIALIZED (SELECT digest, answer FROM " +
                    names.keys() + " AS known, clock WHERE tenant_id = ? AND type = " + prefix +
                    " AND request_key = ? AND expires_ms > clock.ms FOR KEY SHARE OF known)" +
                    with_parent();
  sql += ", taken AS (INSERT INTO " + names.keys() +
         " AS k (tenant_id, type, request_key, digest, answer, expires_ms) SELECT ?::varchar, " +
         prefix + ", ?::varchar, ?::bytea, ?::bytea, clock.ms + " + key_time + " FROM clock" +
         (child ? ", parent" : "") +
         " WHERE NOT EXISTS (SELECT 1 FROM prior) AND clock.ms BETWEEN ?::bigint AND ?::bigint";
  sql += not_gone(many);
  sql += " ON CONFLICT (tenant_id, type, request_key) DO UPDATE SET digest = excluded.digest," +
         std::string(" answer = excluded.answer, expires_ms = excluded.expires_ms") +
         " WHERE k.expires_ms <= excluded.expires_ms - " + key_time + " RETURNING 1)";
  sql +=
      ", made AS (INSERT INTO " + names.of(type) + kColumns +
      (many ? "SELECT e.id, ?::varchar, e.public_id" : "SELECT ?::bigint, ?::varchar, " + form()) +
      ", clock.ms, " +
      (child ? "parent.id FROM clock, taken, parent" : "NULL::bigint FROM clock, taken") +
      (many ? ", " + entries() : "") + " RETURNING 1)";
  return sql + " SELECT 1, NULL::bytea, NULL::bytea FROM made" +
         (many ? " HAVING count(*) > 0" : "") + " UNION ALL SELECT 0, digest, answer FROM prior";
}

// MariaDB: the gate is passed once, and so the moment is one for all; LIMIT keeps it so.
std::string Writer::create_many_of_pairs() const {
  const bool child = depth() > 0;
  std::string form = "VARCHAR(64) CHARACTER SET utf8mb4";
  if (type.declared.storage == Storage::integer) form = "BIGINT";
  const bool bytes = type.declared.storage == Storage::bytes;
  return "INSERT INTO " + names.of(type) + kColumns + "SELECT e.id, ?, " +
         (bytes ? "UNHEX(e.public_id)" : "e.public_id") + ", clock.ms, " +
         (child ? "p1.id" : "NULL") + " FROM (SELECT " + names.now_ms() + " AS ms FROM " +
         names.types() + " WHERE name = '" + type.id.prefix +
         "' LIMIT 1 LOCK IN SHARE MODE) clock, " + (child ? chain_from() + ", " : "") +
         "JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$[0]', public_id " + form +
         " PATH '$[1]')) e WHERE clock.ms BETWEEN ? AND ?" +
         (child ? " AND " + chain_where() : "") + " LOCK IN SHARE MODE";
}

// MariaDB: takes a key that is free or out of date, if all conditions of the creation hold.
std::string Writer::take_key() const {
  const std::string key_time = std::to_string(type.declared.key_time.count());
  const std::string now = names.now_ms();
  const std::string keys = names.keys();
  const auto kept = [&](const std::string& column) {
    return column + " = IF(" + keys + ".expires_ms <= VALUES(expires_ms) - " + key_time +
           ", VALUES(" + column + "), " + keys + "." + column + ")";
  };
  return "INSERT INTO " + keys +
         " (tenant_id, type, request_key, digest, answer, expires_ms) SELECT ?, '" +
         type.id.prefix + "', ?, ?, ?, " + now + " + " + key_time + " FROM " + names.types() +
         " gate" + (depth() > 0 ? ", " + chain_from() : "") + " WHERE " + now +
         " BETWEEN ? AND ? AND gate.name = '" + type.id.prefix + "'" +
         (depth() > 0 ? " AND " + chain_where() : "") + not_gone(false) +
         " LOCK IN SHARE MODE ON DUPLICATE KEY UPDATE " + kept("digest") + ", " + kept("answer") +
         ", " + kept("expires_ms");
}

// The row, if the key is ours: with the clock that was read when it was taken.
std::string Writer::insert_taken() const {
  return "INSERT INTO " + names.of(type) + kColumns + "SELECT ?, k.tenant_id, ?, k.expires_ms - " +
         std::to_string(type.declared.key_time.count()) + (depth() > 0 ? ", p1.id" : ", NULL") +
         " FROM " + names.keys() + " k" + (depth() > 0 ? ", " + chain_from() : "") + " WHERE " +
         (depth() > 0 ? chain_where() + " AND " : "") + "k.tenant_id = ? AND k.type = '" +
         type.id.prefix + "' AND k.request_key = ? AND k.answer = ?";
}

// The columns are those of read_found(). With the key known it is not asked for; and the ID is
// compared first, because SQLite then has room enough for the tenant too.
std::string Writer::find(bool at_key) const {
  std::string sql = "SELECT " + found_columns() + (at_key ? "" : ", t.id") + " FROM " +
                    names.of(type) + " t" +
                    (at_key && names.engine == Engine::mariadb ? " FORCE INDEX (PRIMARY)" : "") +
                    joins(" LEFT JOIN ", "t", type.parent, 1) + " WHERE " +
                    (at_key ? "t.id = ? AND " : "") + "t.public_id = ? AND t.tenant_id = ?";
  if (!type.is_exact()) return sql;
  sql += " UNION ALL SELECT 3, NULL, NULL";
  for (std::size_t level = 1; level <= depth(); ++level) sql += ", NULL, NULL, NULL";
  return sql + (at_key ? "" : ", NULL") + " FROM " + names.gone(type) + " WHERE tombstone = ?";
}

// What is below one that has ended is deleted with it, swept or not.
std::string Writer::list(bool deleted, bool of_parent, bool after) const {
  std::string sql = "SELECT " + found_columns() + ", t.id, t.public_id FROM " + names.of(type) +
                    " t" + joins(deleted ? " LEFT JOIN " : " JOIN ", "t", type.parent, 1);
  sql += of_parent ? " WHERE t.parent_id = ?" : " WHERE t.tenant_id = ?";
  if (after) sql += " AND t.public_id > ?";
  sql += deleted ? " AND (t.state <> 0" : " AND t.state = 0";
  for (std::size_t level = 1; level <= depth(); ++level) {
    const std::string state = alias_of(level) + ".state";
    sql += deleted ? " OR " + state + " IS NULL OR " + state + " <> 0" : " AND " + state + " = 0";
  }
  return sql + (deleted ? ")" : "") + " ORDER BY t.public_id LIMIT ?";
}

RegistrySql::Lists Writer::lists(bool deleted) const {
  return {list(deleted, false, false), list(deleted, false, true), list(deleted, true, false),
          list(deleted, true, true)};
}

}  // namespace

std::string RegistryNames::quoted(std::string_view suffix) const {
  const char mark = engine == Engine::mariadb ? '`' : '"';
  return mark + table + std::string(suffix) + mark;
}

std::string RegistryNames::now_ms() const {
  switch (engine) {
    case Engine::sqlite: return "CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)";
    case Engine::postgres: return "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    case Engine::mariadb: break;
  }
  return "CAST(UNIX_TIMESTAMP(SYSDATE(3)) * 1000 AS SIGNED)";  // NOW() would be older than the gate
}

std::string RegistryNames::start_ms() const {
  switch (engine) {
    case Engine::sqlite: return now_ms();
    case Engine::postgres: return "(extract(epoch FROM now()) * 1000)::bigint";
    case Engine::mariadb: break;
  }
  return "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)";
}

std::string RegistrySql::insert_of(std::size_t count) const {
  std::string sql = insert_head + "(?, ?, ?, ?, ?)";
  for (std::size_t i = 1; i < count; ++i) sql += ", (?, ?, ?, ?, ?)";
  return sql;
}

RegistrySql make_registry_sql(const RegistryNames& names, const RegisteredType& type) {
  const Writer write{names, type};
  const std::string t = names.of(type);
  const std::string types = names.types();
  const std::string now = names.now_ms();
  const std::string prefix = "'" + type.id.prefix + "'";
  const std::string mine = " WHERE tenant_id = ? AND public_id = ?";
  const std::string bigint = write.parameter("bigint");
  const std::string key = " WHERE tenant_id = ? AND type = " + prefix + " AND request_key = ?";
  const std::string work = " WHERE type = " + prefix + " AND id = ?";

  RegistrySql sql;
  sql.create = write.create();
  if (names.engine == Engine::postgres) {
    sql.create_many = write.create_many();
    sql.create_keyed = write.create_keyed(false);
    sql.create_many_keyed = write.create_keyed(true);
  }
  if (names.engine == Engine::mariadb) {
    sql.create_many = write.create_many_of_pairs();
    sql.take_key = write.take_key();
    sql.insert_taken = write.insert_taken();
  }
  switch (names.engine) {
    case Engine::sqlite:
      sql.gate = "SELECT " + now;
      sql.barrier = "SELECT " + now + ", epoch FROM " + types + " WHERE name = " + prefix;
      break;
    case Engine::postgres: {
      const std::string number = gate_number(names, type);
      sql.gate = "WITH gate AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(" + number +
                 ")) SELECT " + now + " FROM gate";
      sql.barrier = "WITH gate AS MATERIALIZED (SELECT pg_advisory_xact_lock(" + number +
                    ")) SELECT " + now + ", epoch FROM gate, " + types + " WHERE name = " + prefix;
      break;
    }
    case Engine::mariadb: {
      const std::string from = " FROM " + types + " WHERE name = " + prefix;
      sql.gate = "SELECT " + now + from + " LOCK IN SHARE MODE";
      sql.barrier = "SELECT " + now + ", epoch" + from + " FOR UPDATE";
      break;
    }
  }
  if (type.parent != nullptr) {
    sql.chain = "SELECT p1.id FROM " + write.chain_from() + " WHERE " + write.chain_where() +
                write.chain_lock();
  }
  sql.find_key = "SELECT digest, answer, expires_ms FROM " + names.keys() + key +
                 (names.engine == Engine::postgres ? " FOR KEY SHARE" : "");
  if (names.engine == Engine::postgres) {
    sql.confirm = "SELECT 1 FROM " + t + mine + " FOR KEY SHARE";
  }
  if (names.engine == Engine::mariadb) {
    sql.confirm_key = "UPDATE " + names.keys() + " SET expires_ms = expires_ms + 1" + key;
    // A key of nobody: every tenant has a name.
    sql.confirm_by = "INSERT INTO " + names.keys() +
                     " (tenant_id, type, request_key, digest, answer, expires_ms) VALUES ('', " +
                     prefix + ", ?, '', '', 0)";
    sql.confirm_end = "DELETE FROM " + names.keys() + " WHERE tenant_id = '' AND type = " + prefix +
                      " AND request_key = ?";
  }
  sql.drop_key = "DELETE FROM " + names.keys() + key;
  sql.insert_key = "INSERT INTO " + names.keys() +
                   " (tenant_id, type, request_key, digest, answer, expires_ms) VALUES (?, " +
                   prefix + ", ?, ?, ?, ?)" +
                   (names.engine == Engine::mariadb ? " ON DUPLICATE KEY UPDATE digest = digest"
                                                    : " ON CONFLICT DO NOTHING");
  sql.was_erased = "SELECT 1 FROM " + names.gone(type) + " WHERE tombstone = ?";
  sql.insert_head = "INSERT INTO " + t + kColumns + "VALUES ";

  sql.find = write.find(false);
  sql.find_at = write.find(true);
  sql.retire = "UPDATE " + t + " SET state = ?, deleted_ms = " + now + mine + " AND state = 0";
  sql.retire_work = "INSERT INTO " + names.work() + " (type, id, due_ms) SELECT " + prefix +
                    ", id, deleted_ms + " + bigint + " FROM " + t + mine;
  sql.undelete = "UPDATE " + t + " SET state = 0, deleted_ms = NULL" + mine +
                 " AND state = 1 AND deleted_ms + " + bigint + " >= " + now;
  sql.forget_work = "DELETE FROM " + names.work() + " WHERE type = " + prefix +
                    " AND id = (SELECT id FROM " + t + mine + ")";

  sql.end_grace = "UPDATE " + t + " SET state = 2 WHERE id = ? AND state = 1";
  sql.state = "SELECT state, deleted_ms, tenant_id, public_id FROM " + t + " WHERE id = ?";
  sql.children = "SELECT id, tenant_id, public_id FROM " + t +
                 " WHERE parent_id = ? AND state = 0 ORDER BY public_id LIMIT ?";
  sql.end_child = "UPDATE " + t + " SET state = 2, deleted_ms = ? WHERE id = ? AND state = 0";
  sql.add_work =
      "INSERT INTO " + names.work() + " (type, id, due_ms) VALUES (" + prefix + ", ?, ?)";
  sql.defer_work = "UPDATE " + names.work() + " SET due_ms = ?" + work;
  sql.drop_work = "DELETE FROM " + names.work() + work;
  sql.erase = "DELETE FROM " + t + " WHERE id = ?";
  sql.bury = "INSERT INTO " + names.gone(type) + " (tombstone) VALUES (?)";

  sql.live = write.lists(false);
  sql.deleted = write.lists(true);
  sql.issued = "SELECT created_ms, id, tenant_id, public_id FROM " + t +
               " WHERE created_ms >= ? AND (created_ms > ? OR id > ?)"
               " ORDER BY created_ms, id LIMIT ?";
  sql.erased = "SELECT tombstone FROM " + names.gone(type) +
               " WHERE tombstone > ? ORDER BY tombstone LIMIT ?";
  sql.stats = "SELECT state, COUNT(*) FROM " + t +
              " GROUP BY state UNION ALL SELECT 10, COUNT(*) FROM " + names.gone(type) +
              " UNION ALL SELECT 11, COUNT(*) FROM " + names.keys() + " WHERE type = " + prefix +
              " UNION ALL SELECT 12, COUNT(*) FROM " + names.work() + " WHERE type = " + prefix;
  sql.rows = "SELECT id, tenant_id, public_id, state, created_ms, deleted_ms, parent_id FROM " + t +
             " WHERE id >= ? ORDER BY id LIMIT ?";
  sql.new_epoch = "UPDATE " + types + " SET epoch = epoch + 1 WHERE name = " + prefix;
  return sql;
}

RegistryWorkSql make_registry_work_sql(const RegistryNames& names, const RegistryTypes& types) {
  const std::string now = names.start_ms();
  std::string ours;
  for (const auto& type : types.all()) {
    ours += (ours.empty() ? "'" : ", '") + type->id.prefix + "'";
  }
  if (ours.empty()) ours = "''";
  const std::string due =
      " FROM " + names.work() + " WHERE due_ms <= " + now + " AND type IN (" + ours + ")";
  RegistryWorkSql sql;
  sql.due = "SELECT type, id, " + now + due + " ORDER BY due_ms LIMIT 1" +
            (names.engine == Engine::sqlite ? "" : " FOR UPDATE");
  sql.any_due = "SELECT 1" + due + " LIMIT 1";
  sql.stale_keys = "SELECT tenant_id, type, request_key FROM " + names.keys() +
                   " WHERE expires_ms <= " + now + " ORDER BY expires_ms LIMIT ?";
  sql.drop_stale = "DELETE FROM " + names.keys() +
                   " WHERE tenant_id = ? AND type = ? AND request_key = ? AND expires_ms <= " + now;
  return sql;
}

}  // namespace tessera
