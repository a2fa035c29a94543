// What inspect promises: one value that says all there is to say of a text; a canonical text
// that reads back to the same bits; probabilities that are some; and JSON with stable keys.

#include "tessera/inspect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/properties.h"
#include "tessera/form.h"
#include "tessera/time_text.h"

namespace tessera {
namespace {

constexpr std::uint64_t kNowMs = 1'790'000'000'000;  // 2026-09-21

Inspection look(std::string_view text, const TypeTable* types = nullptr, std::string_view as = {}) {
  return inspect(text, kNowMs, types, as);
}

std::string form(const Inspection& seen, std::string_view name) {
  for (const auto& [form, text] : seen.forms) {
    if (form == name) return text;
  }
  return "(none)";
}

TEST(Inspect, TellsAUlidByItsFieldsAndInOtherForms) {
  const Inspection seen = look("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  ASSERT_TRUE(seen.known());
  EXPECT_EQ(seen.explanation.kind, "ulid");
  EXPECT_EQ(seen.text, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(seen.explanation.time_ms, 1'469'922'850'259);
  ASSERT_EQ(seen.explanation.fields.size(), 2u);
  EXPECT_EQ(form(seen, "uuid"), "01563e3a-b5d3-d676-4c61-efb99302bd5b");
  EXPECT_EQ(form(seen, "crockford"), "05B3WENNTFB7CK31XYWS60NXBC$");
  EXPECT_TRUE(seen.warnings.empty());
}

TEST(Inspect, EverySpellingLeadsToOneCanonicalText) {
  const std::string uuid = "01890a5d-ac96-774b-bcce-b302099a8057";
  for (const char* text :
       {"01890a5d-ac96-774b-bcce-b302099a8057", "01890A5D-AC96-774B-BCCE-B302099A8057",
        "{01890a5d-ac96-774b-bcce-b302099a8057}", "urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057",
        "01890a5dac96774bbcceb302099a8057", "2040782911132661522235942288014082135"}) {
    const Inspection seen = look(text);
    EXPECT_EQ(seen.explanation.kind, "uuid-v7") << text;
    EXPECT_EQ(seen.explanation.version, 7u) << text;
    EXPECT_EQ(seen.text, uuid) << text;
  }
}

TEST(Inspect, APrefixIsNamedAndTheBodyExplained) {
  const Inspection type_id = look("user_01h455vb4pex5vsknk084sn02q");
  EXPECT_EQ(type_id.explanation.kind, "typeid");
  EXPECT_EQ(type_id.prefix, "user");
  EXPECT_EQ(type_id.explanation.fields.size(), 5u);
  const Inspection base36 = look("acct_3e6wlko0bp8e7c9916hklbnd");
  EXPECT_EQ(base36.text, "acct_03e6wlko0bp8e7c9916hklbnd");  // as we write it: 25 digits
}

TEST(Inspect, DeclaredTypesAreNamedAndWriteTheirOwnText) {
  TypeTable types;
  ASSERT_TRUE(types.add({"order", "ord", PublicStyle::ulid, '-'}));
  const Inspection seen = look("ord-01ARZ3NDEKTSV4RRFFQ69G5FAV", &types);
  ASSERT_TRUE(seen.known());
  EXPECT_EQ(seen.type, "order");
  EXPECT_EQ(seen.text, "ord-01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

TEST(Inspect, ARandomIdKeepsItsNumberOfBits) {
  const Inspection sixty = look("AHM6A83HENMPS");
  EXPECT_EQ(sixty.explanation.kind, "crockford-check");
  EXPECT_EQ(sixty.text, "AHM6A83HENMPS");
  EXPECT_EQ(form(sixty, "int"), "380138905423795862");
  EXPECT_EQ(form(sixty, "hex"), "(none)");  // 60 bits are no whole bytes
  ASSERT_EQ(sixty.explanation.fields.size(), 2u);
  EXPECT_EQ(sixty.explanation.fields[0].width, 60u);
  EXPECT_EQ(sixty.explanation.fields[0].value, "546865207175696");
  EXPECT_EQ(sixty.explanation.fields[1].width, 4u);

  const Inspection whole = look("kfv1-b65p-8q3c-mc");
  EXPECT_EQ(whole.text, "KFV1B65P8Q3CMC");
  EXPECT_EQ(form(whole, "hex"), "9bf61598b645c6ca");
}

TEST(Inspect, FieldsCoverAllBitsOnce) {
  for (const char* text : {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "2ed6657d-e927-568b-95e1-2665a8aea6a2",
                           "AHM6A83HENMPS", "KFV1B65P8Q3CMC", "56e1fc72e0c917e9c4714161",
                           "1HCpXwx2EK9oYluWbacgeCnFcLf", "175928847299117063"}) {
    unsigned next = 0;
    for (const Field& field : look(text).explanation.fields) {
      EXPECT_EQ(field.offset, next) << text;
      next += field.width;
    }
    EXPECT_EQ(next, look(text).explanation.bits()) << text;
  }
}

TEST(Inspect, AFamilyIsReadByItsLikeliestMember) {
  const Inspection seen = look("540226260526170119");
  EXPECT_EQ(seen.explanation.kind, "snowflake");
  EXPECT_EQ(seen.detection.verdict, Detection::Verdict::ambiguous);
  EXPECT_FALSE(seen.explanation.fields.empty());
  EXPECT_TRUE(seen.explanation.time_ms);
}

TEST(Inspect, AskedForOneKindItConsidersNoOther) {
  const Inspection discord = look("540226260526170119", nullptr, "snowflake-discord");
  EXPECT_EQ(discord.explanation.kind, "snowflake-discord");
  EXPECT_EQ(discord.detection.verdict, Detection::Verdict::sure);
  ASSERT_EQ(discord.detection.guesses.size(), 1u);
  EXPECT_EQ(discord.detection.guesses[0].probability, 1);

  const Inspection none = look("01ARZ3NDEKTSV4RRFFQ69G5FAV", nullptr, "snowflake");
  EXPECT_FALSE(none.known());
  ASSERT_FALSE(none.warnings.empty());
  EXPECT_EQ(none.warnings[0], "no snowflake; it looks like ulid");
}

TEST(Inspect, ProbabilitiesAreSome) {
  for (const char* as : {"", "snowflake", "unix", "uuid", "tsid"}) {
    for (const char* text : {"540226260526170119", "1734971723", "2039815312720154892",
                             "b026324c6904b2a9cb4b88d6d61c81d1"}) {
      double sum = 0;
      for (const Guess& guess : look(text, nullptr, as).detection.guesses) {
        EXPECT_GE(guess.probability, 0) << text << " " << as;
        EXPECT_LE(guess.probability, 1) << text << " " << as;
        sum += guess.is_family() ? 0 : guess.probability;
      }
      EXPECT_LE(sum, 1 + 1e-9) << text << " " << as;
    }
  }
}

TEST(Inspect, WhatIsUnknownHasNoTextButReasons) {
  const Inspection seen = look("01ARZ3NDEKTSV4RRFFQ69G5FA");
  EXPECT_FALSE(seen.known());
  EXPECT_EQ(seen.text, "");
  ASSERT_FALSE(seen.warnings.empty());
  EXPECT_EQ(seen.warnings[0], "ulid: 25 of 26 characters");
  EXPECT_EQ(look("\"01ARZ3NDEKTSV4RRFFQ69G5FAV\"").correction, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(look(std::string(1000, 'x')).warnings[0], "too long: 1000 of at most 512 bytes");
}

TEST(Inspect, FindsTheIdsInsideOfATextThatIsNone) {
  const Inspection url =
      look("https://example.com/o/01ARZ3NDEKTSV4RRFFQ69G5FAV?u=user_01h455vb4pex5vsknk084sn02q");
  EXPECT_FALSE(url.known());
  ASSERT_EQ(url.inside.size(), 2u);
  EXPECT_EQ(url.inside[0].text, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(url.inside[0].kind, "ulid");
  EXPECT_EQ(url.inside[1].kind, "typeid");
  EXPECT_TRUE(look("nothing to be found in here").inside.empty());
}

TEST(Inspect, EveryDetectableKindIsDescribed) {
  for (const DetectableKind& kind : detectable_kinds()) {
    EXPECT_EQ(detectable_name(kind.name), kind.name);
  }
  // One text of each of some kinds; the words are in a table that the compiler cannot check.
  for (const char* text : {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "1734971723", "cus_lO1DEQWBbQAACfHO",
                           "b026324c6904b2a9cb4b88d6d61c81d1", "books/1/pages/2"}) {
    EXPECT_FALSE(look(text).about.empty()) << text;
  }
}

TEST(Inspect, KindsMayBeAskedForByOtherNames) {
  for (const auto& [name, kind] :
       {std::pair{"uuid", "uuid"}, std::pair{"uuid7", "uuid-v7"}, std::pair{"uuidv7", "uuid-v7"},
        std::pair{"uuid-v7", "uuid-v7"}, std::pair{"uuidv15", "uuid-v15"},
        std::pair{"random", "crockford-check"}, std::pair{"public", "public-id"},
        std::pair{"name", "resource-name"}, std::pair{"unix", "unix"},
        std::pair{"snowflake-sonyflake", "snowflake-sony"}}) {
    EXPECT_EQ(detectable_name(name), kind) << name;
  }
  for (const char* name : {"", "uild", "uuid16", "uuidv", "snow", "md", "-"}) {
    EXPECT_EQ(detectable_name(name), "") << name;
  }
}

TEST(InspectJson, HasItsKeysForAnyText) {
  for (const char* text : {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "hello", "", "540226260526170119",
                           "\x1b[31m\xff", "AHM6A83HENMPS", "books/1"}) {
    const std::string json = to_json(look(text));
    for (const char* key : {"input", "kind", "version", "text", "hex", "int", "unix_ms", "time",
                            "fields", "guesses", "warnings", "valid", "verdict", "type", "prefix",
                            "about", "forms", "near_misses", "inside"}) {
      EXPECT_NE(json.find("\"" + std::string(key) + "\":"), std::string::npos) << key << json;
    }
    EXPECT_EQ(json.find('\n'), std::string::npos);
    EXPECT_EQ(json.find('\x1b'), std::string::npos);
  }
}

TEST(InspectJson, NumbersPast53BitsAreText) {
  const std::string json = to_json(look("175928847299117063"));
  EXPECT_NE(json.find("\"int\":\"175928847299117063\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"unix_ms\":14"), std::string::npos) << json;
}

RC_GTEST_PROP(Inspect, TheCanonicalTextMeansTheSame, ()) {
  const auto bytes = *rc::gen::container<std::vector<std::uint8_t>>(16, any_byte());
  const std::string text = *write_form(Form::uuid, bytes);
  const Inspection seen = look(text);
  RC_ASSERT(seen.known());
  // A ULID that was written as a UUID is told from its time and from bits that no UUID has.
  RC_ASSERT(seen.text == text || seen.text == *write_form(Form::ulid, bytes));
  const Inspection again = look(seen.text);
  RC_ASSERT(again.explanation.bytes == bytes);
}

RC_GTEST_PROP(Inspect, AnyBytesMayBeAsked, (const std::string& bytes)) {
  const Inspection seen = look(bytes);
  RC_ASSERT(seen.input == bytes);
  RC_ASSERT(to_json(seen).find('\n') == std::string::npos);
}

}  // namespace
}  // namespace tessera
