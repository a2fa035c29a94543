#include <sched.h>

#include <atomic>
#include <thread>

#include "scenarios.h"

namespace storm {

void take_turns(Storm& storm) {
  if (storm.kind.take_machine != nullptr) storm.kind.take_machine(storm.log.new_machine());
  Stream stream(storm.log, Origin::turns, 0);
  std::atomic<unsigned> turn{0};
  const auto take = [&](unsigned parity) {
    for (unsigned i = parity; i < 2 * kTurns; i += 2) {
      for (unsigned spins = 0; turn.load(std::memory_order_acquire) != i; ++spins) {
        if (spins > 100) sched_yield();
      }
      mint(storm, stream, 1);
      turn.store(i + 1, std::memory_order_release);
    }
  };
  std::thread even(take, 0);
  std::thread odd(take, 1);
  even.join();
  odd.join();
}

}  // namespace storm
