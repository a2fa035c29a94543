// What the rule of refilling promises: one step for a scope that nobody hurries; enough for an
// outage at the usual rate and for a burst at the present one; no draw grows more than sixteen
// times, none takes more than a thousandth of what is left ahead of demand, none exceeds what is
// left; an outage does not look like demand.

#include "tessera/segment/refill.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

namespace tessera {
namespace {

using namespace std::chrono_literals;

constexpr RefillPolicy kPolicy;
constexpr std::uint64_t kAll = static_cast<std::uint64_t>(Scope::kMax);

TEST(RateMeter, FollowsASteadyRateInBothAverages) {
  RateMeter meter(kPolicy);
  MonotonicTime now = 1s;
  meter.add(0, now);
  for (int i = 0; i < 6000; ++i) meter.add(50, now += 50ms);
  EXPECT_NEAR(meter.fast(), 1000, 1);
  EXPECT_NEAR(meter.slow(), 1000, 1);
}

TEST(RateMeter, SeesABurstAtOnceInTheFastAverageOnly) {
  RateMeter meter(kPolicy);
  MonotonicTime now = 1s;
  meter.add(0, now);
  for (int i = 0; i < 6000; ++i) meter.add(50, now += 50ms);
  for (int i = 0; i < 4; ++i) meter.add(5000, now += 50ms);
  EXPECT_GT(meter.fast(), 80'000);
  EXPECT_LT(meter.slow(), 2'000);
  EXPECT_EQ(meter.highest(), meter.fast());
}

TEST(RateMeter, CountsWhatHappensAtOneMomentOnce) {
  RateMeter meter(kPolicy);
  meter.add(0, 1s);
  meter.add(500, 1s);
  meter.add(500, 1s);
  EXPECT_EQ(meter.fast(), 0);
  meter.add(0, 2s);
  EXPECT_NEAR(meter.fast(), 1000, 1);
}

TEST(RateMeter, ForgetsNothingWhileThereIsNothingToHandOut) {
  RateMeter meter(kPolicy);
  meter.add(0, 1s);
  meter.add(1000, 2s);
  const double slow = meter.slow();
  meter.skip(3600s);
  EXPECT_EQ(meter.slow(), slow);
  meter.add(1000, 3601s);
  EXPECT_GT(meter.slow(), slow);
}

TEST(RateMeter, IgnoresAClockThatStepsBack) {
  RateMeter meter(kPolicy);
  meter.add(0, 10s);
  meter.add(100, 11s);
  const double fast = meter.fast();
  meter.add(100, 5s);
  EXPECT_EQ(meter.fast(), fast);
}

TEST(FetchTimes, IsTheLongestOfTheLastSixtyFour) {
  FetchTimes times;
  EXPECT_EQ(times.p99(), 0ns);
  times.add(300ms);
  for (int i = 0; i < 63; ++i) times.add(3ms);
  EXPECT_EQ(times.p99(), 300ms);
  times.add(3ms);
  EXPECT_EQ(times.p99(), 3ms);
}

TEST(Refill, TargetIsTheLongestOfOutageBurstAndStep) {
  const auto target = [](RefillState state) {
    state.remaining = kAll;
    return refill_target(kPolicy, state);
  };
  EXPECT_EQ(target({.slow = 0, .fast = 0}), 1000u);
  EXPECT_EQ(target({.slow = 10, .fast = 0}), 1000u);
  EXPECT_EQ(target({.slow = 1000, .fast = 1000}), 60'000u);
  EXPECT_EQ(target({.slow = 1000, .fast = 100'000}), 200'000u);
  EXPECT_EQ(target({.slow = 1e9, .fast = 1e9}), 10'000'000u);
  EXPECT_EQ(target({.slow = 1e300, .fast = 1e300}), 10'000'000u);
  // 8 x 500 ms are more than 2 s.
  EXPECT_EQ(target({.slow = 0, .fast = 1000, .fetch_p99 = 500ms}), 4'000u);
  EXPECT_EQ(target({.slow = 0, .fast = 1000, .fetch_p99 = 100ms}), 2'000u);
}

TEST(Refill, DrawsBelowHalfOfTheTargetAndNotBefore) {
  RefillState state{.slow = 1000, .fast = 1000, .last_draw = 60'000, .remaining = kAll};
  state.cached = 30'000;
  EXPECT_EQ(refill_count(kPolicy, state), 0u);
  state.cached = 29'999;
  EXPECT_EQ(refill_count(kPolicy, state), 30'001u);
  state.cached = 0;
  EXPECT_EQ(refill_count(kPolicy, state), 60'000u);
}

TEST(Refill, DrawsOfOneNumberWork) {
  EXPECT_EQ(refill_count(kPolicy, {.step = 1, .remaining = 10}), 1u);
  EXPECT_EQ(refill_count(kPolicy, {.cached = 1, .step = 1, .remaining = 10}), 0u);
}

TEST(Refill, GrowsSixteenTimesAtMost) {
  RefillState state{.fast = 1e6, .last_draw = 0, .remaining = kAll};
  EXPECT_EQ(refill_count(kPolicy, state), 16'000u);
  state.last_draw = 16'000;
  EXPECT_EQ(refill_count(kPolicy, state), 256'000u);
  state.last_draw = 256'000;
  EXPECT_EQ(refill_count(kPolicy, state), 2'000'000u);
}

TEST(Refill, WhatCallersWaitForIsDrawnAtOnce) {
  RefillState state{.waiting = 1'000'000, .remaining = kAll};
  EXPECT_EQ(refill_count(kPolicy, state), 1'000'000u);
  state.waiting = 2 * Scope::kDrawMax;
  EXPECT_EQ(refill_count(kPolicy, state), 10'000'000u);
  state.remaining = 5000;
  EXPECT_EQ(refill_count(kPolicy, state), 5000u);
}

TEST(Refill, WhatIsWantedInARowIsDrawnInOnePiece) {
  RefillState state{.cached = 900, .waiting = 1000, .step = 100, .remaining = kAll};
  EXPECT_EQ(refill_count(kPolicy, state), 100u);
  state.in_one_piece = true;
  EXPECT_EQ(refill_count(kPolicy, state), 1000u);
  state.waiting = 2 * Scope::kDrawMax;
  EXPECT_EQ(refill_count(kPolicy, state), static_cast<std::uint64_t>(Scope::kDrawMax));
}

TEST(Refill, TheEndOfARangeIsTakenInSmallSteps) {
  EXPECT_EQ(draw_max({.step = 1000, .remaining = kAll}), 10'000'000u);
  EXPECT_EQ(draw_max({.step = 1000, .remaining = 2'000'000'000}), 2'000'000u);
  EXPECT_EQ(draw_max({.step = 1000, .remaining = 999'999}), 1000u);
  EXPECT_EQ(draw_max({.step = 1'000'000, .remaining = 5}), 1'000'000u);
  const RefillState busy{.slow = 1e9, .fast = 1e9, .last_draw = 10'000'000, .remaining = 999'999};
  EXPECT_EQ(refill_count(kPolicy, busy), 1000u);
}

TEST(Refill, DrawsNoMoreThanIsLeft) {
  EXPECT_EQ(refill_count(kPolicy, {.remaining = 3}), 3u);
  EXPECT_EQ(refill_count(kPolicy, {.remaining = 0}), 0u);
}

RC_GTEST_PROP(Refill, StaysWithinItsBounds, ()) {
  const auto up_to = [](std::uint64_t max) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, max));
  };
  const RefillState state{.slow = static_cast<double>(up_to(1 << 30)),
                          .fast = static_cast<double>(up_to(1 << 30)),
                          .fetch_p99 = std::chrono::milliseconds(up_to(10'000)),
                          .cached = up_to(1 << 25),
                          .waiting = up_to(1 << 25),
                          .last_draw = up_to(Scope::kDrawMax),
                          .step = 1 + up_to(Scope::kStepMax),
                          .remaining = up_to(kAll) >> up_to(63)};
  const std::uint64_t count = refill_count(kPolicy, state);
  RC_ASSERT(count <= state.remaining);
  RC_ASSERT(count <= static_cast<std::uint64_t>(Scope::kDrawMax));
  RC_ASSERT(refill_target(kPolicy, state) >= 1);
  // Foresight alone never caches more than a draw.
  if (state.waiting == 0 && count > 0) {
    RC_ASSERT(state.cached + count <= std::max(draw_max(state), state.cached + state.step));
  }
  if (state.waiting > state.cached && state.remaining > 0) RC_ASSERT(count > 0);
}

}  // namespace
}  // namespace tessera
