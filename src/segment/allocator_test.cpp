// What an allocator promises with real threads: no number twice, order within the process, one
// draw at a time, no call waits longer than it said, no more wait than allowed, and whatever the
// store does, it ends in an answer.

#include "tessera/segment/allocator.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/fake_segment_store.h"
#include "support/soak.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Code = Error::Code;
using Ranges = std::vector<Segment>;

class MemoryWitness final : public Witness {
 public:
  Result<std::optional<WitnessMark>, Error> load(std::string_view scope) override {
    const std::scoped_lock guard(mutex_);
    if (failing) return Failure{Error{Code::store_failed, "no disk", ""}};
    const auto found = marks_.find(scope);
    return found == marks_.end() ? std::optional<WitnessMark>() : found->second;
  }
  std::optional<Error> store(std::string_view scope, const WitnessMark& mark) override {
    const std::scoped_lock guard(mutex_);
    if (failing) return Error{Code::store_failed, "no disk", ""};
    marks_.insert_or_assign(std::string(scope), mark);
    return std::nullopt;
  }
  std::atomic<bool> failing{false};

 private:
  std::mutex mutex_;
  std::map<std::string, WitnessMark, std::less<>> marks_;
};

struct Scene {
  explicit Scene(const Scope& scope = {.name = "ORDER"}, AllocatorOptions options = {},
                 Witness* witness = nullptr)
      : store(scope), numbers(scope, store, refiller, clock, witness, std::move(options)) {}

  SystemMonotonicClock clock;
  FakeSegmentStore store;
  Refiller refiller{clock, 2};
  SegmentAllocator numbers;

  void expect_account() {
    const auto status = numbers.status();
    EXPECT_EQ(status.drawn, status.issued + status.abandoned + status.cached);
  }
};

template <class T>
Code code_of(const Result<T, Error>& result) {
  EXPECT_FALSE(result);
  return result ? Code::invalid_request : result.error().code;
}

bool becomes(const std::function<bool()>& condition) {
  for (int i = 0; i < 5000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

MonotonicTime time_of(const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::steady_clock::now() - start;
}

TEST(SegmentAllocator, HandsOutTheNumbersOfItsScope) {
  Scene scene;
  for (std::int64_t i = 1; i <= 5000; ++i) ASSERT_EQ(*scene.numbers.next(), i);
  scene.expect_account();
}

TEST(SegmentAllocator, ABatchIsRanges) {
  Scene scene;
  EXPECT_EQ(*scene.numbers.next_range(10), (Ranges{{1, 11}}));
  EXPECT_EQ(*scene.numbers.next_range(50'000), (Ranges{{11, 50'011}}));
  EXPECT_EQ(*scene.numbers.next(), 50'011);
  EXPECT_EQ(code_of(scene.numbers.next_range(0)), Code::invalid_request);
  EXPECT_EQ(code_of(scene.numbers.next_range(Scope::kDrawMax + 1)), Code::invalid_request);
  std::uint64_t sum = 0;
  const auto most = scene.numbers.next_range(Scope::kDrawMax);
  ASSERT_TRUE(most);
  for (const Segment& range : *most) sum += range.size();
  EXPECT_EQ(sum, static_cast<std::uint64_t>(Scope::kDrawMax));
  scene.expect_account();
}

TEST(SegmentAllocator, NumbersInARowAreOneRangeFromTheCache) {
  Scene scene;
  EXPECT_EQ(*scene.numbers.next(), 1);
  EXPECT_EQ(*scene.numbers.next_contiguous(100), (Segment{2, 102}));
  EXPECT_EQ(*scene.numbers.next(), 102);
  EXPECT_EQ(*scene.numbers.next_contiguous(5000, 30s), (Segment{103, 5103}));
  const auto most = scene.numbers.next_contiguous(Scope::kDrawMax, 30s);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->size(), static_cast<std::uint64_t>(Scope::kDrawMax));
  EXPECT_GE(static_cast<std::uint64_t>(*scene.numbers.next()), most->end);
  EXPECT_EQ(code_of(scene.numbers.next_contiguous(0)), Code::invalid_request);
  EXPECT_EQ(code_of(scene.numbers.next_contiguous(Scope::kDrawMax + 1)), Code::invalid_request);
  scene.expect_account();
}

TEST(SegmentAllocator, NumbersInARowNeedNoStoreWhileTheCacheHasThem) {
  Scene scene;
  EXPECT_EQ(*scene.numbers.next(), 1);
  scene.store.shut();
  EXPECT_EQ(*scene.numbers.next_contiguous(400, 0ms), (Segment{2, 402}));
  EXPECT_EQ(code_of(scene.numbers.next_contiguous(2000, 10ms)), Code::timed_out);
  EXPECT_EQ(scene.numbers.status().abandoned, 0u);
  EXPECT_EQ(*scene.numbers.next(0ms), 402);
  scene.store.open();
  EXPECT_EQ(scene.numbers.next_contiguous(2000, 30s)->size(), 2000u);
}

TEST(SegmentAllocator, MoreInARowThanAreLeftIsExhausted) {
  Scene scene({.name = "ORDER", .min = 1, .max = 2500});
  EXPECT_EQ(*scene.numbers.next(), 1);
  EXPECT_EQ(code_of(scene.numbers.next_contiguous(2600, 30s)), Code::exhausted);
  EXPECT_EQ(*scene.numbers.next(), 2) << "the others still get theirs";
}

TEST(SegmentAllocator, EndsWithTheLastNumber) {
  for (const std::int64_t max : {Scope::kMax, Scope::kJsSafeMax, std::int64_t{2500}}) {
    Scene scene({.name = "ORDER", .min = max - 2499, .max = max});
    for (std::int64_t i = max - 2499;; ++i) {
      ASSERT_EQ(*scene.numbers.next(), i);
      if (i == max) break;
    }
    for (int i = 0; i < 3; ++i) EXPECT_EQ(code_of(scene.numbers.next()), Code::exhausted);
    EXPECT_EQ(code_of(scene.numbers.next_range(2)), Code::exhausted);
    EXPECT_EQ(code_of(scene.numbers.next_contiguous(2)), Code::exhausted);
    EXPECT_EQ(scene.numbers.status().health, AllocatorHealth::exhausted);
  }
}

TEST(SegmentAllocator, AScopeOfOneNumberHasOne) {
  Scene scene({.name = "ORDER", .min = 7, .max = 7});
  EXPECT_EQ(*scene.numbers.next(), 7);
  EXPECT_EQ(code_of(scene.numbers.next()), Code::exhausted);
}

TEST(SegmentAllocator, WarmsUpWithoutACall) {
  Scene scene;
  scene.numbers.warm_up();
  EXPECT_TRUE(becomes([&] { return scene.numbers.status().cached == 1000; }));
  scene.store.shut();
  EXPECT_EQ(*scene.numbers.next(0ms), 1);
  scene.store.open();
}

TEST(SegmentAllocator, NoCallWaitsLongerThanItSaid) {
  Scene scene;
  scene.store.shut();
  const auto time = time_of([&] {
    EXPECT_EQ(code_of(scene.numbers.next(30ms)), Code::timed_out);
    EXPECT_EQ(code_of(scene.numbers.next(0ms)), Code::timed_out);
    EXPECT_EQ(code_of(scene.numbers.next_range(5000, 10ms)), Code::timed_out);
  });
  EXPECT_GE(time, 40ms);
  EXPECT_LT(time, 2s);
  EXPECT_EQ(scene.numbers.status().waiters, 0u);
  scene.store.open();
  EXPECT_EQ(*scene.numbers.next(10s), 1);  // those that gave up have cost nothing
}

TEST(SegmentAllocator, SaysWhyItWaitedInVain) {
  Scene scene;
  scene.store.fail_finds(1000, Code::store_unavailable);
  const auto answer = scene.numbers.next(20ms);
  ASSERT_EQ(code_of(answer), Code::timed_out);
  EXPECT_EQ(answer.error().message, "no number of scope 'ORDER' within 20 ms: told to fail");
  EXPECT_EQ(scene.numbers.status().health, AllocatorHealth::empty);
}

TEST(SegmentAllocator, WhatWillNotPassIsToldAtOnce) {
  Scene scene;
  scene.store.fail_finds(1000, Code::store_schema);
  EXPECT_LT(time_of([&] { EXPECT_EQ(code_of(scene.numbers.next(60s)), Code::store_schema); }), 10s);
}

TEST(SegmentAllocator, RefusesMoreWaitersThanAllowed) {
  Scene scene({.name = "ORDER"}, {.waiters_max = 3});
  scene.store.shut();
  std::vector<std::thread> threads;
  std::atomic<int> served{0};
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { served += scene.numbers.next(60s) ? 1 : 0; });
  }
  ASSERT_TRUE(becomes([&] { return scene.numbers.status().waiters == 3; }));
  EXPECT_EQ(code_of(scene.numbers.next(60s)), Code::overloaded);
  scene.store.open();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(served, 3);
}

TEST(SegmentAllocator, StrictCallsThatWaitAreBoundedToo) {
  Scene scene({.name = "ORDER", .order = Scope::Order::strict}, {.waiters_max = 1});
  scene.store.shut();
  std::thread thread([&] { EXPECT_EQ(*scene.numbers.next(60s), 1); });
  ASSERT_TRUE(becomes([&] { return scene.numbers.status().waiters == 1; }));
  EXPECT_EQ(code_of(scene.numbers.next(60s)), Code::overloaded);
  scene.store.open();
  thread.join();
}

TEST(SegmentAllocator, CloseWakesWhoWaitsAndRefusesTheRest) {
  Scene scene;
  EXPECT_EQ(*scene.numbers.next(), 1);
  scene.store.shut();
  std::thread thread(
      [&] { EXPECT_EQ(code_of(scene.numbers.next_range(9000, 60s)), Code::closed); });
  ASSERT_TRUE(becomes([&] { return scene.numbers.status().waiters == 1; }));
  std::thread closer([&] { scene.numbers.close(); });  // waits for the draw under way
  thread.join();
  scene.store.open();
  closer.join();
  EXPECT_EQ(code_of(scene.numbers.next()), Code::closed);
  EXPECT_EQ(code_of(scene.numbers.next_keyed(1, "k")), Code::closed);
  EXPECT_EQ(scene.numbers.status().health, AllocatorHealth::closed);
  EXPECT_EQ(scene.numbers.status().cached, 0u);
  scene.expect_account();
}

TEST(SegmentAllocator, StrictScopesAskTheStoreForEveryNumber) {
  Scene scene({.name = "ORDER", .max = 12, .order = Scope::Order::strict});
  EXPECT_EQ(*scene.numbers.next(), 1);
  ASSERT_TRUE(scene.store.draw({.scope = "ORDER", .count = 4}));  // another process
  EXPECT_EQ(*scene.numbers.next(), 6);
  EXPECT_EQ(*scene.numbers.next_contiguous(3), (Segment{7, 10}));
  EXPECT_EQ(scene.store.counts(), (std::vector<std::uint64_t>{1, 4, 1, 3}));
  EXPECT_EQ(code_of(scene.numbers.next_range(4)), Code::exhausted);
  EXPECT_EQ(*scene.numbers.next_range(3), (Ranges{{10, 13}}));
  EXPECT_EQ(code_of(scene.numbers.next()), Code::exhausted);
  EXPECT_EQ(scene.numbers.status().health, AllocatorHealth::exhausted);
  EXPECT_EQ(scene.numbers.status().cached, 0u);
  scene.expect_account();
}

TEST(SegmentAllocator, StrictScopesFindOutARewoundStore) {
  Scene scene({.name = "ORDER", .order = Scope::Order::strict});
  ASSERT_TRUE(scene.numbers.next_range(100));
  scene.store.rewind(50);
  EXPECT_EQ(code_of(scene.numbers.next()), Code::store_rewound);
  scene.store.rewind(5000);
  EXPECT_EQ(code_of(scene.numbers.next()), Code::store_rewound);
  scene.store.advance(6000);
  scene.numbers.resume();
  EXPECT_EQ(*scene.numbers.next(), 6001);
}

TEST(SegmentAllocator, TheSameKeyGetsTheSameNumbers) {
  Scene scene;
  EXPECT_EQ(*scene.numbers.next(), 1);
  const auto first = scene.numbers.next_keyed(5, "request-1");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->segment, (Segment{1001, 1006}));
  const auto again = scene.numbers.next_keyed(5, "request-1");
  EXPECT_EQ(again->segment, first->segment);
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(code_of(scene.numbers.next_keyed(6, "request-1")), Code::key_reused);
  EXPECT_EQ(code_of(scene.numbers.next_keyed(6, "")), Code::invalid_request);
  EXPECT_EQ(*scene.numbers.next(), 2);  // the cache is as it was
  scene.store.lose_answers(1);
  EXPECT_EQ(code_of(scene.numbers.next_keyed(5, "request-2")), Code::outcome_unknown);
  EXPECT_EQ(scene.numbers.next_keyed(5, "request-2")->segment, (Segment{1006, 1011}));
  scene.expect_account();
}

TEST(SegmentAllocator, RefusesAStoreThatIsBehindItsWitness) {
  MemoryWitness witness;
  {
    Scene scene({.name = "ORDER"}, {}, &witness);
    EXPECT_EQ(*scene.numbers.next(), 1);
    EXPECT_EQ(**witness.load("ORDER"), (WitnessMark{1, 1000}));
  }
  {
    Scene restored({.name = "ORDER"}, {}, &witness);  // a new store: at 0
    EXPECT_EQ(code_of(restored.numbers.next()), Code::store_rewound);
    EXPECT_EQ(code_of(restored.numbers.next_keyed(1, "k")), Code::store_rewound);
    EXPECT_TRUE(becomes([&] { return (*witness.load("ORDER"))->epoch == 2; }));
  }
  {
    Scene drawn_on({.name = "ORDER"}, {}, &witness);
    drawn_on.store.rewind(
        100'000);  // others have drawn from it; it is the rewound one all the same
    EXPECT_EQ(code_of(drawn_on.numbers.next()), Code::store_rewound);
  }
  Scene mended({.name = "ORDER"}, {}, &witness);
  mended.store.advance(200'000);
  EXPECT_EQ(*mended.numbers.next(), 200'001);
}

TEST(SegmentAllocator, AWitnessThatCannotBeReadOrWrittenStopsNumbers) {
  MemoryWitness witness;
  witness.failing = true;
  Scene scene({.name = "ORDER"}, {}, &witness);
  EXPECT_EQ(code_of(scene.numbers.next()), Code::store_failed);
  EXPECT_EQ(code_of(scene.numbers.next_keyed(1, "k")), Code::store_failed);
  witness.failing = false;
  ASSERT_TRUE(becomes([&] { return scene.numbers.next().value_or(0) > 0; }));
  witness.failing = true;
  EXPECT_EQ(code_of(scene.numbers.next_range(100'000)), Code::store_failed);
}

TEST(SegmentAllocator, ServesFromTheCacheWhileTheStoreIsAway) {
  Scene scene;
  EXPECT_EQ(*scene.numbers.next(), 1);
  scene.store.fail_draws(1'000'000, Code::store_unavailable);
  for (std::int64_t i = 2; i <= 1000; ++i) ASSERT_EQ(*scene.numbers.next(0ms), i);
  EXPECT_EQ(code_of(scene.numbers.next(20ms)), Code::timed_out);
  EXPECT_EQ(scene.numbers.status().health, AllocatorHealth::empty);
  scene.store.fail_draws(0, Code::store_unavailable);
  EXPECT_EQ(*scene.numbers.next(30s), 1001);
}

TEST(SegmentAllocator, AForkedChildIsRefused) {
  Scene scene;
  EXPECT_EQ(*scene.numbers.next(), 1);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool refused = code_of(scene.numbers.next()) == Code::closed &&
                         code_of(scene.numbers.next_range(10)) == Code::closed &&
                         code_of(scene.numbers.next_contiguous(10)) == Code::closed &&
                         code_of(scene.numbers.next_keyed(1, "k")) == Code::closed;
    _exit(refused ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(*scene.numbers.next(), 2);
}

TEST(SegmentAllocator, ManyScopesShareFewThreadsAndDraws) {
  SystemMonotonicClock clock;
  FakeSegmentStore store({.name = "ORDER"});
  store.delay = 1ms;
  Refiller refiller(clock, 3);
  std::vector<std::unique_ptr<SegmentAllocator>> many;
  for (int i = 0; i < 100; ++i) {
    many.push_back(
        std::make_unique<SegmentAllocator>(Scope{.name = "ORDER"}, store, refiller, clock));
    many.back()->warm_up();
  }
  std::vector<std::int64_t> seen;
  for (auto& numbers : many) seen.push_back(*numbers->next(60s));
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
  EXPECT_LE(store.most_at_once(), 3);
}

// A mixed load on a store that fails, is slow and loses answers, with two allocators over it as
// two processes would have. Every thread checks order, the end checks the rest.
TEST(SegmentAllocator, GivesNoNumberTwiceWhateverTheStoreDoes) {
  SystemMonotonicClock clock;
  const Scope scope{.name = "ORDER", .step = 50};
  FakeSegmentStore store(scope);
  Refiller refiller(clock, 2);
  std::vector<std::unique_ptr<SegmentAllocator>> processes;
  for (int i = 0; i < 2; ++i) {
    processes.push_back(std::make_unique<SegmentAllocator>(scope, store, refiller, clock));
    ASSERT_TRUE(processes.back()->next(60s));
  }
  std::atomic<bool> running{true};
  std::vector<Ranges> seen(6);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < seen.size(); ++t) {
    threads.emplace_back([&, t] {
      SegmentAllocator& numbers = *processes[t % 2];
      std::uint64_t last = 0;
      std::uint64_t calls = 0;
      while (running) {
        Ranges got;
        if (++calls % 64 == 32) {
          if (const auto range = numbers.next_contiguous(1 + calls % 199, 50ms)) {
            ASSERT_EQ(range->size(), 1 + calls % 199);
            got.push_back(*range);
          }
        } else if (calls % 64 != 0) {
          const auto number = numbers.next(50ms);
          if (number) {
            const auto first = static_cast<std::uint64_t>(*number);
            got.push_back({first, first + 1});
          }
        } else {
          got = numbers.next_range(1 + calls % 199, 50ms).value_or({});
        }
        for (const Segment& range : got) {
          ASSERT_GT(range.first, last);
          last = range.end - 1;
          if (seen[t].size() < 500'000) seen[t].push_back(range);
        }
      }
    });
  }
  const auto end = std::chrono::steady_clock::now() + soak_time();
  for (int i = 0; std::chrono::steady_clock::now() < end; ++i) {
    store.lose_answers(i % 5 == 3 ? 1 : 0);
    store.fail_draws(i % 7 == 5 ? 1 : 0, Code::store_unavailable);
    store.delay = std::chrono::milliseconds(i % 4);
    std::this_thread::sleep_for(5ms);
    for (auto& numbers : processes) static_cast<void>(numbers->status());
  }
  running = false;
  for (auto& thread : threads) thread.join();

  Ranges all;
  for (const auto& some : seen) all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all, {}, &Segment::first);
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_LE(all[i - 1].end, all[i].first);
  EXPECT_GT(all.size(), 10u);
  for (auto& numbers : processes) {
    numbers->close();
    const auto status = numbers->status();
    EXPECT_EQ(status.drawn, status.issued + status.abandoned);
  }
}

// Threads take turns: what one has returned is below what the next one gets.
TEST(SegmentAllocator, WhatReturnedBeforeIsSmaller) {
  Scene scene({.name = "ORDER", .step = 7});
  std::atomic<std::int64_t> last{0};
  std::atomic<bool> running{true};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      while (running) {
        const std::int64_t before = last.load();
        std::int64_t first = 0;
        std::int64_t end = 0;
        if (t == 0) {
          const auto range = scene.numbers.next_contiguous(5, 10s);
          ASSERT_TRUE(range);
          first = static_cast<std::int64_t>(range->first);
          end = first + 5;
        } else {
          const auto number = scene.numbers.next(10s);
          ASSERT_TRUE(number);
          first = *number;
          end = first + 1;
        }
        ASSERT_GT(first, before);
        std::int64_t highest = last.load();
        while (highest < end - 1 && !last.compare_exchange_weak(highest, end - 1)) {
        }
      }
    });
  }
  std::this_thread::sleep_for(soak_time());
  running = false;
  for (auto& thread : threads) thread.join();
  scene.expect_account();
}

}  // namespace
}  // namespace tessera
