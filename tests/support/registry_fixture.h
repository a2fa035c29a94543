#pragma once

// A registry in memory, whose clocks and numbers do as they are told.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "support/fakes.h"
#include "support/forwarding_registry.h"
#include "tessera/registry/memory_registry.h"
#include "tessera/registry/registry.h"

namespace tessera {

struct FakeMonotonic final : MonotonicClock {
  std::chrono::nanoseconds time{std::chrono::seconds(1)};
  std::chrono::nanoseconds now() noexcept override { return time; }
};

struct CountingNumbers final : NumberSource {
  std::mutex mutex;
  std::map<std::string, std::int64_t, std::less<>> last;

  Result<std::vector<std::int64_t>, Error> keys(std::string_view scope,
                                                std::size_t count) override {
    const std::lock_guard lock(mutex);
    auto& number = last.try_emplace(std::string(scope), 0).first->second;
    std::vector<std::int64_t> keys;
    for (std::size_t i = 0; i < count; ++i) keys.push_back(++number);
    return keys;
  }
  Result<std::uint64_t, Error> short_number(const RegisteredType&, std::int64_t key) override {
    return static_cast<std::uint64_t>(key) * 40'503 % (std::uint64_t{1} << 40);
  }
};

// Counts what reaches the store.
class CountingStore final : public ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;

  std::size_t finds = 0;

  Result<Issued, Error> find(const IssuedId& id) override {
    ++finds;
    return store_.find(id);
  }
};

inline RegistryTypes shop_types() {
  using Storage = RegistryType::Storage;
  TypeTable table;
  EXPECT_TRUE(table.add({"store", "st"}));
  EXPECT_TRUE(table.add({"product", "prd", PublicStyle::checked}));
  EXPECT_TRUE(table.add({"variant", "var", PublicStyle::type_id}));
  EXPECT_TRUE(table.add({"person", "per", PublicStyle::base36}));
  EXPECT_TRUE(table.add({"voucher", "vch"}));
  EXPECT_TRUE(table.add({"note", "nt", PublicStyle::ulid, '-'}));
  std::vector<RegistryType> declared = {
      {.name = "store", .collection = "stores", .scope = "STORE", .alias = true},
      {.name = "product",
       .collection = "products",
       .scope = "PRODUCT",
       .parent = "store",
       .storage = Storage::bytes},
      {.name = "variant", .collection = "variants", .scope = "PRODUCT", .parent = "product"},
      {.name = "person",
       .collection = "people",
       .scope = "PERSON",
       .tombstone = RegistryType::Tombstone::exact},
      {.name = "voucher",
       .collection = "vouchers",
       .scope = "VOUCHER",
       .storage = Storage::integer,
       .short_bits = 40},
      {.name = "note", .collection = "notes", .scope = "NOTE", .undelete = std::chrono::hours(1)}};
  for (auto& type : declared) type.capacity = 1000;  // so that filters are quickly made
  auto types = RegistryTypes::make(table, std::move(declared));
  EXPECT_TRUE(types) << types.error().message;
  return std::move(*types);
}

struct Shop {
  static constexpr std::uint64_t kStartMs = 1'790'000'000'000;

  RegistryTypes types = shop_types();
  FakeClock clock{kStartMs};
  FakeClock store_clock{kStartMs};
  FakeMonotonic monotonic;
  SeededEntropy entropy{1};
  CountingNumbers numbers;
  std::shared_ptr<MemoryRegistryData> data = make_memory_registry_data();
  std::unique_ptr<RegistryStore> memory = make_memory_registry(data, types, store_clock);
  CountingStore store{*memory};
  Registry registry{types, store, numbers, {clock, monotonic, entropy}};

  void pass(std::chrono::milliseconds time) {
    clock.time_ms += static_cast<std::uint64_t>(time.count());
    store_clock.time_ms += static_cast<std::uint64_t>(time.count());
    monotonic.time += time;
  }
  NewResource create(std::string_view type, std::string_view parent = {},
                     std::string_view tenant = "acme") {
    auto made = registry.create(tenant, type, {.parent = parent});
    EXPECT_TRUE(made) << made.error().message;
    return made ? *made : NewResource{};
  }
  LookUp look_up(std::string_view text, std::string_view tenant = "acme") {
    auto answer = registry.look_up(tenant, text);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : LookUp{};
  }
  LookUp retire(std::string_view text) {
    auto answer = registry.retire("acme", text);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : LookUp{};
  }
};

}  // namespace tessera
