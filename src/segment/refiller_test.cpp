// What the refiller promises: a job runs when it is due or woken, never twice at once, and not any
// more once it was removed; many jobs share few threads.

#include "tessera/segment/refiller.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <thread>

#include "support/soak.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;

struct CountingJob final : Refiller::Job {
  std::function<MonotonicTime(MonotonicTime)> body = [](MonotonicTime) { return Refiller::kNever; };
  std::atomic<int> runs{0};
  std::atomic<int> inside{0};
  std::atomic<bool> overlapped{false};

  MonotonicTime run(MonotonicTime now) override {
    if (++inside > 1) overlapped = true;
    const MonotonicTime next = body(now);
    --inside;
    ++runs;
    return next;
  }
};

bool becomes(const std::function<bool()>& condition) {
  for (int i = 0; i < 5000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

TEST(Refiller, RunsNothingBeforeItIsWoken) {
  SystemMonotonicClock clock;
  Refiller refiller(clock, 1);
  CountingJob job;
  refiller.add(job);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(job.runs, 0);
  refiller.wake(job);
  EXPECT_TRUE(becomes([&] { return job.runs == 1; }));
  refiller.remove(job);
  refiller.wake(job);  // not ours any more
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(job.runs, 1);
}

TEST(Refiller, RunsAJobAgainWhenItIsDue) {
  SystemMonotonicClock clock;
  Refiller refiller(clock, 2);
  CountingJob job;
  job.body = [](MonotonicTime now) { return now + 2ms; };
  refiller.add(job);
  refiller.wake(job);
  EXPECT_TRUE(becomes([&] { return job.runs >= 5; }));
  refiller.remove(job);
  const int runs = job.runs;
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(job.runs, runs);
}

TEST(Refiller, RunsOnceMoreIfWokenMeanwhile) {
  SystemMonotonicClock clock;
  Refiller refiller(clock, 2);
  CountingJob job;
  std::atomic<bool> hold{true};
  job.body = [&](MonotonicTime) {
    while (hold) std::this_thread::sleep_for(1ms);
    return Refiller::kNever;
  };
  refiller.add(job);
  refiller.wake(job);
  EXPECT_TRUE(becomes([&] { return job.inside == 1; }));
  refiller.wake(job);
  refiller.wake(job);
  hold = false;
  EXPECT_TRUE(becomes([&] { return job.runs == 2; }));
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(job.runs, 2);
  refiller.remove(job);
}

TEST(Refiller, RunsNoJobTwiceAtOnce) {
  SystemMonotonicClock clock;
  std::deque<CountingJob> jobs(50);
  Refiller refiller(clock, 3);
  for (auto& job : jobs) {
    job.body = [&](MonotonicTime now) {
      std::this_thread::yield();
      return now + 1ms;
    };
    refiller.add(job);
  }
  const auto end = std::chrono::steady_clock::now() + soak_time() / 2;
  for (std::size_t i = 0; std::chrono::steady_clock::now() < end; ++i) {
    refiller.wake(jobs[i % jobs.size()]);
  }
  for (auto& job : jobs) {
    refiller.remove(job);
    EXPECT_FALSE(job.overlapped);
    EXPECT_GT(job.runs, 0);
  }
}

}  // namespace
}  // namespace tessera
