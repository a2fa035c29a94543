#pragma once

// Ksuid: 160 bits that sort by the second they were made in.
//
//    | seconds since 2014-05-13T16:53:20Z: 32 bits | payload: 128 bits |
//
// Text is 27 digits of base62 (0-9 A-Z a-z), which is ASCII order: order of values =
// order of bytes = order of text. 27 digits hold a little more than 160 bits; the rest
// is refused.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tessera/detail/alphabet.h"
#include "tessera/detail/bytes.h"
#include "tessera/generator.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/text.h"

namespace tessera {

struct Ksuid {
  static constexpr std::size_t kSize = 20;
  static constexpr std::size_t kTextSize = 27;
  static constexpr std::uint64_t kEpochS = 1'400'000'000;
  static constexpr std::uint64_t kTimeSMax = kEpochS + 0xFFFF'FFFF;  // 2150-06-19

  std::array<std::uint8_t, kSize> bytes{};

  static constexpr Result<Ksuid, ParseError> parse(std::string_view text) noexcept;

  // `time_s` since 1970, from kEpochS to kTimeSMax.
  static constexpr Ksuid from_parts(std::uint64_t time_s,
                                    const std::array<std::uint8_t, 16>& payload) noexcept {
    Ksuid id;
    detail::store_be<4>(id.bytes.data(), time_s - kEpochS);
    for (std::size_t i = 0; i < payload.size(); ++i) id.bytes[4 + i] = payload[i];
    return id;
  }
  static constexpr Ksuid smallest(std::uint64_t time_s) noexcept { return from_parts(time_s, {}); }
  static constexpr Ksuid largest(std::uint64_t time_s) noexcept {
    return from_parts(time_s, detail::store_128(~detail::uint128{0}));
  }

  // A new one, above every other that this process has made so. Thread-safe, fork-safe.
  static Result<Ksuid, MintError> generate() noexcept;
  // Fills all of `out`, in order; on failure none of it may be used.
  static Result<std::size_t, MintError> generate(std::span<Ksuid> out) noexcept;

  constexpr void write_text(std::span<char, kTextSize> out) const noexcept;
  constexpr Text<kTextSize> text() const noexcept {
    Text<kTextSize> text{.size = kTextSize};
    write_text(text.chars);
    return text;
  }
  std::string to_string() const { return text().to_string(); }

  constexpr std::uint64_t time_s() const noexcept {
    return kEpochS + detail::load_be<4>(bytes.data());
  }
  constexpr std::uint64_t time_ms() const noexcept { return time_s() * 1000; }

  friend constexpr auto operator<=>(const Ksuid&, const Ksuid&) = default;

 private:
  // 160 bits as five words, in and out of base 62 by five digits at a time.
  static constexpr std::uint64_t kFiveDigits = 62ull * 62 * 62 * 62 * 62;
};

constexpr void Ksuid::write_text(std::span<char, kTextSize> out) const noexcept {
  std::array<std::uint64_t, 5> words{};
  for (std::size_t i = 0; i < 5; ++i) words[i] = detail::load_be<4>(bytes.data() + 4 * i);
  std::size_t end = kTextSize;
  while (end > 0) {
    std::uint64_t rest = 0;
    for (auto& word : words) {
      const std::uint64_t value = rest << 32 | word;
      word = value / kFiveDigits;
      rest = value % kFiveDigits;
    }
    for (std::size_t i = 0; i < 5 && end > 0; ++i, rest /= 62) {
      out[--end] = detail::kBase62[rest % 62];
    }
  }
}

constexpr Result<Ksuid, ParseError> Ksuid::parse(std::string_view text) noexcept {
  using Code = ParseError::Code;
  if (text.size() != kTextSize) {
    return Failure{ParseError{Code::invalid_length, static_cast<std::uint32_t>(text.size())}};
  }
  std::array<std::uint64_t, 5> words{};
  std::uint64_t carry_out = 0;
  for (std::size_t at = 0; at < kTextSize;) {
    // Two digits first, then five times five.
    const std::size_t end = at == 0 ? kTextSize % 5 : at + 5;
    std::uint64_t carry = 0;
    std::uint64_t power = 1;
    for (; at < end; ++at) {
      const std::uint8_t digit = detail::digit_of(detail::kBase62Digits, text[at]);
      if (digit == detail::kNotADigit) {
        return Failure{ParseError{Code::invalid_character, static_cast<std::uint32_t>(at)}};
      }
      carry = carry * 62 + digit;
      power *= 62;
    }
    for (std::size_t i = words.size(); i-- > 0;) {
      const std::uint64_t value = words[i] * power + carry;
      words[i] = value & 0xFFFF'FFFF;
      carry = value >> 32;
    }
    carry_out |= carry;
  }
  if (carry_out != 0) return Failure{ParseError{Code::overflow, 0}};
  Ksuid id;
  for (std::size_t i = 0; i < 5; ++i) detail::store_be<4>(id.bytes.data() + 4 * i, words[i]);
  return id;
}

// How a Generator makes Ksuids: the count is the first quarter of the payload.
struct KsuidMint {
  using Id = Ksuid;
  static constexpr unsigned kCountBits = 32;
  static constexpr std::size_t kRandomSize = 12;
  static constexpr std::size_t kStartSize = 4;

  template <class C>
  static bool read(C& clock, std::uint64_t& time) noexcept {
    const std::uint64_t now_s = clock.now_s();
    time = now_s - Ksuid::kEpochS;
    return now_s >= Ksuid::kEpochS;
  }
  static constexpr Ksuid make(std::uint64_t tick, const std::uint8_t* random) noexcept {
    Ksuid id;
    detail::store_be<8>(id.bytes.data(), tick);
    for (std::size_t i = 0; i < kRandomSize; ++i) id.bytes[8 + i] = random[i];
    return id;
  }
};

using KsuidGenerator = Generator<KsuidMint>;

}  // namespace tessera

template <>
struct std::hash<tessera::Ksuid> {
  std::size_t operator()(const tessera::Ksuid& id) const noexcept {
    const auto a = tessera::detail::load_be<8>(id.bytes.data());
    const auto b = tessera::detail::load_be<8>(id.bytes.data() + 12);
    return static_cast<std::size_t>(b ^ a * 0x9E37'79B9'7F4A'7C15);
  }
};
