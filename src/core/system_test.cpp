// What the real clocks and the witness of forks promise: the time of day in two units; a time
// that never steps back; and a number that is new in every child, however it came to be.

#include "tessera/system.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "support/child.h"

namespace tessera {
namespace {

TEST(SystemClock, TellsTheTimeOfDayInBothUnits) {
  using namespace std::chrono;
  const auto reference_ms = [] {
    return static_cast<std::uint64_t>(
        duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
  };
  SystemClock clock;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t first = reference_ms();
    const std::uint64_t time_ms = clock.now_ms();
    const std::uint64_t time_100ns = clock.now_100ns();
    const std::uint64_t last = reference_ms();
    if (last < first) continue;  // somebody set the clock
    EXPECT_LE(first, time_ms);
    EXPECT_LE(time_ms, time_100ns / 10'000);
    EXPECT_LE(time_100ns / 10'000, last);
  }
}

TEST(SystemClock, IsFinerThanAMillisecond) {
  SystemClock clock;
  bool fine = false;
  for (int i = 0; i < 1000 && !fine; ++i) fine = clock.now_100ns() % 10'000 != 0;
  EXPECT_TRUE(fine);
}

TEST(SystemMonotonicClock, GoesOnAndNeverBack) {
  SystemMonotonicClock clock;
  const auto start = clock.now();
  auto last = start;
  for (int i = 0; i < 1000; ++i) {
    const auto now = clock.now();
    ASSERT_GE(now, last);
    last = now;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_GE(clock.now() - start, std::chrono::milliseconds(2));
}

TEST(SystemMonotonicClock, ARecentTimeIsNeverAheadAndSoonCatchesUp) {
  SystemMonotonicClock clock;
  const auto start = clock.now();
  EXPECT_LE(clock.recent(), clock.now());
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_GE(clock.recent(), start + std::chrono::milliseconds(50));
}

TEST(Clock, WorksOutStepsOf100NanosecondsFromMilliseconds) {
  struct : Clock {
    std::uint64_t now_ms() noexcept override { return 1'645'557'742'000; }
  } clock;
  EXPECT_EQ(clock.now_100ns(), 16'455'577'420'000'000u);
}

TEST(ForkGeneration, IsTheSameForAllThreadsAndOneMoreInAChild) {
  const std::uint32_t here = fork_generation();
  EXPECT_EQ(fork_generation(), here);
  std::uint32_t in_thread = 0;
  std::thread([&] { in_thread = fork_generation(); }).join();
  EXPECT_EQ(in_thread, here);

  for (const ForkBy how : {ForkBy::fork, ForkBy::bare_clone}) {
    const auto told = in_child(
        [&](Pipe& out) {
          out.write_byte(static_cast<std::uint8_t>(fork_generation() - here));
          out.write_byte(static_cast<std::uint8_t>(fork_generation() - here));
          out.write(in_child(
              [&](Pipe& inner) {
                inner.write_byte(static_cast<std::uint8_t>(fork_generation() - here));
              },
              how));
        },
        how);
    EXPECT_EQ(told, (std::vector<std::uint8_t>{1, 1, 2}));
  }
  EXPECT_EQ(fork_generation(), here) << "the parent keeps its own";
}

TEST(ForkGeneration, IsNewInTheChildOfAChildThatNeverAsked) {
  const std::uint32_t here = fork_generation();
  const auto told = in_child([&](Pipe& out) {
    out.write(in_child([&](Pipe& inner) { inner.write_byte(fork_generation() == here ? 0 : 1); }));
  });
  EXPECT_EQ(told, (std::vector<std::uint8_t>{1}));
}

TEST(ForkGeneration, IsOneNumberForThreadsThatAskAtOnce) {
  const std::uint32_t here = fork_generation();
  std::vector<std::uint32_t> seen(4);
  std::vector<std::thread> threads;
  for (auto& generation : seen) threads.emplace_back([&] { generation = fork_generation(); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(seen, std::vector<std::uint32_t>(4, here));
}

}  // namespace
}  // namespace tessera
