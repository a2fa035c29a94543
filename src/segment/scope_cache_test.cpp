// What the rules of a scope promise, event by event and in virtual time: nothing is handed out
// before it is confirmed and witnessed; what is lost stays lost; a rewound store stops everything;
// the last number is handed out, and none after it; every number is accounted for.

#include "segment/scope_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/fake_segment_store.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Kind = ScopeCache::Action::Kind;

// A cache, its store, and a clock that is moved by hand.
struct Scene {
  explicit Scene(Scope scope = {.name = "ORDER"}, ScopeCachePolicy policy = {})
      : store(scope), cache(store.state().scope, handout, policy) {}

  FakeSegmentStore store;
  Handout handout;
  ScopeCache cache;
  MonotonicTime now = 1000s;
  std::vector<WitnessMark> marks;
  std::optional<Error> witness_error;

  // One action, if one is due.
  Kind step() {
    const auto action = cache.poll(now);
    const auto asked = cache.ask(action.count, now);
    if (action.kind == Kind::find) cache.found(asked, store.find("ORDER"), now);
    if (action.kind == Kind::draw) {
      const auto answer = store.draw({.scope = "ORDER", .count = action.count});
      if (const auto mark = cache.drawn(asked, answer, now)) {
        marks.push_back(*mark);
        cache.published(witness_error, now);
      }
    }
    return action.kind;
  }
  void settle() {
    for (int i = 0; i < 20 && step() != Kind::nothing; ++i) {
    }
  }
  // As a caller would: asks, waits for the store, gets or does not.
  std::vector<Segment> take(std::uint64_t count) {
    std::vector<Segment> out;
    cache.wait(count);
    settle();
    if (cache.cached() >= count) cache.take(count, out);
    cache.wait_no_longer(count);
    settle();
    return out;
  }
  std::optional<Segment> take_contiguous(std::uint64_t count) {
    cache.wait_contiguous(count);
    settle();
    const auto range = cache.take_contiguous(count);
    cache.wait_contiguous_no_longer(count);
    settle();
    return range;
  }
  AllocatorStatus status() {
    const AllocatorStatus status = cache.status(now);
    EXPECT_EQ(status.drawn, status.issued + status.abandoned + status.cached);
    return status;
  }
  AllocatorHealth health() { return status().health; }
};

using Ranges = std::vector<Segment>;

TEST(ScopeCache, AsksNothingBeforeAnybodyAsks) {
  Scene scene;
  const auto action = scene.cache.poll(scene.now);
  EXPECT_EQ(action.kind, Kind::nothing);
  EXPECT_EQ(action.wake, ScopeCache::kNever);
  EXPECT_EQ(scene.health(), AllocatorHealth::healthy);
  scene.cache.wake_up();
  scene.settle();
  EXPECT_EQ(scene.status().cached, 1000u);
}

TEST(ScopeCache, AsksForTheScopeAndThenForOneStep) {
  Scene scene;
  EXPECT_EQ(scene.take(1), (Ranges{{1, 2}}));
  EXPECT_EQ(scene.store.counts(), (std::vector<std::uint64_t>{1000}));
  EXPECT_EQ(scene.marks, (std::vector<WitnessMark>{{1, 1000}}));
  EXPECT_EQ(scene.status().issued, 1u);
  EXPECT_EQ(scene.status().cached, 999u);
}

TEST(ScopeCache, HandsOutNothingBeforeTheWitnessHasSeenIt) {
  Scene scene;
  scene.cache.wait(1);
  EXPECT_EQ(scene.step(), Kind::find);
  const auto action = scene.cache.poll(scene.now);
  ASSERT_EQ(action.kind, Kind::draw);
  const auto asked = scene.cache.ask(action.count, scene.now);
  const auto mark =
      scene.cache.drawn(asked, scene.store.draw({.scope = "ORDER", .count = 1000}), scene.now);
  ASSERT_EQ(mark, (WitnessMark{1, 1000}));
  EXPECT_EQ(scene.handout.take(1).count, 0u);
  EXPECT_EQ(scene.cache.poll(scene.now).kind, Kind::nothing);  // one at a time
  scene.cache.published(std::nullopt, scene.now);
  EXPECT_EQ(scene.handout.take(1).first, 1u);
}

TEST(ScopeCache, ARangeThatTheWitnessCouldNotSeeIsNeverUsed) {
  Scene scene;
  scene.witness_error = Error{Error::Code::store_failed, "disk full", ""};
  EXPECT_EQ(scene.take(1), Ranges{});
  EXPECT_EQ(scene.status().abandoned, 1000u);
  EXPECT_EQ(scene.health(), AllocatorHealth::empty);
  EXPECT_EQ(scene.cache.refusal()->message, "disk full");
  scene.witness_error.reset();
  scene.now += 1s;
  EXPECT_EQ(scene.take(1), (Ranges{{1001, 1002}}));
  EXPECT_EQ(scene.health(), AllocatorHealth::healthy);
}

TEST(ScopeCache, ABatchLargerThanTheStepIsOneDraw) {
  Scene scene;
  EXPECT_EQ(scene.take(250'000), (Ranges{{1, 250'001}}));
  EXPECT_EQ(scene.store.counts().front(), 250'000u);
}

TEST(ScopeCache, ABatchAcrossSegmentsHasOneRangeForEach) {
  Scene scene;
  scene.take(1);
  scene.store.rewind(5000);  // somebody else drew 1001 to 5000
  EXPECT_EQ(scene.take(1500), (Ranges{{2, 1001}, {5001, 5502}}));
}

TEST(ScopeCache, NumbersInARowComeFromTheCache) {
  Scene scene;
  EXPECT_EQ(scene.take(1), (Ranges{{1, 2}}));
  EXPECT_EQ(scene.cache.take_contiguous(100), (Segment{2, 102}));
  EXPECT_EQ(scene.take(1), (Ranges{{102, 103}}));
  EXPECT_EQ(scene.store.counts().size(), 1u);
  EXPECT_EQ(scene.cache.take_contiguous(899), std::nullopt);
  EXPECT_EQ(scene.status().cached, 898u) << "asking costs nothing";
  EXPECT_EQ(scene.status().issued, 102u);
}

TEST(ScopeCache, NumbersInARowGoOnWhereTheSegmentEnds) {
  Scene scene;
  scene.take(1);
  EXPECT_EQ(scene.take_contiguous(2500), (Segment{2, 2502}));
  EXPECT_EQ(scene.status().abandoned, 0u);
  EXPECT_EQ(scene.take(1), (Ranges{{2502, 2503}}));
}

TEST(ScopeCache, NumbersInARowLeaveARestThatIsTooSmallAndCountIt) {
  Scene scene;
  scene.take(1);
  ASSERT_TRUE(scene.store.draw({.scope = "ORDER", .count = 10}));  // another process: 1001 to 1010
  EXPECT_EQ(scene.take_contiguous(1500), (Segment{1011, 2511})) << "one piece, drawn as one";
  EXPECT_EQ(scene.status().abandoned, 999u);
  const auto after = scene.take(1);
  ASSERT_EQ(after.size(), 1u);
  EXPECT_GE(after[0].first, 2511u) << "never smaller ones afterwards";
}

TEST(ScopeCache, ARestIsKeptForOthersUntilTheRowIsThere) {
  Scene scene;
  scene.take(1);
  scene.store.fail_draws(1, Error::Code::store_unavailable);
  EXPECT_EQ(scene.take_contiguous(1500), std::nullopt);
  EXPECT_EQ(scene.take(1), (Ranges{{2, 3}}));
  EXPECT_EQ(scene.status().abandoned, 0u);
}

TEST(ScopeCache, MoreInARowThanAreLeftIsRefusedAndDrawsNothing) {
  Scene scene({.name = "ORDER", .min = 1, .max = 1500});
  scene.take(1);
  EXPECT_EQ(scene.take_contiguous(1600), std::nullopt);
  ASSERT_TRUE(scene.cache.refusal_contiguous(1600));
  EXPECT_EQ(scene.cache.refusal_contiguous(1600)->code, Error::Code::exhausted);
  EXPECT_FALSE(scene.cache.refusal());
  EXPECT_EQ(scene.store.counts().size(), 1u);
  EXPECT_EQ(scene.take(1), (Ranges{{2, 3}})) << "others get what is left";
  EXPECT_EQ(scene.take_contiguous(500), (Segment{3, 503}));
}

// Others have drawn more than we know of; the store says so.
TEST(ScopeCache, MoreInARowThanOthersHaveLeftIsFoundOut) {
  Scene scene({.name = "ORDER", .min = 1, .max = 5000});
  scene.take(1);
  ASSERT_TRUE(scene.store.draw({.scope = "ORDER", .count = 3000}));
  EXPECT_EQ(scene.take_contiguous(3000), std::nullopt);
  ASSERT_TRUE(scene.cache.refusal_contiguous(3000));
  EXPECT_EQ(scene.take(1), (Ranges{{2, 3}}));
}

TEST(ScopeCache, NumbersInARowCountAsDemand) {
  Scene scene;
  for (int i = 0; i < 2000; ++i) {  // a million a second
    scene.now += 1ms;
    ASSERT_TRUE(scene.take_contiguous(1000));
  }
  const auto before = scene.store.counts().size();
  EXPECT_LE(before, 20u);
  for (int i = 0; i < 10'000; ++i) {
    scene.now += 1ms;
    ASSERT_TRUE(scene.take_contiguous(1000));
  }
  EXPECT_LE(scene.store.counts().size() - before, 10u) << "no more than one draw a second";
  EXPECT_EQ(scene.status().abandoned, 0u) << "nobody else draws, so one range goes on in the next";
}

TEST(ScopeCache, ALostAnswerBurnsTheRange) {
  Scene scene;
  scene.store.lose_answers(1);
  EXPECT_EQ(scene.take(1), Ranges{});
  EXPECT_EQ(scene.status().unknown, 1000u);
  EXPECT_EQ(scene.health(), AllocatorHealth::empty);
  scene.now += 1s;
  EXPECT_EQ(scene.take(1), (Ranges{{1001, 1002}}));
}

TEST(ScopeCache, BacksOffFromFiftyMillisecondsToFiveSeconds) {
  Scene scene;
  scene.cache.wait(1);
  scene.store.fail_finds(1000, Error::Code::store_unavailable);
  for (int failures = 0; failures < 12; ++failures) {
    EXPECT_EQ(scene.step(), Kind::find);
    const auto action = scene.cache.poll(scene.now);
    ASSERT_EQ(action.kind, Kind::nothing);
    const auto full = std::min<MonotonicTime>(50ms * (1 << failures), 5s);
    EXPECT_LE(action.wake - scene.now, full);
    EXPECT_GT(action.wake - scene.now, full / 2 - 1ns);
    scene.now = action.wake;
  }
}

TEST(ScopeCache, JitterIsPlayedAgainWithTheSameSeed) {
  const auto wakes = [](std::uint64_t seed) {
    Scene scene({.name = "ORDER"}, {.jitter_seed = seed});
    scene.cache.wait(1);
    scene.store.fail_finds(1000, Error::Code::store_unavailable);
    std::vector<MonotonicTime> times;
    for (int i = 0; i < 8; ++i) {
      scene.step();
      times.push_back(scene.now = scene.cache.poll(scene.now).wake);
    }
    return times;
  };
  EXPECT_EQ(wakes(1), wakes(1));
  EXPECT_NE(wakes(1), wakes(2));
}

// healthy -> degraded -> draining -> empty -> healthy, as the store is away and returns.
TEST(ScopeCache, GoesThroughItsStatesWhenTheStoreIsAway) {
  Scene scene;
  for (int i = 0; i < 1200; ++i) {  // 1,000 a second for a minute
    scene.take(50);
    scene.now += 50ms;
  }
  EXPECT_EQ(scene.health(), AllocatorHealth::healthy);
  EXPECT_GT(scene.status().runway_s, 20);
  scene.store.fail_draws(100'000, Error::Code::store_unavailable);
  std::vector<AllocatorHealth> seen{AllocatorHealth::healthy};
  double served_s = 0;
  for (int i = 0; i < 2000 && seen.back() != AllocatorHealth::empty; ++i) {
    if (!scene.take(std::clamp<std::uint64_t>(scene.cache.cached(), 1, 50)).empty())
      served_s += 0.05;
    scene.now += 50ms;
    if (scene.health() != seen.back()) seen.push_back(scene.health());
  }
  EXPECT_EQ(seen, (std::vector{AllocatorHealth::healthy, AllocatorHealth::degraded,
                               AllocatorHealth::draining, AllocatorHealth::empty}));
  EXPECT_GE(served_s, 20);  // half of the outage horizon, less what the slow average lags behind
  EXPECT_EQ(scene.status().runway_s, 0);
  scene.store.fail_draws(0, Error::Code::store_unavailable);
  scene.now += 5s;
  EXPECT_EQ(scene.take(50).size(), 1u);
  EXPECT_EQ(scene.health(), AllocatorHealth::healthy);
}

TEST(ScopeCache, AnOutageDoesNotLookLikeDemand) {
  Scene scene;
  for (int i = 0; i < 600; ++i) {
    scene.take(5);
    scene.now += 50ms;
  }
  scene.store.fail_draws(1'000'000, Error::Code::store_unavailable);
  for (int i = 0; i < 4000; ++i) {  // 200 s; everybody tries again and again
    for (int retry = 0; retry < 10; ++retry) scene.take(5);
    scene.now += 50ms;
  }
  scene.store.fail_draws(0, Error::Code::store_unavailable);
  scene.now += 5s;
  const std::uint64_t before = scene.status().drawn;
  EXPECT_EQ(scene.take(5).size(), 1u);
  EXPECT_LE(scene.status().drawn - before, 60'000u);
}

TEST(ScopeCache, ABurstOfAHundredTimesIsDrawnForInAFewDraws) {
  Scene scene;
  for (int i = 0; i < 1200; ++i) {
    scene.take(50);
    scene.now += 50ms;
  }
  const std::size_t before = scene.store.counts().size();
  for (int i = 0; i < 500; ++i) {            // 100,000 a second for five seconds
    ASSERT_GT(scene.cache.cached(), 1000u);  // never waits for the store
    scene.take(1000);
    scene.now += 10ms;
  }
  EXPECT_LE(scene.store.counts().size() - before, 12u);
}

// Demand in steps of 100 microseconds, and a store that takes its time for every answer.
struct SlowStore {
  explicit SlowStore(MonotonicTime round_trip_time) : round_trip(round_trip_time) {}

  MonotonicTime round_trip;
  Scene scene;
  MonotonicTime answer_at = ScopeCache::kNever;
  ScopeCache::Action action;
  ScopeCache::Asked asked;
  double wanted = 0;
  MonotonicTime stall{};
  MonotonicTime longest_stall{};
  std::uint64_t draws = 0;

  void run(double rate, MonotonicTime duration) {
    constexpr MonotonicTime kStep = 100us;
    for (const MonotonicTime end = scene.now + duration; scene.now < end; scene.now += kStep) {
      if (scene.now >= answer_at) answer();
      wanted += rate * std::chrono::duration<double>(kStep).count();
      std::vector<Segment> out;
      const auto whole = static_cast<std::uint64_t>(wanted);
      wanted -= static_cast<double>(scene.cache.take(std::min(whole, scene.cache.cached()), out));
      stall = wanted < 1 ? 0ns : stall + kStep;
      longest_stall = std::max(longest_stall, stall);
      if (answer_at == ScopeCache::kNever) ask();
    }
  }
  void ask() {
    scene.cache.wait(static_cast<std::uint64_t>(wanted));
    action = scene.cache.poll(scene.now);
    asked = scene.cache.ask(action.count, scene.now);
    scene.cache.wait_no_longer(static_cast<std::uint64_t>(wanted));
    if (action.kind != Kind::nothing) answer_at = scene.now + round_trip;
  }
  void answer() {
    answer_at = ScopeCache::kNever;
    if (action.kind == Kind::find) {
      scene.cache.found(asked, scene.store.find("ORDER"), scene.now);
    } else if (scene.cache.drawn(asked, scene.store.draw({.scope = "ORDER", .count = action.count}),
                                 scene.now)) {
      ++draws;
      scene.cache.published(std::nullopt, scene.now);
    }
  }
};

TEST(ScopeCache, ABurstOfAHundredTimesStallsNoLongerThanOneRoundTrip) {
  for (const MonotonicTime round_trip : {1ms, 3ms, 20ms}) {
    SlowStore slow(round_trip);
    slow.run(10'000, 20s);
    slow.longest_stall = 0ns;
    slow.run(1'000'000, 2s);
    EXPECT_LE(slow.longest_stall, round_trip + 100us);
  }
}

TEST(ScopeCache, AMillionASecondFromColdStallsOnlyUntilTheDrawsHaveGrown) {
  SlowStore slow(3ms);
  slow.run(1'000'000, 500ms);
  // The first call waits for the scope and for a range; then the draws grow by sixteen.
  EXPECT_LE(slow.longest_stall, 4 * 3ms);
  slow.longest_stall = 0ns;
  const std::uint64_t before = slow.draws;
  slow.run(1'000'000, 5s);
  EXPECT_EQ(slow.longest_stall, 0ns);
  EXPECT_LE(slow.draws - before, 20u);
}

TEST(ScopeCache, ARewoundStoreStopsEverything) {
  Scene scene;
  scene.take(400);
  scene.store.rewind(500);
  EXPECT_EQ(scene.take(601), Ranges{});  // has to draw, and gets 501 and so on
  EXPECT_EQ(scene.health(), AllocatorHealth::poisoned);
  EXPECT_EQ(scene.cache.refusal()->code, Error::Code::store_rewound);
  EXPECT_EQ(scene.handout.take(1).count, 0u);  // somebody else may hold what is cached
  EXPECT_EQ(scene.status().cached, 0u);
  scene.now += 3600s;
  EXPECT_EQ(scene.take(1), Ranges{});
}

// InnoDB shows a commit before it is on disk: a crash takes it back, and nobody has got a number.
TEST(ScopeCache, AMarkThatWasOnlyReadIsNotHeldAgainstTheStoreAtOnce) {
  Scene scene;
  scene.store.rewind(700);
  scene.cache.wait(1);
  ASSERT_EQ(scene.step(), Kind::find);
  EXPECT_EQ(scene.status().high_water, 700);
  scene.store.rewind(500);
  EXPECT_EQ(scene.take(1), (Ranges{{501, 502}}));
  EXPECT_EQ(scene.health(), AllocatorHealth::healthy);
}

TEST(ScopeCache, AMarkThatStoodThereForAWhileIsHeldAgainstTheStore) {
  Scene scene;
  scene.take(1000);
  scene.store.rewind(7000);  // others have drawn
  scene.now += 61s;
  scene.settle();  // reads 7000
  scene.now += 61s;
  scene.settle();  // and again
  scene.store.rewind(6999);
  EXPECT_EQ(scene.take(1001), Ranges{});
  EXPECT_EQ(scene.health(), AllocatorHealth::poisoned);
}

TEST(ScopeCache, AnEarlierEpochIsARewoundStore) {
  Scene scene;
  scene.store.set_epoch(3);
  scene.take(1000);
  scene.store.set_epoch(2);
  EXPECT_EQ(scene.take(1001), Ranges{});
  EXPECT_EQ(scene.health(), AllocatorHealth::poisoned);
}

TEST(ScopeCache, ResumesOnceTheStoreIsAboveAllThatWasSeen) {
  Scene scene;
  scene.take(1000);
  scene.take(1);
  scene.store.rewind(500);
  scene.take(5000);
  ASSERT_EQ(scene.health(), AllocatorHealth::poisoned);
  EXPECT_EQ(scene.cache.mark(), (WitnessMark{2, 2000}));
  EXPECT_EQ(scene.cache.alarm(), (WitnessMark{2, 2000}));
  EXPECT_EQ(scene.cache.alarm(), std::nullopt);
  // By drawing, the store has come beyond all that we know. It is the rewound store all the same.
  EXPECT_GT(scene.store.state().high_water, 2000);
  scene.cache.resume(scene.now);
  EXPECT_EQ(scene.take(1), Ranges{});
  EXPECT_EQ(scene.health(), AllocatorHealth::poisoned);
  scene.store.advance(1999);  // not far enough
  scene.cache.resume(scene.now);
  EXPECT_EQ(scene.take(1), Ranges{});
  EXPECT_EQ(scene.health(), AllocatorHealth::poisoned);
  scene.store.advance(10'000);
  scene.cache.resume(scene.now);
  EXPECT_EQ(scene.take(1), (Ranges{{10'001, 10'002}}));
  EXPECT_EQ(scene.health(), AllocatorHealth::healthy);
}

TEST(ScopeCache, ANewEpochEndsWhatWasCachedUnderTheOld) {
  Scene scene;
  scene.take(600);
  scene.store.advance(50'000);
  scene.now += 61s;  // asks for step and epoch once a minute
  EXPECT_EQ(scene.take(1), (Ranges{{50'001, 50'002}}));
  EXPECT_EQ(scene.status().epoch, 2);
  EXPECT_GE(scene.status().abandoned, 400u);
}

TEST(ScopeCache, AWitnessMarkAboveTheStoreIsARewoundStore) {
  for (const auto& [mark, fine] : std::vector<std::pair<WitnessMark, bool>>{
           {{1, 0}, true}, {{1, 100}, true}, {{1, 101}, false}, {{2, 50}, false}}) {
    Scene scene;
    scene.store.rewind(100);
    scene.cache.remember(mark);
    EXPECT_EQ(!scene.take(1).empty(), fine) << mark.epoch << " " << mark.high_water;
    EXPECT_EQ(scene.health(), fine ? AllocatorHealth::healthy : AllocatorHealth::poisoned);
  }
}

struct LimitCase {
  std::int64_t min;
  std::int64_t max;
  std::int64_t step;
  std::uint64_t count;  // of numbers in all
};

class ScopeCacheLimits : public testing::TestWithParam<LimitCase> {};

TEST_P(ScopeCacheLimits, HandsOutTheLastNumberAndNoneAfterIt) {
  const LimitCase& limit = GetParam();
  Scene scene({.name = "ORDER", .min = limit.min, .max = limit.max, .step = limit.step});
  std::uint64_t expected = static_cast<std::uint64_t>(limit.min);
  for (std::uint64_t i = 0; i < limit.count; ++i) {
    ASSERT_EQ(scene.take(1), (Ranges{{expected, expected + 1}}));
    ++expected;
    scene.now += 1ms;
  }
  EXPECT_EQ(expected - 1, static_cast<std::uint64_t>(limit.max));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(scene.take(1), Ranges{});
    ASSERT_TRUE(scene.cache.refusal());
    EXPECT_EQ(scene.cache.refusal()->code, Error::Code::exhausted);
    EXPECT_EQ(scene.health(), AllocatorHealth::exhausted);
    scene.now += 3600s;
  }
  EXPECT_EQ(scene.status().issued, limit.count);
  EXPECT_EQ(scene.status().abandoned, 0u);
}

constexpr std::int64_t kJs = Scope::kJsSafeMax;
constexpr std::int64_t kMax = Scope::kMax;
INSTANTIATE_TEST_SUITE_P(
    AtEveryLimit, ScopeCacheLimits,
    testing::Values(LimitCase{1, 1, 1000, 1}, LimitCase{0, 0, 1, 1}, LimitCase{kMax, kMax, 1, 1},
                    LimitCase{kMax, kMax, 1000, 1}, LimitCase{kJs, kJs, 1000, 1},
                    LimitCase{kMax - 9, kMax, 1000, 10}, LimitCase{kMax - 9, kMax, 3, 10},
                    LimitCase{kMax - 9, kMax, 10, 10}, LimitCase{kMax - 9, kMax, 9, 10},
                    LimitCase{kJs - 24, kJs, 10, 25}, LimitCase{1, 2500, 1000, 2500},
                    LimitCase{1, 1001, 1000, 1001}, LimitCase{0, 999, 1000, 1000}));

TEST(ScopeCache, TheWholeRangeOfSixtyThreeBitsHasNoOverflow) {
  Scene scene({.name = "ORDER", .min = 0, .max = kMax});
  EXPECT_EQ(scene.take(3), (Ranges{{0, 3}}));
}

TEST(ScopeCache, DrawsTheExactRemainderWhenOthersHaveTakenTheRest) {
  Scene scene({.name = "ORDER", .max = 5000});
  scene.take(1000);
  scene.store.rewind(4993);  // others: 1001 (or 2001) to 4993
  std::uint64_t last = 0;
  std::uint64_t after = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto ranges = scene.take(1);
    if (ranges.empty()) break;
    last = ranges.front().first;
    after += last > 4993 ? 1 : 0;
  }
  EXPECT_EQ(last, 5000u);
  EXPECT_EQ(after, 7u);
  EXPECT_EQ(scene.health(), AllocatorHealth::exhausted);
}

TEST(ScopeCache, ABatchThatIsTooLargeForTheRestLeavesItToOthers) {
  Scene scene({.name = "ORDER", .max = 10, .step = 3});
  EXPECT_EQ(scene.take(11), Ranges{});
  EXPECT_EQ(scene.cache.refusal()->code, Error::Code::exhausted);
  EXPECT_EQ(scene.take(10), (Ranges{{1, 11}}));
}

TEST(ScopeCache, ARangeThatWasNotAskedForIsNotUsed) {
  for (const Segment segment :
       {Segment{1, 1}, Segment{1, 1002}, Segment{1, 1000}, Segment{5, 2}, Segment{0, 1000},
        Segment{1'000'000, 1'001'000}, Segment{~std::uint64_t{0} - 1000, ~std::uint64_t{0}}}) {
    Scene scene({.name = "ORDER", .max = 1'000'000});
    scene.cache.wait(1);
    scene.step();
    const auto action = scene.cache.poll(scene.now);
    ASSERT_EQ(action.kind, Kind::draw);
    const auto asked = scene.cache.ask(action.count, scene.now);
    EXPECT_EQ(scene.cache.drawn(asked, Draw{segment, 1, 1, false}, scene.now), std::nullopt);
    EXPECT_EQ(scene.cache.last_error()->code, Error::Code::store_failed);
    EXPECT_EQ(scene.handout.take(1).count, 0u);
    scene.cache.wait_no_longer(1);
  }
}

TEST(ScopeCache, ForgetsOldRangesAndSleepsUntilItIsAsked) {
  Scene scene;
  scene.take(1);
  scene.now += 3599s;
  scene.settle();
  EXPECT_EQ(scene.status().cached, 999u);
  scene.now += 1s;
  scene.settle();
  EXPECT_EQ(scene.status().cached, 0u);
  EXPECT_EQ(scene.status().abandoned, 999u);
  scene.now += 10 * 3600s;
  scene.settle();
  EXPECT_EQ(scene.store.counts().size(), 1u);  // nobody asked: nothing drawn
  EXPECT_EQ(scene.take(1), (Ranges{{1001, 1002}}));
}

// Who waits when a range gets too old wants more than there was, and must not be forgotten with it.
TEST(ScopeCache, DoesNotSleepWhileSomebodyWaits) {
  Scene pieces;
  pieces.take(1);
  pieces.now += 3600s;
  EXPECT_EQ(pieces.take(1500), (Ranges{{1001, 2501}}));
  Scene row;
  row.take(1);
  row.now += 3600s;
  EXPECT_EQ(row.take_contiguous(1500), (Segment{1001, 2501}));
}

TEST(ScopeCache, TakesTheStepOfTheStore) {
  Scene scene;
  scene.take(1);
  scene.store.set_step(5000);
  scene.now += 61s;
  scene.take(1000);
  EXPECT_EQ(scene.store.counts().back(), 5000u);
}

TEST(ScopeCache, AnswersAfterCloseAreAbandoned) {
  Scene scene;
  scene.cache.wait(1);
  scene.step();
  const auto action = scene.cache.poll(scene.now);
  ASSERT_EQ(action.kind, Kind::draw);
  const auto asked = scene.cache.ask(action.count, scene.now);
  const auto answer = scene.store.draw({.scope = "ORDER", .count = 1000});
  scene.cache.close();
  EXPECT_EQ(scene.cache.drawn(asked, answer, scene.now), std::nullopt);
  EXPECT_EQ(scene.status().abandoned, 1000u);
  EXPECT_EQ(scene.health(), AllocatorHealth::closed);
  EXPECT_EQ(scene.cache.refusal()->code, Error::Code::closed);
  scene.cache.wait_no_longer(1);
}

TEST(ScopeCache, ASlowAnswerIsNotARewoundStore) {
  Scene scene;
  scene.take(1);
  // Two direct draws under way at once; the later range arrives first.
  const auto first = scene.cache.ask(10, scene.now);
  const auto second = scene.cache.ask(10, scene.now);
  const auto low = scene.store.draw({.scope = "ORDER", .count = 10});
  const auto high = scene.store.draw({.scope = "ORDER", .count = 10});
  EXPECT_EQ(scene.cache.drawn_directly(second, *high), std::nullopt);
  EXPECT_EQ(scene.cache.drawn_directly(first, *low), std::nullopt);
  EXPECT_EQ(scene.health(), AllocatorHealth::healthy);
}

TEST(ScopeCache, HopelessErrorsAreToldAtOnceAndOthersWaitedFor) {
  for (const auto& row : error_code_texts()) {
    if (row.code == Error::Code::exhausted || row.code == Error::Code::store_rewound) continue;
    Scene scene;
    scene.store.fail_draws(1, row.code);
    scene.cache.wait(1);
    scene.settle();
    EXPECT_EQ(scene.cache.refusal().has_value(), !row.retry) << row.name;
    scene.now += 10s;  // all are tried again
    scene.settle();
    EXPECT_EQ(scene.cache.cached(), 1000u) << row.name;
    EXPECT_FALSE(scene.cache.refusal());
    scene.cache.wait_no_longer(1);
  }
}

TEST(AllocatorHealth, HasANameForEveryState) {
  EXPECT_EQ(name_of(AllocatorHealth::healthy), "healthy");
  EXPECT_EQ(name_of(AllocatorHealth::degraded), "degraded");
  EXPECT_EQ(name_of(AllocatorHealth::draining), "draining");
  EXPECT_EQ(name_of(AllocatorHealth::empty), "empty");
  EXPECT_EQ(name_of(AllocatorHealth::exhausted), "exhausted");
  EXPECT_EQ(name_of(AllocatorHealth::poisoned), "poisoned");
  EXPECT_EQ(name_of(AllocatorHealth::closed), "closed");
}

}  // namespace
}  // namespace tessera
