// Thousands of histories of holders, a store and everything that goes wrong, judged by an oracle
// that knows nothing of the rules; and the faults that the oracle must be able to see. A failure
// names its seed: TESSERA_SIM_SEED plays that history again.

#include <gtest/gtest.h>

#include <cstdint>

#include "support/histories.h"
#include "support/lease_sim.h"

namespace tessera {
namespace {

using lease_sim::Bug;

TEST(LeaseSim, NoHistoryBreaksAPromise) {
  lease_sim::Report all;
  const SimSeeds seeds = sim_seeds(1, 6'000);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    const lease_sim::Report report = lease_sim::play(seed);
    ASSERT_EQ(report.violation, "") << "TESSERA_SIM_SEED=" << seed;
    all.issued += report.issued;
    all.claims += report.claims;
    all.losses += report.losses;
    all.waits += report.waits;
  }
  if (seeds.one) return;
  // The histories are worth playing: all of this happens in them.
  EXPECT_GT(all.issued, 300'000u);
  EXPECT_GT(all.claims, 10'000u);
  EXPECT_GT(all.losses, 1'000u);
  EXPECT_GT(all.waits, 1'000u);
}

TEST(LeaseSim, TheSameSeedIsTheSameHistory) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    EXPECT_EQ(lease_sim::play(seed).trace, lease_sim::play(seed).trace);
  }
  EXPECT_NE(lease_sim::play(1).trace, lease_sim::play(2).trace);
}

// The first history in which the fault shows; 0 if it does not.
std::uint64_t first_seed_with(Bug bug) {
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    if (!lease_sim::play(seed, bug).violation.empty()) return seed;
  }
  return 0;
}

TEST(LeaseSim, FindsAHolderThatGoesByItsClockAlone) {
  EXPECT_NE(first_seed_with(Bug::ignore_limit), 0u);
}

TEST(LeaseSim, FindsAStoreThatForgetsTheLimit) {
  EXPECT_NE(first_seed_with(Bug::forget_limit), 0u);
}

TEST(LeaseSim, FindsAStoreThatIgnoresTheToken) {
  EXPECT_NE(first_seed_with(Bug::ignore_token), 0u);
}

TEST(LeaseSim, FindsALeaseCountedFromTheAnswer) {
  EXPECT_NE(first_seed_with(Bug::count_from_reply), 0u);
}

}  // namespace
}  // namespace tessera
