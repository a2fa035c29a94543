// Whether the time of an answer tells another tenant's ID from one that was never issued.
//
// Rows are <store>/registry_timing_<other>/tessera, and filter/… for the filter in front. In each
// pair one question is about a stranger, and one about what `Other` says, in an order by chance.
// `t` is Welch's t of the two kinds, without the slowest twentieth of all, which are the machine's
// and not ours; beyond 4.5 the kinds can be told apart, unless the control is there too. Every ID
// is asked about again and again, and some take longer than others whoever has them: so it is the
// means of the IDs that are compared, not the single times, which would make a difference of any
// two sets of IDs look certain. TESSERA_BENCH_LARGE=1 asks 200,000 pairs instead of 2,000, which
// prove nothing.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "support/bench.h"
#include "support/bench_registry.h"
#include "support/servers.h"
#include "tessera/registry/registry.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace {

using namespace tessera;
using bench::prove;

struct Moments {
  double mean = 0;
  double variance = 0;
  double count = 0;
};

struct Timed {
  std::size_t id = 0;
  double ns = 0;
};

// Of the means of each ID, over its times up to `most`.
Moments moments_of(const std::vector<Timed>& times, std::size_t id_count, double most) {
  std::vector<double> sums(id_count);
  std::vector<double> counts(id_count);
  for (const auto& [id, ns] : times) {
    if (ns > most) continue;
    sums[id] += ns;
    counts[id] += 1;
  }
  Moments m;
  for (std::size_t i = 0; i < id_count; ++i) {
    if (counts[i] == 0) continue;
    const double mean = sums[i] / counts[i];
    m.count += 1;
    const double step = mean - m.mean;
    m.mean += step / m.count;
    m.variance += step * (mean - m.mean);
  }
  m.variance /= m.count - 1;
  return m;
}

double welch_t(const Moments& a, const Moments& b) {
  return (a.mean - b.mean) / std::sqrt(a.variance / a.count + b.variance / b.count);
}

// What is asked about besides strangers with bits of their own.
enum class Other : std::uint8_t {
  foreign,    // an ID of another tenant
  neighbour,  // the same, beside strangers that differ from it in the last bit
  stranger,   // another stranger: a control, which shows what the measuring itself does
};

class Tenants {
 public:
  Tenants(const std::string& engine, bool filters, Other other)
      : on_(engine,
            {.window = kWindow, .filter_lease = std::chrono::hours(1), .filters = filters}) {
    const RegisteredType& type = *on_.types.find("store");
    for (int i = 0; i < 4; ++i) {  // in turns, so that both have rows all over the table
      const auto theirs = on_.registry->create_many("acme", "store", kRows / 4);
      prove(bool(theirs) && bool(on_.registry->create_many("zeta", "store", kRows / 4)), "rows");
      for (const auto& one : *theirs) {
        const IdBody body = *type.parse(one.id);
        IdBody beside = body;
        beside[15] ^= 1;
        foreign_.push_back(other == Other::stranger ? type.text_of(with_other_bits(body)) : one.id);
        strangers_.push_back(
            type.text_of(other == Other::neighbour ? beside : with_other_bits(body)));
      }
    }
    if (!filters) return;
    std::this_thread::sleep_for(kWindow + std::chrono::milliseconds(200));
    prove(!on_.registry->sync_filters(), "the filter is made");
    std::size_t known = 0;
    for (const auto* ids : {&foreign_, &strangers_}) {  // both, or one would be warmer
      for (const auto& id : *ids) {
        known += on_.registry->filter(type)->never_issued("zeta", *type.parse(id)) ? 0u : 1u;
      }
    }
    prove(known < foreign_.size() / 20, "the filter answers");
  }

  std::size_t count() const { return foreign_.size(); }

  double ask_ns(bool foreign, std::size_t number) {
    // From one place, so that where the texts lie in memory is not measured.
    asked_ = (foreign ? foreign_ : strangers_)[number];
    const auto start = std::chrono::steady_clock::now();
    const auto answer = on_.registry->look_up("zeta", asked_);
    const auto end = std::chrono::steady_clock::now();
    prove(answer && answer->state == LookUp::State::never_issued, "it was never issued to zeta");
    return std::chrono::duration<double, std::nano>(end - start).count();
  }

 private:
  static constexpr std::size_t kRows = 2000;
  static constexpr std::chrono::milliseconds kWindow{2000};

  // Of the same millisecond.
  IdBody with_other_bits(IdBody body) {
    prove(on_.entropy.fill(std::span(body).subspan(6)), "entropy");
    return body;
  }

  bench::StoreRegistry on_;
  std::vector<std::string> foreign_;
  std::vector<std::string> strangers_;
  std::string asked_;
};

void foreign(benchmark::State& state, const std::string& engine, bool filters, Other other) {
  const std::size_t pairs = bench::is_large() ? 200'000 : 2'000;
  for (auto _ : state) {
    Tenants tenants(engine, filters, other);
    std::mt19937_64 random(1);
    const std::size_t count = tenants.count();
    for (std::size_t i = 0; i < 1000; ++i) tenants.ask_ns(i % 2 == 0, random() % count);  // warm
    std::array<std::vector<Timed>, 2> times;
    for (auto& kind : times) kind.reserve(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::uint64_t chance = random();
      const std::size_t first = chance & 1;
      const std::size_t id = (chance >> 1) % count;
      for (const std::size_t kind : {first, 1 - first}) {
        times[kind].push_back({id, tenants.ask_ns(kind == 1, id)});
      }
    }
    std::vector<double> all;
    for (const auto& kind : times) {
      for (const Timed& timed : kind) all.push_back(timed.ns);
    }
    const auto cut = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 95 / 100);
    std::nth_element(all.begin(), cut, all.end());
    const Moments stranger = moments_of(times[0], count, *cut);
    const Moments asked = moments_of(times[1], count, *cut);
    state.counters["pairs"] = static_cast<double>(pairs);
    state.counters["t"] = welch_t(asked, stranger);
    state.counters["stranger_ns"] = stranger.mean;
    state.counters["foreign_ns"] = asked.mean;
  }
}

#define TESSERA_FOREIGN(store, engine, filters, other)                       \
  BENCHMARK_CAPTURE(foreign, store##_##other, engine, filters, Other::other) \
      ->Name(#store "/registry_timing_" #other "/tessera")                   \
      ->Iterations(1)                                                        \
      ->Repetitions(1)                                                       \
      ->UseRealTime()
#define TESSERA_TIMING(store, engine, filters)        \
  TESSERA_FOREIGN(store, engine, filters, foreign);   \
  TESSERA_FOREIGN(store, engine, filters, neighbour); \
  TESSERA_FOREIGN(store, engine, filters, stranger)

TESSERA_TIMING(sqlite, "sqlite", false);
TESSERA_TIMING(postgres, "postgres", false);
TESSERA_TIMING(mariadb, "mariadb", false);
TESSERA_TIMING(filter, "sqlite", true);

}  // namespace
