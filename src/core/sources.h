#pragma once

// The real clock and the real randomness for the process-wide generators, seen through: what is
// done for every ID stands in the caller's loop.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tessera/system.h"
#if !defined(__wasm__)  // where the browser has its own
#include "core/random_pool.h"
#include "core/system_clock.h"
#endif

namespace tessera::detail {

#if defined(__wasm__)
using NearClock = SystemClock;
struct NearEntropy {
  [[nodiscard]] static bool fill(std::span<std::uint8_t> out) noexcept {
    return SystemEntropy().fill(out);
  }
  template <class Bytes>
  [[nodiscard]] static bool fill_quickly(Bytes& /*out*/) noexcept {
    return false;
  }
};
#else
struct NearClock {
  static std::uint64_t now_ms() noexcept { return exact_ms(); }
  static std::uint64_t now_s() noexcept { return coarse_s(); }
  static std::uint64_t now_100ns() noexcept { return SystemClock().now_100ns(); }
};

struct NearEntropy {
  template <std::size_t Size>
  [[nodiscard]] static bool fill(std::array<std::uint8_t, Size>& out) noexcept {
    return pool_take(out);
  }
  [[nodiscard]] static bool fill(std::span<std::uint8_t> out) noexcept { return pool_fill(out); }
  // All of `out`, which has a few bytes. False means: ask fill().
  template <class Bytes>
  [[nodiscard]] static bool fill_quickly(Bytes& out) noexcept {
    return pool_take_quickly(out);
  }
};
#endif

}  // namespace tessera::detail
