// PostgreSQL with a synchronous standby: what was confirmed is on both, whoever asks and however
// often; the one that takes writes is found among the hosts of the URL; and a promoted standby goes
// on where the primary ended. The storm `postgres-standby` does the same by chance and for long.

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/servers.h"
#include "tessera/db/connection.h"
#include "tessera/registry/store.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Code = Error::Code;
using servers::Server;

constexpr auto kLong = 60s;  // for what must happen, on a busy machine

RegistryTypes make_types() {
  TypeTable table;
  EXPECT_TRUE(table.add({"store", "st"}));
  auto types = RegistryTypes::make(
      table, {{.name = "store", .collection = "stores", .scope = "S", .capacity = 1000}});
  EXPECT_TRUE(types);
  return std::move(*types);
}

// Two servers for all tests. Each test leaves them running, the one a standby of the other.
struct Pair {
  Pair() : first(Server::Kind::postgres) {
    const std::vector<std::string> settings = {"cluster_name=twin",
                                               "synchronous_standby_names=twin"};
    first.restart_with(settings);
    second = std::make_unique<Server>(first, settings);
    primary = &first;
    standby = second.get();
  }

  Server first;
  std::unique_ptr<Server> second;
  Server* primary;
  Server* standby;
};

class StandbyTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { the_pair = std::make_unique<Pair>(); }
  static void TearDownTestSuite() { the_pair.reset(); }

  void SetUp() override {
    url_ = primary().fresh_database();
    ASSERT_TRUE(init_store(url_));
    ASSERT_TRUE(init_registry(url_, types_));
    store_ = reopened(url_);
    ASSERT_TRUE(store_);
    Scope scope;
    scope.name = "ORDER";
    ASSERT_TRUE(store_->scopes().create(scope));
    ASSERT_TRUE(draw(*store_));
  }

  static Server& primary() { return *the_pair->primary; }
  static Server& standby() { return *the_pair->standby; }

  static std::unique_ptr<Store> reopened(const std::string& url, bool portable = false) {
    OpenOptions options;
    options.portable_statements = portable;
    options.connect_timeout = kLong;
    auto opened = open_store(url, options);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }

  // Both hosts, the one of `first` first.
  std::string both(const Server& first, const Server& second) const {
    const std::string port = ":" + std::to_string(primary().port());
    std::string url = url_;
    return url.replace(
        url.find(port), port.size(),
        ":" + std::to_string(first.port()) + ",127.0.0.1:" + std::to_string(second.port()));
  }

  static Result<Draw, Error> draw(Store& store, std::string_view key = {},
                                  std::chrono::milliseconds timeout = kLong) {
    return store.segments().draw({"ORDER", 10, "test", key, timeout});
  }

  Result<CreateAnswer, Error> create(Store& store, std::chrono::milliseconds timeout = kLong) {
    const auto registry = store.registry(types_);
    EXPECT_TRUE(registry) << registry.error().message;
    const NewEntry entry{7, {1, 2}};
    return (*registry)->create({.type = *types_.find("store"),
                                .tenant = "acme",
                                .ancestors = {},
                                .entries = {&entry, 1},
                                .idempotency_key = "invoice 8",
                                .timeout = timeout});
  }

  // Until so many commits wait for the standby.
  static void wait_for_waiters(std::size_t count) {
    auto asked = db::connect(primary().superuser_url("postgres"), {.timeout = kLong});
    ASSERT_TRUE(asked);
    for (int tries = 0; tries < 6000; ++tries) {
      const auto rows =
          (*asked)->query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
      ASSERT_TRUE(rows) << rows.error().message;
      if (rows->rows.size() == count) return;
      std::this_thread::sleep_for(10ms);
    }
    FAIL() << "no commit waits for the standby";
  }

  // On threads of their own, since they may wait.
  std::future<Result<Draw, Error>> ask_for_draw(Store& store, std::string_view key = {}) {
    return std::async(std::launch::async, [&store, key] { return draw(store, key); });
  }
  std::future<Result<CreateAnswer, Error>> ask_for_creation(Store& store) {
    return std::async(std::launch::async, [this, &store] { return create(store); });
  }

  static inline std::unique_ptr<Pair> the_pair;
  const RegistryTypes types_ = make_types();
  std::string url_;  // of the primary
  std::unique_ptr<Store> store_;
};

// PostgreSQL confirms such a commit, with a warning.
TEST_F(StandbyTest, ACommitThatDidNotWaitForTheStandbyIsUnknown) {
  standby().freeze();
  auto drawn = ask_for_draw(*store_);
  wait_for_waiters(1);
  primary().run("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  const auto answer = drawn.get();
  standby().thaw();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::outcome_unknown) << answer.error().message;
  EXPECT_TRUE(draw(*store_));
}

// After a crash the primary has what it could not confirm before. A second answer must wait for the
// standby as the first had to, although it changes nothing.
TEST_F(StandbyTest, AKeyIsConfirmedWhenTheStandbyHasItAndNotBefore) {
  standby().freeze();
  auto drawn = ask_for_draw(*store_, "invoice 7");
  auto created = ask_for_creation(*store_);
  wait_for_waiters(2);
  primary().kill();
  EXPECT_EQ(drawn.get().error().code, Code::outcome_unknown);
  EXPECT_EQ(created.get().error().code, Code::outcome_unknown);
  primary().restart();

  const auto store = reopened(url_);
  const auto portable = reopened(url_, true);
  ASSERT_TRUE(store && portable);
  const auto found = store->segments().find("ORDER");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->high_water, 20) << "the primary has it";
  std::vector<std::future<Result<Draw, Error>>> draws;
  std::vector<std::future<Result<CreateAnswer, Error>>> creations;
  for (Store* each : {store.get(), portable.get()}) {
    draws.push_back(ask_for_draw(*each, "invoice 7"));
    creations.push_back(ask_for_creation(*each));
  }
  wait_for_waiters(4);
  standby().thaw();
  for (auto& each : draws) {
    const auto again = each.get();
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->repeated);
    EXPECT_EQ(again->segment, (Segment{11, 21}));
  }
  for (auto& each : creations) {
    const auto again = each.get();
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->repeated);
  }
}

TEST_F(StandbyTest, TheOneThatTakesWritesIsFoundAmongTheHosts) {
  EXPECT_TRUE(draw(*reopened(both(standby(), primary()))));
  // One that is cut off costs its share of the time, not all of it.
  const std::string url = both(primary(), standby());
  primary().freeze();
  auto other = std::async(std::launch::async, [&url] {
    OpenOptions options;
    options.connect_timeout = 2s;
    while (true) {
      auto opened = open_store(url, options);
      if (opened) return std::move(*opened);
      EXPECT_EQ(opened.error().code, Code::store_unavailable) << opened.error().message;
    }
  });
  standby().promote();
  const auto promoted = other.get();  // while the first host is silent
  primary().kill();
  std::swap(the_pair->primary, the_pair->standby);
  standby().follow(primary());
  const auto went_on = draw(*promoted);
  ASSERT_TRUE(went_on) << went_on.error().message;
  EXPECT_EQ(went_on->segment, (Segment{21, 31}));
}

}  // namespace
}  // namespace tessera
