// What guessing promises: one slip of the finger is always seen through, and words that have
// nothing to do with each other are not.

#include "tessera/spelling.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>

namespace tessera {
namespace {

TEST(Spelling, CountsSlips) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("prefix", "prefix"), 0U);
  EXPECT_EQ(edit_distance("prefx", "prefix"), 1U);
  EXPECT_EQ(edit_distance("preffix", "prefix"), 1U);
  EXPECT_EQ(edit_distance("prefox", "prefix"), 1U);
  EXPECT_EQ(edit_distance("perfix", "prefix"), 1U) << "neighbours swapped";
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("abcd", "badc"), 2U);
  EXPECT_GT(edit_distance(std::string(65, 'a'), std::string(65, 'a')), kWordSizeMax);
}

TEST(Spelling, GuessesTheNearestOrNothing) {
  constexpr std::array<std::string_view, 4> kWords = {"min", "max", "step", "order"};
  EXPECT_EQ(nearest("mim", kWords), "min");
  EXPECT_EQ(nearest("setp", kWords), "step");
  EXPECT_EQ(nearest("orders", kWords), "order");
  EXPECT_EQ(nearest("owner", kWords), "");
  EXPECT_EQ(nearest("x", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest("mox", std::array<std::string_view, 2>{"", "max"}), "max");
}

RC_GTEST_PROP(Spelling, IsADistance, (const std::string& a, const std::string& b)) {
  RC_PRE(a.size() <= kWordSizeMax && b.size() <= kWordSizeMax);
  RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
  RC_ASSERT((edit_distance(a, b) == 0) == (a == b));
  RC_ASSERT(edit_distance(a, b) <= std::max(a.size(), b.size()));
  RC_ASSERT(edit_distance(a, b) >= std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
}

}  // namespace
}  // namespace tessera
