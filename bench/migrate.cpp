// How fast a table that is in use gets its IDs, beside the plain way: UPDATE by ranges of the key,
// in batches of 10,000 rows; and once more in batches as small as those of the migration by
// default, on average. All in the same run, on tables of the same size, with the same clients.
//
//    migrate_bench [--rows=N] [--clients=N] [--rounds=N] [--idle-ms=N] [--engine=NAME]
//                  [--form=text|bytes] [--csv=FILE]
//
// The migration runs twice: as it is by default, when it makes way for clients, and with --fast;
// and that for IDs as text and as 16 bytes. One form or one engine alone, if it is named.
//
//    rows/s     from the first statement to the last row that gets an ID; below it, of the backfill
//               alone: in MariaDB the column is made by writing the table anew
//    p99        of clients that change random rows, 100 times a second each, until then, and of
//               clients alone; below it, that of each step
//    growth     of the table and the indexes that it had, at the end; the unique index is new
//    heap       growth of the table alone; MariaDB does not tell them apart
//    waste      how much larger than the same rows, with their IDs, in a new table
//
// --csv adds the figures as rows of raw.csv; bench/rows.py says what they are.
//
// Every table is counted before a figure is printed: each row has an ID, and no two have the same.

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/servers.h"
#include "tessera/db/connection.h"
#include "tessera/migrate/migration.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using db::Connection;
using db::Engine;
using Time = std::chrono::steady_clock::time_point;

using migrate::Form;
using migrate::StepName;

struct Size {
  std::int64_t rows = 1'000'000;
  std::int64_t clients = 2;
  std::int64_t rounds = 3;
  std::int64_t idle_ms = 5000;
};

struct Latency {
  double p99_ms = 0;
  double longest_ms = 0;
};

Time now() { return std::chrono::steady_clock::now(); }
double seconds_since(Time start) { return std::chrono::duration<double>(now() - start).count(); }

[[noreturn]] void end(const std::string& why) {
  std::fprintf(stderr, "migrate_bench: %s\n", why.c_str());
  std::exit(1);
}

db::Rows ask(Connection& connection, const std::string& sql) {
  connection.set_timeout(3600s);
  auto answers = connection.batch(sql);
  if (!answers) end(sql + ": " + answers.error().message);
  return answers->empty() ? db::Rows{} : answers->back();
}

std::int64_t number(Connection& connection, const std::string& sql) {
  const auto rows = ask(connection, sql);
  if (rows.empty()) end(sql + ": no answer");
  if (const auto* text = std::get_if<std::string>(&rows.rows[0][0]))
    return std::atoll(text->c_str());
  return std::get<std::int64_t>(rows.rows[0][0]);
}

std::unique_ptr<Connection> open(const std::string& url) {
  auto made = db::connect(url);
  if (!made) end(made.error().message);
  return std::move(*made);
}

// Clients change rows of a table until they are told to stop.
class Clients {
 public:
  Clients(const std::string& url, const std::string& table, const Size& size) {
    for (std::int64_t i = 0; i < size.clients; ++i) {
      times_.emplace_back();
      threads_.emplace_back([this, url, table, rows = size.rows, i, &times = times_.back()] {
        run(url, table, rows, static_cast<std::uint64_t>(i), times);
      });
    }
  }
  void stop() {
    stop_ = true;
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }
  // Of those that ended in that time. Only when they have stopped.
  Latency between(Time from, Time to) const {
    std::vector<double> all;
    for (const auto& times : times_) {
      for (const auto& [at, ms] : times)
        if (at >= from && at < to) all.push_back(ms);
    }
    if (all.empty()) return {};
    std::ranges::sort(all);
    return {all[all.size() * 99 / 100], all.back()};
  }

 private:
  void run(const std::string& url, const std::string& table, std::int64_t rows, std::uint64_t seed,
           std::vector<std::pair<Time, double>>& times) const {
    const auto connection = open(url);
    connection->set_timeout(600s);
    std::mt19937_64 random(seed);
    const std::string sql = "UPDATE " + table + " SET name = ? WHERE id = ?";
    auto due = now();
    while (!stop_) {
      const auto id = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(rows));
      const auto start = now();
      if (const auto done = connection->query(sql, {std::string(80, 'y'), id}); !done)
        end(done.error().message);
      times.emplace_back(now(), seconds_since(start) * 1000);
      due += 10ms;
      std::this_thread::sleep_until(due);
      due = std::max(due, now() - 10ms);  // what was missed is not made good in a burst
    }
  }

  std::atomic<bool> stop_{false};
  std::list<std::vector<std::pair<Time, double>>> times_;
  std::vector<std::thread> threads_;
};

struct Figures {
  double rows_per_second = 0;
  Latency latency;
  double growth = 0;               // percent
  double heap = 0;                 // percent
  double waste = 0;                // percent
  std::int64_t batch_rows = 0;     // on average; only of a migration
  double backfill_per_second = 0;  // without what is done before; only of a migration
  std::vector<std::pair<StepName, Latency>> steps = {};
};

// With the memory that a server of such tables has; those of tests have less than the table. And
// as one that has been at work for a while: files of its log are there to be used again. A new
// server makes one for every 16 MB, and all who commit wait for as long as it takes to fill it
// with zeros, some 50 ms.
servers::Server& server(Engine engine, const Size& size) {
  using Kind = servers::Server::Kind;
  if (engine == Engine::postgres) {
    static servers::Server postgres(Kind::postgres, {"shared_buffers=1GB", "max_wal_size=8GB",
                                                     "min_wal_size=4GB", "autovacuum=on"});
    static const bool warm = [&] {
      constexpr std::int64_t kRowsOfAFile = 10'000;  // rows are changed, and indexes are built
      const std::string files = std::to_string(2 + size.rows / kRowsOfAFile);
      postgres.run("DO $$ BEGIN FOR i IN 1.." + files +
                   " LOOP PERFORM pg_logical_emit_message(false, '', ''); PERFORM pg_switch_wal(); "
                   "END LOOP; END $$");
      postgres.run("CHECKPOINT");
      return true;
    }();
    static_cast<void>(warm);
    return postgres;
  }
  static servers::Server mariadb(Kind::mariadb,
                                 {"innodb-buffer-pool-size=1G", "innodb-log-file-size=1G"});
  return mariadb;
}

class Place {
 public:
  Place(Engine engine, Form form, const Size& size)
      : engine_(engine),
        form_(form),
        size_(size),
        url_(server(engine, size).fresh_database()),
        connection_(open(url_)) {}

  void make_table() {
    const std::string count = std::to_string(size_.rows);
    ask(*connection_, "DROP TABLE IF EXISTS store; DROP TABLE IF EXISTS tessera_migration");
    ask(*connection_,
        "CREATE TABLE store (id bigint PRIMARY KEY, tenant_id bigint NOT NULL, name varchar(100) "
        "NOT NULL, made bigint NOT NULL)");
    ask(*connection_, "INSERT INTO store SELECT i, i % 100, repeat('x', 80), 1700000000 + i FROM " +
                          (postgres() ? "generate_series(1, " + count + ") AS i"
                                      : "(SELECT seq AS i FROM seq_1_to_" + count + ") AS n"));
    ask(*connection_, "CREATE INDEX store_tenant ON store (tenant_id)");
    ask(*connection_, postgres() ? "VACUUM ANALYZE store" : "ANALYZE TABLE store");
    if (postgres()) server(engine_, size_).run("CHECKPOINT");
    bytes_ = bytes("store");
  }

  Figures idle() {
    Clients clients(url_, "store", size_);
    const auto start = now();
    std::this_thread::sleep_for(std::chrono::milliseconds(size_.idle_ms));
    clients.stop();
    return {.latency = clients.between(start, now())};
  }

  // In batches of so many rows.
  Figures plain(std::int64_t batch_rows) {
    Clients clients(url_, "store", size_);
    const auto start = now();
    ask(*connection_, "ALTER TABLE store ADD COLUMN public_id " + column());
    for (std::int64_t first = 1; first <= size_.rows; first += batch_rows) {
      ask(*connection_, "UPDATE store SET public_id = " + value() + " WHERE id BETWEEN " +
                            std::to_string(first) + " AND " +
                            std::to_string(first + batch_rows - 1));
    }
    const auto end = now();
    clients.stop();
    return figures(start, end, clients);
  }

  Figures migrated(bool fast) {
    struct Steps : migrate::Observer {
      std::vector<std::pair<StepName, Time>> begun;
      std::int64_t batches = 0;
      void step_begins(StepName step) override { begun.emplace_back(step, now()); }
      void rows_done(std::int64_t /*done*/, std::int64_t /*rows*/) override { ++batches; }
    } steps;
    migrate::Target target;
    target.table = "store";
    target.tenant_column = "tenant_id";
    target.type = {"store", "sto", PublicStyle::ulid, '_'};
    target.form = form_;
    SystemClock clock;
    SystemMonotonicClock monotonic;
    SystemEntropy entropy;
    const migrate::Connect connect = [&] { return db::connect(url_); };
    migrate::RunOptions options;
    options.pace.fast = fast;
    Clients clients(url_, "store", size_);
    const auto start = now();
    const auto report = migrate::run(
        connect, target, options,
        {clock, monotonic, entropy, [](auto time) { std::this_thread::sleep_for(time); }, steps});
    steps.begun.emplace_back(StepName::done, now());
    clients.stop();
    if (!report) end(report.error().message);
    if (!report->good() || report->rows != size_.rows) end("the migrated table is not good");
    const auto index =
        std::ranges::find(steps.begun, StepName::index, &std::pair<StepName, Time>::first);
    Figures out = figures(start, index->second, clients);
    out.batch_rows =
        std::max<std::int64_t>(size_.rows / std::max<std::int64_t>(steps.batches, 1), 1);
    for (std::size_t i = 0; i + 1 < steps.begun.size(); ++i) {
      const auto& [step, from] = steps.begun[i];
      const Time to = steps.begun[i + 1].second;
      out.steps.emplace_back(step, clients.between(from, to));
      if (step == StepName::backfill)
        out.backfill_per_second =
            static_cast<double>(size_.rows) / std::chrono::duration<double>(to - from).count();
    }
    return out;
  }

 private:
  struct Bytes {
    std::int64_t table = 0;
    std::int64_t all = 0;  // with its indexes
  };

  bool postgres() const { return engine_ == Engine::postgres; }
  std::string column() const {
    if (form_ == Form::bytes) return postgres() ? "uuid" : "binary(16)";
    return postgres() ? "varchar(64)" : "varchar(64) CHARACTER SET ascii";
  }
  std::string value() const {
    if (form_ == Form::bytes) return postgres() ? "gen_random_uuid()" : "random_bytes(16)";
    return postgres() ? "'sto_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26)"
                      : "concat('sto_', substr(hex(random_bytes(16)), 1, 26))";
  }

  // Without the unique index, if it has one.
  Bytes bytes(const std::string& table) {
    const std::string unique = "'uk_" + table + "_public_id'";
    if (postgres()) {
      return {number(*connection_, "SELECT pg_table_size('" + table + "')"),
              number(*connection_, "SELECT pg_total_relation_size('" + table +
                                       "') - coalesce(pg_relation_size(to_regclass(" + unique +
                                       ")), 0)")};
    }
    const auto file = number(*connection_,
                             "SELECT file_size FROM information_schema.innodb_sys_tablespaces "
                             "WHERE name = concat(database(), '/" +
                                 table + "')");
    ask(*connection_, "ANALYZE TABLE " + table);
    const auto index = number(
        *connection_,
        "SELECT coalesce(sum(stat_value * @@innodb_page_size), 0) FROM mysql.innodb_index_stats "
        "WHERE database_name = database() AND table_name = '" +
            table + "' AND index_name = " + unique + " AND stat_name = 'size'");
    return {file - index, file - index};
  }
  Bytes bytes_anew() {
    ask(*connection_, "DROP TABLE IF EXISTS anew");
    ask(*connection_,
        "CREATE TABLE anew (id bigint PRIMARY KEY, tenant_id bigint NOT NULL, name varchar(100) "
        "NOT NULL, made bigint NOT NULL, public_id " +
            column() + ")");
    ask(*connection_,
        "INSERT INTO anew SELECT id, tenant_id, name, made, public_id FROM store ORDER BY id");
    ask(*connection_, "CREATE INDEX anew_tenant ON anew (tenant_id)");
    const auto size = bytes("anew");
    ask(*connection_, "DROP TABLE anew");
    return size;
  }
  static double more(std::int64_t bytes, std::int64_t than) {
    return 100.0 * static_cast<double>(bytes - than) / static_cast<double>(than);
  }
  Figures figures(Time start, Time end_time, const Clients& clients) {
    const std::int64_t filled =
        number(*connection_, "SELECT count(DISTINCT public_id) FROM store WHERE public_id > " +
                                 std::string(form_ == Form::text ? "'sto_0'"
                                             : postgres() ? "'00000000-0000-0000-0000-000000000000'"
                                                          : "x'00000000000000000000000000000000'"));
    if (filled != size_.rows) end("rows without an ID, or with one of another");
    const auto size = bytes("store");
    return {.rows_per_second = static_cast<double>(size_.rows) /
                               std::chrono::duration<double>(end_time - start).count(),
            .latency = clients.between(start, end_time),
            .growth = more(size.all, bytes_.all),
            .heap = more(size.table, bytes_.table),
            .waste = more(size.all, bytes_anew().all)};
  }

  Engine engine_;
  Form form_;
  Size size_;
  std::string url_;
  std::unique_ptr<Connection> connection_;
  Bytes bytes_;
};

void print(const char* what, const Figures& figures) {
  std::printf("  %-18s %10.0f %9.2f %9.1f %9.1f %9.1f %9.1f\n", what, figures.rows_per_second,
              figures.latency.p99_ms, figures.latency.longest_ms, figures.growth, figures.heap,
              figures.waste);
  for (const auto& [step, latency] : figures.steps) {
    char rate[32] = "";
    if (step == StepName::backfill)
      std::snprintf(rate, sizeof rate, "%.0f", figures.backfill_per_second);
    std::printf("    %-16s %10s %9.2f %9.1f\n", std::string(name_of(step)).c_str(), rate,
                latency.p99_ms, latency.longest_ms);
  }
  std::fflush(stdout);
}

// A file of rows, as bench/rows.py reads them; nowhere, without a name.
class Csv {
 public:
  explicit Csv(const char* path) : file_(path == nullptr ? nullptr : std::fopen(path, "a")) {
    if (path != nullptr && file_ == nullptr) end(std::string(path) + ": cannot be written");
  }
  ~Csv() {
    if (file_ != nullptr) std::fclose(file_);
  }
  Csv(const Csv&) = delete;
  Csv& operator=(const Csv&) = delete;

  void put(Engine engine, Form form, const Size& size, std::int64_t round, const char* who,
           const char* role, const Figures& figures) const {
    if (file_ == nullptr) return;
    const auto line = [&](const char* what, const char* unit, double value) {
      // Text is what most have: its cases are named without it.
      std::fprintf(file_, "migrate,%s/%s%s,%s,%s,rows,%lld,%s,%lld,%.6g\n",
                   std::string(name_of(engine)).c_str(), what, form == Form::text ? "" : "_bytes",
                   who, role, static_cast<long long>(size.rows), unit,
                   static_cast<long long>(round), value);
    };
    if (figures.rows_per_second > 0) {
      line("backfill", "/s", figures.rows_per_second);
      line("growth", "%", figures.growth);
      line("heap", "%", figures.heap);
      line("waste", "%", figures.waste);
    }
    line("p99", "ms", figures.latency.p99_ms);
  }

 private:
  std::FILE* file_;
};

void measure(Engine engine, Form form, const Size& size, const Csv& csv) {
  std::printf("%s, %lld rows, IDs as %s, %lld clients\n", std::string(name_of(engine)).c_str(),
              static_cast<long long>(size.rows), std::string(name_of(form)).c_str(),
              static_cast<long long>(size.clients));
  std::printf("  %-18s %10s %9s %9s %9s %9s %9s\n", "", "rows/s", "p99 ms", "max ms", "growth %",
              "heap %", "waste %");
  Place place(engine, form, size);
  for (std::int64_t round = 0; round < size.rounds; ++round) {
    const auto tell = [&](const char* name, const char* who, const char* role, const Figures& of) {
      print(name, of);
      csv.put(engine, form, size, round, who, role, of);
    };
    place.make_table();
    tell("idle", "idle", "floor", place.idle());
    constexpr std::int64_t kBatchRows = 10'000;
    tell("plain, 10,000 rows", "plain_update", "peer", place.plain(kBatchRows));
    place.make_table();
    tell("tessera --fast", "tessera_fast", "ours", place.migrated(true));
    place.make_table();
    const Figures by_default = place.migrated(false);
    tell("tessera migrate", "tessera", "ours", by_default);
    place.make_table();
    const std::string small = "plain, " + std::to_string(by_default.batch_rows) + " rows";
    tell(small.c_str(), "plain_update_small", "peer", place.plain(by_default.batch_rows));
  }
}

bool take(std::string_view word, std::string_view flag, std::int64_t& value) {
  if (!word.starts_with(flag)) return false;
  const auto read = std::from_chars(word.data() + flag.size(), word.data() + word.size(), value);
  return read.ec == std::errc{} && read.ptr == word.data() + word.size() && value > 0;
}
bool take(std::string_view word, std::string_view flag, std::string_view& value) {
  if (!word.starts_with(flag)) return false;
  value = word.substr(flag.size());
  return true;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  using namespace tessera;
  Size size;
  std::string_view csv;
  std::string_view only_engine;
  std::string_view only_form;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!take(word, "--rows=", size.rows) && !take(word, "--rounds=", size.rounds) &&
        !take(word, "--clients=", size.clients) && !take(word, "--idle-ms=", size.idle_ms) &&
        !take(word, "--engine=", only_engine) && !take(word, "--form=", only_form) &&
        !take(word, "--csv=", csv)) {
      std::fprintf(stderr,
                   "usage: migrate_bench [--rows=N] [--clients=N] [--rounds=N] [--idle-ms=N] "
                   "[--engine=PostgreSQL|MariaDB] [--form=text|bytes] [--csv=FILE]\n");
      return 2;
    }
  }
  const Csv file(csv.empty() ? nullptr : csv.data());
  bool measured = false;
  for (const Engine engine : {Engine::postgres, Engine::mariadb}) {
    for (const Form form : {Form::text, Form::bytes}) {
      if (!only_engine.empty() && only_engine != name_of(engine)) continue;
      if (!only_form.empty() && only_form != name_of(form)) continue;
      measure(engine, form, size, file);
      measured = true;
    }
  }
  if (!measured)
    end("nothing to measure: engines are PostgreSQL and MariaDB, forms text and bytes");
  return 0;
}
