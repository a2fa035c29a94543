// What detect promises: every published example gets its right name; what cannot be told apart
// is called ambiguous, with all readings listed; words and garbage are unknown, with a hint where
// one helps; declared prefixes win; the clock is an argument; answers are safe to print.
// detect_members_test.cpp has how often it is right.

#include "tessera/detect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/vectors.h"
#include "tessera/codec.h"
#include "tessera/time_text.h"

namespace tessera {
namespace {

using Verdict = Detection::Verdict;
using Code = ParseError::Code;

constexpr std::uint64_t kNowMs = 1'794'700'800'000;  // 2026-11-15

// "twitter" is enough for snowflake-twitter, as in the table.
bool is_kind(std::string_view kind, std::string_view name) {
  return kind == name || kind.ends_with("-" + std::string(name));
}

const Guess* find(const Detection& detection, std::string_view kind) {
  for (const Guess& guess : detection.guesses) {
    if (is_kind(guess.kind, kind)) return &guess;
  }
  return nullptr;
}

const NearMiss* find_miss(const Detection& detection, std::string_view kind) {
  for (const NearMiss& miss : detection.near_misses) {
    if (miss.kind == kind) return &miss;
  }
  return nullptr;
}

std::string_view best(const Detection& detection) {
  return detection.guesses.empty() ? "unknown" : detection.guesses.front().kind;
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

// What holds for every answer, whatever the text.
void expect_sound(const Detection& detection) {
  double sum = detection.other_probability;
  for (const Guess& guess : detection.guesses) {
    EXPECT_GE(guess.probability, 0);
    EXPECT_LE(guess.probability, 1 + 1e-9);
    if (!guess.is_family()) sum += guess.probability;
    EXPECT_TRUE(is_printable(guess.note)) << guess.note;
    EXPECT_TRUE(is_printable(guess.prefix));
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_TRUE(
      std::is_sorted(detection.guesses.begin(), detection.guesses.end(),
                     [](const Guess& a, const Guess& b) { return a.probability > b.probability; }));
  EXPECT_EQ(detection.guesses.empty(), detection.verdict == Verdict::unknown);
  for (const NearMiss& miss : detection.near_misses) {
    EXPECT_TRUE(is_printable(miss.reason) && is_printable(miss.correction));
    EXPECT_FALSE(miss.reason.empty());
    const auto kinds = detectable_kinds();
    EXPECT_TRUE(miss.kind.empty() || miss.kind == "uuid" ||
                std::any_of(kinds.begin(), kinds.end(),
                            [&](const DetectableKind& row) { return row.name == miss.kind; }))
        << miss.kind;
  }
}

TEST(Detect, NamesEveryPublishedExample) {
  for (const auto& row : vectors::read_table("detect.tsv")) {
    SCOPED_TRACE(row.where() + ": " + row.at(0));
    const Detection detection = detect(row.at(0), kNowMs);
    expect_sound(detection);
    const std::string& expected = row.at(1);
    const std::size_t also = expected.find(" ~ ");
    EXPECT_EQ(best(detection), expected.substr(0, also));
    if (also == std::string::npos) continue;
    for (const auto& kind : vectors::split(expected.substr(also + 3), ',')) {
      EXPECT_NE(find(detection, kind), nullptr) << kind << " is not listed";
    }
  }
}

TEST(Detect, SaysWhenItIsSureAndWhenNot) {
  const auto verdict = [](std::string_view text) { return detect(text, kNowMs).verdict; };
  EXPECT_EQ(verdict("550e8400-e29b-41d4-a716-446655440000"), Verdict::sure);
  EXPECT_EQ(verdict("01JCXSGZMZQQJ2M93WC0T8KT02"), Verdict::sure);
  EXPECT_EQ(verdict("540226260526170119"), Verdict::ambiguous);
  EXPECT_EQ(verdict("13c7f72eff938c3cba49cfb88fa840868effca9c"), Verdict::ambiguous);
  EXPECT_EQ(verdict("gocwRvLhDf8"), Verdict::ambiguous);  // eleven characters prove little
  EXPECT_EQ(verdict("hello"), Verdict::unknown);
  EXPECT_EQ(name_of(Verdict::ambiguous), "ambiguous");
}

TEST(Detect, ReadsTheUsualSpellingsOfOneUuid) {
  const std::string_view texts[] = {
      "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
      "017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
      "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
      "{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}",
      "urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
      "URN:UUID:017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
      "017f22e279b07cc398c4dc0c0c07398f",
      "1989357241971137676463954034883508623",
      "AX8i4nmwfMOYxNwMDAc5jw",
      "AX8i4nmwfMOYxNwMDAc5jw==",
      "4iJ/AbB5w3yYxNwMDAc5jw==",  // as Microsoft's Guid.ToByteArray has it
      "05ZJ5RKSP1YC7664VG60R1SSHW",
      "05ZJ5RKSP1YC7664VG60R1SSHWX",
  };
  const auto value = Uuid::parse(texts[0])->bytes;
  std::set<std::string_view> spellings;
  for (const std::string_view text : texts) {
    const Detection detection = detect(text, kNowMs);
    ASSERT_FALSE(detection.guesses.empty()) << text;
    const Guess& guess = detection.guesses.front();
    EXPECT_EQ(guess.kind, "uuid-v7") << text;
    EXPECT_EQ(guess.bytes, std::vector<std::uint8_t>(value.begin(), value.end())) << text;
    EXPECT_EQ(guess.time_ms, 1'645'557'742'000) << text;
    spellings.insert(guess.spelling);
  }
  EXPECT_EQ(spellings,
            (std::set<std::string_view>{"hyphenated", "braced", "urn", "hex", "int", "base64url",
                                        "base64", "base64-guid", "crockford"}));
}

TEST(Detect, NamesEveryVersionAndVariantOfUuid) {
  for (unsigned version = 0; version < 16; ++version) {
    std::string text = "9d8c7b6a-5f4e-0d3c-a1b2-c3d4e5f60718";
    text[14] = "0123456789abcdef"[version];
    EXPECT_EQ(best(detect(text, kNowMs)), "uuid-v" + std::to_string(version));
  }
  EXPECT_EQ(best(detect("9d8c7b6a-5f4e-4d3c-71b2-c3d4e5f60718", kNowMs)), "uuid-ncs");
  EXPECT_EQ(best(detect("9d8c7b6a-5f4e-4d3c-c1b2-c3d4e5f60718", kNowMs)), "uuid-microsoft");
  EXPECT_EQ(best(detect("9d8c7b6a-5f4e-4d3c-e1b2-c3d4e5f60718", kNowMs)), "uuid-future");
  EXPECT_EQ(best(detect(Uuid::nil().to_string(), kNowMs)), "uuid-nil");
  EXPECT_EQ(best(detect(Uuid::max().to_string(), kNowMs)), "uuid-max");
}

TEST(Detect, NotesADraftOfVersion7) {
  const Detection detection = detect("061ff8d8-e24b-7000-8092-ca1e5440d491", kNowMs);
  const Guess& guess = detection.guesses.front();
  EXPECT_FALSE(guess.time_is_plausible);
  EXPECT_NE(guess.note.find("draft 02"), std::string::npos);
  EXPECT_NE(guess.note.find("2022-02-06"), std::string::npos);
}

TEST(Detect, WarnsOfATypeIdThatHoldsNoVersion7) {
  const Detection detection = detect("user_2x4y6z8a0b1c2d3e4f5g6h7j8k", kNowMs);
  EXPECT_EQ(best(detection), "typeid");
  EXPECT_EQ(detection.guesses.front().prefix, "user");
  EXPECT_NE(detection.guesses.front().note.find("not a UUIDv7"), std::string::npos);
  EXPECT_EQ(detect("user_01h455vb4pex5vsknk084sn02q", kNowMs).guesses.front().note, "");
}

TEST(Detect, KnowsBoundsThatPeopleWrite) {
  EXPECT_EQ(best(detect("00000000000000000000000000", kNowMs)), "ulid");
  EXPECT_EQ(best(detect("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", kNowMs)), "ulid");
  EXPECT_EQ(best(detect("aWgEPTl1tmebfsQzFP4bxwgy80V", kNowMs)), "ksuid");
  EXPECT_EQ(best(detect("ffffffffffffffffffffffff", kNowMs)), "objectid");
  EXPECT_EQ(best(detect("ord_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", kNowMs)), "public-id");
  EXPECT_EQ(best(detect("00000000-0000-1000-8000-00805f9b34fb", kNowMs)), "uuid-v1");
  EXPECT_EQ(best(detect("11111111111141118111111111111111", kNowMs)), "uuid-v4");
}

// A family has the sum of its members, and stands only where none of them stands out.
TEST(Detect, AnswersWithTheFamilyWhereLayoutsCannotBeToldApart) {
  const Detection detection = detect("175928847299117063", kNowMs);
  ASSERT_EQ(best(detection), "snowflake");
  EXPECT_TRUE(detection.guesses.front().is_family());
  EXPECT_GT(detection.guesses.front().probability, 0.9);
  for (const auto* kind : {"twitter", "discord", "sony", "instagram", "tsid"}) {
    const Guess* guess = find(detection, kind);
    ASSERT_NE(guess, nullptr) << kind;
    EXPECT_TRUE(guess->time_is_plausible);
  }
  const Guess* discord = find(detection, "discord");
  ASSERT_NE(discord->layout, nullptr);
  EXPECT_EQ(discord->layout->name, "discord");
  EXPECT_EQ(discord->time_ms, 1'462'015'105'796);

  EXPECT_EQ(find(detect("7256902784527069184", kNowMs), "snowflake"), nullptr);
  EXPECT_EQ(best(detect("1777150623882019211", kNowMs)), "snowflake-twitter");
}

TEST(Detect, TakesTheClockAsAnArgument) {
  ASSERT_EQ(time_text(kNowMs).view().substr(0, 10), "2026-11-15");
  const auto at = [](std::string_view date) {
    return static_cast<std::uint64_t>(*parse_time(date));
  };
  // A Discord number of 2028: not yet, and then one of two.
  const std::string_view number = "1777150623882019211";
  EXPECT_FALSE(find(detect(number, at("2026-11-15")), "discord")->time_is_plausible);
  EXPECT_TRUE(find(detect(number, at("2028-12-01")), "discord")->time_is_plausible);
  EXPECT_EQ(best(detect(number, at("2028-12-01"))), "snowflake");
  // Two days ahead is a wrong clock; three is the future.
  EXPECT_TRUE(detect("1734971723", at("2024-12-22")).guesses.front().time_is_plausible);
  EXPECT_EQ(detect("1734971723", at("2024-12-20")).verdict, Verdict::unknown);
  // No clock is too odd.
  for (const std::uint64_t now_ms : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    expect_sound(detect("01JCXSGZMZQQJ2M93WC0T8KT02", now_ms));
    expect_sound(detect("1734971723", now_ms));
  }
}

TEST(Detect, LetsDeclaredPrefixesWin) {
  TypeTable types;
  ASSERT_TRUE(types.add({"order", "ord", PublicStyle::ulid}));
  ASSERT_TRUE(types.add({"account", "acct", PublicStyle::type_id}));
  ASSERT_TRUE(types.add({"invoice", "inv", PublicStyle::base36}));
  ASSERT_TRUE(types.add({"ticket", "tkt", PublicStyle::checked, '-'}));

  // In lower case it would be a TypeID, if `ord` were not known.
  const std::string_view order = "ord_01h455vb4pex5vsknk084sn02q";
  EXPECT_EQ(best(detect(order, kNowMs)), "typeid");
  const Detection known = detect(order, kNowMs, &types);
  EXPECT_EQ(best(known), "public-id");
  EXPECT_EQ(known.guesses.front().prefix, "ord");
  EXPECT_NE(known.guesses.front().note.find("order"), std::string::npos);
  expect_sound(known);

  EXPECT_EQ(best(detect("acct_01h455vb4pex5vsknk084sn02q", kNowMs, &types)), "typeid");
  const auto body = Uuid::parse("0197b276-15ee-7e42-97e1-7af71eba4639")->bytes;
  EXPECT_EQ(best(detect(public_id::write("inv", body, PublicStyle::base36).view(), kNowMs, &types)),
            "base36-uuid-v7");
  const auto ticket = public_id::write("tkt", body, PublicStyle::checked, '-').to_string();
  EXPECT_EQ(best(detect(ticket, kNowMs, &types)), "public-id");
  EXPECT_EQ(detect(ticket, kNowMs, &types).guesses.front().spelling, "checked");
  // A separator that nobody declared separates nothing.
  EXPECT_EQ(detect(ticket, kNowMs).verdict, Verdict::unknown);
}

TEST(Detect, LeavesWordsAndGarbageUnknown) {
  const std::string_view texts[] = {
      "",
      " ",
      "a",
      "0",
      "1",
      "-",
      "_",
      "/",
      "//",
      "{}",
      "urn:uuid:",
      "null",
      "true",
      "undefined",
      "hello",
      "hello world",
      "Hello, world!",
      "identifier",
      "programming",
      "password123",
      "internationalization",
      "some-long-identifier1",
      "create_user_account",
      "camelCaseWords",
      "SCREAMING_SNAKE_CASE",
      "order-12345",
      "user_123",
      "foo_bar",
      "deadbeef",
      "DEADBEEF",
      "ABCDEFGHIJKLM",
      "abcdefghijklmnopqrstuvwxyz",
      "12345",
      "00000",
      "4111 1111 1111 1111",
      "12345678901234567890",
      "2024-11-26",
      "2024-11-26T01:04:58Z",
      "12:34:56",
      "192.168.0.1",
      "::1",
      "+49 170 1234567",
      "3.14159265358979",
      "1e100",
      "v1.2.3",
      "1.2.3-rc.4+build.5",
      "john.smith@example.com",
      "https://example.com/a?b=c",
      "text/plain",
      "and/or",
      "TCP/IP",
      "/usr/local/bin",
      "C:\\Windows",
      "../../etc/passwd",
      "SELECT * FROM orders",
      "<script>",
      "WHAT%",
      "{\"id\": 1}",
      "\xf0\x9f\x92\xa9",
      "\xff\xfe\xfd",
      "01ARYZ6S41\xd0\x90",
  };
  for (const std::string_view text : texts) {
    const Detection detection = detect(text, kNowMs);
    EXPECT_EQ(best(detection), "unknown") << printable(text);
    expect_sound(detection);
  }
}

TEST(Detect, LeavesWordsOfEnglishUnknown) {
  std::ifstream file(TESSERA_VECTORS_DIR "/README.md");  // any prose will do
  ASSERT_TRUE(file) << "no prose to read";
  std::size_t words = 0;
  std::size_t wrong = 0;
  for (std::string word; file >> word;) {
    const bool letters = std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
    if (!letters) continue;
    ++words;
    if (detect(word, kNowMs).verdict != Verdict::unknown) {
      ++wrong;
      ADD_FAILURE_AT(__FILE__, __LINE__) << word << " is " << best(detect(word, kNowMs));
    }
  }
  EXPECT_GT(words, 100u);
  EXPECT_EQ(wrong, 0u);
}

struct MissCase {
  std::string_view text;
  std::string_view kind;
  Code code;
  std::string_view reason;  // a part of it
  std::string_view correction;
};

TEST(Detect, SaysWhatATextNearlyIs) {
  const MissCase cases[] = {
      {"ord_01HN8X5K9G3QRST2VW4XYZ", "public-id", Code::invalid_length, "22 of 26 characters", ""},
      {"01ARZ3NDEKTSV4RRFFQ69G5FA", "ulid", Code::invalid_length, "25 of 26 characters", ""},
      {"ord_01ARZ3NDEKTSV4RRFQF69G5FAV0X", "public-id", Code::bad_check, "check symbols",
       "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0X"},
      {"ord_01ARZ3NDEKTSV4RRFFQ69G5FAW0X", "public-id", Code::bad_check, "check symbols",
       "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0X"},
      {"ord_01ARZ3NDEKTSV4RRFFQ69G5WAV1X", "public-id", Code::bad_check, "check symbols", ""},
      {"8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ulid", Code::overflow, "at most 7", ""},
      {"user_zzzzzzzzzzzzzzzzzzzzzzzzzz", "typeid", Code::overflow, "at most 7", ""},
      {"O1ARZ3NDEKTSV4RRFFQ69G5FAV", "ulid", Code::invalid_character, "O as 0",
       "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
      {"ord_01ARZ3NDEITSV4RRFFQ69G5FAV", "public-id", Code::invalid_character, "as 1",
       "ord_01ARZ3NDE1TSV4RRFFQ69G5FAV"},
      {"PREFIX_01ARZ3NDEKTSV4RRFFQ69G5FAV", "public-id", Code::invalid_prefix, "lower case",
       "prefix_01ARZ3NDEKTSV4RRFFQ69G5FAV"},
      {"us3r_01h455vb4pex5vsknk084sn02q", "typeid", Code::invalid_prefix, "a-z and _", ""},
      {"zrdr_zzzzzzzzzzzzzzzzzzzzzzzzz", "base36-uuid-v7", Code::overflow, "128 bits", ""},
      {"2eb8aa08-aa98-11ea-b4aa-73b441d1638", "uuid", Code::invalid_length, "31 of 32", ""},
      {"2eb8aa08-aa98-11ea-b4aa73b441d16380", "uuid", Code::non_canonical, "hyphens",
       "2eb8aa08-aa98-11ea-b4aa-73b441d16380"},
      {"2eb8aao8-aa98-llea-b4aa-73b441d16380", "uuid", Code::invalid_character, "hex",
       "2eb8aa08-aa98-11ea-b4aa-73b441d16380"},
      {"56e1fc72e0c917e9c471416", "objectid", Code::invalid_length, "23 of 24", ""},
      {"00000001aabbccddeeff0011", "objectid", Code::out_of_range, "1970-01-01", ""},
      {"1HCpXwx2EK9oYluWbacgeCnFcL", "ksuid", Code::invalid_length, "26 of 27", ""},
      {"aaaaaaaaaaaaaaaaaaaaaaaaaaA", "ksuid", Code::overflow, "160 bits", ""},
      {"order_00jc1gmm00000000000028t5cy4tqkff-7rzr", "orderlyid", Code::bad_check, "check",
       "order_00jc1gmm00000000000028t5cy4tqkff-7rzq"},
      {"people/xyz/people/abc", "resource-name", Code::invalid_resource_name, "people", ""},
      {"books/AHM6A83HENMP~", "resource-name", Code::bad_check, "check symbol", ""},
      {" 01ARZ3NDEKTSV4RRFFQ69G5FAV\n", "ulid", Code::invalid_character, "blanks",
       "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
      {"\"550e8400-e29b-41d4-a716-446655440000\",", "uuid-v4", Code::invalid_character, "quotes",
       "550e8400-e29b-41d4-a716-446655440000"},
  };
  for (const MissCase& wanted : cases) {
    SCOPED_TRACE(printable(wanted.text));
    const Detection detection = detect(wanted.text, kNowMs);
    EXPECT_EQ(detection.verdict, Verdict::unknown) << best(detection);
    expect_sound(detection);
    const NearMiss* miss = find_miss(detection, wanted.kind);
    ASSERT_NE(miss, nullptr);
    EXPECT_EQ(miss->code, wanted.code);
    EXPECT_NE(miss->reason.find(wanted.reason), std::string::npos) << miss->reason;
    EXPECT_EQ(miss->correction, wanted.correction);
  }
}

// One wrong character, at the end or before it: what may have been meant is a good ID.
TEST(Detect, CorrectsAMistypedCheckedId) {
  const Detection detection = detect("KFV1B65P8Q3CMD", kNowMs);
  const NearMiss* miss = find_miss(detection, "crockford-check");
  ASSERT_NE(miss, nullptr);
  EXPECT_EQ(miss->code, Code::bad_check);
  EXPECT_NE(miss->reason.find("C would"), std::string::npos) << miss->reason;
  EXPECT_EQ(best(detect(miss->correction, kNowMs)), "crockford-check");

  // What can be corrected comes first, before what can only be explained.
  const Detection name = detect("books/AHM6A83HENMP~", kNowMs);
  ASSERT_GE(name.near_misses.size(), 2u);
  EXPECT_EQ(best(detect(name.near_misses[0].correction, kNowMs)), "resource-name");
  EXPECT_EQ(name.near_misses.back().correction, "");
}

TEST(Detect, RefusesALongTextUnread) {
  const Detection detection = detect(std::string(kDetectSizeMax + 1, '0'), kNowMs);
  EXPECT_EQ(detection.verdict, Verdict::unknown);
  ASSERT_EQ(detection.near_misses.size(), 1u);
  EXPECT_EQ(detection.near_misses[0].code, Code::invalid_length);
  EXPECT_EQ(detection.near_misses[0].reason, "too long: 513 of at most 512 bytes");
  expect_sound(detect(std::string(kDetectSizeMax, '0'), kNowMs));
}

// Any bytes, and good IDs with some of them changed.
TEST(Detect, IsSoundForAnyText) {
  std::mt19937_64 random(2);
  const auto rows = vectors::read_table("detect.tsv");
  for (int i = 0; i < 4000; ++i) {
    std::string text;
    if (i % 2 == 0) {
      text = rows[random() % rows.size()].at(0);
      for (int changes = static_cast<int>(random() % 3); changes >= 0 && !text.empty(); --changes) {
        text[random() % text.size()] = static_cast<char>(random());
      }
    } else {
      text.resize(random() % 64);
      const bool ascii = i % 4 == 1;
      for (char& c : text) c = static_cast<char>(ascii ? 0x20 + random() % 95 : random());
    }
    SCOPED_TRACE(printable(text));
    expect_sound(detect(text, kNowMs));
  }
}

TEST(DetectableKinds, MakeAboutOneTogether) {
  double sum = 0.25;  // no identifier
  std::set<std::string_view> names;
  for (const DetectableKind& row : detectable_kinds()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    if (row.name != "snowflake") sum += std::exp2(row.prior_bits);
  }
  EXPECT_GT(sum, 0.75);
  EXPECT_LT(sum, 1.5);
}

// docs/detection.md: | kind | example | prior | spelling | log2 N | score |
TEST(DetectableKinds, AreThoseOfTheDocument) {
  std::ifstream file(TESSERA_VECTORS_DIR "/../../docs/detection.md");
  ASSERT_TRUE(file) << "docs/detection.md is missing";
  std::set<std::string> described;
  for (std::string line; std::getline(file, line);) {
    const auto cells = vectors::split(line, '|');
    if (cells.size() != 8 || !cells[1].starts_with(" `")) continue;
    SCOPED_TRACE(line);
    const auto cell = [&](std::size_t i) {
      std::string text = cells[i].substr(cells[i].find_first_not_of(" `"));
      return text.substr(0, text.find_last_not_of(" `") + 1);
    };
    const std::string kind = cell(1);
    described.insert(kind);
    const auto kinds = detectable_kinds();
    const auto row = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const DetectableKind& r) { return r.name == kind; });
    ASSERT_NE(row, kinds.end());
    EXPECT_NEAR(std::stod(cell(3)), row->prior_bits, 0.01);
    const Detection detection = detect(cell(2), kNowMs);
    ASSERT_NE(find(detection, kind), nullptr);
    EXPECT_TRUE(best(detection) == kind || best(detection) == "snowflake") << best(detection);
    const double score = std::stod(cell(6));
    EXPECT_NEAR(std::stod(cell(3)) - std::stod(cell(4)) - std::stod(cell(5)), score, 0.11);
    EXPECT_NEAR(find(detection, kind)->score_bits, score, 0.06);
  }
  for (const DetectableKind& row : detectable_kinds()) {
    EXPECT_TRUE(described.contains(std::string(row.name))) << row.name << " is not described";
  }
}

}  // namespace
}  // namespace tessera
