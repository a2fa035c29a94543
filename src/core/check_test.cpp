// What check symbols promise: mod37() is the remainder of the number that the bits make;
// Gf32Check is the remainder of a polynomial over GF(32); and which mistakes they find. What
// is promised about Gf32Check is proved here for every pattern of errors, not for samples:
// the code is linear, so whether a mistake is found does not depend on the ID.

#include "tessera/check.h"
#include "tessera/base32.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

// One symbol.

unsigned remainder_bit_by_bit(const std::vector<std::uint8_t>& bytes, std::size_t bits) {
  unsigned rest = 0;
  for (std::size_t i = 0; i < bits; ++i) {
    rest = (2 * rest + (bytes[i / 8] >> (7 - i % 8) & 1u)) % 37;
  }
  return rest;
}

TEST(Mod37, AgreesWithTheVectors) {
  for (const auto& row : vectors::read_table("oracle-crockford-book.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::bytes_of_hex(row["hex"]);
    EXPECT_EQ(mod37(bytes), vectors::number(row["check_value_a"]));
    EXPECT_EQ(std::string(1, kMod37Symbols[mod37(bytes)]), row["check_char_a"]);
  }
}

RC_GTEST_PROP(Mod37, IsTheRemainderOfTheNumberForAnySize, ()) {
  const std::size_t bits = *any_from_to<std::size_t>(1, 1000);
  auto bytes = *rc::gen::container<std::vector<std::uint8_t>>((bits + 7) / 8, any_byte());
  const std::size_t spare = 8 * bytes.size() - bits;
  bytes.back() = static_cast<std::uint8_t>(bytes.back() >> spare << spare);
  RC_ASSERT(mod37(bytes, bits) == remainder_bit_by_bit(bytes, bits));
}

TEST(Mod37, HasAlphabetOf37AndReadsEitherCase) {
  ASSERT_EQ(kMod37Symbols.size(), 37u);
  std::size_t readable = 0;
  for (int c = 0; c < 256; ++c) readable += kMod37Digits[static_cast<std::size_t>(c)] < 37;
  EXPECT_EQ(readable, 37u + 23u);  // 22 letters of base32, and u
  EXPECT_EQ(detail::digit_of(kMod37Digits, 'u'), 36);
  for (const char c : std::string_view("ILOilo")) {
    EXPECT_EQ(detail::digit_of(kMod37Digits, c), detail::kNotADigit);
  }
}

TEST(Mod37, IsThereAtCompileTime) {
  constexpr std::array<std::uint8_t, 8> kBytes = {0x9b, 0xf6, 0x15, 0x98, 0xb6, 0x45, 0xc6, 0xca};
  static_assert(kMod37Symbols[mod37(kBytes)] == 'C');
}

TEST(CheckCount, GrowsWithTheSize) {
  EXPECT_EQ(check_count_for(1), CheckCount::one);
  EXPECT_EQ(check_count_for(64), CheckCount::one);
  EXPECT_EQ(check_count_for(65), CheckCount::two);
  EXPECT_EQ(check_count_for(128), CheckCount::two);
  EXPECT_EQ(check_count_for(129), CheckCount::three);
  EXPECT_EQ(check_count_for(512), CheckCount::three);
}

// The share of mistakes that one symbol misses, exactly: digits are even over 0 to 31, and so
// is what they are mistaken for.
class Mod37Rate {
 public:
  using Share = std::array<double, 37>;  // by how much the remainder moves

  Mod37Rate() {
    for (int a = 0; a < 32; ++a) {
      for (int b = 0; b < 32; ++b) {
        const auto moved = static_cast<std::size_t>((b - a + 37) % 37);
        any_[moved] += 1.0 / (32 * 32);
        if (a != b) wrong_[moved] += 1.0 / (32 * 31);
      }
    }
  }

  // `run`: what happens to digits next to each other; the first and the last are wrong.
  double missed_in_run(std::size_t length) const {
    Share sum = wrong_;
    for (std::size_t i = 1; i < length; ++i) sum = after(sum, i + 1 < length ? any_ : wrong_, 1);
    return sum[0];
  }
  // Two wrong digits anywhere in a body of `count` digits.
  double missed_of_two(std::size_t count) const {
    double missed = 0;
    double pairs = 0;
    for (std::size_t distance = 1; distance < count; ++distance) {
      const auto times = static_cast<double>(count - distance);
      missed += times * after(wrong_, wrong_, distance)[0];
      pairs += times;
    }
    return missed / pairs;
  }
  double missed_of_three(std::size_t count) const {
    double missed = 0;
    double triples = 0;
    for (std::size_t first = 1; first < count; ++first) {
      for (std::size_t second = 1; first + second < count; ++second) {
        const auto times = static_cast<double>(count - first - second);
        missed += times * after(after(wrong_, wrong_, first), wrong_, second)[0];
        triples += times;
      }
    }
    return missed / triples;
  }

 private:
  // `distance` digits further on, another one is hit.
  static Share after(const Share& before, const Share& hit, std::size_t distance) {
    std::size_t weight = 1;
    for (std::size_t i = 0; i < distance; ++i) weight = weight * 32 % 37;
    Share sum{};
    for (std::size_t a = 0; a < 37; ++a) {
      for (std::size_t b = 0; b < 37; ++b) sum[(a * weight + b) % 37] += before[a] * hit[b];
    }
    return sum;
  }

  Share any_{};
  Share wrong_{};
};

TEST(Mod37, MissesAsManyAsTheDocumentSays) {
  const Mod37Rate rate;
  EXPECT_NEAR(100 * rate.missed_in_run(2), 2.78, 0.005);
  EXPECT_NEAR(100 * rate.missed_in_run(3), 2.70, 0.005);
  EXPECT_NEAR(100 * rate.missed_in_run(4), 2.70, 0.005);
  EXPECT_NEAR(100 * rate.missed_of_two(24), 2.78, 0.005);
  EXPECT_NEAR(100 * rate.missed_of_three(24), 2.70, 0.005);
}

// Two and three symbols.

// What each wrong symbol does to the check: position 0 is the last check symbol, position
// `Count` the last digit of the body. A pattern of errors goes unseen if and only if the
// syndromes of its errors add up to zero.
template <std::size_t Count>
class Syndromes {
 public:
  explicit Syndromes(std::size_t length) : table_(length) {
    Gf32Check<Count> zeros;
    std::array<Gf32Check<Count>, 32> streams;
    for (std::size_t position = 0; position < length; ++position) {
      for (std::uint8_t value = 0; value < 32; ++value) {
        if (position < Count) {
          table_[position][value] = static_cast<std::uint16_t>(value << 5 * position);
          continue;
        }
        streams[value].add(position == Count ? value : 0);
        table_[position][value] = packed(streams[value]);
      }
      if (position < Count) continue;
      zeros.add(0);
      for (auto& syndrome : table_[position]) syndrome ^= packed(zeros);
    }
  }

  std::uint16_t of(std::size_t position, std::size_t value) const {
    return table_[position][value];
  }
  std::size_t length() const { return table_.size(); }

 private:
  static std::uint16_t packed(const Gf32Check<Count>& stream) {
    std::uint16_t all = 0;
    for (const std::uint8_t symbol : stream.symbols()) {
      all = static_cast<std::uint16_t>(all << 5 | symbol);
    }
    return all;
  }

  std::vector<std::array<std::uint16_t, 32>> table_;
};

// How many patterns of wrong symbols go unseen in texts of that length.
struct Unseen {
  std::uint64_t one = 0;
  std::uint64_t two = 0;
  std::uint64_t three = 0;
};

template <std::size_t Count>
Unseen count_unseen(std::size_t length) {
  const Syndromes<Count> syndromes(length);
  // For each syndrome, the positions at which one wrong symbol makes it.
  std::vector<detail::uint128> positions_of(std::size_t{1} << 5 * Count);
  Unseen unseen;
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t a = 1; a < 32; ++a) {
      unseen.one += syndromes.of(i, a) == 0;
      positions_of[syndromes.of(i, a)] |= detail::uint128{1} << i;
    }
  }
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t j = i + 1; j < length; ++j) {
      for (std::size_t a = 1; a < 32; ++a) {
        for (std::size_t b = 1; b < 32; ++b) {
          const unsigned sum = syndromes.of(i, a) ^ syndromes.of(j, b);
          unseen.two += sum == 0;
          // A third one behind the two that undoes them.
          const detail::uint128 third = positions_of[sum] >> j >> 1;
          unseen.three +=
              static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(third)) +
                                    std::popcount(static_cast<std::uint64_t>(third >> 64)));
        }
      }
    }
  }
  return unseen;
}

constexpr std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  return k == 0 ? 1 : choose(n - 1, k - 1) * n / k;
}

TEST(Gf32Check, TwoSymbolsFindAnyTwoWrongUpToLength33) {
  for (const std::size_t length : {15u, 28u, 33u}) {
    const Unseen unseen = count_unseen<2>(length);
    EXPECT_EQ(unseen.one, 0u);
    EXPECT_EQ(unseen.two, 0u);
    // Of three wrong ones, 1 in 961 passes: one value of the third for each of the two others.
    EXPECT_EQ(unseen.three, choose(length, 3) * 31);
  }
}

TEST(Gf32Check, ThreeSymbolsFindAnyThreeWrongUpToLength33) {
  for (const std::size_t length : {16u, 29u, 33u}) {
    const Unseen unseen = count_unseen<3>(length);
    EXPECT_EQ(unseen.one, 0u);
    EXPECT_EQ(unseen.two, 0u);
    EXPECT_EQ(unseen.three, 0u);
  }
}

TEST(Gf32Check, ThreeSymbolsFindThreeWrongUpToLength66) {
  const Unseen unseen = count_unseen<3>(66);
  EXPECT_EQ(unseen.two, 33u * 31);  // those that are 33 apart
  EXPECT_EQ(unseen.three, 0u);
  EXPECT_EQ(count_unseen<3>(67).three, 31u * 30);  // three that are 33 apart from each other
}

// The same without a short cut: all 109 million patterns, one after the other.
TEST(Gf32Check, ThreeSymbolsFindAnyThreeWrongByEnumeration) {
  constexpr std::size_t kLength = 29;
  const Syndromes<3> syndromes(kLength);
  std::uint16_t table[kLength][32];
  for (std::size_t i = 0; i < kLength; ++i) {
    for (std::size_t a = 0; a < 32; ++a) table[i][a] = syndromes.of(i, a);
  }
  std::uint64_t patterns = 0;
  std::uint64_t unseen = 0;
  for (std::size_t i = 0; i < kLength; ++i) {
    for (std::size_t j = i + 1; j < kLength; ++j) {
      for (std::size_t a = 1; a < 32; ++a) {
        for (std::size_t b = 1; b < 32; ++b) {
          const int sum = table[i][a] ^ table[j][b];
          for (std::size_t k = j + 1; k < kLength; ++k) {
            const std::uint16_t* third = table[k];
            for (std::size_t c = 1; c < 32; ++c) unseen += third[c] == sum;
            patterns += 31;
          }
        }
      }
    }
  }
  EXPECT_EQ(unseen, 0u);
  EXPECT_EQ(patterns, choose(kLength, 3) * 31 * 31 * 31);
}

TEST(Gf32Check, ThreeSymbolsMissOneIn29791OfFourWrong) {
  constexpr std::size_t kLength = 33;
  const Syndromes<3> syndromes(kLength);
  std::vector<std::uint64_t> pairs(std::size_t{1} << 15);
  for (std::size_t i = 0; i < kLength; ++i) {
    for (std::size_t j = i + 1; j < kLength; ++j) {
      for (std::size_t a = 1; a < 32; ++a) {
        for (std::size_t b = 1; b < 32; ++b) ++pairs[syndromes.of(i, a) ^ syndromes.of(j, b)];
      }
    }
  }
  // Two pairs with the same syndrome have no position in common, or three wrong symbols
  // would pass. Four positions make two pairs in three ways.
  std::uint64_t unseen = 0;
  for (const std::uint64_t count : pairs) unseen += count * (count - (count > 0)) / 2;
  EXPECT_EQ(unseen / 3, choose(kLength, 4) * 31);
}

// The longest text of a RandomId: 512 bits.
constexpr std::size_t kLongest = 106;

template <std::size_t Count>
void miss_two_wrong_only_at_multiples_of_33() {
  const Syndromes<Count> syndromes(kLongest);
  for (std::size_t i = 0; i < kLongest; ++i) {
    for (std::size_t j = i + 1; j < kLongest; ++j) {
      unsigned unseen = 0;
      for (std::size_t a = 1; a < 32; ++a) {
        for (std::size_t b = 1; b < 32; ++b) unseen += syndromes.of(i, a) == syndromes.of(j, b);
      }
      // One value of the one fits each of the other: 31 of 961.
      ASSERT_EQ(unseen, (j - i) % 33 == 0 ? 31u : 0u) << i << ' ' << j;
    }
  }
}

TEST(Gf32Check, MissesTwoWrongOnlyIf33Or66Or99Apart) {
  miss_two_wrong_only_at_multiples_of_33<2>();
  miss_two_wrong_only_at_multiples_of_33<3>();
}

template <std::size_t Count>
void find_all_runs() {
  const Syndromes<Count> syndromes(kLongest);
  std::uint64_t unseen = 0;
  for (std::size_t start = 0; start < kLongest; ++start) {
    for (std::size_t pattern = 1; pattern < std::size_t{1} << 5 * Count; ++pattern) {
      unsigned sum = 0;
      for (std::size_t i = 0; i < Count && start + i < kLongest; ++i) {
        sum ^= syndromes.of(start + i, pattern >> 5 * i & 31);
      }
      // At the end of the text a pattern may have nothing left.
      const bool cut = start + Count > kLongest && pattern % (1u << 5 * (kLongest - start)) == 0;
      unseen += sum == 0 && !cut;
    }
  }
  EXPECT_EQ(unseen, 0u);
}

TEST(Gf32Check, FindsEveryRunOfAsManyWrongSymbolsAsItHas) {
  find_all_runs<2>();
  find_all_runs<3>();
}

template <std::size_t Count>
std::uint64_t count_unseen_runs(std::size_t length) {
  const Syndromes<Count> syndromes(length);
  std::uint64_t unseen = 0;
  for (std::size_t pattern = 0; pattern < std::size_t{1} << 5 * length; ++pattern) {
    if ((pattern & 31) == 0 || pattern >> 5 * (length - 1) == 0) continue;
    unsigned sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum ^= syndromes.of(i, pattern >> 5 * i & 31);
    unseen += sum == 0;
  }
  return unseen;
}

TEST(Gf32Check, MissesFewLongerRuns) {
  EXPECT_EQ(count_unseen_runs<2>(3), 31u);       // of 31 * 32 * 31: 1 in 992
  EXPECT_EQ(count_unseen_runs<2>(4), 31u * 31);  // of 31 * 32 * 32 * 31: 1 in 1,024
  EXPECT_EQ(count_unseen_runs<3>(4), 31u);       // of the same: 1 in 31,744
}

template <std::size_t Count>
void find_all_swaps() {
  constexpr std::size_t kPeriod = 1023;
  const Syndromes<Count> syndromes(kLongest + kPeriod);
  // Swapped symbols differ by the same value in both places.
  std::uint64_t unseen = 0;
  for (std::size_t first = 0; first < kLongest; ++first) {
    for (std::size_t distance = 1; distance < kPeriod; ++distance) {
      for (std::size_t a = 1; a < 32; ++a) {
        unseen += syndromes.of(first, a) == syndromes.of(first + distance, a);
      }
    }
  }
  EXPECT_EQ(unseen, 0u);
  EXPECT_EQ(syndromes.of(0, 1), syndromes.of(kPeriod, 1));  // and there it ends
}

TEST(Gf32Check, FindsEverySwapOfSymbolsLessThan1023Apart) {
  find_all_swaps<2>();
  find_all_swaps<3>();
}

// The definition, computed in another way: with logarithms, by long division.
template <std::size_t Count>
std::array<std::uint8_t, Count> remainder_by_division(const std::vector<std::uint8_t>& digits) {
  std::array<std::uint8_t, 31> power{};
  std::array<std::size_t, 32> log{};
  for (unsigned i = 0, value = 1; i < 31; ++i) {
    power[i] = static_cast<std::uint8_t>(value);
    log[value] = i;
    value = value < 16 ? 2 * value : (2 * value) ^ 0b100101u;
  }
  const std::vector<std::uint8_t> generator =
      Count == 2 ? std::vector<std::uint8_t>{1, 1, 3} : std::vector<std::uint8_t>{1, 1, 3, 15};
  // The stream begins at 1: that is x^n for n digits.
  std::vector<std::uint8_t> rest = digits;
  rest.insert(rest.end(), Count, 0);
  rest[Count - 1] ^= 1;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::uint8_t factor = rest[i];
    if (factor == 0) continue;
    for (std::size_t j = 0; j < generator.size(); ++j) {
      rest[i + j] ^= power[(log[factor] + log[generator[j]]) % 31];
    }
  }
  const std::string_view constant = Count == 2 ? "TE" : "TES";
  std::array<std::uint8_t, Count> symbols{};
  for (std::size_t i = 0; i < Count; ++i) {
    symbols[i] =
        rest[digits.size() + i] ^ static_cast<std::uint8_t>(detail::kCrockford.find(constant[i]));
  }
  return symbols;
}

template <std::size_t Count>
std::array<std::uint8_t, Count> check_of(const std::vector<std::uint8_t>& digits) {
  Gf32Check<Count> stream;
  for (const std::uint8_t digit : digits) stream.add(digit);
  return stream.symbols();
}

std::vector<std::uint8_t> any_digits(std::size_t count) {
  return *rc::gen::container<std::vector<std::uint8_t>>(count, any_from_to<std::uint8_t>(0, 31));
}

RC_GTEST_PROP(Gf32Check, IsTheRemainderOfAPolynomial, ()) {
  const auto digits = any_digits(*any_from_to<std::size_t>(1, 120));
  RC_ASSERT(check_of<2>(digits) == remainder_by_division<2>(digits));
  RC_ASSERT(check_of<3>(digits) == remainder_by_division<3>(digits));
}

template <std::size_t Count>
void sixteen_bytes_at_once() {
  const auto before =
      *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(0, 32));
  const auto bytes = *rc::gen::container<detail::Bytes16>(rc::gen::arbitrary<std::uint8_t>());
  std::array<char, base32::kLeftTextSize> text{};
  base32::write_left(bytes, text);
  Gf32Check<Count> by_digits;
  Gf32Check<Count> at_once;
  for (const std::uint8_t digit : before) {
    by_digits.add(digit);
    at_once.add(digit);
  }
  for (const char c : text) by_digits.add(detail::digit_of(detail::kCrockfordDigits, c));
  at_once.add_left(bytes);
  RC_ASSERT(at_once.symbols() == by_digits.symbols());
}

RC_GTEST_PROP(Gf32Check, SixteenBytesAreTheirDigits, ()) {
  sixteen_bytes_at_once<2>();
  sixteen_bytes_at_once<3>();
}

RC_GTEST_PROP(Gf32Check, APairIsItsTwoDigits, ()) {
  const auto before = any_digits(*any_from_to<std::size_t>(0, 8));
  for (std::uint32_t pair = 0; pair < 1024; ++pair) {
    Gf32Check<2> by_digits;
    for (const std::uint8_t digit : before) by_digits.add(digit);
    Gf32Check<2> by_pair = by_digits;
    by_digits.add(static_cast<std::uint8_t>(pair >> 5));
    by_digits.add(static_cast<std::uint8_t>(pair & 31));
    by_pair.add_pair(pair);
    RC_ASSERT(by_pair.symbols() == by_digits.symbols());
  }
}

template <std::size_t Count>
void check_linear() {
  const std::size_t count = *any_from_to<std::size_t>(1, 120);
  const auto a = any_digits(count);
  const auto b = any_digits(count);
  const auto c = any_digits(count);
  std::vector<std::uint8_t> sum(count);
  for (std::size_t i = 0; i < count; ++i) sum[i] = a[i] ^ b[i] ^ c[i];
  for (std::size_t i = 0; i < Count; ++i) {
    RC_ASSERT(check_of<Count>(sum)[i] ==
              (check_of<Count>(a)[i] ^ check_of<Count>(b)[i] ^ check_of<Count>(c)[i]));
  }
}

// What the proofs above rest on.
RC_GTEST_PROP(Gf32Check, IsLinear, ()) {
  check_linear<2>();
  check_linear<3>();
}

TEST(Gf32Check, OfZerosIsNotZeroAndTellsHowManyThereWere) {
  std::vector<std::array<std::uint8_t, 2>> twos;
  std::vector<std::array<std::uint8_t, 3>> threes;
  for (std::size_t count = 0; count < kLongest; ++count) {
    const std::vector<std::uint8_t> zeros(count, 0);
    twos.push_back(check_of<2>(zeros));
    threes.push_back(check_of<3>(zeros));
    EXPECT_NE(twos.back(), (std::array<std::uint8_t, 2>{}));
    EXPECT_NE(threes.back(), (std::array<std::uint8_t, 3>{}));
  }
  std::ranges::sort(twos);
  std::ranges::sort(threes);
  EXPECT_EQ(std::ranges::adjacent_find(twos), twos.end());
  EXPECT_EQ(std::ranges::adjacent_find(threes), threes.end());
}

// Corrections.

TEST(Corrections, KeepTheBestEightInOrder) {
  Corrections corrections;
  for (std::uint32_t offset = 0; offset < 20; ++offset) {
    corrections.add({.rank = static_cast<std::uint8_t>(2 - offset % 3), .offset = offset});
  }
  ASSERT_EQ(corrections.count, 8u);
  std::vector<std::uint32_t> offsets;
  for (const auto& correction : corrections.list) offsets.push_back(correction.offset);
  EXPECT_EQ(offsets, (std::vector<std::uint32_t>{2, 5, 8, 11, 14, 17, 1, 4}));
}

TEST(Corrections, AreFoundWithinTheBoundAndLeaveTheTextAlone) {
  std::string text = "AB5D";
  std::size_t asked = 0;
  const auto found = likely_corrections(text, [&](std::string_view changed) {
    ++asked;
    return changed == "BA5D" || changed == "ABSD" || changed == "AB5T" || changed == "ZB5D";
  });
  EXPECT_EQ(text, "AB5D");
  EXPECT_LE(asked, 38 * text.size());
  ASSERT_EQ(found.count, 4u);
  EXPECT_EQ(found.list[0].kind, Correction::Kind::swap);
  EXPECT_EQ(found.list[1].symbol, 'S');  // looks like 5
  EXPECT_EQ(found.list[2].symbol, 'T');  // sounds like D
  EXPECT_EQ(found.list[3].symbol, 'Z');
  EXPECT_EQ(found.list[3].offset, 0u);
}

TEST(Corrections, OfEmptyTextAreNone) {
  EXPECT_EQ(likely_corrections(std::span<char>(), [](std::string_view) { return true; }).count, 0u);
}

}  // namespace
}  // namespace tessera
