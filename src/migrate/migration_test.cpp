// One promise on each database: after a run every row has one good ID, whoever wrote it and
// whenever, and after an abort the table is as it was.

#include "tessera/migrate/migration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "migrate/db_error.h"
#include "support/servers.h"
#include "tessera/public_id.h"
#include "tessera/system.h"
#include "tessera/uuid.h"

namespace tessera::migrate {
namespace {

using namespace std::chrono_literals;
using db::Engine;
using db::Value;

// Neither NULL nor what stands for it.
constexpr std::string_view kFilled = "SELECT count(*) FROM store WHERE public_id > 'sto_0'";

struct Told : Observer {
  std::vector<StepName> steps;
  std::vector<std::string> rested;
  std::function<void(std::string_view)> when_resting = [](std::string_view) {};
  std::function<void(StepName)> when_step = [](StepName) {};
  std::function<void()> when_rows_done = [] {};
  void step_begins(StepName step) override {
    steps.push_back(step);
    when_step(step);
  }
  std::int64_t done = 0;
  void rows_done(std::int64_t rows, std::int64_t) override {
    done = rows;
    when_rows_done();
  }
  void rests(std::string_view why) override {
    rested.emplace_back(why);
    when_resting(why);
  }
};

// Of the machine, and ahead of it from when it is told.
struct LeapingClock : MonotonicClock {
  std::atomic<std::chrono::seconds> ahead{0s};
  std::chrono::nanoseconds now() noexcept override { return clock.now() + ahead.load(); }
  SystemMonotonicClock clock;
};

class MigrationTest : public testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    switch (GetParam()) {
      case Engine::sqlite: url_ = "sqlite:" + folder_ / "x.db"; break;
      case Engine::postgres: url_ = servers::postgres().fresh_database(); break;
      case Engine::mariadb: url_ = servers::mariadb().fresh_database(); break;
    }
    connection_ = open();
    target_.table = "store";
    target_.tenant_column = "tenant_id";
    target_.type = {"store", "sto", PublicStyle::ulid, '_'};
    options_.pace.batch_rows = 100;
    options_.patience = 120s;
  }
  std::unique_ptr<db::Connection> open() const {
    auto made = db::connect(url_);
    EXPECT_TRUE(made) << made.error().message;
    if (!made) return nullptr;
    if (mariadb()) {  // so that names are in the same quotes everywhere
      EXPECT_TRUE(
          (*made)->batch("SET sql_mode = 'ANSI,STRICT_ALL_TABLES', time_zone = '+05:00', "
                         "max_recursive_iterations = 1000000"));
    }
    return std::move(*made);
  }
  bool postgres() const { return GetParam() == Engine::postgres; }
  bool mariadb() const { return GetParam() == Engine::mariadb; }
  const char* per_engine(const char* sqlite, const char* postgres, const char* mariadb) const {
    const char* const texts[] = {sqlite, postgres, mariadb};
    return texts[static_cast<std::size_t>(GetParam())];
  }

  Value one(const std::string& sql) {
    const auto rows = connection_->query(sql);
    EXPECT_TRUE(rows) << sql << ": " << rows.error().message;
    return rows && !rows->empty() ? rows->rows[0][0] : Value();
  }
  std::int64_t number(const std::string& sql) { return number_of(one(sql)); }
  void play(const std::string& sql) {
    const auto done = connection_->batch(sql);
    EXPECT_TRUE(done) << sql << ": " << done.error().message;
  }
  // `count` rows, one a second from 2023-11-14T22:13:21.500 on.
  void make_table(int count, const std::string& name = "store") {
    play("CREATE TABLE \"" + name +
         "\" (id BIGINT PRIMARY KEY, tenant_id BIGINT NOT NULL, name VARCHAR(50), made " +
         per_engine("VARCHAR(30)", "timestamptz", "DATETIME(3)") + ")");
    const std::string made =
        per_engine("strftime('%Y-%m-%dT%H:%M:%S', 1700000000 + i, 'unixepoch') || '.500Z'",
                   "to_timestamp(1700000000.5) + i * interval '1 second'",
                   "TIMESTAMP '2023-11-14 22:13:20.500' + INTERVAL i SECOND");
    play("INSERT INTO \"" + name +
         "\" WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
         std::to_string(count) + ") SELECT i * 3, i % 7, 'name ' || i, " + made + " FROM n");
  }
  Result<Report, Error> go() {
    const Connect connect = [this] { return db::connect(url_); };
    return run(connect, target_, options_,
               {clock_, monotonic_, entropy_,
                [this](auto time) {
                  ++rests_[time];
                  std::this_thread::sleep_for(time);
                },
                told_});
  }
  void expect_good(std::int64_t rows) {
    const auto report = go();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->good());
    EXPECT_EQ(report->rows, rows);
    EXPECT_GT(report->sampled, 0);
    connection_ = open();  // its plans know a table that was
  }
  // On a connection of its own, which it leaves as a run would.
  Result<Report, Error> verified(std::string_view table, std::string_view column,
                                 std::int64_t sample) {
    return verify(*open(), table, column, sample);
  }
  std::string body_time(const std::string& where) {
    const auto body = public_id::parse_typed(
        string_of(one("SELECT public_id FROM store WHERE " + where)), "sto", PublicStyle::ulid);
    EXPECT_TRUE(body) << where;
    return body ? std::to_string(detail::load_pair(*body).hi >> 16) : "";
  }

  servers::TemporaryFolder folder_;
  std::string url_;
  std::unique_ptr<db::Connection> connection_;
  Target target_;
  RunOptions options_;
  SystemClock clock_;
  LeapingClock monotonic_;
  std::map<std::chrono::milliseconds, int> rests_;  // how often it slept so long
  SystemEntropy entropy_;
  Told told_;
};

TEST_P(MigrationTest, GivesEveryRowAnIdInTheOrderOfTheKey) {
  make_table(2500);
  expect_good(2500);
  EXPECT_EQ(number("SELECT count(DISTINCT public_id) FROM store"), 2500);
  const auto rows = connection_->query("SELECT public_id FROM store ORDER BY id");
  ASSERT_TRUE(rows);
  for (std::size_t i = 1; i < rows->rows.size(); ++i) {
    ASSERT_LT(string_of(rows->rows[i - 1][0]), string_of(rows->rows[i][0])) << i;
  }
  EXPECT_EQ(told_.steps.front(), StepName::column);
  EXPECT_EQ(told_.steps.back(), StepName::verify);
  const auto again = go();
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->good());
}

TEST_P(MigrationTest, WorksOnATableWithoutRows) {
  make_table(1);
  play("DELETE FROM store");
  const auto report = go();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->good());
}

TEST_P(MigrationTest, NewRowsHaveAnIdAndNobodySetsOneBack) {
  make_table(10);
  expect_good(10);
  play("INSERT INTO store (id, tenant_id) VALUES (1000, 1), (1001, 1)");
  play("INSERT INTO store (id, tenant_id, public_id) VALUES (1002, 1, NULL)");
  EXPECT_EQ(number("SELECT count(DISTINCT public_id) FROM store WHERE id >= 1000"), 3);
  const auto before = one("SELECT public_id FROM store WHERE id = 3");
  play("UPDATE store SET name = 'old', public_id = NULL WHERE id = 3");
  EXPECT_EQ(one("SELECT public_id FROM store WHERE id = 3"), before);
  const auto report = verified("store", "public_id", 100);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->good());
}

TEST_P(MigrationTest, ARowThatATriggerGaveAnIdKeepsIt) {
  make_table(300);
  const auto other = open();
  Value given;
  told_.when_step = [&](StepName step) {
    if (step != StepName::backfill) return;
    EXPECT_TRUE(other->batch("INSERT INTO store (id, tenant_id) VALUES (1, 1)"));
    given = other->query("SELECT public_id FROM store WHERE id = 1")->rows[0][0];
  };
  expect_good(301);
  EXPECT_EQ(string_of(given).size(), 30U);
  EXPECT_EQ(one("SELECT public_id FROM store WHERE id = 1"), given);
  EXPECT_EQ(status(*connection_, "store", "")->front().rows_done, 300);
}

TEST_P(MigrationTest, RefusesTheSameIdTwice) {
  make_table(10);
  expect_good(10);
  EXPECT_FALSE(
      connection_->batch("INSERT INTO store (id, tenant_id, public_id) SELECT 5000, tenant_id, "
                         "public_id FROM store WHERE id = 3"));
}

TEST_P(MigrationTest, TheTimeIsThatOfTheRow) {
  make_table(300);
  play("UPDATE store SET made = NULL WHERE id = 6");
  target_.created_at = "made";
  expect_good(300);
  EXPECT_EQ(body_time("id = 3"), "1700000001500");
  EXPECT_EQ(body_time("id = 900"), "1700000300500");
  EXPECT_GT(body_time("id = 6"), "1700000300500") << "no time: that of the run";
  play(std::string("INSERT INTO store (id, tenant_id, made) VALUES (2000, 1, '") +
       per_engine("2020-01-01T00:00:00.123Z", "2020-01-01T00:00:00.123Z",
                  "2020-01-01 00:00:00.123") +
       "')");
  EXPECT_EQ(body_time("id = 2000"), "1577836800123") << "by the trigger";
}

TEST_P(MigrationTest, EveryFormAndKindCanBeRead) {
  struct Row {
    PublicStyle style;
    Form form;
  };
  for (const auto& [style, form] :
       {Row{PublicStyle::type_id, Form::text}, Row{PublicStyle::type_id, Form::bytes},
        Row{PublicStyle::ulid, Form::bytes}, Row{PublicStyle::checked, Form::bytes}}) {
    const std::string name =
        "t" + std::to_string(static_cast<int>(style)) + std::string(name_of(form));
    make_table(50, name);
    target_.table = name;
    target_.type.style = style;
    target_.form = form;
    expect_good(50);
    // Those of the trigger are read by the library too, and are new each time.
    std::string many = "INSERT INTO \"" + name + "\" (id, tenant_id) VALUES (100000, 1)";
    for (int i = 1; i < 200; ++i) many += ", (" + std::to_string(100000 + i) + ", 1)";
    play(many);
    const auto report = verified(name, "public_id", 1000);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->good()) << name;
    EXPECT_EQ(report->rows, 250);
  }
}

TEST_P(MigrationTest, NamesMayHaveAnythingInThem) {
  const std::string odd = "o'dd\"\"; DROP TABLE x; -- ?$1";  // as it stands in SQL: one " in it
  play("CREATE TABLE \"" + odd + "\" (\"k?\" BIGINT PRIMARY KEY, \"$$\" BIGINT)");
  play("INSERT INTO \"" + odd + "\" VALUES (1, 1), (2, 1)");
  target_.table = "o'dd\"; DROP TABLE x; -- ?$1";
  target_.key = "k?";
  target_.tenant_column = "$$";
  target_.column = "p'u\"b$tessera$";
  expect_good(2);
  EXPECT_TRUE(abort(*connection_, target_.table, target_.column, true));
}

TEST_P(MigrationTest, AbortPutsTheTableBack) {
  make_table(100);
  const std::string columns = per_engine(
      "SELECT count(*) FROM pragma_table_info('store')",
      "SELECT count(*) FROM pg_attribute WHERE attrelid = 'store'::regclass AND attnum > 0 AND NOT "
      "attisdropped",
      "SELECT count(*) FROM information_schema.columns WHERE table_schema = database() AND "
      "table_name = 'store'");
  const std::string things = per_engine(
      "SELECT count(*) FROM sqlite_master WHERE tbl_name = 'store'",
      "SELECT (SELECT count(*) FROM pg_trigger WHERE tgrelid = 'store'::regclass) + (SELECT "
      "count(*) FROM pg_index WHERE indrelid = 'store'::regclass) + (SELECT count(*) FROM "
      "pg_constraint WHERE conrelid = 'store'::regclass) + (SELECT count(*) FROM pg_proc WHERE "
      "proname LIKE 'tessera%')",
      "SELECT (SELECT count(*) FROM information_schema.triggers WHERE trigger_schema = database()) "
      "+ (SELECT count(*) FROM information_schema.statistics WHERE table_schema = database() AND "
      "table_name = 'store')");
  const auto columns_before = number(columns);
  const auto things_before = number(things);
  expect_good(100);
  const auto refused = abort(*connection_, "store", "public_id", false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Error::Code::already_exists);
  const auto done = abort(*connection_, "store", "public_id", true);
  ASSERT_TRUE(done) << done.error().message;
  connection_ = open();
  EXPECT_EQ(number(columns), columns_before);
  EXPECT_EQ(number(things), things_before);
  play("INSERT INTO store (id, tenant_id) VALUES (1000, 1)");
  expect_good(101);
}

TEST_P(MigrationTest, RefusesWhatCannotBe) {
  make_table(10);
  play("CREATE TABLE bare (id BIGINT, tenant_id BIGINT)");
  const auto code = [&](auto change) {
    Target target = target_;
    change(target);
    const auto plan = make_plan(*connection_, target);
    EXPECT_FALSE(plan);
    return plan ? Error::Code::closed : plan.error().code;
  };
  using Code = Error::Code;
  EXPECT_EQ(code([](Target& t) { t.table = "not_there"; }), Code::not_found);
  EXPECT_EQ(code([](Target& t) { t.key = "not_there"; }), Code::not_found);
  EXPECT_EQ(code([](Target& t) { t.tenant_column = "not_there"; }), Code::not_found);
  EXPECT_EQ(code([](Target& t) { t.created_at = "not_there"; }), Code::not_found);
  EXPECT_EQ(code([](Target& t) { t.key = "tenant_id"; }), Code::invalid_request);
  EXPECT_EQ(code([](Target& t) { t.table = "bare"; }), Code::invalid_request);
  EXPECT_EQ(code([](Target& t) { t.column = "made"; }), Code::already_exists);
  play("ALTER TABLE store ADD COLUMN public_id VARCHAR(64)");
  const auto ours = go();
  ASSERT_FALSE(ours) << "a column that somebody else made would be lost by an abort";
  EXPECT_EQ(ours.error().code, Code::already_exists);
  EXPECT_EQ(number("SELECT count(public_id) FROM store"), 0);
}

TEST_P(MigrationTest, AnotherTargetIsRefusedWhileOneIsOnRecord) {
  make_table(10);
  expect_good(10);
  target_.tenant_column = "";
  const auto other = go();
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Error::Code::already_exists);
}

TEST_P(MigrationTest, PausesAndResumes) {
  make_table(1000);
  const auto other = open();
  bool asked = false;
  bool resumed = false;
  std::int64_t filled = 0;
  told_.when_rows_done = [&] {  // behind the first batch
    if (asked) return;
    asked = true;
    filled = number_of(other->query(kFilled)->rows[0][0]);
    EXPECT_GT(filled, 0);
    EXPECT_LE(filled, 100);
    EXPECT_TRUE(set_paused(*other, "store", "public_id", true));
    EXPECT_TRUE(set_paused(*other, "store", "public_id", true)) << "again";
  };
  told_.when_resting = [&](std::string_view why) {
    if (why != "paused" || resumed) return;
    resumed = true;
    EXPECT_EQ(number_of(other->query(kFilled)->rows[0][0]), filled);
    EXPECT_TRUE(status(*other, "store", "")->front().paused);
    EXPECT_TRUE(set_paused(*other, "store", "public_id", false));
  };
  expect_good(1000);
  EXPECT_TRUE(asked);
  EXPECT_TRUE(resumed);
}

TEST_P(MigrationTest, ThePlanSaysWhatTheRunDoes) {
  make_table(10);
  const auto plan = make_plan(*connection_, target_);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->steps.size(), postgres() ? 8U : 5U);
  EXPECT_EQ(plan->next, StepName::column);
  EXPECT_EQ(plan->rows, 10);
  for (const Step& step : plan->steps) EXPECT_FALSE(step.lock.empty());
  EXPECT_TRUE(status(*connection_, "", "")->empty()) << "a plan changes nothing";
}

// The body of each ID as text, and what the column of bytes has.
TEST_P(MigrationTest, TheBytesOfIdsThatAreThereAsText) {
  for (const PublicStyle style : {PublicStyle::ulid, PublicStyle::type_id}) {
    const std::string name = "t" + std::to_string(static_cast<int>(style));
    make_table(300, name);
    target_ = {};
    target_.table = name;
    target_.tenant_column = "tenant_id";
    target_.type = {"store", "sto", style, '_'};
    expect_good(300);
    target_.from = "public_id";
    target_.column = "public_bytes";
    target_.form = Form::bytes;
    expect_good(300);
    // Made by the trigger of the text and read by that of the bytes; or given.
    play("INSERT INTO \"" + name + "\" (id, tenant_id) VALUES (5000, 1), (5001, 2)");
    const bool ulid = style == PublicStyle::ulid;
    const auto given = [&](const std::string& end) {
      return "'sto_" +
             std::string(ulid ? "01ARZ3NDEKTSV4RRFFQ69G5FA" : "01h455vb4pex5vsknk084sn02") + end +
             "'";
    };
    play("INSERT INTO \"" + name + "\" (id, tenant_id, public_id) SELECT 5002, 3, " + given("1") +
         " FROM \"" + name + "\" WHERE id = 3");
    const std::string bytes = per_engine("public_bytes", "uuid_send(public_bytes)", "public_bytes");
    const auto rows = connection_->query("SELECT public_id, " + bytes + " FROM \"" + name + "\"");
    ASSERT_TRUE(rows) << rows.error().message;
    ASSERT_EQ(rows->rows.size(), 303U);
    for (const auto& row : rows->rows) {
      const auto body = public_id::parse_typed(string_of(row[0]), "sto", style);
      ASSERT_TRUE(body) << string_of(row[0]);
      ASSERT_EQ(string_of(row[1]), std::string(body->begin(), body->end())) << string_of(row[0]);
    }
    EXPECT_TRUE(verified(name, "public_bytes", 1000)->good());
    play("UPDATE \"" + name + "\" SET public_id = " + given("2") + " WHERE id = 6");
    const auto other = verified(name, "public_bytes", 1000);
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_FALSE(other->good()) << "the text is another one";
  }
}

TEST_P(MigrationTest, ARowWithoutAnIdToReadIsNamedAndRunGoesOnWhenItIsMended) {
  make_table(300);
  expect_good(300);
  play("UPDATE store SET public_id = 'sto_not an ID' WHERE id = 450");
  target_.from = "public_id";
  target_.column = "public_bytes";
  target_.form = Form::bytes;
  const auto refused = go();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("'450'"), std::string::npos) << refused.error().message;
  play("UPDATE store SET public_id = 'sto_01ARZ3NDEKTSV4RRFFQ69G5FAV' WHERE id = 450");
  expect_good(300);
}

// No flag of its own: the key may be of any type that has an order.
TEST_P(MigrationTest, ATimeOrderedIdBesideAUuidOfChance) {
  play(std::string("CREATE TABLE login (uuid ") + per_engine("VARCHAR(36)", "uuid", "uuid") +
       " NOT NULL PRIMARY KEY, made BIGINT NOT NULL)");
  for (int i = 0; i < 500; ++i) {
    const auto uuid = Uuid::generate_v4();
    ASSERT_TRUE(uuid);
    play("INSERT INTO login VALUES ('" + uuid->to_string() + "', " +
         std::to_string(1700000000000 + i) + ")");
  }
  target_ = {};
  target_.table = "login";
  target_.column = "uuidv7";
  target_.key = "uuid";
  target_.created_at = "made";
  target_.type = {"login", "log", PublicStyle::type_id, '_'};
  target_.form = Form::bytes;
  expect_good(500);
  EXPECT_EQ(
      number("SELECT count(*) FROM (SELECT uuidv7 <= lag(uuidv7) OVER (ORDER BY made) AS back "
             "FROM login) AS r WHERE back"),
      0);
}

INSTANTIATE_TEST_SUITE_P(Engines, MigrationTest,
                         testing::Values(Engine::sqlite, Engine::postgres, Engine::mariadb),
                         [](const auto& of) { return std::string(name_of(of.param)); });

class ServerMigrationTest : public MigrationTest {};

TEST_P(ServerMigrationTest, RowsThatAreLockedAreDoneLater) {
  make_table(500);
  const auto other = open();
  bool locked = false;
  // Not before the backfill: the steps in front of it would wait for him.
  told_.when_step = [&](StepName step) {
    if (step != StepName::backfill) return;
    locked = true;
    EXPECT_TRUE(other->batch("BEGIN"));
    EXPECT_TRUE(other->query("SELECT id FROM store WHERE id IN (30, 600) FOR UPDATE"));
  };
  bool waited = false;
  told_.when_resting = [&](std::string_view why) {
    if (!locked || why != "rows that are locked") return;
    locked = false;
    waited = true;
    EXPECT_EQ(number_of(other->query(kFilled)->rows[0][0]), 498);
    EXPECT_TRUE(other->batch("COMMIT"));
  };
  expect_good(500);
  EXPECT_TRUE(waited);
  EXPECT_EQ(std::ranges::count(told_.rested, "an error that may pass"), 0) << "no batch waits";
  EXPECT_GT(status(*connection_, "store", "")->front().pass, 1);
}

TEST_P(ServerMigrationTest, ASecondRunWaitsAndGivesUp) {
  make_table(10);
  ASSERT_TRUE(connection_->query(per_engine(
      "", "SELECT pg_advisory_lock(hashtextextended('tessera_migration public.store', 0))",
      "SELECT get_lock(concat('tessera ', md5(concat(database(), '.store'))), 0)")));
  options_.patience = 500ms;
  const auto second = go();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Error::Code::store_unavailable);
}

TEST_P(ServerMigrationTest, VerifyFindsWhatIsWrong) {
  make_table(100);
  expect_good(100);
  play("UPDATE store SET public_id = 'sto_01arz3ndektsv4rrffq69g5fav' WHERE id = 3");
  play("UPDATE store SET public_id = 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV' WHERE id = 6");
  play(
      "UPDATE store SET public_id = 'sto_01ARZ3NDEKTSV4RRFFQ69G5FAV', tenant_id = id WHERE id IN "
      "(9, 12)");
  const auto report = verified("store", "public_id", 1000);
  ASSERT_TRUE(report) << report.error().message;
  const auto count = [&](std::string_view name) {
    for (const Check& check : report->checks) {
      if (check.name == name) return check.count;
    }
    return std::int64_t{-1};
  };
  EXPECT_EQ(count("missing"), 0);
  EXPECT_EQ(count("repeated"), 1);
  EXPECT_EQ(count("form"), 2);
  EXPECT_GE(count("unreadable"), 2);
  EXPECT_FALSE(report->good());
}

TEST_P(ServerMigrationTest, ProbesWhatClientsFeelAndLeavesNothingBehind) {
  make_table(500);
  const auto other = open();
  std::int64_t probes = 0;
  told_.when_rows_done = [&] {
    const auto touched = other->query(
        "SELECT updated_ms FROM tessera_migration WHERE table_name LIKE '%store' AND column_name "
        "= ''");
    ASSERT_TRUE(touched && touched->rows.size() == 1);
    probes = number_of(touched->rows[0][0]);
    EXPECT_EQ(status(*other, "", "")->size(), 1U) << "it is no migration";
  };
  expect_good(500);
  EXPECT_GE(probes, 60) << "before the first batch";
  EXPECT_EQ(number("SELECT count(*) FROM tessera_migration"), 1);
}

// Others may have made the server slower since the first batch.
TEST_P(ServerMigrationTest, IsStillForAMomentNowAndThen) {
  make_table(2000);
  int batches = 0;
  told_.when_rows_done = [&] {
    if (++batches <= 2) monotonic_.ahead = 16s * batches;  // however long its rests are
  };
  expect_good(2000);
  EXPECT_GT(batches, 2);
  EXPECT_GE(rests_[100ms], 2);
}

TEST_P(ServerMigrationTest, FastProbesNothing) {
  options_.pace.fast = true;
  make_table(500);
  told_.when_rows_done = [&] { EXPECT_EQ(number("SELECT count(*) FROM tessera_migration"), 1); };
  expect_good(500);
}

// Rows are read before they are locked, unless IDs have the time of their row.
TEST_P(ServerMigrationTest, ARowThatGotItsIdAfterItWasReadKeepsIt) {
  for (const std::string created_at : {"", "made"}) {
    play("DROP TABLE IF EXISTS store; DROP TABLE IF EXISTS tessera_migration");
    make_table(900);
    target_.created_at = created_at;
    const auto other = open();
    std::string id;
    told_.when_rows_done = [&] {
      if (!id.empty()) return;
      EXPECT_TRUE(other->query("UPDATE store SET name = 'b' WHERE id = 2400"));
      id = string_of(other->query("SELECT public_id FROM store WHERE id = 2400")->rows[0][0]);
      EXPECT_GT(id, "sto_0");
    };
    expect_good(900);
    EXPECT_EQ(string_of(one("SELECT public_id FROM store WHERE id = 2400")), id);
    EXPECT_EQ(number("SELECT rows_done FROM tessera_migration"), 899);
    if (created_at.empty()) continue;
    EXPECT_EQ(body_time("id = 2397"), "1700000799500");
    EXPECT_EQ(body_time("id = 2403"), "1700000801500");
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, ServerMigrationTest,
                         testing::Values(Engine::postgres, Engine::mariadb),
                         [](const auto& of) { return std::string(name_of(of.param)); });

class PostgresMigrationTest : public MigrationTest {
 protected:
  // Of 20,000 rows. Small batches leave it to a later one to put on record how far they came.
  enum class OnRecord : std::uint8_t { all, some };
  void expect_a_crash_takes_nothing_back(servers::Server& server, OnRecord on_record) {
    int batches = 0;
    told_.when_rows_done = [&] {
      if (++batches != 40) return;
      server.kill();
      server.restart();
      connection_ = open();
      const auto left = number(std::string(kFilled));
      EXPECT_EQ(left, told_.done);
      const auto recorded =
          number("SELECT rows_done FROM tessera_migration WHERE column_name <> ''");
      if (on_record == OnRecord::all) EXPECT_EQ(recorded, left);
      EXPECT_LE(recorded, left);
    };
    expect_good(20'000);
    EXPECT_GT(batches, 40);
    EXPECT_EQ(number("SELECT pass FROM tessera_migration"), 1) << "nothing was passed over";
    EXPECT_EQ(number("SELECT rows_done FROM tessera_migration"), 20'000);
  }
};

TEST_P(PostgresMigrationTest, BuildsAnIndexAnewThatAKillHasLeftInvalid) {
  make_table(100);
  expect_good(100);
  play("DROP INDEX uk_store_public_id");
  // Two rows of one ID make the server leave an invalid index, as a kill does.
  play("UPDATE store SET public_id = 'x', tenant_id = 1 WHERE id IN (3, 6)");
  EXPECT_FALSE(connection_->batch(
      "CREATE UNIQUE INDEX CONCURRENTLY uk_store_public_id ON store (public_id, tenant_id)"));
  play("ALTER TABLE store ALTER COLUMN public_id DROP NOT NULL");
  play("UPDATE store SET public_id = 'sto_01ARZ3NDEKTSV4RRFFQ69G5FA' || id WHERE id IN (3, 6)");
  play("UPDATE tessera_migration SET step = 'index'");
  EXPECT_FALSE(verified("store", "public_id", 10)->good());
  expect_good(100);
  EXPECT_EQ(
      number("SELECT count(*) FROM pg_index WHERE indrelid = 'store'::regclass AND NOT indisvalid"),
      0);
  EXPECT_EQ(number("SELECT count(*) FROM pg_attribute WHERE attrelid = 'store'::regclass AND "
                   "attname = 'public_id' "
                   "AND attnotnull"),
            1);
}

// An ID that somebody may have read must not change: each batch is on disk when it is told.
// Else everybody would wait while the whole table is looked through.
TEST_P(PostgresMigrationTest, NotNullReadsNoRowUnderItsLock) {
  make_table(500);
  const auto plan = make_plan(*connection_, target_);
  ASSERT_TRUE(plan) << plan.error().message;
  told_.when_step = [&](StepName name) {
    if (name != StepName::not_null) return;
    const auto step = std::ranges::find(plan->steps, name, &Step::name);
    ASSERT_NE(step, plan->steps.end());
    const std::string scans = "SELECT pg_stat_get_xact_numscans('store'::regclass)";
    play("BEGIN");
    const auto before = number(scans);  // of this session, not told to the server yet
    for (const auto& statement : step->statements) play(statement);
    EXPECT_EQ(number(scans), before);
    play("ROLLBACK");
  };
  expect_good(500);
  EXPECT_EQ(number("SELECT count(*) FROM pg_constraint WHERE conrelid = 'store'::regclass AND "
                   "contype = 'c'"),
            0);
}

TEST_P(PostgresMigrationTest, ACrashOfTheServerTakesNothingBack) {
  auto& server = servers::breakable(servers::Server::Kind::postgres);
  server.restart_with({"wal_writer_delay=10s"});
  url_ = server.fresh_database();
  connection_ = open();
  make_table(20'000);
  options_.pace.fast = true;  // nobody else commits, as the probes do
  options_.pace.target = 1ms;
  expect_a_crash_takes_nothing_back(server, OnRecord::all);
}

// The same for batches of one statement, by default, though probes may put them on disk too.
TEST_P(PostgresMigrationTest, ACrashOfTheServerTakesNothingBackOfSmallBatches) {
  auto& server = servers::breakable(servers::Server::Kind::postgres);
  server.restart_with({"wal_writer_delay=10s"});
  url_ = server.fresh_database();
  connection_ = open();
  make_table(20'000);
  expect_a_crash_takes_nothing_back(server, OnRecord::some);
}

INSTANTIATE_TEST_SUITE_P(Engines, PostgresMigrationTest, testing::Values(Engine::postgres),
                         [](const auto& of) { return std::string(name_of(of.param)); });

class MariadbMigrationTest : public MigrationTest {};

// Of a client whose clock is five hours ahead.
TEST_P(MariadbMigrationTest, TimesAreThoseOfTheRowWhateverTheZone) {
  struct Row {
    const char* type;
    const char* value;
  };
  for (const auto& [type, value] :
       {Row{"TIMESTAMP(3)", "'2023-11-15 03:13:20.123'"}, Row{"BIGINT", "1700000000123"},
        Row{"DATETIME(3)", "'2023-11-14 22:13:20.123'"}}) {
    play(std::string(
             "CREATE OR REPLACE TABLE store (id BIGINT PRIMARY KEY, tenant_id BIGINT, made ") +
         type + " NULL)");
    const std::string insert = "INSERT INTO store (id, tenant_id, made) VALUES ";
    play(insert + "(1, 1, " + value + ")");
    target_.created_at = "made";
    expect_good(1);
    play(insert + "(2, 1, " + value + "), (3, 1, NULL)");
    EXPECT_EQ(body_time("id = 1"), "1700000000123") << type;
    EXPECT_EQ(body_time("id = 2"), "1700000000123") << type << ", by the trigger";
    const auto now = static_cast<std::int64_t>(clock_.now_ms());
    EXPECT_NEAR(std::stod(body_time("id = 3")), static_cast<double>(now), 3'600'000) << type;
    ASSERT_TRUE(abort(*connection_, "store", "public_id", true));
    connection_ = open();  // an abort keeps runs out while its connection lasts
  }
}

TEST_P(MariadbMigrationTest, TheTableGrowsByNoMoreThanItsIds) {
  make_table(20'000);
  play("UPDATE store SET name = repeat('x', 50)");
  play("ALTER TABLE store FORCE");
  const std::string size =
      "SELECT data_length FROM information_schema.tables WHERE table_schema = database() AND "
      "table_name = 'store'";
  const auto before = number("ANALYZE TABLE store") + number(size);
  expect_good(20'000);
  const auto after = number("ANALYZE TABLE store") + number(size);
  EXPECT_LT(after - before, 20'000 * 60) << "an ID has 31 bytes; a page that is split, thousands";
}

TEST_P(MariadbMigrationTest, HoweverARowComesItHasAnId) {
  make_table(10);
  expect_good(10);
  play("INSERT INTO store (id, tenant_id) SELECT id + 1000, tenant_id FROM store");
  play("REPLACE INTO store (id, tenant_id) VALUES (3, 1)");
  play("INSERT INTO store (id, tenant_id) VALUES (6, 1) ON DUPLICATE KEY UPDATE name = 'x'");
  play("UPDATE store SET public_id = DEFAULT WHERE id = 9");
  const auto report = verified("store", "public_id", 100);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->good());
  EXPECT_EQ(report->rows, 20);
}

// While a table is being changed, information_schema leaves it out for whoever holds a lock.
TEST_P(MariadbMigrationTest, AColumnThatIsThereIsSeenThoughSomebodyChangesTheTable) {
  make_table(10);
  play("CREATE TABLE waited_for (id INT)");
  expect_good(10);
  play("UPDATE tessera_migration SET step = 'column'");
  // The renaming holds the first table while it waits for the second.
  const auto holder = open();
  const auto renamer = open();
  std::thread renaming;
  std::thread release;
  told_.when_step = [&](StepName step) {
    if (step != StepName::column || renaming.joinable()) return;
    ASSERT_TRUE(holder->batch("BEGIN; SELECT * FROM waited_for"));
    renaming = std::thread([&] {
      EXPECT_TRUE(renamer->batch(
          "RENAME TABLE store TO other, other TO store, waited_for TO was_waited_for"));
    });
    while (number("SELECT count(*) FROM information_schema.processlist WHERE info LIKE 'RENAME%' "
                  "AND state LIKE 'Waiting for table metadata lock'") == 0) {
      std::this_thread::sleep_for(1ms);
    }
    release = std::thread([&] {
      std::this_thread::sleep_for(200ms);
      EXPECT_TRUE(holder->batch("COMMIT"));
    });
  };
  const auto report = go();
  ASSERT_TRUE(renaming.joinable());
  renaming.join();
  release.join();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(number(std::string(kFilled)), 10);
}

TEST_P(MariadbMigrationTest, ATableOfAnotherKindIsRefused) {
  play("CREATE TABLE store (id BIGINT PRIMARY KEY, tenant_id BIGINT NOT NULL) ENGINE=Aria");
  const auto plan = make_plan(*connection_, target_);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Error::Code::invalid_request);
}

INSTANTIATE_TEST_SUITE_P(Engines, MariadbMigrationTest, testing::Values(Engine::mariadb),
                         [](const auto& of) { return std::string(name_of(of.param)); });

}  // namespace
}  // namespace tessera::migrate
