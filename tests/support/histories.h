#pragma once

// Which histories of a simulation are played: TESSERA_SIM_SEED=N plays that one alone, as a failure
// names it. And for how long, in a soak.

#include <gtest/gtest.h>
#include <time.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "support/soak.h"

namespace tessera {

struct SimSeeds {
  std::uint64_t first = 1;
  std::uint64_t end = 1;
  bool one = false;  // a single history: nothing can be said of what happens in all of them
};

inline SimSeeds sim_seeds(std::uint64_t first, std::uint64_t count) {
  if (const char* text = std::getenv("TESSERA_SIM_SEED")) {
    const std::uint64_t seed = std::strtoull(text, nullptr, 10);
    return {seed, seed + 1, true};
  }
  return {first, first + count};
}

// New histories until soak_time() is over; prints how fast they were, by the time of the processor.
template <class Play>
void soak_histories(const Play& play) {
  const auto cpu_s = [] {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
  };
  constexpr std::uint64_t kFirst = 1'000'000;  // not those of the tests
  const SimSeeds seeds = sim_seeds(kFirst, UINT64_MAX - kFirst);
  const auto end = std::chrono::steady_clock::now() + soak_time();
  const double begun_s = cpu_s();
  std::uint64_t steps = 0;
  std::uint64_t seed = seeds.first;
  for (; seed < seeds.end && std::chrono::steady_clock::now() < end; ++seed) {
    const auto report = play(seed);
    ASSERT_EQ(report.violation, "") << "TESSERA_SIM_SEED=" << seed;
    steps += report.events;
  }
  std::printf("%llu histories, %llu steps, %.2f million steps in a second of the processor\n",
              static_cast<unsigned long long>(seed - seeds.first),
              static_cast<unsigned long long>(steps),
              static_cast<double>(steps) / (cpu_s() - begun_s) / 1e6);
}

}  // namespace tessera
