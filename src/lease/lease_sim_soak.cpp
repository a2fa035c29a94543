// The simulation for a time instead of a count: new histories until TESSERA_SOAK_SECONDS are over.
// A failure names its seed: TESSERA_SIM_SEED plays that history again.

#include <gtest/gtest.h>

#include <cstdint>

#include "support/histories.h"
#include "support/lease_sim.h"

namespace tessera {
namespace {

TEST(LeaseSimSoak, NoHistoryBreaksAPromise) {
  soak_histories([](std::uint64_t seed) { return lease_sim::play(seed); });
}

}  // namespace
}  // namespace tessera
