// A table that four clients insert into, update and delete from is migrated by a process that is
// killed ten times. Then: no row lacks an ID, none has two, none has ever changed its ID, and no
// client has been told of an error. The judge is SQL: it knows nothing of the journal.
//
// Waits are reported, with those of the same clients before the migration begins: how long somebody
// waits depends on the machine, so that no bound would hold everywhere.
//
//    migrate_storm_test [--rows=N] [--gtest_filter=*MariaDB]

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/servers.h"
#include "tessera/db/connection.h"
#include "tessera/migrate/migration.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using db::Connection;

constexpr int kKills = 10;
constexpr int kClients = 4;
std::int64_t g_rows = 200'000;

std::int64_t number(Connection& connection, const std::string& sql) {
  connection.set_timeout(600s);
  const auto rows = connection.query(sql);
  EXPECT_TRUE(rows) << sql << ": " << rows.error().message;
  if (!rows || rows->empty()) return -1;
  const auto* value = std::get_if<std::int64_t>(&rows->rows[0][0]);
  return value != nullptr ? *value : -1;
}

constexpr std::string_view kPostgresTables =
    "CREATE TABLE store (id bigint PRIMARY KEY, tenant_id bigint NOT NULL, name text NOT NULL, "
    "made "
    "timestamptz NOT NULL DEFAULT clock_timestamp());"
    "CREATE TABLE product (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, store_id bigint NOT "
    "NULL REFERENCES store (id));"
    "CREATE TABLE changed (id bigint, was text, is_now text);"
    "INSERT INTO store SELECT i, i % 100, repeat('x', 80), timestamptz '2024-01-01' + i * interval "
    "'1 second' FROM generate_series(1, {rows}) AS i;"
    "INSERT INTO product (store_id) SELECT i FROM generate_series(1, {rows}, 10) AS i;";
constexpr std::string_view kPostgresWatch =
    "CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    "  IF OLD.public_id IS NOT NULL AND OLD.public_id IS DISTINCT FROM NEW.public_id THEN"
    "    INSERT INTO changed VALUES (OLD.id, OLD.public_id, NEW.public_id);"
    "  END IF; RETURN NULL; END $$;"
    "CREATE TRIGGER watch AFTER UPDATE ON store FOR EACH ROW EXECUTE FUNCTION watch();";

constexpr std::string_view kMariadbTables =
    "CREATE TABLE store (id bigint PRIMARY KEY, tenant_id bigint NOT NULL, name varchar(100) NOT "
    "NULL, made datetime(6) NOT NULL DEFAULT current_timestamp(6));"
    "CREATE TABLE product (id bigint AUTO_INCREMENT PRIMARY KEY, store_id bigint NOT NULL, FOREIGN "
    "KEY (store_id) REFERENCES store (id));"
    "CREATE TABLE changed (id bigint, was text, is_now text);"
    "INSERT INTO store SELECT seq, seq % 100, repeat('x', 80), timestamp '2024-01-01 00:00:00' + "
    "interval seq second FROM seq_1_to_{rows};"
    "INSERT INTO product (store_id) SELECT seq FROM seq_1_to_{rows}_step_10;";
constexpr std::string_view kMariadbWatch =
    "CREATE TRIGGER watch AFTER UPDATE ON store FOR EACH ROW BEGIN"
    "  IF OLD.public_id > 'sto_0' AND OLD.public_id <> NEW.public_id THEN"
    "    INSERT INTO changed VALUES (OLD.id, OLD.public_id, NEW.public_id);"
    "  END IF; END";

void play(Connection& connection, std::string_view text) {
  std::string sql(text);
  for (auto at = sql.find("{rows}"); at != sql.npos; at = sql.find("{rows}"))
    sql.replace(at, 6, std::to_string(g_rows));
  connection.set_timeout(600s);
  const auto made = connection.batch(sql);
  ASSERT_TRUE(made) << sql << ": " << made.error().message;
}

// What the clients saw.
struct Seen {
  std::atomic<std::int64_t> inserts{0}, updates{0}, deletes{0}, errors{0}, longest_ms{0};
  std::atomic<std::int64_t> past_a_second{0};
  std::mutex mutex;
  std::string first_error;

  void error(const std::string& text) {
    ++errors;
    const std::lock_guard lock(mutex);
    if (first_error.empty()) first_error = text;
  }
};

// A client makes rows of its own, which it may delete, and changes rows of everybody.
void be_client(const std::string& url, int which, const std::atomic<bool>& stop, Seen& seen) {
  const auto made = db::connect(url);
  if (!made) return seen.error(made.error().message);
  Connection& connection = **made;
  connection.set_timeout(120s);
  std::mt19937_64 random(static_cast<std::uint64_t>(which) + 1);
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  };
  std::int64_t next = 1'000'000'000LL * (which + 1);
  std::vector<std::int64_t> mine;
  const auto send = [&](std::string_view sql, std::initializer_list<db::Value> values = {}) {
    const auto done = values.size() == 0 ? connection.script(sql) : connection.query(sql, values);
    if (!done) seen.error(std::string(sql) + ": " + done.error().message);
    return static_cast<bool>(done);
  };
  while (!stop.load() && seen.errors.load() == 0) {
    const auto start = std::chrono::steady_clock::now();
    const auto choice = below(10);
    if (choice < 4) {
      send("INSERT INTO store (id, tenant_id, name) VALUES (?, ?, 'new')", {++next, next % 100});
      mine.push_back(next);
      ++seen.inserts;
    } else if (choice < 5) {
      send("INSERT INTO product (store_id) VALUES (?)", {1 + below(g_rows)});
    } else if (choice < 7 && !mine.empty()) {
      const auto at = static_cast<std::size_t>(below(static_cast<std::int64_t>(mine.size())));
      send("DELETE FROM store WHERE id = ?", {mine[at]});
      mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(at));
      ++seen.deletes;
    } else {
      // Two rows in one transaction, the larger key first: a migration goes the other way, and if
      // it waited for rows, this would end in a deadlock.
      const std::int64_t low = 1 + below(g_rows - 50);
      send("BEGIN");
      send("UPDATE store SET name = 'b' WHERE id = ?", {low + 1 + below(49)});
      send("UPDATE store SET name = 'a' WHERE id = ?", {low});
      send("COMMIT");
      seen.updates += 2;
    }
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - start);
    if (took > 1s) ++seen.past_a_second;
    std::int64_t longest = seen.longest_ms.load();
    while (took.count() > longest &&
           !seen.longest_ms.compare_exchange_weak(longest, took.count())) {
    }
    std::this_thread::sleep_for(2ms);
  }
}

pid_t start_worker(const std::string& url) {
  std::string program = MIGRATE_WORKER;
  std::string argument = url;
  char* words[] = {program.data(), argument.data(), nullptr};
  pid_t pid = -1;
  EXPECT_EQ(posix_spawn(&pid, program.c_str(), nullptr, nullptr, words, environ), 0);
  return pid;
}

// True if it has ended by itself; then `status` says how.
bool has_ended(pid_t pid, int& status) { return waitpid(pid, &status, WNOHANG) == pid; }

struct Place {
  std::string step;
  std::int64_t rows_done = 0;
};
Place where(Connection& connection) {
  const auto rows =
      connection.query("SELECT step, rows_done FROM tessera_migration WHERE column_name <> ''");
  if (!rows || rows->empty()) return {};
  return {std::get<std::string>(rows->rows[0][0]), std::get<std::int64_t>(rows->rows[0][1])};
}

// The last kill is meant for the index, and the first, in MariaDB, for the column, which takes a
// while there; the others are spread over the backfill.
bool is_time(const Place& place, int kill, db::Engine engine) {
  if (engine == db::Engine::mariadb && kill == 0) return place.step == "column";
  if (place.step.empty() || place.step == "column" || place.step == "trigger") return false;
  if (place.step != "backfill") return true;
  return kill + 1 < kKills && place.rows_done >= g_rows * (kill + 1) / (kKills + 1);
}

class MigrateStorm : public testing::TestWithParam<db::Engine> {
 protected:
  bool postgres() const { return GetParam() == db::Engine::postgres; }

  void SetUp() override {
    auto& server = postgres() ? servers::postgres() : servers::mariadb();
    url_ = server.fresh_database();
    auto made = db::connect(url_);
    ASSERT_TRUE(made) << made.error().message;
    connection_ = std::move(*made);
    play(*connection_, postgres() ? kPostgresTables : kMariadbTables);
  }
  void TearDown() override { stop_clients(); }

  void stop_clients() {
    stop_ = true;
    for (auto& client : clients_) client.join();
    clients_.clear();
  }
  bool past(std::chrono::steady_clock::time_point deadline) const {
    return std::chrono::steady_clock::now() > deadline;
  }

  // From the moment on that there is a column to watch.
  void watch_when_there_is_a_column() {
    const std::string sql =
        "SELECT count(*) FROM information_schema.columns WHERE table_name = 'store' AND "
        "column_name "
        "= 'public_id' AND " +
        std::string(postgres() ? "table_schema = 'public'" : "table_schema = database()");
    const auto deadline = std::chrono::steady_clock::now() + 10min;
    while (number(*connection_, sql) == 0) {
      ASSERT_FALSE(past(deadline)) << "no column";
      std::this_thread::sleep_for(1ms);
    }
    play(*connection_, postgres() ? kPostgresWatch : kMariadbWatch);
  }

  void kill_one(int kill) {
    const pid_t pid = start_worker(url_);
    if (kill == (postgres() ? 0 : 1)) watch_when_there_is_a_column();
    const auto deadline = std::chrono::steady_clock::now() + 30min;
    int status = 0;
    bool ended = false;
    while (!(ended = has_ended(pid, status)) && !is_time(where(*connection_), kill, GetParam()) &&
           !past(deadline)) {
      std::this_thread::sleep_for(1ms);
    }
    ASSERT_FALSE(ended) << "it ended before it could be killed, with " << status;
    ::kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    kills_ += WIFSIGNALED(status) ? 1 : 0;
    const Place place = where(*connection_);
    std::printf("killed at %s, %lld rows\n", place.step.c_str(),
                static_cast<long long>(place.rows_done));
  }

  void expect_none(const std::string& what, const std::string& sql) {
    EXPECT_EQ(number(*connection_, sql), 0) << what;
  }

  std::string url_;
  std::unique_ptr<Connection> connection_;
  std::atomic<bool> stop_{false};
  Seen seen_;
  std::vector<std::thread> clients_;
  int kills_ = 0;
};

TEST_P(MigrateStorm, LosesNothingThoughItIsKilledTenTimes) {
  for (int i = 0; i < kClients; ++i)
    clients_.emplace_back(be_client, url_, i, std::cref(stop_), std::ref(seen_));
  // Until each has done something: what they wait for by themselves.
  while (seen_.updates < 2000 && seen_.errors == 0) std::this_thread::sleep_for(1ms);
  const auto longest_before = seen_.longest_ms.exchange(0);
  seen_.past_a_second = 0;

  for (int kill = 0; kill < kKills; ++kill) {
    kill_one(kill);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(kills_, kKills);
  const pid_t last = start_worker(url_);
  int status = 0;
  waitpid(last, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  const std::int64_t done = seen_.inserts;
  while (seen_.inserts < done + 10 && seen_.errors == 0) std::this_thread::sleep_for(1ms);
  stop_clients();

  EXPECT_EQ(seen_.errors.load(), 0) << seen_.first_error;
  std::printf(
      "clients: %lld inserts, %lld updates, %lld deletes; the longest took %lld ms before and %lld "
      "ms during the migration, %lld took more than a second\n",
      static_cast<long long>(seen_.inserts), static_cast<long long>(seen_.updates),
      static_cast<long long>(seen_.deletes), static_cast<long long>(longest_before),
      static_cast<long long>(seen_.longest_ms), static_cast<long long>(seen_.past_a_second));

  // In MariaDB a row without an ID has 'sto_---...'.
  expect_none("rows without an ID",
              "SELECT count(*) FROM store WHERE public_id IS NULL OR public_id < 'sto_0'");
  expect_none("rows that share an ID", "SELECT count(*) - count(DISTINCT public_id) FROM store");
  expect_none("IDs of another form", std::string("SELECT count(*) FROM store WHERE public_id ") +
                                         (postgres() ? "!~" : "NOT REGEXP") +
                                         " '^sto_[0-7][0-9A-HJKMNP-TV-Z]{25}$'");
  expect_none("IDs that were taken back", "SELECT count(*) FROM changed");
  EXPECT_EQ(number(*connection_, "SELECT count(*) FROM store") - seen_.inserts + seen_.deletes,
            g_rows);
  // IDs sort as the rows were made, over all kills.
  expect_none("IDs out of order",
              "SELECT count(*) FROM (SELECT public_id < lag(public_id) OVER (ORDER BY made, id) AS "
              "back FROM store WHERE id <= " +
                  std::to_string(g_rows) + ") AS r WHERE back");
  expect_none("a column that may be NULL",
              "SELECT count(*) FROM information_schema.columns WHERE table_name = 'store' AND "
              "column_name = 'public_id' AND is_nullable = 'YES'");
  expect_none("products of no store",
              "SELECT count(*) FROM product p LEFT JOIN store s ON s.id = p.store_id WHERE s.id IS "
              "NULL");
  if (postgres()) {
    expect_none("invalid indexes",
                "SELECT count(*) FROM pg_index WHERE indrelid = 'store'::regclass AND NOT "
                "indisvalid");
  }
  // The judge itself: the index does not let an ID in twice.
  EXPECT_FALSE(
      connection_->batch("INSERT INTO store (id, tenant_id, name, public_id) SELECT -1, "
                         "tenant_id, name, public_id FROM store WHERE id = 1"));
}

INSTANTIATE_TEST_SUITE_P(Engines, MigrateStorm,
                         testing::Values(db::Engine::postgres, db::Engine::mariadb),
                         [](const auto& of) { return std::string(name_of(of.param)); });

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--rows=")) return 2;
    std::from_chars(word.data() + 7, word.data() + word.size(), tessera::g_rows);
  }
  return RUN_ALL_TESTS();
}
