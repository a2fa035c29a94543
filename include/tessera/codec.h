#pragma once

// Sixteen bytes as text, in the spellings that have no kind of their own.
//
//   form       digits          text of 16 bytes
//   hex        0-9 a-f         32, either case is read
//   base36     0-9 a-z         25, the number; either case is read
//   base58     Bitcoin's       16 to 22, a leading zero byte is a leading '1'
//   base62     0-9 A-Z a-z     22, the number
//   base64url  RFC 4648 url    22, without padding, spare bits zero
//   int        0-9             1 to 39, the number, no leading zeros
//
// All but base58 and int have one length, so that texts sort as the bytes do (base64url
// does not: its alphabet is not in ASCII order). Each value has one text in each form,
// and every other text is refused.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "tessera/detail/alphabet.h"
#include "tessera/detail/bytes.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/text.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tessera {

using Bytes16 = detail::Bytes16;

namespace detail {

constexpr Failure<ParseError> parse_failure(ParseError::Code code, std::size_t offset) noexcept {
  return Failure{ParseError{code, static_cast<std::uint32_t>(offset)}};
}

// A number of 128 bits in `Size` digits of base `Base`, first digit first.
template <std::size_t Base, std::size_t Size>
struct Radix {
  // As many digits at a time as fit in 64 bits.
  static constexpr std::size_t kChunk = [] {
    std::size_t count = 0;
    for (uint128 power = Base; power >> 64 == 0; power *= Base) ++count;
    return count;
  }();
  static constexpr std::uint64_t kChunkPower = [] {
    std::uint64_t power = 1;
    for (std::size_t i = 0; i < kChunk; ++i) power *= Base;
    return power;
  }();

  static constexpr void write(const Bytes16& bytes, const char* alphabet, char* out) noexcept {
    uint128 value = load_128(bytes);
    std::size_t end = Size;
    while (end > 0) {
      auto chunk = static_cast<std::uint64_t>(value % kChunkPower);
      value /= kChunkPower;
      for (std::size_t i = 0; i < kChunk && end > 0; ++i, chunk /= Base) {
        out[--end] = alphabet[chunk % Base];
      }
    }
  }

  static constexpr Result<Bytes16, ParseError> parse(std::string_view text,
                                                     const DigitTable& table) noexcept {
    if (text.size() != Size) return parse_failure(ParseError::Code::invalid_length, text.size());
    for (std::size_t i = 0; i < Size; ++i) {
      if (digit_of(table, text[i]) == kNotADigit) {
        return parse_failure(ParseError::Code::invalid_character, i);
      }
    }
    constexpr uint128 kMax = ~uint128{0};
    uint128 value = 0;
    for (std::size_t at = 0; at < Size;) {
      std::uint64_t chunk = 0;
      std::uint64_t power = 1;
      for (std::size_t i = 0; i < kChunk && at < Size; ++i, ++at) {
        chunk = chunk * Base + digit_of(table, text[at]);
        power *= Base;
      }
      if (value > (kMax - chunk) / power) return parse_failure(ParseError::Code::overflow, 0);
      value = value * power + chunk;
    }
    return store_128(value);
  }
};

// Radix<36, 25> and Radix<62, 22>, as fast as this processor can. A reader says no also where it
// only does not know why: then Radix does.
void write_base36(const Bytes16& bytes, char* out) noexcept;
void write_base62(const Bytes16& bytes, char* out) noexcept;
[[nodiscard]] bool read_base36(const char* text, Bytes16& out) noexcept;
[[nodiscard]] bool read_base62(const char* text, Bytes16& out) noexcept;

}  // namespace detail

namespace hex {

inline constexpr std::size_t kTextSize = 32;

namespace internal {

inline constexpr auto kPairs = [] {
  std::array<char, 512> pairs{};
  for (std::size_t i = 0; i < 256; ++i) {
    pairs[2 * i] = detail::kHex[i >> 4];
    pairs[2 * i + 1] = detail::kHex[i & 15];
  }
  return pairs;
}();

}  // namespace internal

// Side by side, in what every 64-bit processor has for it: no look at what it can do besides, and
// nothing that a caller's loop could not contain.
namespace internal {

using Lanes [[gnu::vector_size(16)]] = std::uint8_t;
using SignedLanes [[gnu::vector_size(16)]] = std::int8_t;
using Words [[gnu::vector_size(16)]] = std::uint64_t;
using Pairs [[gnu::vector_size(16)]] = std::uint16_t;

struct Digits {
  Lanes front;  // of the first eight bytes
  Lanes back;
};

inline Digits digits_of(Lanes all) noexcept {
  const Lanes high = all >> 4;
  const Lanes low = all & 15;
  const auto digit = [](Lanes value) {
    constexpr std::uint8_t kZero = '0';
    constexpr std::uint8_t kToLetters = 'a' - '0' - 10;
    // With signs: one instruction.
    const auto is_letter = reinterpret_cast<SignedLanes>(value) > std::int8_t{9};
    return value + kZero + (reinterpret_cast<Lanes>(is_letter) & kToLetters);
  };
  return {digit(__builtin_shufflevector(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,
                                        7, 23)),
          digit(__builtin_shufflevector(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14,
                                        30, 15, 31))};
}

#if defined(__SSE2__)

// The digits that 16 characters are; more than 15 where one is none. Sums and differences that stop
// at the ends leave what is no number above 15, and what is no letter too; of both the least
// counts.
inline __m128i values_of(__m128i text) noexcept {
  const auto all = [](int value) { return _mm_set1_epi8(static_cast<char>(value)); };
  const __m128i number =
      _mm_sub_epi8(_mm_subs_epu8(_mm_add_epi8(text, all(0xFF - '9')), all(6)), all(0xF0));
  const __m128i letter =
      _mm_adds_epu8(_mm_sub_epi8(_mm_and_si128(text, all(0xDF)), all('A')), all(10));
  return _mm_min_epu8(number, letter);
}

// 32 characters to 16 bytes. False if one is no digit.
[[nodiscard]] inline bool parse_halves(__m128i front_text, __m128i back_text,
                                       std::uint8_t* out) noexcept {
  const __m128i front = values_of(front_text);
  const __m128i back = values_of(back_text);
  // The first digit of each pair is in its lower half.
  const __m128i lower = _mm_set1_epi16(0xFF);
  const __m128i first = _mm_packus_epi16(_mm_and_si128(front, lower), _mm_and_si128(back, lower));
  const __m128i second = _mm_packus_epi16(_mm_srli_epi16(front, 8), _mm_srli_epi16(back, 8));
  // Whatever runs over from one byte into the next was no digit.
  const __m128i all = _mm_or_si128(_mm_slli_epi16(first, 4), second);
  __builtin_memcpy(out, &all, 16);
  return _mm_movemask_epi8(_mm_adds_epu8(_mm_max_epu8(front, back), _mm_set1_epi8(112))) == 0;
}

// The same of four words.
[[nodiscard]] inline bool parse_words(std::uint64_t first, std::uint64_t second,
                                      std::uint64_t third, std::uint64_t fourth,
                                      std::uint8_t* out) noexcept {
  const auto joined = [](std::uint64_t a, std::uint64_t b) {
    return _mm_unpacklo_epi64(_mm_cvtsi64_si128(static_cast<long long>(a)),
                              _mm_cvtsi64_si128(static_cast<long long>(b)));
  };
  return parse_halves(joined(first, second), joined(third, fourth), out);
}

#else

// What 16 characters are worth, in the lower half of each of eight pairs; `bad` becomes other than
// zero where one is no digit.
inline Pairs bytes_of(Lanes text, Lanes& bad) noexcept {
  constexpr std::uint8_t kZero = '0';
  constexpr std::uint8_t kLetterA = 'a';
  const Lanes number = text - kZero;
  const Lanes letter = (text | 0x20) - kLetterA;
  const Lanes is_number = reinterpret_cast<Lanes>(number <= std::uint8_t{9});
  const Lanes is_letter = reinterpret_cast<Lanes>(letter <= std::uint8_t{5});
  bad |= ~(is_number | is_letter);
  const Lanes value = (number & is_number) | ((letter + 10) & is_letter);
  const Pairs pairs = reinterpret_cast<Pairs>(value);  // the first digit in the lower half
  return (pairs << 4 | pairs >> 8) & 0xFF;
}

// 32 characters, as four words, to 16 bytes. False if one is no digit.
[[nodiscard]] inline bool parse_words(std::uint64_t first, std::uint64_t second,
                                      std::uint64_t third, std::uint64_t fourth,
                                      std::uint8_t* out) noexcept {
  Lanes bad{};
  const Pairs front = bytes_of(reinterpret_cast<Lanes>(Words{first, second}), bad);
  const Pairs back = bytes_of(reinterpret_cast<Lanes>(Words{third, fourth}), bad);
  const Lanes all =
      __builtin_shufflevector(reinterpret_cast<Lanes>(front), reinterpret_cast<Lanes>(back), 0, 2,
                              4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  __builtin_memcpy(out, &all, 16);
  const Words words = reinterpret_cast<Words>(bad);
  return (words[0] | words[1]) == 0;
}

#endif

template <std::size_t Size = 8>
inline std::uint64_t load_text(const char* text) noexcept {
  std::uint64_t word = 0;
  __builtin_memcpy(&word, text, Size);
  return word;
}

}  // namespace internal

template <std::size_t Size>
inline void write_side_by_side(const std::uint8_t* bytes, char* out) noexcept {
  static_assert(Size == 12 || Size == 16);
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  __builtin_memcpy(&first, bytes, 8);
  __builtin_memcpy(&second, bytes + 8, Size - 8);
  const auto [front, back] =
      internal::digits_of(reinterpret_cast<internal::Lanes>(internal::Words{first, second}));
  __builtin_memcpy(out, &front, 16);
  __builtin_memcpy(out + 16, &back, 2 * Size - 16);
}

// The digits of 12 or 16 bytes. False if one is none; then `out` has nothing to say.
template <std::size_t Size>
[[nodiscard]] inline bool parse_side_by_side(const char* text, std::uint8_t* out) noexcept {
  static_assert(Size == 12 || Size == 16);
  const std::uint64_t third = internal::load_text(text + 16);
  if constexpr (Size == 16) {
    return internal::parse_words(internal::load_text(text), internal::load_text(text + 8), third,
                                 internal::load_text(text + 24), out);
  } else {
    detail::Bytes16 bytes;
    const bool good = internal::parse_words(
        internal::load_text(text), internal::load_text(text + 8), third, third, bytes.data());
    __builtin_memcpy(out, bytes.data(), Size);
    return good;
  }
}

// `out` has two characters for each byte.
constexpr void write(std::span<const std::uint8_t> bytes, std::span<char> out) noexcept {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    out[2 * i] = internal::kPairs[std::size_t{2} * bytes[i]];
    out[2 * i + 1] = internal::kPairs[std::size_t{2} * bytes[i] + 1];
  }
}

template <std::size_t Size>
constexpr void write(const std::array<std::uint8_t, Size>& bytes,
                     std::span<char, 2 * Size> out) noexcept {
  if constexpr (Size == 12 || Size == 16) {
    if (!std::is_constant_evaluated()) return write_side_by_side<Size>(bytes.data(), out.data());
  }
  write(std::span<const std::uint8_t>(bytes), std::span<char>(out));
}

// Exactly 2 * out.size() digits of either case.
constexpr Result<std::size_t, ParseError> parse(std::string_view text,
                                                std::span<std::uint8_t> out) noexcept {
  if (text.size() != 2 * out.size()) {
    return detail::parse_failure(ParseError::Code::invalid_length, text.size());
  }
  if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
    if (out.size() == 16 && parse_side_by_side<16>(text.data(), out.data())) return out.size();
    if (out.size() == 12 && parse_side_by_side<12>(text.data(), out.data())) return out.size();
  }
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint8_t high = detail::digit_of(detail::kHexDigits, text[2 * i]);
    const std::uint8_t low = detail::digit_of(detail::kHexDigits, text[2 * i + 1]);
    seen |= high | low;
    out[i] = static_cast<std::uint8_t>(high << 4 | (low & 15));
  }
  if (seen > 15) {
    std::size_t offset = 0;
    while (detail::digit_of(detail::kHexDigits, text[offset]) != detail::kNotADigit) ++offset;
    return detail::parse_failure(ParseError::Code::invalid_character, offset);
  }
  return out.size();
}

constexpr Text<kTextSize> text_of(const Bytes16& bytes) noexcept {
  Text<kTextSize> text{.size = kTextSize};
  write(bytes, std::span<char, kTextSize>(text.chars));
  return text;
}

constexpr Result<Bytes16, ParseError> parse(std::string_view text) noexcept {
  Bytes16 bytes{};
  if (const auto done = parse(text, bytes); !done) return Failure{done.error()};
  return bytes;
}

}  // namespace hex

namespace base36 {

inline constexpr std::size_t kTextSize = 25;

constexpr Result<Bytes16, ParseError> parse_portable(std::string_view text) noexcept {
  return detail::Radix<36, kTextSize>::parse(text, detail::kBase36Digits);
}

constexpr Text<kTextSize> text_of(const Bytes16& bytes) noexcept {
  Text<kTextSize> text{.size = kTextSize};
  if (std::is_constant_evaluated()) {
    detail::Radix<36, kTextSize>::write(bytes, detail::kBase36.data(), text.chars.data());
  } else {
    detail::write_base36(bytes, text.chars.data());
  }
  return text;
}

constexpr Result<Bytes16, ParseError> parse(std::string_view text) noexcept {
  if (!std::is_constant_evaluated() && text.size() == kTextSize) {
    Bytes16 bytes;
    if (detail::read_base36(text.data(), bytes)) [[likely]] {
      return bytes;
    }
  }
  return parse_portable(text);
}

}  // namespace base36

namespace base62 {

inline constexpr std::size_t kTextSize = 22;

constexpr Result<Bytes16, ParseError> parse_portable(std::string_view text) noexcept {
  return detail::Radix<62, kTextSize>::parse(text, detail::kBase62Digits);
}

constexpr Text<kTextSize> text_of(const Bytes16& bytes) noexcept {
  Text<kTextSize> text{.size = kTextSize};
  if (std::is_constant_evaluated()) {
    detail::Radix<62, kTextSize>::write(bytes, detail::kBase62.data(), text.chars.data());
  } else {
    detail::write_base62(bytes, text.chars.data());
  }
  return text;
}

constexpr Result<Bytes16, ParseError> parse(std::string_view text) noexcept {
  if (!std::is_constant_evaluated() && text.size() == kTextSize) {
    Bytes16 bytes;
    if (detail::read_base62(text.data(), bytes)) [[likely]] {
      return bytes;
    }
  }
  return parse_portable(text);
}

}  // namespace base62

namespace base58 {

inline constexpr std::size_t kTextSizeMax = 22;

constexpr Text<kTextSizeMax> text_of(const Bytes16& bytes) noexcept {
  std::array<char, kTextSizeMax> digits{};
  detail::Radix<58, kTextSizeMax>::write(bytes, detail::kBase58.data(), digits.data());
  std::size_t zero_bytes = 0;
  while (zero_bytes < bytes.size() && bytes[zero_bytes] == 0) ++zero_bytes;
  std::size_t first = 0;
  while (first < kTextSizeMax && digits[first] == '1') ++first;

  Text<kTextSizeMax> text;
  for (std::size_t i = 0; i < zero_bytes; ++i) text.chars[text.size++] = '1';
  for (std::size_t i = first; i < kTextSizeMax; ++i) text.chars[text.size++] = digits[i];
  return text;
}

constexpr Result<Bytes16, ParseError> parse(std::string_view text) noexcept {
  if (text.empty() || text.size() > kTextSizeMax) {
    return detail::parse_failure(ParseError::Code::invalid_length, text.size());
  }
  std::array<char, kTextSizeMax> digits{};
  for (auto& digit : digits) digit = '1';
  for (std::size_t i = 0; i < text.size(); ++i) digits[kTextSizeMax - text.size() + i] = text[i];
  const auto bytes =
      detail::Radix<58, kTextSizeMax>::parse({digits.data(), digits.size()}, detail::kBase58Digits);
  if (!bytes) {
    const std::size_t padding = kTextSizeMax - text.size();
    return bytes.error().code == ParseError::Code::invalid_character
               ? detail::parse_failure(bytes.error().code, bytes.error().offset - padding)
               : bytes;
  }
  // One leading '1' for one leading zero byte: every other count is a second spelling.
  if (text_of(*bytes).view() != text) {
    return detail::parse_failure(ParseError::Code::invalid_length, text.size());
  }
  return bytes;
}

}  // namespace base58

namespace base64url {

inline constexpr std::size_t kTextSize = 22;

constexpr Text<kTextSize> text_of(const Bytes16& bytes) noexcept {
  Text<kTextSize> text{.size = kTextSize};
  const auto value = detail::load_128(bytes);
  for (std::size_t i = 0; i < 21; ++i) {
    text.chars[i] = detail::kBase64Url[static_cast<std::size_t>(value >> (122 - 6 * i)) & 63];
  }
  text.chars[21] = detail::kBase64Url[static_cast<std::size_t>(value << 4) & 63];
  return text;
}

constexpr Result<Bytes16, ParseError> parse(std::string_view text) noexcept {
  if (text.size() != kTextSize) {
    return detail::parse_failure(ParseError::Code::invalid_length, text.size());
  }
  detail::uint128 value = 0;
  std::uint8_t last = 0;
  for (std::size_t i = 0; i < kTextSize; ++i) {
    last = detail::digit_of(detail::kBase64UrlDigits, text[i]);
    if (last == detail::kNotADigit) {
      return detail::parse_failure(ParseError::Code::invalid_character, i);
    }
    value = i < 21 ? value << 6 | last : value << 2 | last >> 4;
  }
  if ((last & 15) != 0) return detail::parse_failure(ParseError::Code::non_canonical, 21);
  return detail::store_128(value);
}

}  // namespace base64url

namespace decimal {

inline constexpr std::size_t kTextSizeMax = 39;

constexpr Text<kTextSizeMax> text_of(const Bytes16& bytes) noexcept {
  std::array<char, kTextSizeMax> digits{};
  detail::Radix<10, kTextSizeMax>::write(bytes, "0123456789", digits.data());
  std::size_t first = 0;
  while (first + 1 < kTextSizeMax && digits[first] == '0') ++first;
  Text<kTextSizeMax> text;
  for (std::size_t i = first; i < kTextSizeMax; ++i) text.chars[text.size++] = digits[i];
  return text;
}

constexpr Result<Bytes16, ParseError> parse(std::string_view text) noexcept {
  if (text.empty() || text.size() > kTextSizeMax) {
    return detail::parse_failure(ParseError::Code::invalid_length, text.size());
  }
  std::array<char, kTextSizeMax> digits{};
  for (auto& digit : digits) digit = '0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') {
      return detail::parse_failure(ParseError::Code::invalid_character, i);
    }
    digits[kTextSizeMax - text.size() + i] = text[i];
  }
  if (text.size() > 1 && text[0] == '0') {
    return detail::parse_failure(ParseError::Code::non_canonical, 0);
  }
  constexpr auto kDigits = detail::make_digit_table("0123456789", detail::Case::exact);
  return detail::Radix<10, kTextSizeMax>::parse({digits.data(), digits.size()}, kDigits);
}

}  // namespace decimal

}  // namespace tessera
