#pragma once

// fork_generation() for those who ask with every ID: a look, and no call. See system.cpp.

#include <atomic>
#include <cstdint>

#include "tessera/system.h"

namespace tessera::detail {

#if defined(__wasm__)  // which does not fork
inline std::uint32_t near_fork_generation() noexcept { return fork_generation(); }
#else
// Null until first use. What it points to is 0 in a child that has not counted itself yet.
[[gnu::visibility("hidden")]] extern constinit std::atomic<std::atomic<std::uint32_t>*>
    fork_witness;

inline std::uint32_t near_fork_generation() noexcept {
  const auto* witness = fork_witness.load(std::memory_order_acquire);
  if (witness != nullptr) [[likely]] {
    const std::uint32_t generation = witness->load(std::memory_order_acquire);
    if (generation != 0) [[likely]] {
      return generation;
    }
  }
  return fork_generation();
}
#endif

}  // namespace tessera::detail
