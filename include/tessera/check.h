#pragma once

// Check symbols: they tell an ID that was mistyped from one that was never issued.
//
//   symbols  what they are                                   garbage that passes
//   one      the ID as a number, modulo 37: Crockford's      1 in 37
//   two      remainder modulo x^2 + x + 3 over GF(32)        1 in 1,024
//   three    remainder modulo x^3 + x^2 + 3x + 15            1 in 32,768
//
// One symbol has an alphabet of its own, in which * ~ $ = and U stand for 32 to 36. Two and
// three symbols are ordinary digits, so that the text stays safe in URLs and shells.
//
// What is promised about wrong characters, where n is the length with its check symbols:
//
//   one      any one wrong; any two digits swapped, if closer than 36 places
//   two      any two wrong, n up to 33; a run of two; two swapped less than 1,023 apart
//   three    any three wrong, n up to 33; a run of three; swaps as for two
//
// docs/check-symbols.md has the rates beyond the promises; check_test.cpp has the proofs.
//
// How the two polynomials were chosen: of all of their degree, those that keep the promise of
// their row up to the greatest n, which is 33 for both; of these, those with the longest
// period of x, which is 1,023 and decides on swaps; of these, the first by coefficients.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "tessera/detail/alphabet.h"
#include "tessera/detail/bytes.h"

namespace tessera {

// `none` is for places where the check symbol is never kept: columns, keys, caches.
enum class CheckCount : std::uint8_t { none, one, two, three };

// By the size of the ID: the longer the text, the more can go wrong in it.
constexpr CheckCount check_count_for(std::size_t bits) noexcept {
  if (bits <= 64) return CheckCount::one;
  return bits <= 128 ? CheckCount::two : CheckCount::three;
}

// One symbol.

namespace detail {
// An array, since the address of a literal may differ from file to file, and a loop over the
// view must not begin at the one and end at the other.
inline constexpr char kMod37Text[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U";
}  // namespace detail

inline constexpr std::string_view kMod37Symbols = {detail::kMod37Text, 37};

// Only letter case varies. I, L and O are no symbols.
inline constexpr detail::DigitTable kMod37Digits =
    detail::make_digit_table(kMod37Symbols, detail::Case::either);

namespace detail {

// As load_be<8>(), in the words that every compiler turns into one load.
constexpr std::uint64_t load_word(const std::uint8_t* b) noexcept {
  return std::uint64_t{b[0]} << 56 | std::uint64_t{b[1]} << 48 | std::uint64_t{b[2]} << 40 |
         std::uint64_t{b[3]} << 32 | std::uint64_t{b[4]} << 24 | std::uint64_t{b[5]} << 16 |
         std::uint64_t{b[6]} << 8 | std::uint64_t{b[7]};
}

}  // namespace detail

// The number that the first `bits` bits of `bytes` make, modulo 37. `bytes` has no byte more
// than `bits` need, and the bits behind them are zero; they are not part of the number.
constexpr std::uint8_t mod37(std::span<const std::uint8_t> bytes, std::size_t bits) noexcept {
  constexpr std::uint64_t kTwoTo64 = 12;  // modulo 37
  constexpr std::uint64_t kMask36 = (std::uint64_t{1} << 36) - 1;
  std::uint64_t rest = 0;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    const std::uint64_t word = detail::load_word(bytes.data() + at);
    // 2^36 is 1 modulo 37: the halves of a word may be added, and then there is room.
    rest = (rest * kTwoTo64 + (word >> 36) + (word & kMask36)) % 37;
  }
  if (at < bytes.size()) {
    for (; at < bytes.size(); ++at) rest = rest << 8 | bytes[at];
    rest %= 37;
  }
  // Without the spare bits: half of an odd number is half of that number plus 37.
  for (std::size_t spare = 8 * bytes.size() - bits; spare > 0; --spare) {
    rest = (rest + (rest % 2) * 37) / 2;
  }
  return static_cast<std::uint8_t>(rest);
}

constexpr std::uint8_t mod37(std::span<const std::uint8_t> bytes) noexcept {
  return mod37(bytes, 8 * bytes.size());
}

// Two and three symbols.

namespace detail {

// GF(32) as polynomials over GF(2) modulo x^5 + x^2 + 1; a digit is its five bits.
constexpr std::uint32_t gf32_product(std::uint32_t a, std::uint32_t b) noexcept {
  std::uint32_t product = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) product ^= a;
    a = a << 1 ^ ((a & 16) != 0 ? 0x25u : 0u);
  }
  return product;
}

// Digits packed five bits each, the first on top: the generator without its leading 1, and
// what is added at the end, which spells TE and TES.
template <std::size_t Count>
inline constexpr std::uint32_t kGf32Generator = 0;
template <>
inline constexpr std::uint32_t kGf32Generator<2> = 1 << 5 | 3;
template <>
inline constexpr std::uint32_t kGf32Generator<3> = 1 << 10 | 3 << 5 | 15;

template <std::size_t Count>
inline constexpr std::uint32_t kGf32Final = 0;
template <>
inline constexpr std::uint32_t kGf32Final<2> = 26 << 5 | 14;
template <>
inline constexpr std::uint32_t kGf32Final<3> = 26 << 10 | 14 << 5 | 25;

// One step of the check below, by its definition.
template <std::size_t Count>
constexpr std::uint32_t gf32_step(std::uint32_t state, std::uint32_t digit) noexcept {
  const std::uint32_t factor = (state >> 5 * (Count - 1) ^ digit) & 31;
  std::uint32_t multiple = 0;
  for (std::size_t i = Count; i-- > 0;) {
    multiple = multiple << 5 | gf32_product(kGf32Generator<Count> >> 5 * i & 31, factor);
  }
  return (state << 5 & ((std::uint32_t{1} << 5 * Count) - 1)) ^ multiple;
}

// What 16 bytes, written to the left as 26 digits, add to a check. A digit adds the same whatever
// the others are, and so does a bit: four bits have one of sixteen sums.
template <std::size_t Count>
struct Gf32LeftSums {
  std::array<std::array<std::uint16_t, 16>, 32> bits{};      // of the first four bits, of the next
  std::array<std::array<std::uint16_t, 32>, Count> state{};  // of the digits of the check before

  static constexpr std::size_t kDigits = 26;

  constexpr Gf32LeftSums() noexcept {
    for (std::size_t bit = 0; bit < 5; ++bit) {
      // In the last digit; then in the one before it, and so on.
      std::uint32_t sum = gf32_step<Count>(0, 1u << bit);
      for (std::size_t from_end = bit; from_end < 128; from_end += 5) {
        add(bits[31 - from_end / 4], from_end % 4, sum);
        sum = gf32_step<Count>(sum, 0);
      }
      for (std::size_t at = 0; at < Count; ++at) {
        std::uint32_t after = 1u << bit << 5 * at;
        for (std::size_t i = 0; i < kDigits; ++i) after = gf32_step<Count>(after, 0);
        add(state[at], bit, after);
      }
    }
  }

 private:
  template <std::size_t Size>
  static constexpr void add(std::array<std::uint16_t, Size>& sums, std::size_t bit,
                            std::uint32_t sum) noexcept {
    for (std::size_t i = 0; i < Size; ++i) {
      if ((i >> bit & 1) != 0) sums[i] = static_cast<std::uint16_t>(sums[i] ^ sum);
    }
  }
};

template <std::size_t Count>
inline constexpr Gf32LeftSums<Count> kGf32LeftSums{};

}  // namespace detail

// The check digits of a stream of digits: a cyclic redundancy check whose bits are digits.
//
// It begins at 1 and adds a constant at the end, so that an ID of zeros has a check that is
// not zero, and zeros in front of it count. Neither changes what is detected.
template <std::size_t Count>
class Gf32Check {
  static_assert(Count == 2 || Count == 3, "two or three symbols; for one use mod37()");

 public:
  // `digit` is below 32.
  constexpr void add(std::uint8_t digit) noexcept {
    const std::uint32_t out = state_ >> 5 * (Count - 1);
    state_ = (state_ << 5 & kMask) ^ kMultiples[(out ^ digit) & 31];
  }

  // Two digits at once, as a number of ten bits: half the way from state to state.
  constexpr void add_pair(std::uint32_t digits) noexcept requires(Count == 2) {
    const std::uint32_t both = state_ ^ digits;
    state_ = std::uint32_t{kShifted[both >> 5]} ^ kMultiples[both & 31];
  }

  // The 26 digits of these bytes, as base32::write_left() writes them, all at once.
  constexpr void add_left(const detail::Bytes16& bytes) noexcept {
    constexpr const auto& kSums = detail::kGf32LeftSums<Count>;
    std::uint32_t sum = 0;
    for (std::size_t at = 0; at < Count; ++at) sum ^= kSums.state[at][state_ >> 5 * at & 31];
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      sum ^= std::uint32_t{kSums.bits[2 * i][bytes[i] >> 4]};
      sum ^= std::uint32_t{kSums.bits[2 * i + 1][bytes[i] & 15]};
    }
    state_ = sum;
  }

  // In the order in which they are written. More digits may be added afterwards.
  constexpr std::array<std::uint8_t, Count> symbols() const noexcept {
    std::array<std::uint8_t, Count> digits{};
    std::uint32_t rest = state_ ^ detail::kGf32Final<Count>;
    for (std::size_t i = Count; i-- > 0; rest >>= 5) digits[i] = rest & 31;
    return digits;
  }

 private:
  static constexpr std::uint32_t kMask = (std::uint32_t{1} << 5 * Count) - 1;

  static constexpr auto kMultiples = [] {
    std::array<std::uint16_t, 32> multiples{};
    for (std::uint32_t digit = 0; digit < 32; ++digit) {
      multiples[digit] = static_cast<std::uint16_t>(detail::gf32_step<Count>(0, digit));
    }
    return multiples;
  }();
  // The same, one digit later.
  static constexpr auto kShifted = [] {
    std::array<std::uint16_t, 32> shifted{};
    for (std::size_t digit = 0; digit < 32; ++digit) {
      shifted[digit] = static_cast<std::uint16_t>(detail::gf32_step<Count>(kMultiples[digit], 0));
    }
    return shifted;
  }();

  std::uint32_t state_ = 1;
};

// What the right text may have been.

struct Correction {
  enum class Kind : std::uint8_t { swap, replace };

  Kind kind = Kind::swap;
  std::uint8_t rank = 0;     // 0 best: neighbours swapped, or look alike; 1 sound alike; 2 neither
  char symbol = 0;           // of replace: what belongs there
  std::uint32_t offset = 0;  // of swap: the first of the two
};

struct Corrections {
  static constexpr std::size_t kCountMax = 8;

  std::array<Correction, kCountMax> list{};  // the best first
  std::size_t count = 0;

  // Keeps the order of arrival within a rank, and drops the last when full.
  constexpr void add(const Correction& correction) noexcept {
    std::size_t at = count;
    while (at > 0 && list[at - 1].rank > correction.rank) --at;
    if (at == kCountMax) return;
    count += count < kCountMax ? 1u : 0u;
    for (std::size_t i = count - 1; i > at; --i) list[i] = list[i - 1];
    list[at] = correction;
  }
};

namespace detail {

constexpr bool in_one_group(std::span<const std::string_view> groups, char a, char b) noexcept {
  for (const std::string_view group : groups) {
    if (group.find(a) != group.npos && group.find(b) != group.npos) return true;
  }
  return false;
}

// How easily a person takes `a` for `b`; the ranks of Correction. Upper case.
constexpr std::uint8_t rank_of_mistake(char a, char b) noexcept {
  constexpr std::array<std::string_view, 18> kLookAlike = {
      "0DQO", "17ILT", "2Z", "38", "4A", "5S", "6G", "6B",  "8B",
      "9GQ",  "9P",    "CG", "EF", "KX", "MN", "PR", "UVY", "VW"};
  constexpr std::array<std::string_view, 6> kSoundAlike = {"3BCDEGPTVZ", "8AHJK", "FSX",
                                                           "MN",         "QUW",   "59"};
  if (in_one_group(kLookAlike, a, b)) return 0;
  return in_one_group(kSoundAlike, a, b) ? 1 : 2;
}

}  // namespace detail

// For upper-case text that is refused: the swaps of two neighbours and the changes of one
// character after which `is_valid(text)` is true. It is asked at most 38 times for each
// character. `text` is changed on the way and is the same at the end.
template <class IsValid>
constexpr Corrections likely_corrections(std::span<char> text, IsValid&& is_valid) {
  Corrections found;
  for (std::uint32_t offset = 0; offset + 1 < text.size(); ++offset) {
    if (text[offset] == text[offset + 1]) continue;
    std::swap(text[offset], text[offset + 1]);
    if (is_valid(std::string_view(text.data(), text.size()))) {
      found.add({.kind = Correction::Kind::swap, .offset = offset});
    }
    std::swap(text[offset], text[offset + 1]);
  }
  for (std::uint32_t offset = 0; offset < text.size(); ++offset) {
    const char given = text[offset];
    for (const char symbol : kMod37Symbols) {
      if (symbol == given) continue;
      text[offset] = symbol;
      if (is_valid(std::string_view(text.data(), text.size()))) {
        found.add({.kind = Correction::Kind::replace,
                   .rank = detail::rank_of_mistake(given, symbol),
                   .symbol = symbol,
                   .offset = offset});
      }
    }
    text[offset] = given;
  }
  return found;
}

}  // namespace tessera
