// What a rendered mistake promises: the place, the line and a mark below it, in plain ASCII
// whatever is in the file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "support/config_mistakes.h"

namespace tessera {
namespace {

TEST(Render, ShowsTheLineAndTheHint) {
  const std::string yaml = R"(# types of the shop
types:

  order: {prefix: ord}

  # an item of an order
  item: {prefix: ord}
)";
  EXPECT_EQ(rendered_mistakes(yaml),
            R"(tessera.yaml:7:18: prefix 'ord' is taken by type 'order' (line 4)
  7 |   item: {prefix: ord}
    |                  ^
hint: Two types need two prefixes: the prefix alone says what an ID is.
)");
}

TEST(Render, KeepsTheMarkBelowItsPlaceWhateverTheLineNumber) {
  EXPECT_EQ(rendered_mistakes(std::string(99, '\n') + "segment: {step: 0}", "f"),
            "f:100:17: 'segment.step' must be from 1 to 1000000, not 0\n"
            "  100 | segment: {step: 0}\n"
            "      |                 ^\n");
}

TEST(Render, EscapesWhatATerminalWouldObey) {
  const ConfigError error{1, 4, ConfigError::Code::unknown_key, "m", ""};
  EXPECT_EQ(render(error, "a\x1B[31m", "\x1B\xC3\xA9x\xE6\xAD\xA5"),
            "a\\x1b[31m:1:4: m\n"
            "  1 | \\x1b\\xc3\\xa9x\\xe6\\xad\\xa5\n"
            "    |              ^\n");
  const std::string shown = rendered_mistakes("\"\\e[31m\xE6\xAD\xA5\": 1\nstore: \"\\a:\"\n");
  EXPECT_TRUE(std::ranges::all_of(shown, [](char c) {
    return c == '\n' || (c >= ' ' && c <= '~');
  })) << shown;
}

TEST(Render, CutsLongLinesAroundThePlace) {
  const std::string line = "{" + std::string(500, ' ') + "oops: " + std::string(500, 'x') + "}";
  EXPECT_EQ(render({1, 502, ConfigError::Code::unknown_key, "m", ""}, "f", line),
            "f:1:502: m\n"
            "  1 | ..." +
                std::string(60, ' ') + "oops: " + std::string(34, 'x') + "...\n" + "    | " +
                std::string(63, ' ') + "^\n");
}

TEST(Render, NeedsNoPlaceAndNoText) {
  EXPECT_EQ(render({0, 0, ConfigError::Code::not_found, "gone", "Look."}, "f", "text"),
            "f: gone\nhint: Look.\n");
  EXPECT_EQ(render({9, 9, ConfigError::Code::unknown_key, "m", ""}, "f", "one line"),
            "f:9:9: m\n  9 | \n    | ^\n");
}

TEST(ConfigErrorCode, HasANameOfItsOwn) {
  std::set<std::string_view> names;
  const auto count = static_cast<int>(ConfigError::Code::conflict) + 1;
  for (int i = 0; i < count; ++i) names.insert(name_of(static_cast<ConfigError::Code>(i)));
  EXPECT_EQ(static_cast<int>(names.size()), count);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace tessera
