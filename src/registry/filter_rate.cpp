// The formula of blocked filters, and the search for the smallest size that keeps a rate.

#include "registry/filter_rate.h"

#include <algorithm>
#include <cmath>

namespace tessera::registry {
namespace {

// The same for one block with exactly `throws` bits set, one after the other: the share of set
// bits to the power of the probes. Its mean is larger than the power of the mean, which matters
// in small blocks; hence the second term.
double rate_of_block(double throws, double probes) noexcept {
  const double clear = std::pow(1 - 1 / kBlockBits, throws);
  const double both_clear = std::pow(1 - 2 / kBlockBits, throws);
  const double variance =
      std::max(0.0, clear / kBlockBits + (1 - 1 / kBlockBits) * both_clear - clear * clear);
  const double mean = 1 - clear;
  if (mean <= 0) return 0;
  const double power = std::pow(mean, probes);
  return std::min(1.0, power * (1 + probes * (probes - 1) / 2 * variance / (mean * mean)));
}

}  // namespace

double blocked_rate(double load, unsigned probes) noexcept {
  if (load <= 0) return 0;
  if (load >= 64 * kBlockBits) return 1;  // every bit is set, but for one block in 10^25
  // A block has j keys with the odds of a Poisson distribution; beyond twelve deviations there
  // is nothing that counts.
  const double deviation = std::sqrt(load);
  const auto from = static_cast<std::uint64_t>(std::max(0.0, load - 12 * deviation));
  const auto to = static_cast<std::uint64_t>(load + 12 * deviation + 24);
  double sum = 0;
  for (std::uint64_t j = from; j <= to; ++j) {
    const auto keys = static_cast<double>(j);
    const double odds = std::exp(keys * std::log(load) - load - std::lgamma(keys + 1));
    sum += odds * rate_of_block(keys * probes, probes);
  }
  return std::min(1.0, sum);
}

namespace {

struct Densest {
  double rate = 0;
  unsigned probes_max = 0;
  double load = 0;  // keys in a block
  unsigned probes = 1;
};

// Takes some 20 ms.
Densest search_densest(double rate, unsigned probes_max) noexcept {
  Densest best{rate, probes_max};
  for (unsigned probes = 1; probes <= probes_max; ++probes) {
    double low = 0;
    double high = kBlockBits;
    for (int i = 0; i < 40; ++i) {
      const double middle = (low + high) / 2;
      (blocked_rate(middle, probes) <= rate ? low : high) = middle;
    }
    if (low > best.load) {
      best.load = low;
      best.probes = probes;
    }
  }
  return best;
}

}  // namespace

Geometry smallest_geometry(std::uint64_t capacity, double rate, unsigned probes_max) noexcept {
  // Most types have the same rate.
  thread_local Densest best;
  if (best.rate != rate || best.probes_max != probes_max) best = search_densest(rate, probes_max);
  const double blocks = std::ceil(static_cast<double>(capacity) / best.load);
  return {std::max<std::uint64_t>(1, static_cast<std::uint64_t>(blocks)), best.probes};
}

}  // namespace tessera::registry
