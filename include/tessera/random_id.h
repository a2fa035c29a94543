#pragma once

// RandomId: nothing but random bits, as many as you like, with a check symbol in its text.
//
//    | random: 1 to 512 bits | 0 to 7 spare bits, zero |        60, 64, 80, 120, 128 by name
//
// Text is Crockford base32, filled up with zero bits on the right, and then the check:
//
//    60 bits   12 digits + 1    AHM6A83HENMPS      the number modulo 37; see check.h
//    64 bits   13 digits + 1    KFV1B65P8Q3CMC
//    128 bits  26 digits + 2    two and three check symbols are for long IDs
//
// The check stands in the text only. It is no part of the value and never stored; two texts
// of one value with different checks are equal when read.
//
// Order of values = order of bytes = order of text, among IDs of one size; smaller sizes
// come first. Other than texts of a ulid, these are read like a stream of bytes: the same
// 16 bytes have another text there.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base32.h"
#include "tessera/check.h"
#include "tessera/codec.h"
#include "tessera/detail/alphabet.h"
#include "tessera/detail/bytes.h"
#include "tessera/mint_error.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/source.h"
#include "tessera/text.h"

namespace tessera {

class RandomId {
 public:
  static constexpr unsigned kBitsMax = 512;
  static constexpr std::array<unsigned, 5> kNamedBits = {60, 64, 80, 120, 128};
  static constexpr std::size_t kSizeMax = kBitsMax / 8;
  static constexpr std::size_t kDigitCountMax = base32::text_size(kBitsMax);
  // Three check symbols, and a hyphen behind every character but the last.
  static constexpr std::size_t kTextSizeMax = 2 * (kDigitCountMax + 3) - 1;
  // Longer text is refused unread.
  static constexpr std::size_t kParseSizeMax = 256;

  // Which check symbols a new ID may have: with `plain` none of * ~ $ =, which URLs and
  // shells treat specially. That costs a sixth of a bit, and needs 1.1 draws.
  enum class Symbols : std::uint8_t { any, plain };

  static constexpr bool has_size(unsigned bits) noexcept { return bits >= 1 && bits <= kBitsMax; }

  // How long the text is, without hyphens.
  static constexpr std::size_t text_size(unsigned bits,
                                         CheckCount check = CheckCount::one) noexcept {
    return base32::text_size(bits) + static_cast<std::size_t>(check);
  }

  // A new one. `bits` for which has_size() is false are a bug of the caller and end the
  // process. Thread-safe, fork-safe.
  static Result<RandomId, MintError> generate(unsigned bits,
                                              Symbols symbols = Symbols::any) noexcept;
  // The same with your own randomness. no_entropy also if `plain` symbols do not come up in
  // 64 draws: then the bytes are not random.
  static Result<RandomId, MintError> generate(unsigned bits, Entropy& entropy,
                                              Symbols symbols = Symbols::any) noexcept;

  // Text that a person may have typed: hyphens anywhere, either case, I and L for 1, O for 0.
  // (Not in a single check symbol, which has its own alphabet.) `bits` is the size you expect;
  // without it the ID is the whole bytes that a text of this length can hold.
  //
  // The error is the first of: nothing but a check symbol, or less; a bad character; a length
  // that no such ID has; spare bits that are not zero; a check that does not fit.
  static constexpr Result<RandomId, ParseError> parse(std::string_view text,
                                                      CheckCount check = CheckCount::one) noexcept {
    return read(text, kWholeBytes, check, Reading::friendly);
  }
  static constexpr Result<RandomId, ParseError> parse(std::string_view text, unsigned bits,
                                                      CheckCount check = CheckCount::one) noexcept {
    return read(text, given(bits), check, Reading::friendly);
  }

  // Text from a program: the canonical spelling, in either case.
  static constexpr Result<RandomId, ParseError> parse_strict(
      std::string_view text, CheckCount check = CheckCount::one) noexcept {
    return read(text, kWholeBytes, check, Reading::strict);
  }
  static constexpr Result<RandomId, ParseError> parse_strict(
      std::string_view text, unsigned bits, CheckCount check = CheckCount::one) noexcept {
    return read(text, given(bits), check, Reading::strict);
  }

  // What may have been meant by a text that parse() refuses: the texts that differ from it by
  // one character or by two neighbours swapped. At most eight, the likeliest first; none if
  // the text is good or its length is wrong. The answers are guesses: with one check symbol
  // there is about one for every character.
  static std::vector<std::string> suggest(std::string_view text,
                                          CheckCount check = CheckCount::one);
  static std::vector<std::string> suggest(std::string_view text, unsigned bits,
                                          CheckCount check = CheckCount::one);

  // The first `bits` bits of `bytes`; so the 128 of a UUID get a check symbol. Fewer bytes than
  // that, and `bits` for which has_size() is false, are a bug of the caller, as above.
  static constexpr RandomId from_bytes(std::span<const std::uint8_t> bytes, unsigned bits) noexcept;

  // IDs of up to 64 bits, kept as numbers.
  static constexpr Result<RandomId, ParseError> from_number(std::uint64_t number,
                                                            unsigned bits) noexcept;
  constexpr std::optional<std::uint64_t> number() const noexcept {
    if (bits_ > 64) return std::nullopt;
    return detail::load_be<8>(bytes_.data()) >> (64 - bits_);
  }

  constexpr unsigned bits() const noexcept { return bits_; }
  constexpr std::span<const std::uint8_t> bytes() const noexcept {
    return {bytes_.data(), size_of(bits_)};
  }

  // With `group`, a hyphen behind that many characters, for reading aloud: AHM6-A83H-ENMP-S.
  constexpr Text<kTextSizeMax> text(CheckCount check = CheckCount::one,
                                    std::size_t group = 0) const noexcept;
  std::string to_string(CheckCount check = CheckCount::one, std::size_t group = 0) const {
    return text(check, group).to_string();
  }

  friend constexpr bool operator==(const RandomId&, const RandomId&) = default;
  friend constexpr std::strong_ordering operator<=>(const RandomId&, const RandomId&) = default;

 private:
  static constexpr unsigned kWholeBytes = 0;
  enum class Reading : std::uint8_t { friendly, strict };

  // The values of the check symbols, as far as there are any.
  using CheckValues = std::array<std::uint8_t, 3>;

  constexpr explicit RandomId(unsigned bits) noexcept : bits_(static_cast<std::uint16_t>(bits)) {}

  static constexpr std::size_t size_of(unsigned bits) noexcept { return (bits + 7) / 8; }

  // 0 is what read() calls kWholeBytes; here it is as wrong as 513.
  static constexpr unsigned given(unsigned bits) noexcept {
    return has_size(bits) ? bits : kBitsMax + 1;
  }

  static constexpr Result<RandomId, ParseError> read(std::string_view text, unsigned bits,
                                                     CheckCount check, Reading reading) noexcept;
  static std::vector<std::string> suggest_texts(std::string_view text, unsigned bits,
                                                CheckCount check);

  constexpr void clear_spare_bits() noexcept {
    const std::size_t spare = 8 * size_of(bits_) - bits_;
    std::uint8_t& last = bytes_[size_of(bits_) - 1];
    last = static_cast<std::uint8_t>(last >> spare << spare);
  }

  // Digits go in and out by eights, which are five bytes.
  static constexpr std::size_t eights(std::size_t digit_count) noexcept {
    return (digit_count + 7) / 8;
  }
  constexpr std::uint64_t eight_digits(std::size_t index) const noexcept {
    return detail::load_be<5>(bytes_.data() + 5 * index);
  }
  static constexpr std::uint8_t one_digit(std::uint64_t eight, std::size_t index) noexcept {
    return eight >> (35 - 5 * index) & 31;
  }

  template <std::size_t Count>
  constexpr CheckValues gf32_values() const noexcept {
    Gf32Check<Count> stream;
    const std::size_t count = base32::text_size(bits_);
    for (std::size_t i = 0; i < count; i += 8) {
      const std::uint64_t eight = eight_digits(i / 8);
      for (std::size_t j = 0; j < 8 && i + j < count; ++j) stream.add(one_digit(eight, j));
    }
    CheckValues values{};
    const auto symbols = stream.symbols();
    for (std::size_t i = 0; i < Count; ++i) values[i] = symbols[i];
    return values;
  }

  constexpr CheckValues check_values(CheckCount check) const noexcept {
    switch (check) {
      case CheckCount::none: return {};
      case CheckCount::one: return {mod37(bytes(), bits_)};
      case CheckCount::two: return gf32_values<2>();
      case CheckCount::three: return gf32_values<3>();
    }
    return {};
  }

  std::uint16_t bits_;                              // before the bytes: sizes are compared first
  std::array<std::uint8_t, kSizeMax + 1> bytes_{};  // the last digits lie across the end
};

constexpr RandomId RandomId::from_bytes(std::span<const std::uint8_t> bytes,
                                        unsigned bits) noexcept {
  // An ID of no bits, or of bits that are not there, must not leave the process.
  if (!has_size(bits) || bytes.size() < size_of(bits)) std::abort();
  RandomId id(bits);
  for (std::size_t i = 0; i < size_of(bits); ++i) id.bytes_[i] = bytes[i];
  id.clear_spare_bits();
  return id;
}

constexpr Result<RandomId, ParseError> RandomId::from_number(std::uint64_t number,
                                                             unsigned bits) noexcept {
  if (!has_size(bits) || bits > 64) {
    return detail::parse_failure(ParseError::Code::invalid_length, 0);
  }
  if (bits < 64 && number >> bits != 0) {
    return detail::parse_failure(ParseError::Code::overflow, 0);
  }
  RandomId id(bits);
  detail::store_be<8>(id.bytes_.data(), number << (64 - bits));
  return id;
}

constexpr Text<RandomId::kTextSizeMax> RandomId::text(CheckCount check,
                                                      std::size_t group) const noexcept {
  Text<kTextSizeMax> plain;
  const std::size_t count = base32::text_size(bits_);
  for (std::size_t i = 0; i < eights(count); ++i) {
    const std::uint64_t eight = eight_digits(i);
    for (std::size_t j = 0; j < 8; ++j) {
      plain.chars[8 * i + j] = detail::kCrockford[one_digit(eight, j)];
    }
  }
  const CheckValues values = check_values(check);
  for (std::size_t i = 0; i < static_cast<std::size_t>(check); ++i) {
    plain.chars[count + i] = kMod37Symbols[values[i]];
  }
  plain.size = text_size(bits_, check);
  if (group == 0) return plain;

  Text<kTextSizeMax> grouped;
  for (std::size_t i = 0; i < plain.size; ++i) {
    if (i != 0 && i % group == 0) grouped.chars[grouped.size++] = '-';
    grouped.chars[grouped.size++] = plain.chars[i];
  }
  return grouped;
}

constexpr Result<RandomId, ParseError> RandomId::read(std::string_view text, unsigned bits,
                                                      CheckCount check, Reading reading) noexcept {
  using Code = ParseError::Code;
  if (text.size() > kParseSizeMax) return detail::parse_failure(Code::invalid_length, text.size());

  const bool friendly = reading == Reading::friendly;
  std::array<char, kParseSizeMax> without_hyphens;
  std::string_view symbols = text;
  if (friendly && text.find('-') != text.npos) {
    std::size_t count = 0;
    for (const char c : text) {
      without_hyphens[count] = c;
      count += c != '-' ? 1u : 0u;
    }
    symbols = {without_hyphens.data(), count};
  }
  // Where in the text as it was given; asked only when something is wrong.
  const auto offset_of = [&](std::size_t index) {
    std::size_t offset = 0;
    for (;; ++offset) {
      if (friendly && text[offset] == '-') continue;
      if (index-- == 0) return offset;
    }
  };

  const auto check_count = static_cast<std::size_t>(check);
  if (symbols.size() <= check_count)
    return detail::parse_failure(Code::invalid_length, text.size());
  const std::size_t count = symbols.size() - check_count;

  // Two and three check symbols are digits like those of the body.
  const auto& digits = friendly ? detail::kCrockfordFriendly : detail::kCrockfordDigits;
  const auto& check_digits = check == CheckCount::one ? kMod37Digits : digits;
  std::array<std::uint8_t, kParseSizeMax> values;
  CheckValues given_check{};
  // No exit from the loops: a bad character leaves a bit that no good one has.
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = detail::digit_of(digits, symbols[i]);
    seen |= values[i];
  }
  for (std::size_t i = 0; i < check_count; ++i) {
    given_check[i] = detail::digit_of(check_digits, symbols[count + i]);
    seen |= given_check[i];
  }
  if ((seen & 0x80) != 0) {
    std::size_t index = 0;
    while (detail::digit_of(index < count ? digits : check_digits, symbols[index]) !=
           detail::kNotADigit) {
      ++index;
    }
    return detail::parse_failure(Code::invalid_character, offset_of(index));
  }

  if (bits == kWholeBytes) bits = static_cast<unsigned>(count * 5 / 8 * 8);
  if (!has_size(bits) || base32::text_size(bits) != count) {
    return detail::parse_failure(Code::invalid_length, text.size());
  }
  const std::size_t spare = 5 * count - bits;
  if ((values[count - 1] & ((1u << spare) - 1)) != 0) {
    return detail::parse_failure(Code::non_canonical, offset_of(count - 1));
  }

  RandomId id(bits);
  for (std::size_t i = count; i < 8 * eights(count); ++i) values[i] = 0;
  for (std::size_t i = 0; i < eights(count); ++i) {
    std::uint64_t eight = 0;
    for (std::size_t j = 0; j < 8; ++j) eight = eight << 5 | values[8 * i + j];
    detail::store_be<5>(id.bytes_.data() + 5 * i, eight);
  }
  if (id.check_values(check) != given_check) {
    return detail::parse_failure(Code::bad_check, offset_of(count));
  }
  return id;
}

// Sixteen bytes of any kind as 26 digits and a check symbol, beside the forms of codec.h.
namespace crockford {

inline constexpr std::size_t kTextSize = 27;

constexpr Text<kTextSize> text_of(const Bytes16& bytes) noexcept {
  const auto whole = RandomId::from_bytes(bytes, 128).text();
  Text<kTextSize> text{.size = kTextSize};
  for (std::size_t i = 0; i < kTextSize; ++i) text.chars[i] = whole.chars[i];
  return text;
}

// Friendly, as RandomId::parse().
constexpr Result<Bytes16, ParseError> parse(std::string_view text) noexcept {
  const auto id = RandomId::parse(text, 128);
  if (!id) return Failure{id.error()};
  Bytes16 bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = id->bytes()[i];
  return bytes;
}

}  // namespace crockford

}  // namespace tessera

template <>
struct std::hash<tessera::RandomId> {
  std::size_t operator()(const tessera::RandomId& id) const noexcept {
    std::uint64_t mixed = id.bits();
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < id.bytes().size(); ++i) {
      word = word << 8 | id.bytes()[i];
      if (i % 8 == 7 || i + 1 == id.bytes().size()) {
        mixed = (mixed ^ word) * 0x9E37'79B9'7F4A'7C15;
        mixed ^= mixed >> 32;
        word = 0;
      }
    }
    return static_cast<std::size_t>(mixed);
  }
};
