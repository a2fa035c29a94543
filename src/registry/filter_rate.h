#pragma once

// How often a blocked Bloom filter is wrong, and how large it must be.

#include <cstdint>

namespace tessera::registry {

inline constexpr double kBlockBits = 512;

// The odds that a key which was never inserted is taken for one, when blocks have `load` keys on
// average and each key sets `probes` bits of its block, some of them perhaps twice.
double blocked_rate(double load, unsigned probes) noexcept;

struct Geometry {
  std::uint64_t block_count = 1;
  unsigned probes = 1;
};

// The smallest filter for so many keys at this rate.
Geometry smallest_geometry(std::uint64_t capacity, double rate, unsigned probes_max) noexcept;

}  // namespace tessera::registry
