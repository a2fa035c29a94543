#include <sched.h>

#include <atomic>
#include <thread>
#include <vector>

#include "scenarios.h"

namespace storm {

void fork_at_first_use(Storm& storm, std::uint64_t delay) {
  // A kind bound to its process is first used when its generator is made, by one thread.
  const bool bound = storm.kind.take_machine != nullptr;
  const unsigned thread_count = bound ? 1 : 2;
  const auto mint_first = [&storm, bound](unsigned depth) {
    if (bound) storm.kind.take_machine(storm.log.new_machine());
    Stream stream(storm.log, Origin::first_use, depth);
    mint(storm, stream, 4);
  };
  std::atomic<unsigned> ready{0};
  std::atomic<bool> start{false};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < thread_count; ++i) {
    threads.emplace_back([&] {
      ready.fetch_add(1);
      while (!start.load(std::memory_order_acquire)) sched_yield();
      mint_first(0);
    });
  }
  while (ready.load() < thread_count) sched_yield();
  start.store(true, std::memory_order_release);
  for (std::atomic<std::uint64_t> wait{0}; wait.load() < delay; wait.fetch_add(1)) {
  }
  const pid_t child = copy_process(storm, Copy::fork);
  if (child == 0) {
    mint_first(1);
    leave(0);
  }
  for (auto& thread : threads) thread.join();
  wait_for(storm, child);
}

}  // namespace storm
