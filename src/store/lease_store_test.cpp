// Every store keeps the contract of leases.

#include <gtest/gtest.h>

#include <thread>

#include "support/lease_store_contract.h"
#include "support/store_places.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

LeasePlace store_place(StoreKind kind) {
  return {name_of(kind), [kind] {
            const StoreSpot spot = new_spot(kind);
            spot.init();
            return [spot]() -> std::shared_ptr<LeaseStore> {
              const std::shared_ptr<Store> store = spot.open();
              return store ? std::shared_ptr<LeaseStore>(store, &store->leases()) : nullptr;
            };
          }};
}

const auto kPlaces =
    testing::Values(store_place(StoreKind::sqlite), store_place(StoreKind::postgres),
                    store_place(StoreKind::mariadb), store_place(StoreKind::etcd));

INSTANTIATE_TEST_SUITE_P(Stores, LeaseStoreContract, kPlaces, lease_contract_name);
INSTANTIATE_TEST_SUITE_P(Stores, DurableLeaseContract, kPlaces, lease_contract_name);

}  // namespace
}  // namespace tessera
