// What a Ksuid promises: 27 digits of base62 and 20 bytes are one value and sort alike, by the
// second; what does not fit in 160 bits is refused, and so is every foreign character.

#include "tessera/ksuid.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <unordered_set>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

static_assert(sizeof(Ksuid) == 20);
static_assert(std::is_trivially_copyable_v<Ksuid> && std::is_standard_layout_v<Ksuid>);
static_assert(HasText<Ksuid>&& noexcept(Ksuid::parse("")));
static_assert(Ksuid{}.text().view() == "000000000000000000000000000");
static_assert(Ksuid::largest(Ksuid::kTimeSMax).text().view() == "aWgEPTl1tmebfsQzFP4bxwgy80V");
static_assert(Ksuid::parse("aWgEPTl1tmebfsQzFP4bxwgy80V") == Ksuid::largest(Ksuid::kTimeSMax));
static_assert(Ksuid::parse("aWgEPTl1tmebfsQzFP4bxwgy80W") ==
              Failure{ParseError{Code::overflow, 0}});

TEST(Ksuid, AgreesWithTheReferenceImplementation) {
  for (const auto& row : vectors::read_table("oracle-ksuid.tsv")) {
    SCOPED_TRACE(row.where());
    const Ksuid id{vectors::array_of_hex<20>(row["raw_hex"])};
    EXPECT_EQ(id.to_string(), row["ksuid"]);
    EXPECT_EQ(Ksuid::parse(row["ksuid"]), id);
    EXPECT_EQ(id.time_s(), vectors::number(row["unix_s"]));
    EXPECT_EQ(id.time_ms(), vectors::number(row["unix_s"]) * 1000);
    EXPECT_EQ(Ksuid::from_parts(id.time_s(), vectors::array_of_hex<16>(row["payload_hex"])), id);
  }
}

TEST(Ksuid, AgreesWithTheSamplesOfItsMakers) {
  for (const auto& row : vectors::read_table("ksuid/segmentio-readme.tsv")) {
    SCOPED_TRACE(row.where());
    const auto id = Ksuid::parse(row["ksuid"]);
    if (row["raw_hex"].starts_with("INVALID")) {
      EXPECT_EQ(id, refusal(Code::overflow, 0));
      continue;
    }
    ASSERT_TRUE(id);
    EXPECT_EQ(id->bytes, vectors::array_of_hex<20>(row["raw_hex"]));
    EXPECT_EQ(id->time_s(), Ksuid::kEpochS + vectors::number(row["timestamp_field"]));
    EXPECT_EQ(vectors::hex_of(std::span(id->bytes).subspan(4)),
              vectors::hex_of(vectors::array_of_hex<16>(row["payload_hex"])));
    EXPECT_EQ(id->to_string(), row["ksuid"]);
  }
}

TEST(Ksuid, AgreesWithAnotherImplementation) {
  for (const auto& row : vectors::read_table("ksuid/python-ksuid.tsv")) {
    SCOPED_TRACE(row.where());
    const Ksuid id = Ksuid::from_parts(vectors::number(row["unix_s"]),
                                       vectors::array_of_hex<16>(row["payload_hex"]));
    EXPECT_EQ(id.to_string(), row["ksuid"]);
    EXPECT_EQ(Ksuid::parse(row["ksuid"]), id);
  }
}

TEST(Ksuid, RefusesBadTextAndSaysWhere) {
  const struct {
    const char* name;
    std::string text;
    ParseError error;
  } cases[] = {
      {"empty", "", {Code::invalid_length, 0}},
      {"one short", std::string(26, '0'), {Code::invalid_length, 26}},
      {"one long", std::string(28, '0'), {Code::invalid_length, 28}},
      {"2^160", "aWgEPTl1tmebfsQzFP4bxwgy80W", {Code::overflow, 0}},
      {"a carry out of the first digits", "b" + std::string(26, '0'), {Code::overflow, 0}},
      {"all z", std::string(27, 'z'), {Code::overflow, 0}},
      {"too large and a wrong character",
       std::string(26, 'z') + "-",
       {Code::invalid_character, 26}},
      {"hyphen", "0ujtsYcgvSTl8PAuAdqWYSMnLO-", {Code::invalid_character, 26}},
      {"first of two", "0!jtsYcgvSTl8PAuAdqWYSMnLO-", {Code::invalid_character, 1}},
      {"just under 0", "/ujtsYcgvSTl8PAuAdqWYSMnLOv", {Code::invalid_character, 0}},
      {"just above z", "0ujtsYcgvSTl8PAuAdqWYSMnLO{", {Code::invalid_character, 26}},
      {"high byte", "0ujtsYcgvSTl8\xC3\x84uAdqWYSMnLOv", {Code::invalid_character, 13}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(Ksuid::parse(c.text), Failure{c.error});
  }
}

TEST(Ksuid, KnowsTheSmallestAndTheLargestOfASecond) {
  for (const std::uint64_t time_s :
       {Ksuid::kEpochS, Ksuid::kEpochS + 107'608'047, Ksuid::kTimeSMax}) {
    EXPECT_EQ(Ksuid::smallest(time_s).time_s(), time_s);
    EXPECT_EQ(Ksuid::largest(time_s).time_s(), time_s);
    EXPECT_EQ(vectors::hex_of(Ksuid::smallest(time_s).bytes).substr(8), std::string(32, '0'));
    EXPECT_EQ(vectors::hex_of(Ksuid::largest(time_s).bytes).substr(8), std::string(32, 'f'));
  }
}

TEST(Ksuid, HashesNeighboursApart) {
  std::unordered_set<std::size_t> hashes;
  for (std::uint8_t i = 0; i < 100; ++i) {
    for (std::uint8_t j = 0; j < 100; ++j) {
      Ksuid id;
      id.bytes[7] = i;
      id.bytes[19] = j;
      hashes.insert(std::hash<Ksuid>{}(id));
    }
  }
  EXPECT_EQ(hashes.size(), 10'000u);
}

RC_GTEST_PROP(Ksuid, TextRoundTrips, (const Ksuid& id)) { check_round_trip(id, false); }
RC_GTEST_PROP(Ksuid, ValuesBytesAndTextsSortAlike, ()) { check_order<Ksuid>(); }

RC_GTEST_PROP(Ksuid, HasOneTextPerValue, (const Ksuid& id)) {
  // Here the case of a letter is part of the value, so every change gives another one.
  const std::string text = id.to_string();
  const auto at = *any_from_to(std::size_t{0}, text.size() - 1);
  for (int c = 0; c < 256; ++c) {
    std::string changed = text;
    changed[at] = static_cast<char>(c);
    if (changed != text) RC_ASSERT(Ksuid::parse(changed) != id);
  }
}

RC_GTEST_PROP(Ksuid, EveryTextAboveTheLargestIsRefused, ()) {
  const std::string largest = Ksuid::largest(Ksuid::kTimeSMax).to_string();
  std::string text;
  for (std::size_t i = 0; i < Ksuid::kTextSize; ++i) {
    // Near the top as often as not.
    const char any = *rc::gen::elementOf(std::string(detail::kBase62));
    text += *rc::gen::arbitrary<bool>() ? largest[i] : any;
  }
  const auto id = Ksuid::parse(text);
  RC_ASSERT(static_cast<bool>(id) == (text <= largest));
  if (id) RC_ASSERT(id->to_string() == text);
}

}  // namespace
}  // namespace tessera
