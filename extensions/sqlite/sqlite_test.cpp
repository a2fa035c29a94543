// What Tessera promises inside SQLite, linked in: functions where SQLite lets them stand, one order
// for all connections of a file, numbers that a rollback does not confuse, a connection that can
// be closed, and no text or bytes that make it stumble. (tests/sqlite loads the same as a library.)

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sqlite/tessera_sqlite.h"

namespace {

namespace fs = std::filesystem;

// A folder for a database file, removed at the end.
struct Folder {
  std::string path = (fs::temp_directory_path() / "tessera-sqlite-XXXXXX").string();
  Folder() {
    if (mkdtemp(path.data()) == nullptr) std::abort();
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string database() const { return path + "/test.db"; }
};

using Rows = std::vector<std::vector<std::optional<std::string>>>;

class Database {
 public:
  explicit Database(const std::string& path = ":memory:") {
    EXPECT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
    sqlite3_busy_timeout(db_, 60'000);
    run("PRAGMA synchronous = OFF");  // no power is cut here
  }
  ~Database() {
    // Not _v2: that nothing of ours keeps a connection open is a promise.
    EXPECT_EQ(sqlite3_close(db_), SQLITE_OK);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // The rows, or one row with the error.
  Rows query(const std::string& sql, const std::vector<std::string>& blobs = {}) {
    Rows rows;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
      return {{"error: " + std::string(sqlite3_errmsg(db_))}};
    }
    for (std::size_t i = 0; i < blobs.size(); ++i) {
      sqlite3_bind_text(statement, static_cast<int>(i + 1), blobs[i].data(),
                        static_cast<int>(blobs[i].size()), SQLITE_TRANSIENT);
    }
    int code = sqlite3_step(statement);
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
      auto& row = rows.emplace_back();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, i));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
        row.emplace_back();
        if (sqlite3_column_type(statement, i) != SQLITE_NULL) row.back() = std::string(text, size);
      }
    }
    if (code != SQLITE_DONE) rows = {{"error: " + std::string(sqlite3_errmsg(db_))}};
    sqlite3_finalize(statement);
    return rows;
  }
  // The only value; NULL is "NULL".
  std::string one(const std::string& sql) {
    const Rows rows = query(sql);
    return rows.empty() ? "no row" : rows[0][0].value_or("NULL");
  }
  void run(const std::string& sql) {
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK)
        << sql << ": " << (error == nullptr ? "" : error);
    sqlite3_free(error);
  }
  sqlite3* handle() { return db_; }

 private:
  sqlite3* db_ = nullptr;
};

// Every connection of this program has the functions.
class Sqlite : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_EQ(sqlite3_auto_extension(reinterpret_cast<void (*)()>(sqlite3_tessera_init)),
              SQLITE_OK);
  }
};

TEST_F(Sqlite, OneConnectionCanBeGivenTheFunctionsWithoutAutoExtension) {
  sqlite3_reset_auto_extension();
  {
    Database db;
    EXPECT_EQ(db.one("SELECT tessera_ulid()"), "error: no such function: tessera_ulid");
    EXPECT_EQ(sqlite3_tessera_init(db.handle(), nullptr, nullptr), SQLITE_OK);
    EXPECT_EQ(sqlite3_tessera_init(db.handle(), nullptr, nullptr), SQLITE_OK) << "twice is once";
    EXPECT_EQ(db.one("SELECT length(tessera_ulid())"), "26");
    EXPECT_EQ(db.one("SELECT length(tessera_ulid_ordered())"), "26");
  }
  SetUpTestSuite();
}

TEST_F(Sqlite, MakesWhatItsNamesSay) {
  Database db;
  const std::pair<const char*, const char*> cases[] = {
      {"tessera_valid(tessera_ulid(), 'ulid', 'strict')", "1"},
      {"tessera_valid(tessera_ulid_ordered(), 'ulid', 'strict')", "1"},
      {"tessera_valid(tessera_uuid4(), 'uuidv4', 'strict')", "1"},
      {"tessera_valid(tessera_uuid7(), 'uuidv7', 'strict')", "1"},
      {"tessera_valid(tessera_uuid7_ordered(), 'uuidv7', 'strict')", "1"},
      {"tessera_valid(tessera_objectid(), 'objectid', 'strict')", "1"},
      {"tessera_valid(tessera_ksuid(), 'ksuid', 'strict')", "1"},
      {"tessera_valid(tessera_snowflake(7), 'snowflake', 'strict')", "1"},
      {"tessera_valid(tessera_random(), 'random', 'strict')", "1"},
      {"length(tessera_random(60))", "13"},
      {"length(tessera_random(120, 3))", "27"},
      {"tessera_valid(tessera_public_id('ord'), 'ord', 'strict')", "1"},
      {"tessera_valid(tessera_public_id('ord', 'checked'), 'ord:checked', 'strict')", "1"},
      {"typeof(tessera_ulid_bytes()) || length(tessera_ulid_bytes())", "blob16"},
      {"typeof(tessera_ulid_ordered_bytes()) || length(tessera_ulid_ordered_bytes())", "blob16"},
      {"typeof(tessera_uuid7_ordered_bytes()) || length(tessera_uuid7_ordered_bytes())", "blob16"},
      {"tessera_valid(tessera_uuid4_bytes(), 'uuidv4')", "1"},
      {"tessera_valid(tessera_uuid7_bytes(), 'uuidv7')", "1"},
      {"length(tessera_objectid_bytes()) || ' ' || length(tessera_ksuid_bytes())", "12 20"},
      {"typeof(tessera_snowflake(7))", "integer"},
      {"tessera_snowflake(7) < tessera_snowflake(7)", "1"},
      {"tessera_ulid() < tessera_ulid()", "1"},
      {"typeof(tessera_next_long('x'))", "integer"},
  };
  for (const auto& [expression, expected] : cases) {
    EXPECT_EQ(db.one("SELECT " + std::string(expression)), expected) << expression;
  }
}

TEST_F(Sqlite, RefusesWithWords) {
  Database db;
  const std::pair<const char*, const char*> cases[] = {
      {"tessera_random(0)", "tessera_random: bits are 1 to 512"},
      {"tessera_random(60, 4)", "tessera_random: there are 1 to 3 check symbols"},
      {"tessera_public_id('Ord')", "tessera_public_id: bad prefix"},
      {"tessera_public_id('ord', 'x')",
       "tessera_public_id: no such style; there are ulid, typeid, base36 and checked"},
      {"tessera_snowflake(99999)", "tessera_snowflake: "},
      {"tessera_snowflake('x')", "tessera_snowflake: the number of a machine is an integer from 0"},
      {"tessera_snowflake(1, 'x')", "tessera_snowflake: no such layout"},
      {"tessera_ulid_bytes('01M0MBZ8ZEKMQP3U3V2KM579HW')", " at offset 15"},
      {"tessera_ulid_bytes('01')", "tessera_ulid_bytes: "},
      {"tessera_ulid_text('x')", "tessera_ulid_text: not a blob"},
      {"tessera_ulid_bytes(x'00')", "tessera_ulid_bytes: these are bytes already"},
      {"tessera_valid('x', 'No')", "tessera_valid: no such kind or prefix"},
      {"tessera_valid('x', 'ulid', 'lax')", "tessera_valid: no such kind or prefix"},
      {"tessera_convert('01ARYZ6S41TSV4RRFFQ69G5FAV', 'x')", "tessera_convert: "},
      {"tessera_inspect(x'00')", "tessera_inspect: "},
      {"tessera_next_long('')", "tessera_next_long: a scope is a name"},
      {"tessera_next_long('/ulid')", "tessera_next_long: a scope is a name"},
      {"tessera_next_long(NULL)", "tessera_next_long: a scope is a name"},
      {"tessera_range_min('ulid', 5, 5)", "tessera_range_min: "},
      {"tessera_range_min('ulid', -1, 5)", "tessera_range_min: "},
      {"id FROM tessera_new('no such', 3)", "tessera_new: "},
      {"id FROM tessera_new", "tessera_new: arguments are missing"},
      {"* FROM tessera_range('uuidv4', 0, 1)", "tessera_range: "},
  };
  for (const auto& [expression, expected] : cases) {
    const std::string answer = db.one("SELECT " + std::string(expression));
    EXPECT_TRUE(answer.starts_with("error: ")) << expression << ": " << answer;
    EXPECT_NE(answer.find(expected), std::string::npos) << expression << ": " << answer;
  }
  for (const char* expression :
       {"tessera_ulid_bytes(NULL)", "tessera_ulid_text(NULL)", "tessera_check(NULL)",
        "tessera_valid(NULL, 'ulid')", "tessera_inspect(NULL)", "tessera_time(NULL)",
        "tessera_checksum(NULL)", "tessera_convert(NULL, 'hex')",
        "tessera_range_max('ulid', 1, NULL)",
        "tessera_time('919108f7-52d1-4320-9bac-f847db4148a8')"}) {
    EXPECT_EQ(db.one("SELECT " + std::string(expression)), "NULL") << expression;
  }
}

TEST_F(Sqlite, StandsInDefaultsChecksGeneratedColumnsAndIndexes) {
  Database db;
  db.run("PRAGMA trusted_schema = OFF");  // harmless functions may stand in a schema all the same
  db.run(
      "CREATE TABLE orders("
      " id BLOB PRIMARY KEY DEFAULT (tessera_ulid_bytes()),"
      " public_id TEXT NOT NULL UNIQUE DEFAULT (tessera_public_id('ord'))"
      "   CHECK (tessera_valid(public_id, 'ord', 'strict')),"
      " made_ms INTEGER GENERATED ALWAYS AS (tessera_time(id)) STORED,"
      " id_text TEXT GENERATED ALWAYS AS (tessera_ulid_text(id)) VIRTUAL,"
      " note TEXT) WITHOUT ROWID");
  db.run("CREATE INDEX by_time ON orders(tessera_time(public_id))");
  for (int i = 0; i < 10; ++i) db.run("INSERT INTO orders(note) VALUES ('x')");
  EXPECT_EQ(db.one("SELECT count(*) FROM orders WHERE made_ms > 1700000000000"
                   " AND tessera_valid(id_text, 'ulid', 'strict')"),
            "10");
  EXPECT_NE(db.one("EXPLAIN QUERY PLAN SELECT 1 FROM orders WHERE tessera_time(public_id) = 5"),
            "no row");
  EXPECT_NE(
      db.query("EXPLAIN QUERY PLAN SELECT 1 FROM orders WHERE tessera_time(public_id) = 5")[0][3]
          ->find("by_time"),
      std::string::npos);
  EXPECT_NE(db.one("INSERT INTO orders(public_id) VALUES ('usr_01ARYZ6S41TSV4RRFFQ69G5FAV')")
                .find("CHECK constraint failed"),
            std::string::npos);
  // One whose answer depends on the clock may not.
  EXPECT_NE(db.one("CREATE INDEX i ON orders(tessera_inspect(note))").find("non-deterministic"),
            std::string::npos);
  EXPECT_NE(db.one("CREATE INDEX i ON orders(tessera_ulid())").find("non-deterministic"),
            std::string::npos);
  // One that writes may not stand in a schema that is not trusted.
  EXPECT_NE(db.one("INSERT INTO orders(note) SELECT tessera_next_long('x')"), "no such function");
}

TEST_F(Sqlite, ATableOfNewIds) {
  Database db;
  EXPECT_EQ(db.one("SELECT count(DISTINCT id) FROM tessera_new('ulid', 1000)"), "1000");
  EXPECT_EQ(db.one("SELECT count(*) FROM tessera_new('ulid', 0)"), "0");
  EXPECT_EQ(db.one("SELECT count(*) FROM tessera_new('ulid', -5)"), "0");
  EXPECT_EQ(db.one("SELECT count(*) FROM tessera_new('ulid')"), "1");
  EXPECT_EQ(db.one("SELECT count(*) FROM tessera_new(NULL, 5)"), "0");
  EXPECT_EQ(db.one("SELECT sum(tessera_ulid_text(bytes) = id) FROM tessera_new('ulid', 600)"),
            "600");
  for (const char* kind : {"uuidv1", "uuid4", "uuidv6", "uuid7", "uuidv8", "ulid", "objectid",
                           "ksuid", "random", "ord", "ord:checked", "typeid"}) {
    EXPECT_EQ(
        db.one(
            "SELECT count(DISTINCT id) || ' ' || sum(tessera_valid(id, kind, 'strict')) || ' ' ||"
            " sum(typeof(bytes) = 'blob') FROM tessera_new('" +
            std::string(kind) + "', 300)"),
        "300 300 300")
        << kind;
  }
  // In order, and as a table like any other.
  EXPECT_EQ(db.one("SELECT count(*) FROM (SELECT id <= lag(id) OVER () AS bad"
                   " FROM tessera_new('uuidv7', 1000)) WHERE bad"),
            "0");
  db.run(
      "CREATE TABLE t AS SELECT k.kind, n.id FROM (SELECT 'ulid' AS kind UNION SELECT 'ksuid') k,"
      " tessera_new(k.kind, 3) n");
  EXPECT_EQ(db.one("SELECT count(*) FROM t"), "6");
  EXPECT_EQ(db.one("SELECT smallest || ' ' || largest FROM tessera_range('ulid', 0, 1)"),
            "00000000000000000000000000 0000000000ZZZZZZZZZZZZZZZZ");
  EXPECT_EQ(db.one("SELECT tessera_range_max('ulid', 0, 1)"), "0000000000ZZZZZZZZZZZZZZZZ");
}

TEST_F(Sqlite, NumbersFollowTheTransactionAndNeverComeTwiceInTheDatabase) {
  const Folder folder;
  Database a(folder.database());
  Database b(folder.database());
  EXPECT_EQ(a.one("SELECT tessera_next_long('orders')"), "1");
  EXPECT_EQ(a.one("SELECT tessera_next_long('orders')"), "2");
  EXPECT_EQ(b.one("SELECT tessera_next_long('orders')"), "3");
  EXPECT_EQ(a.one("SELECT tessera_next_long('users')"), "1");
  a.run("CREATE TABLE t(n INTEGER NOT NULL UNIQUE DEFAULT (tessera_next_long('orders')), x)");
  a.run("BEGIN; INSERT INTO t(x) VALUES (1), (2), (3); ROLLBACK");
  a.run("INSERT INTO t(x) VALUES (4)");
  b.run("INSERT INTO t(x) VALUES (5)");
  a.run(
      "SAVEPOINT s; INSERT INTO t(x) VALUES (6), (7); ROLLBACK TO s; INSERT INTO t(x) VALUES (8); "
      "RELEASE s");
  b.run("INSERT INTO t(x) VALUES (9)");
  const Rows rows = a.query("SELECT n FROM t ORDER BY x");
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LT(std::stoll(*rows[i - 1][0]), std::stoll(*rows[i][0]));
  }
  EXPECT_GT(std::stoll(*rows[0][0]), 6) << "numbers of a transaction that was rolled back are not "
                                           "given out again by the same connection";
}

TEST_F(Sqlite, ALastNumberAndNoneAfterIt) {
  const Folder folder;
  Database db(folder.database());
  EXPECT_EQ(db.one("SELECT tessera_next_long('x')"), "1");
  db.run("UPDATE tessera_mark SET value = 9223372036854775807 WHERE name = 'x'");
  EXPECT_EQ(db.one("SELECT tessera_next_long('x')"),
            "error: tessera_next_long: there are no more numbers");
  EXPECT_EQ(db.one("SELECT tessera_next_long('y')"), "1");
}

TEST_F(Sqlite, OrderedStaysAboveWhatOthersWroteWhateverTheClockSays) {
  const Folder folder;
  Database a(folder.database());
  Database b(folder.database());
  a.run(
      "CREATE TABLE t(n INTEGER PRIMARY KEY, id TEXT DEFAULT (tessera_ulid_ordered()),"
      " uuid BLOB DEFAULT (tessera_uuid7_ordered_bytes()))");
  // Somebody whose clock is an hour ahead.
  a.run(
      "SELECT tessera_ulid_ordered(); SELECT tessera_uuid7_ordered();"
      "UPDATE tessera_mark SET value = value + 3600000 * 65536, holder = 1");
  for (int i = 0; i < 50; ++i) {
    a.run("INSERT INTO t(n) VALUES (NULL), (NULL)");
    b.run(
        "BEGIN; INSERT INTO t(n) VALUES (NULL); SAVEPOINT s; INSERT INTO t(n) VALUES (NULL);"
        "ROLLBACK TO s; INSERT INTO t(n) VALUES (NULL); COMMIT");
  }
  EXPECT_EQ(a.one("SELECT count(*) FROM t"), "200");
  EXPECT_EQ(a.one("SELECT count(*) FROM t x JOIN t y ON y.n = x.n + 1 WHERE x.id >= y.id OR x.uuid "
                  ">= y.uuid"),
            "0");
  EXPECT_EQ(a.one("SELECT count(*) FROM t WHERE NOT tessera_valid(id, 'ulid', 'strict')"
                  " OR NOT tessera_valid(uuid, 'uuidv7')"),
            "0");
  EXPECT_EQ(a.one("SELECT min(tessera_time(id)) > unixepoch() * 1000 + 3500000 FROM t"), "1");
}

TEST_F(Sqlite, OrderedIsOneOrderForManyConnectionsThatWriteAtOnce) {
  const Folder folder;
  constexpr int kThreads = 4;
  constexpr int kRounds = 25;
  {
    Database db(folder.database());
    db.run(
        "PRAGMA journal_mode = WAL;"
        "CREATE TABLE t(n INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB DEFAULT "
        "(tessera_ulid_ordered_bytes()),"
        " number INTEGER DEFAULT (tessera_next_long('t')), thread INTEGER)");
  }
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      Database db(folder.database());
      const std::string row = "INSERT INTO t(thread) VALUES (" + std::to_string(thread) + ");";
      for (int i = 0; i < kRounds; ++i) {
        db.run("BEGIN IMMEDIATE;" + row + row + row + (i % 5 == 0 ? "ROLLBACK" : "COMMIT"));
        db.run(row);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  Database db(folder.database());
  EXPECT_EQ(db.one("SELECT count(*) FROM t"),
            std::to_string(kThreads * (kRounds + (kRounds - kRounds / 5) * 3)));
  // The order of the commits is that of n, which SQLite gives out with the rows.
  EXPECT_EQ(db.one("SELECT count(*) FROM (SELECT id <= lag(id) OVER (ORDER BY n)"
                   " OR number <= lag(number) OVER (ORDER BY n) AS bad FROM t) WHERE bad"),
            "0");
}

TEST_F(Sqlite, AReadOnlyDatabaseHasNoOrderToKeepAndSaysSo) {
  const Folder folder;
  { Database(folder.database()).run("CREATE TABLE t(x)"); }
  Database db(folder.database());
  db.run("PRAGMA query_only = ON");
  EXPECT_NE(db.one("SELECT tessera_ulid_ordered()").find("error: tessera_ulid_ordered: "),
            std::string::npos);
  EXPECT_EQ(db.one("SELECT length(tessera_ulid())"), "26");
}

TEST_F(Sqlite, ThreadsShareOneProcessWideOrder) {
  constexpr int kThreads = 4;
  std::vector<std::vector<std::string>> made(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&made, i] {
      Database db;
      for (int round = 0; round < 20; ++round) {
        for (const auto& row : db.query("SELECT id FROM tessera_new('ulid', 200)")) {
          made[static_cast<std::size_t>(i)].push_back(*row[0]);
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& ids : made) {
    EXPECT_TRUE(std::ranges::is_sorted(ids));
    all.insert(ids.begin(), ids.end());
  }
  EXPECT_EQ(all.size(), std::size_t{kThreads} * 20 * 200);
}

// Whatever bytes a column holds: an answer or an error, and the connection lives on.
TEST_F(Sqlite, NoInputMakesItStumble) {
  Database db;
  std::mt19937 random(20261116);  // NOLINT(cert-msc51-cpp): the same every time
  const std::string seeds[] = {"01ARYZ6S41TSV4RRFFQ69G5FAV",
                               "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
                               "ord_01ARYZ6S41TSV4RRFFQ69G5FAV",
                               "AHM6A83HENMPS",
                               "ulid",
                               "uuidv7",
                               "ord:checked",
                               "hex",
                               "bytes",
                               "public",
                               "",
                               std::string(5000, 'Z'),
                               std::string("\0\0", 2),
                               "507f1f77bcf86cd799439011"};
  const auto pick = [&] {
    std::string text = seeds[random() % std::size(seeds)];
    for (auto i = random() % 3; i > 0 && !text.empty(); --i) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    return text;
  };
  const char* calls[] = {"tessera_check(?1)",
                         "tessera_check(?1, ?2)",
                         "tessera_check(?1, ?2, ?3)",
                         "tessera_valid(?1, ?2)",
                         "tessera_inspect(?1)",
                         "tessera_inspect(?1, ?2)",
                         "tessera_time(?1)",
                         "tessera_time(?1, ?2)",
                         "tessera_checksum(?1)",
                         "tessera_checksum(?1, length(?2), ?3)",
                         "tessera_convert(?1, ?2)",
                         "tessera_convert(?1, ?2, ?3)",
                         "tessera_convert(CAST(?1 AS BLOB), ?2, ?3)",
                         "tessera_valid(CAST(?1 AS BLOB), ?2)",
                         "tessera_time(CAST(substr(?1, 1, 16) AS BLOB), ?2)",
                         "tessera_ulid_bytes(?1)",
                         "tessera_ulid_text(CAST(?1 AS BLOB))",
                         "tessera_uuid_bytes(?1)",
                         "tessera_ksuid_bytes(?1)",
                         "tessera_objectid_bytes(?1)",
                         "tessera_public_id(?1, ?2)",
                         "tessera_random(length(?1), ?2)",
                         "tessera_range_min(?1, length(?2), ?3)",
                         "tessera_snowflake(?1, ?2)",
                         "tessera_next_long(?1)",
                         "count(*) FROM tessera_new(?1, length(?2))",
                         "* FROM tessera_range(?1, ?2, ?3)"};
  for (int i = 0; i < 3000; ++i) {
    db.query("SELECT " + std::string(calls[random() % std::size(calls)]), {pick(), pick(), pick()});
  }
  EXPECT_EQ(db.one("SELECT tessera_valid('01ARYZ6S41TSV4RRFFQ69G5FAV', 'ulid')"), "1");
}

}  // namespace
