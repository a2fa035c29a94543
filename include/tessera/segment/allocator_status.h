#pragma once

// What an allocator says about itself, for operators and readiness checks.

#include <cstdint>
#include <optional>
#include <string_view>

#include "tessera/error.h"

namespace tessera {

enum class AllocatorHealth : std::uint8_t {
  healthy,    // the last draw worked, or there was none yet
  degraded,   // draws fail; the cache lasts for ten seconds or more
  draining,   // draws fail; the cache is gone in less than ten seconds
  empty,      // draws fail, and nothing is cached
  exhausted,  // the scope has no number left; never again
  poisoned,   // the store was rewound; nothing is handed out until resume()
  closed,
};

// "healthy" and so on.
std::string_view name_of(AllocatorHealth health) noexcept;

// drawn = issued + abandoned + cached, always.
struct AllocatorStatus {
  AllocatorHealth health = AllocatorHealth::healthy;
  double runway_s = 0;          // until the cache is empty at the present rate; infinite at rate 0
  double rate = 0;              // numbers a second, the higher of the two averages
  std::uint64_t target = 0;     // how many we would like to have cached
  std::uint64_t cached = 0;     // drawn and not handed out
  std::uint64_t waiters = 0;    // calls that wait now
  std::uint64_t draws = 0;      // that were answered with a range
  std::uint64_t drawn = 0;      // numbers in them
  std::uint64_t issued = 0;     // numbers handed out
  std::uint64_t abandoned = 0;  // numbers that were drawn and never will be handed out
  std::uint64_t unknown = 0;    // numbers asked for in draws of unknown outcome: gaps, perhaps
  std::uint64_t failures = 0;   // draws in a row that failed; 0: the last one worked
  std::int64_t epoch = 0;       // 0: the store was not asked yet
  std::int64_t high_water = 0;  // the highest number that we know to be reserved
  std::optional<Error> last_error;
};

}  // namespace tessera
