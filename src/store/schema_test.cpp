// Tables are made once, by however many try; a table of four columns that others have made goes on
// where it was; and what cannot go on safely is refused with its reason.

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "store/schema.h"
#include "support/store_places.h"
#include "tessera/db/connection.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

using Code = Error::Code;

class SchemaTest : public testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override { spot_ = new_spot(GetParam()); }

  void run(const std::string& sql) const {
    const auto connection = db::connect(spot_.url);
    ASSERT_TRUE(connection) << connection.error().message;
    const auto done = (*connection)->script(sql);
    EXPECT_TRUE(done) << sql << ": " << done.error().message;
  }
  std::string table() const { return spot_.options.table; }
  // As the seed has it, in each engine's words.
  void make_seed_table(const std::string& collation = "") const {
    const bool mariadb = GetParam() == StoreKind::mariadb;
    run("CREATE TABLE " + table() + " (scope VARCHAR(64) " + collation +
        " NOT NULL, max_id BIGINT NOT NULL, step INT NOT NULL DEFAULT 1000, updated_at " +
        (GetParam() == StoreKind::postgres ? "TIMESTAMP" : "DATETIME") +
        " NOT NULL, PRIMARY KEY (scope))" +
        (mariadb ? " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4" : ""));
  }
  void insert(const std::string& scope, const std::string& max_id, int step = 1000) const {
    run("INSERT INTO " + table() + " VALUES ('" + scope + "', " + max_id + ", " +
        std::to_string(step) + ", '2026-01-02 03:04:05')");
  }
  Error refusal() const {
    const auto made = init_store(spot_.url, spot_.options);
    EXPECT_FALSE(made);
    return made ? Error{} : made.error();
  }

  StoreSpot spot_;
};

TEST_P(SchemaTest, IsMadeWhenAskedAndOnlyThen) {
  const auto early = open_store(spot_.url, spot_.options);
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, Code::store_schema);
  EXPECT_NE(early.error().hint.find("init"), std::string::npos);
  for (int i = 0; i < 3; ++i) {
    const auto made = init_store(spot_.url, spot_.options);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->version, kSchemaNewest);
    EXPECT_EQ(made->newest, kSchemaNewest);
  }
  EXPECT_NE(spot_.open(), nullptr);
}

TEST_P(SchemaTest, BringsVersionOneUpToDate) {
  spot_.init();
  run("DROP TABLE " + table() + "_cipher");
  run("DROP TABLE " + table() + "_lease");
  run("DROP TABLE " + table() + "_lease_scope");
  run("UPDATE " + table() + "_schema SET version = 1");
  const auto early = open_store(spot_.url, spot_.options);
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, Code::store_schema);
  EXPECT_NE(early.error().message.find("of version 1, not 3"), std::string::npos)
      << early.error().message;
  spot_.init();
  const auto store = spot_.open();
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(store->scopes().create(Scope{.name = "VOUCHER"}));
  EXPECT_TRUE(store->scopes().keep_fingerprint("VOUCHER", "a1"));
}

TEST_P(SchemaTest, BringsVersionTwoUpToDate) {
  spot_.init();
  ASSERT_TRUE(spot_.open()->scopes().create(Scope{.name = "ORDER"}));
  run("DROP TABLE " + table() + "_lease");
  run("DROP TABLE " + table() + "_lease_scope");
  run("UPDATE " + table() + "_schema SET version = 2");
  const auto early = open_store(spot_.url, spot_.options);
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, Code::store_schema);
  spot_.init();
  const auto store = spot_.open();
  ASSERT_NE(store, nullptr);
  EXPECT_TRUE(store->leases().claim({"ORDER", "layout", 0, 0}));
  EXPECT_TRUE(store->segments().draw({"ORDER", 1})) << "what was there is there";
}

TEST_P(SchemaTest, ManyMayMakeItAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto made = init_store(spot_.url, spot_.options);
      EXPECT_TRUE(made) << made.error().message;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_NE(spot_.open(), nullptr);
}

TEST_P(SchemaTest, AdoptsATableOfFourColumns) {
  make_seed_table();
  insert("TENANT", "0");
  insert("ORDER", "123000", 500);
  insert("LAST", "9223372036854775806");
  {
    const auto early = open_store(spot_.url, spot_.options);
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, Code::store_schema);
    EXPECT_NE(early.error().message.find("-1"), std::string::npos) << early.error().message;
  }
  std::vector<std::thread> threads;  // two at once, as when two programs are rolled out
  for (int i = 0; i < 2; ++i) threads.emplace_back([&] { spot_.init(); });
  for (auto& thread : threads) thread.join();

  const auto store = spot_.open();
  ASSERT_NE(store, nullptr);
  const auto state = store->segments().find("ORDER");
  ASSERT_TRUE(state);
  EXPECT_EQ(state->high_water, 123'000);
  EXPECT_EQ(state->scope.step, 500);
  EXPECT_EQ(state->scope.max, Scope::kMax);
  EXPECT_EQ(state->epoch, 1);
  EXPECT_EQ(state->draws, 0);
  EXPECT_EQ(state->updated_ms, 1'767'323'045'000U);
  EXPECT_EQ(store->segments().draw({"TENANT", 10})->segment, (Segment{1, 11}));
  EXPECT_EQ(store->segments().draw({"ORDER", 10})->segment, (Segment{123'001, 123'011}));
  EXPECT_EQ(store->segments().draw({"LAST", 1})->segment.end, std::uint64_t{1} << 63);
  EXPECT_EQ(store->segments().draw({"LAST", 1}).error().code, Code::exhausted);
  EXPECT_EQ(store->scopes().list()->size(), 3U);

  // A program that knows only the four columns may go on beside us.
  run("UPDATE " + table() + " SET max_id = max_id + step WHERE scope = 'ORDER'");
  run("INSERT INTO " + table() +
      " (scope, max_id, step, updated_at) VALUES ('NEW', 7, 5, "
      "'2026-01-02 03:04:05')");
  EXPECT_EQ(store->segments().draw({"ORDER", 1})->segment.first, 123'511U);
  EXPECT_EQ(store->segments().draw({"NEW", 1})->segment.first, 8U);
}

TEST_P(SchemaTest, RefusesToAdoptWhatCannotGoOn) {
  struct Row {
    std::string scope, max_id;
    int step;
    std::string why;
  };
  for (const auto& row :
       {Row{"ORDER ", "1", 1, "'ORDER '"}, Row{"two words", "1", 1, "two words"},
        Row{"A", "-1", 1, "max_id of 'A' is '-1'"}, Row{"A", "1", 0, "step of 'A' is '0'"},
        Row{"A", "1", 2'000'000, "step of 'A'"}}) {
    spot_ = new_spot(GetParam());
    make_seed_table();
    insert(row.scope, row.max_id, row.step);
    const Error error = refusal();
    EXPECT_EQ(error.code, Code::store_schema);
    EXPECT_NE(error.message.find(row.why), std::string::npos) << error.message;
    EXPECT_FALSE(error.hint.empty());
    run("UPDATE " + table() + " SET max_id = 5, step = 5, scope = 'FINE'");
    spot_.init();
    EXPECT_EQ(spot_.open()->segments().draw({"FINE", 1})->segment.first, 6U);
  }
}

TEST_P(SchemaTest, RefusesATableOfSomebodyElse) {
  run("CREATE TABLE " + table() + " (scope VARCHAR(64) PRIMARY KEY, max_id BIGINT)");
  EXPECT_EQ(refusal().code, Code::store_schema);
  EXPECT_EQ(open_store(spot_.url, spot_.options).error().code, Code::store_schema);
  spot_ = new_spot(GetParam());
  run("CREATE TABLE " + table() +
      " (scope VARCHAR(64), max_id BIGINT, step INT, updated_at VARCHAR(30))");
  EXPECT_NE(refusal().message.find("primary key"), std::string::npos);
}

TEST_P(SchemaTest, RefusesTablesOfANewerProgram) {
  spot_.init();
  run("UPDATE " + table() + "_schema SET version = 99");
  EXPECT_EQ(refusal().code, Code::store_schema);
  EXPECT_NE(refusal().message.find("99"), std::string::npos);
  EXPECT_EQ(open_store(spot_.url, spot_.options).error().code, Code::store_schema);
}

TEST_P(SchemaTest, MakesTheTwoTablesThatAreMissing) {
  spot_.init();
  run("DROP TABLE " + table() + "_log; DROP TABLE " + table() + "_schema;");
  EXPECT_EQ(open_store(spot_.url, spot_.options).error().code, Code::store_schema);
  spot_.init();
  EXPECT_NE(spot_.open(), nullptr);
}

TEST_P(SchemaTest, NoticesARowThatWasSetBack) {
  spot_.init();
  const auto store = spot_.open();
  Scope scope;
  scope.name = "ORDER";
  ASSERT_TRUE(store->scopes().create(scope));
  ASSERT_TRUE(store->segments().draw({"ORDER", 10}));
  ASSERT_TRUE(store->segments().draw({"ORDER", 10}));
  run("UPDATE " + table() + " SET max_id = 10, draws = 1 WHERE scope = 'ORDER'");
  const auto drawn = store->segments().draw({"ORDER", 10});
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().code, Code::store_rewound) << drawn.error().message;
  EXPECT_EQ(store->segments().find("ORDER")->high_water, 10) << "and nothing was moved";
  ASSERT_TRUE(store->scopes().advance("ORDER", 20));
}

TEST_P(SchemaTest, TheTableItselfRefusesWhatMustNotBe) {
  spot_.init();
  const auto store = spot_.open();
  Scope scope;
  scope.name = "ORDER";
  scope.max = 100;
  ASSERT_TRUE(store->scopes().create(scope));
  const auto connection = db::connect(spot_.url);
  ASSERT_TRUE(connection);
  for (const char* change :
       {"max_id = 101", "max_id = -1", "step = 0", "min_id = -1", "hard_max = -1"}) {
    const auto done = (*connection)->script("UPDATE " + table() + " SET " + change);
    ASSERT_FALSE(done) << change;
    EXPECT_EQ(done.error().kind, db::DbError::Kind::check) << done.error().message;
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, SchemaTest,
                         testing::Values(StoreKind::sqlite, StoreKind::postgres,
                                         StoreKind::mariadb),
                         [](const auto& of) { return name_of(of.param); });

TEST(Schema, FixesACollationThatFolds) {
  for (const auto& [kind, collation] : {std::pair{StoreKind::mariadb, "COLLATE utf8mb4_general_ci"},
                                        std::pair{StoreKind::sqlite, "COLLATE NOCASE"}}) {
    const auto spot = new_spot(kind);
    {
      const auto connection = db::connect(spot.url);
      ASSERT_TRUE(
          (*connection)
              ->script("CREATE TABLE " + spot.options.table + " (scope VARCHAR(64) " + collation +
                       " NOT NULL PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL, "
                       "updated_at DATETIME NOT NULL); INSERT INTO " +
                       spot.options.table + " VALUES ('Order', 5, 10, '2026-01-02 03:04:05');"));
    }
    spot.init();
    const auto store = spot.open();
    EXPECT_EQ(store->segments().draw({"order", 1}).error().code, Error::Code::not_found);
    Scope scope;
    scope.name = "order";
    EXPECT_TRUE(store->scopes().create(scope));
    EXPECT_EQ(store->segments().draw({"order", 1})->segment.first, 1U);
    EXPECT_EQ(store->segments().draw({"Order", 1})->segment.first, 6U);
  }
}

TEST(Schema, NoticesColumnsThatWereChanged) {
  struct Row {
    StoreKind kind;
    std::string alter, why;
  };
  for (const auto& row :
       {Row{StoreKind::mariadb, "MODIFY max_id INT NOT NULL", "max_id"},
        Row{StoreKind::mariadb, "MODIFY max_id BIGINT UNSIGNED NOT NULL", "max_id"},
        Row{StoreKind::mariadb, "MODIFY scope VARCHAR(64) COLLATE utf8mb4_general_ci NOT NULL",
            "utf8mb4_general_ci"},
        Row{StoreKind::postgres, "ALTER COLUMN max_id TYPE INT", "max_id"},
        Row{StoreKind::postgres, "ALTER COLUMN scope TYPE VARCHAR(64) COLLATE \"en-x-icu\"",
            "en-x-icu"}}) {
    const auto spot = new_spot(row.kind);
    spot.init();
    const auto connection = db::connect(spot.url);
    const auto done = (*connection)->script("ALTER TABLE " + spot.options.table + " " + row.alter);
    ASSERT_TRUE(done) << done.error().message;
    auto options = spot.options;
    options.accept_duplicate_risk = true;  // is about settings, not about this
    const auto store = open_store(spot.url, options);
    ASSERT_FALSE(store) << row.alter;
    EXPECT_EQ(store.error().code, Error::Code::store_schema);
    EXPECT_NE(store.error().message.find(row.why), std::string::npos) << store.error().message;
  }
}

TEST(Schema, NamesOfTablesAreChecked) {
  for (const std::string& table :
       {std::string(), std::string("a b"), std::string("A"), std::string("1a"), std::string("x;y"),
        std::string("a\""), std::string(49, 'a')}) {
    OpenOptions options;
    options.table = table;
    EXPECT_EQ(init_store("memory:", options).error().code, Error::Code::invalid_request) << table;
    EXPECT_EQ(open_store("memory:", options).error().code, Error::Code::invalid_request) << table;
  }
}

}  // namespace
}  // namespace tessera
