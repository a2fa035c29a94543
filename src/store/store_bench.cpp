// What a draw costs on each store, by its own statement and by the portable ones. What people
// would use instead is in issue_bench.cpp.
//
// Rows are store/draw/<who>. Each proves first that it does its work. The servers are those of the
// tests: on this machine, in a temporary folder, with durable commits. TMPDIR says on which disk.

#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "http/connection.h"
#include "support/bench.h"
#include "support/etcd_cluster.h"
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

enum class Where : std::uint8_t { memory, sqlite, postgres, mariadb, etcd };

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
    case Where::etcd: {
      static const std::string url = servers::etcd().url();
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

// One key written, by the same connection: what a commit of etcd costs, whatever is in it.
void etcd_put(benchmark::State& state) {
  url_of(Where::etcd);
  http::Connection connection({false, "127.0.0.1", servers::etcd().port(0)}, nullptr, 4 << 20);
  const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::seconds(20); };
  prove(!connection.connect(soon()), "etcd can be asked");
  const http::Request request{
      .method = "POST", .target = "/v3/kv/put", .body = R"({"key":"Zmxvb3I=","value":"MQ=="})"};
  for (auto _ : state) {
    const auto answer = connection.exchange(request, soon());
    prove(answer && answer->status == 200, "a key is written");
  }
  bench::is_floor(state);
  state.SetItemsProcessed(state.iterations());
}

// How many transactions etcd has been asked for, by its own count.
double etcd_transactions() {
  http::Connection connection({false, "127.0.0.1", servers::etcd().port(0)}, nullptr, 4 << 20);
  const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  prove(!connection.connect(soon), "etcd can be asked");
  const auto answer = connection.exchange({.method = "GET", .target = "/metrics"}, soon);
  prove(bool(answer), "etcd counts");
  constexpr std::string_view kCounter =
      "grpc_server_handled_total{grpc_code=\"OK\",grpc_method=\"Txn\"";
  const std::size_t line = answer->body.find(kCounter);
  prove(line != std::string::npos, "etcd counts transactions");
  return std::strtod(answer->body.c_str() + answer->body.find("} ", line) + 2, nullptr);
}

// As if each thread were a process: it has a store of its own, and knows nothing of the others'
// draws. The counter is how many transactions a draw takes.
void etcd_draw_by_stores(benchmark::State& state) {
  static std::vector<std::unique_ptr<Store>> stores;
  static std::atomic<int> done;
  static double before = 0;
  if (state.thread_index() == 0) {
    stores.clear();
    for (int i = 0; i < state.threads(); ++i)
      stores.push_back(open(url_of(Where::etcd), false, "many"));
    done = 0;
    before = etcd_transactions();
  }
  for (auto _ : state) {
    Store& mine = *stores[static_cast<std::size_t>(state.thread_index())];
    const auto drawn =
        mine.segments().draw({"S1", 1000, "bench/1/1", "", std::chrono::seconds(60)});
    if (!drawn) {
      state.SkipWithError(drawn.error().message.c_str());
      break;
    }
  }
  state.SetItemsProcessed(state.iterations());
  ++done;
  if (state.thread_index() != 0) return;
  while (done < state.threads()) std::this_thread::yield();
  const auto draws = static_cast<double>(state.iterations()) * state.threads();
  state.counters["attempts"] = (etcd_transactions() - before) / draws;
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
BENCHMARK(draw<Where::etcd, false, false>)->Name("etcd/draw/tessera")->UseRealTime();
BENCHMARK(draw<Where::etcd, false, true>)->Name("etcd/draw/tessera_keyed")->UseRealTime();
BENCHMARK(draw<Where::etcd, false, false>)
    ->Name("etcd/draw_by_4/tessera")
    ->UseRealTime()
    ->Threads(4);
BENCHMARK(etcd_draw_by_stores)->Name("etcd/draw_by_8_stores/tessera")->UseRealTime()->Threads(8);
BENCHMARK(draw<Where::memory, false, false>)->Name("memory/draw/tessera");
BENCHMARK(etcd_put)->Name("etcd/draw/put")->UseRealTime();
BENCHMARK(postgres_select)->Name("postgres/draw/select_1")->UseRealTime();
BENCHMARK(mariadb_select)->Name("mariadb/draw/select_1")->UseRealTime();

}  // namespace
