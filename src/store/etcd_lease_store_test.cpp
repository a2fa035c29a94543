// What machine numbers on etcd do that those of databases do not: etcd alone ends leases, answers
// that were lost are found again, members come and go. The contract itself is in
// lease_store_test.cpp.

#include "store/etcd_lease_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "support/etcd_cluster.h"
#include "support/fault_proxy.h"
#include "tessera/snowflake.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using Code = Error::Code;
using State = LeaseRecord::State;
using servers::EtcdCluster;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr std::string_view kLayout = "1288834974657/1/t41.m10.s12";
constexpr LeaseTerms kMinute{60s, 1s, 5s};

std::string new_prefix() {
  static std::atomic<int> number{0};
  return "l" + std::to_string(++number);
}

std::unique_ptr<Store> opened(const std::string& url) {
  const OpenOptions options{.connect_timeout = 60s};
  const auto made = init_store(url, options);
  EXPECT_TRUE(made) << made.error().message;
  auto store = open_store(url, options);
  EXPECT_TRUE(store) << store.error().message;
  return store ? *std::move(store) : nullptr;
}

Result<Lease, Error> try_claim(Store& store, std::uint32_t machine_max = 9,
                               const LeaseTerms& terms = kMinute) {
  return store.leases().claim({"ORDER", kLayout, 0, machine_max, "test/1", terms, 60s});
}

Lease claim(Store& store, std::uint32_t machine_max = 9, const LeaseTerms& terms = kMinute) {
  const auto lease = try_claim(store, machine_max, terms);
  EXPECT_TRUE(lease) << lease.error().message;
  return lease ? *lease : Lease{};
}

Result<Reservation, Error> raise(Store& store, const Lease& lease,
                                 const LeaseTerms& terms = kMinute) {
  return store.leases().raise({"ORDER", lease.machine, lease.token, terms, 60s});
}

LeaseRecord record(Store& store, std::uint32_t machine) {
  const auto records = store.leases().list_all("ORDER");
  EXPECT_TRUE(records) << records.error().message;
  for (const LeaseRecord& one : *records) {
    if (one.machine == machine) return one;
  }
  ADD_FAILURE() << "no record of " << machine;
  return {};
}

std::string key(const std::string& prefix, const std::string& kind, const std::string& digits) {
  return prefix + "/bc_id_segment/" + kind + "/ORDER/" + digits;
}

TEST(EtcdLeases, KeysAreWhereTheDocumentsSay) {
  const auto store = opened(servers::etcd().url("lease-docs"));
  const Lease lease = claim(*store);
  EXPECT_EQ(servers::etcd().ctl("get --prefix lease-docs/ --keys-only"),
            "lease-docs/bc_id_segment/lease/ORDER/00000000\n\n"
            "lease-docs/bc_id_segment/lease_held/ORDER/00000000\n\n"
            "lease-docs/bc_id_segment/lease_rest/ORDER/00000000\n\n"
            "lease-docs/bc_id_segment/lease_scope/ORDER\n\n"
            "lease-docs/bc_id_segment/schema\n\n");
  ASSERT_TRUE(store->leases().release({"ORDER", lease.machine, lease.token, 60s}));
  EXPECT_EQ(servers::etcd().ctl("get --prefix lease-docs/ --keys-only"),
            "lease-docs/bc_id_segment/lease/ORDER/00000000\n\n"
            "lease-docs/bc_id_segment/lease_rest/ORDER/00000000\n\n"
            "lease-docs/bc_id_segment/lease_scope/ORDER\n\n"
            "lease-docs/bc_id_segment/schema\n\n");
}

// The times in the record are for people: one that says that the lease has ended long ago does not
// end it, and one that says that it has not does not keep it.
TEST(EtcdLeases, NoClockOfAClientEndsOrKeepsALease) {
  const std::string prefix = new_prefix();
  const auto store = opened(servers::etcd().url(prefix));
  const Lease lease = claim(*store, 0, {60s, 1ms, 0ms});
  const std::string row = key(prefix, "lease", "00000000");
  const auto written = [&](std::int64_t expires_ms) {
    etcd::KeptLease kept;
    kept.row = {.machine = 0,
                .token = lease.token,
                .holder = "test/1",
                .claimed_ms = lease.reservation.now_ms,
                .expires_ms = static_cast<std::uint64_t>(expires_ms),
                .ts_limit_ms = lease.reservation.ts_limit_ms};
    kept.change = "byhand";
    return "put " + row + " '" + etcd::written(kept) + "'";
  };
  servers::etcd().ctl(written(1));
  EXPECT_EQ(record(*store, 0).state, State::held);
  EXPECT_EQ(try_claim(*store, 0).error().code, Code::none_free);
  EXPECT_TRUE(raise(*store, lease, {60s, 1ms, 0ms}));

  servers::etcd().ctl(written(8'000'000'000'000));
  servers::etcd().ctl("del " + key(prefix, "lease_held", "00000000"));
  EXPECT_NE(record(*store, 0).state, State::held);
  const auto late = raise(*store, lease);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::lease_lost);
  const Lease next = claim(*store, 0);
  EXPECT_EQ(next.token, lease.token + 1);
  EXPECT_EQ(next.floor_ms, lease.reservation.ts_limit_ms);
}

// Nobody asks the store while a lease ends: its key is gone all the same.
TEST(EtcdLeases, EtcdEndsALeaseThatNobodyRaises) {
  const std::string prefix = new_prefix();
  const auto store = opened(servers::etcd().url(prefix));
  claim(*store, 0, {1s, 1ms, 0ms});
  const std::string held = key(prefix, "lease_held", "00000000");
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!servers::etcd().ctl("get --keys-only " + held).empty()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_NE(record(*store, 0).state, State::held);
}

TEST(EtcdLeases, ARaiseForLongerTakesALongerLease) {
  const std::string prefix = new_prefix();
  const auto store = opened(servers::etcd().url(prefix));
  const Lease lease = claim(*store);
  const std::string row = key(prefix, "lease", "00000000");
  EXPECT_THAT(servers::etcd().ctl("get --print-value-only " + row),
              HasSubstr(R"("held_ttl_s":"60")"));
  ASSERT_TRUE(raise(*store, lease, {600s, 1s, 30s}));
  const std::string longer = servers::etcd().ctl("get --print-value-only " + row);
  EXPECT_THAT(longer, HasSubstr(R"("held_ttl_s":"600")"));
  EXPECT_THAT(longer, HasSubstr(R"("rest_ttl_s":"630")"));
  ASSERT_TRUE(raise(*store, lease, {2s, 1s, 0s})) << "and never a shorter one";
  const std::string after = servers::etcd().ctl("get --print-value-only " + row);
  EXPECT_THAT(after, HasSubstr(R"("held_ttl_s":"600")"));
  EXPECT_THAT(after, HasSubstr(R"("rest_lease":"0")")) << "but the quarantine is the last one";
  EXPECT_EQ(record(*store, 0).state, State::held);
}

TEST(EtcdLeases, WhatSomebodyWroteByHandIsRefused) {
  const std::string prefix = new_prefix();
  const auto store = opened(servers::etcd().url(prefix));
  const Lease lease = claim(*store);
  const std::string row = key(prefix, "lease", "00000000");
  for (const char* value : {"x", "{}", R"({"token":"1"})"}) {
    servers::etcd().ctl("put " + row + " '" + value + "'");
    for (const Error& error : {raise(*store, lease).error(), try_claim(*store).error(),
                               store->leases().list_all("").error()}) {
      EXPECT_EQ(error.code, Code::store_failed) << value;
      EXPECT_THAT(error.message, HasSubstr("lease/ORDER/00000000"));
    }
  }
}

// More than is read at once.
TEST(EtcdLeases, TheLowestFreeNumberIsFoundBehindAThousand) {
  const std::string prefix = new_prefix();
  const std::string url = servers::etcd().url(prefix);
  const auto store = opened(url);
  const LeaseTerms terms{60s, 1ms, 0ms};
  claim(*store, 0, terms);
  const etcd::LeaseKeys keys(prefix, "bc_id_segment");
  etcd::ClientOptions options;
  options.members = {{false, "127.0.0.1", servers::etcd().port(0)}};
  etcd::Client client(std::move(options));
  constexpr std::uint32_t kHeld = 1100;
  for (std::uint32_t machine = 1; machine < kHeld;) {
    etcd::Txn txn;
    for (int i = 0; i < 50 && machine < kHeld; ++i, ++machine) {
      const etcd::LeaseName name{"ORDER", machine};
      etcd::KeptLease kept;
      kept.row = {.machine = machine, .token = 1, .holder = "x", .claimed_ms = 1, .expires_ms = 1};
      txn.put(keys.row(name), etcd::written(kept)).put(keys.held(name), "1");
    }
    ASSERT_TRUE(client.commit(txn, std::chrono::steady_clock::now() + 60s));
  }
  EXPECT_EQ(try_claim(*store, kHeld - 1, terms).error().code, Code::none_free);
  EXPECT_EQ(claim(*store, 1023 + kHeld, terms).machine, kHeld);
  const auto all = store->leases().list_all("");
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), kHeld + 1);
  for (std::uint32_t i = 0; i < all->size(); ++i) ASSERT_EQ((*all)[i].machine, i);
  servers::etcd().ctl("del " + keys.held({"ORDER", 777}));
  EXPECT_EQ(claim(*store, 2000, terms).machine, 777U);
}

class EtcdLeaseLine : public testing::Test {
 protected:
  EtcdLeaseLine()
      : prefix_(new_prefix()),
        direct_(opened(servers::etcd().url(prefix_))),
        proxy_(servers::etcd().port(0)),
        store_(opened(EtcdCluster::url_of(proxy_.port(), prefix_))) {}

  std::string prefix_;
  std::unique_ptr<Store> direct_;
  FaultProxy proxy_;
  std::unique_ptr<Store> store_;
};

// A claim is several questions, of which any may be cut anywhere: one number is taken, once.
TEST_F(EtcdLeaseLine, AnAnswerCutAnywhereIsFoundAgain) {
  std::uint32_t machine = 0;
  for (std::size_t size = 0; size < 2600; size += 191) {
    proxy_.cut_after(size);
    const Lease lease = claim(*store_, 99);
    EXPECT_EQ(lease.machine, machine) << "cut after " << size;
    EXPECT_EQ(lease.token, 1) << size;
    proxy_.heal();
    proxy_.cut_after(size);
    const auto raised = raise(*store_, lease);
    ASSERT_TRUE(raised) << raised.error().message;
    proxy_.heal();
    EXPECT_EQ(record(*direct_, machine).ts_limit_ms, raised->ts_limit_ms);
    proxy_.cut_after(size);
    const auto ended = store_->leases().release({"ORDER", lease.machine, lease.token, 60s});
    proxy_.heal();
    ASSERT_TRUE(ended) << ended.error().message << ", cut after " << size;
    EXPECT_EQ(ended->state, State::resting);
    ++machine;
  }
  EXPECT_EQ(direct_->leases().list_all("ORDER")->size(), machine) << "and no other was taken";
  EXPECT_GT(proxy_.cuts_made(), 12U);
}

TEST_F(EtcdLeaseLine, SilenceIsNoLease) {
  const Lease lease = claim(*store_);
  proxy_.freeze();
  const auto lost = store_->leases().claim({"ORDER", kLayout, 0, 9, "t", kMinute, 300ms});
  ASSERT_FALSE(lost);
  EXPECT_TRUE(may_retry(lost.error().code)) << lost.error().message;
  const auto late = store_->leases().raise({"ORDER", lease.machine, lease.token, kMinute, 300ms});
  ASSERT_FALSE(late);
  EXPECT_TRUE(may_retry(late.error().code)) << late.error().message;
  proxy_.heal();
  EXPECT_TRUE(raise(*store_, lease));
}

TEST(EtcdLeaseCrew, ALeaderThatIsKilledTakesNoLeaseWithIt) {
  EtcdCluster cluster(3);
  const auto store = opened(cluster.url("crew", cluster.leader()));
  const Lease lease = claim(*store);
  cluster.kill(cluster.leader());
  const auto raised = raise(*store, lease);
  ASSERT_TRUE(raised) << raised.error().message;
  EXPECT_GE(raised->ts_limit_ms, lease.reservation.ts_limit_ms);
  EXPECT_EQ(claim(*store).machine, 1U) << "the first is still held";
  EXPECT_EQ(record(*store, 0).token, lease.token);
}

}  // namespace
}  // namespace tessera
