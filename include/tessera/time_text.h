#pragma once

// Moments as people write them: ISO 8601 in UTC, by a calendar of our own that needs no
// locale, no time zone and no allocation, and reaches as far as 48 bits of milliseconds.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/text.h"

namespace tessera {

struct CivilTime {
  std::int64_t year = 1970;
  unsigned month = 1;  // 1 to 12
  unsigned day = 1;    // 1 to 31
  unsigned hour = 0, minute = 0, second = 0, millisecond = 0;

  friend constexpr bool operator==(const CivilTime&, const CivilTime&) = default;
};

// The proleptic Gregorian calendar, both ways. Any `time_ms` that 64 bits can hold.
CivilTime civil_time(std::int64_t time_ms) noexcept;
std::int64_t time_ms_of(const CivilTime& civil) noexcept;

// "2026-08-22T09:14:03.118Z"; years past 9999 have a sign, as ISO 8601 asks.
Text<40> time_text(std::int64_t time_ms) noexcept;

// "2026-08-22", "2026-08-22T09:14", "2026-08-22T09:14:03", "….118", "….118+02:00", "…Z",
// or with a blank for the T. Without a zone the time is UTC. Nothing if it is no such time.
std::optional<std::int64_t> parse_time(std::string_view text) noexcept;

}  // namespace tessera
