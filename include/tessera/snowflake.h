#pragma once

// Snowflake: a 63-bit number made of time, a machine number and a sequence.
//
//    twitter    | time 41, 1 ms   | machine 10 | sequence 12 |   discord alike
//    instagram  | time 40, 1 ms   | machine 13 | sequence 10 |
//    sonyflake  | time 39, 10 ms  | sequence 8 | machine 16  |
//    mastodon   | time 47, 1 ms   | sequence 16 |
//    js53       | time 41, 1 ms   | machine 5  | sequence 7  |   safe in a JavaScript number
//
// The layout is data: an epoch, a unit and three widths. Text is the decimal number. A
// layout that its makers describe with 64 bits has one bit of time less here: a negative
// BIGINT is no ID.
//
// No two machines may have the same number at the same time; that is what leases are
// for. Who knows one snowflake can guess others: do not use them as secrets.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "tessera/detail/bytes.h"
#include "tessera/detail/decimal.h"
#include "tessera/mint_error.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/source.h"
#include "tessera/text.h"

namespace tessera {

struct SnowflakeLayout {
  std::string_view name;
  std::uint64_t epoch_ms = 0;
  std::uint32_t unit_ms = 1;
  unsigned time_bits = 41;
  unsigned machine_bits = 10;
  unsigned sequence_bits = 12;
  bool machine_last = false;  // the sequence stands above the machine

  constexpr unsigned bits() const noexcept { return time_bits + machine_bits + sequence_bits; }
  // Some widths, at most 63 bits in all, and a unit; no time that 64 bits of ms cannot say.
  constexpr bool valid() const noexcept {
    return time_bits >= 1 && time_bits <= 48 && machine_bits <= 32 && sequence_bits >= 1 &&
           sequence_bits <= 32 && bits() <= 63 && unit_ms >= 1 && unit_ms <= 60'000 &&
           epoch_ms <= 0xFFFF'FFFF'FFFF;
  }
  constexpr std::uint64_t machine_max() const noexcept {
    return (std::uint64_t{1} << machine_bits) - 1;
  }
  constexpr std::uint64_t sequence_max() const noexcept {
    return (std::uint64_t{1} << sequence_bits) - 1;
  }
  constexpr std::uint64_t time_max() const noexcept { return (std::uint64_t{1} << time_bits) - 1; }
  constexpr std::uint64_t time_ms_max() const noexcept {  // the last millisecond it can say
    return epoch_ms + (time_max() + 1) * unit_ms - 1;
  }
};

namespace snowflake_layouts {
inline constexpr SnowflakeLayout kTwitter{"twitter", 1'288'834'974'657, 1, 41, 10, 12, false};
inline constexpr SnowflakeLayout kDiscord{"discord", 1'420'070'400'000, 1, 41, 10, 12, false};
inline constexpr SnowflakeLayout kInstagram{"instagram", 1'314'220'021'721, 1, 40, 13, 10, false};
inline constexpr SnowflakeLayout kSonyflake{"sonyflake", 1'409'529'600'000, 10, 39, 16, 8, true};
inline constexpr SnowflakeLayout kMastodon{"mastodon", 0, 1, 47, 0, 16, false};
inline constexpr SnowflakeLayout kLinkedin{"linkedin", 0, 1, 41, 10, 12, false};
inline constexpr SnowflakeLayout kJs53{"js53", 1'704'067'200'000, 1, 41, 5, 7, false};
}  // namespace snowflake_layouts

// Every named layout; nullptr where there is none of that name.
std::span<const SnowflakeLayout> all_snowflake_layouts() noexcept;
const SnowflakeLayout* find_snowflake_layout(std::string_view name) noexcept;

// A layout in full: its epoch in ms, its unit in ms, and its fields from the highest bit down.
//
//    twitter     1288834974657/1/t41.m10.s12
//    sonyflake   1409529600000/10/t39.s8.m16
//
// Two layouts have the same text if, and only if, they make the same IDs of the same parts.
std::string snowflake_layout_text(const SnowflakeLayout& layout);

// Of such a text, or of a name ("sony" is sonyflake). One that is not named is called "custom".
// Nothing, if it is neither, or not valid().
std::optional<SnowflakeLayout> parse_snowflake_layout(std::string_view text) noexcept;

struct Snowflake {
  static constexpr std::size_t kSize = 8;
  static constexpr std::size_t kTextSizeMax = 19;
  static constexpr std::uint64_t kMax = 0x7FFF'FFFF'FFFF'FFFF;

  std::uint64_t value = 0;

  // Decimal digits and nothing else: no sign, no leading zero, at most 2^63 - 1.
  static constexpr Result<Snowflake, ParseError> parse(std::string_view text) noexcept;

  static constexpr Snowflake from_parts(const SnowflakeLayout& layout, std::uint64_t time,
                                        std::uint64_t machine, std::uint64_t sequence) noexcept {
    const std::uint64_t rest = layout.machine_last ? sequence << layout.machine_bits | machine
                                                   : machine << layout.sequence_bits | sequence;
    return {time << (layout.machine_bits + layout.sequence_bits) | rest};
  }

  constexpr Text<kTextSizeMax> text() const noexcept;
  std::string to_string() const { return text().to_string(); }

  constexpr std::uint64_t time(const SnowflakeLayout& layout) const noexcept {
    return value >> (layout.machine_bits + layout.sequence_bits);
  }
  constexpr std::uint64_t time_ms(const SnowflakeLayout& layout) const noexcept {
    return layout.epoch_ms + time(layout) * layout.unit_ms;
  }
  constexpr std::uint64_t machine(const SnowflakeLayout& layout) const noexcept {
    return value >> (layout.machine_last ? 0 : layout.sequence_bits) & layout.machine_max();
  }
  constexpr std::uint64_t sequence(const SnowflakeLayout& layout) const noexcept {
    return value >> (layout.machine_last ? layout.machine_bits : 0) & layout.sequence_max();
  }

  // The smallest and the largest of the unit of time that `time_ms` lies in; nothing if
  // the layout does not reach there.
  static constexpr std::optional<Snowflake> smallest(const SnowflakeLayout& layout,
                                                     std::uint64_t time_ms) noexcept;
  static constexpr std::optional<Snowflake> largest(const SnowflakeLayout& layout,
                                                    std::uint64_t time_ms) noexcept;

  friend constexpr auto operator<=>(const Snowflake&, const Snowflake&) = default;
};

constexpr Result<Snowflake, ParseError> Snowflake::parse(std::string_view text) noexcept {
  using Code = ParseError::Code;
  const auto size = static_cast<std::uint32_t>(text.size());
  if (text.empty() || text.size() > 20) return Failure{ParseError{Code::invalid_length, size}};
  for (std::uint32_t offset = 0; offset < size; ++offset) {
    if (text[offset] < '0' || text[offset] > '9') {
      return Failure{ParseError{Code::invalid_character, offset}};
    }
  }
  if (text[0] == '0' && text.size() > 1) return Failure{ParseError{Code::non_canonical, 0}};
  std::uint64_t value = 0;
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (kMax - digit) / 10) return Failure{ParseError{Code::overflow, 0}};
    value = value * 10 + digit;
  }
  return Snowflake{value};
}

constexpr Text<Snowflake::kTextSizeMax> Snowflake::text() const noexcept {
  // Three times eight digits, with zeros in front.
  constexpr std::uint64_t kEight = 100'000'000;
  const std::uint64_t high = value / kEight;
  const std::array<std::uint64_t, 3> words = {detail::eight_digits(high / kEight),
                                              detail::eight_digits(high % kEight),
                                              detail::eight_digits(value % kEight)};
  std::array<char, 24> digits{};
  for (std::size_t i = 0; i < words.size(); ++i) {
    detail::store_le_text(digits.data() + 8 * i, words[i] + 0x3030303030303030);
  }
  std::size_t first = 0;
  while (first < 2 && words[first] == 0) ++first;
  first = 8 * first +
          static_cast<std::size_t>(std::countr_zero(words[first] | std::uint64_t{1} << 56)) / 8;

  Text<kTextSizeMax> text;
  text.size = std::min(digits.size() - first, kTextSizeMax);
  if (std::is_constant_evaluated()) {
    for (std::size_t i = 0; i < text.size; ++i) text.chars[i] = digits[first + i];
  } else {
    std::memcpy(text.chars.data(), digits.data() + first, text.size);
  }
  return text;
}

constexpr std::optional<Snowflake> Snowflake::smallest(const SnowflakeLayout& layout,
                                                       std::uint64_t time_ms) noexcept {
  if (time_ms < layout.epoch_ms || time_ms > layout.time_ms_max()) return std::nullopt;
  return from_parts(layout, (time_ms - layout.epoch_ms) / layout.unit_ms, 0, 0);
}

constexpr std::optional<Snowflake> Snowflake::largest(const SnowflakeLayout& layout,
                                                      std::uint64_t time_ms) noexcept {
  if (time_ms < layout.epoch_ms || time_ms > layout.time_ms_max()) return std::nullopt;
  return from_parts(layout, (time_ms - layout.epoch_ms) / layout.unit_ms, layout.machine_max(),
                    layout.sequence_max());
}

// Makes Snowflakes that strictly increase, also when the clock stands still or steps
// back: then the newest time goes on, and its sequence may run into the next one. IDs
// may lead the clock by `lead_ms_max`; beyond that next() answers too_far_ahead, and the
// caller waits or comes back. Nothing wraps.
//
// A forked child has the parent's machine number but not the right to it: there every
// call answers `forked`. Thread-safe if the clock is; the clock must outlive the generator.
class SnowflakeGenerator {
 public:
  static constexpr std::uint64_t kLeadMsMax = 1000;

  // A layout that is not valid(), or a machine number that it has no room for, makes a
  // generator that answers every call with `invalid_machine`.
  SnowflakeGenerator(const SnowflakeLayout& layout, std::uint64_t machine, Clock& clock,
                     std::uint64_t lead_ms_max = kLeadMsMax) noexcept;

  // On failure the generator is unchanged, and a later call may succeed (not if forked).
  Result<Snowflake, MintError> next() noexcept;
  // Fills all of `out`, in order, or nothing: too_far_ahead if the last would be.
  Result<std::size_t, MintError> next(std::span<Snowflake> out) noexcept;

  const SnowflakeLayout& layout() const noexcept { return layout_; }

 private:
  SnowflakeLayout layout_;
  std::uint64_t machine_;
  bool valid_;
  Clock& clock_;
  std::uint64_t lead_ms_max_;
  std::uint32_t fork_generation_;
  std::atomic<std::uint64_t> last_tick_{0};  // | time | sequence |

  // `count` ticks, from `first` on; or false, and why.
  bool take(std::uint64_t count, std::uint64_t& first, MintError& error) noexcept;
  Snowflake make(std::uint64_t tick) const noexcept {
    return Snowflake::from_parts(layout_, tick >> layout_.sequence_bits, machine_,
                                 tick & layout_.sequence_max());
  }
};

}  // namespace tessera

template <>
struct std::hash<tessera::Snowflake> {
  std::size_t operator()(const tessera::Snowflake& id) const noexcept {
    return static_cast<std::size_t>(id.value * 0x9E37'79B9'7F4A'7C15);
  }
};
