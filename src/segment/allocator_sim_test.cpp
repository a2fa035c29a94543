// Ten thousand histories of processes, a store and everything that goes wrong, judged by an oracle
// that knows nothing of the rules; and the faults that the oracle must be able to see. A failure
// names its seed: TESSERA_SIM_SEED plays that history again.

#include <gtest/gtest.h>

#include <cstdint>

#include "support/allocator_sim.h"
#include "support/histories.h"

namespace tessera {
namespace {

using sim::Bug;

TEST(AllocatorSim, NoHistoryBreaksAPromise) {
  std::uint64_t issued = 0;
  std::uint64_t poisoned = 0;
  std::uint64_t exhausted = 0;
  std::uint64_t in_a_row = 0;
  const SimSeeds seeds = sim_seeds(1, 10'000);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    const sim::Report report = sim::play(seed);
    ASSERT_EQ(report.violation, "") << "TESSERA_SIM_SEED=" << seed;
    issued += report.issued;
    poisoned += report.poisoned;
    exhausted += report.exhausted;
    in_a_row += report.in_a_row;
  }
  if (seeds.one) return;
  // The histories are worth playing: all of this happens in them.
  EXPECT_GT(issued, 1'000'000u);
  EXPECT_GT(poisoned, 100u);
  EXPECT_GT(exhausted, 1'000u);
  EXPECT_GT(in_a_row, 10'000u);
}

TEST(AllocatorSim, TheSameSeedIsTheSameHistory) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    EXPECT_EQ(sim::play(seed).trace, sim::play(seed).trace);
  }
  EXPECT_NE(sim::play(1).trace, sim::play(2).trace);
}

// The first history in which the fault shows; 0 if it does not.
std::uint64_t first_seed_with(Bug bug) {
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    if (!sim::play(seed, bug).violation.empty()) return seed;
  }
  return 0;
}

TEST(AllocatorSim, FindsHandingOutBeforeCommit) {
  EXPECT_NE(first_seed_with(Bug::hand_out_before_commit), 0u);
}

TEST(AllocatorSim, FindsReuseAfterAnUnknownOutcome) {
  EXPECT_NE(first_seed_with(Bug::reuse_after_unknown), 0u);
}

TEST(AllocatorSim, FindsAcceptingARewoundStore) {
  EXPECT_NE(first_seed_with(Bug::accept_rewound_store), 0u);
}

TEST(AllocatorSim, FindsAWrapAtTheEnd) { EXPECT_NE(first_seed_with(Bug::wrap_at_end), 0u); }

}  // namespace
}  // namespace tessera
