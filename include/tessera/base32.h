#pragma once

// Crockford's base32: digits 0-9 and A-Z without I, L, O, U.
//
// There are two ways to fit bytes into digits of five bits, and they give different
// texts for the same bytes. They have different names here and are never mixed:
//
//   left   zero bits in front, as for a number: 16 bytes are 26 digits, the first at
//          most '7'. ULID and TypeID. Order of texts = order of bytes.
//   right  zero bits behind, as for a stream of bytes: the last digit has spare bits
//          that must be zero. RandomId and the `crockford` form.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tessera/detail/alphabet.h"
#include "tessera/detail/bytes.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"

namespace tessera::base32 {

inline constexpr std::size_t kLeftTextSize = 26;  // of 16 bytes

enum class Letters : std::uint8_t { upper, lower };

constexpr void write_left(const detail::Bytes16& bytes, std::span<char, kLeftTextSize> out,
                          Letters letters = Letters::upper) noexcept {
  const char* digits =
      letters == Letters::upper ? detail::kCrockford.data() : detail::kCrockfordLower.data();
  const auto [hi, lo] = detail::load_pair(bytes);
  // 128 bits from the top: 3, then 25 times 5. Digit 13 lies across the two words.
  out[0] = digits[hi >> 61];
  for (std::size_t i = 1; i <= 12; ++i) out[i] = digits[hi >> (61 - 5 * i) & 31];
  out[13] = digits[(hi & 1) << 4 | lo >> 60];
  for (std::size_t i = 0; i < 12; ++i) out[14 + i] = digits[lo >> (55 - 5 * i) & 31];
}

namespace internal {

// Says where it goes wrong. Called only when something is known to be wrong.
constexpr ParseError left_error(std::string_view text, const detail::DigitTable& table) noexcept {
  for (std::uint32_t offset = 0; offset < text.size(); ++offset) {
    const std::uint8_t digit = detail::digit_of(table, text[offset]);
    if (digit == detail::kNotADigit) return {ParseError::Code::invalid_character, offset};
    if (offset == 0 && digit > 7) return {ParseError::Code::overflow, 0};
  }
  return {ParseError::Code::invalid_character, 0};
}

}  // namespace internal

// The 26 digits of `text`, by `table`. The loop has no exit: bad digits are collected
// in the bits that no good digit has, and looked for only at the end.
constexpr Result<detail::Bytes16, ParseError> parse_left(
    std::string_view text, const detail::DigitTable& table = detail::kCrockfordDigits) noexcept {
  if (text.size() != kLeftTextSize) {
    return Failure{
        ParseError{ParseError::Code::invalid_length, static_cast<std::uint32_t>(text.size())}};
  }
  const std::uint8_t first = detail::digit_of(table, text[0]);
  std::uint8_t seen = first;
  std::uint64_t hi = first;
  for (std::size_t i = 1; i <= 12; ++i) {
    const std::uint8_t digit = detail::digit_of(table, text[i]);
    seen |= digit;
    hi = hi << 5 | (digit & 31u);
  }
  const std::uint8_t middle = detail::digit_of(table, text[13]);
  seen |= middle;
  hi = hi << 1 | (middle >> 4 & 1u);
  std::uint64_t lo = middle & 15u;
  for (std::size_t i = 14; i < kLeftTextSize; ++i) {
    const std::uint8_t digit = detail::digit_of(table, text[i]);
    seen |= digit;
    lo = lo << 5 | (digit & 31u);
  }
  if (first > 7 || seen > 31) return Failure{internal::left_error(text, table)};
  return detail::store_pair({hi, lo});
}

// How many digits `bits` bits take, on either side.
constexpr std::size_t text_size(std::size_t bits) noexcept { return (bits + 4) / 5; }

// Right-padded: the first `bits` bits of `bytes`; `out` has text_size(bits) characters.
constexpr void write_right(std::span<const std::uint8_t> bytes, std::size_t bits,
                           std::span<char> out) noexcept {
  for (std::size_t i = 0; i < text_size(bits); ++i) {
    std::uint32_t digit = 0;
    for (std::size_t bit = 5 * i; bit < 5 * i + 5; ++bit) {
      const bool set = bit < bits && (bytes[bit / 8] >> (7 - bit % 8) & 1) != 0;
      digit = digit << 1 | (set ? 1u : 0u);
    }
    out[i] = detail::kCrockford[digit];
  }
}

}  // namespace tessera::base32
