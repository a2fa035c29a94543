#pragma once

// What a registry must keep that several open at once, and that outlives its object.

#include <mutex>

#include "support/registry_store_contract.h"

namespace tessera {

class DurableRegistryContract : public RegistryStoreContract {
 protected:
  // Runs `work` in so many threads, each on a store of its own.
  void in_threads(int count, const std::function<void(RegistryStore&, int)>& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        const auto store = open_();
        const auto registry = registry_of(*store);
        work(*registry, i);
      });
    }
    for (auto& thread : threads) thread.join();
  }
};

TEST_P(DurableRegistryContract, WhatWasDoneIsThereWhenItIsOpenedAgain) {
  const auto live = create("store");
  const auto dead = create("store");
  const auto shelf = create("shelf", {dead.body});
  const auto person = create("person");
  const std::vector keyed = {entry(type("store"))};
  auto asked = request(type("store"), keyed);
  asked.idempotency_key = "key";
  ASSERT_TRUE(registry_->create(asked));
  const auto ended = retire("store", dead.body);
  retire("person", person.body);

  registry_.reset();
  store_ = open_();
  registry_ = registry_of(*store_);
  EXPECT_EQ(find("store", live.body).state, State::live);
  EXPECT_EQ(find("store", dead.body), ended);
  EXPECT_EQ(find("shelf", shelf.body).state, State::deleted) << "nobody has swept";
  EXPECT_EQ(sweep_all(), 2U) << "the work was not forgotten";
  EXPECT_EQ(find("shelf", shelf.body).state, State::deleted);
  EXPECT_EQ(find("person", person.body).state, State::deleted);
  const auto again = registry_->create(asked);
  EXPECT_TRUE(again && again->repeated);
}

TEST_P(DurableRegistryContract, TwinsWithOneKeyMakeOneCreation) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 12;
  std::vector<std::set<std::int64_t>> keys(kRounds);
  std::mutex mutex;
  std::atomic<int> fresh{0};
  in_threads(kThreads, [&](RegistryStore& registry, int) {
    for (int round = 0; round < kRounds; ++round) {
      const NewEntry mine = entry(type("store"));
      auto asked = request(type("store"), std::span(&mine, 1));
      const std::string key = "twin-" + std::to_string(round);
      asked.idempotency_key = key;
      asked.timeout = std::chrono::seconds(30);
      const auto made = registry.create(asked);
      ASSERT_TRUE(made) << made.error().message;
      fresh += made->repeated ? 0 : 1;
      const std::lock_guard lock(mutex);
      keys[static_cast<std::size_t>(round)].insert(made->entries[0].key);
    }
  });
  EXPECT_EQ(fresh, kRounds);
  for (const auto& of_round : keys) EXPECT_EQ(of_round.size(), 1U);
  const auto list = registry_->list({.type = type("store"), .tenant = "acme", .count_max = 1000});
  EXPECT_TRUE(list && list->size() == kRounds);
}

// A child that was made is of a parent that was live then: after the answer to retire() none
// comes, and sweeping finds all.
TEST_P(DurableRegistryContract, NoChildIsBornToAParentThatHasEnded) {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    const auto store = create("store");
    const std::vector<IdBody> in = {store.body};
    std::atomic<bool> ended{false};
    std::atomic<int> late{0};
    std::mutex mutex;
    std::vector<IdBody> shelves;
    in_threads(3, [&](RegistryStore& registry, int number) {
      if (number == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10 + 10 * round));
        const auto done = registry.retire({type("store"), "acme", store.body});
        ASSERT_TRUE(done) << done.error().message;
        ended = true;
        return;
      }
      for (int i = 0; i < 60; ++i) {
        const bool before = !ended;
        std::vector<NewEntry> mine = {entry(type("shelf"))};
        if (i % 2 == 1) mine.push_back(entry(type("shelf")));
        auto asked = request(type("shelf"), mine, in);
        asked.timeout = std::chrono::seconds(30);
        const auto made = registry.create(asked);
        if (!made) {
          EXPECT_EQ(made.error().code, Code::not_found) << made.error().message;
          break;
        }
        late += before ? 0 : 1;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const std::lock_guard lock(mutex);
        for (const auto& one : mine) shelves.push_back(one.body);
      }
    });
    EXPECT_EQ(late, 0);
    EXPECT_EQ(sweep_all(64), shelves.size());
    for (const auto& shelf : shelves) EXPECT_EQ(find("shelf", shelf).state, State::deleted);
  }
}

// The gate: what is acknowledged after a barrier has a creation time that is not before it, and
// what was created before is visible behind it.
TEST_P(DurableRegistryContract, ABarrierPartsWhatCameBeforeFromWhatComesAfter) {
  std::atomic<bool> over{false};
  std::atomic<int> failures{0};
  std::vector<std::thread> makers;
  for (int i = 0; i < 3; ++i) {
    makers.emplace_back([&, i] {
      const auto store = open_();
      const auto registry = registry_of(*store);
      while (!over) {
        std::vector<NewEntry> mine = {entry(type("person"))};
        if (i == 2) mine.push_back(entry(type("person")));
        auto asked = request(type("person"), mine);
        asked.timeout = std::chrono::seconds(30);
        if (!registry->create(asked)) ++failures;
        // SQLite's lock is not fair: who asks without a pause leaves it to nobody.
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  const auto end = std::chrono::steady_clock::now() + soak_time();
  std::int64_t last_ms = 0;
  while (std::chrono::steady_clock::now() < end) {
    const auto barrier = registry_->barrier(type("person"));
    ASSERT_TRUE(barrier) << barrier.error().message;
    // All that came before the barrier that was last: read again, it must be what it was.
    const auto read_until = [&](std::int64_t limit_ms) {
      std::set<IdBody> seen;
      std::int64_t created_ms = 0;
      std::int64_t key = 0;
      for (bool more = true; more;) {
        const auto page = registry_->issued(type("person"), created_ms, key, 1);
        EXPECT_TRUE(page);
        if (!page || page->filter_keys.empty() || page->created_ms >= limit_ms) break;
        const Hash128& hash = page->filter_keys[0];
        seen.insert(detail::store_pair({hash.high, hash.low}));
        created_ms = page->created_ms;
        key = page->key;
        more = page->more;
      }
      return seen;
    };
    const auto first = read_until(barrier->now_ms);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(read_until(barrier->now_ms), first) << "one was committed behind the barrier";
    EXPECT_GE(barrier->now_ms, last_ms);
    last_ms = barrier->now_ms;
    if (first.size() > 300) break;
  }
  over = true;
  for (auto& maker : makers) maker.join();
  EXPECT_EQ(failures, 0);
}

TEST_P(DurableRegistryContract, SweepersDoNotGetInEachOthersWay) {
  std::vector<NewEntry> stores;
  for (int i = 0; i < 4; ++i) {
    stores.push_back(create("store"));
    for (int j = 0; j < 10; ++j) create("shelf", {stores.back().body});
  }
  for (const auto& store : stores) retire("store", store.body);
  std::atomic<std::size_t> ended{0};
  in_threads(3, [&](RegistryStore& registry, int) {
    while (true) {
      const auto swept = registry.sweep(3);
      ASSERT_TRUE(swept) << swept.error().message;
      ended += swept->ended;
      if (!swept->more) return;
    }
  });
  EXPECT_EQ(ended, 40U);
  EXPECT_EQ(sweep_all(), 0U);
}

}  // namespace tessera
