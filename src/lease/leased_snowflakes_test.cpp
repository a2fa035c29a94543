// LeasedSnowflakes: one object, one number, IDs from any thread, and an end that gives it back.

#include "tessera/lease/leased_snowflakes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "support/soak.h"
#include "tessera/lease/memory_store.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using snowflake_layouts::kTwitter;
using std::chrono::milliseconds;

// The store in memory, that can be away.
struct FlakyStore final : LeaseStore {
  Result<Lease, Error> claim(const ClaimRequest& request) override {
    if (away) return Failure{Error{Error::Code::store_unavailable, "away", ""}};
    return store->claim(request);
  }
  Result<Reservation, Error> raise(const RaiseRequest& request) override {
    ++raises;
    if (away) return Failure{Error{Error::Code::store_unavailable, "away", ""}};
    return store->raise(request);
  }
  Result<LeaseRecord, Error> release(const ReleaseRequest& request) override {
    return store->release(request);
  }
  Result<LeasePage, Error> list(const LeaseListRequest& request) override {
    return store->list(request);
  }

  std::atomic<bool> away{false};
  std::atomic<int> raises{0};
  SystemClock clock;
  std::unique_ptr<LeaseStore> store = make_memory_lease_store(clock);
};

struct LeasedSnowflakesTest : testing::Test {
  static SnowflakeLeaseOptions brief() {
    SnowflakeLeaseOptions made;
    made.scope = "S";
    made.terms = {1s, 1s, 0ms};
    return made;
  }
  template <class Condition>
  static bool soon(Condition condition) {
    for (const auto end = std::chrono::steady_clock::now() + 60s;
         std::chrono::steady_clock::now() < end;) {
      if (condition()) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }
  FlakyStore store;
  SystemBootClock clock;
};

TEST_F(LeasedSnowflakesTest, MakesIdsAndGivesTheNumberBack) {
  {
    LeasedSnowflakes ids(kTwitter, store, clock, {.scope = "S", .holder = "me"});
    const auto first = ids.next(60s);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->machine(kTwitter), 0U);
    std::vector<Snowflake> more(10'000);
    ASSERT_TRUE(ids.next(more, 60s));
    EXPECT_TRUE(std::ranges::is_sorted(more));
    EXPECT_GT(more[0], *first);
    EXPECT_EQ(std::ranges::adjacent_find(more), more.end());
    EXPECT_TRUE(ids.status().held);
    EXPECT_EQ(store.list_all("S")->at(0).state, LeaseRecord::State::held);
    EXPECT_EQ(store.list_all("S")->at(0).holder, "me");
  }
  EXPECT_NE(store.list_all("S")->at(0).state, LeaseRecord::State::held);
}

TEST_F(LeasedSnowflakesTest, KeepsItsLease) {
  LeasedSnowflakes ids(kTwitter, store, clock, brief());
  ASSERT_TRUE(ids.next(60s));
  ASSERT_TRUE(soon([&] { return ids.status().raises >= 3; }));
  EXPECT_TRUE(ids.next(60s));
}

TEST_F(LeasedSnowflakesTest, StopsWhenTheStoreIsAwayAndComesBackWithIt) {
  LeasedSnowflakes ids(kTwitter, store, clock, brief());
  const auto before = ids.next(60s);
  ASSERT_TRUE(before);
  store.away = true;
  ASSERT_TRUE(soon([&] { return !ids.next(0ms); })) << "it must not go on for ever";
  const auto refused = ids.next(0ms);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Error::Code::store_unavailable);
  store.away = false;
  const auto after = ids.next(60s);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_GT(*after, *before);
}

TEST_F(LeasedSnowflakesTest, TwoInOneScopeHaveTwoNumbers) {
  LeasedSnowflakes a(kTwitter, store, clock, brief());
  LeasedSnowflakes b(kTwitter, store, clock, brief());
  const auto first = a.next(60s);
  const auto second = b.next(60s);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->machine(kTwitter), second->machine(kTwitter));
}

TEST_F(LeasedSnowflakesTest, SaysWhenNoNumberIsFree) {
  SnowflakeLeaseOptions one = brief();
  one.machine_max = 0;
  LeasedSnowflakes a(kTwitter, store, clock, one);
  ASSERT_TRUE(a.next(60s));
  LeasedSnowflakes b(kTwitter, store, clock, one);
  ASSERT_TRUE(soon([&] { return b.status().failures > 0; }));
  EXPECT_EQ(b.next(0ms).error().code, Error::Code::none_free);
  a.close();
  const auto id = b.next(60s);
  ASSERT_TRUE(id) << id.error().message;
}

TEST_F(LeasedSnowflakesTest, WaitsForTimeWhenTooManyAreWanted) {
  constexpr SnowflakeLayout kSlow{"slow", 1'700'000'000'000, 10, 38, 10, 2, false};
  SnowflakeLeaseOptions no_lead = brief();
  no_lead.lead_max = 0ms;
  LeasedSnowflakes ids(kSlow, store, clock, no_lead);
  std::vector<Snowflake> out(40);  // ten units of 10 ms
  ASSERT_TRUE(ids.next(out, 60s));
  EXPECT_EQ(std::ranges::adjacent_find(out, std::greater_equal<>()), out.end());
  EXPECT_GE(out[39].time(kSlow) - out[0].time(kSlow), 9U);
  std::vector<Snowflake> many(100'000);
  EXPECT_EQ(ids.next(many, 0ms).error().code, Error::Code::overloaded);
}

TEST_F(LeasedSnowflakesTest, ClosesAndStaysClosed) {
  LeasedSnowflakes ids(kTwitter, store, clock, brief());
  ASSERT_TRUE(ids.next(60s));
  ids.close();
  ids.close();
  EXPECT_EQ(ids.next(0ms).error().code, Error::Code::closed);
  EXPECT_EQ(ids.next(60s).error().code, Error::Code::closed);
}

TEST_F(LeasedSnowflakesTest, OptionsWithAFaultAnswerWithIt) {
  SnowflakeLeaseOptions bad = brief();
  bad.machine_min = 1024;
  LeasedSnowflakes ids(kTwitter, store, clock, bad);
  EXPECT_EQ(ids.next(60s).error().code, Error::Code::invalid_request);
  EXPECT_EQ(ids.status().error->code, Error::Code::invalid_request);
  EXPECT_TRUE(store.list_all("")->empty());
}

TEST_F(LeasedSnowflakesTest, WithoutAThreadTheCallerRunsIt) {
  LeasedSnowflakes ids(kTwitter, store, clock, brief(), LeasedSnowflakes::Thread::caller);
  EXPECT_EQ(ids.next(0ms).error().code, Error::Code::timed_out);
  EXPECT_GT(ids.run(), clock.now());
  EXPECT_TRUE(ids.next(0ms));
}

TEST_F(LeasedSnowflakesTest, AChildIsToldAndHarmsNobody) {
  auto ids = std::make_unique<LeasedSnowflakes>(kTwitter, store, clock, brief());
  ASSERT_TRUE(ids->next(60s));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto id = ids->next(0ms);
    const bool told = !id && id.error().code == Error::Code::closed;
    ids.reset();  // releases nothing
    _exit(told ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(ids->next(60s));
}

TEST_F(LeasedSnowflakesTest, NoIdTwiceFromManyObjectsAndThreads) {
  constexpr std::size_t kThreads = 4;
  std::vector<std::vector<std::uint64_t>> got(kThreads);
  std::vector<std::thread> threads;
  LeasedSnowflakes shared(kTwitter, store, clock, brief());
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto end = std::chrono::steady_clock::now() + soak_time();
      for (std::size_t n = 0; n < 3 || std::chrono::steady_clock::now() < end; ++n) {
        if (got[i].size() > 100'000) break;
        LeasedSnowflakes own(kTwitter, store, clock, brief());
        for (LeasedSnowflakes* ids : {&own, &shared}) {
          std::vector<Snowflake> out(1 + n * 37 % 5'000);
          const auto made = ids->next(out, 60s);
          ASSERT_TRUE(made) << made.error().message;
          for (const Snowflake id : out) got[i].push_back(id.value);
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<std::uint64_t> all;
  for (const auto& mine : got) all.insert(all.end(), mine.begin(), mine.end());
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

}  // namespace
}  // namespace tessera
