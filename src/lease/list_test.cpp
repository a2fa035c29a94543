// All pages of a list, one after the other; and an end, whatever the other side answers.

#include <gtest/gtest.h>

#include <functional>

#include "tessera/lease/store.h"

namespace tessera {
namespace {

// Answers a list as it is told to.
struct ListingStore final : LeaseStore {
  Result<Lease, Error> claim(const ClaimRequest&) override { return Failure{Error{}}; }
  Result<Reservation, Error> raise(const RaiseRequest&) override { return Failure{Error{}}; }
  Result<LeaseRecord, Error> release(const ReleaseRequest&) override { return Failure{Error{}}; }
  Result<LeasePage, Error> list(const LeaseListRequest& request) override {
    ++asked;
    return answer(request);
  }

  std::function<Result<LeasePage, Error>(const LeaseListRequest&)> answer;
  int asked = 0;
};

LeaseRecord number(std::uint32_t machine) {
  LeaseRecord record;
  record.scope = "S";
  record.machine = machine;
  return record;
}

TEST(LeaseList, FollowsThePagesToTheEnd) {
  ListingStore store;
  store.answer = [](const LeaseListRequest& request) -> Result<LeasePage, Error> {
    EXPECT_EQ(request.scope, "S");
    if (request.page_token.empty()) return LeasePage{{number(0), number(1)}, "more"};
    EXPECT_EQ(request.page_token, "more");
    return LeasePage{{number(2)}, ""};
  };
  const auto all = store.list_all("S");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 3U);
  EXPECT_EQ(store.asked, 2);
}

TEST(LeaseList, EndsWithAnErrorWhereThePagesGoInACircle) {
  ListingStore store;
  store.answer = [](const LeaseListRequest&) { return LeasePage{{number(1)}, "more"}; };
  EXPECT_EQ(store.list_all("").error().code, Error::Code::store_failed);
  store.answer = [](const LeaseListRequest&) { return LeasePage{{}, "more"}; };
  EXPECT_EQ(store.list_all("").error().code, Error::Code::store_failed);
  EXPECT_LE(store.asked, 3);
}

TEST(LeaseList, IsAnErrorAsSoonAsAPageIs) {
  ListingStore store;
  store.answer = [](const LeaseListRequest& request) -> Result<LeasePage, Error> {
    if (request.page_token.empty()) return LeasePage{{number(0)}, "more"};
    return Failure{Error{Error::Code::store_unavailable, "away", ""}};
  };
  EXPECT_EQ(store.list_all("").error().code, Error::Code::store_unavailable);
}

}  // namespace
}  // namespace tessera
