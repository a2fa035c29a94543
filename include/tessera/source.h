#pragma once

// Where generators get time and chance from. Tests pass their own; nothing in
// tessera reads a clock or a random device behind the caller's back.

#include <chrono>
#include <cstdint>
#include <span>

namespace tessera {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::uint64_t now_ms() noexcept = 0;  // since 1970-01-01T00:00:00Z

  // The same in seconds, for kinds that count them; some milliseconds behind, at most ten.
  virtual std::uint64_t now_s() noexcept { return now_ms() / 1000; }

  // The same in steps of 100 ns, for UUID versions 1 and 6.
  // The largest number there is, if it has more.
  virtual std::uint64_t now_100ns() noexcept {
    constexpr std::uint64_t kMax = ~std::uint64_t{0};
    const std::uint64_t now = now_ms();
    return now > kMax / 10'000 ? kMax : now * 10'000;
  }
};

// For durations and deadlines: never steps back, and says nothing about the date.
class MonotonicClock {
 public:
  virtual ~MonotonicClock() = default;
  virtual std::chrono::nanoseconds now() noexcept = 0;  // since a moment of its own choice
  // The same, for those who ask often and can bear that it is some milliseconds behind.
  virtual std::chrono::nanoseconds recent() noexcept { return now(); }
};

class Entropy {
 public:
  virtual ~Entropy() = default;
  // Fills all of `out` with unpredictable bytes. False means none may be used.
  [[nodiscard]] virtual bool fill(std::span<std::uint8_t> out) noexcept = 0;
};

}  // namespace tessera
