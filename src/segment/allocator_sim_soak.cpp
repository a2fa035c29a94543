// The simulation for a time instead of a count: new histories until TESSERA_SOAK_SECONDS are over.
// A release build plays a million in a few minutes.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

#include "support/allocator_sim.h"
#include "support/soak.h"

namespace tessera {
namespace {

TEST(AllocatorSimSoak, NoHistoryBreaksAPromise) {
  const auto end = std::chrono::steady_clock::now() + soak_time();
  std::uint64_t seed = 1'000'000;  // not those of the test
  std::uint64_t issued = 0;
  for (; std::chrono::steady_clock::now() < end; ++seed) {
    const sim::Report report = sim::play(seed);
    ASSERT_EQ(report.violation, "") << "seed " << seed;
    issued += report.issued;
  }
  std::printf("%llu histories, %llu numbers\n", static_cast<unsigned long long>(seed - 1'000'000),
              static_cast<unsigned long long>(issued));
}

}  // namespace
}  // namespace tessera
