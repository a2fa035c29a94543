#pragma once

// What a delegation promises, on any two stores.
//
//   INSTANTIATE_TEST_SUITE_P(Mine, DelegationContract, testing::Values(place), delegation_name);

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/segment/delegate.h"

namespace tessera {

struct DelegationPlace {
  std::string name;
  // Two empty stores; they may be the same.
  std::function<std::pair<std::shared_ptr<SegmentPorts>, std::shared_ptr<SegmentPorts>>()> fresh;
};

inline std::string delegation_name(const testing::TestParamInfo<DelegationPlace>& of) {
  return of.param.name;
}
inline void PrintTo(const DelegationPlace& place, std::ostream* out) { *out << place.name; }

class DelegationContract : public testing::TestWithParam<DelegationPlace> {
 protected:
  using Code = Error::Code;

  void SetUp() override {
    std::tie(home_, away_) = GetParam().fresh();
    const auto made = home_->scopes().create({.name = "ORDER", .step = 500});
    ASSERT_TRUE(made) << made.error().message;
  }
  static Segment draw(SegmentPorts& store, std::string_view scope, std::uint64_t count) {
    const auto drawn = store.segments().draw(
        {.scope = scope, .count = count, .holder = "t", .timeout = std::chrono::seconds(60)});
    EXPECT_TRUE(drawn) << drawn.error().message;
    return drawn ? drawn->segment : Segment{};
  }
  static Code refusal(SegmentPorts& source, SegmentPorts& target, const DelegateRequest& request) {
    const auto done = delegate(source, target, request);
    EXPECT_FALSE(done);
    EXPECT_FALSE(done || done.error().message.empty());
    return done ? Code::closed : done.error().code;
  }
  static Delegation delegated(SegmentPorts& source, SegmentPorts& target,
                              const DelegateRequest& request) {
    const auto done = delegate(source, target, request);
    EXPECT_TRUE(done) << done.error().message;
    return done ? *done : Delegation{};
  }

  std::shared_ptr<SegmentPorts> home_, away_;
};

TEST_P(DelegationContract, ARangeBecomesAScopeAndNobodyElseHasItsNumbers) {
  EXPECT_EQ(draw(*home_, "ORDER", 100), (Segment{1, 101}));
  constexpr std::uint64_t kMany = 50'000'000'000;  // more than one draw may have
  const Delegation eu =
      delegated(*home_, *away_, {.from = "ORDER", .to = "ORDER-EU", .count = kMany});
  EXPECT_EQ(eu.segment, (Segment{101, 101 + kMany}));
  EXPECT_FALSE(eu.repeated);
  EXPECT_EQ(eu.state.scope.min, 101);
  EXPECT_EQ(eu.state.scope.max, static_cast<std::int64_t>(100 + kMany));
  EXPECT_EQ(eu.state.scope.step, 500) << "as the one it came from";
  EXPECT_EQ(eu.state.high_water, 100);
  EXPECT_EQ(draw(*home_, "ORDER", 10), (Segment{101 + kMany, 111 + kMany}));
  EXPECT_EQ(draw(*away_, "ORDER-EU", 10), (Segment{101, 111}));
  const auto line = home_->scopes().range_of("ORDER", 5'000'000);
  ASSERT_TRUE(line && *line);
  EXPECT_EQ((*line)->key, "delegate/ORDER-EU") << "the log says whose they are";
}

TEST_P(DelegationContract, AskedForTwiceItHappensOnce) {
  const DelegateRequest request{.from = "ORDER", .to = "EU", .count = 1000, .step = 7};
  const Delegation first = delegated(*home_, *away_, request);
  draw(*away_, "EU", 5);
  draw(*home_, "ORDER", 5);
  const Delegation again = delegated(*home_, *away_, request);
  EXPECT_TRUE(again.repeated);
  EXPECT_EQ(again.segment, first.segment);
  EXPECT_EQ(again.state.high_water, 5) << "and its scope goes on";
  EXPECT_EQ(refusal(*home_, *away_, {.from = "ORDER", .to = "EU", .count = 1001}),
            Code::key_reused);
  EXPECT_EQ(home_->segments().find("ORDER")->draws, 2);
}

// The range was drawn, and then the power was cut.
TEST_P(DelegationContract, WhatWasBegunIsEnded) {
  const auto drawn =
      home_->segments().draw({.scope = "ORDER", .count = 1000, .key = "delegate/EU"});
  ASSERT_TRUE(drawn) << drawn.error().message;
  draw(*home_, "ORDER", 5);
  const Delegation done = delegated(*home_, *away_, {.from = "ORDER", .to = "EU", .count = 1000});
  EXPECT_EQ(done.segment, drawn->segment);
  EXPECT_EQ(draw(*away_, "EU", 1).first, 1U);
}

TEST_P(DelegationContract, WhatIsLeftIsTakenBackToTheLastNumber) {
  const Delegation eu = delegated(*home_, *away_, {.from = "ORDER", .to = "EU", .count = 1000});
  draw(*away_, "EU", 300);
  const DelegateRequest request{.from = "EU", .to = "ORDER-2"};
  const Delegation back = delegated(*away_, *home_, request);
  EXPECT_EQ(back.segment, (Segment{eu.segment.first + 300, eu.segment.end}));
  const auto more = away_->segments().draw({.scope = "EU", .count = 1});
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, Code::exhausted) << "for ever";
  EXPECT_EQ(delegated(*away_, *home_, request).segment, back.segment) << "twice is as once";
  EXPECT_EQ(draw(*home_, "ORDER-2", 700), back.segment);
  EXPECT_EQ(refusal(*away_, *home_, {.from = "EU", .to = "ORDER-3"}), Code::exhausted);
}

TEST_P(DelegationContract, ATakeBackThatWasBegunIsEnded) {
  delegated(*home_, *away_, {.from = "ORDER", .to = "EU", .count = 100});
  draw(*away_, "EU", 40);
  const auto drawn = away_->segments().draw({.scope = "EU", .count = 60, .key = "return/BACK"});
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(delegated(*away_, *home_, {.from = "EU", .to = "BACK"}).segment, drawn->segment);
}

// Servers that draw do not know that it is taken back: every number is in one hand.
TEST_P(DelegationContract, WhatIsTakenBackWhileOthersDrawIsTheirsOrOurs) {
  const Delegation eu =
      delegated(*home_, *away_, {.from = "ORDER", .to = "EU", .count = 1'000'000'000});
  std::vector<std::vector<Segment>> drawn(2);
  std::atomic<int> count{0};
  std::vector<std::thread> threads;
  for (auto& mine : drawn) {
    threads.emplace_back([&] {
      while (true) {
        const auto got = away_->segments().draw(
            {.scope = "EU", .count = 3, .timeout = std::chrono::seconds(60)});
        if (!got) {
          EXPECT_EQ(got.error().code, Code::exhausted) << got.error().message;
          return;
        }
        mine.push_back(got->segment);
        ++count;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (count < 6 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  Delegation back;
  while (std::chrono::steady_clock::now() < end) {
    const auto done = delegate(*away_, *home_, {.from = "EU", .to = "BACK"});
    if (done) {
      back = *done;
      break;
    }
    ASSERT_EQ(done.error().code, Code::timed_out) << done.error().message;
  }
  for (auto& thread : threads) thread.join();
  std::vector<Segment> all = {back.segment};
  for (const auto& mine : drawn) all.insert(all.end(), mine.begin(), mine.end());
  std::ranges::sort(all, {}, &Segment::first);
  std::uint64_t next = eu.segment.first;
  for (const Segment& segment : all) {
    ASSERT_EQ(segment.first, next) << "not twice, and none is in nobody's";
    next = segment.end;
  }
  EXPECT_EQ(next, eu.segment.end);
  EXPECT_EQ(back.segment.end, eu.segment.end);
}

TEST_P(DelegationContract, WhatCannotBeDelegatedIsRefused) {
  EXPECT_EQ(refusal(*home_, *away_, {.from = "NONE", .to = "EU", .count = 10}), Code::not_found);
  EXPECT_EQ(refusal(*home_, *away_, {.from = "ORDER", .to = "a b", .count = 10}),
            Code::invalid_request);
  EXPECT_EQ(refusal(*home_, *away_, {.from = "ORDER", .to = "EU", .count = 0}),
            Code::invalid_request);
  EXPECT_EQ(refusal(*home_, *away_, {.from = "ORDER", .to = "EU"}), Code::invalid_request)
      << "more is left than may be moved at once";
  EXPECT_EQ(refusal(*home_, *home_, {.from = "ORDER", .to = "ORDER", .count = 10}),
            Code::already_exists);
  ASSERT_TRUE(away_->scopes().create({.name = "THERE"}));
  EXPECT_EQ(refusal(*home_, *away_, {.from = "ORDER", .to = "THERE", .count = 10}),
            Code::already_exists);
  ASSERT_TRUE(home_->scopes().create({.name = "SMALL", .max = 9}));
  EXPECT_EQ(refusal(*home_, *away_, {.from = "SMALL", .to = "EU", .count = 10}), Code::exhausted);
  EXPECT_EQ(home_->segments().find("ORDER")->draws, 0) << "and nothing was drawn";
}

}  // namespace tessera
