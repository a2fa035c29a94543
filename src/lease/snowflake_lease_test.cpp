// A holder makes IDs inside of what was reserved for it and nowhere else, in order, without a wrap;
// and stops before its lease ends.

#include "tessera/lease/snowflake_lease.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <thread>
#include <vector>

#include "support/fakes.h"
#include "support/soak.h"
#include "tessera/lease/memory_store.h"
#include "tessera/lease/rules.h"

namespace tessera {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using Kind = SnowflakeLease::Action::Kind;

constexpr std::uint64_t kNow = 1'800'000'000'000;
constexpr SnowflakeLayout kSmall{"small", kNow - 1'000'000, 1, 41, 2, 2, false};

Reservation reserved(std::uint64_t limit_ms, std::uint64_t now_ms, milliseconds ttl = 10s) {
  return {limit_ms, now_ms, ttl};
}

SnowflakeLeaseOptions options(milliseconds lead = 1s) {
  SnowflakeLeaseOptions made;
  made.scope = "S";
  made.terms = {10s, 3s, 0ms};
  made.lead_max = lead;
  return made;
}

TEST(SnowflakeLease, HasNothingBeforeItIsLeased) {
  SnowflakeLease lease(kSmall, options());
  EXPECT_EQ(lease.next(1s).error(), LeaseRefusal::no_lease);
  EXPECT_EQ(lease.poll(1s).kind, Kind::claim);
  const ClaimRequest request = lease.claim_request();
  EXPECT_EQ(request.scope, "S");
  EXPECT_EQ(request.layout, snowflake_layout_text(kSmall));
  EXPECT_EQ(request.machine_min, 0U);
  EXPECT_EQ(request.machine_max, 3U);
  EXPECT_FALSE(lease.close());
}

TEST(SnowflakeLease, MakesIdsOfTheTimeOfTheStore) {
  SnowflakeLease lease(kSmall, options());
  lease.claimed(1s, Lease{2, 7, 0, reserved(kNow + 3'000, kNow)}, 1s + 10ms);
  const auto first = lease.next(1s + 10ms);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->time_ms(kSmall), kNow);
  EXPECT_EQ(first->machine(kSmall), 2U);
  EXPECT_EQ(first->sequence(kSmall), 0U);
  EXPECT_EQ(lease.next(1s + 10ms)->sequence(kSmall), 1U);
  const auto later = lease.next(1s + 510ms);
  EXPECT_EQ(later->time_ms(kSmall), kNow + 500);
  EXPECT_EQ(later->sequence(kSmall), 0U);
}

TEST(SnowflakeLease, BeginsAtTheFloorWhateverTheTime) {
  SnowflakeLease lease(kSmall, options());
  lease.claimed(1s, Lease{2, 7, kNow + 700, reserved(kNow + 3'000, kNow)}, 1s);
  EXPECT_EQ(lease.next(1s)->time_ms(kSmall), kNow + 700);
}

TEST(SnowflakeLease, WaitsWhereTheFloorIsTooFarAhead) {
  SnowflakeLease lease(kSmall, options(100ms));
  lease.claimed(1s, Lease{2, 7, kNow + 700, reserved(kNow + 3'000, kNow)}, 1s);
  EXPECT_EQ(lease.next(1s).error(), LeaseRefusal::too_far_ahead);
  EXPECT_EQ(lease.next(1s + 599ms).error(), LeaseRefusal::too_far_ahead);
  EXPECT_EQ(lease.next(1s + 600ms)->time_ms(kSmall), kNow + 700);
}

TEST(SnowflakeLease, BorrowsFromTimeToComeUpToTheLead) {
  SnowflakeLease lease(kSmall, options(5ms));
  lease.claimed(1s, Lease{0, 1, 0, reserved(kNow + 3'000, kNow)}, 1s);
  std::uint64_t last = 0;
  for (int i = 0; i < 6 * 4; ++i) {  // this millisecond and five more, four IDs each
    const auto id = lease.next(1s);
    ASSERT_TRUE(id) << i;
    EXPECT_GT(id->value, last);
    EXPECT_EQ(id->time_ms(kSmall), kNow + static_cast<std::uint64_t>(i) / 4);
    last = id->value;
  }
  EXPECT_EQ(lease.next(1s).error(), LeaseRefusal::too_far_ahead);
  const auto id = lease.next(1s + 1ms);
  ASSERT_TRUE(id);
  EXPECT_EQ(id->time_ms(kSmall), kNow + 6);
}

TEST(SnowflakeLease, NeverReachesItsLimit) {
  for (const std::uint32_t unit : {1U, 10U, 7U, 1000U}) {
    SnowflakeLayout layout = kSmall;
    layout.unit_ms = unit;
    SnowflakeLease lease(layout, options(100s));
    const std::uint64_t limit = kNow + 3'333;
    lease.claimed(1s, Lease{0, 1, kNow - 555, reserved(limit, kNow)}, 1s);
    std::uint64_t count = 0;
    Snowflake first{};
    Snowflake last{};
    for (auto id = lease.next(1s); id; id = lease.next(1s)) {
      if (count++ == 0) first = *id;
      last = *id;
    }
    EXPECT_GT(count, 4U);
    EXPECT_GE(first.time_ms(layout), kNow - 555);
    EXPECT_LE(last.time_ms(layout) + unit, limit) << "all of the unit is before the limit";
    EXPECT_GT(last.time_ms(layout) + 2 * unit, limit) << "and none was wasted";
    EXPECT_EQ(last.sequence(layout), 3U);
  }
}

TEST(SnowflakeLease, ARaiseMovesTheLimitAndTheTime) {
  SnowflakeLease lease(kSmall, options(100s));
  lease.claimed(1s, Lease{0, 1, 0, reserved(kNow + 1, kNow)}, 1s);
  EXPECT_EQ(lease.take(1s, 100)->count, 4U);
  EXPECT_EQ(lease.next(1s).error(), LeaseRefusal::too_far_ahead);
  ASSERT_EQ(lease.poll(5s).kind, Kind::raise);
  EXPECT_EQ(lease.raise_request().token, 1);
  lease.raised(5s, reserved(kNow + 4'010, kNow + 4'000), 5s);
  const auto taken = lease.take(5s, 100);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->count, 40U);
  EXPECT_EQ(lease.id_of(*taken, 0).time_ms(kSmall), kNow + 4'000);
  EXPECT_EQ(lease.id_of(*taken, 39).time_ms(kSmall), kNow + 4'009);
  EXPECT_EQ(lease.id_of(*taken, 39).sequence(kSmall), 3U);
}

TEST(SnowflakeLease, StaysInOrderWhenTheStoreStepsBack) {
  SnowflakeLease lease(kSmall, options(1s));
  lease.claimed(1s, Lease{0, 1, 0, reserved(kNow + 9'000, kNow)}, 1s);
  const auto before = lease.next(1s);
  lease.raised(2s, reserved(kNow + 9'000, kNow - 500), 2s);
  const auto after = lease.next(2s);
  ASSERT_TRUE(after);
  EXPECT_GT(after->value, before->value);
  EXPECT_EQ(after->time_ms(kSmall), kNow);
  lease.raised(3s, reserved(kNow + 9'000, kNow - 100'000), 3s);
  EXPECT_EQ(lease.next(3s).error(), LeaseRefusal::too_far_ahead) << "further back than the lead";
}

TEST(SnowflakeLease, EndsBeforeTheStoreLetsItEnd) {
  SnowflakeLease lease(kSmall, options());  // the margin is a tenth: a second
  lease.claimed(1s, Lease{0, 1, 0, reserved(kNow + 60'000, kNow)}, 5s);
  EXPECT_TRUE(lease.next(9'999ms));
  EXPECT_EQ(lease.next(10s).error(), LeaseRefusal::no_lease)
      << "counted from the question, not from the answer";
  EXPECT_FALSE(lease.status(10s).held);
  EXPECT_EQ(lease.poll(10s).kind, Kind::raise) << "it may be ours still";
  lease.raised(10s, reserved(kNow + 60'000, kNow + 9'000), 11s);
  EXPECT_TRUE(lease.next(18'999ms));
  EXPECT_FALSE(lease.next(19s));
}

TEST(SnowflakeLease, WhatIsLostIsClaimedAnewAndOrderGoesOn) {
  SnowflakeLease lease(kSmall, options(100s));
  lease.claimed(1s, Lease{3, 1, 0, reserved(kNow + 9'000, kNow)}, 1s);
  const auto taken = lease.take(1s, 4'000);
  ASSERT_TRUE(taken);
  const Snowflake last = lease.id_of(*taken, taken->count - 1);
  lease.raised(2s, Failure{Error{Error::Code::lease_lost, "gone", ""}}, 2s);
  EXPECT_EQ(lease.next(2s).error(), LeaseRefusal::no_lease);
  EXPECT_EQ(lease.poll(2s).kind, Kind::claim);
  lease.claimed(2s, Lease{0, 1, 0, reserved(kNow + 9'000, kNow + 1'000)}, 2s);
  const auto next = lease.next(2s);
  ASSERT_TRUE(next);
  EXPECT_GT(next->value, last.value) << "a lower number, so a later time";
  EXPECT_EQ(next->time(kSmall), last.time(kSmall) + 1);
  EXPECT_EQ(lease.status(2s).losses, 1U);
}

TEST(SnowflakeLease, AnAnswerThatCannotBeTrueIsNotUsed) {
  SnowflakeLease lease(kSmall, options());
  for (const Lease& bad : {Lease{4, 1, 0, reserved(kNow + 9'000, kNow)},
                           Lease{0, 1, kNow + 9'001, reserved(kNow + 9'000, kNow)},
                           Lease{0, 1, 0, reserved(kNow + 9'000, ~std::uint64_t{0})}}) {
    lease.claimed(1s, bad, 1s);
    EXPECT_EQ(lease.next(1s).error(), LeaseRefusal::no_lease);
    EXPECT_EQ(lease.status(1s).error->code, Error::Code::store_failed);
  }
  lease.claimed(1s, Lease{0, 1, 0, reserved(kNow + 9'000, kNow)}, 1s);
  lease.raised(2s, reserved(kNow + 8'999, kNow), 2s);
  EXPECT_EQ(lease.status(2s).error->code, Error::Code::store_rewound) << "a limit never sinks";
  EXPECT_EQ(lease.next(2s).error(), LeaseRefusal::no_lease);
}

TEST(SnowflakeLease, AskAgainSoonButNotAtOnce) {
  SnowflakeLease lease(kSmall, options());
  lease.claimed(1s, Failure{Error{Error::Code::store_unavailable, "away", ""}}, 1s);
  auto last = lease.poll(1s).wake;
  EXPECT_GT(last, 1s);
  EXPECT_LE(last, 1s + 100ms);
  for (int i = 0; i < 20; ++i) {
    const auto now = last;
    lease.claimed(now, Failure{Error{Error::Code::none_free, "all held", ""}}, now);
    last = lease.poll(now).wake;
    EXPECT_GT(last, now);
    EXPECT_LE(last, now + 2s);
  }
  EXPECT_EQ(lease.status(last).failures, 21U);
}

TEST(SnowflakeLease, EndsWithItsTimeField) {
  SnowflakeLayout layout = kSmall;
  layout.time_bits = 20;  // 1,048,576 ms
  const std::uint64_t end = layout.time_ms_max() + 1;
  SnowflakeLease lease(layout, options(100s));
  lease.claimed(1s, Lease{0, 1, 0, reserved(end + 60'000, end - 2)}, 1s);
  const auto taken = lease.take(1s, 100);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->count, 8U);
  EXPECT_EQ(lease.id_of(*taken, 7).time(layout), layout.time_max());
  EXPECT_EQ(lease.next(1s).error(), LeaseRefusal::exhausted);
  EXPECT_EQ(lease.next(2s).error(), LeaseRefusal::exhausted);
  SnowflakeLease early(layout, options());
  early.claimed(1s, Lease{0, 1, 0, reserved(kNow, layout.epoch_ms - 1)}, 1s);
  EXPECT_EQ(early.next(1s).error(), LeaseRefusal::time_out_of_range);
  EXPECT_TRUE(early.next(1s + 1ms));
}

TEST(SnowflakeLease, ClosedIsClosed) {
  SnowflakeLease lease(kSmall, options());
  lease.claimed(1s, Lease{3, 9, 0, reserved(kNow + 9'000, kNow)}, 1s);
  ASSERT_TRUE(lease.next(1s));
  const auto release = lease.close();
  ASSERT_TRUE(release);
  EXPECT_EQ(release->machine, 3U);
  EXPECT_EQ(release->token, 9);
  EXPECT_EQ(lease.next(1s).error(), LeaseRefusal::no_lease);
  EXPECT_EQ(lease.poll(1h).kind, Kind::nothing);
  lease.claimed(2s, Lease{3, 10, 0, reserved(kNow + 9'000, kNow)}, 2s);
  EXPECT_FALSE(lease.next(2s));
}

TEST(SnowflakeLease, AChildHasNoRightToIt) {
  SnowflakeLease lease(kSmall, options());
  lease.claimed(1s, Lease{3, 9, 0, reserved(kNow + 9'000, kNow)}, 1s);
  ASSERT_TRUE(lease.next(1s));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto id = lease.next(1s);
    _exit(!id && id.error() == LeaseRefusal::forked ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(lease.next(1s));
}

TEST(SnowflakeLease, OptionsThatMakeNoSenseAreRefused) {
  const auto fault = [](auto change) {
    SnowflakeLayout layout = kSmall;
    SnowflakeLeaseOptions made = options();
    change(layout, made);
    return SnowflakeLease::fault_of(layout, made).has_value();
  };
  EXPECT_FALSE(fault([](auto&, auto&) {}));
  EXPECT_FALSE(fault([](auto&, auto& o) { o.machine_min = 3; }));
  EXPECT_FALSE(fault([](auto&, auto& o) { o.machine_max = 3; }));
  EXPECT_TRUE(fault([](auto& l, auto&) { l.sequence_bits = 0; }));
  EXPECT_TRUE(fault([](auto&, auto& o) { o.machine_min = 4; }));
  EXPECT_TRUE(fault([](auto&, auto& o) { o.machine_max = 4; }));
  EXPECT_TRUE(fault([](auto&, auto& o) { o.machine_min = 2, o.machine_max = 1; }));
  EXPECT_TRUE(fault([](auto&, auto& o) { o.scope = "a b"; }));
  EXPECT_TRUE(fault([](auto&, auto& o) { o.terms.ttl = 1ms; }));
  EXPECT_TRUE(fault([](auto&, auto& o) { o.lead_max = -1ms; }));
  EXPECT_TRUE(fault([](auto&, auto& o) { o.margin = 10s; }));
}

// Threads take while leases come and go. Each sees its own IDs increase, and no two are equal.
TEST(SnowflakeLease, ManyThreadsTakeWhileLeasesChange) {
  FakeClock clock(kNow);
  const auto store = make_memory_lease_store(clock);
  SnowflakeLeaseOptions made = options(100s);
  made.terms = {10s, 1h, 0ms};
  constexpr SnowflakeLayout kWide{"wide", kNow - 1'000'000, 1, 41, 10, 12, false};
  SnowflakeLease lease(kWide, made);
  std::atomic<bool> stop{false};
  std::vector<std::vector<std::uint64_t>> got(3);
  std::vector<std::thread> threads;
  for (auto& mine : got) {
    threads.emplace_back([&] {
      while (!stop && mine.size() < 50'000) {
        const auto taken = lease.take(1s, 1 + mine.size() % 5);
        if (!taken) {
          std::this_thread::yield();
          continue;
        }
        for (std::uint64_t i = 0; i < taken->count; ++i) {
          mine.push_back(lease.id_of(*taken, i).value);
        }
      }
    });
  }
  int changes = 0;
  const auto end = std::chrono::steady_clock::now() + soak_time();
  while (changes < 20 || std::chrono::steady_clock::now() < end) {
    lease.claimed(1s, store->claim(lease.claim_request()), 1s);
    std::this_thread::yield();
    lease.raised(1s, store->raise(lease.raise_request()), 1s);
    std::this_thread::sleep_for(1ms);
    lease.raised(1s, Failure{Error{Error::Code::lease_lost, "", ""}}, 1s);
    if (++changes >= 1'000) break;
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  std::vector<std::uint64_t> all;
  for (const auto& mine : got) {
    EXPECT_TRUE(std::ranges::is_sorted(mine));
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  EXPECT_GT(all.size(), 1'000U);
}

}  // namespace
}  // namespace tessera
