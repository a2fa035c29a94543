// What a registered ID costs beside a row of the same table written and read by hand, on the three
// stores; and a question about what was never issued, with and without the filter in front.
//
// Rows are <store>/registry_<what>/tessera, where `ratio` is the bare statement's time through
// ours. Bare statements are prepared, go through the same client library by the same calls, and are
// as durable. Each row proves first that both do their work. TESSERA_BENCH_LARGE=1 takes a table of
// 100,000 IDs instead of one of 2,000.

#include <benchmark/benchmark.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/bench.h"
#include "support/bench_registry.h"
#include "support/servers.h"
#include "support/side_by_side.h"
#include "tessera/db/connection.h"
#include "tessera/registry/registry.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace {

using namespace tessera;
using bench::prove;

std::size_t table_size() { return bench::is_large() ? 100'000 : 2'000; }

RegistryTypes shop_types() {
  TypeTable table;
  prove(bool(table.add({"store", "st"})) && bool(table.add({"product", "prd"})), "two types");
  auto types = RegistryTypes::make(
      table, {{.name = "store", .collection = "stores", .scope = "S", .capacity = table_size()},
              {.name = "product", .collection = "products", .scope = "S", .parent = "store"}});
  prove(bool(types), "types are declared");
  return std::move(*types);
}

// A registry with a table of stores, and a connection that goes past it.
class World {
 public:
  explicit World(const std::string& engine) {
    const std::string url = bench::url_of(engine, folder_);
    prove(bool(init_store(url)) && bool(init_registry(url, types_)), "the tables are made");
    auto opened = open_store(url);
    prove(bool(opened), "the store opens");
    store_ = std::move(*opened);
    port_ = std::move(*store_->registry(types_));
    RegistryOptions options;
    options.filter_lease = std::chrono::hours(1);
    registry = make(options);
    options.filters = false;
    unfiltered = make(options);
    auto connected = db::connect(url);
    prove(bool(connected), "the database answers");
    bare = std::move(*connected);
    while (ids.size() < table_size()) {
      const auto made = registry->create_many("acme", "store", 1000);
      prove(bool(made), "stores are made");
      for (const auto& one : *made) {
        ids.push_back(one.id);
        keys.push_back(one.key);
      }
    }
    const auto product = registry->create("acme", "product", {.parent = ids[0]});
    prove(bool(product), "a product is made");
    std::shuffle(ids.begin(), ids.end(), std::mt19937(1));
    std::shuffle(keys.begin(), keys.end(), std::mt19937(1));
  }

  // By hand: a row with an ID of now.
  void add_row(std::vector<db::Value>& row) {
    row.emplace_back(++numbers.last);
    row.emplace_back("acme");
    const Ulid id = *Ulid::generate();
    row.emplace_back(types_.find("store")->stored_text_of(id.bytes));
    row.emplace_back(static_cast<std::int64_t>(id.time_ms()));
    row.emplace_back(std::monostate{});
  }
  static std::string insert_of(std::size_t count) {
    std::string sql =
        "INSERT INTO tessera_registry_of_st (id, tenant_id, public_id, created_ms,"
        " parent_id) VALUES (?, ?, ?, ?, ?)";
    for (std::size_t i = 1; i < count; ++i) sql += ", (?, ?, ?, ?, ?)";
    return sql;
  }
  db::Rows query(std::string_view sql, std::span<const db::Value> parameters) {
    auto rows = bare->query(sql, parameters);
    prove(bool(rows), "the bare statement works");
    return std::move(*rows);
  }
  bool is_live(std::string_view id) {
    const auto answer = unfiltered->look_up("acme", id);
    return answer && answer->state == LookUp::State::live && answer->id == id;
  }
  std::int64_t count() {
    const auto rows = query("SELECT count(*) FROM tessera_registry_of_st", {});
    return std::get<std::int64_t>(rows.rows[0][0]);
  }

  bench::Counter numbers;
  std::unique_ptr<Registry> registry;
  std::unique_ptr<Registry> unfiltered;
  std::unique_ptr<db::Connection> bare;
  std::vector<std::string> ids;  // in no order; and their keys
  std::vector<std::int64_t> keys;

  const RegisteredType& type(std::string_view name) const { return *types_.find(name); }

 private:
  std::unique_ptr<Registry> make(const RegistryOptions& options) {
    return std::make_unique<Registry>(types_, *port_, numbers,
                                      RegistrySources{clock_, monotonic_, entropy_}, options);
  }

  servers::TemporaryFolder folder_;
  RegistryTypes types_ = shop_types();
  SystemClock clock_;
  SystemMonotonicClock monotonic_;
  SystemEntropy entropy_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<RegistryStore> port_;
};

World& world(const std::string& engine) {
  if (engine == "sqlite") {
    static World sqlite("sqlite");
    return sqlite;
  }
  if (engine == "postgres") {
    static World postgres("postgres");
    return postgres;
  }
  static World mariadb("mariadb");
  return mariadb;
}

enum class How : std::uint8_t { plain, keyed, child, by_id };

void create(benchmark::State& state, const std::string& engine, How how) {
  constexpr int kBlock = 8;
  World& at = world(engine);
  static std::atomic<std::uint64_t> key{0};
  std::string last;
  const auto ours = [&] {
    const std::string text = how == How::keyed ? "key-" + std::to_string(++key) : "";
    const auto made =
        how == How::child
            ? at.registry->create("acme", "product", {.parent = at.ids[0]})
            : at.registry->create("acme", "store", {.parent = {}, .idempotency_key = text});
    prove(bool(made) && !made->repeated, "one is created");
    last = made->id;
  };
  std::vector<db::Value> row;
  const std::string sql = World::insert_of(1);
  const auto bare = [&] {
    row.clear();
    at.add_row(row);
    prove(at.query(sql, row).affected == 1, "a row is inserted");
  };
  ours();
  prove(at.is_live(last), "what was created is live");
  bare();
  prove(at.is_live(std::get<std::string>(row[2])), "the bare row is the same row");
  bench::side_by_side(state, kBlock, ours, bare);
  prove(at.is_live(last), "what was created is live");
}

void create_100(benchmark::State& state, const std::string& engine, How how) {
  constexpr std::size_t kCount = 100;
  World& at = world(engine);
  static std::atomic<std::uint64_t> key{0};
  const auto ours = [&] {
    const std::string text = how == How::keyed ? "keys-" + std::to_string(++key) : "";
    const auto made =
        at.registry->create_many("acme", "store", kCount, {.parent = {}, .idempotency_key = text});
    prove(bool(made) && made->size() == kCount, "a batch is created");
  };
  std::vector<db::Value> rows;
  const std::string sql = World::insert_of(kCount);
  const auto bare = [&] {
    rows.clear();
    for (std::size_t i = 0; i < kCount; ++i) at.add_row(rows);
    prove(at.query(sql, rows).affected == kCount, "rows are inserted");
  };
  const auto before = at.count();
  ours();
  bare();
  prove(at.count() == before + 2 * std::int64_t{kCount}, "both make a hundred rows");
  bench::side_by_side(state, 2, ours, bare, kCount);
}

// One ID, live. The bare statement has the key, which callers have not; that of `by_id` has what
// they have, and so goes the same two ways, through the index and to the row.
void look_up(benchmark::State& state, const std::string& engine, How how) {
  constexpr int kBlock = 64;
  World& at = world(engine);
  std::vector<std::string> ids = at.ids;
  std::vector<std::int64_t> keys = at.keys;
  if (how == How::child) {
    const auto made = at.registry->create_many("acme", "product", 1000, {.parent = at.ids[0]});
    prove(bool(made), "products are made");
    ids.clear();
    keys.clear();
    for (const auto& one : *made) {
      ids.push_back(one.id);
      keys.push_back(one.key);
    }
  }
  std::size_t next = 0;
  const auto ours = [&] {
    const auto found = at.registry->look_up("acme", ids[next++ % ids.size()]);
    prove(found && found->state == LookUp::State::live, "it is live");
  };
  const std::string table =
      how == How::child ? "tessera_registry_of_prd" : "tessera_registry_of_st";
  const bool by_id = how == How::by_id;
  const std::string columns = "SELECT public_id, state, created_ms, deleted_ms FROM " + table;
  const std::string sql = columns + " WHERE id = ?";
  const std::string sql_by_id = columns + " WHERE tenant_id = ? AND public_id = ?";
  std::vector<db::View> key(1);
  std::vector<db::View> id = {std::string_view("acme"), std::string_view()};
  std::size_t bare_next = 0;
  const auto bare = [&] {
    const std::size_t i = bare_next++ % keys.size();
    if (by_id) {
      id[1] = std::string_view(ids[i]);
      prove(at.bare->first(sql_by_id, id)->size() == 4, "it is there");
      return;
    }
    key[0] = keys[i];
    prove(at.bare->first(sql, key)->size() == 4, "it is there");
  };
  for (std::size_t i = 0; i < 100; ++i) {
    key[0] = keys[i];
    prove(std::get<std::string>((*at.bare->first(sql, key))[0]) == ids[i], "both find the same");
    prove(at.registry->resolve("acme", ids[i])->key == keys[i], "both find the same");
  }
  bench::side_by_side(state, kBlock, ours, bare);
}

// Asked for an ID of an hour ago that nobody has made, and of which the filter says so. It takes a
// few for known ones, which cost what the database costs: `false_positives`.
void never_issued(benchmark::State& state, const std::string& engine) {
  constexpr int kBlock = 1024;
  constexpr std::size_t kStrangers = 1 << 15;
  constexpr std::uint64_t kHourMs = 3'600'000;
  World& at = world(engine);
  const auto error = at.registry->sync_filters();
  prove(!error, "the filters are made");
  const RegisteredType& type = at.type("store");
  std::vector<std::string> strangers;
  std::size_t taken_for_known = 0;
  for (std::size_t i = 0; i < kStrangers; ++i) {
    Ulid id = *Ulid::generate();
    const std::uint64_t time_ms = id.time_ms() - kHourMs;
    for (std::size_t byte = 0; byte < 6; ++byte) {
      id.bytes[byte] = static_cast<std::uint8_t>(time_ms >> (40 - 8 * byte));
    }
    if (at.registry->filter(type)->never_issued("acme", id.bytes)) {
      strangers.push_back(type.text_of(id.bytes));
    } else {
      ++taken_for_known;
    }
  }
  prove(strangers.size() >= 4 * kBlock, "the filter knows most of them not");
  for (std::size_t i = 0; i < 100; ++i) {
    prove(at.unfiltered->look_up("acme", strangers[i])->state == LookUp::State::never_issued,
          "the database knows them not");
    prove(at.is_live(at.ids[i]) &&
              at.registry->look_up("acme", at.ids[i])->state == LookUp::State::live,
          "the filter hides nothing");
  }
  // Who asks has just read the text: it is in his cache. So it is here, with this many; and the way
  // to the next is not an index and a division, which would be a tenth of the call.
  const std::span asked = std::span(strangers).first(4 * kBlock);
  auto next = asked.begin();
  const auto ask = [&](Registry& registry) {
    if (next == asked.end()) next = asked.begin();
    const auto found = registry.look_up("acme", *next++);
    prove(found && found->state == LookUp::State::never_issued, "it was never issued");
  };
  bench::side_by_side(
      state, kBlock, [&] { ask(*at.registry); }, [&] { ask(*at.unfiltered); });
  const auto status = at.registry->filter(type)->status();
  state.counters["false_positives"] =
      static_cast<double>(taken_for_known) / static_cast<double>(kStrangers);
  state.counters["declared"] = type.declared.false_positives;
  state.counters["full"] = static_cast<double>(status.count) / static_cast<double>(status.capacity);
}

#define TESSERA_REGISTRY(store)                                    \
  BENCHMARK_CAPTURE(create, store, #store, How::plain)             \
      ->Name(#store "/registry_create/tessera")                    \
      ->UseManualTime();                                           \
  BENCHMARK_CAPTURE(create, store##_keyed, #store, How::keyed)     \
      ->Name(#store "/registry_create_keyed/tessera")              \
      ->UseManualTime();                                           \
  BENCHMARK_CAPTURE(create, store##_child, #store, How::child)     \
      ->Name(#store "/registry_create_child/tessera")              \
      ->UseManualTime();                                           \
  BENCHMARK_CAPTURE(create_100, store, #store, How::plain)         \
      ->Name(#store "/registry_create_100/tessera")                \
      ->UseManualTime();                                           \
  BENCHMARK_CAPTURE(create_100, store##_keyed, #store, How::keyed) \
      ->Name(#store "/registry_create_100_keyed/tessera")          \
      ->UseManualTime();                                           \
  BENCHMARK_CAPTURE(look_up, store, #store, How::plain)            \
      ->Name(#store "/registry_look_up/tessera")                   \
      ->UseManualTime();                                           \
  BENCHMARK_CAPTURE(look_up, store##_child, #store, How::child)    \
      ->Name(#store "/registry_look_up_child/tessera")             \
      ->UseManualTime();                                           \
  BENCHMARK_CAPTURE(look_up, store##_by_id, #store, How::by_id)    \
      ->Name(#store "/registry_look_up_by_id/tessera")             \
      ->UseManualTime();                                           \
  BENCHMARK_CAPTURE(never_issued, store, #store)                   \
      ->Name(#store "/registry_never_issued/tessera")              \
      ->UseManualTime()

TESSERA_REGISTRY(sqlite);
TESSERA_REGISTRY(postgres);
TESSERA_REGISTRY(mariadb);

}  // namespace
