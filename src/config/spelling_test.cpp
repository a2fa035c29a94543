// What a suggestion promises: the word that was meant, or the words that there are, if they are
// few.

#include "config/spelling.h"

#include <gtest/gtest.h>

#include <array>

namespace tessera::config {
namespace {

TEST(Suggestion, NamesTheNearestOrAll) {
  constexpr std::array<std::string_view, 4> kWords = {"min", "max", "step", "order"};
  EXPECT_EQ(suggestion("setp", kWords, "keys"), "did you mean 'step'?");
  EXPECT_EQ(suggestion("colour", kWords, "keys"), "keys: min, max, step, order");
  EXPECT_EQ(suggestion("colour", {}, "keys"), "");
}

}  // namespace
}  // namespace tessera::config
