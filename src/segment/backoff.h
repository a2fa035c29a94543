#pragma once

// Backoff: how long to leave a failing store alone.
//
// Twice as long after each failure, from `least` to `most`, less up to a half by chance: processes
// that failed together should not come back together. The chance is seeded, so that a simulation
// can be played again.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tessera {

class Backoff {
 public:
  Backoff(std::chrono::nanoseconds least, std::chrono::nanoseconds most,
          std::uint64_t seed) noexcept
      : least_(least), most_(most), random_(seed) {}

  std::uint64_t failures() const noexcept { return failures_; }  // in a row
  void succeed() noexcept { failures_ = 0; }

  std::chrono::nanoseconds fail() noexcept {
    const auto doublings = static_cast<unsigned>(std::min<std::uint64_t>(failures_, 20));
    ++failures_;
    const std::chrono::nanoseconds full = std::min(least_ * (1 << doublings), most_);
    const auto half = static_cast<std::uint64_t>(full.count() / 2);
    return full - std::chrono::nanoseconds(half == 0 ? 0 : next_random() % half);
  }
  // For failures after which nobody waits.
  void count_failure() noexcept { ++failures_; }

 private:
  // SplitMix64.
  std::uint64_t next_random() noexcept {
    std::uint64_t z = random_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return z ^ z >> 31;
  }

  std::chrono::nanoseconds least_;
  std::chrono::nanoseconds most_;
  std::uint64_t random_;
  std::uint64_t failures_ = 0;
};

}  // namespace tessera
