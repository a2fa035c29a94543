// What bodies promise: one reading of each, bounds on everything, and the place of a mistake.

#include "service/json_body.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/vectors.h"
#include "tessera/scope_name.h"

namespace tessera::service {
namespace {

constexpr std::array<std::string_view, 4> kKeys = {"kind", "count", "strict", "ids"};

// The code of what is wrong with a body that should have a count of 1 to 10; "" if nothing is.
std::string_view fault_of(std::string_view text) {
  JsonBody body(text, kKeys);
  body.text("kind");
  body.number("count", 1, 10);
  body.truth("strict");
  body.texts("ids", 3);
  return body.fault() == nullptr ? "" : text_of(body.fault()->fault).code;
}

TEST(JsonBody, ReadsEveryType) {
  JsonBody body(R"( {"kind":"ulid","count":7,"strict":true,"ids":["a","b\n","\u00e9"]} )", kKeys);
  EXPECT_EQ(body.text("kind"), "ulid");
  EXPECT_EQ(body.number("count", 1, 10), 7u);
  EXPECT_EQ(body.truth("strict"), true);
  const auto ids = body.texts("ids", 3);
  ASSERT_TRUE(ids && ids->size() == 3);
  EXPECT_EQ((*ids)[0], "a");
  EXPECT_EQ((*ids)[1], "b\n");
  EXPECT_EQ((*ids)[2], "\xC3\xA9");
  EXPECT_EQ(body.fault(), nullptr);
}

TEST(JsonBody, WhatIsNotThereIsNothing) {
  for (const std::string_view text : {"", "{}", " { } "}) {
    JsonBody body(text, kKeys);
    EXPECT_EQ(body.text("kind"), std::nullopt);
    EXPECT_EQ(body.number("count", 1, 10), std::nullopt);
    EXPECT_EQ(body.fault(), nullptr);
    body.require("count");
    ASSERT_NE(body.fault(), nullptr);
    EXPECT_EQ(body.fault()->fault, Fault::missing_field);
    EXPECT_EQ(body.fault()->pointer, "/count");
  }
}

TEST(JsonBody, RefusesWithOneCode) {
  const struct {
    std::string text;
    std::string_view code;
  } rows[] = {
      {R"({"kind":1})", "type_mismatch"},
      {R"({"kind":null})", "type_mismatch"},
      {R"({"kind":{"a":1}})", "type_mismatch"},
      {R"({"count":"7"})", "type_mismatch"},
      {R"({"count":7.0})", "type_mismatch"},
      {R"({"count":7e0})", "type_mismatch"},
      {R"({"count":0})", "out_of_range"},
      {R"({"count":11})", "out_of_range"},
      {R"({"count":-1})", "out_of_range"},
      {R"({"count":99999999999999999999999})", "out_of_range"},
      {R"({"strict":1})", "type_mismatch"},
      {R"({"ids":"a"})", "type_mismatch"},
      {R"({"ids":[1]})", "type_mismatch"},
      {R"({"ids":["a",null]})", "type_mismatch"},
      {R"({"ids":[["a"]]})", "type_mismatch"},
      {R"({"ids":[{"a":"b"}]})", "type_mismatch"},
      {R"({"ids":["a","b","c","d"]})", "out_of_range"},
      {R"({"knid":"ulid"})", "unknown_field"},
      {R"({"kind":"a","kind":"b"})", "duplicate_field"},
      {R"({"kind":"a","\u006bind":"b"})", "duplicate_field"},
      {"[]", "type_mismatch"},
      {"7", "type_mismatch"},
      {"\"a\"", "type_mismatch"},
      {"null", "type_mismatch"},
      {"{", "invalid_json"},
      {" ", "invalid_json"},
      {"{}{}", "invalid_json"},
      {"{} x", "invalid_json"},
      {R"({"kind":"a",})", "invalid_json"},
      {R"({"kind":"\ud800"})", "invalid_json"},
      {"{\"kind\":\"\xff\"}", "invalid_json"},
      {"{\"kind\":\"a\nb\"}", "invalid_json"},
      {R"({"ids":[[[[[[[[["a"]]]]]]]]]})", "nesting_too_deep"},
      {std::string(60'000, '['), "type_mismatch"},
  };
  for (const auto& [text, code] : rows) EXPECT_EQ(fault_of(text), code) << text.substr(0, 80);
}

TEST(JsonBody, TellsWhatWasMeant) {
  JsonBody body(R"({"cuont":1})", kKeys);
  ASSERT_NE(body.fault(), nullptr);
  EXPECT_EQ(body.fault()->pointer, "/cuont");
  EXPECT_EQ(body.fault()->hint, "Did you mean 'count'?");
  JsonBody other(R"({"a/b~c":1})", kKeys);
  EXPECT_EQ(other.fault()->pointer, "/a~1b~0c");
  EXPECT_EQ(other.fault()->hint, "Known are: kind, count, strict, ids.");
}

TEST(JsonBody, TheFirstMistakeIsTold) {
  JsonBody body(R"({"kind":1,"count":"x"})", kKeys);
  body.number("count", 1, 10);
  body.text("kind");
  EXPECT_EQ(body.fault()->pointer, "/count");
}

// The rows of the vectors that are about bodies: a scope and a step.
TEST(JsonBody, RefusesTheHostileBodiesOfTheVectors) {
  constexpr std::array<std::string_view, 2> kSegmentKeys = {"scope", "step"};
  constexpr std::size_t kBodyMax = 64 << 10;
  std::size_t count = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "segment") continue;
    SCOPED_TRACE(row.where());
    ++count;
    const std::string text = vectors::unescape(row["input"]);
    if (text.size() > kBodyMax) {
      EXPECT_EQ(row["error_class"], "payload_too_large");  // refused before it is read
      continue;
    }
    JsonBody body(text, kSegmentKeys);
    const auto scope = body.text("scope");
    body.number("step", 1, 1'000'000);
    body.require("scope");
    body.require("step");
    std::string code =
        body.fault() == nullptr ? "-" : std::string(text_of(body.fault()->fault).code);
    if (code == "-" && scope_name_fault(*scope)) code = "invalid_scope";
    // An empty body is an empty object here; brackets are no object, however many.
    const std::string expected = text.empty()             ? "missing_field"
                                 : text.starts_with("[[") ? "type_mismatch"
                                                          : row["error_class"];
    EXPECT_EQ(code, expected);
  }
  EXPECT_GT(count, 30u);
}

}  // namespace
}  // namespace tessera::service
