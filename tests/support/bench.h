#pragma once

// What benchmarks share: samples, proofs, and the loops that are timed.
//
// A row is named subject/operation/who, such as uuid/parse/boost. tools/bench_table.py sets
// the rows of one subject and operation side by side; `who` is tessera, one of its variants
// (tessera_batch), or a peer. Peers call same_promises() or lacks(), which is how the table
// knows with whom a ratio is fair. bench/README.md has the rules.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace tessera::bench {

// tools/run_bench --full sets it: sets and tables of real sizes.
inline bool is_large() {
  const char* large = std::getenv("TESSERA_BENCH_LARGE");
  return large != nullptr && *large == '1';
}

// Part of every result: numbers of a debug build mislead, and the table refuses them.
inline const bool kBuildIsNamed = [] {
#ifdef NDEBUG
  benchmark::AddCustomContext("tessera_build", "release");
#else
  benchmark::AddCustomContext("tessera_build", "debug");
#endif
  return true;
}();

// So many that no branch predictor learns them, so few that they stay in the cache.
inline constexpr std::size_t kSampleCount = 1024;
inline constexpr std::size_t kBatch = 1024;

// There is no number for work that was not done.
inline void prove(bool true_or_not, std::string_view promise) {
  if (true_or_not) return;
  std::fprintf(stderr, "bench: not true: %.*s\n", static_cast<int>(promise.size()), promise.data());
  std::exit(1);
}

// A peer that keeps the same promises as the row of tessera it stands beside.
inline void same_promises(benchmark::State& state) { state.SetLabel("peer"); }
// A peer that does less. `what` is a word or two: "fork safety".
inline void lacks(benchmark::State& state, const std::string& what) {
  state.SetLabel("lacks " + what);
}
// What the machine itself needs: nobody can be faster.
inline void is_floor(benchmark::State& state) { state.SetLabel("floor"); }

// The same in every run.
template <std::size_t Size>
std::vector<std::array<std::uint8_t, Size>> random_samples(std::uint64_t seed = 42) {
  std::mt19937_64 random(seed);
  std::vector<std::array<std::uint8_t, Size>> samples(kSampleCount);
  for (auto& sample : samples) {
    for (auto& byte : sample) byte = static_cast<std::uint8_t>(random() >> 24);
  }
  return samples;
}

// Texts in one block of memory, with the NUL that some peers want.
template <std::size_t SizeMax>
struct TextSample {
  std::array<char, SizeMax + 1> chars{};
  std::size_t size = 0;

  TextSample() = default;
  explicit TextSample(std::string_view text) : size(text.size()) {
    prove(size <= SizeMax, "a sample fits into its array");
    std::copy(text.begin(), text.end(), chars.begin());
  }
  std::string_view view() const noexcept { return {chars.data(), size}; }
};

// Each text with one character that no alphabet has, anywhere in it.
template <std::size_t SizeMax>
std::vector<TextSample<SizeMax>> spoiled(std::vector<TextSample<SizeMax>> texts) {
  std::mt19937_64 random(43);
  for (auto& text : texts) text.chars[random() % text.size] = '!';
  return texts;
}

// Makes the compiler write all of `made`, as a caller would want it. Not DoNotOptimize():
// that of Google Benchmark 1.7 loses the third byte of a three-byte array with g++ 12.
template <class T>
void keep(T& made) {
  __asm__ volatile("" : "+m"(made) : : "memory");
}

// The same; returns the last byte.
template <class Bytes>
std::uint64_t sink(Bytes& bytes) {
  keep(bytes);
  return static_cast<std::uint8_t>(*(std::end(bytes) - 1));
}

// Times `op(input)`, which returns a byte of what it made. Their sum over all inputs is the
// checksum of the row: rows that do the same work have the same.
template <class Input, class Op>
void measure(benchmark::State& state, const std::vector<Input>& inputs, Op op) {
  std::uint64_t sum = 0;
  for (const Input& input : inputs) sum += op(input);
  state.counters["checksum"] = static_cast<double>(sum);

  const Input* first = inputs.data();
  const Input* end = first + inputs.size();
  const Input* next = first;
  for (auto _ : state) {
    sum += op(*next);
    if (++next == end) next = first;
  }
  keep(sum);
  state.SetItemsProcessed(state.iterations());
}

// Times `make()`, which returns a byte of a new ID, or of the last of `count` new IDs.
template <class Make>
void measure_new(benchmark::State& state, Make make, std::size_t count = 1) {
  std::uint64_t sum = 0;
  for (auto _ : state) sum += make();
  std::uint64_t kept = sum;  // so that `sum` itself may stay in a register
  keep(kept);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

enum class Order { none, increasing };

// Proves that `next()`, called by two threads, returns no value twice; and that each thread
// sees its own increase, if they should. `make_next` is called once in each thread.
template <class MakeNext>
bool makes_distinct(MakeNext make_next, Order order, std::string_view what) {
  constexpr std::size_t kCount = 4096;
  using Id = decltype(make_next()());
  std::array<std::vector<Id>, 2> made;
  std::array<std::thread, 2> threads;
  for (std::size_t i = 0; i < 2; ++i) {
    threads[i] = std::thread([&make_next, &ids = made[i]] {
      auto next = make_next();
      for (std::size_t n = 0; n < kCount; ++n) ids.push_back(next());
    });
  }
  for (auto& thread : threads) thread.join();
  const std::string name(what);
  for (const auto& ids : made) {
    prove(order == Order::none || std::ranges::is_sorted(ids), name + " increases");
  }
  auto all = made[0];
  all.insert(all.end(), made[1].begin(), made[1].end());
  std::ranges::sort(all);
  prove(std::ranges::adjacent_find(all) == all.end(), name + " makes no ID twice");
  return true;
}

// The value of a Result that cannot fail here.
template <class R>
auto value(const R& result) {
  if (!result) [[unlikely]] {
    prove(false, "a call succeeds");
  }
  return *result;
}

// The same where it is, as a caller has it who made it: nothing is copied.
template <class R>
auto& value_in(R& result) {
  if (!result) [[unlikely]] {
    prove(false, "a call succeeds");
  }
  return *result;
}

}  // namespace tessera::bench
