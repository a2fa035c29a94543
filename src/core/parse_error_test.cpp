// What a ParseError promises: eight bytes, a stable name for programs, a phrase that can be
// read aloud, a hint that helps; and text from outside never reaches a terminal unescaped.

#include "tessera/parse_error.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

#include "support/properties.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

static_assert(sizeof(ParseError) == 8);
static_assert(ParseError{Code::overflow, 3} == ParseError{Code::overflow, 3});
static_assert(ParseError{Code::overflow, 3} != ParseError{Code::overflow, 4});

TEST(ParseError, NamesAreStable) {
  // Programs match them: a name may be added here, and none may change.
  const struct {
    Code code;
    const char* name;
  } names[] = {
      {Code::invalid_length, "invalid_length"},
      {Code::invalid_character, "invalid_character"},
      {Code::overflow, "overflow"},
      {Code::non_canonical, "non_canonical"},
      {Code::bad_check, "bad_check"},
      {Code::invalid_prefix, "invalid_prefix"},
      {Code::prefix_mismatch, "prefix_mismatch"},
      {Code::unknown_prefix, "unknown_prefix"},
      {Code::invalid_version, "invalid_version"},
      {Code::invalid_variant, "invalid_variant"},
      {Code::reserved_value, "reserved_value"},
      {Code::out_of_range, "out_of_range"},
      {Code::invalid_resource_name, "invalid_resource_name"},
  };
  for (const auto& n : names) {
    EXPECT_EQ(name_of(n.code), n.name);
    EXPECT_EQ(error_text(n.code).name, n.name);
    EXPECT_EQ(error_text(n.code).code, n.code);
  }
  EXPECT_GE(error_texts().size(), std::size(names));
}

TEST(ParseError, EveryCodeHasANameAPhraseAndAHint) {
  std::set<std::string_view> names;
  std::set<std::string_view> phrases;
  for (const auto& text : error_texts()) {
    SCOPED_TRACE(text.name);
    EXPECT_TRUE(names.insert(text.name).second);
    EXPECT_TRUE(phrases.insert(text.phrase).second) << text.phrase;
    EXPECT_EQ(text.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
    ASSERT_FALSE(text.phrase.empty());
    EXPECT_NE(text.phrase.back(), '.') << "follows \"not a ULID: \"";
    ASSERT_FALSE(text.hint.empty());
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(text.hint.front()))) << "a sentence";
    EXPECT_EQ(text.hint.back(), '.') << "a sentence";
  }
}

TEST(ParseError, DescribesWhatAndWhere) {
  const struct {
    ParseError error;
    std::string text;
    const char* description;
  } cases[] = {
      {{Code::invalid_length, 0}, "", "wrong length: 0 characters"},
      {{Code::invalid_length, 1}, "x", "wrong length: 1 character"},
      {{Code::invalid_length, 25}, std::string(25, '0'), "wrong length: 25 characters"},
      {{Code::invalid_character, 15},
       "01M0MBZ8ZEKMQP3U3V2KM579HW",
       "bad character 'U' at offset 15"},
      {{Code::invalid_character, 1}, "0\n", "bad character '\\x0a' at offset 1"},
      {{Code::invalid_character, 0}, "\xC3\x84", "bad character '\\xc3' at offset 0"},
      {{Code::invalid_character, 0}, "\\", "bad character '\\\\' at offset 0"},
      {{Code::invalid_character, 2}, "ab", "bad character at offset 2"},  // one that is missing
      {{Code::overflow, 0}, "8", "value too large at offset 0"},
      {{Code::non_canonical, 21}, "", "not the canonical spelling at offset 21"},
  };
  for (const auto& c : cases) EXPECT_EQ(describe(c.error, c.text), c.description);
}

TEST(ParseError, PrintableTextIsEscapedAndCut) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("plain ~"), "plain ~");
  EXPECT_EQ(printable("a\\b"), "a\\\\b");
  EXPECT_EQ(printable(std::string("\0\x1b[2J\x7f\x9b\xff", 8)), "\\x00\\x1b[2J\\x7f\\x9b\\xff");
  EXPECT_EQ(printable("12345", 5), "12345");
  EXPECT_EQ(printable("123456", 5), "12345...");
  EXPECT_EQ(printable("\n\n\n", 2), "\\x0a\\x0a...") << "cut by what came in, not by what goes out";
  EXPECT_EQ(printable(std::string(81, 'x')), std::string(80, 'x') + "...");
}

RC_GTEST_PROP(ParseError, NothingButPlainAsciiComesOut, ()) {
  const auto text = *rc::gen::container<std::string>(any_char());
  const auto codes = error_texts();
  const auto code = codes[*any_from_to(std::size_t{0}, codes.size() - 1)].code;
  const ParseError error{
      code, *any_from_to(std::uint32_t{0}, static_cast<std::uint32_t>(text.size() + 1))};
  for (const std::string& out : {describe(error, text), printable(text)}) {
    for (const char c : out) RC_ASSERT(c >= 0x20 && c < 0x7F);
  }
}

RC_GTEST_PROP(ParseError, PrintableTextsOfDifferentTextsDiffer, ()) {
  const auto a = *rc::gen::container<std::string>(any_char());
  const auto b = *rc::gen::container<std::string>(any_char());
  RC_ASSERT((printable(a, a.size()) == printable(b, b.size())) == (a == b));
}

}  // namespace
}  // namespace tessera
