// What etcd does that databases do not: several members, lost answers that are found again, keys
// that somebody deletes, accounts and certificates. The contract itself is in
// segment_store_test.cpp.

#include "store/etcd_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "store/etcd_client.h"
#include "store/etcd_records.h"
#include "support/child.h"
#include "support/etcd_cluster.h"
#include "support/fault_proxy.h"
#include "support/store_places.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Code = Error::Code;
using servers::EtcdCluster;
using testing::HasSubstr;

std::string new_prefix() {
  static std::atomic<int> number{0};
  return "p" + std::to_string(++number);
}

std::unique_ptr<Store> opened(const std::string& url, OpenOptions options = {}) {
  options.connect_timeout = 30s;
  const auto made = init_store(url, options);
  EXPECT_TRUE(made) << made.error().message;
  auto store = open_store(url, options);
  EXPECT_TRUE(store) << store.error().message;
  return store ? *std::move(store) : nullptr;
}

void create(Store& store, const std::string& name, std::int64_t max = Scope::kMax) {
  const auto made = store.scopes().create(Scope{.name = name, .max = max});
  ASSERT_TRUE(made) << made.error().message;
}

Draw draw(Store& store, std::uint64_t count, std::string_view key = {}) {
  const auto drawn = store.segments().draw({"ORDER", count, "t", key, 30s});
  EXPECT_TRUE(drawn) << drawn.error().message;
  return drawn ? *drawn : Draw{};
}

// What they drew has no number twice, and the log has a line for each draw.
void expect_disjoint(Store& store, std::vector<Segment> all) {
  std::ranges::sort(all, {}, &Segment::first);
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_GE(all[i].first, all[i - 1].end);
  const auto state = store.segments().find("ORDER");
  ASSERT_TRUE(state) << state.error().message;
  ASSERT_FALSE(all.empty());
  EXPECT_GE(state->high_water, static_cast<std::int64_t>(all.back().end) - 1);
  const auto lines = store.scopes().ranges("ORDER", SIZE_MAX);
  ASSERT_TRUE(lines) << lines.error().message;
  EXPECT_EQ(lines->size(), static_cast<std::size_t>(state->draws));
  std::int64_t number = state->draws;
  auto end = static_cast<std::uint64_t>(state->high_water) + 1;
  for (const RangeRecord& line : *lines) {
    ASSERT_EQ(line.number, number--);
    ASSERT_EQ(line.segment.end, end);
    end = line.segment.first;
  }
}

TEST(EtcdStore, KeysAreWhereTheDocumentsSay) {
  const auto store = opened(servers::etcd().url("docs"));
  create(*store, "ORDER");
  draw(*store, 10, "k1");
  ASSERT_TRUE(store->scopes().keep_fingerprint("ORDER", "f1"));
  EXPECT_EQ(servers::etcd().ctl("get --prefix docs/ --keys-only"),
            "docs/bc_id_segment/fingerprint/ORDER\n\n"
            "docs/bc_id_segment/key/ORDER/k1\n\n"
            "docs/bc_id_segment/log/ORDER/7FFFFFFFFFFFFFFE\n\n"
            "docs/bc_id_segment/schema\n\n"
            "docs/bc_id_segment/scope/ORDER\n\n");
}

TEST(EtcdStore, WithoutAPrefixKeysBeginWithOurName) {
  const std::string url = EtcdCluster::url_of(servers::etcd().port(0));
  const auto store = opened(url, {.table = "unnamed"});
  EXPECT_THAT(servers::etcd().ctl("get --prefix tessera/unnamed/ --keys-only"),
              HasSubstr("tessera/unnamed/schema"));
}

TEST(EtcdStore, MustBeMadeFirst) {
  const std::string url = servers::etcd().url(new_prefix());
  const auto missing = open_store(url);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::store_schema);
  ASSERT_TRUE(init_store(url));
  EXPECT_EQ(init_store(url)->version, 1) << "twice is as once";
  EXPECT_TRUE(open_store(url));
}

TEST(EtcdStore, ANewerFormIsRefused) {
  const std::string prefix = new_prefix();
  servers::etcd().ctl("put " + prefix + "/bc_id_segment/schema 2");
  const auto store = open_store(servers::etcd().url(prefix));
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Code::store_schema);
  EXPECT_EQ(init_store(servers::etcd().url(prefix))->version, 2) << "and left alone";
}

TEST(EtcdStore, HasNoRegistryAndSaysWhoHas) {
  const auto store = opened(servers::etcd().url(new_prefix()));
  const RegistryTypes types;
  for (const auto& error :
       {store->registry(types).error(), init_registry(servers::etcd().url("x"), types).error()}) {
    EXPECT_EQ(error.code, Code::invalid_request);
    EXPECT_THAT(error.hint, HasSubstr("postgres://"));
  }
}

TEST(EtcdStore, SaysHowTheClusterIs) {
  const auto store = opened(servers::etcd().url(new_prefix()));
  const auto status = store->status();
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_THAT(status->server, HasSubstr("etcd 3."));
  std::vector<std::string> names;
  for (const auto& setting : status->settings) {
    names.push_back(setting.name);
    EXPECT_TRUE(setting.safe) << setting.name << " " << setting.value;
  }
  EXPECT_THAT(names,
              testing::ElementsAre(testing::StartsWith("member 127.0.0.1:"), "members", "alarms"));
}

TEST(EtcdVersion, ThoseThatLoseWritesAreKnown) {
  for (const char* good : {"3.4.21", "3.4.23", "3.5.5", "3.5.17", "3.6.0", "4.0.0", "3.6.0-rc.1"}) {
    EXPECT_FALSE(etcd::fault_of_version(good)) << good;
  }
  for (const char* bad : {"3.4.20", "3.5.0", "3.5.4", "3.3.27", "2.3.8", "", "x", "3", "3.5."}) {
    EXPECT_TRUE(etcd::fault_of_version(bad)) << bad;
  }
}

// The row is deleted by hand, or by a careless clean-up: what comes back under its name goes on
// above everything that is on record.
TEST(EtcdStore, ADeletedScopeComesBackAboveItsLog) {
  const std::string prefix = new_prefix();
  const std::string url = servers::etcd().url(prefix);
  const auto store = opened(url);
  create(*store, "ORDER", 10'000);
  draw(*store, 10);
  ASSERT_TRUE(store->scopes().advance("ORDER", 500));
  draw(*store, 7);
  servers::etcd().ctl("del " + prefix + "/bc_id_segment/scope/ORDER");
  const auto gone = store->segments().draw({"ORDER", 1});
  ASSERT_FALSE(gone) << "a cached scope does not outlive the key";
  EXPECT_EQ(gone.error().code, Code::not_found);
  create(*store, "ORDER", 10'000);
  EXPECT_EQ(draw(*store, 5), (Draw{{508, 513}, 3, 3, false}));
  EXPECT_EQ(draw(*opened(url), 5), (Draw{{513, 518}, 3, 4, false}));
}

// As a restored backup would: the value is older than what was drawn.
TEST(EtcdStore, ARewoundScopeIsRefused) {
  const std::string prefix = new_prefix();
  const std::string url = servers::etcd().url(prefix);
  const auto store = opened(url);
  create(*store, "ORDER");
  draw(*store, 10);
  const std::string key = prefix + "/bc_id_segment/scope/ORDER";
  std::string old = servers::etcd().ctl("get --print-value-only " + key);
  old.erase(std::remove(old.begin(), old.end(), '\n'), old.end());
  draw(*store, 10);
  draw(*store, 10);
  servers::etcd().ctl("put " + key + " '" + old + "'");
  const auto known = store->segments().draw({"ORDER", 10});
  ASSERT_FALSE(known) << "by whoever saw it further on";
  EXPECT_EQ(known.error().code, Code::store_rewound) << known.error().message;
  const auto other = opened(url);
  const auto logged = other->segments().draw({"ORDER", 3});
  ASSERT_FALSE(logged) << "by the log";
  EXPECT_EQ(logged.error().code, Code::store_rewound) << logged.error().message;
  ASSERT_TRUE(other->scopes().advance("ORDER", 30));
  EXPECT_EQ(draw(*other, 3).segment.first, 31U);
  EXPECT_EQ(draw(*store, 3).segment.first, 34U);
}

TEST(EtcdStore, WhatSomebodyWroteByHandIsRefusedAndNeverCountedFrom) {
  const std::string prefix = new_prefix();
  const auto store = opened(servers::etcd().url(prefix));
  create(*store, "ORDER");
  const std::string key = prefix + "/bc_id_segment/scope/ORDER";
  const std::string good = etcd::written(etcd::KeptScope{
      .state = {.scope = {.name = "ORDER"}, .high_water = 0, .epoch = 1}, .change = "x"});
  for (const std::string& bad :
       {std::string("7"), std::string("{}"), std::string("not json"), std::string("[1]"),
        std::string(good).replace(good.find("\"0\""), 3, "\"-5\""),
        std::string(good).replace(good.find("\"0\""), 3, "\"9223372036854775808\"")}) {
    servers::etcd().ctl("put " + key + " '" + bad + "'");
    EXPECT_EQ(store->segments().draw({"ORDER", 1}).error().code, Code::store_failed) << bad;
    EXPECT_EQ(store->segments().find("ORDER").error().code, Code::store_failed) << bad;
    EXPECT_EQ(store->scopes().set_step("ORDER", 5).error().code, Code::store_failed) << bad;
    EXPECT_EQ(store->scopes().list().error().code, Code::store_failed) << bad;
  }
  servers::etcd().ctl("put " + key + " '" + good + "'");
  EXPECT_EQ(draw(*store, 1).segment.first, 1U);
}

// The log and the keys are read from the present: a history that is gone is not missed.
TEST(EtcdStore, ACompactedStoreKnowsItsKeysAndItsLog) {
  const auto store = opened(servers::etcd().url(new_prefix()));
  create(*store, "ORDER");
  const Draw first = draw(*store, 10, "key");
  for (int i = 0; i < 5; ++i) draw(*store, 3);
  const std::string status = servers::etcd().ctl("endpoint status -w json");
  const std::size_t at = status.find("\"revision\":");
  ASSERT_NE(at, std::string::npos);
  servers::etcd().ctl("compact " +
                      std::to_string(std::strtoull(status.c_str() + at + 11, nullptr, 10)));
  EXPECT_EQ(draw(*store, 10, "key").segment, first.segment);
  EXPECT_EQ((*store->scopes().range_of("ORDER", 3))->segment, first.segment);
  EXPECT_EQ(store->scopes().ranges("ORDER", SIZE_MAX)->size(), 6U);
}

TEST(EtcdStore, ALongLogIsReadInPages) {
  const auto store = opened(servers::etcd().url(new_prefix()));
  create(*store, "ORDER");
  for (int i = 0; i < 510; ++i) draw(*store, 2);
  const auto all = store->scopes().ranges("ORDER", SIZE_MAX);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 510U);
  for (std::size_t i = 0; i < all->size(); ++i) {
    ASSERT_EQ((*all)[i].number, 510 - static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(store->scopes().ranges("ORDER", 505)->size(), 505U);
  EXPECT_EQ((*store->scopes().range_of("ORDER", 1))->number, 1);
}

TEST(EtcdStore, AChildOfForkDrawsByConnectionsOfItsOwn) {
  const auto store = opened(servers::etcd().url(new_prefix()));
  create(*store, "ORDER");
  draw(*store, 10);
  const auto told = in_child([&](Pipe& out) {
    const auto drawn = store->segments().draw({"ORDER", 10});
    out.write_byte(drawn ? static_cast<std::uint8_t>(drawn->segment.first) : 0);
  });
  EXPECT_EQ(told, (std::vector<std::uint8_t>{11}));
  EXPECT_EQ(draw(*store, 10).segment.first, 21U);
}

class EtcdLine : public testing::Test {
 protected:
  EtcdLine()
      : prefix_(new_prefix()),
        direct_(opened(servers::etcd().url(prefix_))),
        proxy_(servers::etcd().port(0)),
        store_(opened(EtcdCluster::url_of(proxy_.port(), prefix_))) {
    create(*direct_, "ORDER");
    draw(*store_, 10);
  }
  std::int64_t draws() { return direct_->segments().find("ORDER")->draws; }

  std::string prefix_;
  std::unique_ptr<Store> direct_;
  FaultProxy proxy_;
  std::unique_ptr<Store> store_;
};

// The draw was made and its answer lost: the second attempt finds it, and nothing is burned.
TEST_F(EtcdLine, ALostAnswerIsFoundAgain) {
  for (const char* key : {"", "key"}) {
    const std::int64_t before = draws();
    proxy_.cut_before_reply([&] { return draws() == before + 1; });
    const Draw drawn = draw(*store_, 10, key);
    EXPECT_EQ(drawn.number, before + 1);
    EXPECT_FALSE(drawn.repeated);
    EXPECT_EQ(draws(), before + 1) << "once, though it was asked twice";
  }
  EXPECT_EQ(proxy_.cuts_made(), 2U);
  EXPECT_EQ(draw(*direct_, 1).segment.first, 31U);
}

// And others drew before it was looked for.
TEST_F(EtcdLine, ALostAnswerIsFoundBehindThoseOfOthers) {
  bool others = false;
  proxy_.cut_before_reply([&] {
    if (draws() == 1) return false;
    if (!std::exchange(others, true)) draw(*direct_, 5);
    return true;
  });
  EXPECT_EQ(draw(*store_, 10), (Draw{{11, 21}, 1, 2, false}));
  EXPECT_TRUE(others);
  EXPECT_EQ(draw(*store_, 1), (Draw{{26, 27}, 1, 4, false}));
}

TEST_F(EtcdLine, AnAnswerCutAnywhereIsFoundAgain) {
  std::int64_t number = 1;
  for (std::size_t size = 0; size < 700; size += 83) {
    proxy_.cut_after(size);
    const Draw drawn = draw(*store_, 10);
    EXPECT_EQ(drawn.number, ++number) << size;
    proxy_.heal();
  }
  EXPECT_EQ(draws(), number);
}

// The operator's calls are a question and a change: the answers of both are cut.
TEST_F(EtcdLine, AnOperatorsAnswerCutAnywhereIsFoundAgain) {
  std::int64_t epoch = 1;
  for (std::size_t size = 0; size < 2000; size += 171) {
    proxy_.cut_after(size);
    const auto lifted = store_->scopes().advance("ORDER", 100 * (epoch + 1));
    ASSERT_TRUE(lifted) << lifted.error().message;
    EXPECT_EQ(lifted->epoch, ++epoch) << "once, cut after " << size;
    EXPECT_EQ(direct_->segments().find("ORDER")->epoch, epoch);
    proxy_.heal();
  }
  EXPECT_GT(proxy_.cuts_made(), 4U);
}

TEST_F(EtcdLine, SilenceIsAnUnknownOutcomeAndAKeyFindsOut) {
  proxy_.freeze();
  const auto lost = store_->segments().draw({"ORDER", 10, "t", "key", 300ms});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::outcome_unknown) << lost.error().message;
  const auto asked =
      open_store(EtcdCluster::url_of(proxy_.port(), prefix_), {.connect_timeout = 300ms});
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, Code::store_unavailable) << "a question is never unknown";
  proxy_.heal();
  const Draw found = draw(*store_, 10, "key");
  EXPECT_EQ(draw(*store_, 10, "key").segment, found.segment);
  EXPECT_EQ(draws(), 2);
}

class EtcdCrew : public testing::Test {
 protected:
  // Several draw while `meanwhile` is done to the members.
  template <class Meanwhile>
  std::vector<Segment> draw_while(const std::string& url, const Meanwhile& meanwhile) {
    std::atomic<bool> over{false};
    std::vector<std::vector<Segment>> drawn(3);
    std::vector<std::unique_ptr<Store>> stores;
    for (std::size_t i = 0; i < drawn.size(); ++i) stores.push_back(opened(url));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      threads.emplace_back([&, i] {
        while (!over) {
          const auto one = stores[i]->segments().draw({"ORDER", 3, "t", "", 60s});
          ASSERT_TRUE(one) << one.error().message;
          drawn[i].push_back(one->segment);
          ++count_;
        }
      });
    }
    wait_for_draws();
    meanwhile();
    over = true;
    for (auto& thread : threads) thread.join();
    std::vector<Segment> all;
    for (const auto& list : drawn) all.insert(all.end(), list.begin(), list.end());
    return all;
  }
  // Until some more draws have been made.
  void wait_for_draws() {
    const auto deadline = std::chrono::steady_clock::now() + 120s;
    const int wanted = count_ + 6;
    while (count_ < wanted && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(1ms);
    }
    ASSERT_GE(count_, wanted);
  }

  std::atomic<int> count_{0};
};

// No draw fails: an election is shorter than a draw may take.
TEST_F(EtcdCrew, ALeaderThatIsKilledOrStopsIsReplacedAndNoDrawFails) {
  EtcdCluster cluster(3);
  std::size_t leader = cluster.leader();
  const std::string url = cluster.url("crew", leader);  // the one that will be gone comes first
  const auto store = opened(url);
  create(*store, "ORDER");
  const auto all = draw_while(url, [&] {
    cluster.kill(leader);
    wait_for_draws();
    cluster.start(leader);
    leader = cluster.leader();
    cluster.freeze(leader);
    wait_for_draws();
    cluster.thaw(leader);
    cluster.freeze((cluster.leader() + 1) % cluster.size());
    wait_for_draws();
    for (std::size_t i = 0; i < cluster.size(); ++i) cluster.thaw(i);
  });
  ASSERT_GT(all.size(), 20U);
  expect_disjoint(*store, all);
  const auto status = store->status();
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->settings.size(), 5U);
}

// A minority confirms nothing, and tells nothing from the past.
TEST_F(EtcdCrew, WithoutAMajorityNothingIsDrawnNorRead) {
  EtcdCluster cluster(3);
  const auto store = opened(cluster.url("crew"));
  create(*store, "ORDER");
  draw(*store, 10);
  const std::size_t leader = cluster.leader();
  cluster.freeze((leader + 1) % 3);
  cluster.freeze((leader + 2) % 3);
  const auto drawn = store->segments().draw({"ORDER", 10, "t", "key", 2500ms});
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().code, Code::outcome_unknown) << drawn.error().message;
  const auto read = open_store(cluster.url("crew", leader), {.connect_timeout = 2500ms});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::store_unavailable) << read.error().message;
  cluster.thaw((leader + 1) % 3);
  cluster.thaw((leader + 2) % 3);
  const Draw found = draw(*store, 10, "key");
  EXPECT_EQ(found.segment.first, 11U);
  EXPECT_EQ(draw(*store, 10, "key").segment, found.segment);
  EXPECT_EQ(draw(*store, 1).segment.first, 21U);
}

TEST_F(EtcdCrew, AClusterThatIsKilledAndComesBackHasLostNothing) {
  EtcdCluster cluster(1);
  const std::string url = cluster.url("crew");
  const auto store = opened(url);
  create(*store, "ORDER");
  const auto all = draw_while(url, [&] {
    for (int i = 0; i < 2; ++i) {
      cluster.kill(0);
      cluster.start(0);
      wait_for_draws();
    }
  });
  expect_disjoint(*store, all);
}

TEST(EtcdAccounts, APasswordOpensAndNothingElseDoes) {
  EtcdCluster cluster(1);
  ASSERT_TRUE(init_store(cluster.url("ids")));
  cluster.ctl("user add root:r00t");
  cluster.ctl("user add ids:s3cret");
  cluster.ctl("role add ids");
  cluster.ctl("role grant-permission ids --prefix=true readwrite ids/");
  cluster.ctl("user grant-role ids ids");
  cluster.ctl("auth enable");
  cluster.log_in("root:r00t");
  const std::string place = "@127.0.0.1:" + std::to_string(cluster.port(0)) + "/";
  const auto refusal = [](const std::string& url) {
    const auto store = open_store(url);
    EXPECT_FALSE(store) << url;
    const Error error = store ? Error{} : store.error();
    EXPECT_EQ(error.message.find("s3cret"), std::string::npos);
    EXPECT_EQ(error.message.find("wr0ng"), std::string::npos);
    return error.code;
  };
  EXPECT_EQ(refusal(cluster.url("ids")), Code::store_failed);
  EXPECT_EQ(refusal("etcd://ids:wr0ng" + place + "ids"), Code::store_failed);
  EXPECT_EQ(refusal("etcd://ids:s3cret" + place + "others"), Code::store_failed);

  setenv("TESSERA_STORE_PASSWORD", "s3cret", 1);
  const auto store = opened("etcd://ids" + place + "ids");
  unsetenv("TESSERA_STORE_PASSWORD");
  ASSERT_NE(store, nullptr);
  create(*store, "ORDER");
  EXPECT_EQ(draw(*store, 10).segment.first, 1U);
  const auto status = store->status();
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->url.find("s3cret"), std::string::npos);
  // Tokens are kept in memory by Debian's etcd: one that was restarted knows none of them.
  cluster.stop(0);
  cluster.start(0);
  EXPECT_EQ(draw(*store, 10).segment.first, 11U) << "with a new token";
}

class EtcdTls : public testing::Test {
 protected:
  std::string make(const std::string& arguments) {
    const std::string command =
        "cd " + folder_.path() + " && openssl " + arguments + " 2>/dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return folder_.path();
  }
  void make_certificate(const std::string& name) {
    make("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=" +
         name +
         " -addext subjectAltName=DNS:localhost -addext "
         "extendedKeyUsage=serverAuth,clientAuth -keyout " +
         name + ".key -out " + name + ".pem");
  }

  servers::TemporaryFolder folder_;
};

TEST_F(EtcdTls, CertificatesAreCheckedOnBothSides) {
  make_certificate("server");
  make_certificate("client");
  // Whom the members believe: themselves, who ask each other, and the client.
  ASSERT_EQ(std::system(("cat " + folder_ / "server.pem" + " " + folder_ / "client.pem" + " >" +
                         folder_ / "both.pem")
                            .c_str()),
            0);
  EtcdCluster cluster(1, {.certificate = folder_ / "server.pem",
                          .key = folder_ / "server.key",
                          .ca_of_clients = folder_ / "both.pem"});
  const std::string believes = "?tls_ca=" + folder_ / "server.pem";
  const std::string shows =
      "&tls_cert=" + folder_ / "client.pem" + "&tls_key=" + folder_ / "client.key";
  const auto store = opened(cluster.url("ids") + believes + shows);
  ASSERT_NE(store, nullptr);
  create(*store, "ORDER");
  EXPECT_EQ(draw(*store, 10).segment.first, 1U);
  EXPECT_EQ(draw(*store, 10).segment.first, 11U);
  const auto refused = [](const std::string& url) {
    const auto other = open_store(url, {.connect_timeout = 3s});
    return other ? Code::closed : other.error().code;
  };
  EXPECT_EQ(refused(cluster.url("ids") + believes), Code::store_unavailable) << "shows none";
  EXPECT_EQ(refused(cluster.url("ids") + "?tls_ca=" + folder_ / "client.pem" + shows),
            Code::store_unavailable)
      << "believes somebody else";
  const std::string by_number = "etcds://127.0.0.1:" + std::to_string(cluster.port(0)) + "/ids";
  EXPECT_EQ(refused(by_number + believes + shows), Code::store_unavailable) << "another name";
  EXPECT_EQ(refused(cluster.url("ids") + "?tls_ca=" + folder_ / "none.pem"), Code::invalid_request);
  EXPECT_EQ(refused(cluster.url("ids") + believes + "&tls_cert=" + folder_ / "client.pem" +
                    "&tls_key=" + folder_ / "server.key"),
            Code::invalid_request)
      << "the key of another certificate";
}

TEST(EtcdStore, WhatIsNoEtcdIsRefused) {
  // Another server that speaks HTTP would do; a database does not even do that.
  const auto store =
      open_store(EtcdCluster::url_of(servers::postgres().port()), {.connect_timeout = 1s});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Code::store_unavailable) << store.error().message;
  const auto nobody = open_store("etcd://127.0.0.1:1/", {.connect_timeout = 500ms});
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().code, Code::store_unavailable);
}

}  // namespace
}  // namespace tessera
