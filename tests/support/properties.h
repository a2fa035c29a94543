#pragma once

// Values for RapidCheck, and what every kind of identifier promises about its text.
//
//   RC_GTEST_PROP(Ulid, HasOneTextPerValue, (const Ulid& id)) { check_one_text(id); }

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/text.h"

namespace tessera {

// A kind that is nothing but its bytes.
template <class Id>
concept HasBytes = HasText<Id> && requires(Id id) {
  id.bytes[0];
  Id::kSize;
};

// What a parser answers to bad text: EXPECT_EQ(Ulid::parse(""), refusal(Code::invalid_length, 0)).
inline Failure<ParseError> refusal(ParseError::Code code, std::size_t offset) {
  return {ParseError{code, static_cast<std::uint32_t>(offset)}};
}

// Any byte, whatever size RapidCheck is at: bytes have no small and large ones.
inline rc::Gen<std::uint8_t> any_byte() {
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 256)),
                      [](int byte) { return static_cast<std::uint8_t>(byte); });
}

inline rc::Gen<char> any_char() {
  return rc::gen::map(any_byte(), [](std::uint8_t byte) { return static_cast<char>(byte); });
}

// From `from` to `to`, both included, evenly.
template <class T>
rc::Gen<T> any_from_to(T from, T to) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(from, static_cast<T>(to + 1)));
}

// Any 64 bits, of any magnitude.
inline rc::Gen<std::uint64_t> any_u64() {
  return rc::gen::apply([](std::uint64_t value, unsigned shift) { return value >> shift; },
                        rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()),
                        any_from_to(0u, 63u));
}

// A third each: all bytes random, nearly all 0x00, nearly all 0xFF. The last two find what
// goes wrong at carries and at leading zeros.
template <std::size_t Size>
rc::Gen<std::array<std::uint8_t, Size>> any_bytes() {
  const auto filled_with = [](std::uint8_t common) {
    return rc::gen::weightedOneOf<std::uint8_t>({{12, rc::gen::just(common)}, {1, any_byte()}});
  };
  const auto arrays_of = [](rc::Gen<std::uint8_t> byte) {
    return rc::gen::map(rc::gen::container<std::vector<std::uint8_t>>(Size, std::move(byte)),
                        [](const std::vector<std::uint8_t>& bytes) {
                          std::array<std::uint8_t, Size> array{};
                          std::ranges::copy(bytes, array.begin());
                          return array;
                        });
  };
  return rc::gen::oneOf(arrays_of(any_byte()), arrays_of(filled_with(0x00)),
                        arrays_of(filled_with(0xFF)));
}

// Two that begin alike, up to and including all bytes: what order is about.
template <std::size_t Size>
rc::Gen<std::pair<std::array<std::uint8_t, Size>, std::array<std::uint8_t, Size>>> neighbours() {
  return rc::gen::apply(
      [](std::array<std::uint8_t, Size> a, std::array<std::uint8_t, Size> b, std::size_t alike) {
        std::copy_n(a.begin(), alike, b.begin());
        return std::pair(a, b);
      },
      any_bytes<Size>(), any_bytes<Size>(), any_from_to(std::size_t{0}, Size));
}

// Writing and reading give the value back; so does reading with the case of letters changed,
// where `either_case`.
template <HasBytes Id>
void check_round_trip(const Id& id, bool either_case) {
  const std::string text = id.to_string();
  RC_ASSERT(id.text().view() == text);
  RC_ASSERT(Id::parse(text));
  RC_ASSERT(*Id::parse(text) == id);

  std::string mixed = text;
  for (char& c : mixed) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter && *rc::gen::arbitrary<bool>()) c = static_cast<char>(c ^ 0x20);
  }
  if (either_case) RC_ASSERT(*Id::parse(mixed) == id);
}

// Order of values = order of bytes = order of texts.
template <HasBytes Id>
void check_order() {
  for (int i = 0; i < 5; ++i) {
    const auto [bytes_a, bytes_b] = *neighbours<Id::kSize>();
    const Id a{bytes_a};
    const Id b{bytes_b};
    RC_ASSERT((a <=> b) == (bytes_a <=> bytes_b));
    RC_ASSERT((a <=> b) == (a.to_string() <=> b.to_string()));
    RC_ASSERT((a == b) == (bytes_a == bytes_b));
    RC_ASSERT((a == b) == ((a <=> b) == 0));
  }
}

// Change one character: what is still read is another value, or the same letter in its
// other case. So no two texts mean the same but for case.
template <HasBytes Id>
void check_one_text(const Id& id) {
  const std::string text = id.to_string();
  const std::size_t at = *any_from_to(std::size_t{0}, text.size() - 1);
  for (int c = 0; c < 256; ++c) {
    std::string changed = text;
    changed[at] = static_cast<char>(c);
    if (changed == text) continue;
    const auto other = Id::parse(changed);
    if (!other || !(*other == id)) continue;
    const auto upper = [](char letter) {
      return letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter;
    };
    RC_ASSERT(upper(changed[at]) == upper(text[at]));
  }
}

}  // namespace tessera

template <tessera::HasBytes Id>
struct rc::Arbitrary<Id> {
  static Gen<Id> arbitrary() {
    return gen::map(tessera::any_bytes<Id::kSize>(), [](const auto& bytes) { return Id{bytes}; });
  }
};
