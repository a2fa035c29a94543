// What a MintError promises: a stable name for programs and a phrase for people.

#include "tessera/mint_error.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string_view>

namespace tessera {
namespace {

TEST(MintError, EveryErrorHasANameAndAPhraseOfItsOwn) {
  const struct {
    MintError error;
    std::string_view name;
  } names[] = {
      {MintError::no_entropy, "no_entropy"}, {MintError::time_out_of_range, "time_out_of_range"},
      {MintError::exhausted, "exhausted"},   {MintError::too_far_ahead, "too_far_ahead"},
      {MintError::forked, "forked"},         {MintError::invalid_machine, "invalid_machine"},
  };
  std::set<std::string_view> phrases;
  for (const auto& n : names) {
    EXPECT_EQ(name_of(n.error), n.name);
    const std::string_view phrase = describe(n.error);
    EXPECT_TRUE(phrases.insert(phrase).second) << phrase;
    ASSERT_FALSE(phrase.empty());
    EXPECT_TRUE(std::islower(static_cast<unsigned char>(phrase.front()))) << phrase;
    EXPECT_NE(phrase.back(), '.') << phrase;
  }
}

}  // namespace
}  // namespace tessera
