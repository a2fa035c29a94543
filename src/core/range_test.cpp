// What a range promises: an ID lies in it if, and only if, its time lies in the span; for kinds
// of coarser units, if its unit is touched by the span. A span that is empty, or that the kind
// cannot say, has no range.

#include "tessera/range.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "support/fakes.h"
#include "support/properties.h"
#include "support/vectors.h"

namespace tessera {
namespace {

constexpr std::uint64_t kMax = ~std::uint64_t{0};

static_assert(ulid_range(1, 2) == IdRange<Ulid>{Ulid::smallest(1), Ulid::largest(1)});
static_assert(uuidv7_range(0, 5)->largest == Uuid::largest_v7(4));
static_assert(!ulid_range(2, 2) && !objectid_range(2, 1));

template <class Id>
bool has(const std::optional<IdRange<Id>>& range, const Id& id) {
  return range && range->smallest <= id && id <= range->largest;
}

TEST(Range, OfOneMillisecondIsItsSmallestAndLargestUlid) {
  for (const auto& row : vectors::read_table("oracle-ulid-range.tsv")) {
    SCOPED_TRACE(row.where());
    const std::uint64_t time_ms = vectors::number(row["unix_ms"]);
    const auto range = ulid_range(time_ms, time_ms + 1);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->smallest.to_string(), row["min_ulid"]);
    EXPECT_EQ(range->largest.to_string(), row["max_ulid"]);
  }
}

TEST(Range, OfOneSecondBeginsWithItsSmallestObjectId) {
  for (const auto& row : vectors::read_table("oracle-objectid.tsv")) {
    SCOPED_TRACE(row.where());
    const std::uint64_t time_ms = vectors::number(row["unix_s"]) * 1000;
    for (const std::uint64_t within_ms : {0u, 1u, 500u, 999u}) {
      const auto range = objectid_range(time_ms + within_ms, time_ms + within_ms + 1);
      ASSERT_TRUE(range);
      EXPECT_EQ(range->smallest.to_string(), row["min_objectid_for_second"]);
      EXPECT_TRUE(has(range, *ObjectId::parse(row["hex"])));
    }
  }
}

// One kind: its range, and the last millisecond that it can say.
template <class Id>
struct Kind {
  const char* name;
  std::optional<IdRange<Id>> (*range)(std::uint64_t, std::uint64_t) noexcept;
  std::uint64_t first_ms;
  std::uint64_t last_ms;
};

// Version 6 counts 60 bits of 100 ns from 1582; the last whole millisecond of that, from 1970.
constexpr std::uint64_t kLastV6Ms = 103'072'857'660'683;

template <class Id>
void check_edges(const Kind<Id>& kind) {
  SCOPED_TRACE(kind.name);
  const auto [name, range, first_ms, last_ms] = kind;
  EXPECT_TRUE(range(first_ms, first_ms + 1));
  EXPECT_TRUE(range(last_ms, last_ms + 1));
  EXPECT_TRUE(range(first_ms, last_ms + 1));
  EXPECT_EQ(range(first_ms, last_ms + 1)->smallest, range(first_ms, first_ms + 1)->smallest);
  EXPECT_EQ(range(first_ms, last_ms + 1)->largest, range(last_ms, last_ms + 1)->largest);

  // Empty, and the wrong way round.
  for (const std::uint64_t time_ms : {first_ms, first_ms + 1, last_ms, last_ms + 1, kMax}) {
    EXPECT_FALSE(range(time_ms, time_ms));
    EXPECT_FALSE(range(time_ms, time_ms - 1)) << time_ms;
    EXPECT_FALSE(range(kMax, time_ms));
  }
  EXPECT_FALSE(range(0, 0));
  // Past the end.
  for (const std::uint64_t to_ms : {last_ms + 2, last_ms + 3, kMax - 1, kMax}) {
    EXPECT_FALSE(range(first_ms, to_ms)) << to_ms;
    EXPECT_FALSE(range(last_ms, to_ms)) << to_ms;
    EXPECT_FALSE(range(last_ms + 1, to_ms)) << to_ms;
  }
  // Before the beginning.
  if (first_ms > 0) {
    EXPECT_FALSE(range(first_ms - 1, last_ms));
    EXPECT_FALSE(range(0, first_ms));
  }
}

TEST(Range, EndsWhereTheKindEnds) {
  check_edges<Ulid>({"ulid", ulid_range, 0, 0xFFFF'FFFF'FFFF});
  check_edges<Uuid>({"uuidv7", uuidv7_range, 0, 0xFFFF'FFFF'FFFF});
  check_edges<Uuid>({"uuidv6", uuidv6_range, 0, kLastV6Ms});
  check_edges<ObjectId>({"objectid", objectid_range, 0, 4'294'967'295'999});
  check_edges<Ksuid>({"ksuid", ksuid_range, 1'400'000'000'000, 5'694'967'295'999});
}

TEST(Range, OfNeighbouringSpansMeetAndDoNotOverlap) {
  constexpr std::uint64_t kFrom = 1'755'854'043'000;
  constexpr std::uint64_t kMiddle = kFrom + 2'000;
  constexpr std::uint64_t kTo = kMiddle + 1'000;
  const auto check = [&](auto range) {
    const auto before = range(kFrom, kMiddle);
    const auto behind = range(kMiddle, kTo);
    ASSERT_TRUE(before && behind);
    EXPECT_LT(before->largest, behind->smallest);
    EXPECT_EQ(range(kFrom, kTo)->smallest, before->smallest);
    EXPECT_EQ(range(kFrom, kTo)->largest, behind->largest);
  };
  check(ulid_range);
  check(uuidv7_range);
  check(uuidv6_range);
  check(objectid_range);
  check(ksuid_range);
  for (const auto& layout : all_snowflake_layouts()) {
    check([&](std::uint64_t from, std::uint64_t to) { return snowflake_range(layout, from, to); });
  }
  // Not one step of time is left out.
  EXPECT_EQ(ulid_range(kFrom, kMiddle)->largest.time_ms() + 1, kMiddle);
  EXPECT_EQ(uuidv7_range(kFrom, kMiddle)->largest.time_ms(), std::int64_t{kMiddle} - 1);
  EXPECT_EQ(*uuidv6_range(kFrom, kMiddle)->largest.time_100ns() + 1,
            *uuidv6_range(kMiddle, kTo)->smallest.time_100ns());
}

// The rest of the file is one property for each kind: in the range = in the span.

// Spans and times that are near each other, so that both answers come up.
struct Span {
  std::uint64_t from_ms;
  std::uint64_t to_ms;
  std::uint64_t time_ms;
};

Span any_span(std::uint64_t first_ms, std::uint64_t last_ms) {
  const std::uint64_t wide = *rc::gen::elementOf(
      std::vector<std::uint64_t>{3, 2'000, 5'000, 86'400'000, last_ms - first_ms});
  const auto near = [&](std::uint64_t center) {
    const std::uint64_t low = center - std::min(center - first_ms, wide);
    const std::uint64_t high = center + std::min(last_ms - center, wide);
    return *any_from_to(low, high);
  };
  const std::uint64_t center = *any_from_to(first_ms, last_ms);
  return {near(center), near(center), near(center)};
}

template <class Id>
void check_in_range(const std::optional<IdRange<Id>>& range, const Id& id, const Span& span,
                    std::uint64_t unit_ms) {
  RC_ASSERT(static_cast<bool>(range) == (span.from_ms < span.to_ms));
  if (!range) return;
  const bool inside = span.from_ms / unit_ms <= span.time_ms / unit_ms &&
                      span.time_ms / unit_ms <= (span.to_ms - 1) / unit_ms;
  RC_ASSERT(has(range, id) == inside);
}

RC_GTEST_PROP(Range, OfUlidsHasThoseOfItsSpanAndNoOther, (Ulid id)) {
  const Span span = any_span(0, Ulid::kTimeMsMax);
  detail::store_be<6>(id.bytes.data(), span.time_ms);
  check_in_range(ulid_range(span.from_ms, span.to_ms), id, span, 1);
}

RC_GTEST_PROP(Range, OfUuidv7HasThoseOfItsSpanAndNoOther, (Uuid any)) {
  const Span span = any_span(0, Uuid::kTimeMsMax);
  detail::store_be<6>(any.bytes.data(), span.time_ms);
  const Uuid id = Uuid::stamped(detail::load_pair(any.bytes), 7);
  RC_ASSERT(id.time_ms() == static_cast<std::int64_t>(span.time_ms));
  check_in_range(uuidv7_range(span.from_ms, span.to_ms), id, span, 1);
}

RC_GTEST_PROP(Range, OfUuidv6HasThoseOfItsSpanAndNoOther, (const Uuid& any)) {
  const Span span = any_span(0, kLastV6Ms);
  const std::uint64_t ticks =
      span.time_ms * 10'000 + *any_from_to<std::uint64_t>(0, 9'999) + Uuid::kGregorianOffset100ns;
  const Uuid id =
      Uuid::stamped({ticks >> 12 << 16 | (ticks & 0xFFF), detail::load_pair(any.bytes).lo}, 6);
  RC_ASSERT(id.time_ms() == static_cast<std::int64_t>(span.time_ms));
  check_in_range(uuidv6_range(span.from_ms, span.to_ms), id, span, 1);
}

RC_GTEST_PROP(Range, OfUuidv6HasNoneFromBefore1970, (const Uuid& any)) {
  const std::uint64_t ticks = *any_from_to<std::uint64_t>(0, Uuid::kGregorianOffset100ns - 1);
  const Uuid id =
      Uuid::stamped({ticks >> 12 << 16 | (ticks & 0xFFF), detail::load_pair(any.bytes).lo}, 6);
  RC_ASSERT(id.time_ms() < 0);
  RC_ASSERT(!has(uuidv6_range(0, kLastV6Ms), id));
}

RC_GTEST_PROP(Range, OfObjectIdsHasThoseOfEverySecondThatItTouches, (ObjectId id)) {
  const Span span = any_span(0, 4'294'967'295'999);
  detail::store_be<4>(id.bytes.data(), span.time_ms / 1000);
  check_in_range(objectid_range(span.from_ms, span.to_ms), id, span, 1000);
}

RC_GTEST_PROP(Range, OfKsuidsHasThoseOfEverySecondThatItTouches, (Ksuid id)) {
  const Span span = any_span(1'400'000'000'000, 5'694'967'295'999);
  detail::store_be<4>(id.bytes.data(), span.time_ms / 1000 - Ksuid::kEpochS);
  check_in_range(ksuid_range(span.from_ms, span.to_ms), id, span, 1000);
}

RC_GTEST_PROP(Range, OfSnowflakesHasThoseOfEveryUnitThatItTouches, ()) {
  const auto layouts = all_snowflake_layouts();
  const auto& layout = layouts[*any_from_to(std::size_t{0}, layouts.size() - 1)];
  Span span = any_span(layout.epoch_ms, layout.time_ms_max());
  const auto id =
      Snowflake::from_parts(layout, (span.time_ms - layout.epoch_ms) / layout.unit_ms,
                            *any_u64() & layout.machine_max(), *any_u64() & layout.sequence_max());
  const auto range = snowflake_range(layout, span.from_ms, span.to_ms);
  // Units are counted from the epoch of the layout.
  span.from_ms -= layout.epoch_ms;
  span.to_ms -= layout.epoch_ms;
  span.time_ms -= layout.epoch_ms;
  check_in_range(range, id, span, layout.unit_ms);
}

TEST(Range, OfSnowflakesEndsWhereTheLayoutEnds) {
  for (const auto& layout : all_snowflake_layouts()) {
    SCOPED_TRACE(layout.name);
    const std::uint64_t first_ms = layout.epoch_ms;
    const std::uint64_t last_ms = layout.time_ms_max();
    const auto all = snowflake_range(layout, first_ms, last_ms + 1);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->smallest.value, 0u);
    EXPECT_EQ(all->largest.value, (std::uint64_t{1} << layout.bits()) - 1);
    EXPECT_FALSE(snowflake_range(layout, first_ms, first_ms));
    EXPECT_FALSE(snowflake_range(layout, last_ms, first_ms));
    EXPECT_FALSE(snowflake_range(layout, first_ms, last_ms + 2));
    EXPECT_FALSE(snowflake_range(layout, first_ms, kMax));
    EXPECT_FALSE(snowflake_range(layout, kMax - 1, kMax));
    EXPECT_EQ(snowflake_range(layout, first_ms - 1, last_ms), std::nullopt);
  }
}

TEST(Range, HasWhatIsMintedInItsSpan) {
  SeededEntropy entropy(1);
  for (const std::uint64_t time_ms :
       {1'400'000'000'000u + 1ull, 1'755'854'043'118ull, 4'000'000'000'999ull}) {
    FakeClock clock(time_ms);
    clock.time_100ns = 9'999;
    UlidGenerator ulids(clock, entropy);
    Uuidv7Generator uuids(clock, entropy);
    Uuidv6Generator uuids6(clock, entropy);
    KsuidGenerator ksuids(clock, entropy);
    ObjectIdGenerator object_ids(clock, entropy);
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(has(ulid_range(time_ms, time_ms + 1), *ulids.next()));
      EXPECT_TRUE(has(uuidv7_range(time_ms, time_ms + 1), *uuids.next()));
      EXPECT_TRUE(has(ksuid_range(time_ms, time_ms + 1), *ksuids.next()));
      EXPECT_TRUE(has(objectid_range(time_ms, time_ms + 1), *object_ids.next()));
    }
    EXPECT_TRUE(has(uuidv6_range(time_ms, time_ms + 1), *uuids6.next()));
    // The millisecond before and the one behind do not have them.
    EXPECT_FALSE(has(ulid_range(time_ms - 1, time_ms), *ulids.next()));
    EXPECT_FALSE(has(ulid_range(time_ms + 1, time_ms + 2), *ulids.next()));
    EXPECT_FALSE(has(uuidv7_range(time_ms - 1, time_ms), *uuids.next()));
    EXPECT_FALSE(has(uuidv7_range(time_ms + 1, time_ms + 2), *uuids.next()));
  }
}

}  // namespace
}  // namespace tessera
