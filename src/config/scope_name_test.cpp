// What the names of scopes promise: nothing in them that a database, a shell, a path or a log
// would read in its own way.

#include "tessera/scope_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "config/values.h"
#include "support/config_mistakes.h"
#include "support/vectors.h"

namespace tessera {
namespace {

static_assert(!scope_name_fault("ORDER") && scope_name_fault("") == 0U);
static_assert(scope_name_fault("orders ") == 6U && scope_name_fault(".a") == 0U);

TEST(ScopeName, KeepsTheSharedVectors) {
  int rows = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "scope") continue;
    SCOPED_TRACE(row.where() + ": " + row["why"]);
    const std::string name = vectors::unescape(row["input"]);
    EXPECT_EQ(!scope_name_fault(name), row["expected"] == "ok") << printable(name);
    EXPECT_EQ(config::describe_scope_name(name).empty(), row["expected"] == "ok");
    ++rows;
  }
  EXPECT_GE(rows, 40);
}

TEST(ScopeName, SaysWhatIsWrong) {
  const struct {
    std::string name;
    const char* why;
  } cases[] = {
      {"", "it is empty"},
      {"orders ", "ends with a blank"},
      {" orders", "begins with a blank"},
      {"or ders", "a blank at offset 2"},
      {"a-", "ends with '-'"},
      {"-", "begins with '-'"},
      {"a/b", "'/' at offset 1"},
      {"a\nb", "'\\x0a' at offset 1"},
      {std::string(65, 'a'), "longer than 64 bytes"},
      {std::string(64, 'a') + '\0', "longer than 64 bytes"},
      {std::string(63, 'a') + '-', "ends with '-'"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.name));
    EXPECT_EQ(config::describe_scope_name(c.name), c.why);
  }
  EXPECT_FALSE(scope_name_fault(std::string(64, 'a')));
}

TEST(ScopeName, IsRefusedInAFileWithItsReason) {
  const auto config = parse_config("scopes:\n  \"orders'; DROP TABLE segments; --\": {}\n");
  ASSERT_FALSE(config);
  EXPECT_EQ(codes_of(config.error()), "2:3 invalid_scope");
  EXPECT_THAT(config.error()[0].message, testing::EndsWith("''' at offset 6"));
}

RC_GTEST_PROP(ScopeName, IsWhatTheRuleSays, ()) {
  const std::string ends = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const auto character =
      rc::gen::oneOf(rc::gen::elementOf(std::string("aZ09._-")),
                     rc::gen::elementOf(std::string("aA0")), rc::gen::arbitrary<char>());
  const auto size = *rc::gen::oneOf(rc::gen::inRange(0, 6), rc::gen::inRange(60, 68));
  auto name = *rc::gen::container<std::string>(static_cast<std::size_t>(size), character);
  // Mostly good ones, or the property would only ever see a refusal.
  if (*rc::gen::arbitrary<bool>()) {
    for (char& c : name) {
      if (scope_name_fault(std::string("a") + c + "a")) c = 'b';
    }
  }
  const bool good = !name.empty() && name.size() <= 64 &&
                    name.find_first_not_of(ends + "._-") == std::string::npos &&
                    ends.find(name.front()) != std::string::npos &&
                    ends.find(name.back()) != std::string::npos;
  RC_CLASSIFY(good);
  RC_ASSERT(!scope_name_fault(name) == good);
}

}  // namespace
}  // namespace tessera
