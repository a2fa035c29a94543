// What JsonWriter promises: good JSON on one line, whatever the text; numbers that no reader
// spoils; and nothing in it that a terminal would obey.

#include "tessera/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "support/properties.h"

namespace tessera {
namespace {

std::string text_json(std::string_view text) { return JsonWriter().value(text).take(); }

TEST(Json, CommasStandBetweenAndNowhereElse) {
  JsonWriter json;
  json.begin_object().key("a").begin_array().end_array();
  json.key("b").begin_array().value(true).null().value("x").begin_object().end_object();
  json.end_array().key("c").value(false).end_object();
  EXPECT_EQ(json.text(), R"({"a":[],"b":[true,null,"x",{}],"c":false})");
}

TEST(Json, NumbersThatADoubleCannotHoldAreText) {
  EXPECT_EQ(JsonWriter().value(std::uint64_t{9'007'199'254'740'991}).text(), "9007199254740991");
  EXPECT_EQ(JsonWriter().value(std::uint64_t{9'007'199'254'740'992}).text(),
            "\"9007199254740992\"");
  EXPECT_EQ(JsonWriter().value(UINT64_MAX).text(), "\"18446744073709551615\"");
  EXPECT_EQ(JsonWriter().value(std::int64_t{-9'007'199'254'740'991}).text(), "-9007199254740991");
  EXPECT_EQ(JsonWriter().value(INT64_MIN).text(), "\"-9223372036854775808\"");
}

TEST(Json, DoublesComeBackAsTheyWereAndWhatIsNoNumberIsNull) {
  EXPECT_EQ(JsonWriter().value(0.1).text(), "0.1");
  EXPECT_EQ(JsonWriter().value(1e300).text(), "1e+300");
  EXPECT_EQ(JsonWriter().value(std::nan("")).text(), "null");
  EXPECT_EQ(JsonWriter().value(std::numeric_limits<double>::infinity()).text(), "null");
}

TEST(Json, TextIsEscapedWhereItMustBe) {
  EXPECT_EQ(text_json("plain"), "\"plain\"");
  EXPECT_EQ(text_json("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(text_json("\n\r\t"), R"("\n\r\t")");
  EXPECT_EQ(text_json(std::string_view("\0\x01\x1b\x7f", 4)), R"("\u0000\u0001\u001b\u007f")");
  EXPECT_EQ(text_json("grün €😀"), "\"grün €😀\"");
}

TEST(Json, WhatIsNoUtf8IsReplaced) {
  for (const char* bytes : {"\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                            "\xC2", "\xE2\x82", "\xF0\x9F\x98", "\xFF"}) {
    const std::string json = text_json(bytes);
    EXPECT_NE(json.find("\\ufffd"), std::string::npos) << json;
    for (const char c : json) EXPECT_GE(static_cast<signed char>(c), 0x20) << json;
  }
  EXPECT_EQ(text_json("a\xFFz"), R"("a\ufffdz")");
}

TEST(Json, WhatATerminalWouldObeyIsEscaped) {
  EXPECT_EQ(text_json("\xC2\x9B"), R"("\u009b")");  // CSI in one character
  EXPECT_EQ(text_json("\xC2\x80"), R"("\u0080")");
  EXPECT_EQ(text_json("\xC2\xA0"), "\"\xC2\xA0\"");     // only a blank
  EXPECT_EQ(text_json("\xE2\x80\xAE"), R"("\u202e")");  // right to left
  EXPECT_EQ(text_json("\xE2\x80\xA8"), R"("\u2028")");  // a line end, to JavaScript
  EXPECT_EQ(text_json("\xE2\x81\xA6"), R"("\u2066")");
  EXPECT_EQ(text_json("\xEF\xBB\xBF"), R"("\ufeff")");
}

RC_GTEST_PROP(Json, IsOneLineOfUtf8ForAnyBytes, (const std::string& bytes)) {
  const std::string json = text_json(bytes);
  RC_ASSERT(json.size() >= 2 && json.front() == '"' && json.back() == '"');
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    RC_ASSERT(byte >= 0x20 && byte != 0x7F);
    // C2 80 to C2 9F are control characters.
    if (byte == 0xC2) RC_ASSERT(static_cast<unsigned char>(json[i + 1]) >= 0xA0);
  }
}

}  // namespace
}  // namespace tessera
