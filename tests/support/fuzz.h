#pragma once

// What fuzz targets share: how they fail, what every error promises, and numbers in any base
// worked out as at school, digit by digit, to compare the fast code with.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/parse_error.h"
#include "tessera/result.h"

namespace tessera::fuzz {

inline void require(bool true_always) {
  if (!true_always) std::abort();
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Points into the text; a length stands for itself; words are safe for a terminal.
inline void require_sound(const ParseError& error, std::string_view text) {
  require(error.offset <= text.size());
  if (error.code == ParseError::Code::invalid_length) require(error.offset == text.size());
  const std::string words = describe(error, text);
  require(!words.empty());
  require(std::ranges::all_of(words, [](char c) { return c >= 0x20 && c < 0x7F; }));
}

// That `text` was read as these bytes or, where there are none, refused with a sound error.
template <class Id>
void require_read(const Result<Id, ParseError>& read, std::string_view text,
                  const std::optional<std::vector<std::uint8_t>>& bytes) {
  require(bool(read) == bytes.has_value());
  if (read) {
    require(std::ranges::equal(read->bytes, *bytes));
  } else {
    require_sound(read.error(), text);
  }
}

// That an ID has one text, that it is the one given, and that it leads back.
template <class Id>
void require_text(const Id& id, std::string_view expected) {
  require(id.text().view() == expected);
  require(id.to_string() == expected);
  const auto again = Id::parse(expected);
  require(again && *again == id);
}

enum class Letters : std::uint8_t { exact, either_case };

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::optional<unsigned> digit_value(char c, std::string_view alphabet, Letters letters) {
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    const bool same = letters == Letters::exact ? c == alphabet[i] : lower(c) == lower(alphabet[i]);
    if (same) return static_cast<unsigned>(i);
  }
  return std::nullopt;
}

// The number that `digits` stand for, first digit first, in `size` bytes, first byte first.
// Nothing if there is a foreign digit, or if it does not fit.
inline std::optional<std::vector<std::uint8_t>> number_of(std::string_view digits,
                                                          std::string_view alphabet,
                                                          std::size_t size,
                                                          Letters letters = Letters::exact) {
  std::vector<std::uint8_t> number(size);
  for (const char c : digits) {
    const auto digit = digit_value(c, alphabet, letters);
    if (!digit) return std::nullopt;
    unsigned carry = *digit;
    for (std::size_t i = size; i-- > 0; carry >>= 8) {
      carry += number[i] * static_cast<unsigned>(alphabet.size());
      number[i] = static_cast<std::uint8_t>(carry);
    }
    if (carry != 0) return std::nullopt;
  }
  return number;
}

// `count` digits of the number in `bytes`; what does not fit in front is lost.
inline std::string digits_of(std::span<const std::uint8_t> bytes, std::string_view alphabet,
                             std::size_t count) {
  std::vector<std::uint8_t> number(bytes.begin(), bytes.end());
  std::string digits(count, alphabet[0]);
  for (std::size_t at = count; at-- > 0;) {
    unsigned rest = 0;
    for (auto& byte : number) {
      const unsigned value = rest << 8 | byte;
      byte = static_cast<std::uint8_t>(value / alphabet.size());
      rest = static_cast<unsigned>(value % alphabet.size());
    }
    digits[at] = alphabet[rest];
  }
  return digits;
}

// An ID made of the first bytes of the input, with zeros behind if there are too few.
template <class Id>
Id id_of(const std::uint8_t* data, std::size_t size) {
  Id id;
  for (std::size_t i = 0; i < Id::kSize && i < size; ++i) id.bytes[i] = data[i];
  return id;
}

// Order of values = order of texts.
template <class Id>
void require_order(const Id& a, const Id& b) {
  require((a <=> b) == (a.bytes <=> b.bytes));
  require((a <=> b) == (a.to_string() <=> b.to_string()));
  require((a == b) == ((a <=> b) == 0));
}

}  // namespace tessera::fuzz
