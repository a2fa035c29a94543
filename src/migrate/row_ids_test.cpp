// IDs have the time of their row, neighbours of one millisecond keep their order, and a state that
// is kept and given back goes on as if nothing had happened.

#include "migrate/row_ids.h"

#include <gtest/gtest.h>

#include "tessera/system.h"
#include "tessera/uuid.h"

namespace tessera::migrate {
namespace {

constexpr std::int64_t kTime = 1'700'000'000'123;

std::uint64_t time_of(const Bytes16& body) { return detail::load_pair(body).hi >> 16; }

struct RowIdsTest : testing::Test {
  SystemClock clock;
  SystemEntropy entropy;
  RowIds ids{PublicStyle::ulid, clock, entropy};
};

TEST_F(RowIdsTest, HaveTheTimeOfTheirRowUpwardsAndBack) {
  for (const std::int64_t time :
       {kTime, kTime + 1, kTime + 5000, kTime - 86'400'000, std::int64_t{0}, kTime}) {
    EXPECT_EQ(time_of(*ids.next(time)), static_cast<std::uint64_t>(time));
  }
}

TEST_F(RowIdsTest, OfOneMillisecondRise) {
  auto last = *ids.next(kTime);
  for (int i = 0; i < 1000; ++i) {
    const auto next = *ids.next(kTime);
    ASSERT_LT(last, next);
    last = next;
  }
  EXPECT_EQ(time_of(last), static_cast<std::uint64_t>(kTime));
}

// A bulk load: a time that stands for more rows than its count has room for.
TEST_F(RowIdsTest, RunOverIntoTheNextMillisecondsAndStillRise) {
  auto last = *ids.next(kTime);
  for (int i = 0; i < 200'000; ++i) {
    const auto next = *ids.next(kTime);
    ASSERT_LT(last, next);
    last = next;
  }
  EXPECT_GT(time_of(last), static_cast<std::uint64_t>(kTime));
  EXPECT_LT(time_of(last), static_cast<std::uint64_t>(kTime) + 5);
  EXPECT_LT(last, *ids.next(kTime + 1)) << "the row behind them is of the next millisecond";
}

TEST_F(RowIdsTest, GoOnFromAStateThatWasKept) {
  const auto before = *ids.next(kTime);
  RowIds again(PublicStyle::ulid, clock, entropy);
  again.set_state(ids.state());
  EXPECT_LT(before, *again.next(kTime));
}

TEST_F(RowIdsTest, WithoutATimeAreOfNowAndRise) {
  const auto first = *ids.next(std::nullopt);
  EXPECT_NEAR(static_cast<double>(time_of(first)), static_cast<double>(clock.now_ms()), 60'000);
  auto last = first;
  for (int i = 0; i < 1000; ++i) {
    const auto next = *ids.next(std::nullopt);
    ASSERT_LT(last, next);
    last = next;
  }
  for (const std::int64_t time : {std::int64_t{-1}, INT64_MIN, INT64_MAX, std::int64_t{1} << 48}) {
    EXPECT_GT(time_of(*ids.next(time)), static_cast<std::uint64_t>(kTime)) << time;
  }
}

TEST_F(RowIdsTest, AreOfTheKindOfTheirStyle) {
  for (const auto style : {PublicStyle::type_id, PublicStyle::base36}) {
    RowIds uuids(style, clock, entropy);
    const auto body = *uuids.next(kTime);
    EXPECT_EQ(body[6] >> 4, 7);
    EXPECT_EQ(body[8] >> 6, 2);
    EXPECT_EQ(time_of(body), static_cast<std::uint64_t>(kTime));
  }
}

TEST_F(RowIdsTest, AreWrittenInTheFormOfTheColumn) {
  Target target;
  target.type = {"store", "sto", PublicStyle::ulid, '_'};
  const auto body = *ids.next(kTime);
  const auto text = std::get<std::string>(column_value(target, body));
  EXPECT_EQ(*public_id::parse_typed(text, "sto", PublicStyle::ulid), body);
  target.form = Form::bytes;
  EXPECT_EQ(std::get<db::Bytes>(column_value(target, body)).bytes.size(), 16U);
}

}  // namespace
}  // namespace tessera::migrate
