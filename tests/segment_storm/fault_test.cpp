// What happens when the line to the store fails, at a moment that a server cannot be killed at: the
// reply is lost after the commit, cut in the middle, late, or never comes. Whoever asked learns
// that the outcome is unknown, the range is burned, a key finds it, and the cache hides what it
// can.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/fault_proxy.h"
#include "support/servers.h"
#include "tessera/segment/allocator.h"
#include "tessera/segment/refiller.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using Code = Error::Code;
using servers::Server;

constexpr auto kLong = 20s;  // for what must happen, on a busy machine

struct Place {
  Server::Kind kind;
  bool portable;
};

class FaultTest : public testing::TestWithParam<Place> {
 protected:
  FaultTest()
      : server_(GetParam().kind == Server::Kind::postgres ? servers::postgres()
                                                          : servers::mariadb()),
        proxy_(server_.port()) {}

  void SetUp() override {
    const std::string url = server_.fresh_database();
    OpenOptions options;
    options.portable_statements = GetParam().portable;
    ASSERT_TRUE(init_store(url, options));
    auto direct = open_store(url, options);
    ASSERT_TRUE(direct) << direct.error().message;
    direct_ = std::move(*direct);
    Scope scope;
    scope.name = "ORDER";
    scope.step = 100;
    ASSERT_TRUE(direct_->scopes().create(scope));
    options.connections_max = 1;
    auto store = open_store(proxy_.url(url), options);
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
    ASSERT_TRUE(draw(10));  // connected, and its statements prepared
  }

  Result<Draw, Error> draw(std::uint64_t count, std::string_view key = {},
                           std::chrono::milliseconds timeout = 10s) {
    return store_->segments().draw({"ORDER", count, "test", key, timeout});
  }

  ScopeState state() const {
    const auto found = direct_->segments().find("ORDER");
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : ScopeState{};
  }

  // The next reply is lost after the commit, and never before.
  void lose_next_reply() {
    proxy_.cut_before_reply([this, draws = state().draws] { return state().draws > draws; });
  }

  Server& server_;
  FaultProxy proxy_;
  std::unique_ptr<Store> direct_;
  std::unique_ptr<Store> store_;
};

// In steps, each statement has a reply of its own: COMMIT is not sent after one that is lost.
class LostReplyTest : public FaultTest {};

TEST_P(LostReplyTest, ALostReplyIsAnUnknownOutcomeAndTheRangeIsBurned) {
  lose_next_reply();
  const auto lost = draw(10);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::outcome_unknown) << lost.error().message;
  EXPECT_EQ(proxy_.cuts_made(), 1U);
  EXPECT_EQ(state().high_water, 20) << "it was reserved";
  const auto next = draw(10);
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(next->segment, (Segment{21, 31}));
}

TEST_P(LostReplyTest, AKeyFindsTheRangeOfALostReply) {
  lose_next_reply();
  const auto lost = draw(10, "invoice 7");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::outcome_unknown) << lost.error().message;
  for (int i = 0; i < 3; ++i) {
    const auto found = draw(10, "invoice 7");
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->segment, (Segment{11, 21}));
    EXPECT_TRUE(found->repeated);
  }
  EXPECT_EQ(draw(10)->segment, (Segment{21, 31}));
}

TEST_P(LostReplyTest, TheAllocatorBurnsWhatItCannotKnowAndGoesOn) {
  SystemMonotonicClock clock;
  Refiller refiller(clock, 1);
  Scope scope;
  scope.name = "ORDER";
  scope.step = 100;
  SegmentAllocator allocator(scope, store_->segments(), refiller, clock);
  ASSERT_TRUE(allocator.next(kLong));
  lose_next_reply();
  std::int64_t last = 0;
  for (int i = 0; i < 5000; ++i) {
    const auto next = allocator.next(kLong);
    ASSERT_TRUE(next) << next.error().message;
    ASSERT_GT(*next, last);
    last = *next;
  }
  EXPECT_EQ(proxy_.cuts_made(), 1U);
  EXPECT_GT(allocator.status().unknown, 0U);
  // All that the store has reserved was drawn by us, or lost, or the ten of the beginning; as soon
  // as no draw is under way.
  const auto adds_up = [&] {
    const auto status = allocator.status();
    EXPECT_EQ(status.drawn, status.issued + status.abandoned + status.cached);
    return static_cast<std::uint64_t>(state().high_water) == status.drawn + status.unknown + 10;
  };
  const auto deadline = steady_clock::now() + kLong;
  bool added_up = adds_up();
  while (!added_up && steady_clock::now() < deadline) {
    std::this_thread::sleep_for(10ms);
    added_up = adds_up();
  }
  EXPECT_TRUE(added_up);
}

TEST_P(FaultTest, AReplyCutAtAnyByteGivesNoNumberTwice) {
  std::uint64_t end = 11;
  int lost_count = 0;
  std::size_t size = 0;
  // Until two replies have passed uncut: then every byte of one was the last.
  for (int whole = 0; whole < 2 && size < 2'000; size += size < 64 ? 1 : 7) {
    proxy_.cut_after(size);
    const auto drawn = draw(10);
    proxy_.heal();
    if (drawn) {
      ++whole;
      ASSERT_GE(drawn->segment.first, end) << size;
      end = drawn->segment.end;
    } else {
      ++lost_count;
      ASSERT_TRUE(drawn.error().code == Code::outcome_unknown ||
                  drawn.error().code == Code::store_unavailable)
          << drawn.error().message;
    }
    const auto next = draw(1);  // makes a new connection, and warms it up
    ASSERT_TRUE(next) << size << ": " << next.error().message;
    ASSERT_GE(next->segment.first, end) << size;
    end = next->segment.end;
  }
  EXPECT_GT(lost_count, 8);
  EXPECT_LT(size, 2'000U);
  EXPECT_EQ(direct_->scopes().ranges("ORDER", SIZE_MAX)->size(),
            static_cast<std::size_t>(state().draws));
}

TEST_P(FaultTest, AKeyHappensOnceWhereverItsReplyWasCut) {
  const std::int64_t before = state().draws;
  int keys = 0;
  for (std::size_t size = 0; size < 500; size += size < 16 ? 1 : 13, ++keys) {
    const std::string key = "key " + std::to_string(size);
    proxy_.cut_after(size);
    const auto first = draw(10, key);
    proxy_.heal();
    const auto again = draw(10, key);
    ASSERT_TRUE(again) << size << ": " << again.error().message;
    if (first) {
      EXPECT_EQ(again->segment, first->segment) << size;
    }
    // Whatever became of the first, there is one range for the key, and nothing beside it.
    EXPECT_EQ(state().draws, before + keys + 1) << size;
    EXPECT_EQ(state().high_water, 10 + 10 * (keys + 1)) << size;
  }
}

TEST_P(FaultTest, ASlowStoreStallsNobodyWhileTheCacheLasts) {
  SystemMonotonicClock clock;
  Refiller refiller(clock, 1);
  Scope scope;
  scope.name = "ORDER";
  AllocatorOptions options;
  options.draw_timeout = kLong;
  SegmentAllocator allocator(scope, store_->segments(), refiller, clock, nullptr, options);
  ASSERT_TRUE(allocator.next_range(10'000, kLong));
  const auto full = steady_clock::now() + kLong;
  while (allocator.status().cached < 1'000 && steady_clock::now() < full) {
    std::this_thread::sleep_for(1ms);
  }
  const std::uint64_t cached = allocator.status().cached;
  ASSERT_GE(cached, 1'000U);
  proxy_.delay(700ms);
  for (std::uint64_t i = 0; i < cached; ++i) {
    ASSERT_TRUE(allocator.next(0ms)) << "call " << i << " would have had to wait";
  }
  // And with the cache gone it waits, no longer than it says, and then gets what was drawn.
  const auto next = allocator.next(kLong);
  EXPECT_TRUE(next) << next.error().message;
}

TEST_P(FaultTest, ResetsAreRecoveredFrom) {
  for (int i = 0; i < 20; ++i) {
    const std::size_t before = proxy_.connections_made();
    proxy_.reset();
    // A connection at rest notices; nothing was under way, so nothing is unknown.
    const auto drawn = draw(1);
    ASSERT_TRUE(drawn) << drawn.error().message;
    EXPECT_EQ(drawn->segment.first, 11U + static_cast<std::uint64_t>(i)) << "no gap";
    EXPECT_EQ(proxy_.connections_made(), before + 1);
  }
}

TEST_P(FaultTest, ResetsUnderLoadGiveNoNumberTwice) {
  SystemMonotonicClock clock;
  Refiller refiller(clock, 1);
  Scope scope;
  scope.name = "ORDER";
  scope.step = 10;
  AllocatorOptions options;
  options.refill = {
      .slow_average = 50ms, .fast_average = 10ms, .outage_horizon = 5ms, .burst_horizon = 5ms};
  SegmentAllocator allocator(scope, store_->segments(), refiller, clock, nullptr, options);
  constexpr std::size_t kEnough = 100;
  std::atomic<bool> over{false};
  std::atomic<std::size_t> count{0};
  std::vector<std::vector<std::int64_t>> taken(3);
  std::vector<std::thread> threads;
  for (auto& mine : taken) {
    threads.emplace_back([&] {
      while (!over) {
        const auto next = allocator.next(kLong);
        if (!next) {
          ADD_FAILURE() << next.error().message;
          return;
        }
        mine.push_back(*next);
        ++count;
        if (*next % 8 == 0) std::this_thread::sleep_for(100us);
      }
    });
  }
  // A slow machine gets longer pauses, or no draw would ever get through.
  auto pause = 25ms;
  for (int i = 0; i < 40 || (count <= kEnough && i < 100); ++i) {
    std::this_thread::sleep_for(pause);
    if (i >= 40) pause += 5ms;
    proxy_.reset();
  }
  over = true;
  for (auto& thread : threads) thread.join();
  std::vector<std::int64_t> all;
  for (const auto& mine : taken) {
    EXPECT_TRUE(std::ranges::is_sorted(mine));
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::ranges::sort(all);
  EXPECT_GT(all.size(), kEnough);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  EXPECT_GT(proxy_.connections_made(), 5U);
}

TEST_P(FaultTest, SilenceEndsAtTheTimeoutAndIsForgottenAfterwards) {
  proxy_.freeze();
  const auto start = steady_clock::now();
  const auto lost = draw(10, {}, 300ms);
  EXPECT_LT(steady_clock::now() - start, 5s);
  ASSERT_FALSE(lost);
  // In steps, BEGIN was the one that got no answer: nothing can have been done.
  EXPECT_EQ(lost.error().code,
            GetParam().portable ? Code::store_unavailable : Code::outcome_unknown)
      << lost.error().message;
  proxy_.heal();
  const auto next = draw(10);
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_GE(next->segment.first, 11U);
}

std::string name_of_place(const testing::TestParamInfo<Place>& of) {
  return std::string(of.param.kind == Server::Kind::postgres ? "postgres" : "mariadb") +
         (of.param.portable ? "_portable" : "");
}

INSTANTIATE_TEST_SUITE_P(Servers, FaultTest,
                         testing::Values(Place{Server::Kind::postgres, false},
                                         Place{Server::Kind::postgres, true},
                                         Place{Server::Kind::mariadb, false},
                                         Place{Server::Kind::mariadb, true}),
                         name_of_place);
INSTANTIATE_TEST_SUITE_P(Servers, LostReplyTest,
                         testing::Values(Place{Server::Kind::postgres, false},
                                         Place{Server::Kind::mariadb, false}),
                         name_of_place);

}  // namespace
}  // namespace tessera
