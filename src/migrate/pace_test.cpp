// Batches come to take what they should, give way at once to who waits, and never leave their
// bounds, whatever is measured.

#include "tessera/migrate/pace.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <optional>

namespace tessera::migrate {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// How large batches become of a table of which a row takes `us` microseconds: if it is to be fast,
// or, if it is not, beside clients that a probe feels like.
std::int64_t settled(PaceLimits limits, std::int64_t us, int batches,
                     std::optional<microseconds> probe = std::nullopt) {
  limits.fast = !probe;
  Pace pace(limits);
  if (probe) pace.begin(100'000'000, *probe);
  for (int i = 0; i < batches; ++i)
    pace.batch_done(pace.batch_rows(), microseconds(pace.batch_rows() * us), 0);
  return pace.batch_rows();
}

TEST(Pace, ComesToTheTargetFromBothSides) {
  EXPECT_NEAR(static_cast<double>(settled({}, 50, 12)), 4000, 200);
  EXPECT_NEAR(static_cast<double>(settled({}, 2000, 12)), 100, 10);
  EXPECT_EQ(settled({.target = 50ms}, 1000, 12), 50);
}

TEST(Pace, StaysWithinItsBounds) {
  EXPECT_EQ(settled({}, 0, 20), PaceLimits::kBatchRowsMax);
  EXPECT_EQ(settled({}, 10'000'000, 20), PaceLimits::kBatchRowsMin);
  EXPECT_EQ(Pace({.batch_rows = 0}).batch_rows(), PaceLimits::kBatchRowsMin);
  EXPECT_EQ(Pace({.batch_rows = INT64_MAX}).batch_rows(), PaceLimits::kBatchRowsMax);
}

TEST(Pace, ChangesByAFactorOfTwoAtMost) {
  Pace pace({.batch_rows = 1000, .fast = true});
  pace.batch_done(1000, 1ms, 0);
  EXPECT_EQ(pace.batch_rows(), 2000);
  pace.batch_done(2000, 60s, 0);
  EXPECT_EQ(pace.batch_rows(), 1000);
}

TEST(Pace, HalvesWhenSomebodyWaits) {
  Pace pace({.batch_rows = 1000, .fast = true});
  pace.batch_done(1000, 100ms, 3);
  EXPECT_EQ(pace.batch_rows(), 500);
  pace.batch_done(500, 20ms, 3);
  EXPECT_EQ(pace.batch_rows(), 500) << "nobody notices";
}

TEST(Pace, LearnsNothingFromTheLastRowsOfATable) {
  Pace pace({.batch_rows = 1000, .fast = true});
  pace.batch_done(7, 1ms, 0);
  EXPECT_EQ(pace.batch_rows(), 1000);
  pace.batch_done(0, 500ms, 0);
  EXPECT_EQ(pace.batch_rows(), 1000);
}

TEST(Pace, RestsWhileTheDatabaseIsBehind) {
  Pace pace({.lag_max = 1500ms, .load_max = 8});
  EXPECT_EQ(pace.rest({}), Rest{});
  EXPECT_EQ(pace.rest({.lag = 1500ms, .load = 8}), Rest{});
  EXPECT_EQ(pace.rest({.lag = 1501ms}).why, Brake::lag);
  EXPECT_EQ(pace.rest({.load = 9}).why, Brake::load);
  EXPECT_GT(pace.rest({.load = 9}).time, 0ms);
  EXPECT_EQ(pace.rest({}), Rest{});
}

TEST(Pace, AnyLoadWillDoUnlessALimitIsGiven) {
  EXPECT_EQ(Pace({}).rest({.load = 1'000'000}), Rest{});
}

TEST(Pace, KeepsToTheRate) {
  Pace pace({.batch_rows = 1000, .rows_per_second_max = 2000, .fast = true});
  pace.batch_done(1000, 100ms, 0);
  EXPECT_EQ(pace.rest({}), (Rest{400ms, Brake::rate}));
  EXPECT_EQ(pace.rest({}), Rest{}) << "owed once";
  pace.batch_done(1000, 600ms, 0);
  EXPECT_EQ(pace.rest({}), Rest{}) << "slow enough by itself";
}

TEST(Pace, OwesTheRateWhatIsLessThanAMillisecond) {
  Pace pace({.batch_rows = 100, .rows_per_second_max = 100'000, .fast = true});
  std::chrono::milliseconds rested{0};
  for (int i = 0; i < 100; ++i) {
    pace.batch_done(50, 0us, 0);
    rested += pace.rest({}).time;
  }
  EXPECT_NEAR(static_cast<double>(rested.count()), 50, 1);
}

TEST(Pace, HoldsFewRowsOfASmallTable) {
  Pace pace({.batch_rows = 5000});
  pace.begin(400'000, 20ms);
  EXPECT_EQ(pace.batch_rows(), 2000);
  for (int i = 0; i < 9; ++i) pace.batch_done(pace.batch_rows(), 1ms, 0);
  EXPECT_EQ(pace.batch_rows(), 2000);
  Pace large({.batch_rows = 5000});
  large.begin(100'000'000, 20ms);
  EXPECT_EQ(large.batch_rows(), 5000);
}

TEST(Pace, ABatchTakesAsLongAsAProbe) {
  EXPECT_NEAR(static_cast<double>(settled({}, 10, 12, 4ms)), 400, 40);
  EXPECT_NEAR(static_cast<double>(settled({}, 10, 12, 100us)), 50, 5) << "but half a millisecond";
  EXPECT_NEAR(static_cast<double>(settled({}, 10, 12, 5s)), 2000, 100) << "or 20 at most";
  EXPECT_NEAR(static_cast<double>(settled({}, 10, 12, 0s)), 2000, 100) << "if it is not known";
  EXPECT_NEAR(static_cast<double>(settled({.target = 2ms}, 10, 12, 4ms)), 200, 10);
}

// What it rests behind a batch of ten seconds, for each ms of them.
double rest_of(Pace& pace) {
  pace.batch_done(1, 10s, 0);
  return static_cast<double>(pace.rest({}).time.count()) / 10'000;
}

TEST(Pace, RestsMoreWhenAProbeIsLate) {
  Pace pace({});
  pace.begin(1'000'000, 4ms);
  EXPECT_NEAR(rest_of(pace), PaceLimits::kRestAtFirst, 0.0001);
  for (int i = 0; i < 7; ++i) pace.probed(8000us);
  const double before = rest_of(pace);
  EXPECT_LT(before, PaceLimits::kRestAtFirst) << "twice as long is not late";
  pace.probed(8001us);
  EXPECT_NEAR(rest_of(pace), 1.5 * before, 0.0002);
  for (int i = 0; i < 99; ++i) pace.probed(1ms);
  EXPECT_NEAR(rest_of(pace), before, 0.0004) << "one of a hundred may be late";
  for (int i = 0; i < 99; ++i) pace.probed(1s);
  EXPECT_NEAR(rest_of(pace), PaceLimits::kRestMax, 0.0001) << "and it comes to an end";
}

// How many rows of 10 us a batch comes to hold.
std::int64_t rows_of_a_batch(Pace& pace) {
  for (int i = 0; i < 20; ++i) {
    const std::int64_t rows = pace.batch_rows();
    pace.batch_done(rows, 10us * rows, 0);
    pace.rest({});  // nothing is owed for it later
  }
  return pace.batch_rows();
}

TEST(Pace, ABatchGrowsWhileNobodyMindsAndShrinksBeforeItRests) {
  Pace pace({});
  pace.begin(10'000'000, 1ms);
  for (int i = 0; i < 14; ++i) pace.probed(1ms);
  EXPECT_NEAR(static_cast<double>(rows_of_a_batch(pace)), 100, 5) << "as long as a probe";
  for (int i = 0; i < 500; ++i) pace.probed(1ms);
  EXPECT_EQ(rows_of_a_batch(pace), 200) << "as long as two";
  pace.probed(3ms);
  EXPECT_NEAR(static_cast<double>(rows_of_a_batch(pace)), 133, 2);
  EXPECT_NEAR(rest_of(pace), PaceLimits::kRestMin, 0.0001);
  for (int i = 0; i < 4; ++i) pace.probed(3ms);
  EXPECT_EQ(rows_of_a_batch(pace), 100);
  EXPECT_GT(rest_of(pace), PaceLimits::kRestAtFirst);
  for (int i = 0; i < 20; ++i) pace.probed(3ms);
  EXPECT_EQ(rows_of_a_batch(pace), 100) << "no shorter";
  EXPECT_NEAR(rest_of(pace), PaceLimits::kRestMax, 0.0001);
}

TEST(Pace, RestsNoMoreBecauseOthersMakeTheServerSlow) {
  Pace pace({});
  pace.begin(1'000'000, 4ms);
  pace.used_to(5ms);
  for (int i = 0; i < 40; ++i) pace.probed(10ms);
  EXPECT_LT(rest_of(pace), PaceLimits::kRestAtFirst) << "not late any more";
  pace.used_to(2ms);
  for (int i = 0; i < 4; ++i) pace.probed(5ms);
  const double rest = rest_of(pace);
  EXPECT_GT(rest, PaceLimits::kRestAtFirst) << "they have stopped";
  pace.used_to(0ms);
  pace.probed(5ms);
  EXPECT_GT(rest_of(pace), rest) << "nothing was heard: it stays as it was";
}

TEST(Pace, RestsLittleWhenNobodyMinds) {
  Pace pace({});
  pace.begin(1'000'000, 4ms);
  EXPECT_FALSE(pace.is_strained());
  for (int i = 0; i < 5; ++i) pace.probed(9ms);
  EXPECT_TRUE(pace.is_strained());
  for (int i = 0; i < 1000; ++i) pace.probed(4ms);
  EXPECT_LT(rest_of(pace), PaceLimits::kRestAtFirst);
  EXPECT_FALSE(pace.is_strained());
}

TEST(Pace, RestsForAsLongAsItWorksIfNothingCanBeProbed) {
  Pace pace({});
  pace.begin(1'000'000, 0ms);
  pace.used_to(1ms);
  for (int i = 0; i < 500; ++i) pace.probed(4ms);
  EXPECT_NEAR(rest_of(pace), PaceLimits::kRestUnprobed, 0.001);
  pace.batch_done(1000, 20ms, 0);
  EXPECT_EQ(pace.rest({}), (Rest{20ms, Brake::clients}));
}

TEST(Pace, YieldsToNobodyIfItIsToBeFast) {
  Pace pace({.batch_rows = 5000, .fast = true});
  pace.begin(400'000, 4ms);
  EXPECT_EQ(pace.batch_rows(), 5000);
  pace.probed(1s);
  pace.batch_done(5000, 20ms, 0);
  EXPECT_EQ(pace.batch_rows(), 10'000);
  EXPECT_EQ(pace.rest({}), Rest{});
  pace.batch_done(10'000, 50ms, 1);
  EXPECT_EQ(pace.batch_rows(), 5000) << "but who waits for a row still halves it";
}

TEST(Pace, TheLongerRestCounts) {
  Pace pace({.batch_rows = 1000, .rows_per_second_max = 2000});
  pace.begin(1'000'000, 4ms);
  pace.batch_done(1000, 20ms, 0);
  EXPECT_EQ(pace.rest({}), (Rest{480ms, Brake::rate}));
  EXPECT_EQ(pace.rest({}), Rest{}) << "both are paid";
}

RC_GTEST_PROP(Pace, IsNeverOutOfBounds, ()) {
  Pace pace({.batch_rows = *rc::gen::arbitrary<std::int64_t>()});
  pace.begin(*rc::gen::arbitrary<std::int64_t>(), 4ms);
  for (int i = 0; i < 20; ++i) {
    const auto rows = *rc::gen::inRange<std::int64_t>(-1, PaceLimits::kBatchRowsMax + 1);
    pace.batch_done(rows, milliseconds(*rc::gen::inRange<std::int64_t>(-5, 1'000'000)),
                    *rc::gen::inRange<std::int64_t>(0, 3));
    pace.probed(milliseconds(*rc::gen::inRange<std::int64_t>(-5, 1'000'000)));
    RC_ASSERT(pace.rest({}).time >= 0ms);
    RC_ASSERT(pace.batch_rows() >= PaceLimits::kBatchRowsMin);
    RC_ASSERT(pace.batch_rows() <= PaceLimits::kBatchRowsMax);
  }
}

}  // namespace
}  // namespace tessera::migrate
