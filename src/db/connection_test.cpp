// Three engines, one behaviour: values come back as they went, errors say what kind they are, and
// what was cut off is never taken for done or not done.

#include "tessera/db/connection.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "support/child.h"
#include "support/servers.h"
#include "tessera/db/pool.h"

namespace tessera::db {
namespace {

using namespace std::chrono_literals;
using Kind = DbError::Kind;

class ConnectionTest : public testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    switch (GetParam()) {
      case Engine::sqlite: url_ = "sqlite:" + folder_ / "x.db"; break;
      case Engine::postgres: url_ = servers::postgres().fresh_database(); break;
      case Engine::mariadb: url_ = servers::mariadb().fresh_database(); break;
    }
    connection_ = open();
  }
  std::unique_ptr<Connection> open() const {
    auto made = connect(url_);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : nullptr;
  }
  std::string sleep(int seconds) const {
    switch (GetParam()) {
      case Engine::sqlite: break;
      case Engine::postgres: return "SELECT pg_sleep(" + std::to_string(seconds) + ")";
      case Engine::mariadb: return "SELECT SLEEP(" + std::to_string(seconds) + ")";
    }
    return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
  }

  servers::TemporaryFolder folder_;
  std::string url_;
  std::unique_ptr<Connection> connection_;
};

TEST_P(ConnectionTest, ValuesComeBackAsTheyWent) {
  const std::string bytes = GetParam() == Engine::sqlite     ? "BLOB"
                            : GetParam() == Engine::postgres ? "BYTEA"
                                                             : "BLOB";
  ASSERT_TRUE(connection_->script("CREATE TABLE t (n BIGINT, s VARCHAR(200), b " + bytes + ");"));
  const std::string all = "a'b\"c\\d?e;--\n\xC3\xA4";
  for (const std::int64_t number : {std::int64_t{0}, INT64_MIN, INT64_MAX, std::int64_t{-1}}) {
    const auto put = connection_->query("INSERT INTO t VALUES (?, ?, ?)",
                                        {number, all, Bytes{std::string("\0\xFF'", 3)}});
    ASSERT_TRUE(put) << put.error().message;
    EXPECT_EQ(put->affected, 1);
    const auto rows = connection_->query("SELECT n, s, b, NULL FROM t WHERE n = ?", {number});
    ASSERT_TRUE(rows) << rows.error().message;
    ASSERT_EQ(rows->rows.size(), 1U);
    EXPECT_EQ(rows->rows[0][0], Value(number));
    EXPECT_EQ(rows->rows[0][1], Value(all));
    EXPECT_EQ(rows->rows[0][2], Value(Bytes{std::string("\0\xFF'", 3)}));
    EXPECT_TRUE(is_null(rows->rows[0][3]));
  }
  ASSERT_TRUE(connection_->query("INSERT INTO t VALUES (?, ?, ?)",
                                 {std::monostate{}, std::string(), std::monostate{}}));
  const auto rows = connection_->query("SELECT s, b FROM t WHERE n IS NULL");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->rows[0][0], Value(std::string()));
  EXPECT_TRUE(is_null(rows->rows[0][1]));
}

TEST_P(ConnectionTest, TheFirstRowIsThatOfAQuery) {
  const std::string blob = GetParam() == Engine::postgres ? "BYTEA" : "BLOB";
  ASSERT_TRUE(connection_->script("CREATE TABLE t (n BIGINT, s VARCHAR(64), b " + blob + ");"));
  const std::string text(40, 'x');
  for (const std::int64_t number : {1, 2}) {
    ASSERT_TRUE(connection_->query("INSERT INTO t VALUES (?, ?, ?)",
                                   {number, text, Bytes{std::string("\0\xFF'", 3)}}));
  }
  const auto first = [&](std::string_view where, std::vector<View> parameters) {
    const auto row =
        connection_->first("SELECT n, s, b, NULL FROM t WHERE " + std::string(where), parameters);
    EXPECT_TRUE(row) << row.error().message;
    return row ? std::vector<Value>(row->begin(), row->end()) : std::vector<Value>();
  };
  const std::string_view bytes("\0\xFF'", 3);
  for (int i = 0; i < 2; ++i) {
    const auto row = first("n > ? AND s = ? AND b = ? ORDER BY n",
                           {std::int64_t{0}, std::string_view(text), BytesView{bytes}});
    ASSERT_EQ(row.size(), 4U);
    EXPECT_EQ(row[0], Value(std::int64_t{1}));
    EXPECT_EQ(row[1], Value(text));
    EXPECT_EQ(row[2], Value(Bytes{std::string(bytes)}));
    EXPECT_TRUE(is_null(row[3]));
    EXPECT_TRUE(first("n = ?", {std::int64_t{3}}).empty());
    EXPECT_TRUE(first("n = ?", {std::monostate{}}).empty());
    EXPECT_EQ(first("n = 1 AND s <> ?", {std::string_view()}).size(), 4U) << "empty is not NULL";
    EXPECT_EQ(first("n = 1 AND b <> ?", {BytesView{}}).size(), 4U) << "empty is not NULL";
  }
  // Nothing is held open by a row that was not the last one.
  EXPECT_EQ(connection_->query("DELETE FROM t")->affected, 2);
  EXPECT_EQ(connection_->first("SELECT not_there FROM t", {}).error().kind, Kind::missing);
  if (GetParam() == Engine::sqlite) {
    EXPECT_FALSE(connection_->first("DELETE FROM t", {}));
  }
}

TEST_P(ConnectionTest, ErrorsSayWhatKindTheyAre) {
  ASSERT_TRUE(connection_->script("CREATE TABLE t (n BIGINT PRIMARY KEY, CHECK (n > 0));"));
  const auto kind = [&](std::string_view sql) {
    const auto rows = connection_->query(sql);
    EXPECT_FALSE(rows) << sql;
    EXPECT_FALSE(rows || rows.error().message.empty());
    EXPECT_TRUE(connection_->usable()) << sql;
    return rows ? Kind::failed : rows.error().kind;
  };
  ASSERT_TRUE(connection_->query("INSERT INTO t VALUES (1)"));
  EXPECT_EQ(kind("INSERT INTO t VALUES (1)"), Kind::unique);
  EXPECT_EQ(kind("INSERT INTO t VALUES (-1)"), Kind::check);
  EXPECT_EQ(kind("SELECT * FROM not_there"), Kind::missing);
  EXPECT_EQ(kind("SELECT not_there FROM t"), Kind::missing);
  EXPECT_EQ(kind("SELEKT"), Kind::failed);
}

TEST_P(ConnectionTest, AnswersEachStatementOfABatch) {
  const auto answers = connection_->batch(
      "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1), (2); SELECT n FROM t;");
  ASSERT_TRUE(answers) << answers.error().message;
  ASSERT_EQ(answers->size(), 3U);
  EXPECT_EQ((*answers)[1].affected, 2);
  EXPECT_EQ((*answers)[2].rows.size(), 2U);
  EXPECT_FALSE(connection_->batch("SELECT n FROM t; SELECT x FROM t;"));
  EXPECT_TRUE(connection_->query("SELECT n FROM t"));
}

TEST_P(ConnectionTest, WhatIsCutOffHasAnUnknownOutcome) {
  connection_->set_timeout(300ms);
  const auto start = std::chrono::steady_clock::now();
  const auto rows = connection_->query(sleep(20));
  const auto took = std::chrono::steady_clock::now() - start;
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().kind, Kind::outcome_unknown) << rows.error().message;
  EXPECT_LT(took, 3s);
  EXPECT_GE(took, 250ms);
  if (GetParam() != Engine::sqlite) {
    EXPECT_FALSE(connection_->usable());
    EXPECT_FALSE(connection_->query("SELECT 1"));
    EXPECT_FALSE(connection_->batch("SELECT 1"));
  }
}

TEST_P(ConnectionTest, ABatchIsCutOffToo) {
  connection_->set_timeout(300ms);
  const auto start = std::chrono::steady_clock::now();
  const auto rows = connection_->batch(sleep(20));
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().kind, Kind::outcome_unknown) << rows.error().message;
  EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);
}

TEST_P(ConnectionTest, IsNotUsedInAChild) {
  const auto told = in_child([&](Pipe& out) {
    const auto rows = connection_->query("SELECT 1");
    out.write_byte(!rows && !connection_->usable() && rows.error().kind == Kind::failed ? 1 : 0);
    connection_.reset();
    const auto again = connect(url_);
    out.write_byte(again && (*again)->query("SELECT 1") ? 1 : 0);
  });
  EXPECT_EQ(told, (std::vector<std::uint8_t>{1, 1}));
  EXPECT_TRUE(connection_->query("SELECT 1")) << "the parent goes on";
}

TEST_P(ConnectionTest, WaitsForALockNoLongerThanAllowed) {
  ASSERT_TRUE(connection_->script("CREATE TABLE t (n BIGINT PRIMARY KEY, m BIGINT);"));
  ASSERT_TRUE(connection_->query("INSERT INTO t VALUES (1, 0)"));
  const auto other = open();
  ASSERT_TRUE(other->script(GetParam() == Engine::sqlite ? "BEGIN IMMEDIATE" : "BEGIN"));
  ASSERT_TRUE(other->query("UPDATE t SET m = 1 WHERE n = 1"));
  connection_->set_timeout(300ms);
  const auto start = std::chrono::steady_clock::now();
  const auto rows = connection_->query("UPDATE t SET m = 2 WHERE n = 1");
  ASSERT_FALSE(rows);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);
  EXPECT_EQ(rows.error().kind,
            GetParam() == Engine::sqlite ? Kind::conflict : Kind::outcome_unknown);
}

TEST_P(ConnectionTest, APoolLendsNoMoreThanItHas) {
  Pool pool(2,
            [&](std::chrono::milliseconds timeout) -> Result<std::unique_ptr<Connection>, Error> {
              auto made = connect(url_, {timeout, true});
              if (!made)
                return Failure{Error{Error::Code::store_unavailable, made.error().message, ""}};
              return std::move(*made);
            });
  const auto soon = [] { return std::chrono::steady_clock::now() + 100ms; };
  const auto later = [] { return std::chrono::steady_clock::now() + 5s; };
  {
    const auto one = pool.lend(later());
    ASSERT_TRUE(one);
    auto two = pool.lend(later());
    ASSERT_TRUE(two);
    const auto three = pool.lend(soon());
    ASSERT_FALSE(three);
    EXPECT_EQ(three.error().code, Error::Code::timed_out);
    std::thread waiting([&] { EXPECT_TRUE(pool.lend(later())); });
    std::this_thread::sleep_for(20ms);
    { const auto gone = std::move(*two); }
    waiting.join();
  }
  const auto told = in_child([&](Pipe& out) {
    const auto mine = pool.lend(later());
    out.write_byte(mine && (*mine)->query("SELECT 1") ? 1 : 0);
  });
  EXPECT_EQ(told, (std::vector<std::uint8_t>{1})) << "a child makes its own";
  EXPECT_TRUE((*pool.lend(later()))->query("SELECT 1"));
}

INSTANTIATE_TEST_SUITE_P(Engines, ConnectionTest,
                         testing::Values(Engine::sqlite, Engine::postgres, Engine::mariadb),
                         [](const auto& of) { return std::string(name_of(of.param)); });

TEST(Connect, ReachesServersByTheirSockets) {
  for (const auto& url :
       {servers::postgres().socket_url("postgres"), servers::mariadb().socket_url("mysql")}) {
    const auto made = connect(url);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_TRUE((*made)->query("SELECT 1"));
    EXPECT_FALSE((*made)->server_version().empty());
  }
}

TEST(Connect, SaysWhyNotAndNeverThePassword) {
  struct Row {
    std::string url;
    Kind kind;
  };
  const auto pg = std::to_string(servers::postgres().port());
  const auto my = std::to_string(servers::mariadb().port());
  for (const auto& [url, kind] : {
           Row{"postgres://tester:wr0ng@127.0.0.1:" + pg + "/postgres", Kind::denied},
           Row{"mariadb://tester:wr0ng@127.0.0.1:" + my + "/mysql", Kind::denied},
           Row{"postgres://tester:wr0ng@127.0.0.1:1/postgres", Kind::unavailable},
           Row{"mariadb://tester:wr0ng@127.0.0.1:1/mysql", Kind::unavailable},
           Row{"mariadb://tester:s3cret%2Fword@127.0.0.1:" + my + "/wr0ng_database", Kind::missing},
           Row{"sqlite:/nowhere/wr0ng.db", Kind::unavailable},
           Row{"memory:", Kind::failed},
       }) {
    const auto made = connect(url, {2s, true});
    ASSERT_FALSE(made) << url;
    EXPECT_EQ(made.error().kind, kind) << url << ": " << made.error().message;
    if (kind != Kind::missing) {
      EXPECT_EQ(made.error().message.find("wr0ng"), std::string::npos);
    }
  }
}

TEST(Connect, SqliteMakesNoFileUnlessAsked) {
  const servers::TemporaryFolder folder;
  EXPECT_FALSE(connect("sqlite:" + folder / "x.db", {1s, false}));
  EXPECT_TRUE(connect("sqlite:" + folder / "x.db", {1s, true}));
  EXPECT_TRUE(connect("sqlite:" + folder / "x.db", {1s, false}));
}

TEST(Connect, SqliteIsDurable) {
  const servers::TemporaryFolder folder;
  const auto plain = connect("sqlite:" + folder / "x.db");
  EXPECT_EQ((*plain)->query("PRAGMA journal_mode")->rows[0][0], Value(std::string("wal")));
  EXPECT_EQ((*plain)->query("PRAGMA synchronous")->rows[0][0], Value(std::int64_t{2}));
  const auto other = connect("sqlite:" + folder / "y.db?journal=delete");
  EXPECT_EQ((*other)->query("PRAGMA journal_mode")->rows[0][0], Value(std::string("delete")));
  EXPECT_EQ((*other)->query("PRAGMA synchronous")->rows[0][0], Value(std::int64_t{3}));
}

TEST(Connect, AConnectionAtRestNoticesThatTheServerHasGone) {
  for (const auto kind : {servers::Server::Kind::postgres, servers::Server::Kind::mariadb}) {
    servers::Server& server = servers::breakable(kind);
    const auto made = connect(server.fresh_database());
    ASSERT_TRUE(made);
    EXPECT_TRUE((*made)->usable());
    server.restart();
    EXPECT_FALSE((*made)->usable());
  }
}

}  // namespace
}  // namespace tessera::db
