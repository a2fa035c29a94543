#pragma once

// What every store of segments promises, as one suite for all of them.
//
//   INSTANTIATE_TEST_SUITE_P(Mine, SegmentStoreContract, testing::Values(place), contract_name);
//   INSTANTIATE_TEST_SUITE_P(Mine, DurableStoreContract, testing::Values(place), contract_name);
//
// A place knows where a store is, and opens it: each test gets an empty one. The second suite is
// for those that outlive their object, and that several may open at once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/soak.h"
#include "tessera/segment/short_ids.h"
#include "tessera/segment/store.h"

namespace tessera {

struct StorePlace {
  std::string name;
  // A function that opens one store, always the same, empty at first.
  std::function<std::function<std::unique_ptr<SegmentPorts>()>()> fresh;
};

inline std::string contract_name(const testing::TestParamInfo<StorePlace>& of) {
  return of.param.name;
}
inline void PrintTo(const StorePlace& place, std::ostream* out) { *out << place.name; }

class SegmentStoreContract : public testing::TestWithParam<StorePlace> {
 protected:
  using Code = Error::Code;

  void SetUp() override {
    open_ = GetParam().fresh();
    store_ = open_();
    ASSERT_NE(store_, nullptr);
  }
  SegmentStore& segments() { return store_->segments(); }
  ScopeCatalogue& scopes() { return store_->scopes(); }

  ScopeState create(const Scope& scope) {
    const auto state = scopes().create(scope);
    EXPECT_TRUE(state) << state.error().message;
    return state ? *state : ScopeState{};
  }
  ScopeState create(const std::string& name, std::int64_t min = 1, std::int64_t max = Scope::kMax) {
    Scope scope;
    scope.name = name;
    scope.min = min;
    scope.max = max;
    return create(scope);
  }
  Draw draw(std::string_view scope, std::uint64_t count, std::string_view key = {}) {
    const auto drawn = segments().draw({scope, count, "test/1/2", key});
    EXPECT_TRUE(drawn) << drawn.error().message;
    return drawn ? *drawn : Draw{};
  }
  Code refusal(std::string_view scope, std::uint64_t count, std::string_view holder = {},
               std::string_view key = {}) {
    const auto drawn = segments().draw({scope, count, holder, key});
    EXPECT_FALSE(drawn);
    EXPECT_FALSE(drawn || drawn.error().message.empty());
    return drawn ? Code::closed : drawn.error().code;
  }

  std::function<std::unique_ptr<SegmentPorts>()> open_;
  std::unique_ptr<SegmentPorts> store_;
};

TEST_P(SegmentStoreContract, RangesFollowEachOther) {
  EXPECT_EQ(create("ORDER").high_water, 0);
  EXPECT_EQ(draw("ORDER", 1000), (Draw{{1, 1001}, 1, 1, false}));
  EXPECT_EQ(draw("ORDER", 1), (Draw{{1001, 1002}, 1, 2, false}));
  EXPECT_EQ(draw("ORDER", 10'000'000), (Draw{{1002, 10'001'002}, 1, 3, false}));
  const auto state = segments().find("ORDER");
  ASSERT_TRUE(state);
  EXPECT_EQ(state->high_water, 10'001'001);
  EXPECT_EQ(state->draws, 3);
  EXPECT_EQ(state->epoch, 1);
  EXPECT_GT(state->updated_ms, 1'700'000'000'000U);
}

TEST_P(SegmentStoreContract, ScopesBeginWhereTheyAreDeclared) {
  create("A", 0);
  create("B", 500, 1000);
  EXPECT_EQ(draw("A", 3).segment, (Segment{0, 3}));
  EXPECT_EQ(draw("B", 3).segment, (Segment{500, 503}));
  EXPECT_EQ(draw("A", 3).segment, (Segment{3, 6}));
}

TEST_P(SegmentStoreContract, AKeyDrawsOnce) {
  create("ORDER");
  create("OTHER");
  const Draw first = draw("ORDER", 10, "key-1");
  EXPECT_FALSE(first.repeated);
  draw("ORDER", 10);
  for (int i = 0; i < 3; ++i) {
    const Draw again = draw("ORDER", 10, "key-1");
    EXPECT_TRUE(again.repeated);
    EXPECT_EQ(again.segment, first.segment);
    EXPECT_EQ(again.number, first.number);
    EXPECT_EQ(again.epoch, first.epoch);
  }
  EXPECT_EQ(refusal("ORDER", 11, "", "key-1"), Code::key_reused);
  EXPECT_FALSE(draw("OTHER", 11, "key-1").repeated) << "keys belong to their scope";
  for (const char* other : {"KEY-1", "key-1 ", " key-1", "key-", "key-1'; --", "\\"}) {
    EXPECT_FALSE(draw("ORDER", 10, other).repeated) << other;
    EXPECT_TRUE(draw("ORDER", 10, other).repeated) << other;
  }
  EXPECT_EQ(segments().find("ORDER")->draws, 8);
  ASSERT_TRUE(scopes().advance("ORDER", 5000));
  EXPECT_EQ(draw("ORDER", 10, "key-1").segment, first.segment) << "in a new epoch too";
}

TEST_P(SegmentStoreContract, AKeyIsKnownEvenWhenAllIsGone) {
  create("SMALL", 1, 10);
  const Draw first = draw("SMALL", 10, "k");
  EXPECT_EQ(refusal("SMALL", 1, "", "l"), Code::exhausted);
  EXPECT_EQ(draw("SMALL", 10, "k").segment, first.segment);
  EXPECT_EQ(refusal("SMALL", 1, "", "k"), Code::key_reused);
}

TEST_P(SegmentStoreContract, TheLastNumberIsGivenAndNoneAfterIt) {
  for (const std::int64_t max : {Scope::kMax, Scope::kJsSafeMax, std::int64_t{5}}) {
    const std::string name = "S" + std::to_string(max);
    create(name, max - 4, max);
    const auto top = static_cast<std::uint64_t>(max);
    EXPECT_EQ(draw(name, 2).segment, (Segment{top - 4, top - 2}));
    EXPECT_EQ(refusal(name, 4), Code::exhausted);
    EXPECT_EQ(refusal(name, 10'000'000), Code::exhausted);
    EXPECT_EQ(segments().find(name)->remaining(), 3U) << "a refused draw reserves nothing";
    EXPECT_EQ(draw(name, 2).segment, (Segment{top - 2, top}));
    EXPECT_EQ(refusal(name, 2), Code::exhausted);
    EXPECT_EQ(draw(name, 1).segment, (Segment{top, top + 1}));
    EXPECT_EQ(refusal(name, 1), Code::exhausted);
    EXPECT_EQ(segments().find(name)->remaining(), 0);
    EXPECT_EQ(segments().find(name)->draws, 3);
  }
}

TEST_P(SegmentStoreContract, AMarkIsOnlyEverLifted) {
  create("ORDER", 1, 10'000);
  draw("ORDER", 100);
  const auto lifted = scopes().advance("ORDER", 5000);
  ASSERT_TRUE(lifted) << lifted.error().message;
  EXPECT_EQ(lifted->high_water, 5000);
  EXPECT_EQ(lifted->epoch, 2);
  EXPECT_EQ(lifted->draws, 1);
  EXPECT_EQ(draw("ORDER", 10), (Draw{{5001, 5011}, 2, 2, false}));
  for (const std::int64_t mark : {std::int64_t{5009}, std::int64_t{0}, std::int64_t{-1},
                                  std::int64_t{10'001}, INT64_MAX, INT64_MIN}) {
    const auto refused = scopes().advance("ORDER", mark);
    ASSERT_FALSE(refused) << mark;
    EXPECT_EQ(refused.error().code, Code::invalid_request);
  }
  EXPECT_EQ(segments().find("ORDER")->epoch, 2);
  ASSERT_TRUE(scopes().advance("ORDER", 5010)) << "where it is: a new epoch only";
  EXPECT_EQ(draw("ORDER", 1), (Draw{{5011, 5012}, 3, 3, false}));
  ASSERT_TRUE(scopes().advance("ORDER", 10'000));
  EXPECT_EQ(refusal("ORDER", 1), Code::exhausted);
}

TEST_P(SegmentStoreContract, AStepIsTheStoresOwn) {
  create("ORDER");
  const auto changed = scopes().set_step("ORDER", 77);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->scope.step, 77);
  ASSERT_TRUE(scopes().set_step("ORDER", 77)) << "no change is no error";
  for (const std::int64_t step : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1'000'001}}) {
    const auto refused = scopes().set_step("ORDER", step);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::invalid_request);
  }
  EXPECT_EQ(create("ORDER").scope.step, 77);
}

TEST_P(SegmentStoreContract, CreatingAgainFindsTheSame) {
  Scope scope;
  scope.name = "ORDER";
  scope.min = 10;
  scope.max = 1'000'000;
  scope.order = Scope::Order::strict;
  scope.js_safe = true;
  EXPECT_EQ(create(scope).scope, scope);
  draw("ORDER", 5);
  const auto again = create(scope);
  EXPECT_EQ(again.scope, scope);
  EXPECT_EQ(again.high_water, 14);
  const auto differs = [&](auto change) {
    Scope other = scope;
    change(other);
    const auto made = scopes().create(other);
    EXPECT_FALSE(made);
    return made ? Code::closed : made.error().code;
  };
  EXPECT_EQ(differs([](Scope& s) { s.min = 11; }), Code::already_exists);
  EXPECT_EQ(differs([](Scope& s) { s.max = 999'999; }), Code::already_exists);
  EXPECT_EQ(differs([](Scope& s) { s.order = Scope::Order::process; }), Code::already_exists);
  EXPECT_EQ(differs([](Scope& s) { s.js_safe = false; }), Code::already_exists);
  EXPECT_EQ(differs([](Scope& s) { s.min = -1; }), Code::invalid_request);
  EXPECT_EQ(segments().find("ORDER")->scope, scope);
}

TEST_P(SegmentStoreContract, TheFirstFingerprintOfAScopeStays) {
  const auto none = scopes().keep_fingerprint("VOUCHER", "a1");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::not_found);
  create("VOUCHER");
  create("TICKET");
  EXPECT_EQ(scopes().keep_fingerprint("VOUCHER", "a1").value_or("?"), "a1");
  EXPECT_EQ(scopes().keep_fingerprint("VOUCHER", "b2").value_or("?"), "a1");
  EXPECT_EQ(scopes().keep_fingerprint("TICKET", "b2").value_or("?"), "b2");
  for (const std::string& bad : {std::string(), std::string(65, 'a'), std::string("a\n")}) {
    const auto refused = scopes().keep_fingerprint("TICKET", bad);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::invalid_request);
  }
}

// Under another key, numbers that were not drawn yet give IDs that were given out before.
TEST_P(SegmentStoreContract, AScopeOfShortIdsIsBoundToItsFirstKey) {
  const auto cipher_of = [](const char* key, unsigned bits) {
    return *ShortCipher::make({.scope = "VOUCHER", .bits = bits}, *ShortKey::parse(key));
  };
  const char* key = "000102030405060708090a0b0c0d0e0f";
  create("VOUCHER");
  EXPECT_FALSE(bind_key(scopes(), "VOUCHER", cipher_of(key, 40)));
  EXPECT_FALSE(bind_key(scopes(), "VOUCHER", cipher_of(key, 40)));
  for (const ShortCipher& other :
       {cipher_of("100102030405060708090a0b0c0d0e0f", 40), cipher_of(key, 41)}) {
    const auto refused = bind_key(scopes(), "VOUCHER", other);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->code, Code::already_exists);
  }
}

TEST_P(SegmentStoreContract, EveryRangeIsOnRecord) {
  create("ORDER");
  ASSERT_TRUE(segments().draw({"ORDER", 10, "a/1/2", "key"}));
  ASSERT_TRUE(segments().draw({"ORDER", 5, "b", ""}));
  ASSERT_TRUE(scopes().advance("ORDER", 100));
  ASSERT_TRUE(segments().draw({"ORDER", 1, "", ""}));
  const auto newest = scopes().ranges("ORDER", 2);
  ASSERT_TRUE(newest) << newest.error().message;
  ASSERT_EQ(newest->size(), 2U);
  EXPECT_EQ((*newest)[0].segment, (Segment{101, 102}));
  EXPECT_EQ((*newest)[0].epoch, 2);
  EXPECT_EQ((*newest)[0].number, 3);
  EXPECT_EQ((*newest)[1].holder, "b");
  EXPECT_EQ((*newest)[1].key, "");
  EXPECT_EQ(scopes().ranges("ORDER", 100)->size(), 3U);
  EXPECT_EQ(scopes().ranges("ORDER", SIZE_MAX)->size(), 3U);
  EXPECT_TRUE(scopes().ranges("ORDER", 0)->empty());
  for (const std::int64_t number : {1, 7, 10}) {
    const auto record = scopes().range_of("ORDER", number);
    ASSERT_TRUE(record && *record) << number;
    EXPECT_EQ((*record)->scope, "ORDER");
    EXPECT_EQ((*record)->segment, (Segment{1, 11}));
    EXPECT_EQ((*record)->holder, "a/1/2");
    EXPECT_EQ((*record)->key, "key");
    EXPECT_EQ((*record)->number, 1);
    EXPECT_GT((*record)->drawn_ms, 1'700'000'000'000U);
  }
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{16}, std::int64_t{100},
                                    std::int64_t{102}, INT64_MAX, INT64_MIN}) {
    const auto record = scopes().range_of("ORDER", number);
    ASSERT_TRUE(record);
    EXPECT_FALSE(*record) << number;
  }
}

TEST_P(SegmentStoreContract, BadNamesAreRefusedAlike) {
  const std::string bad[] = {"",
                             " ",
                             "a ",
                             " a",
                             "-a",
                             "a.",
                             "a b",
                             "\xC3\xA9",
                             "a\n",
                             "a'",
                             std::string("a\0b", 3),
                             std::string(65, 'a'),
                             "a;DROP TABLE x"};
  for (const auto& name : bad) {
    Scope scope;
    scope.name = name;
    const auto made = scopes().create(scope);
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().code, Code::invalid_request) << name;
    EXPECT_EQ(refusal(name, 1), Code::invalid_request) << name;
    EXPECT_EQ(segments().find(name).error().code, Code::invalid_request) << name;
    EXPECT_EQ(scopes().set_step(name, 1).error().code, Code::invalid_request) << name;
    EXPECT_EQ(scopes().advance(name, 1).error().code, Code::invalid_request) << name;
    EXPECT_EQ(scopes().range_of(name, 1).error().code, Code::invalid_request) << name;
    EXPECT_EQ(scopes().ranges(name, 1).error().code, Code::invalid_request) << name;
  }
  EXPECT_TRUE(scopes().list()->empty());
}

TEST_P(SegmentStoreContract, UnknownNamesAreNotFound) {
  EXPECT_EQ(refusal("NONE", 1), Code::not_found);
  EXPECT_EQ(refusal("NONE", 1, "", "key"), Code::not_found);
  EXPECT_EQ(segments().find("NONE").error().code, Code::not_found);
  EXPECT_EQ(scopes().set_step("NONE", 1).error().code, Code::not_found);
  EXPECT_EQ(scopes().advance("NONE", 1).error().code, Code::not_found);
  EXPECT_EQ(scopes().range_of("NONE", 1).error().code, Code::not_found);
  EXPECT_EQ(scopes().ranges("NONE", 1).error().code, Code::not_found);
}

TEST_P(SegmentStoreContract, NamesThatLookAlikeStayApart) {
  const std::string names[] = {"order",
                               "Order",
                               "ORDER",
                               "orders",
                               "order-1",
                               "order_1",
                               "order.1",
                               "a",
                               "A",
                               std::string(64, 'x'),
                               std::string(63, 'x')};
  std::int64_t min = 1000;
  for (const auto& name : names) create(name, min += 1000);
  min = 1000;
  for (const auto& name : names) {
    min += 1000;
    EXPECT_EQ(draw(name, 5).segment.first, static_cast<std::uint64_t>(min)) << name;
    EXPECT_EQ(draw(name, 5).segment.first, static_cast<std::uint64_t>(min) + 5) << name;
  }
}

TEST_P(SegmentStoreContract, ListsByNameByteByByte) {
  std::vector<std::string> names = {"b", "a", "B", "A", "a-b", "a.b", "a_b", "aB", "ab", "a0", "0"};
  for (const auto& name : names) create(name);
  std::ranges::sort(names);
  const auto listed = scopes().list();
  ASSERT_TRUE(listed);
  std::vector<std::string> seen;
  for (const auto& state : *listed) seen.push_back(state.scope.name);
  EXPECT_EQ(seen, names);
}

TEST_P(SegmentStoreContract, RequestsHaveLimits) {
  create("ORDER");
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{10'000'001}, UINT64_MAX}) {
    EXPECT_EQ(refusal("ORDER", count), Code::invalid_request) << count;
  }
  const std::string longest(128, '~');
  ASSERT_TRUE(segments().draw({"ORDER", 1, longest, longest}));
  EXPECT_EQ(scopes().ranges("ORDER", 1)->at(0).holder, longest);
  EXPECT_EQ(scopes().ranges("ORDER", 1)->at(0).key, longest);
  for (const std::string& bad :
       {std::string(129, 'x'), std::string("\n"), std::string("\xC3\xA9"), std::string("\0", 1)}) {
    EXPECT_EQ(refusal("ORDER", 1, bad, ""), Code::invalid_request);
    EXPECT_EQ(refusal("ORDER", 1, "", bad), Code::invalid_request);
  }
  const std::string nasty = "'; DROP TABLE x; -- \\\" $1 ? %s";
  ASSERT_TRUE(segments().draw({"ORDER", 1, nasty, nasty}));
  EXPECT_EQ(scopes().ranges("ORDER", 1)->at(0).holder, nasty);
  EXPECT_EQ(scopes().ranges("ORDER", 1)->at(0).key, nasty);
  EXPECT_EQ(segments().find("ORDER")->draws, 2);
}

// What several threads draw from several scopes for a time has no number twice, no hole, and is
// what the log says.
TEST_P(SegmentStoreContract, NoNumberTwiceUnderConcurrency) {
  constexpr int kThreads = 4;
  const std::vector<std::string> names = {"A", "B"};
  for (const auto& name : names) create(name);
  std::vector<std::unique_ptr<SegmentPorts>> others;
  if (auto other = open_()) others.push_back(std::move(other));  // nothing: there is only one
  const auto end = std::chrono::steady_clock::now() + soak_time();
  std::vector<std::vector<std::pair<std::string, Draw>>> drawn(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      // Half of them through another object, as another process would.
      SegmentPorts& mine = i % 2 == 0 || others.empty() ? *store_ : *others[0];
      // For a time, and on a busy machine for a few draws at least.
      for (std::size_t n = i; n < i + 10 || std::chrono::steady_clock::now() < end; ++n) {
        const auto& name = names[n % names.size()];
        const std::string key = n % 3 == 0 ? std::to_string(i) + "/" + std::to_string(n) : "";
        const auto one =
            mine.segments().draw({name, n % 7 + 1, "t", key, std::chrono::seconds(20)});
        ASSERT_TRUE(one) << one.error().message;
        drawn[i].emplace_back(name, *one);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& name : names) {
    std::vector<Draw> all;
    for (const auto& list : drawn) {
      std::uint64_t last = 0;
      for (const auto& [scope, one] : list) {
        if (scope != name) continue;
        EXPECT_GE(one.segment.first, last) << "each thread sees its own increase";
        last = one.segment.end;
        all.push_back(one);
      }
    }
    ASSERT_GT(all.size(), 8U);
    std::ranges::sort(all, {}, [](const Draw& one) { return one.segment.first; });
    std::uint64_t next = 1;
    std::int64_t number = 1;
    for (const Draw& one : all) {
      ASSERT_EQ(one.segment.first, next);
      ASSERT_EQ(one.number, number++);
      ASSERT_FALSE(one.repeated);
      next = one.segment.end;
    }
    EXPECT_EQ(segments().find(name)->high_water, static_cast<std::int64_t>(next) - 1);
    EXPECT_EQ(segments().find(name)->draws, static_cast<std::int64_t>(all.size()));
    EXPECT_EQ(scopes().ranges(name, SIZE_MAX)->size(), all.size());
  }
}

TEST_P(SegmentStoreContract, OneKeyByManyAtOnceIsOneRange) {
  constexpr std::size_t kThreads = 4;
  constexpr int kKeys = 12;
  create("ORDER");
  std::unique_ptr<SegmentPorts> other = open_();
  for (int k = 0; k < kKeys; ++k) {
    const std::string key = "key" + std::to_string(k);
    std::vector<Draw> drawn(kThreads);
    std::atomic<std::size_t> ready{0};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        SegmentPorts& mine = i % 2 == 0 || other == nullptr ? *store_ : *other;
        ++ready;
        while (ready < kThreads) std::this_thread::yield();
        const auto one = mine.segments().draw({"ORDER", 10, "t", key, std::chrono::seconds(20)});
        ASSERT_TRUE(one) << one.error().message;
        drawn[i] = *one;
      });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& one : drawn) EXPECT_EQ(one.segment, drawn[0].segment);
    EXPECT_EQ(std::ranges::count(drawn, false, &Draw::repeated), 1);
  }
  EXPECT_EQ(segments().find("ORDER")->draws, kKeys);
  EXPECT_EQ(segments().find("ORDER")->high_water, kKeys * 10);
}

class DurableStoreContract : public SegmentStoreContract {};

TEST_P(DurableStoreContract, GoesOnWhereItWas) {
  create("ORDER");
  const Draw keyed = draw("ORDER", 10, "key");
  draw("ORDER", 5);
  ASSERT_TRUE(scopes().set_step("ORDER", 42));
  const auto before = *segments().find("ORDER");
  const auto ranges = *scopes().ranges("ORDER", 10);
  store_.reset();
  store_ = open_();
  ASSERT_NE(store_, nullptr);
  EXPECT_EQ(*segments().find("ORDER"), before);
  EXPECT_EQ(*scopes().ranges("ORDER", 10), ranges);
  EXPECT_EQ(draw("ORDER", 10, "key").segment, keyed.segment);
  EXPECT_EQ(draw("ORDER", 1), (Draw{{16, 17}, 1, 3, false}));
}

TEST_P(DurableStoreContract, OneFingerprintIsKeptOfManyAtOnce) {
  create("VOUCHER");
  constexpr std::size_t kThreads = 4;
  std::vector<std::string> kept(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto store = open_();
      kept[i] = store->scopes().keep_fingerprint("VOUCHER", std::to_string(i)).value_or("?");
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& one : kept) EXPECT_EQ(one, kept[0]);
  EXPECT_NE(kept[0], "?");
}

TEST_P(DurableStoreContract, TwoWhoCreateOneScopeShareIt) {
  const auto other = open_();
  std::vector<std::thread> threads;
  for (SegmentPorts* mine : {store_.get(), other.get()}) {
    threads.emplace_back([mine] {
      for (int i = 0; i < 10; ++i) {
        Scope scope;
        scope.name = "S" + std::to_string(i);
        EXPECT_TRUE(mine->scopes().create(scope));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(scopes().list()->size(), 10U);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DurableStoreContract);

}  // namespace tessera
