// What the functions that go by name promise: the answers of the program and of the C++ types, for
// every kind; an answer that does not depend on the clock where none is given; and a refusal for
// what has no answer.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/vectors.h"
#include "tessera/c.h"
#include "tessera/inspect.h"
#include "tessera/ksuid.h"
#include "tessera/odds.h"
#include "tessera/public_id.h"
#include "tessera/range.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"
#include "tessera/verdict.h"

namespace tessera {
namespace {

constexpr std::uint64_t kNowMs = 1'790'000'000'000;
constexpr std::string_view kUlid = "01ARYZ6S41TSV4RRFFQ69G5FAV";

int check(std::string_view what, std::string_view text, int flags = 0,
          std::uint32_t* at = nullptr) {
  return tessera_check(what.data(), what.size(), flags, text.data(), text.size(), at);
}

// The text, or the name of the code in brackets.
std::string convert(std::string_view from, std::string_view to, std::string_view text) {
  std::array<char, TESSERA_TEXT_SIZE_MAX> out;
  std::size_t size = 0;
  const int code = tessera_convert(from.data(), from.size(), to.data(), to.size(), text.data(),
                                   text.size(), kNowMs, out.data(), out.size(), &size, nullptr);
  if (code != TESSERA_OK) return "(" + std::string(tessera_error_name(code)) + ")";
  return {out.data(), size};
}

std::string make(std::string_view what) {
  std::array<char, TESSERA_TEXT_SIZE_MAX> out;
  std::size_t size = 0;
  const int code = tessera_new(what.data(), what.size(), out.data(), out.size(), &size);
  if (code != TESSERA_OK) return "(" + std::string(tessera_error_name(code)) + ")";
  return {out.data(), size};
}

std::string time_of(std::string_view what, std::string_view text) {
  std::int64_t time_ms = -1;
  const int code =
      tessera_time_ms(what.data(), what.size(), text.data(), text.size(), &time_ms, nullptr);
  if (code == TESSERA_OK) return std::to_string(time_ms);
  EXPECT_EQ(time_ms, -1) << "written although refused";
  return "(" + std::string(tessera_error_name(code)) + ")";
}

std::string range(std::string_view what, std::uint64_t from_ms, std::uint64_t to_ms) {
  std::array<char, TESSERA_TEXT_SIZE_MAX> smallest;
  std::array<char, TESSERA_TEXT_SIZE_MAX> largest;
  std::size_t size = 0;
  const int code = tessera_range(what.data(), what.size(), from_ms, to_ms, smallest.data(),
                                 largest.data(), &size);
  if (code != TESSERA_OK) return "(" + std::string(tessera_error_name(code)) + ")";
  return std::string(smallest.data(), size) + " " + std::string(largest.data(), size);
}

std::string checksum(std::string_view text, unsigned bits = 0, unsigned count = 1) {
  std::array<char, 3> out{'.', '.', '.'};
  const int code = tessera_checksum(text.data(), text.size(), bits, count, out.data(), nullptr);
  if (code != TESSERA_OK) return "(" + std::string(tessera_error_name(code)) + ")";
  const std::string symbols(out.data(), out.size());
  return symbols.substr(0, symbols.find('.'));
}

std::string inspect_json(std::string_view text, std::string_view as = {}) {
  std::vector<char> out(1 << 20);
  std::size_t size = 0;
  const int code = tessera_inspect(as.data(), as.size(), text.data(), text.size(), kNowMs,
                                   out.data(), out.size(), &size);
  if (code != TESSERA_OK) return "(" + std::string(tessera_error_name(code)) + ")";
  return {out.data(), size};
}

TEST(CByName, MakesEveryKindThatNeedsNoMoreThanItsName) {
  for (const std::string_view what :
       {"ulid", "uuid", "uuidv1", "uuid4", "uuid-v6", "uuidv7", "uuidv8", "objectid", "ksuid",
        "random", "typeid", "ord", "ord:typeid", "ord:base36", "ord:checked", "ulid:ulid"}) {
    SCOPED_TRACE(what);
    const std::string first = make(what);
    EXPECT_EQ(check(what, first, TESSERA_STRICT), TESSERA_OK) << first;
    EXPECT_NE(make(what), first);
  }
  EXPECT_TRUE(make("ulid:ulid").starts_with("ulid_"));
  for (const std::string_view what :
       {"", "uuidv3", "uuidv5", "snowflake", "short", "long", "public", "uuidv9", "Ord",
        "ord:", "ord:no", ":ulid", "or d", "ord_"}) {
    EXPECT_EQ(make(what), "(bad_argument)") << what;
  }
}

TEST(CByName, ChecksAsTheProgramDoes) {
  std::size_t rows = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    SCOPED_TRACE(row.where());
    for (const bool strict : {false, true}) {
      for (const std::string_view as : {"ulid", "uuid", "uuidv7", "objectid", "ksuid", "snowflake",
                                        "random", "public", "typeid", "name"}) {
        Question question;
        question.ask_for(as);
        question.strict = strict;
        const Verdict verdict = judge(question, row["input"]);
        std::uint32_t offset = 999'999;
        const int code = check(as, row["input"], strict ? TESSERA_STRICT : 0, &offset);
        EXPECT_EQ(code == TESSERA_OK ? "valid" : tessera_error_name(code), verdict.code) << as;
        EXPECT_EQ(offset, verdict.offset.value_or(999'999)) << as;
        ++rows;
      }
      ResourceType type;
      type.prefix = "ord";
      for (const PublicStyle style :
           {PublicStyle::ulid, PublicStyle::type_id, PublicStyle::base36, PublicStyle::checked}) {
        type.style = style;
        const Question question{
            .as = "public", .strict = strict, .type = &type, .now_ms = UINT64_MAX};
        const auto answer = tessera::check(question, row["input"]);
        EXPECT_EQ(
            check("ord:" + std::string(name_of(style)), row["input"], strict ? TESSERA_STRICT : 0),
            answer ? TESSERA_OK : 1 + static_cast<int>(answer.error().code))
            << name_of(style) << strict;
      }
    }
  }
  EXPECT_GT(rows, 1000u);
}

TEST(CByName, ChecksTheStyleAndThePrefix) {
  const std::string id = "ord_" + std::string(kUlid);
  EXPECT_EQ(check("ord", id), TESSERA_OK);
  EXPECT_EQ(check("usr", id), TESSERA_PREFIX_MISMATCH);
  EXPECT_EQ(check("ord:checked", id), TESSERA_INVALID_LENGTH);
  EXPECT_EQ(check("ord", "ORD_01aryz6s41-tsv4rrffq69g5fav"), TESSERA_OK);
  EXPECT_EQ(check("ord", "ORD_01ARYZ6S41TSV4RRFFQ69G5FAV", TESSERA_STRICT), TESSERA_INVALID_PREFIX);
  EXPECT_EQ(check("ord", "ord_01aryz6s41-tsv4rrffq69g5fav", TESSERA_STRICT),
            TESSERA_INVALID_LENGTH);
  // A time in the year 10889: no clock is asked.
  EXPECT_EQ(check("ord", "ord_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"), TESSERA_OK);
  EXPECT_EQ(check("ulid", kUlid, 2), TESSERA_BAD_ARGUMENT);
  EXPECT_EQ(check("", kUlid), TESSERA_BAD_ARGUMENT);
}

TEST(CByName, ChecksAnythingByWhatItLooksLike) {
  const auto any = [](std::string_view text) {
    return tessera_check_any(text.data(), text.size(), kNowMs);
  };
  EXPECT_EQ(any(kUlid), TESSERA_OK);
  EXPECT_EQ(any("hello"), TESSERA_UNKNOWN);
  EXPECT_EQ(any(""), TESSERA_UNKNOWN);
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    SCOPED_TRACE(row.where());
    const Verdict verdict = judge(Question{.now_ms = kNowMs}, row["input"]);
    const int code = any(row["input"]);
    EXPECT_EQ(code == TESSERA_OK ? "valid" : tessera_error_name(code), verdict.code);
  }
}

TEST(CByName, TellsTheTimeOfEveryKind) {
  for (const auto& row : vectors::read_table("oracle-ulid.tsv")) {
    SCOPED_TRACE(row.where());
    EXPECT_EQ(time_of("ulid", row["ulid"]), row["unix_ms"]);
    EXPECT_EQ(time_of("", row["ulid"]), row["unix_ms"]);
    EXPECT_EQ(time_of("ord", "ord_" + row["ulid"]), row["unix_ms"]);
    EXPECT_EQ(time_of("", "ord_" + row["ulid"]), row["unix_ms"]);
    EXPECT_EQ(time_of("usr", "ord_" + row["ulid"]), "(prefix_mismatch)");
  }
  for (const auto& row : vectors::read_table("oracle-ksuid.tsv")) {
    EXPECT_EQ(time_of("ksuid", row["ksuid"]), row["unix_s"] + "000");
    EXPECT_EQ(time_of("", row["ksuid"]), row["unix_s"] + "000");
  }
  for (const auto& row : vectors::read_table("oracle-objectid.tsv")) {
    const std::string expected = std::to_string(vectors::number(row["unix_s"]) * 1000);
    EXPECT_EQ(time_of("objectid", row["hex"]), expected);
    EXPECT_EQ(time_of("", row["hex"]), expected);
  }
  for (const auto& row : vectors::read_table("oracle-snowflake.tsv")) {
    if (find_snowflake_layout(row["layout"]) == nullptr) continue;
    EXPECT_EQ(time_of("snowflake-" + row["layout"], row["id"]), row["unix_ms"]);
  }
  EXPECT_EQ(time_of("uuidv7", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), "1645557742000");
  EXPECT_EQ(time_of("", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), "1645557742000");
  EXPECT_EQ(time_of("uuidv4", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), "(invalid_version)");
  EXPECT_EQ(time_of("uuid", "017f22e2-79b0-2cc3-98c4-dc0c0c07398f"), "79751961773491");
  EXPECT_EQ(time_of("uuid", "919108f7-52d1-4320-9bac-f847db4148a8"), "(no_time)");
  EXPECT_EQ(time_of("typeid", "user_01h455vb4pex5vsknk084sn02q"), "1688096058518");
  EXPECT_EQ(time_of("random", "AHM6A83HENMPS"), "(no_time)");
  EXPECT_EQ(time_of("", "AHM6A83HENMPS"), "(unknown)");
  EXPECT_EQ(time_of("no such kind", kUlid), "(bad_argument)");
  EXPECT_EQ(time_of("ulid", "01"), "(invalid_length)");
}

TEST(CByName, TellsTheBoundsOfASpan) {
  for (const auto& row : vectors::read_table("oracle-ulid-range.tsv")) {
    SCOPED_TRACE(row.where());
    const std::uint64_t ms = vectors::number(row["unix_ms"]);
    EXPECT_EQ(range("ulid", ms, ms + 1), row["min_ulid"] + " " + row["max_ulid"]);
    EXPECT_EQ(range("ord", ms, ms + 1), "ord_" + row["min_ulid"] + " ord_" + row["max_ulid"]);
  }
  const auto v7 = uuidv7_range(1000, 2000);
  const auto v6 = uuidv6_range(1000, 2000);
  EXPECT_EQ(range("uuidv7", 1000, 2000), v7->smallest.to_string() + " " + v7->largest.to_string());
  EXPECT_EQ(range("uuid", 1000, 2000), range("uuid7", 1000, 2000));
  EXPECT_EQ(range("uuidv6", 1000, 2000), v6->smallest.to_string() + " " + v6->largest.to_string());
  EXPECT_EQ(range("objectid", 1000, 2000), "000000010000000000000000 00000001ffffffffffffffff");
  EXPECT_EQ(range("ksuid", 1'400'000'000'000, 1'400'000'000'001),
            ksuid_range(1'400'000'000'000, 1'400'000'000'001)->smallest.to_string() + " " +
                ksuid_range(1'400'000'000'000, 1'400'000'000'001)->largest.to_string());
  EXPECT_EQ(range("snowflake", 1'288'834'974'657, 1'288'834'974'659), "0000000 8388607");
  EXPECT_EQ(range("ord:base36", 0, 1).substr(0, 4), "ord_");
  EXPECT_EQ(range("ord:checked", 0, 1), "(no_time)");
  EXPECT_EQ(range("uuidv4", 0, 1), "(no_time)");
  EXPECT_EQ(range("public", 0, 1), "(bad_argument)");
  EXPECT_EQ(range("ulid", 1, 1), "(out_of_range)");
  EXPECT_EQ(range("ulid", 0, UINT64_MAX), "(out_of_range)");
}

TEST(CByName, ConvertsBetweenAllForms) {
  for (const auto& row : vectors::read_table("oracle-encodings-128.tsv")) {
    SCOPED_TRACE(row.where());
    const std::string& uuid = row["uuid"];
    EXPECT_EQ(convert("uuid", "base58", uuid), row["base58btc_bytes"]);
    EXPECT_EQ(convert("uuid", "base62", uuid), row["base62_22_0-9A-Za-z"]);
    EXPECT_EQ(convert("uuid", "base64url", uuid), row["base64url"]);
    EXPECT_EQ(convert("uuid", "ulid", uuid), row["crockford_left_padded_ulid"]);
    EXPECT_EQ(convert("ulid", "uuid", row["crockford_left_padded_ulid"]), uuid);
    EXPECT_EQ(convert("uuid", "crockford", uuid).substr(0, 26), row["crockford_right_padded"]);
    const std::string bytes = convert("uuid", "bytes", uuid);
    EXPECT_EQ(bytes.size(), 16u);
    EXPECT_EQ(convert("bytes", "uuid", bytes), uuid);
  }
  EXPECT_EQ(convert("", "uuid", kUlid), "01563df3-6481-d676-4c61-efb99302bd5b");
  EXPECT_EQ(convert("public", "ulid", "ord_" + std::string(kUlid)), kUlid);
  EXPECT_EQ(convert("ksuid", "ulid", "0ujtsYcgvSTl8PAuAdqWYSMnLOv"), "(lossy)");
  EXPECT_EQ(convert("", "uuid", "hello"), "(unknown)");
  EXPECT_EQ(convert("ulid", "uuid", "01ARYZ6S41TSV4RRFFQ69G5FAU"), "(invalid_character)");
  EXPECT_EQ(convert("ulid", "no", kUlid), "(bad_argument)");
  EXPECT_EQ(convert("no", "uuid", kUlid), "(bad_argument)");
}

TEST(CByName, GivesTheCheckSymbols) {
  EXPECT_EQ(checksum("AHM6A83HENMP"), "S");
  EXPECT_EQ(checksum("ahm6a8-3henmp"), "S");
  for (const auto& row : vectors::read_table("oracle-crockford-book.tsv")) {
    SCOPED_TRACE(row.where());
    const auto bits = static_cast<unsigned>(8 * vectors::number(row["nbytes"]));
    EXPECT_EQ(checksum(row["base32_encode_right_padded"], bits), row["check_char_a"]);
  }
  // Whatever the size and the number of symbols: with them, the text is good.
  for (const unsigned bits : {1u, 7u, 60u, 64u, 65u, 120u, 128u, 511u, 512u}) {
    for (const unsigned count : {1u, 2u, 3u}) {
      std::array<char, 256> id;
      std::size_t size = 0;
      ASSERT_EQ(tessera_random_new(bits, count, id.data(), id.size(), &size), TESSERA_OK);
      const std::string_view text(id.data(), size);
      EXPECT_EQ(checksum(text.substr(0, size - count), bits, count), text.substr(size - count));
    }
  }
  const std::string id = "ord_" + std::string(kUlid);
  EXPECT_EQ(check("ord:checked", id + checksum(id, 0, 0)), TESSERA_OK);
  EXPECT_EQ(checksum(id, 0, 1), "(bad_argument)");
  EXPECT_EQ(checksum("ord_" + std::string(25, '0'), 0, 2), "(invalid_length)");
  EXPECT_EQ(checksum("AHM6U83HENMP"), "(invalid_character)");
  EXPECT_EQ(checksum("ZZ"), "(non_canonical)");
  EXPECT_EQ(checksum(""), "(invalid_length)");
  EXPECT_EQ(checksum("AHM6A83HENMP", 64), "(invalid_length)");
  EXPECT_EQ(checksum("AHM6A83HENMP", 60, 4), "(bad_argument)");
  EXPECT_EQ(checksum(std::string(1 << 20, '0')), "(invalid_length)");
}

TEST(CByName, InspectsWithTheJsonOfTheProgram) {
  for (const auto& row : vectors::read_table("detect.tsv")) {
    SCOPED_TRACE(row.where());
    EXPECT_EQ(inspect_json(row["input"]), to_json(inspect(row["input"], kNowMs)));
  }
  EXPECT_EQ(inspect_json(kUlid, "uuid"), to_json(inspect(kUlid, kNowMs, nullptr, "uuid")));
  EXPECT_EQ(inspect_json(kUlid, "no such kind"), "(bad_argument)");
  EXPECT_EQ(inspect_json(std::string(TESSERA_INSPECT_SIZE_MAX, 'x')).substr(0, 12),
            R"({"input":"xx)");
  EXPECT_EQ(inspect_json(std::string(TESSERA_INSPECT_SIZE_MAX + 1, 'x')), "(invalid_length)");
  char small[8] = "1234567";
  std::size_t size = 0;
  EXPECT_EQ(tessera_inspect("", 0, kUlid.data(), kUlid.size(), kNowMs, small, 7, &size),
            TESSERA_BUFFER_TOO_SMALL);
  EXPECT_EQ(size, inspect_json(kUlid).size());
  EXPECT_STREQ(small, "1234567");
}

TEST(CByName, HasTheOddsBothWaysRound) {
  std::array<char, TESSERA_TEXT_SIZE_MAX> words;
  std::size_t size = 0;
  const auto odds = [&](double bits, double count, double probability) {
    const int code = tessera_odds(&bits, &count, &probability, words.data(), words.size(), &size);
    return std::tuple(code, bits, count, probability);
  };
  const double chance = collision_probability(60, 1e9);
  EXPECT_EQ(odds(60, 1e9, -1), std::tuple(TESSERA_OK, 60.0, 1e9, chance));
  EXPECT_EQ(std::string_view(words.data(), size), odds_in_words(chance));
  const double many = count_for_probability(60, 0.5);
  EXPECT_EQ(odds(60, -1, 0.5), std::tuple(TESSERA_OK, 60.0, many, collision_probability(60, many)));
  EXPECT_EQ(odds(-1, 1e9, 1e-6), std::tuple(TESSERA_OK, 79.0, 1e9, collision_probability(79, 1e9)));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [bits, count, probability] :
       {std::tuple(60.0, 1e9, 0.5), std::tuple(60.0, -1.0, -1.0), std::tuple(1001.0, 5.0, -1.0),
        std::tuple(60.0, 0.5, -1.0), std::tuple(60.0, -1.0, 0.0), std::tuple(60.0, -1.0, 1.1),
        std::tuple(nan, 5.0, -1.0), std::tuple(60.0, nan, -1.0), std::tuple(60.0, -1.0, nan)}) {
    EXPECT_EQ(std::get<0>(odds(bits, count, probability)), TESSERA_BAD_ARGUMENT);
  }
  double bits = 60;
  double count = 2;
  double probability = -1;
  EXPECT_EQ(tessera_odds(&bits, &count, &probability, words.data(), 3, &size),
            TESSERA_BUFFER_TOO_SMALL);
  EXPECT_EQ(probability, -1);
}

}  // namespace
}  // namespace tessera
