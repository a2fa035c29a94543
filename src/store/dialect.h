#pragma once

// The statements of one engine, for one table.

#include <string>
#include <string_view>

#include "tessera/db/connection.h"

namespace tessera {

struct Dialect {
  db::Engine engine = db::Engine::sqlite;
  std::string table;  // without quotes
  char quote = '"';

  std::string find;              // scope -> state
  std::string list;              // -> states
  std::string create;            // scope, max_id, step, min_id, hard_max, ordering, js_safe
  std::string set_step;          // step, scope
  std::string advance;           // max_id, scope, max_id, max_id
  std::string range_of;          // scope, number -> the record at or below it
  std::string ranges;            // scope, count -> records
  std::string fingerprint;       // scope -> fingerprint
  std::string keep_fingerprint;  // fingerprint, scope: if the scope is there, and has none yet

  // One draw in parts, under the lock of its row: see SqlStore.
  std::string begin;
  std::string lock;    // scope -> max_id, hard_max, epoch, draws
  std::string prior;   // scope, key -> number, epoch, first_id, last_id
  std::string update;  // max_id, draws, scope
  std::string log;     // scope, number, epoch, first_id, last_id, holder, key

  // scope: a write that changes nothing of weight, for the sake of its commit. InnoDB shows what
  // was committed before its log is on disk, and a commit without a write does not wait for it:
  // what was only read may be gone after a crash. Empty where reading is enough.
  std::string confirm;

  // One draw at once. PostgreSQL: scope, key, count, holder -> number, epoch, first_id, last_id,
  // repeated. SQLite: count, scope, count -> draws, epoch, max_id, to be logged by the same commit.
  std::string draw;

  // Milliseconds by the clock of the store; the time as updated_at wants it.
  std::string now_ms;
  std::string now;

  std::string name() const { return quote + table + quote; }
  std::string log_name() const { return quote + table + "_log" + quote; }
  std::string cipher_name() const { return quote + table + "_cipher" + quote; }
  std::string lease_name() const { return quote + table + "_lease" + quote; }
  std::string lease_scope_name() const { return quote + table + "_lease_scope" + quote; }
  std::string schema_name() const { return quote + table + "_schema" + quote; }
};

Dialect make_dialect(db::Engine engine, std::string_view table);

// A draw for MariaDB and MySQL, which have no UPDATE ... RETURNING: all statements of the
// transaction in one packet. Text is written in hexadecimal, so that nothing in it can be SQL.
// The answers are those of BEGIN, lock, prior (only with a key), update, log, COMMIT.
std::string draw_packet(const Dialect& dialect, std::string_view scope, std::int64_t count,
                        std::string_view holder, std::string_view key);

}  // namespace tessera
