// What the odds promise: the chance of a collision is right to the digits of a double, for a
// handful of IDs in a handful of values as for more IDs than there are atoms; it rises with the
// count and falls with the bits; the questions the other way round give answers that fit; and
// the words say what the numbers say.

#include "tessera/odds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/properties.h"

namespace tessera {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Whole numbers of any size, as far as a fraction of two products needs them.
class BigNumber {
 public:
  explicit BigNumber(std::uint32_t value) : limbs_{value} {}

  BigNumber& operator*=(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (auto& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
    return *this;
  }
  // `other` is not larger.
  BigNumber operator-(const BigNumber& other) const {
    BigNumber difference = *this;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      borrow += limbs_[i];
      if (i < other.limbs_.size()) borrow -= other.limbs_[i];
      difference.limbs_[i] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    return difference;
  }
  explicit operator long double() const {
    long double value = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) value = value * 0x1p32L + limbs_[i];
    return value;
  }

 private:
  std::vector<std::uint32_t> limbs_;  // the least first
};

// 1 - N(N-1)…(N-n+1) / N^n, as a fraction of whole numbers, divided once.
double exact_probability(std::uint32_t space, std::uint32_t count) {
  BigNumber all(1);
  BigNumber different(1);
  for (std::uint32_t i = 0; i < count; ++i) {
    all *= space;
    different *= i < space ? space - i : 0;
  }
  return static_cast<double>(static_cast<long double>(all - different) /
                             static_cast<long double>(all));
}

double relative_error(double value, double expected) {
  return expected == 0 ? std::fabs(value) : std::fabs(value - expected) / expected;
}

TEST(Odds, AreExactInEverySmallSpace) {
  for (std::uint32_t space = 1; space <= 64; ++space) {
    for (std::uint32_t count = 0; count <= space + 2; ++count) {
      const double expected = exact_probability(space, count);
      const double p = collision_probability(std::log2(space), count);
      EXPECT_LT(relative_error(p, expected), 1e-13)
          << count << " of " << space << ": " << p << ", not " << expected;
    }
  }
}

TEST(Odds, KnowTheBirthdays) {
  const double days = std::log2(365);
  EXPECT_NEAR(collision_probability(days, 23), 0.507297234324, 1e-12);
  EXPECT_NEAR(collision_probability(days, 22), 0.475695307663, 1e-12);
  EXPECT_NEAR(collision_probability(days, 57), 0.990122459342, 1e-12);
  EXPECT_EQ(collision_probability(days, 366), 1);
  EXPECT_EQ(count_for_probability(days, 0.5), 23);
  EXPECT_EQ(count_for_probability(days, 0.99), 57);
}

// ln of the chance that all are different, by Euler and Maclaurin's formula: the integral of
// ln(1 - t/N) as a power series, and two corrections. In long doubles, which have digits and
// exponents to spare. For counts from a thousand on, and count < space / 2.
long double log_all_different(long double space, long double count) {
  const long double x = count / space;
  long double series = 0;
  long double power = x;
  for (int k = 2; k < 200 && power > 0; ++k, power *= x) {
    series += power / (static_cast<long double>(k) * (k - 1));
  }
  return -count * series - std::log1p(-x) / 2 + (1 / space - 1 / (space - count)) / 12;
}

TEST(Odds, AreRightInHugeSpaces) {
  for (const double bits :
       {20.0, 40.0, 52.1, 64.0, 80.0, 122.0, 126.0, 128.0, 160.0, 256.0, 512.0, 1000.0}) {
    for (double count = 1000; count < std::exp2(bits) / 2 && count < 1e300;
         count = std::floor(count * 1.7)) {
      const long double space = std::exp2(static_cast<long double>(bits));
      const double expected = static_cast<double>(-std::expm1(log_all_different(space, count)));
      const double p = collision_probability(bits, count);
      ASSERT_LT(relative_error(p, expected), 1e-11)
          << count << " of 2^" << bits << ": " << p << ", not " << expected;
    }
  }
}

TEST(Odds, AgreeWithAProductOfAMillionFactors) {
  for (const double bits : {30.0, 40.0, 64.0, 122.0}) {
    const long double space = std::exp2(static_cast<long double>(bits));
    long double sum = 0;
    for (int i = 1; i < 1'000'000; ++i) {
      sum += std::log1p(-static_cast<long double>(i) / space);
      const int count = i + 1;
      if (count == 2 || count == 1000 || count == 100'000 || count == 100'001 ||
          count == 1'000'000) {
        const auto expected = static_cast<double>(-std::expm1(sum));
        EXPECT_LT(relative_error(collision_probability(bits, count), expected), 1e-11)
            << count << " of 2^" << bits;
      }
    }
  }
}

TEST(Odds, AgreeWithWhatIsPublished) {
  // UUIDv4: 103 trillion for one chance in a billion, 2.71 quintillion for one in two.
  EXPECT_NEAR(count_for_probability(122, 1e-9) / 1e12, 103.1, 0.1);
  EXPECT_NEAR(count_for_probability(122, 0.5) / 1e18, 2.715, 0.001);
  // The table of the birthday attack.
  EXPECT_NEAR(count_for_probability(32, 0.5), 77'163, 1);
  EXPECT_NEAR(count_for_probability(64, 0.5) / 1e9, 5.06, 0.01);
  EXPECT_NEAR(count_for_probability(128, 0.5) / 1e19, 2.17, 0.01);
  EXPECT_NEAR(count_for_probability(256, 0.5) / 1e38, 4.01, 0.01);
  EXPECT_NEAR(count_for_probability(512, 0.5) / 1e77, 1.36, 0.01);
  EXPECT_NEAR(count_for_probability(512, 1e-18) / 1e68, 1.6, 0.1);
}

TEST(Odds, OfNothingAreNoneAndOfTooManyCertain) {
  for (const double bits : {0.0, 1.0, 60.0, 128.0, 5000.0}) {
    EXPECT_EQ(collision_probability(bits, 0), 0);
    EXPECT_EQ(collision_probability(bits, 1), 0);
    EXPECT_EQ(collision_probability(bits, 1.9), 0);
    EXPECT_EQ(collision_probability(bits, -5), 0);
    EXPECT_EQ(collision_probability(bits, kNan), 0);
  }
  EXPECT_EQ(collision_probability(kNan, 5), 0);
  EXPECT_EQ(collision_probability(-1, 5), 0);
  EXPECT_EQ(collision_probability(0, 2), 1);
  EXPECT_EQ(collision_probability(16, 65'536), 1);  // as far as a double can say
  EXPECT_EQ(collision_probability(16, 65'537), 1);
  EXPECT_EQ(collision_probability(128, kInfinity), 1);
  EXPECT_EQ(collision_probability(5000, 1e300), 0);
  EXPECT_EQ(collision_probability(1, 2), 0.5);
  EXPECT_EQ(collision_probability(1, 2.99), 0.5);

  EXPECT_EQ(count_for_probability(64, 0), 0);
  EXPECT_EQ(count_for_probability(64, kNan), 0);
  EXPECT_EQ(count_for_probability(-1, 0.5), 0);
  EXPECT_EQ(count_for_probability(8, 1), 257);
  EXPECT_EQ(count_for_probability(8, 2), 257);
  EXPECT_EQ(count_for_probability(0, 0.5), 2);
  EXPECT_EQ(bits_for(1, 0.5), 0);
  EXPECT_EQ(bits_for(10, 0), 0);
}

TEST(Odds, CountIsTheFirstWithTheChanceInSmallSpaces) {
  for (int bits = 0; bits <= 12; ++bits) {
    for (const double p : {1e-300, 1e-9, 1e-4, 0.01, 0.25, 0.5, 0.9, 0.999}) {
      double first = 2;
      while (collision_probability(bits, first) < p) ++first;
      EXPECT_EQ(count_for_probability(bits, p), first) << bits << " bits, " << p;
    }
  }
}

RC_GTEST_PROP(Odds, RiseWithTheCountAndFallWithTheBits, ()) {
  const double bits = *any_from_to(0, 6000) / 10.0;
  const double count = std::floor(std::exp2(*any_from_to(10, 160) / 10.0));
  const double p = collision_probability(bits, count);
  RC_ASSERT(p >= 0);
  RC_ASSERT(p <= 1);
  RC_ASSERT(collision_probability(bits, count + 1) >= p);
  RC_ASSERT(collision_probability(bits, count * 2) >= p);
  RC_ASSERT(collision_probability(bits + 0.1, count) <= p);
  // Nor does the change from one way of reckoning to the other show.
  RC_ASSERT(collision_probability(bits, 100'000) <= collision_probability(bits, 100'001));
}

RC_GTEST_PROP(Odds, CountAndProbabilityAreInverse, ()) {
  const double bits = *any_from_to(30, 1000);
  const double p = std::exp2(-*any_from_to(1, 400) / 10.0);
  const double count = count_for_probability(bits, p);
  RC_ASSERT(count >= 2);
  RC_ASSERT(count == std::floor(count));
  RC_ASSERT(collision_probability(bits, count) >= p * (1 - 1e-9));
  RC_ASSERT(collision_probability(bits, std::floor(count * (1 - 1e-9)) - 1) < p);
}

RC_GTEST_PROP(Odds, BitsKeepTheChanceBelowAndAreNoMoreThanNeeded, ()) {
  const double count = std::floor(std::exp2(
      *rc::gen::weightedOneOf<int>({{1, any_from_to(10, 60)}, {3, any_from_to(170, 900)}}) / 10.0));
  const double p = std::exp2(-*any_from_to(1, 600) / 10.0);
  const double bits = bits_for(count, p);
  RC_ASSERT(collision_probability(bits, count) < p);
  RC_ASSERT(collision_probability(bits - 1e-6, count) >= p);
}

TEST(Odds, SayNumbersAsPeopleDo) {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},
      {1, "1"},
      {2, "2"},
      {3.333, "3.33"},
      {42, "42"},
      {99, "99"},
      {100, "100"},
      {999, "999"},
      {1000, "1,000"},
      {1234.4, "1,234"},
      {65'536, "65,536"},
      {999'940, "999,940"},
      {1e6, "1 million"},
      {1'234'567, "1.235 million"},
      {4.2e9, "4.2 billion"},
      {2.7e12, "2.7 trillion"},
      {103.1e12, "103.1 trillion"},
      {1e15, "1.00 × 10^15"},
      {1.3e18, "1.30 × 10^18"},
      {2.17e19, "2.17 × 10^19"},
      {1e300, "1.00 × 10^300"},
      {kInfinity, "infinitely many"},
  };
  for (const auto& [number, words] : cases) EXPECT_EQ(number_in_words(number), words) << number;
}

TEST(Odds, RoundNumbersUpIntoTheNextWord) {
  const std::pair<double, const char*> cases[] = {
      {999.7, "1,000"},
      {999'999.7, "1 million"},
      {999'999'999, "1 billion"},
      {999'999'999'999, "1 trillion"},
      {999'999'999'999'999, "1.00 × 10^15"},
      {9.9999e15, "1.00 × 10^16"},
  };
  for (const auto& [number, words] : cases) EXPECT_EQ(number_in_words(number), words) << number;
}

TEST(Odds, SayChancesAsPeopleDo) {
  const std::pair<double, const char*> cases[] = {
      {0, "impossible"},
      {-1, "impossible"},
      {1, "certain"},
      {2, "certain"},
      {0.5, "one chance in 2"},
      {0.25, "one chance in 4"},
      {0.3, "one chance in 3.33"},
      {1e-3, "one chance in 1,000"},
      {1e-6, "one chance in 1 million"},
      {1 / 4.2e9, "one chance in 4.2 billion"},
      {0.507297, "more likely than not: 50.7 in 100"},
      {0.75, "more likely than not: 75 in 100"},
      {0.9995, "more likely than not: 99.9 in 100"},
      {0.9999999, "practically certain"},
      {1e-31, "practically never: one chance in 1.00 × 10^31"},
  };
  for (const auto& [p, words] : cases) EXPECT_EQ(odds_in_words(p), words) << p;
}

}  // namespace
}  // namespace tessera
