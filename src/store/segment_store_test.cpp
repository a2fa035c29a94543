// Every store keeps the contract, with its own statements and with the portable ones.

#include <gtest/gtest.h>

#include <thread>

#include "support/segment_store_contract.h"
#include "support/store_places.h"
#include "tessera/store/store.h"

namespace tessera {
namespace {

StorePlace sql_place(StoreKind kind, bool portable) {
  return {name_of(kind) + (portable ? "_portable" : ""), [kind, portable] {
            StoreSpot spot = new_spot(kind);
            spot.options.portable_statements = portable;
            spot.init();
            return [spot] { return spot.open(); };
          }};
}

StorePlace memory_place() {
  return {"memory", [] {
            auto opened = std::make_shared<bool>(false);
            return [opened]() -> std::unique_ptr<Store> {
              if (std::exchange(*opened, true)) return nullptr;  // there is only one of it
              return std::move(*open_store("memory:"));
            };
          }};
}

StorePlace etcd_place() {
  return {"etcd", [] {
            StoreSpot spot = new_spot(StoreKind::etcd);
            spot.init();
            return [spot] { return spot.open(); };
          }};
}

const auto kSqlPlaces =
    testing::Values(sql_place(StoreKind::sqlite, false), sql_place(StoreKind::sqlite, true),
                    sql_place(StoreKind::postgres, false), sql_place(StoreKind::postgres, true),
                    sql_place(StoreKind::mariadb, false), sql_place(StoreKind::mariadb, true));

INSTANTIATE_TEST_SUITE_P(Memory, SegmentStoreContract, testing::Values(memory_place()),
                         contract_name);
INSTANTIATE_TEST_SUITE_P(Sql, SegmentStoreContract, kSqlPlaces, contract_name);
INSTANTIATE_TEST_SUITE_P(Sql, DurableStoreContract, kSqlPlaces, contract_name);

INSTANTIATE_TEST_SUITE_P(Etcd, SegmentStoreContract, testing::Values(etcd_place()), contract_name);
INSTANTIATE_TEST_SUITE_P(Etcd, DurableStoreContract, testing::Values(etcd_place()), contract_name);

}  // namespace
}  // namespace tessera
