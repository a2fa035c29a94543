// The only clock and random device in the tree, and the witness of forks.

#include "tessera/system.h"

#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <array>
#include <atomic>

#include "core/fork_witness.h"
#include "core/random_pool.h"
#include "core/system_clock.h"

namespace tessera {

constinit std::atomic<std::atomic<std::uint32_t>*> detail::fork_witness{nullptr};

namespace {

timespec realtime() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now;
}

// A number in a mapping that the kernel wipes in a child. Zero means: a child that has not
// counted itself yet. How many came before stands in ordinary memory, which is copied.
//
// Nothing here is a static with a guard: a child that is forked while another thread holds
// the guard would wait for that thread for ever.
constinit std::atomic<std::uint32_t> highest{0};
constinit std::atomic<std::uint32_t> without_mapping{1};

std::atomic<std::uint32_t>& witness() noexcept {
  constexpr std::size_t kPageSize = 4096;
  auto* page = detail::fork_witness.load(std::memory_order_acquire);
  if (page != nullptr) [[likely]] {
    return *page;
  }
  void* memory =
      mmap(nullptr, kPageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* mine = &without_mapping;
  if (memory != MAP_FAILED && madvise(memory, kPageSize, MADV_WIPEONFORK) == 0) {
    mine = static_cast<std::atomic<std::uint32_t>*>(memory);
  } else {
    pthread_atfork(nullptr, nullptr, [] { without_mapping.fetch_add(1); });
  }
  if (detail::fork_witness.compare_exchange_strong(page, mine, std::memory_order_acq_rel))
    return *mine;
  if (memory != MAP_FAILED) munmap(memory, kPageSize);  // another thread was first
  return *page;
}

std::chrono::nanoseconds time_of(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

std::chrono::nanoseconds SystemMonotonicClock::now() noexcept { return time_of(CLOCK_MONOTONIC); }

std::chrono::nanoseconds SystemMonotonicClock::recent() noexcept {
  return time_of(CLOCK_MONOTONIC_COARSE);
}

std::chrono::nanoseconds SystemBootClock::now() noexcept {
#ifdef CLOCK_BOOTTIME
  return time_of(CLOCK_BOOTTIME);
#else
  return time_of(CLOCK_MONOTONIC);  // which does so, where there is no other
#endif
}

std::uint64_t SystemClock::now_ms() noexcept { return detail::exact_ms(); }

std::uint64_t SystemClock::now_s() noexcept { return detail::coarse_s(); }

std::uint64_t SystemClock::now_100ns() noexcept {
  const timespec now = realtime();
  return static_cast<std::uint64_t>(now.tv_sec) * 10'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec) / 100;
}

// What single IDs want goes the short way.
bool SystemEntropy::fill(std::span<std::uint8_t> out) noexcept {
  using Bytes16 = std::array<std::uint8_t, 16>;
  using Bytes10 = std::array<std::uint8_t, 10>;
  using Bytes8 = std::array<std::uint8_t, 8>;
  if (out.size() == 16) return detail::pool_take(*reinterpret_cast<Bytes16*>(out.data()));
  if (out.size() == 10) return detail::pool_take(*reinterpret_cast<Bytes10*>(out.data()));
  if (out.size() == 8) return detail::pool_take(*reinterpret_cast<Bytes8*>(out.data()));
  return detail::pool_fill(out);
}

void SystemEntropy::reseed() noexcept { detail::pool_reseed(); }

std::uint32_t fork_generation() noexcept {
  std::atomic<std::uint32_t>& counted = witness();
  const std::uint32_t generation = counted.load(std::memory_order_acquire);
  if (generation != 0) [[likely]] {
    return generation;
  }
  // First call in this process. `highest` is raised before the number is used, so that a
  // fork between the two lines leaves the child a higher one. Of threads that meet here,
  // the first wins.
  const std::uint32_t next = highest.fetch_add(1) + 1;
  std::uint32_t before = 0;
  return counted.compare_exchange_strong(before, next) ? next : before;
}

}  // namespace tessera
