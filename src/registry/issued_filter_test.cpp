// Promised: what the filter calls never issued was never issued, whatever was created, erased,
// brought in, saved or lost; and what it can say, it says without the store.

#include "tessera/registry/issued_filter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <thread>

#include "support/properties.h"
#include "support/registry_fixture.h"

namespace tessera {
namespace {

using State = LookUp::State;

std::string stranger_of(const Shop& shop, std::string_view type, std::uint64_t time_ms) {
  auto body = Ulid::largest(time_ms);
  body.bytes[15] = 7;
  return shop.types.find(type)->text_of(body.bytes);
}

class FileName {
 public:
  FileName() : path_(testing::TempDir() + "issued_filter." + std::to_string(getpid())) {}
  ~FileName() {
    std::remove(path_.c_str());
    std::remove((path_ + ".new").c_str());
  }
  FileName(const FileName&) = delete;
  FileName& operator=(const FileName&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(IssuedFilter, AnswersWithoutTheStoreWhatIsOldEnough) {
  Shop shop;
  const auto store = shop.create("store");
  const auto stranger = stranger_of(shop, "store", Shop::kStartMs);
  shop.look_up(stranger);
  EXPECT_EQ(shop.store.finds, 1U) << "no sync yet";
  shop.pass(std::chrono::seconds(11));
  ASSERT_FALSE(shop.registry.sync_filters());
  EXPECT_EQ(shop.look_up(stranger).state, State::never_issued);
  EXPECT_EQ(shop.look_up(store.id, "zeta").state, State::never_issued);
  EXPECT_EQ(shop.store.finds, 1U);
  EXPECT_EQ(shop.look_up(store.id).state, State::live);
  EXPECT_EQ(shop.store.finds, 2U);
  shop.look_up(stranger_of(shop, "store", Shop::kStartMs + 1000));
  EXPECT_EQ(shop.store.finds, 3U) << "too young";
  shop.look_up(stranger_of(shop, "store", Shop::kStartMs + 999));
  EXPECT_EQ(shop.store.finds, 3U);
  shop.pass(std::chrono::seconds(10));
  shop.look_up(stranger);
  EXPECT_EQ(shop.store.finds, 4U) << "the lease is over";
}

TEST(IssuedFilter, KnowsWhatIsCreatedFromSyncToSync) {
  Shop shop;
  for (int i = 0; i < 50; ++i) {
    const auto store = shop.create("store");
    const auto person = shop.create("person");
    if (i % 3 == 0) {
      ASSERT_FALSE(shop.registry.sync_filters());
    }
    shop.pass(std::chrono::seconds(1 + i % 7));
    ASSERT_FALSE(shop.registry.sync_filters());
    EXPECT_EQ(shop.look_up(store.id).state, State::live);
    EXPECT_EQ(shop.look_up(person.id).state, State::live);
  }
  EXPECT_EQ(shop.registry.filter(*shop.types.find("store"))->status().rebuilds, 1U);
}

// Created, ended and erased between two syncs: no row tells of it.
TEST(IssuedFilter, KnowsWhatWasErasedBetweenTwoSyncs) {
  Shop shop;
  ASSERT_FALSE(shop.registry.sync_filters());
  shop.pass(std::chrono::seconds(1));
  const auto person = shop.create("person");
  shop.retire(person.id);
  shop.pass(std::chrono::seconds(61));
  EXPECT_EQ(shop.registry.sweep()->ended, 1U);
  ASSERT_FALSE(shop.registry.sync_filters());
  shop.pass(std::chrono::seconds(1));
  EXPECT_EQ(shop.look_up(person.id).state, State::deleted);
}

TEST(IssuedFilter, IsMadeAnewForANewEpoch) {
  Shop shop;
  const RegisteredType& type = *shop.types.find("store");
  shop.pass(std::chrono::hours(1));
  ASSERT_FALSE(shop.registry.sync_filters());
  // An old ID is brought in: begin an epoch, wait for the lease, then write.
  ASSERT_TRUE(shop.memory->new_epoch(type));
  const NewEntry old{4711, Ulid::largest(Shop::kStartMs).bytes};
  ASSERT_TRUE(shop.memory->create(
      {.type = type, .tenant = "acme", .ancestors = {}, .entries = std::span(&old, 1)}));
  shop.store_clock.time_ms += 100;
  ASSERT_FALSE(shop.registry.sync_filters());
  EXPECT_EQ(shop.look_up(type.text_of(old.body)).state, State::live);
  EXPECT_EQ(shop.registry.filter(type)->status().rebuilds, 2U);
}

TEST(IssuedFilter, GrowsWhenItIsOverfull) {
  TypeTable table;
  ASSERT_TRUE(table.add({"store", "st"}));
  const auto types = std::move(*RegistryTypes::make(
      table, {{.name = "store", .collection = "stores", .scope = "S", .capacity = 100}}));
  FakeClock clock(Shop::kStartMs);
  FakeMonotonic monotonic;
  SeededEntropy entropy(1);
  CountingNumbers numbers;
  const auto store = make_memory_registry(make_memory_registry_data(), types, clock);
  Registry registry(types, *store, numbers, {clock, monotonic, entropy});
  ASSERT_FALSE(registry.sync_filters());
  const auto made = registry.create_many("acme", "store", 1000);
  ASSERT_TRUE(made);
  for (int i = 0; i < 2; ++i) {
    ASSERT_FALSE(registry.sync_filters());
    const auto status = registry.filter(*types.find("store"))->status();
    EXPECT_GE(status.capacity, 1000U) << "at once";
    EXPECT_EQ(status.rebuilds, 2U);
    clock.time_ms += 20'000;
  }
  for (const auto& one : *made) {
    EXPECT_EQ(registry.look_up("acme", one.id)->state, State::live);
  }
}

TEST(IssuedFilter, AStoreWhoseClockStepsBackHidesNothing) {
  Shop shop;
  shop.pass(std::chrono::seconds(60));
  ASSERT_FALSE(shop.registry.sync_filters());
  shop.clock.time_ms -= 5'000;
  shop.store_clock.time_ms -= 5'000;
  const auto store = shop.create("store");
  EXPECT_EQ(shop.look_up(store.id).state, State::live);
  ASSERT_FALSE(shop.registry.sync_filters());
  shop.pass(std::chrono::seconds(30));
  ASSERT_FALSE(shop.registry.sync_filters());
  EXPECT_EQ(shop.look_up(store.id).state, State::live);
}

// A row is erased by the clock of the store: if that runs ahead, before a sync has seen the row.
TEST(IssuedFilter, AStoreWhoseClockRunsAheadHidesNothing) {
  Shop shop;
  ASSERT_FALSE(shop.registry.sync_filters());
  const auto person = shop.create("person");
  shop.retire(person.id);
  shop.clock.time_ms += 3'600'000;
  shop.store_clock.time_ms += 3'600'000;
  ASSERT_TRUE(shop.registry.sweep());
  ASSERT_FALSE(shop.registry.sync_filters());
  EXPECT_EQ(shop.look_up(person.id).state, State::deleted);
}

TEST(IssuedFilter, IsKeptInAFileAndReadsOnlyWhatIsNew) {
  Shop shop;
  const FileName file;
  const RegisteredType& type = *shop.types.find("store");
  const auto before = shop.create("store");
  EXPECT_FALSE(shop.registry.filter(type)->save(file.path())) << "nothing to save yet";
  shop.pass(std::chrono::seconds(30));
  ASSERT_FALSE(shop.registry.sync_filters());
  ASSERT_TRUE(shop.registry.filter(type)->save(file.path()));
  const auto after = shop.create("store");
  shop.pass(std::chrono::hours(5));

  IssuedFilter filter(type, *shop.memory, shop.monotonic);
  ASSERT_TRUE(filter.load(file.path()));
  const auto body = [&](const NewResource& made) { return *type.parse(made.id); };
  EXPECT_FALSE(filter.never_issued("zeta", body(before))) << "not before a sync";
  ASSERT_FALSE(filter.sync());
  EXPECT_EQ(filter.status().rebuilds, 0U);
  EXPECT_FALSE(filter.never_issued("acme", body(before)));
  EXPECT_FALSE(filter.never_issued("acme", body(after)));
  EXPECT_TRUE(filter.never_issued("zeta", body(before)));
}

TEST(IssuedFilter, AFileThatIsNotWholeOrOfAnotherStoreIsPassedOver) {
  Shop shop;
  const FileName file;
  const RegisteredType& type = *shop.types.find("store");
  const auto store = shop.create("store");
  shop.pass(std::chrono::seconds(30));
  ASSERT_FALSE(shop.registry.sync_filters());
  ASSERT_TRUE(shop.registry.filter(type)->save(file.path()));
  std::ifstream in(file.path(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  IssuedFilter filter(type, *shop.memory, shop.monotonic);
  EXPECT_FALSE(filter.load(file.path() + ".not-there"));
  EXPECT_FALSE(filter.load("/")) << "a folder";
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{17}, std::size_t{30},
                               std::size_t{41}, whole.size() / 2, whole.size() - 1}) {
    for (const bool cut : {true, false}) {
      std::string bad = cut ? whole.substr(0, at) : whole;
      if (!cut) bad[at] = static_cast<char>(bad[at] ^ 1);
      std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << bad;
      EXPECT_FALSE(filter.load(file.path())) << at << cut;
    }
  }
  std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << whole;
  IssuedFilter other_type(*shop.types.find("note"), *shop.memory, shop.monotonic);
  EXPECT_FALSE(other_type.load(file.path()));
  // Another store has another epoch: everything is read.
  ASSERT_TRUE(shop.memory->new_epoch(type));
  ASSERT_TRUE(filter.load(file.path()));
  ASSERT_FALSE(filter.sync());
  EXPECT_EQ(filter.status().rebuilds, 1U);
  EXPECT_FALSE(filter.never_issued("acme", *type.parse(store.id)));
}

// In any order of creating, ending, erasing, waiting, syncing, saving and starting anew.
RC_GTEST_PROP(IssuedFilter, IsNeverWrong, ()) {
  Shop shop;
  const FileName file;
  const RegisteredType& type = *shop.types.find(*rc::gen::element<std::string>("store", "person"));
  auto filter = std::make_unique<IssuedFilter>(type, *shop.memory, shop.monotonic);
  std::vector<IdBody> made;
  std::remove(file.path().c_str());
  const int steps = *any_from_to(5, 60);
  for (int i = 0; i < steps; ++i) {
    switch (*any_from_to(0, 6)) {
      case 0:
      case 1: {
        const auto one = shop.registry.create("acme", type.name());
        RC_ASSERT(one);
        made.push_back(*type.parse(one->id));
        break;
      }
      case 2:
        if (!made.empty()) RC_ASSERT(shop.registry.retire("acme", type.text_of(made.back())));
        break;
      case 3: RC_ASSERT(shop.registry.sweep()); break;
      case 4: shop.pass(std::chrono::seconds(*any_from_to(0, 40))); break;
      case 5:
        RC_ASSERT(!filter->sync());
        if (*any_from_to(0, 2) == 0) RC_ASSERT(filter->save(file.path()));
        break;
      default:
        if (*any_from_to(0, 4) > 0) break;
        filter = std::make_unique<IssuedFilter>(type, *shop.memory, shop.monotonic);
        filter->load(file.path());
    }
    for (const auto& body : made) RC_ASSERT(!filter->never_issued("acme", body));
  }
}

TEST(IssuedFilter, MayBeAskedWhileItSyncs) {
  Shop shop;
  const auto made = shop.registry.create_many("acme", "store", 200);
  ASSERT_TRUE(made);
  shop.pass(std::chrono::seconds(30));
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};
  std::thread asker([&] {
    const RegisteredType& type = *shop.types.find("store");
    while (!over) {
      for (const auto& one : *made) {
        const auto body = *type.parse(one.id);
        wrong += shop.registry.filter(type)->never_issued("acme", body) ? 1 : 0;
      }
    }
  });
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(shop.registry.sync_filters());
    if (i % 50 == 0) {
      EXPECT_TRUE(shop.memory->new_epoch(*shop.types.find("store")));
    }
  }
  over = true;
  asker.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tessera
