#pragma once

// Judges the log of a storm: no ID twice, and each stream in order. Knows the log format and
// nothing of the code that is judged.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "log_format.h"

namespace storm {

struct CheckOptions {
  std::uint64_t ids_min = 1;                         // fewer than that prove nothing
  std::size_t memory_size = std::size_t{512} << 20;  // about what the search for repeats takes
  unsigned threads = 2;
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct Verdict {
  std::string kind;
  std::string unusable;  // why there is no verdict; empty if there is one
  std::uint64_t id_count = 0;
  std::uint64_t stream_count = 0;
  std::uint64_t repeated = 0;         // IDs that were there before
  std::uint64_t disordered = 0;       // IDs not above the one before in their stream
  std::uint64_t below_parent = 0;     // streams of a child that do not begin above its parent
  std::vector<std::string> findings;  // the first few, in words

  bool good() const {
    return unusable.empty() && repeated == 0 && disordered == 0 && below_parent == 0;
  }
};

Verdict check(const std::string& path, const CheckOptions& options);

}  // namespace storm
