// What is assumed about each kind: its name, how common it is, when it was born.

#include <algorithm>
#include <array>

#include "core/detect_readings.h"
#include "tessera/ksuid.h"

namespace tessera::detection {
namespace {

// The first millisecond of a day; years from 1970 on.
constexpr std::int64_t day(int year, int month, int date) noexcept {
  constexpr std::array<int, 12> kBefore = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const int leaps = (year - 1969) / 4 - (year - 1901) / 100 + (year - 1601) / 400;
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const int days = (year - 1970) * 365 + leaps + kBefore[static_cast<std::size_t>(month - 1)] +
                   (leap && month > 2 ? 1 : 0) + date - 1;
  return std::int64_t{days} * 86'400'000;
}
static_assert(day(2020, 1, 1) == 1'577'836'800'000 && day(2024, 3, 1) == 1'709'251'200'000);

// Priors: how common a kind is among the texts that people hold and ask about, by rough
// powers of two; together they make about one. Births: when the first ones were made, where
// the kind has a time; for those with an epoch of their own, that epoch.
constexpr std::array kTable = {
    DetectableKind{"uuid-v0", -14, {}},
    DetectableKind{"uuid-v1", -5, day(1990, 1, 1)},
    DetectableKind{"uuid-v2", -13, {}},
    DetectableKind{"uuid-v3", -9, {}},
    DetectableKind{"uuid-v4", -2, {}},
    DetectableKind{"uuid-v5", -7, {}},
    DetectableKind{"uuid-v6", -9, day(1990, 1, 1)},  // old ones are rewritten version 1
    DetectableKind{"uuid-v7", -3, day(2020, 1, 1)},
    DetectableKind{"uuid-v8", -10, {}},
    DetectableKind{"uuid-v9", -14, {}},
    DetectableKind{"uuid-v10", -14, {}},
    DetectableKind{"uuid-v11", -14, {}},
    DetectableKind{"uuid-v12", -14, {}},
    DetectableKind{"uuid-v13", -14, {}},
    DetectableKind{"uuid-v14", -14, {}},
    DetectableKind{"uuid-v15", -14, {}},
    DetectableKind{"uuid-nil", -9, {}},
    DetectableKind{"uuid-max", -11, {}},
    DetectableKind{"uuid-ncs", -13, {}},
    DetectableKind{"uuid-microsoft", -13, {}},
    DetectableKind{"uuid-future", -14, {}},
    DetectableKind{"ulid", -3, day(2016, 1, 1)},
    DetectableKind{"typeid", -4, day(2020, 1, 1)},
    DetectableKind{"public-id", -4, day(2016, 1, 1)},
    DetectableKind{"base36-uuid-v7", -8, day(2020, 1, 1)},
    DetectableKind{"base36-uuid", -12, {}},
    DetectableKind{"ksuid", -6, std::int64_t{Ksuid::kEpochS} * 1000},
    DetectableKind{"ksuid-hex", -8, std::int64_t{Ksuid::kEpochS} * 1000},
    DetectableKind{"objectid", -4, day(2009, 1, 1)},
    DetectableKind{"snowflake", -3.5, {}},
    DetectableKind{"snowflake-twitter", -5, day(2010, 11, 4)},
    DetectableKind{"snowflake-discord", -5, day(2015, 1, 1)},
    DetectableKind{"snowflake-instagram", -7, day(2011, 8, 24)},
    DetectableKind{"snowflake-mastodon", -7, day(2016, 10, 1)},
    DetectableKind{"snowflake-sony", -9, day(2014, 9, 1)},
    DetectableKind{"snowflake-linkedin", -8, day(2010, 1, 1)},
    DetectableKind{"snowflake-js53", -9, day(2024, 1, 1)},
    DetectableKind{"crockford-check", -6, {}},
    DetectableKind{"resource-name", -6, {}},
    DetectableKind{"tsid", -7, day(2020, 1, 1)},
    DetectableKind{"tid", -8, day(2022, 10, 1)},
    DetectableKind{"xid", -7, day(2015, 1, 1)},
    DetectableKind{"scru64", -9, day(2022, 12, 1)},
    DetectableKind{"scru128", -8, day(2022, 1, 1)},
    DetectableKind{"timeflake", -8, day(2020, 1, 1)},
    DetectableKind{"pushid", -7, day(2012, 1, 1)},
    DetectableKind{"cuid1", -7, day(2012, 1, 1)},
    DetectableKind{"cuid2", -6, {}},
    DetectableKind{"nanoid", -5, {}},
    DetectableKind{"sqids", -8, {}},
    DetectableKind{"stripe", -6, {}},
    DetectableKind{"orderlyid", -9, day(2020, 1, 1)},
    DetectableKind{"youtube", -10.5, {}},
    DetectableKind{"unix-s", -6, day(2000, 1, 1)},
    DetectableKind{"unix-ms", -6, day(2000, 1, 1)},
    DetectableKind{"unix-us", -8, day(2000, 1, 1)},
    DetectableKind{"unix-ns", -8, day(2000, 1, 1)},
    DetectableKind{"md5", -7, {}},
    DetectableKind{"sha1", -6, {}},
    DetectableKind{"sha224", -11, {}},
    DetectableKind{"sha256", -6, {}},
    DetectableKind{"sha384", -10, {}},
    DetectableKind{"sha512", -8, {}},
};

constexpr const DetectableKind& row(Kind kind) { return kTable[static_cast<std::size_t>(kind)]; }
static_assert(kTable.size() == static_cast<std::size_t>(Kind::sha512) + 1);
static_assert(row(Kind::uuid_v7).name == "uuid-v7" && row(Kind::ulid).name == "ulid" &&
              row(Kind::tsid).name == "tsid" && row(Kind::youtube).name == "youtube" &&
              row(Kind::sha512).name == "sha512");

}  // namespace

const DetectableKind& row_of(Kind kind) noexcept { return row(kind); }

}  // namespace tessera::detection

namespace tessera {

std::span<const DetectableKind> detectable_kinds() noexcept { return detection::kTable; }

}  // namespace tessera
