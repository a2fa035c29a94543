// What the tick that all threads share promises: no number twice and none left out, in a process of
// one thread and of several, also where a handler of a signal takes some in between.

#include "core/tick.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace tessera::detail {
namespace {

constexpr std::uint64_t kCount = 200'000;

// Of each thread in order, and of all together each once: `taken` has what each thread took.
void expect_each_once(const std::vector<std::vector<std::uint64_t>>& taken) {
  std::vector<int> seen(taken.size() * kCount);
  for (const auto& ticks : taken) {
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      ASSERT_TRUE(i == 0 || ticks[i - 1] < ticks[i]);
      ASSERT_LT(ticks[i], seen.size());
      ++seen[ticks[i]];
    }
  }
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

template <class Take>
void take_by_threads(Take take) {
  for (std::size_t thread_count = 1; thread_count <= 4; ++thread_count) {
    std::atomic<std::uint64_t> last_tick{0};
    std::vector<std::vector<std::uint64_t>> taken(thread_count);
    const auto run = [&](std::vector<std::uint64_t>& mine) {
      for (std::uint64_t i = 0; i < kCount; ++i) mine.push_back(take(last_tick));
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < thread_count; ++i) {
      threads.emplace_back([&, i] { run(taken[i]); });
    }
    run(taken[0]);
    for (auto& thread : threads) thread.join();
    expect_each_once(taken);
    EXPECT_EQ(last_tick, thread_count * kCount);
  }
}

std::uint64_t by_replacing(std::atomic<std::uint64_t>& last_tick) {
  std::uint64_t last = last_tick.load(std::memory_order_relaxed);
  while (!replace_tick(last_tick, last, last + 1)) {
  }
  return last;
}

TEST(Tick, IsTakenOnceByAllThreads) { take_by_threads(take_tick); }

TEST(Tick, IsReplacedOnceByAllThreads) { take_by_threads(by_replacing); }

TEST(Tick, IsNotReplacedWhereItIsAnotherAndThenSaysWhich) {
  std::atomic<std::uint64_t> last_tick{7};
  std::uint64_t last = 6;
  EXPECT_FALSE(replace_tick(last_tick, last, 9));
  EXPECT_EQ(last, 7u);
  EXPECT_EQ(last_tick, 7u);
  EXPECT_TRUE(replace_tick(last_tick, last, 9));
  EXPECT_EQ(last_tick, 9u);
}

std::atomic<std::uint64_t> shared_tick{0};
std::atomic<std::uint64_t> taken_by_handler{0};

TEST(Tick, IsTakenOnceWhereAHandlerTakesSomeInBetween) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {
    for (int i = 0; i < 8; ++i) {
      take_tick(shared_tick);
      by_replacing(shared_tick);
    }
    taken_by_handler.fetch_add(16);
  };
  action.sa_flags = SA_RESTART;
  ASSERT_EQ(sigaction(SIGALRM, &action, &before), 0);
  const itimerval often{.it_interval = {0, 50}, .it_value = {0, 50}};
  const itimerval never{};
  ASSERT_EQ(setitimer(ITIMER_REAL, &often, nullptr), 0);
  std::uint64_t taken = 0;
  while (taken_by_handler < 1600) {
    for (int i = 0; i < 1000; ++i) {
      take_tick(shared_tick);
      by_replacing(shared_tick);
    }
    taken += 2000;
  }
  ASSERT_EQ(setitimer(ITIMER_REAL, &never, nullptr), 0);
  ASSERT_EQ(sigaction(SIGALRM, &before, nullptr), 0);
  EXPECT_EQ(shared_tick, taken + taken_by_handler);
}

}  // namespace
}  // namespace tessera::detail
