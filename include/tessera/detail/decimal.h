#pragma once

// Decimal digits, eight at once.

#include <cstdint>

namespace tessera::detail {

// The eight digits of a number below 10^8 as the bytes of a word, the first in the lowest byte.
// Halves, quarters and eighths of the number are taken apart side by side; the reciprocals are
// exact for what a lane can hold.
constexpr std::uint64_t eight_digits(std::uint64_t number) noexcept {
  const std::uint64_t fours = number / 10'000 | (number % 10'000) << 32;
  const std::uint64_t hundreds = (fours * 10'486 >> 20) & 0x0000007f0000007f;
  const std::uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
  const std::uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000f;
  return tens | (twos - 10 * tens) << 8;
}

}  // namespace tessera::detail
