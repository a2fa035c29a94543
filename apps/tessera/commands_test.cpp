// What the table of commands promises: the help, the completions and the pages can be made of
// it without looking, since it is complete and agrees with itself.

#include "commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "args.h"
#include "command.h"
#include "help.h"
#include "tessera/form.h"
#include "tessera/kind.h"

namespace tessera::cli {
namespace {

bool has(std::string_view words, std::string_view word) {
  const auto all = split_words(words);
  return std::ranges::find(all, word) != all.end();
}

TEST(Commands, EveryOneIsExplainedAndHasAnExampleOfItself) {
  for (const Command& command : commands()) {
    SCOPED_TRACE(command.name);
    EXPECT_FALSE(command.summary.empty());
    EXPECT_FALSE(command.description.empty());
    EXPECT_TRUE(command.description.ends_with('.'));
    ASSERT_FALSE(command.examples.empty());
    EXPECT_NE(command.run, nullptr);
    EXPECT_EQ(find_command(command.name), &command);
    for (const Example& example : command.examples) {
      EXPECT_TRUE(example.command.starts_with("tessera " + std::string(command.name)));
      EXPECT_FALSE(example.shows.empty());
    }
  }
  EXPECT_EQ(find_command("nothing"), nullptr);
}

TEST(Commands, NoFlagStandsTwice) {
  for (const Command& command : commands()) {
    std::set<std::string_view> names;
    std::set<char> letters;
    for (const auto flags : {command.flags, common_flags()}) {
      for (const Flag& flag : flags) {
        EXPECT_TRUE(names.insert(flag.name).second) << command.name << " --" << flag.name;
        if (flag.letter == '\0') continue;
        EXPECT_TRUE(letters.insert(flag.letter).second) << command.name << " -" << flag.letter;
      }
    }
  }
}

TEST(Commands, FlagsAreExplainedInOneLineWithoutAFullStop) {
  for (const Command& command : commands()) {
    for (const auto flags : {command.flags, common_flags()}) {
      for (const Flag& flag : flags) {
        SCOPED_TRACE(std::string(command.name) + " --" + std::string(flag.name));
        EXPECT_FALSE(flag.help.empty());
        EXPECT_FALSE(flag.help.ends_with('.') && !flag.help.ends_with("..."));
        EXPECT_EQ(flag.help.find('\n'), std::string_view::npos);
        EXPECT_TRUE(flag.choices.empty() || !flag.value.empty());
      }
    }
  }
}

TEST(Commands, TheExamplesAreGoodCommandLines) {
  for (const Command& command : commands()) {
    for (const Example& example : command.examples) {
      auto words = split_words(example.command);
      const auto end = std::ranges::find_if(
          words, [](std::string_view word) { return word == "|" || word == ">" || word == "<"; });
      words.erase(end, words.end());
      const auto args = Args::parse(command, std::span(words).subspan(2));
      EXPECT_TRUE(args) << example.command << ": " << (args ? "" : args.error().message);
    }
  }
}

TEST(Commands, TheListsOfWordsAreThoseOfTheCore) {
  const Command& make = *find_command("new");
  const Command& help = *find_command("help");
  const Command& manual = *find_command("manual");
  for (const KindInfo& info : all_kinds()) {
    EXPECT_TRUE(has(make.choices, info.name)) << info.name;
    EXPECT_TRUE(has(help.choices, info.name)) << info.name;
  }
  for (const Command& command : commands()) {
    EXPECT_TRUE(has(help.choices, command.name)) << command.name;
    EXPECT_TRUE(has(manual.choices, command.name)) << command.name;
  }
  for (const std::string_view topic : split_words(manual.choices)) {
    EXPECT_NE(find_command(topic), nullptr) << topic;
  }
  const Command& convert = *find_command("convert");
  const auto to = std::ranges::find(convert.flags, "to", &Flag::name);
  const auto from = std::ranges::find(convert.flags, "from", &Flag::name);
  for (const Form form : all_forms()) {
    EXPECT_TRUE(has(to->choices, name_of(form)));
    EXPECT_TRUE(has(from->choices, name_of(form)));
  }
  EXPECT_EQ(split_words(to->choices).size(), all_forms().size());
}

TEST(Help, FitsInEightyColumns) {
  for (const Command& command : commands()) {
    const std::string text = help_for(command, Painter(false));
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      EXPECT_LE(end - at, 80u) << text.substr(at, end - at);
      at = end + 1;
    }
  }
}

TEST(Help, HasNoEscapesUnlessItIsPainted) {
  const Command& command = commands().front();
  EXPECT_EQ(help_for(command, Painter(false)).find('\x1b'), std::string::npos);
  EXPECT_NE(help_for(command, Painter(true)).find('\x1b'), std::string::npos);
}

TEST(Wrapped, BreaksBetweenWordsAndNowhereElse) {
  EXPECT_EQ(wrapped("one two three", "", 9), "one two\nthree\n");
  EXPECT_EQ(wrapped("one two", "  ", 9), "  one two\n");
  EXPECT_EQ(wrapped("one two", "  ", 8), "  one\n  two\n");
  EXPECT_EQ(wrapped("longerthanthat", "", 5), "longerthanthat\n");
  EXPECT_EQ(wrapped("a\n\nb", "  ", 80), "  a\n\n  b\n");
  EXPECT_EQ(wrapped("", "", 80), "\n");
}

}  // namespace
}  // namespace tessera::cli
