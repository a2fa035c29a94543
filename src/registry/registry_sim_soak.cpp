// The simulation for a time instead of a count: new histories until TESSERA_SOAK_SECONDS are over.
// A failure names its seed: TESSERA_SIM_SEED plays that history again.

#include <gtest/gtest.h>

#include <cstdint>

#include "support/histories.h"
#include "support/registry_sim.h"

namespace tessera {
namespace {

TEST(RegistrySimSoak, NoHistoryBreaksAPromise) {
  soak_histories([](std::uint64_t seed) { return registry_sim::play(seed); });
}

}  // namespace
}  // namespace tessera
