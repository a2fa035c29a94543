#pragma once

// Two ways to do the same on a database, timed in turns.
//
// Whatever disturbs the machine disturbs both. A turn is a block of calls of each, in changing
// order; the counter `ratio` is the median over all turns of the other's time through ours: 0.8
// says that we make eight in the time of ten.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace tessera::bench {

inline double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Call>
double seconds_of(int count, Call& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The time of the row is that of both: by ours alone a row whose other way is a hundred times
// slower would take minutes. What each does is in the counters. Each call handles `items`.
template <class Ours, class Bare>
void side_by_side(benchmark::State& state, int block, Ours ours, Bare bare, int items = 1) {
  seconds_of(1, ours);  // statements are prepared, pages read
  seconds_of(1, bare);
  std::vector<double> ratios;
  std::vector<double> ours_s;
  std::vector<double> bare_s;
  bool first = true;
  for (auto _ : state) {
    double one = 0;
    double other = 0;
    if (first) one = seconds_of(block, ours);
    other = seconds_of(block, bare);
    if (!first) one = seconds_of(block, ours);
    first = !first;
    state.SetIterationTime(one + other);
    ratios.push_back(other / one);
    ours_s.push_back(one);
    bare_s.push_back(other);
  }
  const double per_second = static_cast<double>(block) * items;
  state.counters["ratio"] = median_of(ratios);
  state.counters["per_s"] = per_second / median_of(ours_s);
  state.counters["bare_per_s"] = per_second / median_of(bare_s);
}

}  // namespace tessera::bench
