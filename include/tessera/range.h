#pragma once

// The smallest and the largest ID of a span of time: what a query by time needs.
//
//    SELECT … WHERE id >= smallest AND id <= largest
//
// A span has a first moment and an end that is not part of it. A kind that counts in
// coarser units than milliseconds gives the bounds of every unit that the span touches.

#include <cstdint>
#include <optional>

#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/snowflake.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {

template <class Id>
struct IdRange {
  Id smallest;
  Id largest;

  friend constexpr bool operator==(const IdRange&, const IdRange&) = default;
};

namespace detail {

constexpr bool is_span(std::uint64_t from_ms, std::uint64_t to_ms, std::uint64_t ms_max) noexcept {
  return from_ms < to_ms && to_ms - 1 <= ms_max;
}

}  // namespace detail

// Nothing if the span is empty, or the kind cannot say one of its ends.
constexpr std::optional<IdRange<Ulid>> ulid_range(std::uint64_t from_ms,
                                                  std::uint64_t to_ms) noexcept {
  if (!detail::is_span(from_ms, to_ms, Ulid::kTimeMsMax)) return std::nullopt;
  return IdRange<Ulid>{Ulid::smallest(from_ms), Ulid::largest(to_ms - 1)};
}

constexpr std::optional<IdRange<Uuid>> uuidv7_range(std::uint64_t from_ms,
                                                    std::uint64_t to_ms) noexcept {
  if (!detail::is_span(from_ms, to_ms, Uuid::kTimeMsMax)) return std::nullopt;
  return IdRange<Uuid>{Uuid::smallest_v7(from_ms), Uuid::largest_v7(to_ms - 1)};
}

// Version 6. (Version 1 does not sort by time, so it has no range.)
constexpr std::optional<IdRange<Uuid>> uuidv6_range(std::uint64_t from_ms,
                                                    std::uint64_t to_ms) noexcept {
  constexpr std::uint64_t kTicksMax = (std::uint64_t{1} << 60) - 1;
  constexpr std::uint64_t kMsMax = (kTicksMax - Uuid::kGregorianOffset100ns) / 10'000 - 1;
  if (!detail::is_span(from_ms, to_ms, kMsMax)) return std::nullopt;
  const auto at = [](std::uint64_t ticks, std::uint64_t rest) {
    return Uuid::stamped({ticks >> 12 << 16 | (ticks & 0xFFF), rest}, 6);
  };
  const std::uint64_t first = from_ms * 10'000 + Uuid::kGregorianOffset100ns;
  const std::uint64_t last = to_ms * 10'000 + Uuid::kGregorianOffset100ns - 1;
  return IdRange<Uuid>{at(first, 0), at(last, ~std::uint64_t{0})};
}

constexpr std::optional<IdRange<ObjectId>> objectid_range(std::uint64_t from_ms,
                                                          std::uint64_t to_ms) noexcept {
  if (!detail::is_span(from_ms, to_ms, ObjectId::kTimeSMax * 1000 + 999)) return std::nullopt;
  return IdRange<ObjectId>{ObjectId::smallest(from_ms / 1000),
                           ObjectId::largest((to_ms - 1) / 1000)};
}

constexpr std::optional<IdRange<Ksuid>> ksuid_range(std::uint64_t from_ms,
                                                    std::uint64_t to_ms) noexcept {
  if (!detail::is_span(from_ms, to_ms, Ksuid::kTimeSMax * 1000 + 999)) return std::nullopt;
  if (from_ms / 1000 < Ksuid::kEpochS) return std::nullopt;
  return IdRange<Ksuid>{Ksuid::smallest(from_ms / 1000), Ksuid::largest((to_ms - 1) / 1000)};
}

constexpr std::optional<IdRange<Snowflake>> snowflake_range(const SnowflakeLayout& layout,
                                                            std::uint64_t from_ms,
                                                            std::uint64_t to_ms) noexcept {
  if (from_ms >= to_ms) return std::nullopt;
  const auto smallest = Snowflake::smallest(layout, from_ms);
  const auto largest = Snowflake::largest(layout, to_ms - 1);
  if (!smallest || !largest) return std::nullopt;
  return IdRange<Snowflake>{*smallest, *largest};
}

}  // namespace tessera
