#pragma once

// A store: the ports of the rooms, on one database.
//
//    sqlite:tessera.db                              a file, made when it is not there
//    postgres://user:password@host:5432/database    PostgreSQL 13 or newer
//    mariadb://user:password@host:3306/database     MariaDB 10.5, MySQL 8.0.16, or newer
//    etcd://user@host:2379,host:2379/prefix         etcd 3.4.21 or newer; segments only
//    memory:                                        for tests; gone with the object
//
// Passwords may also come from PGPASSWORD, ~/.pgpass, or TESSERA_STORE_PASSWORD; they are in no
// message and no log.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/lease/store.h"
#include "tessera/registry/store.h"
#include "tessera/registry/type.h"
#include "tessera/result.h"
#include "tessera/segment/store.h"

namespace tessera {

struct SchemaStatus {
  int version = 0;  // 0: no table; -1: the four columns of an adopted table
  int newest = 0;   // what this program wants
};

// A setting of the server that matters, and what we think of it.
struct StoreSetting {
  std::string name;      // "innodb_flush_log_at_trx_commit"
  std::string value;     // "2"
  std::string required;  // "1"
  bool safe = true;
};

struct StoreStatus {
  std::string url;     // without a password
  std::string server;  // "PostgreSQL 15.18"
  SchemaStatus schema;
  std::vector<StoreSetting> settings;
};

// Thread-safe. Calls wait for a free connection, no longer than their timeout.
class Store : public SegmentPorts {
 public:
  virtual LeaseStore& leases() = 0;
  // What was issued of these types, whose tables must be there: store_schema, if not. The store
  // and the types must outlive it.
  virtual Result<std::unique_ptr<RegistryStore>, Error> registry(const RegistryTypes& types) = 0;
  virtual Result<StoreStatus, Error> status() = 0;
};

struct OpenOptions {
  std::string table = "bc_id_segment";
  std::string registry_table = "tessera_registry";  // its tables begin with it; at most 24
  std::size_t connections_max = 4;
  std::chrono::milliseconds connect_timeout{5000};
  // Goes on with settings that may lose what was confirmed. Every use is on the caller's head.
  bool accept_duplicate_risk = false;
  // The seed's four statements (BEGIN, SELECT FOR UPDATE, UPDATE, COMMIT) instead of one.
  bool portable_statements = false;
};

// Connects and checks settings and schema: an unsafe or unknown state is an error that says what
// to change. A table that is not there, or older, is store_schema; init_store makes it.
Result<std::unique_ptr<Store>, Error> open_store(std::string_view url,
                                                 const OpenOptions& options = {});

// Makes the tables, or brings older ones up to date. Does nothing if there is nothing to do.
Result<SchemaStatus, Error> init_store(std::string_view url, const OpenOptions& options = {});

// Makes the tables of the registry for these types, where they are not there.
Result<SchemaStatus, Error> init_registry(std::string_view url, const RegistryTypes& types,
                                          const OpenOptions& options = {});

}  // namespace tessera
