// What happens when parts fail: whoever asked learns whether to ask again, nobody ever gets a
// number twice, and when the part is back, so is the store.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "support/child.h"
#include "support/store_places.h"
#include "tessera/db/connection.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Code = Error::Code;
using servers::Server;

void create(Store& store, const std::string& name) {
  Scope scope;
  scope.name = name;
  const auto made = store.scopes().create(scope);
  ASSERT_TRUE(made) << made.error().message;
}

Server::Kind server_kind(StoreKind kind) {
  return kind == StoreKind::postgres ? Server::Kind::postgres : Server::Kind::mariadb;
}

class ServerFailure : public testing::TestWithParam<std::pair<StoreKind, bool>> {};

// Killed while several draw, again and again: what was given out stays given out.
TEST_P(ServerFailure, KilledMidDrawItGivesNoNumberTwice) {
  Server& server = servers::breakable(server_kind(GetParam().first));
  OpenOptions options;
  options.portable_statements = GetParam().second;
  const std::string url = server.fresh_database();
  ASSERT_TRUE(init_store(url, options));
  const auto opened = open_store(url, options);
  ASSERT_TRUE(opened);
  Store& store = **opened;
  create(store, "ORDER");
  std::atomic<bool> over{false};
  std::atomic<int> failed{0};
  std::vector<std::vector<Segment>> drawn(3);
  std::vector<std::thread> threads;
  for (auto& mine : drawn) {
    threads.emplace_back([&] {
      while (!over) {
        const auto one = store.segments().draw({"ORDER", 3, "t", "", 5s});
        if (one) {
          mine.push_back(one->segment);
        } else {
          ++failed;
          EXPECT_TRUE(one.error().code == Code::outcome_unknown ||
                      one.error().code == Code::store_unavailable ||
                      one.error().code == Code::timed_out)
              << one.error().message;
          std::this_thread::sleep_for(5ms);
        }
      }
    });
  }
  for (int i = 0; i < 2; ++i) {
    std::this_thread::sleep_for(150ms);
    server.kill();
    server.restart();
  }
  std::this_thread::sleep_for(150ms);
  over = true;
  for (auto& thread : threads) thread.join();
  EXPECT_GT(failed, 0);
  std::vector<Segment> all;
  for (const auto& list : drawn) all.insert(all.end(), list.begin(), list.end());
  std::ranges::sort(all, {}, &Segment::first);
  ASSERT_GT(all.size(), 10U);
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_GE(all[i].first, all[i - 1].end);
  const auto state = store.segments().find("ORDER");
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_GE(state->high_water, static_cast<std::int64_t>(all.back().end) - 1);
  EXPECT_EQ(store.scopes().ranges("ORDER", SIZE_MAX)->size(),
            static_cast<std::size_t>(state->draws));
}

TEST_P(ServerFailure, SilenceIsAnUnknownOutcomeAndAKeyFindsOut) {
  Server& server = servers::breakable(server_kind(GetParam().first));
  OpenOptions options;
  options.portable_statements = GetParam().second;
  const std::string url = server.fresh_database();
  ASSERT_TRUE(init_store(url, options));
  const auto store = open_store(url, options);
  ASSERT_TRUE(store);
  create(**store, "ORDER");
  ASSERT_TRUE((*store)->segments().draw({"ORDER", 10}));
  server.freeze();
  const auto start = std::chrono::steady_clock::now();
  const auto lost = (*store)->segments().draw({"ORDER", 10, "t", "key", 300ms});
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  server.thaw();
  ASSERT_FALSE(lost);
  // In steps, BEGIN is the one that gets no answer: nothing can have been done.
  EXPECT_EQ(lost.error().code, GetParam().second ? Code::store_unavailable : Code::outcome_unknown)
      << lost.error().message;
  const auto found = (*store)->segments().draw({"ORDER", 10, "t", "key", 5s});
  ASSERT_TRUE(found) << found.error().message;
  const auto again = (*store)->segments().draw({"ORDER", 10, "t", "key", 5s});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->segment, found->segment);
  EXPECT_EQ((*store)->segments().find("ORDER")->draws, 2);
}

TEST_P(ServerFailure, ARestartBetweenTwoDrawsIsNotNoticed) {
  Server& server = servers::breakable(server_kind(GetParam().first));
  OpenOptions options;
  options.portable_statements = GetParam().second;
  const std::string url = server.fresh_database();
  ASSERT_TRUE(init_store(url, options));
  const auto store = open_store(url, options);
  ASSERT_TRUE(store);
  create(**store, "ORDER");
  ASSERT_TRUE((*store)->segments().draw({"ORDER", 10}));
  server.restart();
  const auto drawn = (*store)->segments().draw({"ORDER", 10});
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(drawn->segment.first, 11U);
  server.stop();
  const auto refused = (*store)->segments().draw({"ORDER", 10, "", "", 1s});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::store_unavailable) << refused.error().message;
  EXPECT_EQ(refused.error().message.find("s3cret"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Servers, ServerFailure,
    testing::Values(std::pair{StoreKind::postgres, false}, std::pair{StoreKind::postgres, true},
                    std::pair{StoreKind::mariadb, false}, std::pair{StoreKind::mariadb, true}),
    [](const auto& of) { return name_of(of.param.first) + (of.param.second ? "_portable" : ""); });

TEST(StoreFailure, ALockedRowIsWaitedForNoLongerThanAllowed) {
  for (const auto kind : {StoreKind::sqlite, StoreKind::postgres, StoreKind::mariadb}) {
    const auto spot = new_spot(kind);
    spot.init();
    const auto store = spot.open();
    create(*store, "ORDER");
    create(*store, "OTHER");
    const auto other = db::connect(spot.url);
    ASSERT_TRUE(other);
    ASSERT_TRUE((*other)->script(kind == StoreKind::sqlite ? "BEGIN IMMEDIATE" : "BEGIN"));
    ASSERT_TRUE(
        (*other)->script("UPDATE " + spot.options.table + " SET step = 7 WHERE scope = 'ORDER'"));
    const auto start = std::chrono::steady_clock::now();
    const auto drawn = store->segments().draw({"ORDER", 1, "", "", 300ms});
    ASSERT_FALSE(drawn);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
    EXPECT_EQ(drawn.error().code,
              kind == StoreKind::sqlite ? Code::timed_out : Code::outcome_unknown)
        << drawn.error().message;
    if (kind != StoreKind::sqlite) {
      EXPECT_TRUE(store->segments().draw({"OTHER", 1})) << "other rows are free";
    }
    ASSERT_TRUE((*other)->script("COMMIT"));
    EXPECT_TRUE(store->segments().draw({"ORDER", 1}));
  }
}

// The range is nobody's before the commit has succeeded, however well all went until then.
TEST(StoreFailure, ACommitThatFailsGivesNothing) {
  for (const bool portable : {false, true}) {
    auto spot = new_spot(StoreKind::postgres);
    spot.options.portable_statements = portable;
    spot.init();
    const auto store = spot.open();
    create(*store, "ORDER");
    const auto other = db::connect(spot.url);
    ASSERT_TRUE(other);
    const std::string log = spot.options.table + "_log";
    const auto made = (*other)->script(
        "CREATE FUNCTION no_" + log +
        "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not today'; END $$;"
        "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON " +
        log + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION no_" + log + "()");
    ASSERT_TRUE(made) << made.error().message;
    const auto refused = store->segments().draw({"ORDER", 10});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::store_failed) << refused.error().message;
    EXPECT_EQ(store->segments().find("ORDER")->high_water, 0);
    ASSERT_TRUE((*other)->script("DROP TRIGGER late ON " + log));
    EXPECT_EQ(store->segments().draw({"ORDER", 10})->segment.first, 1U);
  }
  for (const bool portable : {false, true}) {
    auto spot = new_spot(StoreKind::sqlite);
    spot.url += "?journal=delete";  // where a reader is in the way of a commit
    spot.options.portable_statements = portable;
    spot.init();
    const auto store = spot.open();
    create(*store, "ORDER");
    const auto other = db::connect(spot.url);
    ASSERT_TRUE(other);
    ASSERT_TRUE((*other)->script("BEGIN; SELECT * FROM " + spot.options.table));
    const auto refused = store->segments().draw({"ORDER", 10, "", "", 200ms});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::timed_out) << refused.error().message;
    ASSERT_TRUE((*other)->script("COMMIT"));
    EXPECT_EQ(store->segments().find("ORDER")->high_water, 0);
    EXPECT_EQ(store->segments().draw({"ORDER", 10})->segment.first, 1U);
  }
}

TEST(StoreFailure, AFullDiskIsTemporary) {
  const auto spot = new_spot(StoreKind::sqlite);
  spot.init();
  create(*spot.open(), "ORDER");
  const auto told = in_child([&](Pipe& out) {
    signal(SIGXFSZ, SIG_IGN);
    const auto store = spot.open();
    std::uint64_t last = 0;
    const auto draw = [&] {
      const auto drawn = store->segments().draw({"ORDER", 1, std::string(128, 'h')});
      if (drawn) {
        if (drawn->segment.first <= last) out.write_byte(99);
        last = drawn->segment.first;
        return Code::closed;
      }
      return drawn.error().code;
    };
    out.write_byte(draw() == Code::closed ? 1 : 0);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t all = limit.rlim_cur;
    limit.rlim_cur = 100'000;  // bytes: a few draws more, then nothing
    setrlimit(RLIMIT_FSIZE, &limit);
    Code code = Code::closed;
    for (int i = 0; i < 500 && code == Code::closed; ++i) code = draw();
    out.write_byte(code == Code::store_unavailable || code == Code::outcome_unknown ? 1 : 0);
    limit.rlim_cur = all;
    setrlimit(RLIMIT_FSIZE, &limit);
    out.write_byte(draw() == Code::closed ? 1 : 0);
  });
  EXPECT_EQ(told, (std::vector<std::uint8_t>{1, 1, 1}));
  const auto store = spot.open();
  const auto state = store->segments().find("ORDER");
  EXPECT_EQ(store->scopes().ranges("ORDER", SIZE_MAX)->size(),
            static_cast<std::size_t>(state->draws));
}

TEST(StoreFailure, AReadOnlyFileIsRefused) {
  const auto spot = new_spot(StoreKind::sqlite);
  spot.init();
  create(*spot.open(), "ORDER");
  const std::string file = spot.url.substr(std::string("sqlite:").size());
  const auto told = in_child([&](Pipe& out) {
    // Root may write to what is read-only; nobody may not.
    if (chmod(file.c_str(), 0444) != 0 || chmod(spot.folder->path().c_str(), 0555) != 0) _exit(1);
    if (geteuid() == 0 && setuid(65534) != 0) _exit(1);
    const auto store = open_store(spot.url, spot.options);
    if (!store) {
      out.write_byte(store.error().code == Code::store_failed ||
                     store.error().code == Code::store_unsafe);
      return;
    }
    const auto drawn = (*store)->segments().draw({"ORDER", 1});
    out.write_byte(!drawn && drawn.error().code == Code::store_failed);
  });
  EXPECT_EQ(told, (std::vector<std::uint8_t>{1}));
  chmod(spot.folder->path().c_str(), 0755);
  chmod(file.c_str(), 0644);
  EXPECT_TRUE(spot.open()->segments().draw({"ORDER", 1}));
}

TEST(StoreFailure, AFileThatIsNoDatabaseIsRefused) {
  const auto spot = new_spot(StoreKind::sqlite);
  std::ofstream(spot.url.substr(7)) << std::string(4096, 'x');
  EXPECT_EQ(init_store(spot.url, spot.options).error().code, Code::store_failed);
  EXPECT_EQ(open_store(spot.url, spot.options).error().code, Code::store_failed);
}

TEST(StoreFailure, AChildOfForkDrawsByConnectionsOfItsOwn) {
  for (const auto kind : {StoreKind::sqlite, StoreKind::postgres, StoreKind::mariadb}) {
    const auto spot = new_spot(kind);
    spot.init();
    const auto store = spot.open();
    create(*store, "ORDER");
    ASSERT_TRUE(store->segments().draw({"ORDER", 10}));
    const auto told = in_child([&](Pipe& out) {
      const auto drawn = store->segments().draw({"ORDER", 10});
      out.write_byte(drawn ? static_cast<std::uint8_t>(drawn->segment.first) : 0);
    });
    EXPECT_EQ(told, (std::vector<std::uint8_t>{11}));
    const auto drawn = store->segments().draw({"ORDER", 10});
    ASSERT_TRUE(drawn) << drawn.error().message;
    EXPECT_EQ(drawn->segment.first, 21U);
  }
}

}  // namespace
}  // namespace tessera
