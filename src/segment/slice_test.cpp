// What a slice promises: numbers that nobody else gets, neither another slice nor the allocator nor
// a forked child; in order within it; over the ends of segments; and refusals like the allocator's.

#include "tessera/segment/slice.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "support/fake_segment_store.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Code = Error::Code;

// Nobody waits so long: a test that would is broken.
constexpr std::chrono::milliseconds kLong = 60s;

struct Scene {
  explicit Scene(const Scope& scope = {.name = "ORDER"})
      : store(scope), numbers(scope, store, refiller, clock) {}

  SystemMonotonicClock clock;
  FakeSegmentStore store;
  Refiller refiller{clock, 2};
  SegmentAllocator numbers;
};

TEST(SegmentSlice, CountsWithoutGapsWhileItIsAlone) {
  Scene scene;
  SegmentSlice slice(scene.numbers, 100);
  EXPECT_EQ(slice.left(), 0u) << "nothing is taken before somebody asks";
  for (std::int64_t i = 1; i <= 5'000; ++i) ASSERT_EQ(slice.next(kLong), i);
  EXPECT_LT(slice.left(), 100u);
}

TEST(SegmentSlice, TakesItsNumbersFromTheAllocatorAndFromNoOtherSlice) {
  Scene scene;
  ASSERT_EQ(scene.numbers.next(kLong), 1);  // now there is a segment to take from
  SegmentSlice a(scene.numbers, 10);
  SegmentSlice b(scene.numbers, 10);
  EXPECT_EQ(a.next(kLong), 2);
  EXPECT_EQ(b.next(kLong), 12);
  EXPECT_EQ(scene.numbers.next(kLong), 22);
  EXPECT_EQ(a.next(kLong), 3);
  EXPECT_EQ(a.left(), 8u);
  EXPECT_EQ(b.left(), 9u);
}

TEST(SegmentSlice, EndsWithItsSegmentAndGoesOnInTheNext) {
  Scene scene({.name = "ORDER", .step = 7});
  SegmentSlice slice(scene.numbers, 5);
  std::int64_t last = 0;
  for (int i = 0; i < 500; ++i) {
    const auto number = slice.next(kLong);
    ASSERT_TRUE(number);
    ASSERT_GT(*number, last);
    last = *number;
  }
}

TEST(SegmentSlice, OfManyThreadsGivesNoNumberTwice) {
  constexpr int kThreads = 4;
  constexpr int kCount = 20'000;
  Scene scene;
  std::array<std::vector<std::int64_t>, kThreads> made;
  std::array<std::thread, kThreads> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads[i] = std::thread([&scene, &mine = made[i], i] {
      SegmentSlice slice(scene.numbers, 1 + 37 * i);  // one of them of a single number
      for (int n = 0; n < kCount; ++n) {
        const auto number = slice.next(kLong);
        ASSERT_TRUE(number);
        mine.push_back(*number);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<std::int64_t> all;
  for (const auto& mine : made) {
    EXPECT_TRUE(std::ranges::is_sorted(mine));
    all.insert(all.end(), mine.begin(), mine.end());
  }
  ASSERT_EQ(all.size(), std::size_t{kThreads} * kCount);
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(SegmentSlice, GivesNothingToAForkedChild) {
  Scene scene;
  ASSERT_EQ(scene.numbers.next(kLong), 1);
  SegmentSlice slice(scene.numbers, 100);
  ASSERT_EQ(slice.next(kLong), 2);
  ASSERT_EQ(slice.left(), 99u);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool nothing = slice.left() == 0;
    for (int i = 0; i < 10; ++i) {
      const auto number = slice.next(0ms);
      nothing = nothing && !number && number.error().code == Code::closed;
    }
    _exit(nothing ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(slice.next(kLong), 3) << "the parent goes on";
}

TEST(SegmentSlice, IsRefusedByAStrictScope) {
  Scene scene({.name = "INVOICE", .order = Scope::Order::strict});
  SegmentSlice slice(scene.numbers);
  const auto number = slice.next(kLong);
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().code, Code::invalid_request);
}

TEST(SegmentSlice, KeepsWhatItHasWhenTheAllocatorIsClosedAndGetsNoMore) {
  Scene scene;
  ASSERT_EQ(scene.numbers.next(kLong), 1);
  SegmentSlice slice(scene.numbers, 3);
  ASSERT_EQ(slice.next(kLong), 2);
  scene.numbers.close();
  EXPECT_EQ(slice.next(kLong), 3);
  EXPECT_EQ(slice.next(kLong), 4);
  const auto number = slice.next(kLong);
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().code, Code::closed);
}

TEST(SegmentSlice, SaysWhenAScopeIsExhausted) {
  Scene scene({.name = "FEW", .min = 1, .max = 5});
  SegmentSlice slice(scene.numbers, 3);
  for (std::int64_t i = 1; i <= 5; ++i) ASSERT_EQ(slice.next(kLong), i);
  const auto number = slice.next(kLong);
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().code, Code::exhausted);
}

TEST(SegmentAllocator, RefusesASliceOfNothingOrOfTooMuch) {
  Scene scene;
  for (const std::uint64_t count : {std::uint64_t{0}, Handout::kTakeMax + 1}) {
    const auto slice = scene.numbers.next_slice(count, kLong);
    ASSERT_FALSE(slice);
    EXPECT_EQ(slice.error().code, Code::invalid_request);
  }
}

}  // namespace
}  // namespace tessera
