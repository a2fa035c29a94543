#pragma once

// The statements of the registry, for one type in one engine.

#include <string>
#include <string_view>

#include "tessera/db/connection.h"
#include "tessera/registry/type.h"

namespace tessera {

// The tables of a registry, by the beginning of their names.
struct RegistryNames {
  db::Engine engine = db::Engine::sqlite;
  std::string table;

  std::string quoted(std::string_view suffix) const;
  std::string types() const { return quoted("_types"); }
  std::string keys() const { return quoted("_keys"); }
  std::string work() const { return quoted("_work"); }
  std::string of(const RegisteredType& type) const { return quoted("_of_" + type.id.prefix); }
  std::string gone(const RegisteredType& type) const { return quoted("_gone_" + type.id.prefix); }
  // Milliseconds by the clock of the store, read when the statement gets there.
  std::string now_ms() const;
  // The same at the beginning of the statement or transaction: what an index can be asked for.
  std::string start_ms() const;
};

// Parameters are in the order given. "chain" is, for the parent and all above it, tenant and ID of
// the parent, then the IDs of the others.
struct RegistrySql {
  // id, tenant, public_id, ms_min, ms_max, chain, [tombstone]: one creation, and all it needs to
  // know, in one statement. No row: a bound was broken, or the chain.
  std::string create;
  // PostgreSQL, with a key: tenant, key, chain, tenant, key, digest, answer, ms_min, ms_max,
  // [tombstone], id, tenant, public_id -> 1, or 0 with digest and answer of the first call. No row:
  // the steps know why.
  std::string create_keyed;
  // A batch, in PostgreSQL: chain, tenant, ids, public_ids, ms_min, ms_max, [tombstones]. With a
  // key, as above, but at the end tenant, ids, public_ids. Lists are the text of an array.
  // In MariaDB: tenant, pairs of ID and public ID in JSON, ms_min, ms_max, chain; no tombstones.
  std::string create_many;
  std::string create_many_keyed;
  // MariaDB, with a key, in one transaction: tenant, key, digest, answer, ms_min, ms_max, chain,
  // [tombstone]; then id, public_id, chain, tenant, key, answer -> affected, 1 if it was made.
  std::string take_key;
  std::string insert_taken;
  // The same in parts, within a transaction.
  std::string gate;        // -> now_ms; held until the transaction ends
  std::string chain;       // chain -> id of the parent, held until the transaction ends
  std::string find_key;    // tenant, key -> digest, answer, expires_ms
  std::string drop_key;    // tenant, key
  std::string insert_key;  // tenant, key, digest, answer, expires_ms -> affected, 0 if it is there
  std::string was_erased;  // tombstone -> 1

  // tenant, public_id, [tombstone] -> id, state, created_ms, deleted_ms, and of each ancestor
  // public_id, state, deleted_ms. The row of an erased one has the state 3.
  std::string find;
  // The same for a row whose key is guessed: tenant, public_id, id, [tombstone].
  std::string find_at;

  // What was done before is told again only when no crash and no loss of a primary can undo it.
  // InnoDB shows a commit before its log is on disk, and PostgreSQL one whose wait for the standby
  // was cancelled; a commit that writes waits for all before it. These write, and change nothing of
  // weight. Empty where reading is enough.
  std::string confirm_key;  // tenant, key
  std::string confirm;      // PostgreSQL: tenant, public_id
  std::string confirm_by;   // MariaDB: any 16 bytes; then confirm_end with the same
  std::string confirm_end;

  std::string retire;       // state, tenant, public_id -> affected
  std::string retire_work;  // due in ms, tenant, public_id
  std::string undelete;     // tenant, public_id, grace in ms -> affected
  std::string forget_work;  // tenant, public_id: the work of an undeleted one

  std::string end_grace;   // id: what can be brought back no more
  std::string state;       // id -> state, deleted_ms, tenant_id, public_id
  std::string children;    // parent, count -> id, tenant_id, public_id, of those that are live
  std::string end_child;   // deleted_ms, id
  std::string add_work;    // id, due_ms
  std::string defer_work;  // due_ms, id
  std::string drop_work;   // id
  std::string erase;       // id
  std::string bury;        // tombstone

  // Of what is live, and of what is deleted; the columns are those of `find`, then public_id.
  struct Lists {
    std::string all;        // tenant, count
    std::string all_after;  // tenant, after, count
    std::string of;         // parent, count
    std::string of_after;   // parent, after, count
  };
  Lists live;
  Lists deleted;
  std::string issued;  // created_ms, created_ms, id, count -> created_ms, id, tenant_id, public_id
  std::string erased;  // after, count -> tombstone

  std::string barrier;  // -> now_ms, epoch, when no creation is under way
  std::string new_epoch;

  // -> state or what else is counted (see SqlRegistryStore::stats), count
  std::string stats;
  // id, count -> id, tenant_id, public_id, state, created_ms, deleted_ms, parent_id
  std::string rows;

  // Rows of id, tenant, public_id, created_ms, parent.
  std::string insert_of(std::size_t count) const;
  std::string insert_head;
};

RegistrySql make_registry_sql(const RegistryNames& names, const RegisteredType& type);

// Statements of no type.
struct RegistryWorkSql {
  std::string due;         // -> type, id, now_ms: the work that is due longest, held
  std::string any_due;     // -> 1
  std::string stale_keys;  // count -> tenant_id, type, request_key
  std::string drop_stale;  // tenant, type, key
};
RegistryWorkSql make_registry_work_sql(const RegistryNames& names, const RegistryTypes& types);

}  // namespace tessera
