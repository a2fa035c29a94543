// The only clock and random device in the tree, and the witness of forks.

#include "tessera/system.h"

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <atomic>

#include "core/random_pool.h"

namespace tessera {
namespace {

timespec realtime() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now;
}

// A number in a mapping that the kernel wipes in a child. Zero means: a child that has not
// counted itself yet. How many came before stands in ordinary memory, which is copied.
struct ForkWitness {
  std::atomic<std::uint32_t>* generation = nullptr;
  std::atomic<std::uint32_t> highest{0};
  std::atomic<std::uint32_t> without_mapping{1};

  ForkWitness() noexcept {
    void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED && madvise(memory, 4096, MADV_WIPEONFORK) == 0) {
      generation = static_cast<std::atomic<std::uint32_t>*>(memory);
    } else {
      generation = &without_mapping;
      pthread_atfork(nullptr, nullptr, [] { witness().without_mapping.fetch_add(1); });
    }
  }

  static ForkWitness& witness() noexcept {
    static ForkWitness the_witness;
    return the_witness;
  }
};

}  // namespace

std::uint64_t SystemClock::now_ms() noexcept {
  const timespec now = realtime();
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 +
         static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

std::uint64_t SystemClock::now_100ns() noexcept {
  const timespec now = realtime();
  return static_cast<std::uint64_t>(now.tv_sec) * 10'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec) / 100;
}

bool SystemEntropy::fill(std::span<std::uint8_t> out) noexcept { return detail::pool_fill(out); }

void SystemEntropy::reseed() noexcept { detail::pool_reseed(); }

std::uint32_t fork_generation() noexcept {
  ForkWitness& witness = ForkWitness::witness();
  const std::uint32_t generation = witness.generation->load(std::memory_order_acquire);
  if (generation != 0) [[likely]] {
    return generation;
  }
  // First call in this process. `highest` is raised before the number is used, so that a
  // fork between the two lines leaves the child a higher one. Of threads that meet here,
  // the first wins.
  const std::uint32_t next = witness.highest.fetch_add(1) + 1;
  std::uint32_t before = 0;
  return witness.generation->compare_exchange_strong(before, next) ? next : before;
}

}  // namespace tessera
