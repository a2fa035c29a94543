// How the cost of a number changes with the size of a segment and with the number of scopes, and
// that of a registered ID with the number of tenants.
//
// Rows are <store>/<what>/tessera/<axis>:N. Each proves first that it does its work. What it must
// cost: a number is one commit through the step, so a step ten times as large costs a tenth, down
// to that of the hand-out; scopes and tenants are found by an index, so that they cost next to
// nothing. TESSERA_BENCH_LARGE=1 takes 10,000 scopes and tenants instead of 100.

#include <benchmark/benchmark.h>

#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/bench.h"
#include "support/bench_registry.h"
#include "support/servers.h"
#include "tessera/segment/allocator.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace {

using namespace tessera;
using bench::prove;
using namespace std::chrono_literals;

// At least a hundred times as many scopes or tenants as there were.
std::int64_t most() { return bench::is_large() ? 10'000 : 100; }

std::unique_ptr<Store> open_at(const std::string& url) {
  prove(bool(init_store(url)), "the tables are made");
  auto store = open_store(url);
  prove(bool(store), "the store opens");
  return std::move(*store);
}

// A store that stays for all rounds of a row.
struct Place {
  explicit Place(const std::string& engine) : store(open_at(bench::url_of(engine, folder))) {}

  servers::TemporaryFolder folder;
  std::unique_ptr<Store> store;
};

// Draws of one size: growth is off, so that it is the step and not the demand that says how many.
void by_step(benchmark::State& state, const std::string& engine) {
  static std::map<std::string, Place> places;
  Store& store = *places.try_emplace(engine, engine).first->second.store;
  const Scope scope{.name = "STEP_" + std::to_string(state.range(0)), .step = state.range(0)};
  if (!store.segments().find(scope.name)) {
    prove(bool(store.scopes().create(scope)), "a scope is made");
  }
  SystemMonotonicClock clock;
  Refiller refiller(clock);
  AllocatorOptions options;
  options.refill.growth_max = 1;
  SegmentAllocator allocator(scope, store.segments(), refiller, clock, nullptr, options);
  std::int64_t last = 0;
  for (int i = 0; i < 10; ++i) {
    const auto number = allocator.next(10s);
    prove(number && *number > last, "numbers increase");
    last = *number;
  }
  for (auto _ : state) {
    const auto number = allocator.next(10s);
    if (!number) {
      state.SkipWithError(number.error().message.c_str());
      break;
    }
    last = *number;
  }
  bench::keep(last);
  const AllocatorStatus status = allocator.status();
  prove(status.drawn == status.issued + status.abandoned + status.cached,
        "every number is issued, abandoned or cached");
  state.SetItemsProcessed(state.iterations());
}

// One draw, in a table of so many scopes, from another of them each time.
void by_scopes(benchmark::State& state, const std::string& engine) {
  static std::map<std::pair<std::string, std::int64_t>, Place> places;
  const auto [place, is_new] = places.try_emplace({engine, state.range(0)}, engine);
  Store& store = *place->second.store;
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    names.push_back("SCOPE_" + std::to_string(i));
    if (is_new) prove(bool(store.scopes().create({.name = names.back()})), "a scope is made");
  }
  std::mt19937_64 random(1);
  for (auto _ : state) {
    const auto drawn = store.segments().draw({names[random() % names.size()], 1000});
    if (!drawn) {
      state.SkipWithError(drawn.error().message.c_str());
      break;
    }
  }
  state.SetItemsProcessed(state.iterations());
}

// A registry with as many IDs whatever the number of tenants, and as many that are asked for: one
// of a hundred, so that what a database has to keep at hand is the same too.
class Tenants {
 public:
  Tenants(const std::string& engine, std::int64_t count) : on_(engine) {
    for (std::int64_t i = 0; i < count; ++i) names_.push_back("tenant-" + std::to_string(i));
    const auto each = static_cast<std::size_t>(most()) * 100 / names_.size();
    for (const auto& name : names_) {
      for (std::size_t made = 0; made < each;) {
        const std::size_t part = std::min<std::size_t>(each - made, CreateRequest::kEntriesMax);
        const auto batch = on_.registry->create_many(name, "store", part, {.timeout = 60s});
        prove(bool(batch) && batch->size() == part, "a batch is made");
        made += part;
        for (std::size_t i = 0; i < part; i += 100)
          ids_.emplace_back(&name - names_.data(), (*batch)[i].id);
      }
    }
  }

  void look_up() {
    const auto& [tenant, id] = ids_[random_() % ids_.size()];
    const auto found = on_.registry->look_up(names_[static_cast<std::size_t>(tenant)], id);
    prove(found && found->state == LookUp::State::live, "what was made is live");
  }
  void create() {
    prove(bool(on_.registry->create(names_[random_() % names_.size()], "store")), "one is made");
  }

 private:
  bench::StoreRegistry on_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::ptrdiff_t, std::string>> ids_;  // some, with their tenants
  std::mt19937_64 random_{1};
};

void by_tenants(benchmark::State& state, const std::string& engine, void (Tenants::*call)()) {
  static std::map<std::pair<std::string, std::int64_t>, std::unique_ptr<Tenants>> worlds;
  auto& world = worlds[{engine, state.range(0)}];
  if (!world) world = std::make_unique<Tenants>(engine, state.range(0));
  for (auto _ : state) ((*world).*call)();
  state.SetItemsProcessed(state.iterations());
}

#define TESSERA_GROWTH(store)                                               \
  BENCHMARK_CAPTURE(by_step, store, #store)                                 \
      ->Name(#store "/issue_by_step/tessera")                               \
      ->ArgName("step")                                                     \
      ->RangeMultiplier(10)                                                 \
      ->Range(1, 100'000)                                                   \
      ->UseRealTime();                                                      \
  BENCHMARK_CAPTURE(by_scopes, store, #store)                               \
      ->Name(#store "/draw_by_scopes/tessera")                              \
      ->ArgName("scopes")                                                   \
      ->RangeMultiplier(10)                                                 \
      ->Range(1, most())                                                    \
      ->UseRealTime();                                                      \
  BENCHMARK_CAPTURE(by_tenants, store##_look_up, #store, &Tenants::look_up) \
      ->Name(#store "/look_up_by_tenants/tessera")                          \
      ->ArgName("tenants")                                                  \
      ->RangeMultiplier(10)                                                 \
      ->Range(1, most())                                                    \
      ->UseRealTime();                                                      \
  BENCHMARK_CAPTURE(by_tenants, store##_create, #store, &Tenants::create)   \
      ->Name(#store "/create_by_tenants/tessera")                           \
      ->ArgName("tenants")                                                  \
      ->RangeMultiplier(10)                                                 \
      ->Range(1, most())                                                    \
      ->UseRealTime()

TESSERA_GROWTH(sqlite);
TESSERA_GROWTH(postgres);
TESSERA_GROWTH(mariadb);

}  // namespace
