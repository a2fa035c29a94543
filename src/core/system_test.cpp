// What the real clocks and the witness of forks promise: the time of day in two units; a time
// that never steps back; and a number that is new in every child, however it came to be.

#include "tessera/system.h"

#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/system_clock.h"
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

// Long enough for the processor's counter to be known and used, where there is one.
TEST(SystemClock, IsNeverAheadOfTheKernelAndAtMostAMillisecondBehind) {
  const auto kernel_ms = [] {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000 +
           static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
  };
  SystemClock clock;
  std::uint64_t start = kernel_ms();
  std::uint64_t last = start;
  while (last - start < 100) {
    const std::uint64_t before = kernel_ms();
    const std::uint64_t time_ms = clock.now_ms();
    const bool set = before < last || before - last > 10'000;
    last = kernel_ms();
    if (set || last < before) {  // somebody set the clock: once more
      start = last;
      continue;
    }
    ASSERT_GE(time_ms + 1, before);
    ASSERT_LE(time_ms, last);
  }
}

#if defined(__x86_64__)
TEST(SystemClock, AsksTheKernelNoMoreThanNeededWhereItTellsTheTimeByTheCounter) {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool steady = __get_cpuid(0x8000'0007, &a, &b, &c, &d) != 0 && (d >> 8 & 1) != 0;
  if (!steady || !(file >> source) || source != "tsc") return;  // it does not
  SystemClock clock;
  SystemMonotonicClock monotonic;
  const auto start = monotonic.now();
  while (detail::clock_gate.cycles == 0 && monotonic.now() - start < std::chrono::seconds(60)) {
    clock.now_ms();
  }
  EXPECT_NE(detail::clock_gate.cycles, 0u) << "never trusted the counter";
}
#endif

TEST(SystemClock, SecondsAreThoseOfTheMillisecondsOrOneBefore) {
  SystemClock clock;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t before = clock.now_ms();
    const std::uint64_t time_s = clock.now_s();
    EXPECT_GE(time_s * 1000 + 1999, before);
    EXPECT_LE(time_s, clock.now_ms() / 1000);
  }
}

// Waits for the clock to reach `time_ms`; the test's own limit of time ends it otherwise.
void wait_for(Clock& clock, std::uint64_t time_ms) {
  while (clock.now_ms() < time_ms) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

TEST(TickerClock, GoesOnAndIsNeverAhead) {
  TickerClock ticker;
  SystemClock clock;
  const std::uint64_t start = clock.now_ms();
  for (std::uint64_t step = 1; step <= 20; ++step) {
    wait_for(ticker, start + step);
    EXPECT_LE(ticker.now_ms(), clock.now_ms() + 1);  // which may be one behind
  }
  EXPECT_LE(ticker.now_s(), clock.now_ms() / 1000);
  EXPECT_GE(ticker.now_100ns() / 10'000, start);
}

TEST(TickerClock, GoesOnInAForkedChildWhichHasNoThreadForIt) {
  auto ticker = std::make_unique<TickerClock>();
  SystemClock clock;
  wait_for(*ticker, clock.now_ms() + 2);
  for (const ForkBy how : {ForkBy::fork, ForkBy::bare_clone}) {
    const auto told = in_child(
        [&](Pipe& out) {
          alarm(60);  // ends a child that waits for ever
          SystemClock own;
          wait_for(*ticker, own.now_ms() + 5);
          out.write_byte(ticker->now_ms() + 1 >= own.now_ms() ? 1 : 0);
          ticker.reset();  // and waits for no thread
          out.write_byte(2);
        },
        how);
    EXPECT_EQ(told, (std::vector<std::uint8_t>{1, 2}));
  }
  wait_for(*ticker, clock.now_ms() + 2);  // the parent's goes on
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
