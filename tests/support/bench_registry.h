#pragma once

// What benchmarks of registries share: where they are, and where their numbers come from.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/bench.h"
#include "support/servers.h"
#include "tessera/registry/registry.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace tessera::bench {

// Numbers that cost nothing.
struct Counter final : NumberSource {
  std::atomic<std::int64_t> last{0};

  Result<std::vector<std::int64_t>, Error> keys(std::string_view, std::size_t count) override {
    std::vector<std::int64_t> keys(count);
    for (auto& key : keys) key = ++last;
    return keys;
  }
  Result<std::uint64_t, Error> short_number(const RegisteredType&, std::int64_t) override {
    return static_cast<std::uint64_t>(++last);
  }
};

// Of an empty database; a file lies in `folder`.
inline std::string url_of(const std::string& engine, const servers::TemporaryFolder& folder) {
  if (engine == "postgres") return servers::postgres().fresh_database();
  if (engine == "mariadb") return servers::mariadb().fresh_database();
  return "sqlite:" + folder / "registry.db";
}

// A registry of one type, `store`, on an empty database.
struct StoreRegistry {
  explicit StoreRegistry(const std::string& engine, const RegistryOptions& options = {})
      : url(url_of(engine, folder)) {
    TypeTable table;
    prove(bool(table.add({"store", "st"})), "a type");
    auto declared =
        RegistryTypes::make(table, {{.name = "store", .collection = "stores", .scope = "S"}});
    prove(bool(declared), "types are declared");
    types = std::move(*declared);
    prove(bool(init_store(url)) && bool(init_registry(url, types)), "the tables are made");
    store = std::move(*open_store(url));
    port = std::move(*store->registry(types));
    registry.emplace(types, *port, numbers, RegistrySources{clock, monotonic, entropy}, options);
  }

  servers::TemporaryFolder folder;
  const std::string url;
  Counter numbers;
  SystemClock clock;
  SystemMonotonicClock monotonic;
  SystemEntropy entropy;
  RegistryTypes types;
  std::unique_ptr<Store> store;
  std::unique_ptr<RegistryStore> port;
  std::optional<Registry> registry;
};

}  // namespace tessera::bench
