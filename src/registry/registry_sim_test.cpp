// Thousands of histories of processes, a store and everything that goes wrong, judged by an oracle
// that knows nothing of the rules; and the faults that the oracle must be able to see. A failure
// names its seed: TESSERA_SIM_SEED plays that history again.

#include <gtest/gtest.h>

#include <cstdint>

#include "support/histories.h"
#include "support/registry_sim.h"

namespace tessera {
namespace {

using registry_sim::Bug;

TEST(RegistrySim, NoHistoryBreaksAPromise) {
  registry_sim::Report all;
  const SimSeeds seeds = sim_seeds(1, 2'000);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    const registry_sim::Report report = registry_sim::play(seed);
    ASSERT_EQ(report.violation, "") << "TESSERA_SIM_SEED=" << seed;
    all.created += report.created;
    all.repeated += report.repeated;
    all.unknown += report.unknown;
    all.crashes += report.crashes;
    all.from_memory += report.from_memory;
    all.rewinds += report.rewinds;
    all.refused += report.refused;
    all.too_slow += report.too_slow;
  }
  if (seeds.one) return;
  // The histories are worth playing: all of this happens in them.
  EXPECT_GT(all.created, 50'000u);
  EXPECT_GT(all.repeated, 10'000u);
  EXPECT_GT(all.unknown, 1'000u);
  EXPECT_GT(all.crashes, 1'000u);
  EXPECT_GT(all.from_memory, 1'000u);
  EXPECT_GT(all.rewinds, 100u);
  EXPECT_GT(all.refused, 100u);
  EXPECT_GT(all.too_slow, 100u);
}

TEST(RegistrySim, TheSameSeedIsTheSameHistory) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    EXPECT_EQ(registry_sim::play(seed).trace, registry_sim::play(seed).trace);
  }
  EXPECT_NE(registry_sim::play(1).trace, registry_sim::play(2).trace);
}

// The first history in which the fault shows; 0 if it does not.
std::uint64_t first_seed_with(Bug bug) {
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    if (!registry_sim::play(seed, bug).violation.empty()) return seed;
  }
  return 0;
}

TEST(RegistrySim, FindsAKeyThatIsKeptByAnotherCommit) {
  EXPECT_NE(first_seed_with(Bug::forget_key), 0u);
}

TEST(RegistrySim, FindsACreationConfirmedBeforeItIsDone) {
  EXPECT_NE(first_seed_with(Bug::confirm_early), 0u);
}

TEST(RegistrySim, FindsARetirementConfirmedBeforeItIsDone) {
  EXPECT_NE(first_seed_with(Bug::lose_retirement), 0u);
}

TEST(RegistrySim, FindsAStaleRead) { EXPECT_NE(first_seed_with(Bug::stale_read), 0u); }

TEST(RegistrySim, FindsABarrierThatDoesNotWait) {
  EXPECT_NE(first_seed_with(Bug::barrier_ahead), 0u);
}

TEST(RegistrySim, FindsAStoreThatIgnoresTheTimeInAnId) {
  EXPECT_NE(first_seed_with(Bug::ignore_window), 0u);
}

TEST(RegistrySim, FindsANumberThatIsGivenAgainAfterItWasSetBack) {
  EXPECT_NE(first_seed_with(Bug::give_key_again), 0u);
}

TEST(RegistrySim, FindsASlowChangeThatIsSaidToBeRefused) {
  EXPECT_NE(first_seed_with(Bug::refuse_slowly), 0u);
}

TEST(RegistrySim, FindsAnAnswerToAnotherTenant) {
  EXPECT_NE(first_seed_with(Bug::leak_tenant), 0u);
}

}  // namespace
}  // namespace tessera
