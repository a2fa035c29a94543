#pragma once

// One thread's randomness. See random_pool.cpp for how it works.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/keystream.h"
#include "core/near_thread_local.h"

namespace tessera::detail {

// All zero means empty, and not known to hold a seed.
struct RandomPool {
  // Fifteen strides of the widest cipher: most of what two pages hold. A key of its own and a seed
  // are what each refill costs besides.
  static constexpr std::size_t kOutputSize = 7680 - kKeySize;
  static constexpr std::uint32_t kAtRest = 0;
  static constexpr std::uint32_t kAtWork = 1;
  static constexpr std::uint32_t kSpoiled = 2;  // wiped while somebody was at it, who wrote since

  std::uint32_t in_use;   // kAtRest, kAtWork, or kSpoiled
  std::uint32_t unread;   // bytes left at the start of `output`
  std::uint32_t refills;  // since the last seed; with a seed it is never 0
  std::uint32_t reserved;
  std::int64_t seeded_s;  // on the monotonic clock
  alignas(64) std::uint8_t key[kKeySize];
  std::uint8_t output[kOutputSize];  // right behind the key: one keystream fills both
};

enum class ChosenSource : std::uint8_t { none_yet, pool, kernel };

[[gnu::visibility("hidden")]] extern constinit std::atomic<ChosenSource> chosen_source;

// Null until first use.
TESSERA_NEAR extern thread_local constinit RandomPool* this_thread_pool;

// Fills `out` from this thread's pool, or from where set_random_source() says. False if the kernel
// gave no seed; then nothing may be used.
[[nodiscard]] bool pool_fill(std::span<std::uint8_t> out) noexcept;

// The same as pool_fill() for a few bytes: as many as `out` has. False if the way is longer this
// time; what is to be done about it is done by pool_fill(), so that nothing is called from here,
// and nobody who makes an ID needs a stack for it.
template <class Bytes>
[[nodiscard]] inline bool pool_take_quickly(Bytes& out) noexcept {
  constexpr std::size_t kSize = sizeof(Bytes);
  static_assert(kSize <= 64);
  RandomPool* pool = this_thread_pool;
  if (pool == nullptr || pool->in_use != RandomPool::kAtRest ||
      chosen_source.load(std::memory_order_relaxed) != ChosenSource::pool) [[unlikely]] {
    return false;
  }
  pool->in_use = RandomPool::kAtWork;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  // Read once: the pool may be wiped under us, and then a second look would see less.
  const std::uint32_t unread = pool->unread;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (unread < kSize) [[unlikely]] {
    if (pool->in_use == RandomPool::kAtWork) pool->in_use = RandomPool::kAtRest;
    return false;
  }
  pool->unread = unread - static_cast<std::uint32_t>(kSize);
  std::uint8_t* from = pool->output + (unread - kSize);
  std::memcpy(&out, from, kSize);
  std::memset(from, 0, kSize);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (pool->in_use != RandomPool::kAtWork) [[unlikely]] {
    pool->in_use = RandomPool::kSpoiled;
    return false;
  }
  pool->in_use = RandomPool::kAtRest;
  return true;
}

template <std::size_t Size>
[[nodiscard]] inline bool pool_take(std::array<std::uint8_t, Size>& out) noexcept {
  return pool_take_quickly(out) || pool_fill(out);
}

// Forgets what this thread has buffered, here and in the kernel's own memory.
void pool_reseed() noexcept;

// Bytes straight from the kernel, and whether that takes no system call.
[[nodiscard]] bool kernel_fill(std::span<std::uint8_t> out) noexcept;
bool kernel_random_is_near() noexcept;
void kernel_random_forget() noexcept;

}  // namespace tessera::detail
