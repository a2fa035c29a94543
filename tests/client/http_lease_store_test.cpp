// The machine numbers of another Tessera keep the contract of every store, also when that one asks
// a third; and what is lost on the way is never used.

#include "tessera/client/http_lease_store.h"

#include <gtest/gtest.h>

#include <memory>

#include "support/fault_proxy.h"
#include "support/lease_store_contract.h"
#include "support/served_tessera.h"
#include "support/store_places.h"

namespace tessera {
namespace {

using std::chrono::milliseconds;
using Code = Error::Code;

constexpr milliseconds kPatience{60'000};  // with a busy machine
constexpr std::string_view kLayout = "1288834974657/1/t41.m10.s12";

std::shared_ptr<LeaseStore> leases_at(const std::string& url) {
  auto client = HttpClient::open(url, {.timeout = kPatience});
  EXPECT_TRUE(client) << client.error().message;
  return std::make_shared<HttpLeaseStore>(*std::move(client));
}

std::shared_ptr<Store> memory() { return std::move(*open_store("memory:")); }

// The folder goes when the store does.
std::shared_ptr<Store> sqlite() {
  const StoreSpot spot = new_spot(StoreKind::sqlite);
  spot.init();
  struct Kept {
    StoreSpot spot;
    std::unique_ptr<Store> store;
  };
  auto kept = std::make_shared<Kept>(Kept{spot, spot.open()});
  return {kept, kept->store.get()};
}

LeasePlace served_place(const std::string& name,
                        const std::function<std::shared_ptr<Store>()>& make) {
  return {name, [make] {
            const auto served = std::make_shared<ServedTessera>(make());
            return [served] { return leases_at(served->url()); };
          }};
}

LeasePlace chained_place() {
  return {"chained", [] {
            const auto inner = std::make_shared<ServedTessera>(memory());
            const auto outer = std::make_shared<ServedTessera>(memory_store(), service::TlsFiles{},
                                                               leases_at(inner->url()));
            return [inner, outer] { return leases_at(outer->url()); };
          }};
}

const auto kPlaces = testing::Values(served_place("memory", memory), served_place("sqlite", sqlite),
                                     chained_place());

INSTANTIATE_TEST_SUITE_P(Http, LeaseStoreContract, kPlaces, lease_contract_name);
INSTANTIATE_TEST_SUITE_P(Http, DurableLeaseContract, kPlaces, lease_contract_name);

class HttpLeaseStoreFaults : public testing::Test {
 protected:
  Result<Lease, Error> claim(milliseconds timeout = kPatience) {
    return leases_->claim(
        {.scope = "ORDER", .layout = kLayout, .machine_max = 9, .timeout = timeout});
  }
  std::size_t claimed() { return store_->leases().list_all("ORDER")->size(); }

  std::shared_ptr<Store> store_ = memory();
  ServedTessera served_{store_};
  FaultProxy proxy_{served_.port()};
  std::shared_ptr<LeaseStore> leases_ = leases_at(proxy_.url(served_.url()));
};

// A claim whose answer was lost is not sent again: its number waits for its end.
TEST_F(HttpLeaseStoreFaults, AClaimWhoseAnswerIsLostIsUnknownAndNobodys) {
  proxy_.cut_before_reply([this] { return claimed() == 1; });
  const auto lost = claim();
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::outcome_unknown) << lost.error().message;
  EXPECT_EQ(claimed(), 1U);
  const auto lease = claim();
  ASSERT_TRUE(lease) << lease.error().message;
  EXPECT_EQ(lease->machine, 1U);
}

TEST_F(HttpLeaseStoreFaults, ARaiseWhoseAnswerIsLostIsAskedForAgain) {
  const auto lease = claim();
  ASSERT_TRUE(lease) << lease.error().message;
  const auto limit = [this] { return store_->leases().list_all("ORDER")->front().ts_limit_ms; };
  const std::uint64_t before = limit();
  proxy_.cut_before_reply([&] { return limit() > before; });
  const auto raised = leases_->raise({.scope = "ORDER",
                                      .machine = lease->machine,
                                      .token = lease->token,
                                      .terms = {.reserve = milliseconds(600'000)},
                                      .timeout = kPatience});
  ASSERT_TRUE(raised) << raised.error().message;
  EXPECT_EQ(proxy_.cuts_made(), 1U);
  EXPECT_EQ(raised->ts_limit_ms, limit());
}

TEST_F(HttpLeaseStoreFaults, AReleaseWhoseAnswerIsLostIsUnknown) {
  const auto lease = claim();
  ASSERT_TRUE(lease) << lease.error().message;
  proxy_.cut_before_reply([this] {
    return store_->leases().list_all("ORDER")->front().state != LeaseRecord::State::held;
  });
  const auto lost = leases_->release({"ORDER", lease->machine, lease->token, kPatience});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::outcome_unknown) << lost.error().message;
}

TEST_F(HttpLeaseStoreFaults, ATokenWithoutTheAbilityGetsNone) {
  service::Abilities others = service::Abilities::all();
  service::Abilities none;
  none.add(service::Ability::segments);
  const std::string text = served_.ask_for_token({.tenants = {"*"}, .abilities = none});
  auto client = HttpClient::open(served_.url(), {.token = text, .timeout = kPatience});
  ASSERT_TRUE(client);
  HttpLeaseStore leases(*std::move(client));
  EXPECT_FALSE(leases.list_all(""));
  const std::string good = served_.ask_for_token({.tenants = {"*"}, .abilities = others});
  auto allowed = HttpClient::open(served_.url(), {.token = good, .timeout = kPatience});
  ASSERT_TRUE(allowed);
  EXPECT_TRUE(HttpLeaseStore(*std::move(allowed)).list_all(""));
}

}  // namespace
}  // namespace tessera
