// What a draw costs on each store, by its own statement and by the portable ones. What people
// would use instead is in issue_bench.cpp.
//
// Rows are store/draw/<who>. Each proves first that it does its work. The servers are those of the
// tests: on this machine, in a temporary folder, with durable commits. TMPDIR says on which disk.

#include <benchmark/benchmark.h>

#include <atomic>
#include <memory>
#include <string>

#include "support/bench.h"
#include "support/servers.h"
#include "tessera/db/connection.h"
#include "tessera/store/store.h"

namespace {

using namespace tessera;
using bench::prove;

std::unique_ptr<Store> open(const std::string& url, bool portable, const std::string& table) {
  OpenOptions options;
  options.table = table;
  options.portable_statements = portable;
  options.connections_max = 8;
  prove(bool(init_store(url, options)), "the tables are made");
  auto store = open_store(url, options);
  prove(bool(store), "the store opens");
  for (int i = 0; i < 8; ++i) {
    Scope scope;
    scope.name = "S" + std::to_string(i);
    prove(bool((*store)->scopes().create(scope)), "a scope is made");
  }
  const auto one = (*store)->segments().draw({"S0", 1000});
  const auto two = (*store)->segments().draw({"S0", 1000});
  prove(one && two && one->segment.end == two->segment.first, "ranges follow each other");
  return std::move(*store);
}

enum class Where : std::uint8_t { memory, sqlite, postgres, mariadb };

const std::string& url_of(Where where) {
  static const servers::TemporaryFolder folder;
  static const std::string memory = "memory:";
  static const std::string sqlite = "sqlite:" + folder / "bench.db";
  switch (where) {
    case Where::memory: return memory;
    case Where::sqlite: return sqlite;
    case Where::postgres: {
      static const std::string url = servers::postgres().fresh_database();
      return url;
    }
    case Where::mariadb: break;
  }
  static const std::string url = servers::mariadb().fresh_database();
  return url;
}

// Each thread draws from the same scope: the row is the bottleneck, as it is in life.
template <Where kWhere, bool kPortable, bool kKeyed>
void draw(benchmark::State& state) {
  static std::unique_ptr<Store> store;
  if (state.thread_index() == 0 && !store) {
    store = open(url_of(kWhere), kPortable, kPortable ? "portable" : "own");
  }
  static std::atomic<std::uint64_t> key{0};
  std::uint64_t sum = 0;
  for (auto _ : state) {
    const std::string text = kKeyed ? std::to_string(key++) : "";
    const auto drawn = store->segments().draw({"S1", 1000, "bench/1/1", text});
    if (!drawn) {
      state.SkipWithError(drawn.error().message.c_str());
      break;
    }
    sum += drawn->segment.first;
  }
  bench::keep(sum);
  state.SetItemsProcessed(state.iterations());
}

void postgres_select(benchmark::State& state) {
  auto connection = db::connect(url_of(Where::postgres));
  for (auto _ : state) prove(bool((*connection)->query("SELECT 1")), "a round trip");
  bench::is_floor(state);
  state.SetItemsProcessed(state.iterations());
}
void mariadb_select(benchmark::State& state) {
  auto connection = db::connect(url_of(Where::mariadb));
  for (auto _ : state) prove(bool((*connection)->query("SELECT 1")), "a round trip");
  bench::is_floor(state);
  state.SetItemsProcessed(state.iterations());
}

#define TESSERA_DRAW(where)                                                                      \
  BENCHMARK(draw<Where::where, false, false>)->Name(#where "/draw/tessera")->UseRealTime();      \
  BENCHMARK(draw<Where::where, false, true>)->Name(#where "/draw/tessera_keyed")->UseRealTime(); \
  BENCHMARK(draw<Where::where, true, false>)                                                     \
      ->Name(#where "/draw/tessera_portable")                                                    \
      ->UseRealTime();                                                                           \
  BENCHMARK(draw<Where::where, false, false>)                                                    \
      ->Name(#where "/draw_by_4/tessera")                                                        \
      ->UseRealTime()                                                                            \
      ->Threads(4);                                                                              \
  BENCHMARK(draw<Where::where, true, false>)                                                     \
      ->Name(#where "/draw_by_4/tessera_portable")                                               \
      ->UseRealTime()                                                                            \
      ->Threads(4)

TESSERA_DRAW(sqlite);
TESSERA_DRAW(postgres);
TESSERA_DRAW(mariadb);
BENCHMARK(draw<Where::memory, false, false>)->Name("memory/draw/tessera");
BENCHMARK(postgres_select)->Name("postgres/draw/select_1")->UseRealTime();
BENCHMARK(mariadb_select)->Name("mariadb/draw/select_1")->UseRealTime();

}  // namespace
