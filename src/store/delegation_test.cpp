// A range of a scope becomes a scope: within every store, and from one to another.

#include <gtest/gtest.h>

#include "support/delegation_contract.h"
#include "support/store_places.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

std::shared_ptr<SegmentPorts> fresh(StoreKind kind) {
  // The folder goes when the store does.
  struct Kept {
    StoreSpot spot;
    std::unique_ptr<Store> store;
  };
  const StoreSpot spot = new_spot(kind);
  spot.init();
  auto kept = std::make_shared<Kept>(Kept{spot, spot.open()});
  return {kept, kept->store.get()};
}

DelegationPlace within(StoreKind kind) {
  return {name_of(kind), [kind] {
            const auto store = fresh(kind);
            return std::pair(store, store);
          }};
}

DelegationPlace between(StoreKind from, StoreKind to) {
  return {name_of(from) + "_to_" + name_of(to),
          [from, to] { return std::pair(fresh(from), fresh(to)); }};
}

INSTANTIATE_TEST_SUITE_P(Stores, DelegationContract,
                         testing::Values(within(StoreKind::sqlite), within(StoreKind::postgres),
                                         within(StoreKind::mariadb), within(StoreKind::etcd),
                                         between(StoreKind::etcd, StoreKind::sqlite)),
                         delegation_name);

}  // namespace
}  // namespace tessera
