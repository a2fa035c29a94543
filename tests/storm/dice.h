#pragma once

// Dice: choices that can be made again from the same seed (SplitMix64). No source of IDs.

#include <cstdint>

namespace storm {

class Dice {
 public:
  explicit constexpr Dice(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t roll() noexcept {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return z ^ z >> 31;
  }
  constexpr std::uint64_t below(std::uint64_t end) noexcept { return roll() % end; }
  constexpr bool one_in(std::uint64_t count) noexcept { return below(count) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace storm
