// What a Result promises: a value or the reason there is none, never both; and reading the
// side that is not there ends the process, in every build.

#include "tessera/result.h"

#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera {
namespace {

enum class Why { first, second };

using IntOrWhy = Result<int, Why>;

// Usable in a constant expression, and no bool by accident.
static_assert(IntOrWhy(7) && !IntOrWhy(Failure{Why::first}));
static_assert(IntOrWhy(7) == 7 && IntOrWhy(7) != 8);
static_assert(IntOrWhy(Failure{Why::first}) == Failure{Why::first});
static_assert(IntOrWhy(Failure{Why::first}) != Failure{Why::second});
static_assert(IntOrWhy(0) != Failure{Why::first});
static_assert(!std::is_convertible_v<IntOrWhy, bool> && !std::is_convertible_v<IntOrWhy, int>);
static_assert(!std::is_default_constructible_v<IntOrWhy>);
static_assert(std::is_trivially_copyable_v<IntOrWhy>);

constexpr IntOrWhy kSeven = 7;
constexpr IntOrWhy kNothing = Failure{Why::second};
static_assert(*kSeven == 7 && kNothing.error() == Why::second);
static_assert(kSeven.value_or(1) == 7 && kNothing.value_or(1) == 1);

TEST(Result, HoldsAValue) {
  Result<std::string, Why> result = std::string("value");
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "value");
  EXPECT_EQ(result->size(), 5u);
  *result += '!';
  result->push_back('?');
  EXPECT_EQ(std::as_const(result)->back(), '?');
  EXPECT_EQ(*std::move(result), "value!?");
}

TEST(Result, HoldsAReason) {
  const Result<std::string, Why> result = Failure{Why::second};
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), Why::second);
  EXPECT_EQ(result.value_or("other"), "other");
}

TEST(Result, TellsTheSidesApartWhenTheyHaveOneType) {
  const Result<int, int> value = 1;
  const Result<int, int> reason = Failure{1};
  EXPECT_TRUE(value);
  EXPECT_FALSE(reason);
  EXPECT_NE(value, reason);
}

TEST(Result, HoldsWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>, Why> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 3);
}

TEST(ResultDeathTest, ReadingTheWrongSideEndsTheProcess) {
  const IntOrWhy value = 7;
  IntOrWhy nothing = Failure{Why::first};
  const Result<std::string, Why> no_text = Failure{Why::first};
  const auto is_abort = testing::KilledBySignal(SIGABRT);
  EXPECT_EXIT(static_cast<void>(value.error()), is_abort, "");
  EXPECT_EXIT(static_cast<void>(*nothing), is_abort, "");
  EXPECT_EXIT(static_cast<void>(*std::as_const(nothing)), is_abort, "");
  EXPECT_EXIT(static_cast<void>(*std::move(nothing)), is_abort, "");
  EXPECT_EXIT(static_cast<void>(no_text->size()), is_abort, "");
}

}  // namespace
}  // namespace tessera
