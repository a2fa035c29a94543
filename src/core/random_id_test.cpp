// What a RandomId promises: one canonical text for each value and size, friendly reading of
// what people type, errors that say where, and a check that tells a mistyped ID from one that
// was never issued. The single check symbol is proved here against every single substitution
// and every near swap; the proofs for two and three are in check_test.cpp.

#include "tessera/random_id.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "support/fakes.h"
#include "support/properties.h"
#include "support/vectors.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

static_assert(std::is_trivially_copyable_v<RandomId>);
static_assert(!std::is_default_constructible_v<RandomId>, "there is no ID without bits");
static_assert(HasText<RandomId>);
constexpr auto kAtCompileTime = RandomId::parse("kfvi-b65p-8q3c-mc");
static_assert(kAtCompileTime->number() == 0x9bf61598b645c6ca);
static_assert(kAtCompileTime->text().view() == "KFV1B65P8Q3CMC");
static_assert(RandomId::parse("KFV1B65P8Q3CMC") == kAtCompileTime);

RandomId random_id(std::mt19937_64& random, unsigned bits) {
  std::array<std::uint8_t, RandomId::kSizeMax> bytes;
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 24);
  return RandomId::from_bytes(bytes, bits);
}

rc::Gen<RandomId> any_random_id() {
  return rc::gen::apply(
      [](const auto& bytes, unsigned bits) { return RandomId::from_bytes(bytes, bits); },
      any_bytes<RandomId::kSizeMax>(),
      rc::gen::oneOf(any_from_to(1u, RandomId::kBitsMax), any_from_to(1u, 160u),
                     rc::gen::elementOf(std::vector<unsigned>(RandomId::kNamedBits.begin(),
                                                              RandomId::kNamedBits.end()))));
}

rc::Gen<CheckCount> any_check() {
  return rc::gen::element(CheckCount::none, CheckCount::one, CheckCount::two, CheckCount::three);
}

// Vectors.

TEST(RandomId, WritesAndReadsTheBytesOfTheVectors) {
  for (const auto& row : vectors::read_table("oracle-crockford-book.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bytes = vectors::bytes_of_hex(row["hex"]);
    const auto id = RandomId::from_bytes(bytes, static_cast<unsigned>(8 * bytes.size()));
    EXPECT_EQ(id.to_string(), row["id_with_check"]);
    EXPECT_EQ(id.to_string(CheckCount::none), row["base32_encode_right_padded"]);
    for (const auto& read :
         {RandomId::parse(row["id_with_check"]), RandomId::parse_strict(row["id_with_check"]),
          RandomId::parse(row["id_with_check"], id.bits())}) {
      ASSERT_TRUE(read);
      EXPECT_EQ(*read, id);
      EXPECT_EQ(vectors::hex_of(read->bytes()), row["hex"]);
    }
  }
}

std::string verdict(const Result<RandomId, ParseError>& read) {
  if (read) return "valid";
  switch (read.error().code) {
    case Code::invalid_length: return "bad-length";
    case Code::invalid_character: return "bad-char";
    case Code::non_canonical: return "noncanonical";
    case Code::bad_check: return "bad-check";
    default: return "?";
  }
}

TEST(RandomId, AnswersAsTheVectorsDo) {
  for (const auto& row : vectors::read_table("oracle-crockford-verify.tsv")) {
    SCOPED_TRACE(row.where());
    EXPECT_EQ(verdict(RandomId::parse(row["text"])), row["expected_from_a_friendly_strict_parser"]);
  }
}

// Texts that people have written down: they are read for ever.
TEST(RandomId, ChecksOfTwoAndThreeSymbolsNeverChange) {
  const auto small = *RandomId::from_number(0x9bf61598b645c6ca, 64);
  EXPECT_EQ(small.to_string(CheckCount::two), "KFV1B65P8Q3CMYV");
  EXPECT_EQ(small.to_string(CheckCount::three), "KFV1B65P8Q3CMV2C");
  const auto uuid =
      RandomId::from_bytes(vectors::array_of_hex<16>("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), 128);
  EXPECT_EQ(uuid.to_string(CheckCount::two), "05ZJ5RKSP1YC7664VG60R1SSHWBR");
  EXPECT_EQ(uuid.to_string(CheckCount::three), "05ZJ5RKSP1YC7664VG60R1SSHW9EW");
}

// Found in books and on the web: those that follow the rule are read, and no other.
TEST(RandomId, ReadsPublishedExamplesOnlyIfTheyAreRight) {
  std::size_t read_count = 0;
  for (const auto& row : vectors::read_table("crockford/check-symbols.tsv")) {
    SCOPED_TRACE(row.where() + " " + row["text"]);
    const bool right = row["given"] == row["rule_a_int_bytes"];
    const bool of_bytes = row["input"].starts_with("ascii") || row["input"].starts_with("hex") ||
                          row["input"].starts_with("utf-8");
    const bool decorated = row["text"].ends_with("===");
    const auto id = RandomId::parse(row["text"]);
    EXPECT_EQ(static_cast<bool>(id), right && of_bytes && !decorated);
    read_count += id ? 1u : 0u;
  }
  EXPECT_GE(read_count, 6u);
}

TEST(RandomId, RefusesTheSamplesThatFailTheirOwnCheck) {
  const struct {
    std::string_view text;
    unsigned bits;
    ParseError error;
  } cases[] = {
      {"AHM6A83HENMP~", 60, {Code::bad_check, 12}},
      {"ahm6-a83h-enmp~", 60, {Code::bad_check, 14}},
      {"AHM6A83HENMP~", 56, {Code::non_canonical, 11}},
      {"64s36d-1n6rv-kge9g-c5h66~", 104, {Code::bad_check, 24}},
      {"KFV1B65A8Q3CMC", 64, {Code::bad_check, 13}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const auto id = RandomId::parse(c.text, c.bits);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
  EXPECT_TRUE(RandomId::parse("AHM6A83HENMPS", 60));
  EXPECT_TRUE(RandomId::parse("64s36d-1n6rv-kge9g-c5h66u", 104));
}

// Errors.

TEST(RandomId, RefusesBadTextAndSaysWhere) {
  const struct {
    std::string_view name;
    std::string text;
    CheckCount check;
    ParseError error;
  } cases[] = {
      {"empty", "", CheckCount::one, {Code::invalid_length, 0}},
      {"empty, no check", "", CheckCount::none, {Code::invalid_length, 0}},
      {"hyphens only", "----", CheckCount::one, {Code::invalid_length, 4}},
      {"check symbol only", "*", CheckCount::one, {Code::invalid_length, 1}},
      {"check symbols only", "000", CheckCount::three, {Code::invalid_length, 3}},
      {"one digit is no byte", "00", CheckCount::one, {Code::invalid_length, 2}},
      {"three digits are no bytes", "0000", CheckCount::one, {Code::invalid_length, 4}},
      {"bad character before length", "U0", CheckCount::one, {Code::invalid_character, 0}},
      {"bad check before length", "0!", CheckCount::one, {Code::invalid_character, 1}},
      {"the first bad character", "0-0!?!", CheckCount::one, {Code::invalid_character, 3}},
      {"hyphens count in offsets",
       "-KF-V1B65P8Q3UMC",
       CheckCount::one,
       {Code::invalid_character, 13}},
      {"check symbol in the body", "*00", CheckCount::one, {Code::invalid_character, 0}},
      {"O is no check symbol", "00O", CheckCount::one, {Code::invalid_character, 2}},
      {"* is no digit of two", "00*0", CheckCount::two, {Code::invalid_character, 2}},
      {"U is no digit of three", "0000U", CheckCount::three, {Code::invalid_character, 4}},
      {"NUL",
       std::string("0\0"
                   "0",
                   3),
       CheckCount::one,
       {Code::invalid_character, 1}},
      {"high bit",
       "0\xB0"
       "0",
       CheckCount::one,
       {Code::invalid_character, 1}},
      {"blank in front", " 000", CheckCount::one, {Code::invalid_character, 0}},
      {"spare bit set", "0-1-0", CheckCount::one, {Code::non_canonical, 2}},
      {"spare bit before check", "0--1-9", CheckCount::one, {Code::non_canonical, 3}},
      {"check", "00-1-", CheckCount::one, {Code::bad_check, 3}},
      {"check of two: its first symbol", "00-0-0", CheckCount::two, {Code::bad_check, 3}},
      {"check of three", "0-0000", CheckCount::three, {Code::bad_check, 3}},
      {"520 bits", std::string(104 + 1, '0'), CheckCount::one, {Code::invalid_length, 105}},
      {"longer than is read", std::string(257, '!'), CheckCount::one, {Code::invalid_length, 257}},
      {"a megabyte",
       std::string(1'000'000, '-'),
       CheckCount::one,
       {Code::invalid_length, 1'000'000}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto id = RandomId::parse(c.text, c.check);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
}

TEST(RandomId, KnowsTheSizeItIsAskedFor) {
  const std::string text = RandomId::from_number(1, 60)->to_string();
  ASSERT_EQ(text, "0000000000011");
  EXPECT_EQ(RandomId::parse(text, 60)->number(), 1u);
  // 12 digits hold 56 to 60 bits; without the size they are seven bytes.
  EXPECT_EQ(RandomId::parse(text).error(), (ParseError{Code::non_canonical, 11}));
  for (const unsigned bits : {0u, 1u, 55u, 61u, 64u, 513u, 1'000'000u}) {
    EXPECT_EQ(RandomId::parse(text, bits).error(), (ParseError{Code::invalid_length, 13})) << bits;
  }
}

TEST(RandomId, ReadsWholeBytesFromTheLengthsThatBytesHave) {
  for (std::size_t count = 1; count <= 110; ++count) {
    const auto id = RandomId::parse(std::string(count, '0'), CheckCount::none);
    std::size_t size = 0;
    while ((8 * size + 4) / 5 < count) ++size;
    if ((8 * size + 4) / 5 == count && size <= RandomId::kSizeMax) {
      ASSERT_TRUE(id) << count;
      EXPECT_EQ(id->bits(), 8 * size);
    } else {
      ASSERT_FALSE(id) << count;
      EXPECT_EQ(id.error(), (ParseError{Code::invalid_length, static_cast<std::uint32_t>(count)}));
    }
  }
}

TEST(RandomId, StrictReadingVariesOnlyInCase) {
  EXPECT_TRUE(RandomId::parse_strict("KFV1B65P8Q3CMC"));
  EXPECT_TRUE(RandomId::parse_strict("kfv1b65p8q3cmc"));
  EXPECT_TRUE(RandomId::parse_strict("dcdtg5pkpqa0u", 56));
  EXPECT_EQ(RandomId::parse_strict("KFV1-B65P8Q3CMC").error(),
            (ParseError{Code::invalid_character, 4}));
  EXPECT_EQ(RandomId::parse_strict("KFVIB65P8Q3CMC").error(),
            (ParseError{Code::invalid_character, 3}));
  EXPECT_EQ(RandomId::parse_strict("KFV1B65P8Q3CMC-").error(),
            (ParseError{Code::invalid_character, 14}));
  EXPECT_EQ(RandomId::parse_strict("KFV1B65P8Q3CMD").error(), (ParseError{Code::bad_check, 13}));
}

// Values.

RC_GTEST_PROP(RandomId, TextRoundTripsAtAnySize, ()) {
  const RandomId id = *any_random_id();
  const CheckCount check = *any_check();
  const std::string text = id.to_string(check);
  RC_ASSERT(text.size() == RandomId::text_size(id.bits(), check));
  RC_ASSERT(*RandomId::parse_strict(text, id.bits(), check) == id);
  RC_ASSERT(*RandomId::parse(text, id.bits(), check) == id);
  if (id.bits() % 8 == 0) RC_ASSERT(*RandomId::parse(text, check) == id);
  RC_ASSERT(RandomId::from_bytes(id.bytes(), id.bits()) == id);
  RC_ASSERT(id.bytes().size() == (id.bits() + 7) / 8);
}

// However a person writes it down.
RC_GTEST_PROP(RandomId, ReadsWhatPeopleType, ()) {
  const RandomId id = *any_random_id();
  const CheckCount check = *any_check();
  std::string typed;
  const std::string text = id.to_string(check);
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    const bool digit =
        i < RandomId::text_size(id.bits(), CheckCount::none) || check != CheckCount::one;
    if (digit && c == '1') c = *rc::gen::element('1', 'I', 'i', 'L', 'l');
    if (digit && c == '0') c = *rc::gen::element('0', 'O', 'o');
    if (c >= 'A' && c <= 'Z' && *rc::gen::arbitrary<bool>()) c = static_cast<char>(c ^ 0x20);
    if (*any_from_to(0, 7) == 0) typed += '-';
    typed += c;
  }
  if (typed.size() <= RandomId::kParseSizeMax) {
    RC_ASSERT(*RandomId::parse(typed, id.bits(), check) == id);
  }
}

RC_GTEST_PROP(RandomId, GroupsAreReadBack, ()) {
  const RandomId id = *any_random_id();
  const CheckCount check = *any_check();
  const std::size_t group = *any_from_to<std::size_t>(1, 12);
  const std::string text = id.to_string(check, group);
  RC_ASSERT(text.size() <= RandomId::kTextSizeMax);
  RC_ASSERT(*RandomId::parse(text, id.bits(), check) == id);
  for (const auto& part : vectors::split(text, '-')) {
    RC_ASSERT(!part.empty());
    RC_ASSERT(part.size() <= group);
  }
}

TEST(RandomId, GroupsForReadingAloud) {
  const auto id = *RandomId::parse("AHM6A83HENMPS", 60);
  EXPECT_EQ(id.to_string(CheckCount::one, 4), "AHM6-A83H-ENMP-S");
  EXPECT_EQ(id.to_string(CheckCount::one, 5), "AHM6A-83HEN-MPS");
  EXPECT_EQ(id.to_string(CheckCount::none, 4), "AHM6-A83H-ENMP");
  EXPECT_EQ(id.to_string(CheckCount::one, 100), "AHM6A83HENMPS");
  const auto longest = RandomId::from_bytes(std::array<std::uint8_t, 64>{}, 512);
  EXPECT_EQ(longest.to_string(CheckCount::three, 1).size(), RandomId::kTextSizeMax);
}

RC_GTEST_PROP(RandomId, OrderOfValuesIsOrderOfTexts, ()) {
  const unsigned bits = *any_from_to(1u, RandomId::kBitsMax);
  const auto [bytes_a, bytes_b] = *neighbours<RandomId::kSizeMax>();
  const auto a = RandomId::from_bytes(bytes_a, bits);
  const auto b = RandomId::from_bytes(bytes_b, bits);
  RC_ASSERT((a <=> b) == (a.to_string(CheckCount::none) <=> b.to_string(CheckCount::none)));
  RC_ASSERT((a <=> b) == (a.to_string() <=> b.to_string()));
  RC_ASSERT((a == b) == ((a <=> b) == 0));
  RC_ASSERT(a != b || std::hash<RandomId>{}(a) == std::hash<RandomId>{}(b));
}

TEST(RandomId, SmallerSizesComeFirstAndAreOtherValues) {
  const std::array<std::uint8_t, 2> zeros{};
  const std::array<std::uint8_t, 2> ones = {0xFF, 0xFF};
  EXPECT_LT(RandomId::from_bytes(ones, 15), RandomId::from_bytes(zeros, 16));
  EXPECT_NE(RandomId::from_bytes(zeros, 15), RandomId::from_bytes(zeros, 16));
}

TEST(RandomId, KeepsOnlyTheBitsItHas) {
  const std::array<std::uint8_t, 3> ones = {0xFF, 0xFF, 0xFF};
  EXPECT_EQ(vectors::hex_of(RandomId::from_bytes(ones, 1).bytes()), "80");
  EXPECT_EQ(vectors::hex_of(RandomId::from_bytes(ones, 12).bytes()), "fff0");
  EXPECT_EQ(RandomId::from_bytes(ones, 1).to_string(), "G1");
  EXPECT_EQ(RandomId::from_bytes(ones, 5).to_string(), "ZZ");
}

TEST(RandomIdDeathTest, EndsTheProcessRatherThanInventBits) {
  const std::array<std::uint8_t, 2> bytes{};
  FakeEntropy entropy;
  EXPECT_DEATH(RandomId::from_bytes(bytes, 0), "");
  EXPECT_DEATH(RandomId::from_bytes(bytes, 17), "");
  EXPECT_DEATH((void)RandomId::generate(0, entropy), "");
  EXPECT_DEATH((void)RandomId::generate(513, entropy), "");
}

RC_GTEST_PROP(RandomId, IsANumberUpTo64Bits, ()) {
  const unsigned bits = *any_from_to(1u, 64u);
  const std::uint64_t number = *any_u64() >> (64 - bits);
  const auto id = RandomId::from_number(number, bits);
  RC_ASSERT(id);
  RC_ASSERT(id->number() == number);
  RC_ASSERT(id->bits() == bits);
  RC_ASSERT(id->to_string().back() == kMod37Symbols[number % 37]);
}

TEST(RandomId, RefusesNumbersThatDoNotFit) {
  EXPECT_EQ(RandomId::from_number(1ull << 60, 60).error().code, Code::overflow);
  EXPECT_EQ(RandomId::from_number(0, 0).error().code, Code::invalid_length);
  EXPECT_EQ(RandomId::from_number(0, 65).error().code, Code::invalid_length);
  EXPECT_EQ(RandomId::from_number(~0ull, 64)->number(), ~0ull);
  EXPECT_EQ(RandomId::from_bytes(std::array<std::uint8_t, 9>{}, 65).number(), std::nullopt);
}

TEST(RandomId, HashesSpread) {
  std::mt19937_64 random(1);
  std::unordered_set<std::size_t> hashes;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    hashes.insert(std::hash<RandomId>{}(*RandomId::from_number(i, 60)));
    hashes.insert(std::hash<RandomId>{}(random_id(random, 512)));
  }
  EXPECT_EQ(hashes.size(), 40'000u);
}

// Other kinds.

TEST(Crockford, GivesUuidAndUlidACheckSymbolAndTakesItBack) {
  const auto uuid = *Uuid::parse("017F22E2-79B0-7CC3-98C4-DC0C0C07398F");
  EXPECT_EQ(crockford::text_of(uuid.bytes).view(), "05ZJ5RKSP1YC7664VG60R1SSHWX");
  EXPECT_EQ(*crockford::parse("05zj5-rksp1-yc766-4vg60-r1ssh-wx"), uuid.bytes);
  const auto ulid = *Ulid::parse("01FWHE4YDGFK1SHH6W1G60EECF");
  EXPECT_EQ(crockford::text_of(ulid.bytes), crockford::text_of(uuid.bytes));
  EXPECT_EQ(crockford::parse("01FWHE4YDGFK1SHH6W1G60EECF").error().code, Code::invalid_length);
}

RC_GTEST_PROP(Crockford, RoundTrips, ()) {
  const auto bytes = *any_bytes<16>();
  RC_ASSERT(*crockford::parse(crockford::text_of(bytes)) == bytes);
}

// Minting.

TEST(RandomId, IsMadeOfTheEntropyThatItIsGiven) {
  FakeEntropy entropy;
  entropy.byte = 0xFF;
  const auto id = *RandomId::generate(60, entropy);
  EXPECT_EQ(id.number(), (1ull << 60) - 1);
  EXPECT_EQ(entropy.bytes_given, 8u);
  EXPECT_EQ(vectors::hex_of(RandomId::generate(1, entropy)->bytes()), "80");
}

TEST(RandomId, FailsWithoutEntropyAndRecovers) {
  FakeEntropy entropy;
  entropy.failing_calls = 1;
  EXPECT_EQ(RandomId::generate(128, entropy).error(), MintError::no_entropy);
  EXPECT_TRUE(RandomId::generate(128, entropy));
}

TEST(RandomId, DrawsUntilTheCheckSymbolIsPlain) {
  FakeEntropy entropy;
  entropy.script = {{32}, {33}, {34}, {35}, {36}};  // * ~ $ = and U
  const auto id = *RandomId::generate(8, entropy, RandomId::Symbols::plain);
  EXPECT_EQ(id.to_string().back(), 'U');
  EXPECT_EQ(entropy.calls, 5u);

  SeededEntropy seeded(20260822);
  for (const unsigned bits : {1u, 6u, 60u, 64u, 120u, 128u, 512u}) {
    for (int i = 0; i < 2'000; ++i) {
      const std::string text =
          RandomId::generate(bits, seeded, RandomId::Symbols::plain)->to_string();
      ASSERT_EQ(text.find_first_of("*~$="), text.npos) << text;
    }
  }
}

TEST(RandomId, RefusesEntropyThatIsStuck) {
  FakeEntropy entropy;
  entropy.byte = 32;
  EXPECT_EQ(RandomId::generate(8, entropy, RandomId::Symbols::plain).error(),
            MintError::no_entropy);
  EXPECT_LE(entropy.calls, 64u);
}

TEST(RandomId, OfTheSystemIsRandomInEveryBit) {
  for (const unsigned bits : RandomId::kNamedBits) {
    std::set<RandomId> ids;
    std::vector<unsigned> set_count(bits);
    constexpr unsigned kCount = 2'000;
    for (unsigned i = 0; i < kCount; ++i) {
      const auto id = *RandomId::generate(bits);
      EXPECT_EQ(id.bits(), bits);
      ids.insert(id);
      for (unsigned bit = 0; bit < bits; ++bit) {
        set_count[bit] += id.bytes()[bit / 8] >> (7 - bit % 8) & 1u;
      }
    }
    EXPECT_EQ(ids.size(), kCount);
    for (const unsigned count : set_count) {  // ten standard deviations
      EXPECT_GT(count, kCount / 2 - 224);
      EXPECT_LT(count, kCount / 2 + 224);
    }
  }
}

// What the check finds, through parse() and so with the rule of the spare bits.

std::vector<unsigned> sizes_to_prove() {
  std::vector<unsigned> sizes = {1, 5, 12, 60, 63, 256, 512};
  for (unsigned size = 1; size <= 20; ++size) sizes.push_back(8 * size);
  return sizes;
}

TEST(RandomId, OneSymbolFindsEverySingleSubstitution) {
  std::mt19937_64 random(20260822);
  const std::string digits(detail::kCrockford);
  const std::string check_symbols(kMod37Symbols);
  for (const unsigned bits : sizes_to_prove()) {
    const std::size_t count = RandomId::text_size(bits, CheckCount::none);
    for (std::size_t at = 0; at <= count; ++at) {
      for (const char before : digits) {
        // Every digit there can be at that place, among random ones.
        std::string body = random_id(random, bits).to_string(CheckCount::none);
        if (at < count) body[at] = before;
        const auto id = RandomId::parse(body, bits, CheckCount::none);
        if (!id) continue;  // the last digit cannot be that one
        const std::string text = id->to_string();
        for (const char after : at < count ? digits : check_symbols) {
          std::string changed = text;
          changed[at] = after;
          ASSERT_EQ(static_cast<bool>(RandomId::parse(changed, bits)), changed == text)
              << text << ' ' << changed;
        }
      }
    }
  }
}

TEST(RandomId, OneSymbolFindsEverySwapCloserThan36) {
  std::mt19937_64 random(20260822);
  for (const unsigned bits : sizes_to_prove()) {
    const std::size_t count = RandomId::text_size(bits, CheckCount::none);
    for (int tries = 0; tries < 40; ++tries) {
      const std::string text = random_id(random, bits).to_string();
      for (std::size_t i = 0; i < count; ++i) {
        // Neighbours, and the digit beside the check symbol with it; else digits.
        for (std::size_t j = i + 1; j < count + (i + 1 == count ? 1u : 0u) && j < i + 36; ++j) {
          std::string changed = text;
          std::swap(changed[i], changed[j]);
          ASSERT_EQ(static_cast<bool>(RandomId::parse(changed, bits)), changed == text)
              << text << ' ' << changed;
        }
      }
    }
  }
}

// The arithmetic behind the two: what a digit weighs does not depend on the others, so that
// this covers every ID of every size.
TEST(RandomId, OneSymbolWeighsNoTwoNearDigitsAlike) {
  for (unsigned bits = 1; bits <= RandomId::kBitsMax; ++bits) {
    const std::size_t count = RandomId::text_size(bits, CheckCount::none);
    // Of the lowest bit of each digit that is not spare, from the end.
    std::vector<unsigned> weights(count);
    const std::size_t spare = 5 * count - bits;
    for (std::size_t k = 0; k < count; ++k) {
      std::array<std::uint8_t, RandomId::kSizeMax> bytes{};
      const std::size_t bit = bits - 1 - (k == 0 ? 0 : 5 * k - spare);
      bytes[bit / 8] = static_cast<std::uint8_t>(0x80 >> bit % 8);
      weights[k] = mod37(RandomId::from_bytes(bytes, bits).bytes(), bits);
      // A change by -31 to 31, but not 0, is none of 37 then.
      ASSERT_NE(weights[k], 0u);
    }
    // The last digit as if its spare bits counted.
    for (std::size_t i = 0; i < spare; ++i) weights[0] = weights[0] * 19 % 37;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        ASSERT_EQ(weights[i] == weights[j], (j - i) % 36 == 0) << bits << ' ' << i << ' ' << j;
      }
      // Swapped with the check symbol: seen unless the digit weighs -1.
      ASSERT_EQ(weights[i] == 36, (5 * i + 36 - spare) % 36 == 18) << bits << ' ' << i;
    }
    ASSERT_NE(weights[0], 36u) << "the neighbour of the check symbol";
  }
}

// Which digit may be swapped with the check symbol unseen, as the document says: by size,
// how far it is from the check symbol; 0 is none.
TEST(RandomId, OneSymbolIsBlindToOneDistanceFromItself) {
  std::mt19937_64 random(20260822);
  const struct {
    unsigned bits;
    std::size_t distance;
  } cases[] = {{60, 0}, {64, 12}, {80, 0}, {120, 19}, {128, 5}};
  for (const auto& c : cases) {
    std::set<std::size_t> blind;
    for (int tries = 0; tries < 2'000; ++tries) {
      const std::string text = random_id(random, c.bits).to_string();
      for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        std::string changed = text;
        std::swap(changed[at], changed.back());
        if (changed != text && RandomId::parse(changed, c.bits)) {
          blind.insert(text.size() - 1 - at);
        }
      }
    }
    EXPECT_EQ(blind, c.distance == 0 ? std::set<std::size_t>{} : std::set{c.distance}) << c.bits;
  }
}

// As many wrong characters as there are check symbols, anywhere in a text of up to 33.
RC_GTEST_PROP(RandomId, TwoAndThreeSymbolsFindAsManyWrongCharacters, ()) {
  const auto check = *rc::gen::element(CheckCount::two, CheckCount::three);
  const auto wrong = static_cast<std::size_t>(check);
  const unsigned bits = *any_from_to(1u, 150u);
  const auto id = RandomId::from_bytes(*any_bytes<RandomId::kSizeMax>(), bits);
  const std::string text = id.to_string(check);
  std::string changed = text;
  for (std::size_t i = 0; i < wrong; ++i) {
    changed[*any_from_to<std::size_t>(0, text.size() - 1)] =
        detail::kCrockford[*any_from_to<std::size_t>(0, 31)];
  }
  RC_ASSERT(static_cast<bool>(RandomId::parse(changed, bits, check)) == (changed == text));
}

// Suggestions.

TEST(RandomId, SuggestsWhatWasMeantAfterASwap) {
  std::mt19937_64 random(20260822);
  for (const CheckCount check : {CheckCount::one, CheckCount::two, CheckCount::three}) {
    for (int tries = 0; tries < 50; ++tries) {
      const std::string meant = random_id(random, 128).to_string(check);
      std::string typed = meant;
      const std::size_t at = random() % (typed.size() - 1);
      std::swap(typed[at], typed[at + 1]);
      if (typed == meant) continue;
      const auto texts = RandomId::suggest(typed, check);
      EXPECT_NE(std::ranges::find(texts, meant), texts.end()) << meant << ' ' << typed;
      EXPECT_LE(texts.size(), 8u);
      for (const auto& text : texts) EXPECT_TRUE(RandomId::parse_strict(text, check)) << text;
    }
  }
}

TEST(RandomId, SuggestsTheOneRightCharacterWithTwoOrThreeSymbols) {
  std::mt19937_64 random(20260822);
  for (int tries = 0; tries < 50; ++tries) {
    const std::string meant = random_id(random, 128).to_string(CheckCount::three);
    std::string typed = meant;
    typed[random() % typed.size()] = detail::kCrockford[random() % 32];
    if (typed == meant) continue;
    EXPECT_EQ(RandomId::suggest(typed, CheckCount::three), std::vector{meant});
  }
}

TEST(RandomId, SuggestsLookAlikesFirst) {
  std::mt19937_64 random(20260822);
  int mistyped_count = 0;
  for (int tries = 0; tries < 100; ++tries) {
    const std::string meant = random_id(random, 120).to_string();
    for (const std::string_view pair : {"5S", "Z2", "8B", "G6", "0D", "VY", "1T"}) {
      const std::size_t at = meant.find(pair[0]);
      if (at >= 24) continue;
      std::string typed = meant;
      typed[at] = pair[1];
      const auto texts = RandomId::suggest(typed);
      EXPECT_NE(std::ranges::find(texts, meant), texts.end()) << meant << ' ' << typed;
      ++mistyped_count;
    }
  }
  EXPECT_GT(mistyped_count, 200);
}

TEST(RandomId, SuggestsNothingForGoodOrHopelessText) {
  EXPECT_TRUE(RandomId::suggest("KFV1B65P8Q3CMC").empty());
  EXPECT_TRUE(RandomId::suggest("").empty());
  EXPECT_TRUE(RandomId::suggest("KFV1B65P8Q3CM").empty());
  EXPECT_TRUE(RandomId::suggest("K!V?B65P8Q3CMC").empty());
  EXPECT_TRUE(RandomId::suggest(std::string(1'000, '0')).empty());
  EXPECT_TRUE(RandomId::suggest("KFV1B65P8Q3C", CheckCount::none).empty());
  EXPECT_TRUE(RandomId::suggest("KFV1B65P8Q3CMC", 600).empty());
}

TEST(RandomId, SuggestsInPlaceOfACharacterThatCannotBe) {
  // The check is 0, typed as the letter.
  EXPECT_EQ(RandomId::suggest("T1PCZP49N69R088MO"), std::vector<std::string>{"T1PCZP49N69R088M0"});
  // U looks like V.
  const auto texts = RandomId::suggest("kfu1-b65p-8q3c-mc");
  ASSERT_FALSE(texts.empty());
  EXPECT_EQ(texts.front(), "KFV1B65P8Q3CMC");
}

TEST(RandomId, IsPrintedByStreams) {
  std::ostringstream out;
  out << *RandomId::parse("kfv1b65p8q3cmc");
  EXPECT_EQ(out.str(), "KFV1B65P8Q3CMC");
}

}  // namespace
}  // namespace tessera
