// What a Ulid promises: text and bytes are two spellings of one value and sort alike, by
// time; bad text is refused with the place where it goes wrong; what people type is read,
// but only when asked for. generator_test.cpp has what is promised about making them.

#include "tessera/ulid.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <type_traits>
#include <unordered_set>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using Code = ParseError::Code;
using namespace literals;

static_assert(sizeof(Ulid) == 16);
static_assert(std::is_trivially_copyable_v<Ulid> && std::is_standard_layout_v<Ulid>);
static_assert(HasText<Ulid> && !std::is_convertible_v<std::string, Ulid>);
static_assert(noexcept(Ulid::parse("")) && noexcept(Ulid::parse_friendly("")));

// Everything but generate() works in a constant expression.
static_assert("01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid.text().view() == "01ARZ3NDEKTSV4RRFFQ69G5FAV");
static_assert("01arz3ndektsv4rrffq69g5fav"_ulid == "01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid);
static_assert("01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid.time_ms() == 1'469'922'850'259);
static_assert("01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid < "01ARZ3NDEKTSV4RRFFQ69G5FAW"_ulid);
static_assert(Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FA") ==
              Failure{ParseError{Code::invalid_length, 25}});
static_assert(Ulid::parse_friendly("O1ARZ-3NDEK-TSV4R-RFFQ6-9G5FA-V") ==
              "01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid);
static_assert(Ulid::smallest(1).text().view() == "00000000010000000000000000");
static_assert(Ulid::largest(Ulid::kTimeMsMax) == "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"_ulid);

struct BadText {
  const char* name;
  std::string text;
  ParseError error;
};

TEST(Ulid, RefusesBadTextAndSaysWhere) {
  const BadText cases[] = {
      {"empty", "", {Code::invalid_length, 0}},
      {"one short", std::string(25, '0'), {Code::invalid_length, 25}},
      {"one long", std::string(27, '0'), {Code::invalid_length, 27}},
      {"wrong length and wrong characters", "!!", {Code::invalid_length, 2}},
      {"look-alike letter", "01ARYZ6S41TSV4RRFFQ69G5FOV", {Code::invalid_character, 24}},
      {"first of two", "01ARYZ6S41TSU4RRFFQ69G5FOV", {Code::invalid_character, 12}},
      {"at the seam of the words", "01ARYZ6S41TSVURRFFQ69G5FAV", {Code::invalid_character, 13}},
      {"at the end", "01ARYZ6S41TSV4RRFFQ69G5FAU", {Code::invalid_character, 25}},
      {"NUL inside",
       std::string(13, '0') + '\0' + std::string(12, '0'),
       {Code::invalid_character, 13}},
      {"high bit set", "\xFF" + std::string(25, '0'), {Code::invalid_character, 0}},
      {"2^128", "8" + std::string(25, '0'), {Code::overflow, 0}},
      {"all Z", std::string(26, 'Z'), {Code::overflow, 0}},
      {"too large before a wrong character", "8" + std::string(24, '0') + "U", {Code::overflow, 0}},
      {"hyphen", "01ARZ3NDEK-SV4RRFFQ69G5FAV", {Code::invalid_character, 10}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto id = Ulid::parse(c.text);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
}

TEST(Ulid, FriendlyReadingPointsIntoTheTextThatWasTyped) {
  const BadText cases[] = {
      {"empty", "", {Code::invalid_length, 0}},
      {"only hyphens", "----", {Code::invalid_length, 4}},
      {"one digit short", "01ARZ3-NDEKTSV4RRFFQ69G5FA", {Code::invalid_length, 26}},
      {"one digit long", "01ARZ3NDEKTSV4RRFFQ69G5FAV-0", {Code::invalid_length, 28}},
      {"U behind hyphens", "01-ARZ3NDEKTS-V4RRFFQ69G5FAU", {Code::invalid_character, 27}},
      {"blank", "01ARZ3NDEK TSV4RRFFQ69G5FA", {Code::invalid_character, 10}},
      {"too large behind a hyphen", "-8" + std::string(25, 'o'), {Code::overflow, 1}},
      {"65 characters", std::string(39, '-') + std::string(26, '0'), {Code::invalid_length, 65}},
      {"a megabyte", std::string(1 << 20, '-'), {Code::invalid_length, 1 << 20}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto id = Ulid::parse_friendly(c.text);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
  EXPECT_EQ(*Ulid::parse_friendly(std::string(38, '-') + std::string(26, 'O')), Ulid{});
}

TEST(Ulid, ReadsTheExtremes) {
  EXPECT_EQ(*Ulid::parse("00000000000000000000000000"), Ulid{});
  EXPECT_EQ(Ulid{}.time_ms(), 0u);
  EXPECT_EQ(Ulid::parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ")->time_ms(), Ulid::kTimeMsMax);
}

TEST(Ulid, AgreesWithTheReferenceImplementation) {
  for (const auto& row : vectors::read_table("oracle-ulid.tsv")) {
    SCOPED_TRACE(row.where());
    const Ulid id{vectors::array_of_hex<16>(row["hex"])};
    EXPECT_EQ(id.to_string(), row["ulid"]);
    EXPECT_EQ(Ulid::parse(row["ulid"]), id);
    EXPECT_EQ(vectors::array_of_hex<16>(row["uuid"]), id.bytes);
    EXPECT_EQ(id.time_ms(), vectors::number(row["unix_ms"]));
    EXPECT_EQ(id.time_ms(), vectors::number(row["ulid_decodeTime"]));
    // The same bytes padded on the right are another text, which is no ULID of these bytes.
    const auto other = Ulid::parse(row["NOT_ulid_base32_encode_right_padded"]);
    EXPECT_TRUE(!other || *other != id || id == Ulid{});
  }
}

TEST(Ulid, ReadsWhatOtherImplementationsWrite) {
  for (const auto& row : vectors::read_table("ulid/valid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto id = Ulid::parse(row["ulid"]);
    ASSERT_TRUE(id);
    EXPECT_EQ(id->bytes, vectors::array_of_hex<16>(row["uuid_hex"]));
    EXPECT_EQ(id->time_ms(), vectors::number(row["unix_ms"]));
    EXPECT_EQ(id->to_string(), row["ulid"]);
  }
}

TEST(Ulid, RefusesWhatOtherImplementationsRefuse) {
  for (const auto& row : vectors::read_table("ulid/invalid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto id = Ulid::parse(row["text"]);
    ASSERT_FALSE(id) << row["why"];
    const Code code = row["why"].find("overflow") == 0 ? Code::overflow
                      : row["why"].find("characters") != std::string::npos
                          ? Code::invalid_length
                          : Code::invalid_character;
    EXPECT_EQ(id.error().code, code) << row["why"];
  }
}

TEST(Ulid, ReadsLookAlikesAndHyphensOnlyWhenAskedTo) {
  for (const auto& row : vectors::read_table("ulid/lenient.tsv")) {
    SCOPED_TRACE(row.where());
    EXPECT_FALSE(Ulid::parse(row["text"]));
    const auto id = Ulid::parse_friendly(row["text"]);
    ASSERT_TRUE(id);
    EXPECT_EQ(id->to_string(), row["canonical"]);
  }
}

TEST(Ulid, KnowsTheSmallestAndTheLargestOfAMillisecond) {
  for (const auto& row : vectors::read_table("oracle-ulid-range.tsv")) {
    SCOPED_TRACE(row.where());
    const std::uint64_t time_ms = vectors::number(row["unix_ms"]);
    EXPECT_EQ(Ulid::smallest(time_ms).to_string(), row["min_ulid"]);
    EXPECT_EQ(Ulid::largest(time_ms).to_string(), row["max_ulid"]);
    EXPECT_EQ(Ulid::smallest(time_ms).time_ms(), time_ms);
    EXPECT_EQ(Ulid::largest(time_ms).time_ms(), time_ms);
    EXPECT_EQ(row["min_ulid"].substr(0, 10), row["time_part"]);
  }
}

TEST(Ulid, PrintsItsText) {
  std::ostringstream out;
  out << "01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid << ' ' << Ulid{}.text();
  EXPECT_EQ(out.str(), "01ARZ3NDEKTSV4RRFFQ69G5FAV 00000000000000000000000000");
}

TEST(Ulid, HashesNeighboursApart) {
  // Those of one generator differ in few bits; those of one millisecond share 48.
  std::unordered_set<std::size_t> hashes;
  std::unordered_set<Ulid> ids;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const Ulid id{detail::store_pair({std::uint64_t{1} << 40 | i / 100, i % 100})};
    ids.insert(id);
    hashes.insert(std::hash<Ulid>{}(id));
  }
  EXPECT_EQ(ids.size(), 10'000u);
  EXPECT_EQ(hashes.size(), 10'000u);
}

RC_GTEST_PROP(Ulid, TextRoundTripsInEitherCase, (const Ulid& id)) { check_round_trip(id, true); }
RC_GTEST_PROP(Ulid, ValuesBytesAndTextsSortAlike, ()) { check_order<Ulid>(); }
RC_GTEST_PROP(Ulid, HasOneTextPerValueButForCase, (const Ulid& id)) { check_one_text(id); }

RC_GTEST_PROP(Ulid, LiesBetweenTheSmallestAndTheLargestOfItsMillisecond, (const Ulid& id)) {
  RC_ASSERT(Ulid::smallest(id.time_ms()) <= id);
  RC_ASSERT(id <= Ulid::largest(id.time_ms()));
}

RC_GTEST_PROP(Ulid, FriendlyReadingFindsTheValueBehindWhatPeopleType, (const Ulid& id)) {
  const std::string text = id.to_string();
  RC_ASSERT(Ulid::parse_friendly(text) == Ulid::parse(text));

  std::string typed;
  bool strict = true;
  for (const char c : text) {
    const int hyphens = *rc::gen::weightedElement<int>({{8, 0}, {1, 1}, {1, 2}});
    if (typed.size() + 27 < 64) typed.append(static_cast<std::size_t>(hyphens), '-');
    if (c == '1') {
      typed += *rc::gen::element('1', 'I', 'i', 'L', 'l');
    } else if (c == '0') {
      typed += *rc::gen::element('0', 'O', 'o');
    } else {
      typed += *rc::gen::arbitrary<bool>() && c >= 'A' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  for (const char c : typed)
    strict = strict && std::string_view("-IiLlOo").find(c) == std::string_view::npos;
  RC_ASSERT(Ulid::parse_friendly(typed) == id);
  RC_ASSERT(static_cast<bool>(Ulid::parse(typed)) == strict);
}

RC_GTEST_PROP(Ulid, FriendlyReadingStillRefusesForeignCharacters, (const Ulid& id)) {
  std::string text = id.to_string();
  const auto at = *any_from_to(std::size_t{0}, text.size() - 1);
  const char c = *any_char();
  RC_PRE(
      std::string_view("0123456789ABCDEFGHIJKLMNOPQRSTVWXYZabcdefghijklmnopqrstvwxyz-").find(c) ==
      std::string_view::npos);
  text[at] = c;
  RC_ASSERT(Ulid::parse_friendly(text).error() ==
            (ParseError{Code::invalid_character, static_cast<std::uint32_t>(at)}));
}

}  // namespace
}  // namespace tessera
