// What a number costs, beside the least that a shared counter can cost: one fetch_add.

#include "tessera/segment/allocator.h"

#include <atomic>
#include <memory>

#include "support/bench.h"
#include "support/fake_segment_store.h"
#include "tessera/segment/slice.h"
#include "tessera/system.h"

namespace tessera::bench {
namespace {

// A store in memory, an allocator over it, and everything that they need.
struct Bench {
  FakeSegmentStore store{Scope{.name = "BENCH"}};
  SystemMonotonicClock clock;
  Refiller refiller{clock, 1};
  SegmentAllocator numbers{store.state().scope, store, refiller, clock};
};

// One for the whole program: what is measured is warm, as in a service.
Bench& warm() {
  static Bench bench;
  static const bool proved = [] {
    makes_distinct([] { return [] { return value(bench.numbers.next()); }; }, Order::increasing,
                   "the allocator");
    // Until the draws have grown to what this machine asks for.
    for (int i = 0; i < 50'000'000; ++i) value(bench.numbers.next());
    const auto status = bench.numbers.status();
    prove(status.drawn == status.issued + status.abandoned + status.cached,
          "every number is issued, abandoned or cached");
    return true;
  }();
  prove(proved, "the allocator was proved");
  return bench;
}

void next(benchmark::State& state) {
  SegmentAllocator& numbers = warm().numbers;
  measure_new(state, [&] { return static_cast<std::uint64_t>(value(numbers.next())); });
}
BENCHMARK(next)->Name("long/generate/tessera")->ThreadRange(1, 8)->UseRealTime();

void next_range(benchmark::State& state) {
  SegmentAllocator& numbers = warm().numbers;
  measure_new(
      state, [&] { return value(numbers.next_range(kBatch)).back().end; }, kBatch);
}
BENCHMARK(next_range)->Name("long/generate/tessera_batch")->ThreadRange(1, 2)->UseRealTime();

// A slice for each thread: no order between them.
void next_of_slice(benchmark::State& state) {
  static const bool proved = [] {
    makes_distinct(
        [] {
          auto slice = std::make_shared<SegmentSlice>(warm().numbers);
          return [slice] { return value(slice->next()); };
        },
        Order::increasing, "a slice");
    return true;
  }();
  prove(proved, "slices were proved");
  SegmentSlice numbers(warm().numbers);
  measure_new(state, [&] { return static_cast<std::uint64_t>(value(numbers.next())); });
}
BENCHMARK(next_of_slice)->Name("long/generate/tessera_slice")->ThreadRange(1, 8)->UseRealTime();

// A service that starts, under full load: one step of 1,000 at first, and 3 ms for every answer.
void cold(benchmark::State& state) {
  constexpr std::int64_t kCount = 5'000'000;
  for (auto _ : state) {
    Bench bench;
    bench.store.delay = std::chrono::milliseconds(3);
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < kCount; ++i) sum += value(bench.numbers.next());
    prove(sum == kCount * (kCount + 1) / 2, "a cold allocator hands out 1, 2, 3 and so on");
    state.counters["draws"] = static_cast<double>(bench.store.counts().size());
  }
  state.SetItemsProcessed(state.iterations() * kCount);
}
BENCHMARK(cold)->Name("long/generate_cold/tessera")->UseRealTime()->Unit(benchmark::kMillisecond);

void fetch_add(benchmark::State& state) {
  alignas(128) static std::atomic<std::uint64_t> counter{0};
  measure_new(state, [] { return counter.fetch_add(1, std::memory_order_relaxed); });
  is_floor(state);
}
BENCHMARK(fetch_add)->Name("long/generate/fetch_add")->ThreadRange(1, 8)->UseRealTime();

}  // namespace
}  // namespace tessera::bench
