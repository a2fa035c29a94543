#pragma once

// Ulid: a 128-bit identifier that sorts by the moment it was made.
//
//    | time_ms: 48 bits | random: 80 bits |
//
// Bytes are big-endian; text is 26 characters of Crockford base32. Both forms
// sort alike. Text has room for 130 bits, so its first character is at most '7'.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "tessera/base32.h"
#include "tessera/detail/bytes.h"
#include "tessera/detail/literal.h"
#include "tessera/generator.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/text.h"

namespace tessera {

struct Ulid {
  static constexpr std::size_t kSize = 16;
  static constexpr std::size_t kTextSize = 26;
  static constexpr std::uint64_t kTimeMsMax = 0xFFFF'FFFF'FFFF;  // 10889-08-02

  std::array<std::uint8_t, kSize> bytes{};

  // Either case is accepted. I, L, O and U are not: we do not guess at IDs.
  static constexpr Result<Ulid, ParseError> parse(std::string_view text) noexcept;

  // For text that a person typed or read aloud: hyphens anywhere, I and L for 1, O for 0.
  static constexpr Result<Ulid, ParseError> parse_friendly(std::string_view text) noexcept;

  // The smallest and the largest ULID of a millisecond; `time_ms` at most kTimeMsMax.
  static constexpr Ulid smallest(std::uint64_t time_ms) noexcept {
    return {detail::store_pair({time_ms << 16, 0})};
  }
  static constexpr Ulid largest(std::uint64_t time_ms) noexcept {
    return {detail::store_pair({time_ms << 16 | 0xFFFF, ~std::uint64_t{0}})};
  }

  // A new one, above every other that this process has made so. Thread-safe, fork-safe.
  static Result<Ulid, MintError> generate() noexcept;
  // Fills all of `out`, in order; on failure none of it may be used.
  static Result<std::size_t, MintError> generate(std::span<Ulid> out) noexcept;

  constexpr void write_text(std::span<char, kTextSize> out) const noexcept {
    base32::write_left(bytes, out);
  }
  constexpr Text<kTextSize> text() const noexcept {
    Text<kTextSize> text{.size = kTextSize};
    write_text(text.chars);
    return text;
  }
  std::string to_string() const { return text().to_string(); }

  constexpr std::uint64_t time_ms() const noexcept { return detail::load_pair(bytes).hi >> 16; }

  friend constexpr bool operator==(const Ulid& a, const Ulid& b) noexcept {
    return detail::load_pair(a.bytes) == detail::load_pair(b.bytes);
  }
  friend constexpr std::strong_ordering operator<=>(const Ulid& a, const Ulid& b) noexcept {
    return detail::load_pair(a.bytes) <=> detail::load_pair(b.bytes);
  }
};

constexpr Result<Ulid, ParseError> Ulid::parse(std::string_view text) noexcept {
  if (!std::is_constant_evaluated() && text.size() == kTextSize) {
    Ulid id;
    if (base32::internal::parse_left_here(text.data(), id.bytes.data(),
                                          base32::internal::Alphabet::either_case)) [[likely]] {
      return id;
    }
  }
  const auto bytes = base32::parse_left_portable(text);
  if (!bytes) return Failure{bytes.error()};
  return Ulid{*bytes};
}

constexpr Result<Ulid, ParseError> Ulid::parse_friendly(std::string_view text) noexcept {
  constexpr std::size_t kFriendlySizeMax = 64;
  if (text.size() > kFriendlySizeMax) {
    return Failure{
        ParseError{ParseError::Code::invalid_length, static_cast<std::uint32_t>(text.size())}};
  }
  std::array<char, kFriendlySizeMax> digits{};
  std::array<std::uint32_t, kFriendlySizeMax + 1> offsets{};
  std::size_t count = 0;
  for (std::uint32_t offset = 0; offset < text.size(); ++offset) {
    if (text[offset] == '-') continue;
    offsets[count] = offset;
    digits[count++] = text[offset];
  }
  const auto bytes = base32::parse_left({digits.data(), count}, detail::kCrockfordFriendly);
  if (bytes) return Ulid{*bytes};
  if (bytes.error().code == ParseError::Code::invalid_length) {
    return Failure{ParseError{bytes.error().code, static_cast<std::uint32_t>(text.size())}};
  }
  return Failure{ParseError{bytes.error().code, offsets[bytes.error().offset]}};
}

// The texts of `ids`, each followed by `separator`: 27 characters an ID. For printing many;
// uses the machine's vectors.
void write_texts(std::span<const Ulid> ids, char separator, std::span<char> out) noexcept;

// Reads each text as Ulid::parse() does, with an answer for each; says how many are good. `out` is
// at least as long as `texts`.
std::size_t parse_texts(std::span<const std::string_view> texts,
                        std::span<Result<Ulid, ParseError>> out) noexcept;

// How a Generator makes Ulids.
struct UlidMint {
  using Id = Ulid;
  static constexpr unsigned kCountBits = 16;
  static constexpr std::size_t kRandomSize = 8;
  static constexpr std::size_t kStartSize = 2;

  template <class C>
  static bool read(C& clock, std::uint64_t& time) noexcept {
    time = clock.now_ms();
    return true;
  }
  static constexpr Ulid make(std::uint64_t tick, const std::uint8_t* random) noexcept {
    return {detail::store_pair({tick, detail::load_be<8>(random)})};
  }
};

using UlidGenerator = Generator<UlidMint>;

namespace literals {

// A ULID in the source: one that is malformed does not compile.
consteval Ulid operator""_ulid(const char* text, std::size_t size) {
  const auto id = Ulid::parse({text, size});
  if (!id) detail::malformed_identifier_literal();
  return *id;
}

}  // namespace literals

}  // namespace tessera

template <>
struct std::hash<tessera::Ulid> {
  std::size_t operator()(const tessera::Ulid& id) const noexcept {
    const auto [hi, lo] = tessera::detail::load_pair(id.bytes);
    return static_cast<std::size_t>(lo ^ hi * 0x9E37'79B9'7F4A'7C15);
  }
};
