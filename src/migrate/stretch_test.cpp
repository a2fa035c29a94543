// Every row of a stretch is handed out once, in rounds; what was not done comes again.

#include "migrate/stretch.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace tessera::migrate {
namespace {

Stretch stretch_of(std::int64_t count, const std::vector<std::uint8_t>& shape) {
  std::vector<Row> rows;
  std::vector<db::Value> ids;
  for (std::int64_t i = 1; i <= count; ++i) {
    rows.push_back({i, {}, {}});
    ids.emplace_back(-i);
  }
  return Stretch(std::move(rows), std::move(ids), shape);
}

std::vector<std::int64_t> keys_of(const Stretch::Part& part) {
  std::vector<std::int64_t> keys;
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    keys.push_back(std::get<std::int64_t>(part.rows[i].key));
    EXPECT_EQ(std::get<std::int64_t>(part.ids[i]), -keys.back()) << "an ID goes with its row";
  }
  return keys;
}

TEST(Stretch, OfNothingIsFilled) { EXPECT_TRUE(Stretch().filled()); }

TEST(Stretch, IsHandedOutInRounds) {
  using Keys = std::vector<std::int64_t>;
  Stretch stretch = stretch_of(8, {1, 1, 1});
  for (const Keys& expected : {Keys{1, 4}, Keys{7}, Keys{2, 5}, Keys{8}, Keys{3, 6}}) {
    ASSERT_FALSE(stretch.filled());
    const auto part = stretch.next(2);
    EXPECT_EQ(keys_of(part), expected);
    EXPECT_EQ(part.is_last, expected == Keys({3, 6}));
    stretch.take(part);
  }
  EXPECT_TRUE(stretch.filled());
  EXPECT_EQ(std::get<std::int64_t>(stretch.last_key()), 8);
}

TEST(Stretch, RoundsHaveTheirSharesSpreadEvenly) {
  using Keys = std::vector<std::int64_t>;
  Stretch stretch = stretch_of(6, {2, 1});
  EXPECT_EQ(keys_of(stretch.next(100)), (Keys{1, 3, 4, 6}));
  stretch.take(stretch.next(100));
  EXPECT_EQ(keys_of(stretch.next(100)), (Keys{2, 5}));
}

TEST(Stretch, TheLargestRoundIsABatch) {
  constexpr std::array<std::uint8_t, 3> kShape = {3, 4, 2};
  EXPECT_EQ(Stretch::rows_for(1000, kShape), 2250);
  Stretch stretch = stretch_of(2250, {3, 4, 2});
  for (const std::size_t expected : {750U, 1000U, 500U}) {
    const auto part = stretch.next(5000);
    EXPECT_EQ(part.rows.size(), expected);
    stretch.take(part);
  }
  EXPECT_EQ(Stretch::rows_for(16, std::array<std::uint8_t, 1>{1}), 16);
}

TEST(Stretch, APartThatWasNotDoneComesAgain) {
  Stretch stretch = stretch_of(10, {1, 1});
  EXPECT_EQ(keys_of(stretch.next(3)), keys_of(stretch.next(3)));
  stretch.take(stretch.next(3));
  EXPECT_EQ(keys_of(stretch.next(1)), (std::vector<std::int64_t>{7}));
}

RC_GTEST_PROP(Stretch, EveryRowComesOnceAndRisesWithinAPart, ()) {
  const auto count = *rc::gen::inRange<std::int64_t>(1, 200);
  const auto shape = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(1, 6)));
  Stretch stretch = stretch_of(count, shape);
  std::vector<std::int64_t> all;
  bool last = false;
  while (!stretch.filled()) {
    RC_ASSERT(!last);
    const auto part = stretch.next(*rc::gen::inRange<std::size_t>(1, 40));
    const auto keys = keys_of(part);
    RC_ASSERT(!keys.empty());
    RC_ASSERT(std::ranges::is_sorted(keys));
    all.insert(all.end(), keys.begin(), keys.end());
    last = part.is_last;
    stretch.take(part);
  }
  RC_ASSERT(last);
  std::ranges::sort(all);
  RC_ASSERT(all.size() == static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) RC_ASSERT(all[static_cast<std::size_t>(i)] == i + 1);
}

}  // namespace
}  // namespace tessera::migrate
