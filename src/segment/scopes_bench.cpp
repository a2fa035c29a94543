// What a number costs in an installation of many scopes, each asked for by its name, in no order.
//
// The floor is what it must cost: a look-up of the name, and one fetch_add.

#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/bench.h"
#include "tessera/segment/id_service.h"
#include "tessera/system.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t kScopesMax = 10'000;

// Has every scope that it is asked about.
class AnyScope final : public SegmentStore {
 public:
  Result<Draw, Error> draw(const DrawRequest& request) override {
    const std::scoped_lock guard(mutex_);
    ScopeState& state = at(request.scope);
    const auto first = static_cast<std::uint64_t>(state.high_water) + 1;
    state.high_water += static_cast<std::int64_t>(request.count);
    ++draws_;
    return Draw{{first, first + request.count}, state.epoch, ++state.draws, false};
  }
  Result<ScopeState, Error> find(std::string_view scope) override {
    const std::scoped_lock guard(mutex_);
    return at(scope);
  }
  std::uint64_t draws() {
    const std::scoped_lock guard(mutex_);
    return draws_;
  }

 private:
  ScopeState& at(std::string_view scope) {
    ScopeState& state = states_[std::string(scope)];
    state.scope.name = scope;
    return state;
  }

  std::mutex mutex_;
  std::uint64_t draws_ = 0;
  std::unordered_map<std::string, ScopeState> states_;
};

std::vector<std::string> names(std::int64_t count) {
  std::vector<std::string> made;
  for (std::int64_t i = 0; i < count; ++i) made.push_back("SCOPE_" + std::to_string(i));
  return made;
}

// Which is asked, call by call: no predictor learns it.
std::vector<std::string_view> asked(const std::vector<std::string>& names) {
  std::mt19937_64 random(1);
  std::vector<std::string_view> list(1 << 16);
  for (auto& name : list) name = names[random() % names.size()];
  return list;
}

void next_of_many(benchmark::State& state) {
  const auto all = names(state.range(0));
  IdServiceOptions options;
  for (const auto& name : all) options.scopes.push_back({.name = name});
  AnyScope store;
  SystemClock clock;
  SystemMonotonicClock monotonic;
  const auto ids = std::move(*IdService::make(options, store, clock, monotonic));
  for (const auto& name : all) {  // the first segment of each is drawn
    const std::int64_t one = value(ids->next_long(name));
    prove(value(ids->next_long(name)) > one, "numbers of a scope increase");
  }
  const std::uint64_t before = store.draws();
  measure_new(state, [&, list = asked(all), next = std::size_t{0}]() mutable {
    return static_cast<std::uint64_t>(value(ids->next_long(list[next++ & (list.size() - 1)])));
  });
  state.counters["draws"] = static_cast<double>(store.draws() - before);
}
BENCHMARK(next_of_many)
    ->Name("long/of_many_scopes/tessera")
    ->ArgName("scopes")
    ->RangeMultiplier(10)
    ->Range(1, kScopesMax)
    ->UseRealTime();

void counter_of_many(benchmark::State& state) {
  const auto all = names(state.range(0));
  std::unordered_map<std::string_view, std::atomic<std::uint64_t>> counters;
  for (const auto& name : all) counters[name] = 0;
  measure_new(state, [&, list = asked(all), next = std::size_t{0}]() mutable {
    return counters.find(list[next++ & (list.size() - 1)])
        ->second.fetch_add(1, std::memory_order_relaxed);
  });
  is_floor(state);
}
BENCHMARK(counter_of_many)
    ->Name("long/of_many_scopes/map_of_counters")
    ->ArgName("scopes")
    ->RangeMultiplier(10)
    ->Range(1, kScopesMax)
    ->UseRealTime();

}  // namespace
}  // namespace tessera::bench
