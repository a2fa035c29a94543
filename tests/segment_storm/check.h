#pragma once

// The verdict on the logs of a segment storm. Knows the format of a record, and nothing of the
// code that handed the numbers out.

#include <cstdint>
#include <string>
#include <vector>

namespace segment_storm {

struct Verdict {
  std::string unusable;  // why there is no verdict; empty: there is one
  std::uint64_t log_count = 0;
  std::uint64_t record_count = 0;
  std::uint64_t id_count = 0;         // numbers, each counted once
  std::uint64_t shared_keys = 0;      // keys that were answered more than once
  std::uint64_t repeated = 0;         // numbers that were handed out again
  std::uint64_t disordered = 0;       // ranges that are not above one that was there before
  std::uint64_t keys_broken = 0;      // keys that were answered with two ranges
  std::vector<std::string> findings;  // the first of each

  bool good() const noexcept {
    return unusable.empty() && repeated == 0 && disordered == 0 && keys_broken == 0;
  }
};

// All files of the folder that end with .log. With fewer numbers than `ids_min` there is no
// verdict, unless a promise is broken already.
Verdict check(const std::string& folder, std::uint64_t ids_min);

}  // namespace segment_storm
