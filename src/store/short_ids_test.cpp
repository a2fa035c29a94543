// What short IDs promise over a store: several allocators issue the whole space of sixteen bits
// exactly once, in memory and in SQLite, and then it is exhausted.

#include "tessera/segment/short_ids.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "support/store_places.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace tessera {
namespace {

const ShortSpace kSpace{.scope = "VOUCHER", .bits = 16};

ShortCipher cipher() {
  return *ShortCipher::make(kSpace, *ShortKey::parse("000102030405060708090a0b0c0d0e0f"));
}

struct Process {
  explicit Process(Store& store)
      : numbers(ShortIds::scope_of(kSpace), store.segments(), refiller, clock),
        ids(cipher(), numbers) {}

  SystemMonotonicClock clock;
  Refiller refiller{clock, 1};
  SegmentAllocator numbers;
  ShortIds ids;
};

void expect_the_whole_space_once(const std::vector<Store*>& stores) {
  ASSERT_TRUE(stores[0]->scopes().create(ShortIds::scope_of(kSpace)));
  std::vector<std::vector<std::uint64_t>> issued(stores.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < stores.size(); ++i) {
    threads.emplace_back([&store = *stores[i], &mine = issued[i]] {
      Process process(store);
      while (true) {
        const auto id = process.ids.next(std::chrono::seconds(20));
        if (!id) {
          EXPECT_EQ(id.error().code, Error::Code::exhausted) << id.error().message;
          return;
        }
        mine.push_back(id->number());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<bool> seen(65'536);
  std::size_t count = 0;
  for (const auto& part : issued) {
    count += part.size();
    for (const std::uint64_t number : part) {
      ASSERT_FALSE(seen[number]) << "twice: " << number;
      seen[number] = true;
    }
  }
  EXPECT_EQ(count, 65'536u);
}

TEST(ShortIdsInStore, MemoryGivesTheWholeSpaceOnce) {
  const auto store = open_store("memory:");
  ASSERT_TRUE(store);
  expect_the_whole_space_once({store->get(), store->get(), store->get(), store->get()});
}

// Each with connections of its own, as in processes.
TEST(ShortIdsInStore, SqliteGivesTheWholeSpaceOnce) {
  const StoreSpot spot = new_spot(StoreKind::sqlite);
  spot.init();
  const auto a = spot.open();
  const auto b = spot.open();
  const auto c = spot.open();
  expect_the_whole_space_once({a.get(), b.get(), c.get()});
}

}  // namespace
}  // namespace tessera
