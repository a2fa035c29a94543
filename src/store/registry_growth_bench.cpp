// How a registry grows: creation in batches, creation one by one, look-ups and the size on disk, at
// five marks up to ten million IDs of one type.
//
// Rows are <store>/registry_growth/tessera, in the counters. That takes minutes, so in tests it is
// a thousand times smaller; TESSERA_BENCH_LARGE=1, which tools/run_bench --full sets, makes it
// large, and TESSERA_BENCH_GROWTH_IDS says how large. TESSERA_BENCH_GROWTH_S (300) is how many
// seconds each store may take: what was reached by then is what is told.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/bench.h"
#include "support/bench_registry.h"
#include "support/servers.h"
#include "tessera/db/connection.h"
#include "tessera/registry/registry.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace {

using namespace tessera;
using bench::prove;
using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

struct Size {
  bool large = false;
  double seconds_max = 300;
  std::array<std::size_t, 5> marks{100, 300, 1'000, 3'000, 10'000};
  std::size_t batch = 500;
  std::size_t samples = 500;  // look-ups at each mark

  Size() {
    const char* ids = std::getenv("TESSERA_BENCH_GROWTH_IDS");
    if (!bench::is_large() && ids == nullptr) return;
    large = bench::is_large();
    if (const char* text = std::getenv("TESSERA_BENCH_GROWTH_S")) seconds_max = std::atof(text);
    const auto most = static_cast<std::size_t>(ids != nullptr ? std::atoll(ids) : 10'000'000);
    marks = {most / 100, most / 100 * 3, most / 10, most / 10 * 3, most};
    batch = CreateRequest::kEntriesMax;
    samples = large ? 20'000 : 2'000;
  }
};

class Growing {
 public:
  explicit Growing(const std::string& engine) : engine_(engine), on_(engine) {}

  // False if the time was over first.
  bool grow_to(std::size_t mark, const Size& size, SteadyClock::time_point start) {
    auto told = SteadyClock::now();
    while (count_ < mark) {
      if (seconds_since(start) > size.seconds_max) return false;
      const std::size_t count = std::min(size.batch, mark - count_);
      const auto made =
          on_.registry->create_many("acme", "store", count, {.timeout = std::chrono::seconds(60)});
      prove(bool(made) && made->size() == count, "a batch is made");
      for (std::size_t i = 0; i < count; i += 100) ids_.push_back((*made)[i].id);
      count_ += count;
      if (size.large && seconds_since(told) > 10) {
        told = SteadyClock::now();
        std::fprintf(stderr, "%s: %zu of %zu IDs\n", engine_.c_str(), count_, mark);
      }
    }
    return true;
  }

  std::size_t count() const { return count_; }

  double look_ups_per_s(std::size_t count) {
    const auto start = SteadyClock::now();
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = on_.registry->look_up("acme", ids_[random_() % ids_.size()]);
      prove(found && found->state == LookUp::State::live, "what was made is live");
    }
    return static_cast<double>(count) / seconds_since(start);
  }
  double creations_per_s(std::size_t count) {
    const auto start = SteadyClock::now();
    for (std::size_t i = 0; i < count; ++i) {
      prove(bool(on_.registry->create("acme", "store")), "one is made");
    }
    count_ += count;
    return static_cast<double>(count) / seconds_since(start);
  }
  double bytes() {
    if (engine_ == "sqlite") {
      double sum = 0;
      for (const auto& file : std::filesystem::directory_iterator(on_.folder.path())) {
        sum += static_cast<double>(file.file_size());
      }
      return sum;
    }
    auto connection = db::connect(on_.url);
    prove(bool(connection), "the database answers");
    const auto rows =
        (*connection)->query("SELECT pg_total_relation_size('tessera_registry_of_st')");
    prove(bool(rows), "it knows its size");
    return static_cast<double>(std::get<std::int64_t>(rows->rows[0][0]));
  }

 private:
  const std::string engine_;
  bench::StoreRegistry on_;
  std::mt19937_64 random_{1};
  std::vector<std::string> ids_;  // some of them
  std::size_t count_ = 0;
};

void growth(benchmark::State& state, const std::string& engine) {
  const Size size;
  for (auto _ : state) {
    Growing growing(engine);
    const auto start = SteadyClock::now();
    for (const std::size_t mark : size.marks) {
      const std::size_t before = growing.count();
      const auto part = SteadyClock::now();
      if (!growing.grow_to(mark, size, start)) {
        std::fprintf(stderr, "%s: %.0f s were over before %zu IDs\n", engine.c_str(),
                     size.seconds_max, mark);
        break;
      }
      const double batched = static_cast<double>(growing.count() - before) / seconds_since(part);
      const double found = growing.look_ups_per_s(size.samples);
      const double single = growing.creations_per_s(50);
      const double bytes = growing.bytes() / static_cast<double>(mark);
      const std::string at = std::to_string(mark);
      state.counters["batched_per_s@" + at] = batched;
      state.counters["single_per_s@" + at] = single;
      state.counters["look_up_per_s@" + at] = found;
      state.counters["bytes_each@" + at] = bytes;
      if (size.large) {
        std::fprintf(stderr,
                     "%s: %zu IDs; %.0f/s in batches, %.0f/s single, %.0f look-ups/s, %.1f"
                     " bytes each\n",
                     engine.c_str(), mark, batched, single, found, bytes);
      }
    }
  }
}

BENCHMARK_CAPTURE(growth, sqlite, "sqlite")
    ->Name("sqlite/registry_growth/tessera")
    ->Iterations(1)
    ->Repetitions(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(growth, postgres, "postgres")
    ->Name("postgres/registry_growth/tessera")
    ->Iterations(1)
    ->Repetitions(1)
    ->UseRealTime();

}  // namespace
