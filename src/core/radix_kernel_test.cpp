// What the kernels of base 36 and base 62 promise: each writes and reads what the portable one
// does, for every value, above all where a quotient by a reciprocal is one too small, for every
// character at every place and for what is just too large; and touches not a byte more.

#include "core/radix_kernel.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/fakes.h"
#include "support/properties.h"

namespace tessera::detail {
namespace {

struct Base {
  unsigned base;
  std::size_t size;
  unsigned piece;  // digits in the piece that kernels cut off
  std::string_view alphabet;
  void (*RadixKernel::*write)(const Bytes16& bytes, char* out) noexcept;
  bool (*RadixKernel::*read)(const char* text, Bytes16& out) noexcept;
};

constexpr Base kBases[] = {
    {36, base36::kTextSize, 12, kBase36, &RadixKernel::write_36, &RadixKernel::read_36},
    {62, base62::kTextSize, 10, kBase62, &RadixKernel::write_62, &RadixKernel::read_62},
};

const RadixKernel& portable() { return radix_kernels().front(); }

std::string text_by(const RadixKernel& kernel, const Base& base, const Bytes16& bytes) {
  std::string out(base.size + 64, '?');
  (kernel.*base.write)(bytes, out.data() + 32);
  EXPECT_EQ(out.substr(0, 32) + out.substr(32 + base.size), std::string(64, '?'));
  return out.substr(32, base.size);
}

// The bytes, or nothing.
std::vector<std::uint8_t> bytes_by(const RadixKernel& kernel, const Base& base,
                                   const std::string& text) {
  // Of the exact size: what is read behind it is found by the sanitizer.
  const std::vector<char> exact(text.begin(), text.end());
  Bytes16 bytes{};
  if (!(kernel.*base.read)(exact.data(), bytes)) return {};
  return {bytes.begin(), bytes.end()};
}

// By school arithmetic, a digit at a time.
std::string text_of(const Base& base, uint128 value) {
  std::string text(base.size, '?');
  for (std::size_t i = base.size; i-- > 0; value /= base.base) {
    text[i] = base.alphabet[static_cast<std::size_t>(value % base.base)];
  }
  return text;
}

void expect_right(const Base& base, uint128 value) {
  const std::string expected = text_of(base, value);
  const Bytes16 bytes = store_128(value);
  for (const auto& kernel : radix_kernels()) {
    ASSERT_EQ(text_by(kernel, base, bytes), expected);
    ASSERT_EQ(bytes_by(kernel, base, expected),
              std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  }
}

TEST(RadixKernel, ThePortableOneIsFirst) {
  ASSERT_FALSE(radix_kernels().empty());
  EXPECT_EQ(portable().level, CpuLevel::portable);
}

TEST(RadixKernel, EachWritesAndReadsWhatSchoolArithmeticSays) {
  SeededEntropy entropy(20'261'118);
  for (const Base& base : kBases) {
    for (int i = 0; i < 2'000; ++i) {
      Bytes16 bytes;
      ASSERT_TRUE(entropy.fill(bytes));
      // Of every length.
      expect_right(base, load_128(bytes) >> (i % 128));
    }
  }
}

TEST(RadixKernel, EachIsRightWhereAQuotientByAReciprocalIsOneTooSmall) {
  SeededEntropy entropy(7);
  for (const Base& base : kBases) {
    uint128 piece = 1;
    for (unsigned i = 0; i < base.piece; ++i) piece *= base.base;
    const uint128 most = ~uint128{0};
    for (const uint128 unit : {piece, piece * piece}) {
      for (int i = 0; i < 500; ++i) {
        std::array<std::uint8_t, 16> random;
        ASSERT_TRUE(entropy.fill(random));
        const uint128 multiple = load_128(random) % (most / unit + 1) * unit;
        expect_right(base, multiple);
        expect_right(base, multiple - 1);
        expect_right(base, multiple + unit - 1);
      }
      expect_right(base, most / unit * unit);
      expect_right(base, most / unit * unit - 1);
    }
    uint128 power = 1;
    for (std::size_t i = 0; i < base.size; ++i, power *= base.base) {
      expect_right(base, power);
      expect_right(base, power - 1);
      expect_right(base, power + 1);
    }
    expect_right(base, 0);
    expect_right(base, most);
    expect_right(base, most - 1);
  }
}

TEST(RadixKernel, EachTakesAndRefusesEveryCharacterAtEveryPlaceAsThePortableOne) {
  for (const Base& base : kBases) {
    std::size_t taken = 0;
    for (const uint128 value : {uint128{0}, ~uint128{0} / 3, ~uint128{0}}) {
      std::string text = text_of(base, value);
      for (std::size_t at = 0; at < text.size(); ++at) {
        const char before = text[at];
        for (int c = 0; c < 256; ++c) {
          text[at] = static_cast<char>(c);
          const auto expected = bytes_by(portable(), base, text);
          if (!expected.empty()) ++taken;
          for (const auto& kernel : radix_kernels()) {
            ASSERT_EQ(bytes_by(kernel, base, text), expected) << text << " at " << at;
          }
        }
        text[at] = before;
      }
    }
    EXPECT_GT(taken, 1'000u) << "or nothing was compared but refusals";
  }
}

TEST(RadixKernel, EachRefusesWhatIsJustTooLarge) {
  for (const Base& base : kBases) {
    // The digits of the largest number, one of them one more and all behind it the least.
    const std::string most = text_of(base, ~uint128{0});
    for (std::size_t at = 0; at < most.size(); ++at) {
      const std::size_t digit = base.alphabet.find(most[at]);
      if (digit + 1 == base.alphabet.size()) continue;
      std::string text = most.substr(0, at) + base.alphabet[digit + 1];
      text.resize(base.size, '0');
      for (const auto& kernel : radix_kernels()) {
        EXPECT_TRUE(bytes_by(kernel, base, text).empty()) << text;
      }
    }
    const std::string full(base.size, base.alphabet.back());
    for (const auto& kernel : radix_kernels()) {
      EXPECT_TRUE(bytes_by(kernel, base, full).empty());
    }
  }
}

// What the public functions make of it, on a processor with less and less.
TEST(RadixKernel, TheCodecsAreTheSameOnAProcessorWithoutVectors) {
  SeededEntropy entropy(9);
  std::vector<Bytes16> samples(200);
  for (auto& bytes : samples) ASSERT_TRUE(entropy.fill(bytes));
  const auto everything = [&] {
    std::string all;
    for (const auto& bytes : samples) {
      const auto text36 = base36::text_of(bytes);
      const auto text62 = base62::text_of(bytes);
      EXPECT_EQ(base36::parse(text36), bytes);
      EXPECT_EQ(base62::parse(text62), bytes);
      all += text36.to_string() + text62.to_string();
      std::string bad = text62.to_string();
      bad[13] = '-';
      EXPECT_EQ(base62::parse(bad).error(), (ParseError{ParseError::Code::invalid_character, 13}));
    }
    return all;
  };
  const std::string with = everything();
  for (const auto level : {CpuLevel::portable, CpuLevel::sse41, CpuLevel::avx2}) {
    limit_cpu_level(level);
    EXPECT_LE(cpu_level(), level);
    EXPECT_EQ(everything(), with);
  }
  limit_cpu_level(CpuLevel::avx512);
}

RC_GTEST_PROP(RadixKernel, WritesEveryValueAsThePortableOneAndReadsItBack,
              (std::uint64_t hi, std::uint64_t lo)) {
  const Bytes16 bytes = store_pair({hi, lo});
  for (const Base& base : kBases) {
    const std::string expected = text_by(portable(), base, bytes);
    for (const auto& kernel : radix_kernels()) {
      RC_ASSERT(text_by(kernel, base, bytes) == expected);
      RC_ASSERT(bytes_by(kernel, base, expected) ==
                std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
    }
  }
}

}  // namespace
}  // namespace tessera::detail
