// What is JSON, and what is none.

#include "http/json.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera {
namespace {

TEST(Json, FieldsAreFoundByNameAndKind) {
  const auto json = Json::parse(
      R"( { "a" : "x\n\"\\\/\u00e9\ud83d\ude00" , "n": -12, "big": "9223372036854775807",)"
      R"("t":true,"f":false,"z":null,"l":[1,[],{}],"a":"second","half":1.5} )");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->text_in("a"), "x\n\"\\/\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(json->find("n")->whole(), -12);
  EXPECT_EQ(json->find("n")->number(), -12);
  EXPECT_EQ(json->find("big")->whole(), INT64_MAX);
  EXPECT_FALSE(json->find("big")->number()) << "a text is no number";
  EXPECT_FALSE(json->find("half")->whole());
  EXPECT_EQ(json->truth_in("t"), true);
  EXPECT_EQ(json->truth_in("f"), false);
  EXPECT_FALSE(json->truth_in("z") || json->truth_in("a") || json->text_in("t"));
  EXPECT_EQ(json->find("z")->kind(), Json::Kind::null);
  EXPECT_EQ(json->find("l")->items().size(), 3U);
  EXPECT_EQ(json->find("none"), nullptr);
  EXPECT_EQ(Json::parse("[]")->find("a"), nullptr);
}

TEST(Json, NumbersThatDoNotFitAreNone) {
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "1e3", "0.5", "-0.0"}) {
    const auto json = Json::parse(text);
    ASSERT_TRUE(json) << text;
    EXPECT_FALSE(json->whole()) << text;
  }
  for (const char* text : {R"("")", R"(" 1")", R"("1 ")", R"("0x1")", R"("9223372036854775808")"}) {
    EXPECT_FALSE(Json::parse(text)->whole()) << text;
  }
}

TEST(Json, WhatIsNoneIsRefused) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "}",
                           "[1,]",
                           "[,1]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{a:1}",
                           "{\"a\":1,}",
                           "nul",
                           "True",
                           "01",
                           "-",
                           "1.",
                           ".5",
                           "1e",
                           "+1",
                           "\"",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\ud800\"",
                           "\"\\ud800\\u0041\"",
                           "\"\\udc00\"",
                           "\"a\nb\"",
                           "1 2",
                           "[] []",
                           "'a'",
                           "NaN",
                           "{\"a\":1 \"b\":2}",
                           "[1 2]"}) {
    EXPECT_FALSE(Json::parse(text)) << text;
  }
}

TEST(Json, WhatIsNoUtf8IsNoJson) {
  EXPECT_EQ(Json::parse("\"\xC3\xA9\xF0\x9F\x98\x80\"")->text(), "\xC3\xA9\xF0\x9F\x98\x80");
  for (const char* text :
       {"\"\xB9\x85\"", "\"\xC3\"", "\"\xC0\x80\"", "\"\xED\xA0\x80\"", "{\"\xFF\":1}"}) {
    EXPECT_FALSE(Json::parse(text)) << text;
  }
}

TEST(Json, DepthAndNumberHaveLimits) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(Json::parse(nested(Json::kDepthMax)));
  EXPECT_FALSE(Json::parse(nested(Json::kDepthMax + 1)));
  EXPECT_FALSE(Json::parse(std::string(1'000'000, '[')));
  std::string many = "[0";
  for (std::size_t i = 2; i < Json::kValuesMax; ++i) many += ",0";
  EXPECT_TRUE(Json::parse(many + "]"));
  EXPECT_FALSE(Json::parse(many + ",0]"));
}

}  // namespace
}  // namespace tessera
