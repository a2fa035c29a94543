// A canary tells how long tiny commits take, again and again, and stops when it is told to or
// cannot.

#include "migrate/canary.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tessera/system.h"

namespace tessera::migrate {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

TEST(Canary, TellsWhatEachTouchTook) {
  SystemMonotonicClock clock;
  Canary canary(
      [] {
        std::this_thread::sleep_for(2ms);
        return true;
      },
      clock, 1ms);
  std::vector<microseconds> taken;
  while (taken.size() < 20) {
    std::this_thread::sleep_for(1ms);
    for (const microseconds took : canary.taken()) taken.push_back(took);
  }
  for (const microseconds took : taken) EXPECT_GE(took, 2ms);
  EXPECT_TRUE(canary.alive());
}

TEST(Canary, IsSilentWhenATouchHasFailed) {
  SystemMonotonicClock clock;
  std::atomic<int> touched{0};
  Canary canary([&] { return ++touched < 4; }, clock, 0ms);
  while (canary.alive()) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(touched.load(), 4);
  EXPECT_EQ(canary.taken().size(), 3U) << "the last one tells nothing";
  EXPECT_TRUE(canary.taken().empty()) << "told once";
}

TEST(Canary, DoesNotWaitForItsPauseToEnd) {
  SystemMonotonicClock clock;
  const auto start = std::chrono::steady_clock::now();
  {
    Canary canary([] { return true; }, clock, 1h);
    while (canary.taken().empty()) std::this_thread::sleep_for(1ms);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10min);
}

TEST(Usual, IsWhatFewTakeLongerThan) {
  Usual usual;
  EXPECT_EQ(usual.get(), 0us);
  usual.add(std::vector<microseconds>{7us});
  EXPECT_EQ(usual.get(), 7us);
  std::vector<microseconds> taken;
  for (int i = 199; i > 0; --i) taken.emplace_back(i);
  usual.add(taken);
  EXPECT_EQ(usual.get(), 197us);
}

TEST(Usual, AMomentIsNoMeasure) {
  Usual usual;
  usual.add(std::vector<microseconds>(190, 1ms));
  usual.add(std::vector<microseconds>(10, 20ms));
  EXPECT_EQ(usual.get(), 2ms);
}

TEST(Usual, ForgetsWhatWasLongAgo) {
  Usual usual;
  usual.add(std::vector<microseconds>(1000, 2ms));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(usual.get(), 2ms);
    usual.add(std::vector<microseconds>(40, 1ms));
  }
  EXPECT_EQ(usual.get(), 1ms);
}

}  // namespace
}  // namespace tessera::migrate
