// The store in memory keeps the contract of all stores; and, with a clock that can be set, what
// takes too long to wait for elsewhere.

#include "tessera/lease/memory_store.h"

#include <gtest/gtest.h>

#include <thread>

#include "support/fakes.h"
#include "support/lease_store_contract.h"
#include "tessera/system.h"

namespace tessera {
namespace {

LeasePlace memory_place() {
  return {"memory", [] {
            auto opened = std::make_shared<bool>(false);
            return [opened]() -> std::shared_ptr<LeaseStore> {
              if (std::exchange(*opened, true)) return nullptr;  // there is only one of it
              static SystemClock clock;
              return make_memory_lease_store(clock);
            };
          }};
}

INSTANTIATE_TEST_SUITE_P(Memory, LeaseStoreContract, testing::Values(memory_place()),
                         lease_contract_name);

using std::chrono::milliseconds;
constexpr std::uint64_t kNow = 1'800'000'000'000;
constexpr LeaseTerms kTerms{milliseconds(10'000), milliseconds(3'000), milliseconds(2'000)};

struct LeaseClock : testing::Test {
  Result<Lease, Error> claim() { return store->claim({"S", "layout", 0, 0, "h", kTerms}); }
  Result<Reservation, Error> raise(std::int64_t token) {
    return store->raise({"S", 0, token, kTerms});
  }
  FakeClock clock{kNow};
  std::unique_ptr<LeaseStore> store = make_memory_lease_store(clock);
};

TEST_F(LeaseClock, EndsAtTheMillisecond) {
  const auto lease = claim();
  ASSERT_TRUE(lease);
  clock.time_ms = kNow + 9'999;
  EXPECT_EQ(store->list_all("S")->at(0).state, LeaseRecord::State::held);
  ASSERT_TRUE(raise(lease->token));
  clock.time_ms = kNow + 19'998;
  ASSERT_TRUE(raise(lease->token));
  clock.time_ms = kNow + 29'998;
  EXPECT_EQ(raise(lease->token).error().code, Error::Code::lease_lost);
  EXPECT_EQ(store->list_all("S")->at(0).state, LeaseRecord::State::resting);
  clock.time_ms = kNow + 31'997;
  EXPECT_EQ(claim().error().code, Error::Code::none_free);
  EXPECT_EQ(store->list_all("S")->at(0).free_ms, kNow + 31'998);
  clock.time_ms = kNow + 31'998;
  EXPECT_EQ(store->list_all("S")->at(0).state, LeaseRecord::State::free);
  const auto next = claim();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->floor_ms, kNow + 19'998 + 3'000);
  EXPECT_EQ(next->reservation.ts_limit_ms, kNow + 31'998 + 3'000);
}

// The clock of the store may be wrong for a while, or for ever: the limit keeps what it has said.
TEST_F(LeaseClock, AStepBackOfTheStoreFreesNothing) {
  const auto lease = claim();
  clock.time_ms = kNow - 3'600'000;
  EXPECT_EQ(claim().error().code, Error::Code::none_free);
  const auto raised = raise(lease->token);
  ASSERT_TRUE(raised);
  EXPECT_EQ(raised->ts_limit_ms, kNow + 3'000);
  EXPECT_EQ(raised->now_ms, kNow - 3'600'000);
  clock.time_ms = kNow + 10'000;
  EXPECT_EQ(raise(lease->token).error().code, Error::Code::lease_lost);
}

TEST_F(LeaseClock, AStepForwardEndsLeasesButNotWhatTheyReserved) {
  const auto lease = claim();
  clock.time_ms = kNow + 3'600'000;
  const auto next = claim();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->floor_ms, lease->reservation.ts_limit_ms);
  EXPECT_EQ(raise(lease->token).error().code, Error::Code::lease_lost);
  clock.time_ms = kNow;  // it was wrong
  const auto raised = raise(next->token);
  ASSERT_TRUE(raised);
  EXPECT_EQ(raised->ts_limit_ms, kNow + 3'600'000 + 3'000);
}

}  // namespace
}  // namespace tessera
