// The simulation for a time instead of a count: new histories until TESSERA_SOAK_SECONDS are over.
// A failure names its seed: TESSERA_SIM_SEED plays that history again.

#include <gtest/gtest.h>

#include <cstdint>

#include "support/allocator_sim.h"
#include "support/histories.h"

namespace tessera {
namespace {

TEST(AllocatorSimSoak, NoHistoryBreaksAPromise) {
  soak_histories([](std::uint64_t seed) { return sim::play(seed); });
}

}  // namespace
}  // namespace tessera
