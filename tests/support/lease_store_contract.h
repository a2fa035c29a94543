#pragma once

// What every store of leases promises, as one suite for all of them.
//
//   INSTANTIATE_TEST_SUITE_P(Mine, LeaseStoreContract, testing::Values(place),
//   lease_contract_name); INSTANTIATE_TEST_SUITE_P(Mine, DurableLeaseContract,
//   testing::Values(place), lease_contract_name);
//
// A place knows where a store is, and opens it: each test gets an empty one. The second suite is
// for those that outlive their object, and that several may open at once.
//
// The clock of a store cannot be set, so that what ends is waited for; what must not have ended has
// a minute.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/soak.h"
#include "tessera/lease/store.h"

namespace tessera {

struct LeasePlace {
  std::string name;
  // A function that opens one store, always the same, empty at first. Null, if it is open already
  // and cannot be opened twice.
  std::function<std::function<std::shared_ptr<LeaseStore>()>()> fresh;
};

inline std::string lease_contract_name(const testing::TestParamInfo<LeasePlace>& of) {
  return of.param.name;
}
inline void PrintTo(const LeasePlace& place, std::ostream* out) { *out << place.name; }

class LeaseStoreContract : public testing::TestWithParam<LeasePlace> {
 protected:
  using Code = Error::Code;
  using ms = std::chrono::milliseconds;
  using State = LeaseRecord::State;

  static constexpr std::string_view kLayout = "1288834974657/1/t41.m10.s12";
  static constexpr LeaseTerms kLong{ms(60'000), ms(2'000), ms(5'000)};
  static constexpr LeaseTerms kBrief{ms(60'000), ms(1), ms(0)};  // free as soon as it is released

  void SetUp() override {
    open_ = GetParam().fresh();
    store_ = open_();
    ASSERT_NE(store_, nullptr);
  }

  static ClaimRequest request(std::string_view scope, std::uint32_t machine_min,
                              std::uint32_t machine_max, const LeaseTerms& terms = kLong) {
    return {scope, kLayout, machine_min, machine_max, "test/1/2", terms, ms(20'000)};
  }
  Lease claim(std::string_view scope, std::uint32_t machine_min, std::uint32_t machine_max,
              const LeaseTerms& terms = kLong) {
    const auto lease = store_->claim(request(scope, machine_min, machine_max, terms));
    EXPECT_TRUE(lease) << lease.error().message;
    return lease ? *lease : Lease{};
  }
  Code refusal(const ClaimRequest& request) {
    const auto lease = store_->claim(request);
    EXPECT_FALSE(lease);
    EXPECT_FALSE(lease || lease.error().message.empty());
    return lease ? Code::closed : lease.error().code;
  }
  // Asks until the number is free.
  Lease claim_when_free(std::string_view scope, std::uint32_t machine,
                        const LeaseTerms& terms = kLong) {
    for (const auto end = std::chrono::steady_clock::now() + ms(60'000);;) {
      const auto lease = store_->claim(request(scope, machine, machine, terms));
      if (lease) return *lease;
      EXPECT_EQ(lease.error().code, Code::none_free) << lease.error().message;
      if (lease.error().code != Code::none_free || std::chrono::steady_clock::now() >= end) {
        ADD_FAILURE() << "it is never free: " << lease.error().message;
        return {};
      }
      std::this_thread::sleep_for(ms(20));
    }
  }
  Result<Reservation, Error> raise(std::string_view scope, std::uint32_t machine,
                                   std::int64_t token, const LeaseTerms& terms = kLong) {
    return store_->raise({scope, machine, token, terms, ms(20'000)});
  }
  Code refused_raise(std::string_view scope, std::uint32_t machine, std::int64_t token) {
    const auto raised = raise(scope, machine, token);
    EXPECT_FALSE(raised);
    return raised ? Code::closed : raised.error().code;
  }
  LeaseRecord release(std::string_view scope, std::uint32_t machine, std::int64_t token) {
    const auto record = store_->release({scope, machine, token, ms(20'000)});
    EXPECT_TRUE(record) << record.error().message;
    return record ? *record : LeaseRecord{};
  }
  Code refused_release(std::string_view scope, std::uint32_t machine, std::int64_t token) {
    const auto record = store_->release({scope, machine, token, ms(20'000)});
    EXPECT_FALSE(record);
    return record ? Code::closed : record.error().code;
  }
  std::vector<LeaseRecord> list(std::string_view scope = {}) {
    const auto records = store_->list_all(scope);
    EXPECT_TRUE(records) << records.error().message;
    return records ? *records : std::vector<LeaseRecord>();
  }
  LeaseRecord record(std::string_view scope, std::uint32_t machine) {
    for (const LeaseRecord& one : list(scope)) {
      if (one.machine == machine) return one;
    }
    ADD_FAILURE() << "no record of " << machine;
    return {};
  }

  std::function<std::shared_ptr<LeaseStore>()> open_;
  std::shared_ptr<LeaseStore> store_;
};

TEST_P(LeaseStoreContract, TheLowestFreeNumberIsTaken) {
  for (std::uint32_t machine = 3; machine <= 5; ++machine) {
    const Lease lease = claim("ORDER", 3, 5);
    EXPECT_EQ(lease.machine, machine);
    EXPECT_GT(lease.token, 0);
    EXPECT_EQ(lease.floor_ms, 0U) << "nobody has had it before";
    EXPECT_GE(lease.reservation.ts_limit_ms, lease.reservation.now_ms + 2'000);
    EXPECT_LE(lease.reservation.ts_limit_ms, lease.reservation.now_ms + 2'001);
    EXPECT_GE(lease.reservation.ttl, ms(60'000));
    EXPECT_GT(lease.reservation.now_ms, 1'700'000'000'000U);
  }
  EXPECT_EQ(refusal(request("ORDER", 3, 5)), Code::none_free);
  EXPECT_EQ(claim("ORDER", 0, 5).machine, 0U);
  EXPECT_EQ(claim("ORDER", 2, 9).machine, 2U);
  EXPECT_EQ(claim("ORDER", 2, 9).machine, 6U);
  EXPECT_EQ(claim("ORDER", 0, 9).machine, 1U);
  EXPECT_EQ(refusal(request("ORDER", 0, 6)), Code::none_free);
}

TEST_P(LeaseStoreContract, ANumberByNameIsThatOneOrNone) {
  EXPECT_EQ(claim("ORDER", 7, 7).machine, 7U);
  EXPECT_EQ(refusal(request("ORDER", 7, 7)), Code::none_free);
  constexpr auto kMax = ClaimRequest::kMachineMax;
  EXPECT_EQ(claim("ORDER", kMax - 1, kMax).machine, kMax - 1);
  EXPECT_EQ(claim("ORDER", kMax, kMax).machine, kMax);
  EXPECT_EQ(refusal(request("ORDER", kMax - 1, kMax)), Code::none_free);
}

TEST_P(LeaseStoreContract, ScopesHaveNumbersOfTheirOwn) {
  for (const char* scope : {"order", "ORDER", "Order", "order-1", "order.1"}) {
    EXPECT_EQ(claim(scope, 0, 3).machine, 0U) << scope;
  }
  const Lease lease = claim("ORDER", 0, 3);
  EXPECT_EQ(lease.machine, 1U);
  EXPECT_EQ(refused_raise("order", 1, lease.token), Code::lease_lost);
  EXPECT_TRUE(raise("ORDER", 1, lease.token));
}

TEST_P(LeaseStoreContract, AScopeKeepsItsFirstLayout) {
  const Lease lease = claim("ORDER", 0, 9);
  ClaimRequest other = request("ORDER", 0, 9);
  for (const char* layout : {"1288834974657/1/t41.m10.s13", "1288834974657/1/t41.m10.s12 ", "x"}) {
    other.layout = layout;
    EXPECT_EQ(refusal(other), Code::already_exists) << layout;
  }
  EXPECT_EQ(list("ORDER").size(), 1U) << "a refused claim takes nothing";
  release("ORDER", 0, lease.token);
  EXPECT_EQ(refusal(other), Code::already_exists) << "for ever";
  other.scope = "OTHER";
  EXPECT_TRUE(store_->claim(other));
}

TEST_P(LeaseStoreContract, ARaiseLiftsAndNeverSinks) {
  const Lease lease = claim("ORDER", 0, 9);
  const auto far = raise("ORDER", 0, lease.token, {ms(120'000), ms(600'000), ms(0)});
  ASSERT_TRUE(far) << far.error().message;
  EXPECT_GE(far->ts_limit_ms, far->now_ms + 600'000);
  EXPECT_GE(far->ttl, ms(120'000));
  EXPECT_GE(far->now_ms, lease.reservation.now_ms);
  const LeaseRecord before = record("ORDER", 0);
  const auto near = raise("ORDER", 0, lease.token, {ms(1'000), ms(1), ms(0)});
  ASSERT_TRUE(near) << near.error().message;
  EXPECT_EQ(near->ts_limit_ms, far->ts_limit_ms);
  EXPECT_GE(near->ttl, ms(1'000));
  const LeaseRecord after = record("ORDER", 0);
  EXPECT_EQ(after.ts_limit_ms, far->ts_limit_ms);
  EXPECT_EQ(after.token, lease.token);
  EXPECT_EQ(after.state, State::held);
  EXPECT_GE(after.expires_ms + 2'000, before.expires_ms) << "the end does not come closer";
}

TEST_P(LeaseStoreContract, TheNextHolderBeginsAtTheLimitOfTheLast) {
  Lease lease = claim("ORDER", 4, 4, kBrief);
  for (int i = 0; i < 4; ++i) {
    const auto raised = raise("ORDER", 4, lease.token, {ms(60'000), ms(50 * i + 1), ms(0)});
    ASSERT_TRUE(raised) << raised.error().message;
    EXPECT_GE(raised->ts_limit_ms, lease.reservation.ts_limit_ms);
    const LeaseRecord ended = release("ORDER", 4, lease.token);
    EXPECT_EQ(ended.ts_limit_ms, raised->ts_limit_ms) << "time is never given back";
    EXPECT_NE(ended.state, State::held);
    const Lease next = claim_when_free("ORDER", 4, kBrief);
    EXPECT_EQ(next.floor_ms, raised->ts_limit_ms);
    EXPECT_GE(next.reservation.now_ms, next.floor_ms) << "reserved time must have passed";
    EXPECT_GT(next.reservation.ts_limit_ms, next.floor_ms);
    EXPECT_GT(next.token, lease.token);
    lease = next;
  }
}

TEST_P(LeaseStoreContract, AStaleTokenDoesNothing) {
  const Lease old = claim("ORDER", 4, 4, kBrief);
  release("ORDER", 4, old.token);
  const Lease now = claim_when_free("ORDER", 4);
  const LeaseRecord before = record("ORDER", 4);
  for (const std::int64_t token : {old.token, now.token + 1, std::int64_t{INT64_MAX}}) {
    const auto raised = raise("ORDER", 4, token, {ms(3'600'000), ms(3'600'000), ms(0)});
    ASSERT_FALSE(raised) << token;
    EXPECT_EQ(raised.error().code, Code::lease_lost);
    EXPECT_EQ(refused_release("ORDER", 4, token), Code::lease_lost);
  }
  const LeaseRecord after = record("ORDER", 4);
  EXPECT_EQ(after.ts_limit_ms, before.ts_limit_ms);
  EXPECT_EQ(after.state, State::held);
  EXPECT_LE(after.expires_ms, before.expires_ms + 2'000);
  EXPECT_TRUE(raise("ORDER", 4, now.token));
}

TEST_P(LeaseStoreContract, WhatHasEndedDoesNotComeBack) {
  const Lease lease = claim("ORDER", 0, 9, {ms(1'000), ms(1), ms(3'600'000)});
  for (const auto end = std::chrono::steady_clock::now() + ms(60'000);
       record("ORDER", 0).state == State::held && std::chrono::steady_clock::now() < end;) {
    std::this_thread::sleep_for(ms(20));
  }
  EXPECT_EQ(record("ORDER", 0).state, State::resting);
  EXPECT_EQ(refused_raise("ORDER", 0, lease.token), Code::lease_lost)
      << "though nobody else has it";
  EXPECT_EQ(refused_release("ORDER", 0, lease.token), Code::lease_lost);
  EXPECT_EQ(refusal(request("ORDER", 0, 0)), Code::none_free);
}

TEST_P(LeaseStoreContract, AnEndedLeaseIsFreeAfterItsQuarantine) {
  const Lease lease = claim("ORDER", 0, 0, {ms(1'000), ms(1), ms(200)});
  const Lease next = claim_when_free("ORDER", 0);
  EXPECT_GE(next.reservation.now_ms, lease.reservation.now_ms + 1'200);
  EXPECT_EQ(refused_raise("ORDER", 0, lease.token), Code::lease_lost);
}

TEST_P(LeaseStoreContract, AReleasedNumberRestsFirst) {
  const Lease lease = claim("ORDER", 0, 0, {ms(60'000), ms(1), ms(600)});
  const LeaseRecord ended = release("ORDER", 0, lease.token);
  EXPECT_EQ(ended.state, State::resting);
  EXPECT_GE(ended.free_ms, ended.expires_ms + 600);
  EXPECT_EQ(refused_release("ORDER", 0, lease.token), Code::lease_lost);
  EXPECT_EQ(refused_raise("ORDER", 0, lease.token), Code::lease_lost);
  const Lease next = claim_when_free("ORDER", 0);
  EXPECT_GE(next.reservation.now_ms + 100, ended.expires_ms + 600);
}

TEST_P(LeaseStoreContract, ReservedTimeMustPassBeforeANumberIsFree) {
  const Lease lease = claim("ORDER", 0, 0, {ms(60'000), ms(600), ms(0)});
  EXPECT_EQ(release("ORDER", 0, lease.token).state, State::resting);
  const Lease next = claim_when_free("ORDER", 0);
  EXPECT_EQ(next.floor_ms, lease.reservation.ts_limit_ms);
  EXPECT_GE(next.reservation.now_ms, next.floor_ms);
}

TEST_P(LeaseStoreContract, WhatNobodyHoldsIsLost) {
  EXPECT_EQ(refused_raise("NONE", 0, 1), Code::lease_lost);
  EXPECT_EQ(refused_release("NONE", 0, 1), Code::lease_lost);
  const Lease lease = claim("ORDER", 0, 0);
  EXPECT_EQ(refused_raise("ORDER", 1, lease.token), Code::lease_lost);
  EXPECT_EQ(refused_release("ORDER", ClaimRequest::kMachineMax, lease.token), Code::lease_lost);
  EXPECT_TRUE(list("NONE").empty());
}

TEST_P(LeaseStoreContract, ListsByScopeThenByNumber) {
  EXPECT_TRUE(list().empty());
  claim("b", 0, 0);
  claim("A", 10, 10);
  const Lease two = claim("A", 2, 2);
  claim("a", 4'000'000'000, 4'000'000'000);
  std::vector<std::pair<std::string, std::uint32_t>> seen;
  for (const LeaseRecord& one : list()) {
    seen.emplace_back(one.scope, one.machine);
    EXPECT_EQ(one.layout, kLayout);
    EXPECT_EQ(one.holder, "test/1/2");
    EXPECT_EQ(one.state, State::held);
    EXPECT_GT(one.expires_ms, one.claimed_ms);
    EXPECT_GE(one.free_ms, one.expires_ms);
  }
  EXPECT_THAT(seen, testing::ElementsAre(std::pair("A", 2U), std::pair("A", 10U),
                                         std::pair("a", 4'000'000'000U), std::pair("b", 0U)));
  ASSERT_EQ(list("A").size(), 2U);
  const LeaseRecord first = list("A")[0];
  EXPECT_EQ(first.token, two.token);
  EXPECT_EQ(first.ts_limit_ms, two.reservation.ts_limit_ms);
  EXPECT_EQ(store_->list_all("not a name").error().code, Code::invalid_request);
}

// Names that others begin with: in some stores what stands behind a name sorts with it.
TEST_P(LeaseStoreContract, PagesFollowOneAnotherToTheEnd) {
  for (const char* scope : {"a-1", "a", "a.b", "B", "a1"}) claim(scope, 0, 9);
  for (const std::uint32_t machine : {2U, 10U, 4'000'000'000U}) claim("a", machine, machine);
  for (const std::string_view scope : {"", "a", "B", "NONE"}) {
    const auto all = list(scope);
    EXPECT_EQ(all.size(), scope.empty() ? 8U : scope == "a" ? 4U : scope == "B" ? 1U : 0U);
    for (std::size_t size = 1; size <= 9; ++size) {
      std::vector<LeaseRecord> seen;
      std::string token;
      do {
        const auto page = store_->list({scope, token, size});
        ASSERT_TRUE(page) << page.error().message;
        token = page->next_token;
        seen.insert(seen.end(), page->items.begin(), page->items.end());
        ASSERT_EQ(token.empty(), seen.size() == all.size()) << "no page is empty but the only one";
        if (!token.empty()) {
          ASSERT_EQ(page->items.size(), size);
        }
      } while (!token.empty());
      ASSERT_TRUE(std::ranges::equal(seen, all,
                                     [](const LeaseRecord& a, const LeaseRecord& b) {
                                       return a.scope == b.scope && a.machine == b.machine &&
                                              a.layout == b.layout;
                                     }))
          << "pages of " << size << " of '" << scope << "'";
    }
  }
}

TEST_P(LeaseStoreContract, APageBeginsBehindTheLastWhateverCameBetween) {
  claim("b", 1, 1);
  claim("b", 5, 5);
  const auto first = store_->list({.page_size = 1});
  ASSERT_TRUE(first) << first.error().message;
  claim("a", 0, 0);  // before it: not seen any more
  claim("b", 0, 0);
  claim("b", 3, 3);
  claim("c", 0, 0);
  const auto rest = store_->list({.page_token = first->next_token});
  ASSERT_TRUE(rest) << rest.error().message;
  std::vector<std::pair<std::string, std::uint32_t>> seen;
  for (const LeaseRecord& one : rest->items) seen.emplace_back(one.scope, one.machine);
  EXPECT_THAT(seen,
              testing::ElementsAre(std::pair("b", 3U), std::pair("b", 5U), std::pair("c", 0U)));
}

TEST_P(LeaseStoreContract, AnOddPageIsRefused) {
  claim("a", 0, 0);
  claim("a", 1, 1);
  const auto refused = [&](const LeaseListRequest& request) {
    const auto page = store_->list(request);
    EXPECT_FALSE(page) << request.page_token;
    return page ? Code::closed : page.error().code;
  };
  EXPECT_EQ(refused({.page_size = 0}), Code::invalid_request);
  EXPECT_EQ(refused({.page_size = LeaseListRequest::kPageSizeMax + 1}), Code::invalid_request);
  const auto of_all = store_->list({.page_size = 1});
  const auto of_one = store_->list({.scope = "a", .page_size = 1});
  ASSERT_TRUE(of_all && of_one);
  std::string cut = of_all->next_token;
  cut.pop_back();
  for (const std::string& token : {cut, of_all->next_token + "0", std::string("0"),
                                   std::string("x y"), of_one->next_token, std::string(400, '0')}) {
    EXPECT_EQ(refused({.page_token = token}), Code::invalid_request) << token;
  }
  EXPECT_EQ(refused({.scope = "a", .page_token = of_all->next_token}), Code::invalid_request);
  EXPECT_EQ(refused({.scope = "b", .page_token = of_one->next_token}), Code::invalid_request);
}

TEST_P(LeaseStoreContract, BadRequestsAreRefusedAlike) {
  const auto refused = [&](auto change) {
    ClaimRequest bad = request("ORDER", 0, 9);
    change(bad);
    return refusal(bad);
  };
  const std::string long_name(65, 'a');
  const std::string long_holder(129, 'a');
  for (const std::string_view scope :
       {std::string_view(), std::string_view(" "), std::string_view("a'"), std::string_view("a\n"),
        std::string_view("\xC3\xA9"), std::string_view(long_name)}) {
    EXPECT_EQ(refused([&](ClaimRequest& r) { r.scope = scope; }), Code::invalid_request) << scope;
    EXPECT_EQ(refused_raise(scope, 0, 1), Code::invalid_request) << scope;
    EXPECT_EQ(refused_release(scope, 0, 1), Code::invalid_request) << scope;
  }
  EXPECT_EQ(refused([](ClaimRequest& r) { r.layout = ""; }), Code::invalid_request);
  EXPECT_EQ(refused([](ClaimRequest& r) { r.layout = "a\n"; }), Code::invalid_request);
  EXPECT_EQ(refused([&](ClaimRequest& r) { r.layout = long_name; }), Code::invalid_request);
  EXPECT_EQ(refused([](ClaimRequest& r) { r.machine_min = 10; }), Code::invalid_request);
  EXPECT_EQ(refused([&](ClaimRequest& r) { r.holder = long_holder; }), Code::invalid_request);
  EXPECT_EQ(refused([](ClaimRequest& r) { r.holder = "\x01"; }), Code::invalid_request);
  for (const LeaseTerms& terms :
       {LeaseTerms{ms(999), ms(1), ms(0)}, LeaseTerms{ms(-1), ms(1), ms(0)},
        LeaseTerms{LeaseTerms::kTtlMax + ms(1), ms(1), ms(0)}, LeaseTerms{ms(1'000), ms(0), ms(0)},
        LeaseTerms{ms(1'000), LeaseTerms::kReserveMax + ms(1), ms(0)},
        LeaseTerms{ms(1'000), ms(1), ms(-1)},
        LeaseTerms{ms(1'000), ms(1), LeaseTerms::kQuarantineMax + ms(1)}}) {
    EXPECT_EQ(refused([&](ClaimRequest& r) { r.terms = terms; }), Code::invalid_request);
    EXPECT_EQ(raise("ORDER", 0, 1, terms).error().code, Code::invalid_request);
  }
  EXPECT_EQ(refused_raise("ORDER", 0, 0), Code::invalid_request);
  EXPECT_EQ(refused_release("ORDER", 0, -1), Code::invalid_request);
  EXPECT_TRUE(list().empty());
}

TEST_P(LeaseStoreContract, TextsAreKeptAsTheyAre) {
  ClaimRequest odd = request("ORDER", 0, 9);
  odd.layout = "'; DROP TABLE x; -- \\ \" %s ?";
  odd.holder = "o'brien\\ \"$1\" ? --  ";
  ASSERT_TRUE(store_->claim(odd));
  EXPECT_EQ(record("ORDER", 0).layout, odd.layout);
  EXPECT_EQ(record("ORDER", 0).holder, odd.holder);
}

TEST_P(LeaseStoreContract, ManyAtOnceGetDifferentNumbers) {
  constexpr std::size_t kThreads = 4;
  constexpr std::uint32_t kNumbers = 10;
  const std::shared_ptr<LeaseStore> other = open_();
  std::vector<std::vector<std::uint32_t>> got(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      LeaseStore& mine = i % 2 == 0 || other == nullptr ? *store_ : *other;
      for (;;) {
        const auto lease = mine.claim(request("ORDER", 0, kNumbers - 1));
        if (!lease) {
          EXPECT_EQ(lease.error().code, Code::none_free) << lease.error().message;
          return;
        }
        got[i].push_back(lease->machine);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<std::uint32_t> all;
  for (const auto& mine : got) all.insert(all.end(), mine.begin(), mine.end());
  std::ranges::sort(all);
  EXPECT_THAT(all, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

// Holders come and go, some without a word. What two of them have reserved never meets.
TEST_P(LeaseStoreContract, ReservedTimesOfANumberNeverMeet) {
  struct Held {
    std::int64_t token;
    std::uint64_t floor_ms, limit_ms;
  };
  constexpr std::size_t kThreads = 4;
  const std::shared_ptr<LeaseStore> other = open_();
  std::vector<std::map<std::uint32_t, std::vector<Held>>> held(kThreads);
  std::vector<std::thread> threads;
  const auto end = std::chrono::steady_clock::now() + soak_time();
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      LeaseStore& mine = i % 2 == 0 || other == nullptr ? *store_ : *other;
      for (std::size_t n = 0; n < 4 || std::chrono::steady_clock::now() < end; ++n) {
        const auto lease = mine.claim(request("ORDER", 0, 7, kBrief));
        if (!lease) {
          ASSERT_EQ(lease.error().code, Code::none_free) << lease.error().message;
          std::this_thread::yield();
          continue;
        }
        Held one{lease->token, lease->floor_ms, lease->reservation.ts_limit_ms};
        if (n % 2 == 0) {
          const auto raised =
              mine.raise({"ORDER", lease->machine, lease->token, kBrief, ms(20'000)});
          ASSERT_TRUE(raised) << raised.error().message;
          one.limit_ms = raised->ts_limit_ms;
        }
        held[i][lease->machine].push_back(one);
        const auto released = mine.release({"ORDER", lease->machine, lease->token, ms(20'000)});
        ASSERT_TRUE(released) << released.error().message;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::map<std::uint32_t, std::vector<Held>> all;
  std::size_t count = 0;
  for (const auto& mine : held) {
    for (const auto& [machine, list] : mine) {
      all[machine].insert(all[machine].end(), list.begin(), list.end());
      count += list.size();
    }
  }
  EXPECT_GT(count, kThreads);
  for (auto& [machine, list] : all) {
    std::ranges::sort(list, {}, &Held::token);
    for (std::size_t i = 1; i < list.size(); ++i) {
      ASSERT_GT(list[i].token, list[i - 1].token);
      ASSERT_EQ(list[i].floor_ms, list[i - 1].limit_ms) << machine;
      ASSERT_GE(list[i].limit_ms, list[i].floor_ms);
    }
  }
}

class DurableLeaseContract : public LeaseStoreContract {};

TEST_P(DurableLeaseContract, GoesOnWhereItWas) {
  const Lease lease = claim("ORDER", 3, 3);
  const Lease ended = claim("ORDER", 4, 4, kBrief);
  release("ORDER", 4, ended.token);
  store_.reset();
  store_ = open_();
  ASSERT_NE(store_, nullptr);
  EXPECT_EQ(refusal(request("ORDER", 3, 3)), Code::none_free);
  EXPECT_EQ(record("ORDER", 3).ts_limit_ms, lease.reservation.ts_limit_ms);
  EXPECT_TRUE(raise("ORDER", 3, lease.token));
  const Lease next = claim_when_free("ORDER", 4);
  EXPECT_EQ(next.floor_ms, ended.reservation.ts_limit_ms);
  EXPECT_GT(next.token, ended.token);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DurableLeaseContract);

}  // namespace tessera
