// What reading YAML promises: only the part of it that needs no explanation, within limits, and
// a hostile file costs no more than an honest one of its size.

#include "config/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "support/config_mistakes.h"

namespace tessera {
namespace {

using testing::EndsWith;

std::string repeat(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Yaml, RefusesWhatAConfigurationDoesNotNeed) {
  const struct {
    const char* yaml;
    const char* mistakes;
  } cases[] = {
      {"types: &a {}\nscopes: *a", "1:8 alias, 2:9 alias"},
      {"types: {a: &x {prefix: a}, b: *x}", "1:12 alias, 1:31 alias"},
      {"? *a\n: b", "1:3 alias"},
      {"<<: *a", "1:1 unknown_key, 1:5 alias"},
      {"store: !!str sqlite:a", "1:8 tag"},
      {"store: !custom 'memory:'", "1:8 tag"},
      {"types: !!map {}", "1:8 tag"},
      {"%TAG !e! tag:example.com,2000:\n---\n{}", "1:1 tag"},
      {"enabled: true\n---\nenabled: true", "2:1 several_documents"},
      {"enabled: true\n...\n---\n", "3:1 several_documents"},
      {"enabled: true\n...\n", ""},
      {"? [a, b]\n: c", "1:3 wrong_type"},
      {"? {a: b}\n: c", "1:3 wrong_type"},
      {"a: b: c", "1:5 invalid_yaml"},
      {"types:\n\torder: {prefix: ord}", "2:1 invalid_yaml"},
      {"types: {order: {prefix: ord}\n", "2:1 invalid_yaml"},
      {"store: memory:", "1:14 invalid_yaml"},
      {"enabled: 'true", "1:15 invalid_yaml"},
      {"enabled: true\n segment: {}", "2:9 invalid_yaml"},
      {"%YAML 3.0\n---\n", "1:1 invalid_yaml"},
      {"store: \"a\\qb\"", "1:10 invalid_yaml"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.yaml);
    EXPECT_EQ(mistakes_in(c.yaml), c.mistakes) << rendered_mistakes(c.yaml);
  }
}

TEST(Yaml, IsUtf8AndNothingElse) {
  EXPECT_EQ(mistakes_in("# \xE6\xAD\xA5\xE9\x95\xBF\nstore: 'sqlite:\xC3\xA9.db'\n"), "");
  EXPECT_EQ(mistakes_in("enabled: true # \xC3\xA9\nx\xFF: 1"), "2:2 not_utf8");
  EXPECT_EQ(mistakes_in("a: \xC0\xAF"), "1:4 not_utf8") << "an overlong form";
  EXPECT_EQ(mistakes_in("a: \xED\xA0\x80"), "1:4 not_utf8") << "half of a surrogate pair";
  EXPECT_EQ(mistakes_in("a: \xE6\xAD"), "1:4 not_utf8") << "cut short";
  EXPECT_EQ(mistakes_in("\xFF\xFE" + std::string("a\0:\0", 4)), "1:1 not_utf8") << "UTF-16";
  EXPECT_EQ(mistakes_in(std::string("a: b\0c", 6)), "1:5 invalid_yaml");
  EXPECT_EQ(mistakes_in("a: b\x1B[31m"), "1:5 invalid_yaml");
}

TEST(Yaml, CountsColumnsInCharacters) {
  EXPECT_EQ(mistakes_in("{public-id: {separator: \xC3\xA9}, oops: 1}"),
            "1:25 invalid_separator, 1:29 unknown_key");
  // The mark that some editors put in front is no character of the line.
  EXPECT_EQ(rendered_mistakes("\xEF\xBB\xBFtypes: 1", "f"),
            "f:1:8: 'types' must be a mapping, not '1'\n  1 | types: 1\n    |        ^\n"
            "hint: Write its keys below it, one step further in: 'key: value'.\n");
}

TEST(Yaml, CountsLinesAsYamlDoes) {
  EXPECT_EQ(mistakes_in("a: 1\r\nb: 2\rc: 3\n"),
            "1:1 unknown_key, 2:1 unknown_key, 3:1 unknown_key");
  EXPECT_EQ(rendered_mistakes("# \xE2\x80\xA8# \xC2\x85z: 2", "f"),
            "f:3:1: unknown key 'z'\n  3 | z: 2\n    | ^\n"
            "hint: keys here: enabled, bluecone, segment, public-id, store, listen, tokens, short, "
            "types, scopes, snowflakes\n");
}

TEST(Yaml, HasLimits) {
  const std::string fits = "store: 'memory:' #" + std::string(kConfigSizeMax - 18, 'x');
  ASSERT_EQ(fits.size(), kConfigSizeMax);
  EXPECT_EQ(mistakes_in(fits), "");
  EXPECT_EQ(mistakes_in(fits + "x"), "0:0 too_large");

  EXPECT_THAT(mistakes_in(repeat("{a: ", 17) + repeat("}", 17)), EndsWith("too_deep"));
  EXPECT_THAT(mistakes_in(repeat("[", 100'000)), EndsWith("too_deep"));
  EXPECT_THAT(mistakes_in(repeat("- ", 100'000)), EndsWith("too_deep"));
  EXPECT_THAT(mistakes_in("types:\n " + repeat("? ", 100'000)), EndsWith("too_deep"));
  EXPECT_EQ(mistakes_in("enabled: " + repeat("[", 15) + repeat("]", 15)), "1:10 wrong_type");
  EXPECT_EQ(mistakes_in("enabled: [" + repeat("1,", 70'000) + "]"), "1:131077 too_many");
}

// The slowest that we could think of, each close to the largest size. A quadratic reader would
// need minutes.
TEST(Yaml, ReadsHostileFilesInTime) {
  const std::size_t size = kConfigSizeMax - 100;
  std::string scopes = "scopes:\n";
  for (int i = 0; i < 32'000; ++i) scopes += " s" + std::to_string(i) + ":\n";
  std::string types = "types:\n";
  for (int i = 0; i < 16'000; ++i) types += " t" + std::to_string(i) + ": {scope: x}\n";
  std::string chain = "types:\n";
  for (int i = 0; i < 10'000; ++i) {
    std::string prefix = "p";
    for (int rest = i; rest > 0; rest /= 26) prefix += static_cast<char>('a' + rest % 26);
    chain += " t" + std::to_string(i) + ": {prefix: " + prefix + "x, parent: t" +
             std::to_string((i + 1) % 10'000) + "}\n";
  }
  const std::string cases[] = {
      scopes,
      types,
      chain,
      repeat("a", size),
      repeat("a: ", size / 3),
      repeat("{a", size / 2),
      repeat("a\n", size / 2),
      repeat("\n", size),
      repeat("#", size),
      repeat("\"\\n", size / 3),
      repeat("&a ", size / 3),
      repeat("!", size),
      "\"" + repeat("\\x41", size / 4) + "\": 1",
      "a: |\n" + repeat(" \n", size / 2),
      repeat("? a\n", size / 4),
      repeat("---\n", size / 4),
      repeat("%a\n", size / 3),
      repeat("://", size / 3) + ": 1",
      repeat("[a,", size / 3),
      repeat("- a\n", size / 4),
  };
  for (const std::string& yaml : cases) {
    const std::clock_t begin = std::clock();  // of the processor: others may use it, too
    rendered_mistakes(yaml);
    const double taken_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(taken_s, 20) << yaml.substr(0, 40);  // under a second, but for sanitizers
  }
}

}  // namespace
}  // namespace tessera
