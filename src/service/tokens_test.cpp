// What tokens promise: shown once and never kept, found only as they were made, and a file that is
// read back as it was written or refused with its line.

#include "tessera/service/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/fakes.h"
#include "tessera/registry/type.h"

namespace tessera::service {
namespace {

using testing::HasSubstr;

struct Made {
  FakeClock clock{1'790'000'000'000};
  SeededEntropy entropy{7};

  NewToken token(Token wanted = {}) {
    auto made = make_token(std::move(wanted), clock, entropy);
    EXPECT_TRUE(made) << made.error().message;
    clock.time_ms += 1;
    return *std::move(made);
  }
};

TEST(Tokens, AreFoundByTheirTextAndByNoOther) {
  Made made;
  const NewToken one = made.token({.note = "one"});
  const NewToken two = made.token({.note = "two"});
  const auto table = TokenTable::make({one.token, two.token});
  ASSERT_TRUE(table);
  ASSERT_NE(table->find(one.text), nullptr);
  EXPECT_EQ(table->find(one.text)->note, "one");
  EXPECT_EQ(table->find(two.text)->note, "two");

  EXPECT_EQ(table->find(""), nullptr);
  EXPECT_EQ(table->find("tsr_"), nullptr);
  EXPECT_EQ(table->find(one.text + "0"), nullptr);
  EXPECT_EQ(table->find(std::string(5000, 'a')), nullptr);
  for (std::size_t i = 0; i < one.text.size(); ++i) {
    std::string wrong = one.text;
    wrong[i] = wrong[i] == '7' ? '8' : '7';
    EXPECT_EQ(table->find(wrong), nullptr) << i;
    wrong = one.text;
    wrong[i] = static_cast<char>(wrong[i] ^ 0x20);  // the other letter case
    EXPECT_EQ(table->find(wrong), nullptr) << i;
  }
  const NewToken stranger = made.token();
  EXPECT_EQ(table->find(stranger.text), nullptr);
}

TEST(Tokens, HavePlainTextOfOneSize) {
  Made made;
  std::set<std::string> texts;
  for (int i = 0; i < 100; ++i) {
    const NewToken token = made.token();
    EXPECT_EQ(token.text.size(), 59u);
    EXPECT_TRUE(token.text.starts_with("tsr_"));
    EXPECT_EQ(token.text.find_first_not_of("tsr_0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
              token.text.npos);
    EXPECT_TRUE(token.token.id.starts_with("tok_"));
    texts.insert(token.text);
  }
  EXPECT_EQ(texts.size(), 100u);
}

TEST(Tokens, FailWithoutRandomness) {
  FakeClock clock(1);
  FakeEntropy entropy;
  entropy.working = false;
  EXPECT_FALSE(make_token({}, clock, entropy));
}

TEST(Tokens, FileIsReadBackAsItWasWritten) {
  Made made;
  Abilities some;
  some.add(Ability::mint);
  some.add(Ability::look_up);
  const std::string odd = std::string("a\tb\nc\\d\x01 \xC3\xA9 - ") + '\x7F';
  const auto table = TokenTable::make(
      {made.token({.note = odd, .tenants = {"acme", "globex"}, .abilities = some, .rate = 7}).token,
       made.token({.note = "-", .tenants = {"*"}, .abilities = Abilities::all()}).token,
       made.token({.expires_ms = 1'900'000'000'123}).token});
  ASSERT_TRUE(table) << table.error().message;
  const std::string text = table->render();
  EXPECT_TRUE(text.starts_with("# tessera tokens 1\n"));
  EXPECT_EQ(text.find("tsr_"), text.npos) << "what is kept is no token";
  const auto again = TokenTable::parse(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->tokens(), table->tokens());
  EXPECT_EQ(again->render(), text);
}

TEST(Tokens, MistakesOfTheFileAreToldWithTheirLine) {
  Made made;
  const std::string good = TokenTable::make({made.token().token})->render();
  const std::string line = good.substr(good.find("tok_"));
  const std::string front = "# tessera tokens 1\n# a comment\n\n";
  const auto with = [&](std::size_t field, std::string_view text) {
    std::string out;
    std::size_t at = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const std::size_t end = line.find_first_of("\t\n", at);
      out += i == field ? std::string(text) : line.substr(at, end - at);
      out += i == 7 ? '\n' : '\t';
      at = end + 1;
    }
    return out;
  };
  EXPECT_TRUE(TokenTable::parse(front + line));
  const struct {
    std::string text;
    std::string_view says;
  } mistakes[] = {
      {"", "line 1: this is no file"},
      {"# tessera tokens 2\n", "line 1: this is no file"},
      {front + "tok\n", "line 4: a token has 8 fields"},
      {front + with(0, "tok_1"), "line 4: 'tok_1' is no ID"},
      {front + with(1, "abc"), "line 4: a digest has 64"},
      {front + with(1, std::string(64, 'G')), "line 4: 'GG' is no byte"},
      {front + with(2, "a b"), "line 4: "},
      {front + with(2, "acme,,x"), "line 4: "},
      {front + with(2, ""), "line 4: "},
      {front + with(3, "fly"), "line 4: there is no ability 'fly'"},
      {front + with(3, "mint,mint"), "line 4: 'mint' stands twice"},
      {front + with(4, "yesterday"), "line 4: 'yesterday' is no time"},
      {front + with(5, "2027-01-01"), "line 4: '2027-01-01' is no time"},
      {front + with(6, "-1"), "line 4: '-1' is no rate"},
      {front + with(6, "1000001"), "line 4: a rate is at most"},
      {front + with(7, ""), "line 4: the note is empty"},
      {front + with(7, "\\n"), "line 4: the note has a character"},
      {front + with(7, "\\x4"), "line 4: "},
      {front + line + "x" + line, "line 5: "},
      {front + line + line, "stands twice"},
      {std::string(TokenTable::kSizeMax + 1, '#'), "at most"},
  };
  for (const auto& [text, says] : mistakes) {
    const auto table = TokenTable::parse(text);
    ASSERT_FALSE(table) << says;
    EXPECT_THAT(table.error().message, HasSubstr(std::string(says)));
  }
}

TEST(Tokens, AskOnlyForTheirTenants) {
  const Token some{.tenants = {"acme", "globex"}};
  EXPECT_TRUE(some.may_ask_for("acme"));
  EXPECT_FALSE(some.may_ask_for("acm"));
  EXPECT_FALSE(some.may_ask_for("*"));
  EXPECT_FALSE(some.may_ask_for(""));
  EXPECT_TRUE(Token{.tenants = {"*"}}.may_ask_for("anybody"));
  EXPECT_FALSE(Token{}.may_ask_for("acme"));
}

TEST(Tokens, AreOverAtTheMomentTheyName) {
  EXPECT_FALSE(Token{}.is_over(~std::uint64_t{0}));
  EXPECT_FALSE(Token{.expires_ms = 5}.is_over(4));
  EXPECT_TRUE(Token{.expires_ms = 5}.is_over(5));
}

TEST(Tokens, AbilitiesHaveOneNameEach) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kAbilityCount; ++i) {
    const auto ability = static_cast<Ability>(i);
    names.insert(name_of(ability));
    EXPECT_EQ(ability_named(name_of(ability)), ability);
    EXPECT_TRUE(Abilities::all().has(ability));
    EXPECT_FALSE(Abilities().has(ability));
  }
  EXPECT_EQ(names.size(), kAbilityCount);
  EXPECT_EQ(ability_named("Mint"), std::nullopt);
}

}  // namespace
}  // namespace tessera::service
