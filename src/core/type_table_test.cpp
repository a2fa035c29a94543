// What a TypeTable promises: two types of one name or one prefix are refused when they are
// declared, and a refusal leaves the table as it was; text of unknown type is read as the type
// whose prefix it has, the whole prefix; text of a known type is checked for its form, then
// its type, then its time; and what was declared stays where it is.

#include "tessera/type_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

using Code = ParseError::Code;

constexpr std::uint64_t kDayMs = 86'400'000;
const std::string kBody = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
constexpr std::uint64_t kBodyTimeMs = 1'469'922'850'259;

const ResourceType& declare(TypeTable& table, ResourceType type) {
  const auto added = table.add(std::move(type));
  EXPECT_TRUE(added);
  return **added;
}

std::vector<std::string> prefixes_of(const TypeTable& table) {
  std::vector<std::string> prefixes;
  for (const ResourceType* type : table.types()) prefixes.push_back(type->prefix);
  return prefixes;
}

TEST(TypeTable, BeginsEmptyAndKnowsNothing) {
  const TypeTable table;
  EXPECT_TRUE(table.types().empty());
  EXPECT_EQ(table.find_by_name("order"), nullptr);
  EXPECT_EQ(table.find_by_prefix("ord"), nullptr);
  EXPECT_EQ(table.parse("ord_" + kBody).error(), (ParseError{Code::unknown_prefix, 0}));
}

TEST(TypeTable, FindsWhatWasDeclaredByNameAndByPrefix) {
  TypeTable table;
  const auto& user = declare(table, {.name = "user", .prefix = "usr"});
  const auto& order = declare(
      table, {.name = "order", .prefix = "ord", .style = PublicStyle::checked, .separator = '-'});
  EXPECT_EQ(table.find_by_name("order"), &order);
  EXPECT_EQ(table.find_by_prefix("ord"), &order);
  EXPECT_EQ(table.find_by_name("user"), &user);
  EXPECT_EQ(table.find_by_prefix("usr"), &user);
  EXPECT_EQ(order.style, PublicStyle::checked);
  EXPECT_EQ(order.separator, '-');
  // The one is not mistaken for the other.
  EXPECT_EQ(table.find_by_name("ord"), nullptr);
  EXPECT_EQ(table.find_by_prefix("order"), nullptr);
  EXPECT_EQ(table.find_by_prefix("or"), nullptr);
  EXPECT_EQ(table.find_by_prefix(""), nullptr);
}

TEST(TypeTable, ListsTypesInTheOrderOfTheirPrefixes) {
  TypeTable table;
  for (const char* prefix : {"m", "z", "a", "mm", "b_c", "b"}) {
    declare(table, {.name = std::string("name-of-") + prefix, .prefix = prefix});
  }
  EXPECT_EQ(prefixes_of(table), (std::vector<std::string>{"a", "b", "b_c", "m", "mm", "z"}));
}

TEST(TypeTable, RefusesClashesWhenDeclaredAndStaysAsItWas) {
  TypeTable table;
  declare(table, {.name = "order", .prefix = "ord"});
  declare(table, {.name = "user", .prefix = "usr", .style = PublicStyle::type_id});

  struct Clash {
    ResourceType type;
    TypeError error;
  };
  const Clash clashes[] = {
      {{.name = "order", .prefix = "other"}, TypeError::name_taken},
      {{.name = "order", .prefix = "ord"}, TypeError::name_taken},
      {{.name = "other", .prefix = "ord"}, TypeError::prefix_taken},
      // One prefix in two styles, or with two separators, is one prefix still.
      {{.name = "other", .prefix = "ord", .style = PublicStyle::base36}, TypeError::prefix_taken},
      {{.name = "other", .prefix = "ord", .separator = '-'}, TypeError::prefix_taken},
      {{.name = "", .prefix = "abc"}, TypeError::invalid_name},
      {{.name = "two words", .prefix = "abc"}, TypeError::invalid_name},
      {{.name = "a/b", .prefix = "abc"}, TypeError::invalid_name},
      {{.name = std::string(65, 'n'), .prefix = "abc"}, TypeError::invalid_name},
      {{.name = std::string("n\0m", 3), .prefix = "abc"}, TypeError::invalid_name},
      {{.name = "other", .prefix = ""}, TypeError::invalid_prefix},
      {{.name = "other", .prefix = "Ord"}, TypeError::invalid_prefix},
      {{.name = "other", .prefix = "ord_"}, TypeError::invalid_prefix},
      {{.name = "other", .prefix = "ord1"}, TypeError::invalid_prefix},
      {{.name = "other", .prefix = std::string(64, 'p')}, TypeError::invalid_prefix},
      {{.name = "other", .prefix = "abc", .separator = '/'}, TypeError::invalid_separator},
      {{.name = "other", .prefix = "abc", .separator = '\0'}, TypeError::invalid_separator},
      {{.name = "other", .prefix = "abc", .separator = 'a'}, TypeError::invalid_separator},
      // TypeID has its separator from its specification.
      {{.name = "other", .prefix = "abc", .style = PublicStyle::type_id, .separator = '-'},
       TypeError::invalid_separator},
  };
  for (const auto& [type, error] : clashes) {
    SCOPED_TRACE(type.name + " " + type.prefix);
    const auto added = table.add(type);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error(), error) << name_of(added.error());
    EXPECT_EQ(prefixes_of(table), (std::vector<std::string>{"ord", "usr"}));
    EXPECT_EQ(table.find_by_name("other"), nullptr);
    EXPECT_EQ(table.find_by_prefix("abc"), nullptr);
    EXPECT_EQ(table.find_by_prefix("ord")->style, PublicStyle::ulid);
  }
  // And goes on working.
  EXPECT_TRUE(table.add({.name = "other", .prefix = "abc"}));
  EXPECT_TRUE(table.add({.name = std::string(64, 'n'), .prefix = std::string(63, 'p')}));
  EXPECT_TRUE(table.add({.name = "My.type_2-b", .prefix = "mine"}));
}

TEST(TypeTable, HasANameAndAPhraseForEveryError) {
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(TypeError::prefix_taken); ++i) {
    const auto error = static_cast<TypeError>(i);
    EXPECT_NE(name_of(error), "unknown");
    EXPECT_NE(describe(error), "unknown error");
    names.push_back(name_of(error));
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(TypeTable, AddressesStayWhenMoreTypesAreDeclared) {
  TypeTable table;
  const ResourceType* first = &declare(table, {.name = "first", .prefix = "mmm"});
  const auto id = table.parse("mmm_" + kBody);
  ASSERT_TRUE(id);
  for (char a = 'a'; a <= 'z'; ++a) {
    for (char b = 'a'; b <= 'z'; ++b) {
      declare(table, {.name = {'n', a, b}, .prefix = {a, b}});
    }
  }
  EXPECT_EQ(table.types().size(), 1u + 26 * 26);
  EXPECT_EQ(table.find_by_prefix("mmm"), first);
  EXPECT_EQ(id->type, first);
  EXPECT_EQ(id->to_string(), "mmm_" + kBody);
  EXPECT_TRUE(std::ranges::is_sorted(prefixes_of(table)));
}

TEST(TypeTable, ReadsTextAsTheTypeWhoseWholePrefixItHas) {
  TypeTable table;
  const auto& account = declare(table, {.name = "account", .prefix = "acct"});
  const auto& key = declare(table, {.name = "key", .prefix = "acct_key"});
  const auto& user =
      declare(table, {.name = "user", .prefix = "user", .style = PublicStyle::type_id});
  const auto& order = declare(
      table, {.name = "order", .prefix = "ord", .style = PublicStyle::checked, .separator = '-'});
  const auto& item = declare(
      table,
      {.name = "item", .prefix = "acct_item", .style = PublicStyle::base36, .separator = ':'});

  const std::pair<std::string, const ResourceType*> good[] = {
      {"acct_" + kBody, &account},
      {"acct_key_" + kBody, &key},
      {"user_01h455vb4pex5vsknk084sn02q", &user},
      {"ord-01ARZ3NDEKTSV4RRFFQ69G5FAV0X", &order},
      {"acct_item:02ukohbn3kw46609nd56rlkd7", &item},
  };
  for (const auto& [text, type] : good) {
    SCOPED_TRACE(text);
    const auto id = table.parse(text);
    ASSERT_TRUE(id);
    EXPECT_EQ(id->type, type);
    EXPECT_EQ(id->to_string(), text);
    EXPECT_EQ(id->time_ms(), type == &user ? 1'688'096'058'518 : kBodyTimeMs);
  }

  const std::pair<std::string, ParseError> bad[] = {
      {"", {Code::invalid_length, 0}},
      {"account_" + kBody, {Code::unknown_prefix, 0}},
      {"acc_" + kBody, {Code::unknown_prefix, 0}},
      {"key_" + kBody, {Code::unknown_prefix, 0}},
      {"my_acct_" + kBody, {Code::unknown_prefix, 0}},
      {"ACCT_" + kBody, {Code::unknown_prefix, 0}},
      {kBody, {Code::unknown_prefix, 0}},
      {"_" + kBody, {Code::unknown_prefix, 0}},
      {"ord_" + kBody, {Code::unknown_prefix, 0}},   // its separator is another
      {"acct-" + kBody, {Code::unknown_prefix, 0}},  // likewise
      {"acct_", {Code::invalid_length, 5}},
      {"acct_01ARZ3NDEKTSV4RRFFQ69G5FAU", {Code::invalid_character, 30}},
      {"user_01H455VB4PEX5VSKNK084SN02Q", {Code::invalid_character, 7}},
      {"ord-01ARZ3NDEKTSV4RRFFQ69G5FAV0Y", {Code::bad_check, 30}},
  };
  for (const auto& [text, error] : bad) {
    SCOPED_TRACE(text);
    const auto id = table.parse(text);
    ASSERT_FALSE(id) << id->to_string();
    EXPECT_EQ(id.error(), error) << describe(id.error(), text);
  }
}

TEST(TypeTable, DoesNotTakeAnUndeclaredPrefixForItsBeginning) {
  TypeTable table;
  declare(table, {.name = "account", .prefix = "acct"});
  for (const char* prefix : {"acct_test", "acct_a_b", "acct_acct"}) {
    const std::string text = prefix + ("_" + kBody);
    const auto id = table.parse(text);
    ASSERT_FALSE(id) << text << " was read as " << id->to_string();
    EXPECT_EQ(id.error(), (ParseError{Code::unknown_prefix, 0})) << text;
  }
}

TEST(TypeTable, ChecksFormThenTypeThenTime) {
  TypeTable table;
  const auto& order = declare(table, {.name = "order", .prefix = "ord"});
  const std::string good = "ord_" + kBody;
  const std::uint64_t now_ms = kBodyTimeMs;

  struct Case {
    const char* name;
    std::string text;
    std::uint64_t now_ms;
    ParseError error;
  };
  const std::uint64_t early_ms = now_ms - kDayMs - 1;
  const Case cases[] = {
      {"form", "ord_01ARZ3NDEKTSV4RRFFQ69G5FAU", now_ms, {Code::invalid_character, 29}},
      {"form before type", "usr_01ARZ3NDEKTSV4RRFFQ69G5FAU", now_ms, {Code::invalid_character, 29}},
      {"form before time", "ord_01ARZ3NDEKTSV4RRFFQ69G5FAU", 0, {Code::invalid_character, 29}},
      {"no type at all", kBody, now_ms, {Code::prefix_mismatch, 0}},
      {"type", "usr_" + kBody, now_ms, {Code::prefix_mismatch, 0}},
      {"type before time", "usr_" + kBody, early_ms, {Code::prefix_mismatch, 0}},
      {"a longer prefix", "ords_" + kBody, now_ms, {Code::prefix_mismatch, 0}},
      {"a prefix behind it", "ord_a_" + kBody, now_ms, {Code::prefix_mismatch, 0}},
      {"time", good, early_ms, {Code::out_of_range, 4}},
      {"the end of time", "ord_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", now_ms, {Code::out_of_range, 4}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto id = TypeTable::check(order, c.text, c.now_ms);
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error(), c.error) << describe(id.error(), c.text);
  }
  for (const std::uint64_t time_ms :
       {now_ms, now_ms - 1, now_ms - kDayMs, now_ms + 1, now_ms * 2, ~std::uint64_t{0}}) {
    const auto id = TypeTable::check(order, good, time_ms);
    ASSERT_TRUE(id) << time_ms;
    EXPECT_EQ(id->type, &order);
    EXPECT_EQ(id->time_ms(), kBodyTimeMs);
    EXPECT_EQ(id->to_string(), good);
  }
}

TEST(TypeTable, TheFutureBeginsWhereTheCallerSays) {
  TypeTable table;
  for (const PublicStyle style :
       {PublicStyle::ulid, PublicStyle::type_id, PublicStyle::base36, PublicStyle::checked}) {
    SCOPED_TRACE(name_of(style));
    const std::string prefix(1, static_cast<char>('a' + static_cast<int>(style)));
    const auto& type =
        declare(table, {.name = std::string(name_of(style)), .prefix = prefix, .style = style});
    const auto text = public_id::write(prefix, Ulid::smallest(1'000'000).bytes, style);
    EXPECT_TRUE(TypeTable::check(type, text, 1'000'000, 0));
    EXPECT_FALSE(TypeTable::check(type, text, 999'999, 0));
    EXPECT_TRUE(TypeTable::check(type, text, 999'999, 1));
    EXPECT_TRUE(TypeTable::check(type, text, 0, 1'000'000));
    EXPECT_FALSE(TypeTable::check(type, text, 0, 999'999));
    EXPECT_TRUE(TypeTable::check(type, text, 0, ~std::uint64_t{0}));
  }
}

TEST(TypeTable, GeneratesIdsThatItReadsItself) {
  TypeTable table;
  const auto now_ms =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count());
  for (const PublicStyle style :
       {PublicStyle::ulid, PublicStyle::type_id, PublicStyle::base36, PublicStyle::checked}) {
    SCOPED_TRACE(name_of(style));
    const std::string prefix(2, static_cast<char>('a' + static_cast<int>(style)));
    const auto& type =
        declare(table, {.name = std::string(name_of(style)), .prefix = prefix, .style = style});
    std::string last;
    for (int i = 0; i < 100; ++i) {
      const auto id = TypeTable::generate(type);
      ASSERT_TRUE(id);
      EXPECT_EQ(id->type, &type);
      EXPECT_LT(last, id->to_string());
      last = id->to_string();
      const bool uuid = style == PublicStyle::type_id || style == PublicStyle::base36;
      EXPECT_TRUE(!uuid || Uuid{id->body}.version() == 7u);

      const auto read = table.parse(last);
      ASSERT_TRUE(read);
      EXPECT_EQ(read->type, &type);
      EXPECT_EQ(read->body, id->body);
      EXPECT_TRUE(TypeTable::check(type, last, now_ms));
      EXPECT_GE(id->time_ms() + 1000, now_ms);
    }
  }
}

TEST(TypeTable, LongTextCostsNothing) {
  TypeTable table;
  const auto& order = declare(table, {.name = "order", .prefix = "ord"});
  const std::string texts[] = {std::string(1 << 20, '_'), "ord_" + std::string(1 << 20, '0'),
                               std::string(1 << 20, 'a') + "_" + kBody};
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 2000; ++i) {
    for (const auto& text : texts) {
      ASSERT_FALSE(table.parse(text));
      ASSERT_FALSE(TypeTable::check(order, text, 0));
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(table.parse(texts[0]).error(), (ParseError{Code::invalid_length, 1 << 20}));
}

// Prefixes of two letters and underscores, so that many begin alike.
rc::Gen<std::string> any_short_prefix() {
  return rc::gen::map(rc::gen::resize(8, rc::gen::container<std::vector<int>>(any_from_to(0, 8))),
                      [](const std::vector<int>& choices) {
                        std::string prefix = "a";
                        for (const int choice : choices) prefix += "ab_aba_bb"[choice];
                        return prefix + "b";
                      });
}

RC_GTEST_PROP(TypeTable, ReadsATextIfAndOnlyIfItsPrefixIsDeclared, ()) {
  TypeTable table;
  std::vector<std::string> declared;
  const auto prefixes = *rc::gen::container<std::vector<std::string>>(any_short_prefix());
  for (const auto& prefix : prefixes) {
    const bool known = std::ranges::find(declared, prefix) != declared.end();
    const auto added = table.add({.name = "n" + std::to_string(declared.size()), .prefix = prefix});
    RC_ASSERT(static_cast<bool>(added) == !known);
    if (added) declared.push_back(prefix);
  }
  auto asked = declared;
  asked.push_back(*any_short_prefix());
  const std::string prefix = *rc::gen::elementOf(asked);
  const auto id = table.parse(prefix + "_" + kBody);
  const bool known = std::ranges::find(declared, prefix) != declared.end();
  RC_ASSERT(static_cast<bool>(id) == known);
  if (id) RC_ASSERT(id->type->prefix == prefix);
}

}  // namespace
}  // namespace tessera
