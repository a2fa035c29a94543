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
#include <type_traits>
#include <utility>

#include "tessera/detail/alphabet.h"
#include "tessera/detail/bytes.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"

namespace tessera::base32 {

inline constexpr std::size_t kLeftTextSize = 26;  // of 16 bytes

enum class Letters : std::uint8_t { upper, lower };

namespace internal {

// 40 bits as eight digits, one in each byte, the first in the lowest.
constexpr std::uint64_t spread(std::uint64_t bits) noexcept {
  bits = bits >> 20 | (bits & 0xFFFFF) << 32;
  bits = (bits >> 10 & 0x000003FF000003FF) | (bits & 0x000003FF000003FF) << 16;
  return (bits >> 5 & 0x001F001F001F001F) | (bits & 0x001F001F001F001F) << 8;
}

// Their characters, by counting in all eight at once how many gaps of the alphabet lie below: one
// from 9 to A, and those where I, L, O and U would be.
constexpr std::uint64_t characters(std::uint64_t digits, Letters letters) noexcept {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const auto from = [digits](std::uint64_t least) {  // 1 where the digit is that or more
    return (digits + (0x80 - least) * kOnes) >> 7 & kOnes;
  };
  const std::uint64_t to_letter = letters == Letters::upper ? 'A' - '0' - 10 : 'a' - '0' - 10;
  return digits + '0' * kOnes + from(10) * to_letter + from(18) + from(20) + from(22) + from(27);
}

// With the vectors of this machine, if it has some; see src/core/ulid_kernel.cpp. The second reads
// by one of the three tables below, and only says no: what is wrong is asked of the portable one.
enum class Alphabet : std::uint8_t { either_case, lower, friendly };
void write_left_here(const std::uint8_t* bytes, char* out, Letters letters) noexcept;
[[nodiscard]] bool parse_left_here(const char* text, std::uint8_t* out, Alphabet alphabet) noexcept;

}  // namespace internal

// The same everywhere, and what the others are compared with.
constexpr void write_left_portable(const detail::Bytes16& bytes, std::span<char, kLeftTextSize> out,
                                   Letters letters = Letters::upper) noexcept {
  const char* digits =
      letters == Letters::upper ? detail::kCrockford.data() : detail::kCrockfordLower.data();
  const auto [hi, lo] = detail::load_pair(bytes);
  // 128 bits from the top: 3, 5, then three times eight digits.
  out[0] = digits[hi >> 61];
  out[1] = digits[hi >> 56 & 31];
  const auto eight = [letters](std::uint64_t bits) {
    return internal::characters(internal::spread(bits & 0xFFFFFFFFFF), letters);
  };
  detail::store_le_text(out.data() + 2, eight(hi >> 16));
  detail::store_le_text(out.data() + 10, eight(hi << 24 | lo >> 40));
  detail::store_le_text(out.data() + 18, eight(lo));
}

constexpr void write_left(const detail::Bytes16& bytes, std::span<char, kLeftTextSize> out,
                          Letters letters = Letters::upper) noexcept {
  if (std::is_constant_evaluated()) return write_left_portable(bytes, out, letters);
  internal::write_left_here(bytes.data(), out.data(), letters);
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

struct Digits {
  std::uint64_t bits;
  std::uint64_t seen;  // of any digit
};

// A digit for each number: without a loop, which would take a quarter more time.
template <std::size_t... I>
constexpr Digits append_digits(std::uint64_t bits, const char* text,
                               const detail::DigitTable& table,
                               std::index_sequence<I...>) noexcept {
  std::uint64_t seen = 0;
  std::uint64_t digit = 0;
  ((digit = detail::digit_of(table, text[I]), seen |= digit, bits = bits << 5 | digit), ...);
  return {bits, seen};
}

}  // namespace internal

// The 26 digits of `text`, by `table`. There is no exit on the way: bad digits are collected in the
// bits that no good digit has, and looked for only at the end.
constexpr Result<detail::Bytes16, ParseError> parse_left_portable(
    std::string_view text, const detail::DigitTable& table = detail::kCrockfordDigits) noexcept {
  if (text.size() != kLeftTextSize) {
    return Failure{
        ParseError{ParseError::Code::invalid_length, static_cast<std::uint32_t>(text.size())}};
  }
  constexpr std::make_index_sequence<12> kTwelve;
  const std::uint64_t first = detail::digit_of(table, text[0]);
  const std::uint64_t middle = detail::digit_of(table, text[13]);
  const auto front = internal::append_digits(first, text.data() + 1, table, kTwelve);
  const auto back = internal::append_digits(middle & 15, text.data() + 14, table, kTwelve);
  const std::uint64_t seen = first | middle | front.seen | back.seen;
  if (first > 7 || seen > 31) return Failure{internal::left_error(text, table)};
  return detail::store_pair({front.bits << 1 | middle >> 4, back.bits});
}

constexpr Result<detail::Bytes16, ParseError> parse_left(
    std::string_view text, const detail::DigitTable& table = detail::kCrockfordDigits) noexcept {
  using internal::Alphabet;
  const bool lower = &table == &detail::kCrockfordLowerDigits;
  const bool friendly = &table == &detail::kCrockfordFriendly;
  const bool known = lower || friendly || &table == &detail::kCrockfordDigits;
  if (!std::is_constant_evaluated() && known && text.size() == kLeftTextSize) {
    const Alphabet alphabet = lower      ? Alphabet::lower
                              : friendly ? Alphabet::friendly
                                         : Alphabet::either_case;
    detail::Bytes16 bytes;
    if (internal::parse_left_here(text.data(), bytes.data(), alphabet)) [[likely]] {
      return bytes;
    }
  }
  return parse_left_portable(text, table);
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
