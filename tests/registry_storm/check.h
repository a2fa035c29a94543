#pragma once

// Judges a storm by its logs alone.

#include <cstddef>
#include <string>
#include <vector>

#include "event.h"

namespace registry_storm {

struct Verdict {
  std::vector<std::string> broken;  // promises, each with its evidence; at most a few of a kind
  std::size_t creations = 0;
  std::size_t retirements = 0;
  std::size_t repeats = 0;  // answers that a key had given before
  std::size_t looks = 0;
};

Verdict check(const std::vector<Event>& events);

}  // namespace registry_storm
