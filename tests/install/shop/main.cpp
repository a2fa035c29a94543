// Somebody else's program: numbers and a registry, kept in a file of SQLite. Argument: that file.

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "tessera/registry/registry.h"
#include "tessera/segment/id_service.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace {

class Keys final : public tessera::NumberSource {
 public:
  explicit Keys(tessera::IdService& ids) : ids_(ids) {}

  tessera::Result<std::vector<std::int64_t>, tessera::Error> keys(std::string_view scope,
                                                                  std::size_t count) override {
    std::vector<std::int64_t> keys;
    while (keys.size() < count) {
      const auto key = ids_.next_long(scope);
      if (!key) return tessera::Failure{key.error()};
      keys.push_back(*key);
    }
    return keys;
  }

  tessera::Result<std::uint64_t, tessera::Error> short_number(const tessera::RegisteredType& type,
                                                              std::int64_t key) override {
    const auto id = ids_.short_of(type.declared.scope, key);
    if (!id) return tessera::Failure{id.error()};
    return id->number();
  }

 private:
  tessera::IdService& ids_;
};

int fail(const tessera::Error& error) {
  std::cerr << "shop: " << error.message << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string url = "sqlite:" + std::string(argv[1]);
  tessera::TypeTable table;
  if (!table.add({"order", "ord"})) return 2;
  const auto types = tessera::RegistryTypes::make(
      table, {{.name = "order", .collection = "orders", .scope = "ORDER"}});
  if (!types) return fail(types.error());
  if (const auto made = tessera::init_store(url); !made) return fail(made.error());
  if (const auto made = tessera::init_registry(url, *types); !made) return fail(made.error());
  const auto store = tessera::open_store(url);
  if (!store) return fail(store.error());
  if (const auto scope = (*store)->scopes().create({.name = "ORDER"}); !scope) {
    return fail(scope.error());
  }
  const auto rows = (*store)->registry(*types);
  if (!rows) return fail(rows.error());

  tessera::SystemClock clock;
  tessera::SystemMonotonicClock monotonic;
  tessera::SystemEntropy entropy;
  const auto ids = tessera::IdService::make(
      {.types = {{.name = "order", .prefix = "ord"}}, .scopes = {{.name = "ORDER"}}},
      (*store)->segments(), clock, monotonic);
  if (!ids) return fail(ids.error());
  Keys keys(**ids);
  tessera::Registry registry(*types, **rows, keys, {clock, monotonic, entropy});

  const auto order = registry.create("acme", "order");
  if (!order) return fail(order.error());
  if (const auto gone = registry.retire("acme", order->id); !gone) return fail(gone.error());
  const auto answer = registry.look_up("acme", order->id);
  if (!answer) return fail(answer.error());
  std::cout << order->name << " is " << name_of(answer->state) << '\n';
  return answer->state == tessera::LookUp::State::deleted ? 0 : 1;
}
