// Reads and judges settings.

#include "store/settings.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "store/db_errors.h"
#include "store/registry_schema.h"
#include "store/requests.h"
#include "tessera/parse_error.h"

namespace tessera {
namespace {

using db::Connection;
using db::Engine;
using Settings = std::vector<StoreSetting>;

std::optional<Error> run(Connection& connection, std::string_view sql) {
  const auto done = connection.batch(sql);
  if (done) return std::nullopt;
  return error_of(done.error(), connection.engine(), At::reading);
}

Result<std::map<std::string, std::string>, Error> pairs(Connection& connection,
                                                        std::string_view sql) {
  const auto answers = connection.batch(sql);
  if (!answers) return Failure{error_of(answers.error(), connection.engine(), At::reading)};
  std::map<std::string, std::string> out;
  for (const auto& rows : *answers) {
    for (const auto& row : rows.rows) out[text_of(row[0])] = text_of(row[1]);
  }
  return out;
}

std::string at_or(const std::map<std::string, std::string>& values, const std::string& name,
                  const std::string& other) {
  const auto found = values.find(name);
  return found == values.end() ? other : found->second;
}

void add(Settings& settings, std::string name, std::string value, std::string required) {
  const bool safe = value == required;
  settings.push_back({std::move(name), std::move(value), std::move(required), safe});
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

Result<Settings, Error> read_sqlite(Connection& connection, const db::Url& url) {
  const auto journal = connection.query("PRAGMA journal_mode");
  const auto synchronous = connection.query("PRAGMA synchronous");
  for (const auto* answer : {&journal, &synchronous}) {
    if (!*answer) return Failure{error_of(answer->error(), Engine::sqlite, At::reading)};
  }
  Settings settings;
  const std::string version = connection.server_version();
  int minor = 0;
  if (version.starts_with("3.")) {
    std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  }
  constexpr int kStrictTables = 37;
  settings.push_back({"version", version, "3.37 or newer", minor >= kStrictTables});
  const std::string mode = text_of(journal->rows.at(0).at(0));
  const auto level = number_of(synchronous->rows.at(0).at(0));
  constexpr std::array<const char*, 4> kLevels = {"off", "normal", "full", "extra"};
  const bool rollback = mode == "delete";
  settings.push_back({"journal_mode", mode, "wal or delete", mode == "wal" || rollback});
  settings.push_back({"synchronous",
                      kLevels.at(static_cast<std::size_t>(std::clamp<std::int64_t>(level, 0, 3))),
                      rollback ? "extra" : "full or extra", level >= (rollback ? 3 : 2)});

  struct statfs about {};
  if (statfs(url.path.c_str(), &about) == 0) {
    const FileSystem system = file_system_of(about.f_type);
    settings.push_back({"file_system", system.name, "a local one", system.safe});
  }
  return settings;
}

std::string like(const std::string& name) {
  std::string out;
  for (const char c : name) out += c == '_' ? "\\_" : std::string(1, c);
  return out;
}

// A condition for the names of the tables of a registry.
std::string is_registry(const std::string& name, const std::string& table) {
  if (fault_of_registry_table(table)) return "1 = 0";  // there is none of such a name
  return "(" + name + " IN ('" + table + "_types', '" + table + "_keys', '" + table +
         "_work') OR " + name + " LIKE '" + like(table) + "\\_of\\_%' OR " + name + " LIKE '" +
         like(table) + "\\_gone\\_%')";
}

Result<Settings, Error> read_postgres(Connection& connection, const Dialect& dialect,
                                      const std::string& registry_table) {
  const auto values = pairs(
      connection,
      "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes',"
      " 'synchronous_commit', 'data_sync_retry', 'synchronous_standby_names');"
      "SELECT 'in_recovery', CASE WHEN pg_is_in_recovery() THEN 'on' ELSE 'off' END;"
      "SELECT 'unlogged ' || relname, CASE relpersistence WHEN 'p' THEN 'off' ELSE 'on' END"
      " FROM pg_class WHERE oid IN (to_regclass('" +
          dialect.name() + "'), to_regclass('" + dialect.log_name() + "'), to_regclass('" +
          dialect.cipher_name() + "'), to_regclass('" + dialect.lease_name() + "'), to_regclass('" +
          dialect.lease_scope_name() + "')) OR (relkind = 'r' AND pg_table_is_visible(oid) AND " +
          is_registry("relname", registry_table) + ")");
  if (!values) return Failure{values.error()};
  Settings settings;
  add(settings, "fsync", at_or(*values, "fsync", "?"), "on");
  add(settings, "full_page_writes", at_or(*values, "full_page_writes", "?"), "on");
  add(settings, "data_sync_retry", at_or(*values, "data_sync_retry", "off"), "off");
  add(settings, "in_recovery", at_or(*values, "in_recovery", "?"), "off");
  const std::string commit = at_or(*values, "synchronous_commit", "?");
  settings.push_back({"synchronous_commit", commit, "on or remote_apply",
                      commit == "on" || commit == "remote_apply"});
  for (const auto& [name, value] : *values) {
    if (name.starts_with("unlogged ")) add(settings, name, value, "off");
  }
  // What survives a fail-over is for the operator to decide; here it is only told.
  const std::string standbys = at_or(*values, "synchronous_standby_names", "");
  settings.push_back({"synchronous_standby_names", standbys, "any; a name, for fail-over", true});
  return settings;
}

Result<Settings, Error> read_mariadb(Connection& connection, const Dialect& dialect,
                                     const std::string& registry_table) {
  const auto values = pairs(
      connection,
      "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit',"
      " 'innodb_doublewrite', 'log_bin', 'sync_binlog', 'binlog_format', 'read_only');"
      "SHOW SESSION VARIABLES WHERE Variable_name = 'sql_mode';"
      // Not every version has a variable for it; a clock that stands still is seen.
      "SELECT 'sysdate_is_now', IF(SLEEP(0.002) = 0 AND SYSDATE(6) > NOW(6), 'OFF', 'ON');"
      "SELECT CONCAT('engine ', table_name), COALESCE(engine, '') FROM information_schema.tables"
      " WHERE table_schema = DATABASE() AND (table_name IN ('" +
          dialect.table + "', '" + dialect.table + "_log', '" + dialect.table + "_cipher', '" +
          dialect.table + "_lease', '" + dialect.table + "_lease_scope') OR " +
          is_registry("table_name", registry_table) + ")");
  if (!values) return Failure{values.error()};
  Settings settings;
  add(settings, "innodb_flush_log_at_trx_commit",
      at_or(*values, "innodb_flush_log_at_trx_commit", "?"), "1");
  // MySQL has further words for it, all of which but OFF and DETECT_ONLY write twice.
  const std::string twice = upper(at_or(*values, "innodb_doublewrite", "?"));
  settings.push_back({"innodb_doublewrite", twice, "ON",
                      twice == "ON" || twice == "1" || twice == "DETECT_AND_RECOVER"});
  const bool binlog = upper(at_or(*values, "log_bin", "OFF")) == "ON";
  settings.push_back({"log_bin", binlog ? "ON" : "OFF", "any", true});
  if (binlog) {
    add(settings, "sync_binlog", at_or(*values, "sync_binlog", "?"), "1");
    // InnoDB refuses to write at READ COMMITTED with the third format.
    const std::string format = upper(at_or(*values, "binlog_format", "ROW"));
    settings.push_back({"binlog_format", format, "ROW or MIXED", format != "STATEMENT"});
  }
  const std::string mode = at_or(*values, "sql_mode", "");
  settings.push_back(
      {"sql_mode", mode, "STRICT_ALL_TABLES", mode.find("STRICT_ALL_TABLES") != std::string::npos});
  // The registry reads the clock behind its gate; NOW() is of before.
  add(settings, "sysdate_is_now", at_or(*values, "sysdate_is_now", "?"), "OFF");
  for (const auto& [name, value] : *values) {
    if (name.starts_with("engine ")) add(settings, name, value, "InnoDB");
  }
  return settings;
}

}  // namespace

FileSystem file_system_of(long type) {
  struct Row {
    unsigned long type;
    const char* name;
    bool safe;
  };
  // Locks and syncs of those that are not safe may hold on one machine only, or not at all.
  constexpr std::array<Row, 24> kRows = {{
      {0xEF53, "ext4", true},       {0x58465342, "xfs", true},     {0x9123683E, "btrfs", true},
      {0x2FC12FC1, "zfs", true},    {0xF2F52010, "f2fs", true},    {0x794C7630, "overlayfs", true},
      {0x01021994, "tmpfs", true},  {0x858458F6, "ramfs", true},   {0xCA451A4E, "bcachefs", true},
      {0x6969, "nfs", false},       {0x517B, "smb", false},        {0xFE534D42, "smb2", false},
      {0xFF534D42, "cifs", false},  {0x01021997, "9p", false},     {0x65735546, "fuse", false},
      {0x00C36400, "ceph", false},  {0x5346414F, "afs", false},    {0x73757245, "coda", false},
      {0x7461636F, "ocfs2", false}, {0x01161970, "gfs2", false},   {0x0BD00BD0, "lustre", false},
      {0x47504653, "gpfs", false},  {0x786F4256, "vboxsf", false}, {0xBACBACBC, "vmhgfs", false},
  }};
  const auto wanted = static_cast<unsigned long>(type) & 0xFFFFFFFFUL;
  for (const auto& row : kRows) {
    if (row.type == wanted) return {row.name, row.safe};
  }
  return {"unknown " + std::to_string(wanted), true};
}

std::optional<Error> prepare_session(Connection& connection) {
  switch (connection.engine()) {
    case Engine::sqlite: return std::nullopt;  // opening has done it
    case Engine::postgres:
      return run(
          connection,
          "SELECT set_config('synchronous_commit',"
          " CASE current_setting('synchronous_commit') WHEN 'remote_apply'"
          " THEN 'remote_apply' ELSE 'on' END, false);"
          "SET default_transaction_isolation = 'read committed';"
          "SET default_transaction_read_only = off; SET default_transaction_deferrable = off;"
          "SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '30s';"
          // Our statements go by key: planning them anew for each value is half of their time.
          "SET plan_cache_mode = force_generic_plan");
    case Engine::mariadb: break;
  }
  return run(connection,
             "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,"
             "NO_ENGINE_SUBSTITUTION', time_zone = '+00:00', autocommit = 1,"
             " innodb_lock_wait_timeout = 10;"
             "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
}

Result<std::vector<StoreSetting>, Error> read_settings(Connection& connection, const db::Url& url,
                                                       const Dialect& dialect,
                                                       const std::string& registry_table) {
  switch (connection.engine()) {
    case Engine::sqlite: return read_sqlite(connection, url);
    case Engine::postgres: return read_postgres(connection, dialect, registry_table);
    case Engine::mariadb: break;
  }
  return read_mariadb(connection, dialect, registry_table);
}

std::optional<Error> fault_of(const std::vector<StoreSetting>& settings) {
  std::string wrong;
  std::string wanted;
  for (const auto& setting : settings) {
    if (setting.safe) continue;
    wrong += (wrong.empty() ? "" : ", ") + setting.name + " is " + quoted(setting.value);
    wanted += (wanted.empty() ? "" : "; ") + setting.name + ": " + setting.required;
  }
  if (wrong.empty()) return std::nullopt;
  return Error{Error::Code::store_unsafe, "this store may forget what it has confirmed: " + wrong,
               "Numbers would be given out twice. Set " + wanted + "."};
}

}  // namespace tessera
