#pragma once

// What every store tells of itself: counts, and rows as they stand. A part of
// registry_store_contract.h.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/registry_store_contract.h"
#include "tessera/registry/verify.h"

namespace tessera {

struct CatalogueRanges final : RangeLog {
  ScopeCatalogue& scopes;

  explicit CatalogueRanges(ScopeCatalogue& of) : scopes(of) {}
  Result<std::optional<KeyRange>, Error> range_of(std::string_view scope,
                                                  std::int64_t key) override {
    const auto found = scopes.range_of(scope, key);
    if (!found) return Failure{found.error()};
    if (!*found) return std::optional<KeyRange>();
    return std::optional(KeyRange{static_cast<std::int64_t>((*found)->segment.first),
                                  static_cast<std::int64_t>((*found)->segment.end) - 1});
  }
};

class RegistryAuditContract : public RegistryStoreContract {
 protected:
  RegistryStats stats(std::string_view name) {
    const auto counted = registry_->stats(type(name));
    EXPECT_TRUE(counted) << counted.error().message;
    return counted ? *counted : RegistryStats{};
  }
  std::vector<StoredRow> rows(std::string_view name, std::int64_t first_key = INT64_MIN,
                              std::size_t count_max = 100) {
    auto list = registry_->rows(type(name), first_key, count_max);
    EXPECT_TRUE(list) << list.error().message;
    return list ? *std::move(list) : std::vector<StoredRow>{};
  }
};

TEST_P(RegistryAuditContract, CountsWhatThereIsOfAType) {
  EXPECT_EQ(stats("store"), RegistryStats{});
  const auto store = create("store");
  create("store", {}, "zeta");
  create("shelf", {store.body});
  EXPECT_EQ(stats("store"), (RegistryStats{.live = 2}));
  EXPECT_EQ(stats("shelf"), (RegistryStats{.live = 1}));
  retire("store", store.body);
  EXPECT_EQ(stats("store"), (RegistryStats{.live = 1, .ended = 1, .work = 1}));
  EXPECT_EQ(stats("shelf"), (RegistryStats{.live = 1})) << "not swept yet";
  sweep_all();
  EXPECT_EQ(stats("store"), (RegistryStats{.live = 1, .ended = 1}));
  EXPECT_EQ(stats("shelf"), (RegistryStats{.ended = 1}));

  const auto note = create("note");
  retire("note", note.body);
  EXPECT_EQ(stats("note"), (RegistryStats{.deleted = 1}));
  EXPECT_EQ(stats("note").rows(), 1U);

  const auto person = create("person");
  create("person");
  retire("person", person.body);
  EXPECT_EQ(stats("person"), (RegistryStats{.live = 1, .ended = 1, .work = 1}));
  sweep_all();
  EXPECT_EQ(stats("person"), (RegistryStats{.live = 1, .erased = 1}));
  EXPECT_EQ(stats("letter"), RegistryStats{});

  const auto ticket = entry(type("ticket"));
  auto asked = request(type("ticket"), std::span(&ticket, 1));
  asked.idempotency_key = "key";
  ASSERT_TRUE(registry_->create(asked));
  EXPECT_EQ(stats("ticket"), (RegistryStats{.live = 1, .keys = 1}));
  EXPECT_EQ(stats("store").keys, 0U) << "a key is of a type";
}

TEST_P(RegistryAuditContract, ShowsRowsOfAllTenantsAsTheyStand) {
  const auto store = create("store");
  const auto shelf = create("shelf", {store.body}, "acme");
  const auto product = create("product", {shelf.body, store.body});
  const auto ticket = create("ticket", {}, "zeta");
  const auto ended = retire("product", product.body);

  const auto stores = rows("store");
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_EQ(stores[0].key, store.key);
  EXPECT_EQ(stores[0].tenant, "acme");
  EXPECT_EQ(stores[0].id, type("store").stored_text_of(store.body));
  EXPECT_EQ(stores[0].state, 0);
  EXPECT_EQ(stores[0].created_ms, static_cast<std::int64_t>(find("store", store.body).created_ms));
  EXPECT_FALSE(stores[0].deleted_ms || stores[0].parent);

  const auto shelves = rows("shelf");
  ASSERT_EQ(shelves.size(), 1U);
  EXPECT_EQ(shelves[0].id, std::string(shelf.body.begin(), shelf.body.end())) << "bytes";
  EXPECT_EQ(shelves[0].parent, store.key);

  const auto products = rows("product");
  ASSERT_EQ(products.size(), 1U);
  EXPECT_EQ(products[0].state, 2);
  EXPECT_EQ(products[0].deleted_ms, static_cast<std::int64_t>(*ended.deleted_ms));
  EXPECT_EQ(products[0].parent, shelf.key);

  const auto tickets = rows("ticket");
  ASSERT_EQ(tickets.size(), 1U);
  EXPECT_EQ(tickets[0].tenant, "zeta");
  EXPECT_EQ(tickets[0].id, "");
  EXPECT_EQ(tickets[0].number, static_cast<std::int64_t>(detail::load_pair(ticket.body).lo));
}

TEST_P(RegistryAuditContract, GoesThroughAllRowsByKeyPageByPage) {
  std::vector<std::int64_t> keys;
  for (int i = 0; i < 23; ++i) {
    keys.push_back(create("store", {}, i % 2 == 0 ? "acme" : "zeta").key);
  }
  std::vector<std::int64_t> seen;
  std::int64_t next = INT64_MIN;
  while (true) {
    const auto page = rows("store", next, 5);
    for (const auto& row : page) seen.push_back(row.key);
    if (page.size() < 5) break;
    next = page.back().key + 1;
  }
  EXPECT_EQ(seen, keys);
  EXPECT_TRUE(rows("store", INT64_MAX).empty());
}

TEST_P(RegistryAuditContract, IsProvenByItsRangesAndRowsUntilSomethingIsWrong) {
  ASSERT_TRUE(store_->scopes().create({.name = "S", .min = last_key_ + 1}));
  for (const std::uint64_t count : {7U, 93U}) {
    const auto drawn = store_->segments().draw({.scope = "S", .count = count});
    ASSERT_TRUE(drawn) << drawn.error().message;
  }
  std::vector<NewEntry> people;
  for (int i = 0; i < 12; ++i) {
    const auto store = create("store", {}, i % 2 == 0 ? "acme" : "zeta");
    create("shelf", {store.body}, i % 2 == 0 ? "acme" : "zeta");
    create("ticket");
    people.push_back(create("person"));
  }
  for (int i = 0; i < 9; ++i) retire("person", people[static_cast<std::size_t>(i)].body);
  sweep_all();
  CatalogueRanges log(store_->scopes());
  VerifyOptions options;
  options.page_size = 5;
  options.ids_max = 4;
  const auto good = verify_registry(types_, *registry_, log, options);
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(good->fault_count, 0U);
  EXPECT_EQ(good->rows, 39U);
  EXPECT_EQ(good->ranges, 2U);
  EXPECT_EQ(good->tombstones, 9U);

  const auto same = entry(type("ticket"));
  const NewEntry twin{++last_key_, same.body};
  ASSERT_TRUE(registry_->create(request(type("ticket"), std::span(&same, 1), {}, "acme")));
  ASSERT_TRUE(registry_->create(request(type("ticket"), std::span(&twin, 1), {}, "zeta")));
  last_key_ = 5000;
  create("note");
  const auto bad = verify_registry(types_, *registry_, log, options);
  ASSERT_TRUE(bad) << bad.error().message;
  ASSERT_EQ(bad->fault_count, 2U);
  EXPECT_EQ(name_of(bad->faults[0].code), "key_never_drawn");
  EXPECT_EQ(bad->faults[0].row.key, 5001);
  EXPECT_EQ(name_of(bad->faults[1].code), "id_issued_twice");
  EXPECT_EQ(bad->faults[1].row.key, twin.key);
}

}  // namespace tessera
