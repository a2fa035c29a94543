// What the command line promises: every word is understood or refused, and a refusal says what
// may have been meant.

#include "args.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera::cli {
namespace {

Exit run_nothing(const Args&) { return Exit::good; }

constexpr std::array kFlags = {
    Flag{"count", 'n', "N", "how many", "", ""},
    Flag{"form", '\0', "FORM", "the form", "ulid uuid hex", "guid"},
    Flag{"null", '0', "", "NUL", "", ""},
    Flag{"quiet", 'q', "", "no output", "", ""},
    Flag{"file", 'f', "FILE", "a file", "", ""},
};
constexpr Command kCommand{"try", "[ID...]", kAnyNumber, "", "try it", "", kFlags, {}, run_nothing};
constexpr Command kOneWord{"one", "KIND", 1, "", "try it", "", kFlags, {}, run_nothing};

Result<Args, UsageError> parse(const std::vector<std::string_view>& words,
                               const Command& command = kCommand) {
  return Args::parse(command, words);
}

std::string refusal(const std::vector<std::string_view>& words, const Command& command = kCommand) {
  const auto args = parse(words, command);
  if (args) return "accepted";
  return args.error().message + (args.error().hint.empty() ? "" : " | " + args.error().hint);
}

using Words = std::vector<std::string_view>;

TEST(Args, AValueStandsBehindItsFlagInFourWays) {
  for (const Words& words : std::vector<Words>{
           {"--count", "7"}, {"--count=7"}, {"-n", "7"}, {"-n7"}, {"-qn7"}, {"-qn", "7"}}) {
    const auto args = parse(words);
    ASSERT_TRUE(args) << words.front();
    EXPECT_EQ(args->value("count"), "7") << words.front();
    EXPECT_TRUE(args->positionals().empty()) << words.front();
  }
}

TEST(Args, AnEmptyValueIsAValue) {
  const auto args = parse({"--file="});
  ASSERT_TRUE(args);
  EXPECT_EQ(args->value("file"), "");
}

TEST(Args, AValueMayLookLikeAFlag) {
  const auto args = parse({"--file", "--quiet"});
  ASSERT_TRUE(args);
  EXPECT_EQ(args->value("file"), "--quiet");
  EXPECT_FALSE(args->has("quiet"));
}

TEST(Args, TheLastOfTwoCountsAndAllCanBeHad) {
  const auto args = parse({"-f", "a", "x", "-f", "b"});
  ASSERT_TRUE(args);
  EXPECT_EQ(args->value("file"), "b");
  EXPECT_EQ(args->values("file"), (Words{"a", "b"}));
  EXPECT_EQ(args->positionals(), Words{"x"});
}

TEST(Args, BehindTwoDashesEverythingIsAnArgument) {
  const auto args = parse({"a", "--", "-q", "--", "--count"});
  ASSERT_TRUE(args);
  EXPECT_EQ(args->positionals(), (Words{"a", "-q", "--", "--count"}));
  EXPECT_FALSE(args->has("quiet"));
}

TEST(Args, ADashAloneIsAnArgumentAndSoIsANumberBehindOne) {
  const auto args = parse({"-", "", "-7d", "-1", "-07"});
  ASSERT_TRUE(args);
  EXPECT_EQ(args->positionals(), (Words{"-", "", "-7d", "-1", "-07"}));
}

TEST(Args, MinusZeroIsAFlagWhereThereIsOne) {
  for (const Words& words : std::vector<Words>{{"-0"}, {"-0q"}, {"-q0"}}) {
    const auto args = parse(words);
    ASSERT_TRUE(args);
    EXPECT_TRUE(args->has("null")) << words.front();
  }
  constexpr Command kWithout{"bare", "", kAnyNumber, "", "", "", {}, {}, run_nothing};
  const auto other = parse({"-0"}, kWithout);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->positionals(), Words{"-0"});
}

TEST(Args, CommonFlagsBelongToEveryCommand) {
  const auto args = parse({"--color", "never", "-h"});
  ASSERT_TRUE(args);
  EXPECT_EQ(args->value("color"), "never");
  EXPECT_TRUE(args->has("help"));
}

TEST(Args, SaysWhatIsWrongAndWhatMayHaveBeenMeant) {
  EXPECT_EQ(refusal({"--cuont", "1"}), "unknown flag '--cuont' | Did you mean --count?");
  EXPECT_EQ(refusal({"--zzzzz"}), "unknown flag '--zzzzz' | tessera try --help lists the flags.");
  EXPECT_EQ(refusal({"-z"}), "unknown flag '-z' | tessera try --help lists the flags.");
  EXPECT_EQ(refusal({"--count"}), "--count needs a value: --count N");
  EXPECT_EQ(refusal({"-n"}), "--count needs a value: --count N");
  EXPECT_EQ(refusal({"--quiet=yes"}), "--quiet takes no value");
  EXPECT_EQ(refusal({"--form", "ulld"}), "--form cannot be 'ulld' | Did you mean ulid?");
  EXPECT_EQ(refusal({"--form", "x"}), "--form cannot be 'x' | It takes one of: ulid uuid hex.");
  EXPECT_EQ(refusal({"--form", "guid"}), "accepted");
  EXPECT_EQ(refusal({"a", "b"}, kOneWord),
            "one argument too many: 'b' | usage: tessera one KIND [FLAGS]");
}

TEST(Args, AnIdThatBeginsWithADashIsToldHowToBeWritten) {
  EXPECT_EQ(refusal({"-OFrJ24CPTXLcIPPjvh3"}),
            "unknown flag '-O' | If it is an ID, write: tessera try -- -OFrJ24CPTXLcIPPjvh3");
}

TEST(Args, WhatIsQuotedIsPrintable) {
  EXPECT_EQ(refusal({"--form", "a\x1b[31m\n"}),
            "--form cannot be 'a\\x1b[31m\\x0a' | It takes one of: ulid uuid hex.");
  EXPECT_EQ(refusal({"--\x07"}), "unknown flag '--\\x07' | tessera try --help lists the flags.");
}

TEST(Numbers, AreDigitsWithUnderscoresOrAnExponent) {
  struct Case {
    std::string_view text;
    std::uint64_t number;
  };
  for (const auto& [text, number] :
       {Case{"0", 0}, Case{"7", 7}, Case{"1_000", 1000}, Case{"1e6", 1'000'000}, Case{"25e0", 25},
        Case{"18446744073709551615", UINT64_MAX}, Case{"007", 7}}) {
    const auto parsed = parse_number(text, "n", 0, UINT64_MAX);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, number) << text;
  }
}

TEST(Numbers, EverythingElseIsRefused) {
  for (const std::string_view text : {"", "-1", "+1", " 1", "1 ", "1.5", "0x10", "e6", "1e", "1e-3",
                                      "1e100", "_1", "_", "1e6e6", "\xD9\xA3"}) {
    const auto parsed = parse_number(text, "n", 0, UINT64_MAX);
    ASSERT_FALSE(parsed) << text;
    EXPECT_TRUE(parsed.error().message.starts_with("n must be a whole number")) << text;
  }
  for (const std::string_view text : {"18446744073709551616", "2e19", "99e99", "4", "11"}) {
    const auto parsed = parse_number(text, "n", 5, 10);
    ASSERT_FALSE(parsed) << text;
    EXPECT_TRUE(parsed.error().message.ends_with("is out of range")) << text;
    EXPECT_EQ(parsed.error().hint, "It may be 5 to 10.");
  }
}

TEST(Numbers, AFlagThatWasNotGivenIsNoError) {
  const auto args = parse({});
  ASSERT_TRUE(args);
  const auto number = args->number("count", 0, 10);
  ASSERT_TRUE(number);
  EXPECT_FALSE(*number);
}

TEST(Nearest, FindsOneEditAndOneSwap) {
  constexpr std::array<std::string_view, 4> kWords = {"ulid", "uuid", "objectid", "snowflake"};
  EXPECT_EQ(nearest("uild", kWords), "ulid");
  EXPECT_EQ(nearest("ulidd", kWords), "ulid");
  EXPECT_EQ(nearest("objctid", kWords), "objectid");
  EXPECT_EQ(nearest("snow", kWords), "snowflake");
  EXPECT_EQ(nearest("xyz", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest(std::string(1000, 'u'), kWords), "");
}

}  // namespace
}  // namespace tessera::cli
