#pragma once

// Times as people type them on a command line.
//
//    2026-01-31   2026-01-31T09:00   2026-01-31T09:00:00.250+02:00      ISO 8601
//    1767225600   1767225600000                                        unix seconds, ms
//    now  today  yesterday  tomorrow                                   UTC days
//    -7d  +2h  -90m  -30s  -2w  -500ms                                 from now

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::cli {

// Milliseconds since 1970, or nothing if `text` is no time.
std::optional<std::int64_t> parse_moment(std::string_view text, std::int64_t now_ms) noexcept;

// "3 years ago", "in 2 days", "now".
std::string relative_time(std::int64_t time_ms, std::int64_t now_ms);

// The same moment in the time zone of this machine: "2026-01-31 10:00:00.250 CET".
std::string local_time(std::int64_t time_ms);

// The clock, once.
std::int64_t current_ms() noexcept;

}  // namespace tessera::cli
