#pragma once

// ShortId: an ID as short as the number of things allows, with a check symbol in its text.
//
//    | number: 16 to 63 bits |  right-padded base32, and Crockford's check symbol
//
//    16 bits   4 digits + 1    KCVG$              65,536 of them
//    40 bits   8 digits + 1    EEBGNX0Z2          a million million
//    63 bits  13 digits + 1    PT7724RANJ0J0W
//
// The text is that of a RandomId of so many bits. The number is no serial number: it is one
// that went through a ShortCipher (short_cipher.h), so that its neighbours cannot be guessed
// and none comes twice.
//
// Order of values = order of text, among IDs of one size; smaller sizes come first.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tessera/base32.h"
#include "tessera/parse_error.h"
#include "tessera/random_id.h"
#include "tessera/result.h"
#include "tessera/text.h"

namespace tessera {

class ShortId {
 public:
  static constexpr unsigned kBitsMin = 16;
  static constexpr unsigned kBitsMax = 63;
  // A hyphen behind every character but the last.
  static constexpr std::size_t kTextSizeMax = 2 * (base32::text_size(kBitsMax) + 1) - 1;

  static constexpr bool has_size(unsigned bits) noexcept {
    return bits >= kBitsMin && bits <= kBitsMax;
  }

  // How long the text is, with its check symbol and without hyphens.
  static constexpr std::size_t text_size(unsigned bits) noexcept {
    return RandomId::text_size(bits);
  }

  // Text that a person may have typed: hyphens anywhere, either case, I and L for 1, O for 0.
  // The errors are those of RandomId::parse(); another length than that of `bits`, and `bits`
  // for which has_size() is false, are invalid_length.
  static constexpr Result<ShortId, ParseError> parse(std::string_view text,
                                                     unsigned bits) noexcept {
    return from(RandomId::parse(text, has_size(bits) ? bits : 0));
  }
  // Text from a program: the canonical spelling, in either case.
  static constexpr Result<ShortId, ParseError> parse_strict(std::string_view text,
                                                            unsigned bits) noexcept {
    return from(RandomId::parse_strict(text, has_size(bits) ? bits : 0));
  }

  static constexpr Result<ShortId, ParseError> from_number(std::uint64_t number,
                                                           unsigned bits) noexcept {
    if (!has_size(bits)) return detail::parse_failure(ParseError::Code::invalid_length, 0);
    if (number >> bits != 0) return detail::parse_failure(ParseError::Code::overflow, 0);
    return ShortId(number, bits);
  }

  constexpr unsigned bits() const noexcept { return bits_; }
  constexpr std::uint64_t number() const noexcept { return number_; }  // what a store keeps

  // With `group`, a hyphen behind that many characters, for reading aloud.
  constexpr Text<kTextSizeMax> text(std::size_t group = 0) const noexcept {
    const auto whole = RandomId::from_number(number_, bits_)->text(CheckCount::one, group);
    Text<kTextSizeMax> text{.size = whole.size};
    for (std::size_t i = 0; i < whole.size; ++i) text.chars[i] = whole.chars[i];
    return text;
  }
  std::string to_string(std::size_t group = 0) const { return text(group).to_string(); }

  friend constexpr bool operator==(const ShortId&, const ShortId&) = default;
  friend constexpr std::strong_ordering operator<=>(const ShortId&, const ShortId&) = default;

 private:
  constexpr ShortId(std::uint64_t number, unsigned bits) noexcept : bits_(bits), number_(number) {}

  static constexpr Result<ShortId, ParseError> from(
      const Result<RandomId, ParseError>& read) noexcept {
    if (!read) return Failure{read.error()};
    return ShortId(*read->number(), read->bits());
  }

  unsigned bits_;  // before the number: sizes are compared first
  std::uint64_t number_;
};

}  // namespace tessera

template <>
struct std::hash<tessera::ShortId> {
  std::size_t operator()(const tessera::ShortId& id) const noexcept {
    const std::uint64_t mixed = (id.number() ^ id.bits()) * 0x9E37'79B9'7F4A'7C15;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }
};
