#pragma once

// Times as people type them on a command line.
//
//    2026-01-31   2026-01-31T09:00   2026-01-31T09:00:00.250+02:00      ISO 8601
//    20260131                                                          the same without hyphens
//    1767225600   1767225600000                                        unix seconds, ms
//    now  today  yesterday  tomorrow                                   UTC days
//    -7d  +2h  -90m  -30s  -2w  -500ms                                 from now

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "args.h"

namespace tessera::cli {

// Milliseconds since 1970, or nothing if `text` is no time.
std::optional<std::int64_t> parse_moment(std::string_view text, std::int64_t now_ms);

// "3 years ago", "in 2 days", "now".
std::string relative_time(std::int64_t time_ms, std::int64_t now_ms);

// The same moment in the time zone of this machine: "2026-01-31 10:00:00.250 CET".
std::string local_time(std::int64_t time_ms);

// --now, or else what the clock says. Nothing if --now is no time; that has been complained
// about.
std::optional<std::int64_t> present_ms(const Args& args);

// What a time may look like, for hints.
inline constexpr std::string_view kTimeHint =
    "As in 2026-01-31, 2026-01-31T09:00Z, 1767225600, yesterday or -7d.";

}  // namespace tessera::cli
