// The scopes of another Tessera keep the contract of every store, also when that one asks a third.

#include "tessera/client/http_segment_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "support/delegation_contract.h"
#include "support/fault_proxy.h"
#include "support/segment_store_contract.h"
#include "support/served_tessera.h"
#include "support/store_places.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using std::chrono::milliseconds;

SystemEntropy entropy;
constexpr milliseconds kPatience{60'000};  // with a busy machine

std::unique_ptr<HttpSegmentStore> store_at(const std::string& url, HttpClientOptions options = {}) {
  options.timeout = kPatience;
  auto client = HttpClient::open(url, options);
  EXPECT_TRUE(client) << client.error().message;
  return std::make_unique<HttpSegmentStore>(*std::move(client), entropy);
}

// Keeps the server for as long as somebody may open it.
StorePlace http_place(const std::string& name,
                      const std::function<std::shared_ptr<SegmentPorts>()>& make) {
  return {name, [make] {
            auto served = std::make_shared<ServedTessera>(make());
            return [served] { return store_at(served->url()); };
          }};
}

// A Tessera that asks another one, and owns it.
class Chained final : public SegmentPorts {
 public:
  SegmentStore& segments() override { return *store_; }
  ScopeCatalogue& scopes() override { return *store_; }

 private:
  ServedTessera served_{memory_store()};
  std::unique_ptr<HttpSegmentStore> store_ = store_at(served_.url());
};

std::shared_ptr<SegmentPorts> sqlite_store() {
  const StoreSpot spot = new_spot(StoreKind::sqlite);
  spot.init();
  // The folder goes when the store does.
  struct Kept {
    StoreSpot spot;
    std::unique_ptr<Store> store;
  };
  auto kept = std::make_shared<Kept>(Kept{spot, spot.open()});
  return {kept, kept->store.get()};
}

const auto kPlaces = testing::Values(
    http_place("memory", [] { return memory_store(); }), http_place("sqlite", sqlite_store),
    http_place("chained", [] { return std::make_shared<Chained>(); }));

INSTANTIATE_TEST_SUITE_P(Http, SegmentStoreContract, kPlaces, contract_name);
INSTANTIATE_TEST_SUITE_P(Http, DurableStoreContract, kPlaces, contract_name);

// A range of a scope of another Tessera becomes a scope here, and is taken back.
DelegationPlace delegation_place() {
  return {"http_and_memory", [] {
            const auto served = std::make_shared<ServedTessera>(memory_store());
            struct Kept {
              std::shared_ptr<ServedTessera> served;
              std::unique_ptr<HttpSegmentStore> store;
            };
            auto kept = std::make_shared<Kept>(Kept{served, store_at(served->url())});
            return std::pair(std::shared_ptr<SegmentPorts>(kept, kept->store.get()),
                             memory_store());
          }};
}
INSTANTIATE_TEST_SUITE_P(Http, DelegationContract, testing::Values(delegation_place()),
                         delegation_name);

// A service behind a proxy that spoils what passes.
class HttpSegmentStoreFaults : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(served_.store().scopes().create({.name = "ORDER"})); }
  std::int64_t draws() { return served_.store().segments().find("ORDER")->draws; }

  ServedTessera served_{memory_store()};
  FaultProxy proxy_{served_.port()};
  std::unique_ptr<HttpSegmentStore> store_ = store_at(proxy_.url(served_.url()));
};

TEST_F(HttpSegmentStoreFaults, ALostAnswerIsTheSameRangeAgain) {
  for (int i = 1; i <= 3; ++i) {
    proxy_.cut_before_reply([&] { return draws() == i; });
    const auto drawn = store_->draw({.scope = "ORDER", .count = 10, .timeout = kPatience});
    ASSERT_TRUE(drawn) << drawn.error().message;
    EXPECT_EQ(drawn->segment.first, static_cast<std::uint64_t>(i - 1) * 10 + 1);
    EXPECT_FALSE(drawn->repeated) << "nobody has seen it before";
    EXPECT_EQ(draws(), i) << "drawn once";
    EXPECT_EQ(proxy_.cuts_made(), static_cast<std::size_t>(i));
  }
}

TEST_F(HttpSegmentStoreFaults, AnAnswerThatBreaksOffIsAskedForAgain) {
  // Within the head, at its end, within the body.
  std::uint64_t next = 1;
  for (const std::size_t size : {1U, 40U, 150U, 330U}) {
    proxy_.cut_after(size);
    const auto drawn = store_->draw({.scope = "ORDER", .count = 7, .timeout = kPatience});
    ASSERT_TRUE(drawn) << size << ": " << drawn.error().message;
    EXPECT_EQ(drawn->segment, (Segment{next, next + 7}));
    next += 7;
  }
  EXPECT_EQ(draws(), 4);
}

TEST_F(HttpSegmentStoreFaults, ConnectionsThatBreakWhileIdleAreMadeAnew) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(store_->draw({.scope = "ORDER", .count = 1, .timeout = kPatience}));
    proxy_.reset();
  }
  EXPECT_EQ(draws(), 5);
}

TEST_F(HttpSegmentStoreFaults, ConnectionsAreKept) {
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(store_->draw({.scope = "ORDER", .count = 1, .timeout = kPatience}));
  EXPECT_EQ(proxy_.connections_made(), 1U);
}

TEST_F(HttpSegmentStoreFaults, ASlowAnswerIsWaitedFor) {
  proxy_.delay(milliseconds(300));
  const auto drawn = store_->draw({.scope = "ORDER", .count = 3, .timeout = kPatience});
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(draws(), 1);
}

TEST_F(HttpSegmentStoreFaults, TooSlowIsUnknownAndBelongsToItsKey) {
  proxy_.freeze();
  const auto lost =
      store_->draw({.scope = "ORDER", .count = 3, .key = "k", .timeout = milliseconds(300)});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Error::Code::outcome_unknown);
  proxy_.heal();
  const auto drawn = store_->draw({.scope = "ORDER", .count = 3, .key = "k", .timeout = kPatience});
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(drawn->segment, (Segment{1, 4}));
  EXPECT_EQ(draws(), 1);
}

TEST_F(HttpSegmentStoreFaults, WhatMustNotBeRepeatedIsAskedForOnce) {
  proxy_.cut_before_reply([&] { return served_.store().segments().find("ORDER")->epoch == 2; });
  const auto lost = store_->advance("ORDER", 100);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Error::Code::outcome_unknown);
  EXPECT_EQ(served_.store().segments().find("ORDER")->epoch, 2);
}

TEST(HttpSegmentStore, NobodyThereIsUnavailable) {
  std::uint16_t port = 0;
  { port = ServedTessera(memory_store()).port(); }
  const auto store = store_at("http://127.0.0.1:" + std::to_string(port));
  const auto drawn = store->draw({.scope = "ORDER", .count = 1, .timeout = milliseconds(500)});
  ASSERT_FALSE(drawn);
  EXPECT_EQ(drawn.error().code, Error::Code::store_unavailable) << "nothing was done";
}

TEST(HttpSegmentStore, ATokenIsNeededAndInNoMessage) {
  ServedTessera served(memory_store());
  ASSERT_TRUE(served.store().scopes().create({.name = "ORDER"}));
  service::Abilities abilities;
  abilities.add(service::Ability::segments);
  const std::string token = served.ask_for_token({.tenants = {"*"}, .abilities = abilities});
  const auto without = store_at(served.url());
  const auto wrong = store_at(served.url(), {.token = token.substr(0, token.size() - 1) + "x"});
  const auto with = store_at(served.url(), {.token = token});
  EXPECT_TRUE(with->draw({.scope = "ORDER", .count = 1}));
  for (const Error& error : {without->find("ORDER").error(), wrong->find("ORDER").error(),
                             with->create({.name = "MINE"}).error()}) {
    EXPECT_EQ(error.code, Error::Code::store_failed) << error.message;
    EXPECT_EQ(error.message.find(token.substr(4, 20)), std::string::npos);
    EXPECT_EQ(error.hint.find(token.substr(4, 20)), std::string::npos);
  }
}

TEST(HttpSegmentStore, KeysOfItsOwnAreSeenOnTheOtherSideOnly) {
  ServedTessera served(memory_store());
  ASSERT_TRUE(served.store().scopes().create({.name = "ORDER"}));
  const auto store = store_at(served.url());
  ASSERT_TRUE(store->draw({.scope = "ORDER", .count = 1, .holder = "h"}));
  EXPECT_EQ(store->ranges("ORDER", 1)->at(0).key, "");
  EXPECT_TRUE(served.store().scopes().ranges("ORDER", 1)->at(0).key.starts_with("tessera-client/"));
}

}  // namespace
}  // namespace tessera
