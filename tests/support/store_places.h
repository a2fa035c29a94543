#pragma once

// Where stores are in tests: a file, or a table of a server, new for each.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "support/etcd_cluster.h"
#include "support/servers.h"
#include "tessera/store/store.h"

namespace tessera {

enum class StoreKind : std::uint8_t { sqlite, postgres, mariadb, etcd };

inline std::string name_of(StoreKind kind) {
  switch (kind) {
    case StoreKind::sqlite: return "sqlite";
    case StoreKind::postgres: return "postgres";
    case StoreKind::mariadb: return "mariadb";
    case StoreKind::etcd: break;
  }
  return "etcd";
}

// A database that all tests of a program share; each takes a table of its own.
inline const std::string& shared_database(StoreKind kind) {
  static const std::string postgres = servers::postgres().fresh_database();
  if (kind == StoreKind::postgres) return postgres;
  static const std::string mariadb = servers::mariadb().fresh_database();
  return mariadb;
}

struct StoreSpot {
  std::string url;
  OpenOptions options;
  std::shared_ptr<servers::TemporaryFolder> folder;  // of a file

  std::unique_ptr<Store> open() const {
    auto store = open_store(url, options);
    EXPECT_TRUE(store) << store.error().message;
    return store ? std::move(*store) : nullptr;
  }
  void init() const {
    const auto made = init_store(url, options);
    EXPECT_TRUE(made) << made.error().message;
  }
};

inline StoreSpot new_spot(StoreKind kind) {
  static std::atomic<int> number{0};
  StoreSpot spot;
  spot.options.table = "t" + std::to_string(++number);
  spot.options.registry_table = "r" + std::to_string(number);
  if (kind == StoreKind::sqlite) {
    spot.folder = std::make_shared<servers::TemporaryFolder>();
    spot.url = "sqlite:" + *spot.folder / "ids.db";
  } else if (kind == StoreKind::etcd) {
    spot.url = servers::etcd().url();
  } else {
    spot.url = shared_database(kind);
  }
  return spot;
}

}  // namespace tessera
