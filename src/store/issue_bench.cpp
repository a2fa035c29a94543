// What a number costs its caller: from a scope through the allocator, on durable stores, beside
// what people use instead. One thread asks for one number at a time.
//
// Rows are long/issue/<who>. Each proves first that it does its work. All commits are durable, by
// the settings of each server; where a row gives that up, it says so.

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <string>

#include "support/bench.h"
#include "support/redis_server.h"
#include "support/servers.h"
#include "tessera/db/connection.h"
#include "tessera/segment/allocator.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace {

using namespace tessera;
using bench::prove;
using namespace std::chrono_literals;

std::string url_of(const std::string& engine) {
  static const servers::TemporaryFolder folder;
  if (engine == "postgres") return servers::postgres().fresh_database();
  if (engine == "mariadb") return servers::mariadb().fresh_database();
  return "sqlite:" + folder / "issue.db";
}

// A scope of step 1,000 on its store, warmed up: the draws have grown to the demand.
class Warm {
 public:
  explicit Warm(const std::string& engine) : refiller_(clock_) {
    const std::string url = url_of(engine);
    prove(bool(init_store(url)), "the tables are made");
    auto opened = open_store(url);
    prove(bool(opened), "the store opens");
    store_ = std::move(*opened);
    const Scope scope{.name = "ORDER"};
    prove(bool(store_->scopes().create(scope)), "a scope is made");
    allocator_ = std::make_unique<SegmentAllocator>(scope, store_->segments(), refiller_, clock_);
    std::int64_t last = 0;
    for (const auto end = std::chrono::steady_clock::now() + 500ms;
         std::chrono::steady_clock::now() < end;) {
      for (int i = 0; i < 1000; ++i) {
        const auto number = allocator_->next(10s);
        prove(number && *number > last, "numbers increase");
        last = *number;
      }
    }
  }

  SegmentAllocator& allocator() { return *allocator_; }

 private:
  SystemMonotonicClock clock_;
  Refiller refiller_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<SegmentAllocator> allocator_;
};

void by_tessera(benchmark::State& state, const std::string& engine) {
  Warm warm(engine);
  std::int64_t sum = 0;
  std::chrono::nanoseconds stall{0};
  auto before = std::chrono::steady_clock::now();
  std::uint64_t turn = 0;
  for (auto _ : state) {
    const auto number = warm.allocator().next(10s);
    if (!number) {
      state.SkipWithError(number.error().message.c_str());
      break;
    }
    sum += *number;
    if ((++turn & 1023) == 0) {  // the clock costs more than a number
      const auto now = std::chrono::steady_clock::now();
      stall = std::max(stall, now - before);
      before = now;
    }
  }
  bench::keep(sum);
  const AllocatorStatus status = warm.allocator().status();
  state.counters["drawn"] = static_cast<double>(status.drawn);
  state.counters["issued"] = static_cast<double>(status.issued);
  state.counters["stall_ms"] = std::chrono::duration<double, std::milli>(stall).count();
  state.SetItemsProcessed(state.iterations());
}

void by_statement(benchmark::State& state, const std::string& engine, const std::string& make,
                  const std::string& next, const std::string& lacks) {
  auto connection = db::connect(url_of(engine));
  prove(bool(connection), "the database answers");
  prove(bool((*connection)->script(make)), "a sequence is made");
  const auto one = (*connection)->query(next);
  const auto two = (*connection)->query(next);
  prove(one && two && one->rows != two->rows, "a sequence counts");
  for (auto _ : state) {
    const auto rows = (*connection)->query(next);
    if (!rows) {
      state.SkipWithError(rows.error().message.c_str());
      break;
    }
  }
  bench::lacks(state, lacks);
  state.SetItemsProcessed(state.iterations());
}

void by_redis(benchmark::State& state, const std::string& fsync, const std::string& lacks) {
  const redis::Server server({"--save", "", "--appendonly", "yes", "--appendfsync", fsync});
  redis::Client client(server.socket());
  prove(client.incr("ORDER") == 1 && client.incr("ORDER") == 2, "Redis counts");
  std::int64_t sum = 0;
  for (auto _ : state) sum += client.incr("ORDER");
  bench::keep(sum);
  bench::lacks(state, lacks);
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(by_tessera, sqlite, "sqlite")->Name("long/issue/tessera_sqlite")->UseRealTime();
BENCHMARK_CAPTURE(by_tessera, postgres, "postgres")
    ->Name("long/issue/tessera_postgres")
    ->UseRealTime();
BENCHMARK_CAPTURE(by_tessera, mariadb, "mariadb")
    ->Name("long/issue/tessera_mariadb")
    ->UseRealTime();
BENCHMARK_CAPTURE(by_statement, nextval, "postgres", "CREATE SEQUENCE s", "SELECT nextval('s')",
                  "scopes, keys, log")
    ->Name("long/issue/postgres_nextval")
    ->UseRealTime();
BENCHMARK_CAPTURE(by_statement, cache, "postgres", "CREATE SEQUENCE s CACHE 1000",
                  "SELECT nextval('s')", "scopes, keys, log")
    ->Name("long/issue/postgres_cache_1000")
    ->UseRealTime();
BENCHMARK_CAPTURE(by_statement, sequence, "mariadb", "CREATE SEQUENCE s NOCACHE",
                  "SELECT NEXTVAL(s)", "scopes, keys, log")
    ->Name("long/issue/mariadb_nocache")
    ->UseRealTime();
BENCHMARK_CAPTURE(by_statement, sequence_cache, "mariadb", "CREATE SEQUENCE s CACHE 1000",
                  "SELECT NEXTVAL(s)", "scopes, keys, log")
    ->Name("long/issue/mariadb_cache_1000")
    ->UseRealTime();
BENCHMARK_CAPTURE(by_redis, always, "always", "scopes, keys, log")
    ->Name("long/issue/redis_incr_always")
    ->UseRealTime();
BENCHMARK_CAPTURE(by_redis, everysec, "everysec", "durability, scopes, keys, log")
    ->Name("long/issue/redis_incr_everysec")
    ->UseRealTime();

}  // namespace
