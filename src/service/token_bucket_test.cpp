// What the bucket promises: never more than the burst at once, never more than the rate over time,
// whoever asks from wherever, and a waiting time that is enough.

#include "service/token_bucket.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <thread>
#include <vector>

namespace tessera::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr nanoseconds kStart = seconds(1000);

TEST(TokenBucket, GivesTheBurstAndThenTheRate) {
  TokenBucket bucket(10, 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bucket.take(1, kStart), nanoseconds(0));
  EXPECT_EQ(bucket.take(1, kStart), milliseconds(100));
  EXPECT_EQ(bucket.take(1, kStart + milliseconds(99)), milliseconds(1));
  EXPECT_EQ(bucket.take(1, kStart + milliseconds(100)), nanoseconds(0));
  EXPECT_EQ(bucket.take(1, kStart + milliseconds(100)), milliseconds(100));
  EXPECT_EQ(bucket.take(3, kStart + seconds(60)), nanoseconds(0)) << "no fuller than full";
  EXPECT_EQ(bucket.take(1, kStart + seconds(60)), milliseconds(100));
}

TEST(TokenBucket, WhatIsGivenBackCanBeTakenAgain) {
  TokenBucket bucket(10, 3);
  EXPECT_EQ(bucket.take(3, kStart), nanoseconds(0));
  bucket.give_back(2);
  EXPECT_EQ(bucket.take(2, kStart), nanoseconds(0));
  EXPECT_EQ(bucket.take(1, kStart), milliseconds(100));
}

TEST(TokenBucket, WhatNeverFitsIsToldSo) {
  TokenBucket bucket(10, 3);
  EXPECT_EQ(bucket.take(4, kStart), nanoseconds::max());
  EXPECT_EQ(bucket.take(UINT64_MAX, kStart), nanoseconds::max());
  EXPECT_EQ(bucket.take(3, kStart), nanoseconds(0)) << "the refusals cost nothing";
}

TEST(TokenBucket, AClockThatStepsBackGivesNothingAway) {
  TokenBucket bucket(10, 3);
  EXPECT_EQ(bucket.take(3, kStart), nanoseconds(0));
  EXPECT_GT(bucket.take(1, kStart - seconds(1)), nanoseconds(0));
}

TEST(TokenBucket, ThreadsShareWhatThereIs) {
  TokenBucket bucket(1, 10'000);
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        if (bucket.take(1, kStart) == nanoseconds(0)) ++taken;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(taken, 10'000);
}

RC_GTEST_PROP(TokenBucket, TheTimeToldIsEnough, ()) {
  const auto rate = *rc::gen::inRange<std::uint64_t>(1, 2'000'000);
  const auto burst = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
  TokenBucket bucket(rate, burst);
  nanoseconds now = kStart;
  for (int i = 0; i < 20; ++i) {
    const auto cost = *rc::gen::inRange<std::uint64_t>(1, burst + 1);
    const nanoseconds wait = bucket.take(cost, now);
    if (wait == nanoseconds(0)) continue;
    RC_ASSERT(wait < nanoseconds::max());
    now += wait;
    RC_ASSERT(bucket.take(cost, now) == nanoseconds(0));
  }
}

}  // namespace
}  // namespace tessera::service
