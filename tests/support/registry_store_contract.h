#pragma once

// What every store of a registry must keep.
//
//   INSTANTIATE_TEST_SUITE_P(Mine, RegistryStoreContract, testing::Values(place), registry_name);
//   INSTANTIATE_TEST_SUITE_P(Mine, DurableRegistryContract, testing::Values(place), registry_name);
//
// A place makes the tables for some types and opens the store. The second suite is for those that
// outlive their object, and that several may open at once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/soak.h"
#include "tessera/registry/store.h"
#include "tessera/store/store.h"
#include "tessera/system.h"
#include "tessera/ulid.h"

namespace tessera {

struct RegistryPlace {
  std::string name;
  // Makes the tables; then a function that opens one store, always the same, empty at first.
  std::function<std::function<std::unique_ptr<Store>()>(const RegistryTypes&)> fresh;
};

inline std::string registry_name(const testing::TestParamInfo<RegistryPlace>& of) {
  return of.param.name;
}
inline void PrintTo(const RegistryPlace& place, std::ostream* out) { *out << place.name; }

// A chain of three in all forms, and what else may be declared.
inline RegistryTypes contract_types(std::chrono::milliseconds undelete = std::chrono::hours(1)) {
  using Storage = RegistryType::Storage;
  using Tombstone = RegistryType::Tombstone;
  TypeTable table;
  for (const auto& [name, prefix, style] : {std::tuple{"store", "st", PublicStyle::ulid},
                                            {"shelf", "shf", PublicStyle::checked},
                                            {"product", "prd", PublicStyle::type_id},
                                            {"person", "per", PublicStyle::ulid},
                                            {"letter", "let", PublicStyle::base36},
                                            {"ticket", "tck", PublicStyle::ulid},
                                            {"note", "nt", PublicStyle::ulid}}) {
    EXPECT_TRUE(table.add({name, prefix, style}));
  }
  const std::chrono::milliseconds at_once(0);
  auto types = RegistryTypes::make(
      table, {{.name = "store", .collection = "stores", .scope = "S"},
              {.name = "shelf",
               .collection = "shelves",
               .scope = "S",
               .parent = "store",
               .storage = Storage::bytes},
              {.name = "product", .collection = "products", .scope = "S", .parent = "shelf"},
              {.name = "person",
               .collection = "people",
               .scope = "S",
               .storage = Storage::bytes,
               .tombstone = Tombstone::exact,
               .erase_after = at_once},
              {.name = "letter",
               .collection = "letters",
               .scope = "S",
               .parent = "person",
               .tombstone = Tombstone::exact,
               .erase_after = at_once},
              {.name = "ticket",
               .collection = "tickets",
               .scope = "S",
               .storage = Storage::integer,
               .short_bits = 40},
              {.name = "note",
               .collection = "notes",
               .scope = "S",
               .undelete = undelete,
               .key_time = std::chrono::milliseconds(300)}});
  EXPECT_TRUE(types) << types.error().message;
  return std::move(*types);
}

class RegistryStoreContract : public testing::TestWithParam<RegistryPlace> {
 protected:
  using Code = Error::Code;
  using State = Issued::State;

  void SetUp() override {
    open_ = GetParam().fresh(types_);
    store_ = open_();
    ASSERT_NE(store_, nullptr);
    registry_ = registry_of(*store_);
  }
  std::unique_ptr<RegistryStore> registry_of(Store& store) {
    auto registry = store.registry(types_);
    EXPECT_TRUE(registry) << registry.error().message;
    return registry ? std::move(*registry) : nullptr;
  }
  const RegisteredType& type(std::string_view name) { return *types_.find(name); }

  NewEntry entry(const RegisteredType& type) {
    const std::int64_t key = ++last_key_;
    if (!type.has_time()) {
      return {key, detail::store_pair({0, static_cast<std::uint64_t>(key) * 7919})};
    }
    return {key, Ulid::generate()->bytes};
  }
  CreateRequest request(const RegisteredType& type, std::span<const NewEntry> entries,
                        std::span<const IdBody> ancestors = {}, std::string_view tenant = "acme") {
    return {.type = type, .tenant = tenant, .ancestors = ancestors, .entries = entries};
  }
  NewEntry create(std::string_view name, std::vector<IdBody> ancestors = {},
                  std::string_view tenant = "acme") {
    const NewEntry made = entry(type(name));
    const auto answer =
        registry_->create(request(type(name), std::span(&made, 1), ancestors, tenant));
    EXPECT_TRUE(answer) << answer.error().message;
    return made;
  }
  Code refusal(const CreateRequest& asked) {
    const auto answer = registry_->create(asked);
    EXPECT_FALSE(answer);
    return answer ? Code::closed : answer.error().code;
  }
  Issued find(std::string_view name, const IdBody& body, std::string_view tenant = "acme") {
    const auto found = registry_->find({type(name), tenant, body});
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : Issued{};
  }
  Issued retire(std::string_view name, const IdBody& body, std::string_view tenant = "acme") {
    const auto found = registry_->retire({type(name), tenant, body});
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : Issued{};
  }
  std::size_t sweep_all(std::size_t count_max = 100) {
    std::size_t ended = 0;
    while (true) {
      const auto swept = registry_->sweep(count_max);
      EXPECT_TRUE(swept) << swept.error().message;
      if (!swept) return ended;
      EXPECT_LE(swept->ended, count_max);
      ended += swept->ended;
      if (!swept->more) return ended;
    }
  }

  RegistryTypes types_ = contract_types();
  std::function<std::unique_ptr<Store>()> open_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<RegistryStore> registry_;
  std::atomic<std::int64_t> last_key_{1000};
};

TEST_P(RegistryStoreContract, WhatIsCreatedIsLiveWithItsKeyAndItsAncestors) {
  const auto store = create("store");
  const auto shelf = create("shelf", {store.body});
  const auto product = create("product", {shelf.body, store.body});
  const auto found = find("product", product.body);
  EXPECT_EQ(found.state, State::live);
  EXPECT_EQ(found.key, product.key);
  EXPECT_EQ(found.body, product.body);
  EXPECT_EQ(found.ancestors, (std::vector{shelf.body, store.body}));
  EXPECT_FALSE(found.deleted_ms);
  EXPECT_NEAR(static_cast<double>(found.created_ms),
              static_cast<double>(RegisteredType::time_ms(product.body)), 5000);
  EXPECT_EQ(find("store", store.body).ancestors, std::vector<IdBody>());
}

TEST_P(RegistryStoreContract, EveryFormKeepsTheWholeId) {
  for (const auto* name : {"store", "person", "ticket", "note"}) {
    const auto made = create(name);
    const auto page = registry_->list({.type = type(name), .tenant = "acme"});
    ASSERT_TRUE(page) << page.error().message;
    ASSERT_EQ(page->size(), 1U) << name;
    EXPECT_EQ(page->front().body, made.body) << name;
    EXPECT_EQ(page->front().key, made.key) << name;
  }
}

TEST_P(RegistryStoreContract, WhatWasNeverIssuedIsNotFoundAndCannotBeRetired) {
  create("store");
  for (const auto* name : {"store", "person", "ticket", "note"}) {
    const IdBody body = entry(type(name)).body;
    EXPECT_EQ(find(name, body).state, State::never);
    EXPECT_EQ(retire(name, body).state, State::never);
    EXPECT_EQ(find(name, body).state, State::never);
    const auto back = registry_->undelete({type(name), "acme", body});
    ASSERT_TRUE(back);
    EXPECT_EQ(back->state, State::never);
  }
}

TEST_P(RegistryStoreContract, AnotherTenantsIdWasNeverIssued) {
  const auto store = create("store");
  const auto person = create("person");
  const auto ticket = create("ticket");
  for (const auto* tenant : {"other", "acm", "acmee", "ACME", "acme~"}) {
    EXPECT_EQ(find("store", store.body, tenant), (Issued{.body = store.body})) << tenant;
    EXPECT_EQ(find("person", person.body, tenant), (Issued{.body = person.body}));
    EXPECT_EQ(find("ticket", ticket.body, tenant), (Issued{.body = ticket.body}));
    EXPECT_EQ(retire("store", store.body, tenant).state, State::never);
    const auto list = registry_->list({.type = type("store"), .tenant = tenant});
    EXPECT_TRUE(list && list->empty());
    const auto shelf = entry(type("shelf"));
    const std::vector<IdBody> in = {store.body};
    EXPECT_EQ(refusal(request(type("shelf"), std::span(&shelf, 1), in, tenant)), Code::not_found);
    EXPECT_FALSE(registry_->list({.type = type("shelf"), .tenant = tenant, .ancestors = in}));
  }
  retire("person", person.body);
  sweep_all();
  EXPECT_EQ(find("person", person.body).state, State::deleted);
  EXPECT_EQ(find("person", person.body, "other").state, State::never);
  EXPECT_EQ(find("store", store.body).state, State::live);
}

TEST_P(RegistryStoreContract, TwoTenantsMayHaveTheSameShortId) {
  const NewEntry mine{++last_key_, detail::store_pair({0, 42})};
  const NewEntry yours{++last_key_, detail::store_pair({0, 42})};
  ASSERT_TRUE(registry_->create(request(type("ticket"), std::span(&mine, 1), {}, "acme")));
  ASSERT_TRUE(registry_->create(request(type("ticket"), std::span(&yours, 1), {}, "zeta")));
  EXPECT_EQ(find("ticket", mine.body, "acme").key, mine.key);
  EXPECT_EQ(find("ticket", mine.body, "zeta").key, yours.key);
  retire("ticket", mine.body, "acme");
  EXPECT_EQ(find("ticket", mine.body, "acme").state, State::deleted);
  EXPECT_EQ(find("ticket", mine.body, "zeta").state, State::live);
}

TEST_P(RegistryStoreContract, ARetiredIdStaysDeletedWithItsFirstTime) {
  const auto store = create("store");
  const auto first = retire("store", store.body);
  EXPECT_EQ(first.state, State::deleted);
  ASSERT_TRUE(first.deleted_ms);
  EXPECT_GE(*first.deleted_ms, first.created_ms);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(retire("store", store.body), first);
  sweep_all();
  EXPECT_EQ(find("store", store.body), first);
  const auto list = registry_->list({.type = type("store"), .tenant = "acme"});
  EXPECT_TRUE(list && list->empty());
  const auto back = registry_->undelete({type("store"), "acme", store.body});
  ASSERT_TRUE(back);
  EXPECT_EQ(back->state, State::deleted) << "the type does not allow it";
}

TEST_P(RegistryStoreContract, NoIdAndNoKeyIsIssuedTwice) {
  const auto store = create("store");
  const NewEntry same_id{++last_key_, store.body};
  const NewEntry same_key{store.key, Ulid::generate()->bytes};
  EXPECT_EQ(refusal(request(type("store"), std::span(&same_id, 1))), Code::store_rewound);
  EXPECT_EQ(refusal(request(type("store"), std::span(&same_key, 1))), Code::store_rewound);
  const std::vector<NewEntry> twins(2, entry(type("store")));
  EXPECT_EQ(refusal(request(type("store"), twins)), Code::store_rewound);
  EXPECT_EQ(find("store", twins[0].body).state, State::never) << "nothing of a batch is kept";
  retire("store", store.body);
  sweep_all();
  EXPECT_EQ(refusal(request(type("store"), std::span(&same_id, 1))), Code::store_rewound);

  const auto person = create("person");
  retire("person", person.body);
  sweep_all();
  const NewEntry erased{++last_key_, person.body};
  EXPECT_EQ(refusal(request(type("person"), std::span(&erased, 1))), Code::store_rewound);
  const std::vector<NewEntry> batch = {entry(type("person")), erased};
  EXPECT_EQ(refusal(request(type("person"), batch)), Code::store_rewound);
  EXPECT_EQ(find("person", person.body).state, State::deleted);
}

TEST_P(RegistryStoreContract, ChildrenEndWithTheirParentAtOnceAndAfterSweeping) {
  const auto store = create("store");
  const auto other = create("store");
  const auto shelf = create("shelf", {store.body});
  const auto kept = create("shelf", {other.body});
  std::vector<NewEntry> products;
  for (int i = 0; i < 7; ++i) products.push_back(create("product", {shelf.body, store.body}));
  const auto ended = retire("store", store.body);
  const auto expect_all = [&] {
    EXPECT_EQ(find("shelf", shelf.body).state, State::deleted);
    for (const auto& product : products) {
      const auto found = find("product", product.body);
      EXPECT_EQ(found.state, State::deleted);
      EXPECT_EQ(found.deleted_ms, ended.deleted_ms);
    }
    EXPECT_EQ(find("shelf", kept.body).state, State::live);
    const auto list = registry_->list({.type = type("product"), .tenant = "acme"});
    EXPECT_TRUE(list && list->empty());
    const auto late = entry(type("product"));
    const std::vector<IdBody> in = {shelf.body, store.body};
    EXPECT_EQ(refusal(request(type("product"), std::span(&late, 1), in)), Code::not_found);
    const std::vector<NewEntry> batch = {late, entry(type("product"))};
    EXPECT_EQ(refusal(request(type("product"), batch, in)), Code::not_found);
  };
  expect_all();
  EXPECT_EQ(sweep_all(3), 8U);
  expect_all();
  EXPECT_EQ(sweep_all(), 0U);
}

TEST_P(RegistryStoreContract, AWrongChainOfAncestorsIsNotFound) {
  const auto a = create("store");
  const auto b = create("store");
  const auto shelf = create("shelf", {a.body});
  const auto product = entry(type("product"));
  const std::vector<IdBody> wrong = {shelf.body, b.body};
  EXPECT_EQ(refusal(request(type("product"), std::span(&product, 1), wrong)), Code::not_found);
  EXPECT_FALSE(registry_->list({.type = type("product"), .tenant = "acme", .ancestors = wrong}));
  const std::vector<IdBody> few = {shelf.body};
  EXPECT_EQ(refusal(request(type("product"), std::span(&product, 1), few)), Code::invalid_request);
}

TEST_P(RegistryStoreContract, AnExactTombstoneKeepsNothingButThatItWas) {
  const auto person = create("person");
  const auto letter = create("letter", {person.body});
  EXPECT_EQ(find("letter", letter.body).state, State::live);
  const auto ended = retire("person", person.body);
  EXPECT_EQ(ended.state, State::deleted);
  EXPECT_FALSE(ended.deleted_ms);
  EXPECT_EQ(find("letter", letter.body).state, State::deleted);
  EXPECT_EQ(sweep_all(1), 3U);  // the letter ends, is erased, and so is the person
  const auto page = registry_->issued(type("person"), 0, 0, 10);
  EXPECT_TRUE(page && page->filter_keys.empty());
  const auto letters = registry_->issued(type("letter"), 0, 0, 10);
  EXPECT_TRUE(letters && letters->filter_keys.empty());
  const auto left = registry_->erased(type("person"), {}, 10);
  ASSERT_TRUE(left);
  EXPECT_THAT(*left, testing::ElementsAre(type("person").tombstone_of("acme", person.body)));
  EXPECT_EQ(find("person", person.body), (Issued{.state = State::deleted, .body = person.body}));
  EXPECT_EQ(find("letter", letter.body).state, State::deleted);
  EXPECT_EQ(retire("person", person.body).state, State::deleted);
  EXPECT_EQ(find("letter", person.body).state, State::never) << "of another type";
}

TEST_P(RegistryStoreContract, WhatWasDeletedComesBackWithinItsTime) {
  const auto note = create("note");
  EXPECT_EQ(retire("note", note.body).state, State::deleted);
  sweep_all();
  auto back = registry_->undelete({type("note"), "other", note.body});
  EXPECT_TRUE(back && back->state == State::never);
  back = registry_->undelete({type("note"), "acme", note.body});
  ASSERT_TRUE(back);
  EXPECT_EQ(back->state, State::live);
  EXPECT_FALSE(back->deleted_ms);
  EXPECT_EQ(back->key, note.key);
  EXPECT_EQ(find("note", note.body).state, State::live);
}

TEST_P(RegistryStoreContract, AKeyCreatesOnce) {
  const auto ask = [&](const std::vector<NewEntry>& entries, std::string_view tenant,
                       std::string_view key, std::uint8_t digest, std::string_view name = "store") {
    auto asked = request(type(name), entries, {}, tenant);
    asked.idempotency_key = key;
    asked.digest.fill(digest);
    return registry_->create(asked);
  };
  const auto fresh = [&] { return std::vector{entry(type("store"))}; };
  const auto first = fresh();
  const auto made = ask(first, "acme", "k 1'\"\\", 1);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(made->repeated);
  for (int i = 0; i < 3; ++i) {
    const auto second = fresh();
    const auto again = ask(second, "acme", "k 1'\"\\", 1);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->repeated);
    EXPECT_EQ(again->entries, first);
    EXPECT_EQ(find("store", second[0].body).state, State::never);
  }
  const auto reused = ask(fresh(), "acme", "k 1'\"\\", 2);
  ASSERT_FALSE(reused);
  EXPECT_EQ(reused.error().code, Code::key_reused);
  for (const auto& [tenant, key] :
       {std::pair{"zeta", "k 1'\"\\"}, {"acme", "K 1'\"\\"}, {"acme", "k 1'\"\\ "}}) {
    const auto other = ask(fresh(), tenant, key, 2);
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_FALSE(other->repeated) << tenant << key;
  }
  const auto of_note = ask({entry(type("note"))}, "acme", "k 1'\"\\", 3, "note");
  EXPECT_TRUE(of_note && !of_note->repeated) << "a key is of a type";

  retire("store", first[0].body);
  sweep_all();
  const auto late = ask(fresh(), "acme", "k 1'\"\\", 1);
  EXPECT_TRUE(late && late->repeated && late->entries == first) << "it is deleted, and the answer";
}

TEST_P(RegistryStoreContract, TheKeyOfARefusedCreationIsNotKept) {
  const auto store = create("store");
  const std::vector shelf = {entry(type("shelf"))};
  for (const bool good : {false, true}) {
    const std::vector<IdBody> in = {good ? store.body : entry(type("store")).body};
    auto asked = request(type("shelf"), shelf, in);
    asked.idempotency_key = "key";
    const auto made = registry_->create(asked);
    ASSERT_EQ(static_cast<bool>(made), good);
    if (made) {
      EXPECT_FALSE(made->repeated) << "a key without its creation";
    }
  }
  EXPECT_EQ(find("shelf", shelf[0].body).state, State::live);
}

TEST_P(RegistryStoreContract, AKeyIsFreeAfterItsTime) {
  const std::vector first = {entry(type("note"))};
  auto asked = request(type("note"), first);
  asked.idempotency_key = "key";
  ASSERT_TRUE(registry_->create(asked));
  std::this_thread::sleep_for(std::chrono::milliseconds(350));
  const std::vector second = {entry(type("note"))};
  auto later = request(type("note"), second);
  later.idempotency_key = "key";
  later.digest.fill(9);
  const auto made = registry_->create(later);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(made->repeated);
  EXPECT_EQ(find("note", first[0].body).state, State::live);
  EXPECT_EQ(find("note", second[0].body).state, State::live);
  std::this_thread::sleep_for(std::chrono::milliseconds(350));
  sweep_all();  // takes keys away whose time is over
}

TEST_P(RegistryStoreContract, ABatchIsMadeWholeAndInOneAnswer) {
  for (const std::size_t count : {2U, 16U, 17U, 300U, 1000U}) {
    std::vector<NewEntry> entries;
    for (std::size_t i = 0; i < count; ++i) entries.push_back(entry(type("store")));
    auto asked = request(type("store"), entries);
    const std::string key = "batch-" + std::to_string(count);
    asked.idempotency_key = key;
    const auto made = registry_->create(asked);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->entries, entries);
    for (const auto& one : {entries.front(), entries[count / 2], entries.back()}) {
      EXPECT_EQ(find("store", one.body).key, one.key);
    }
    const auto again = registry_->create(asked);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->repeated);
    EXPECT_EQ(again->entries, entries);
  }
  EXPECT_EQ(refusal(request(type("store"), {})), Code::invalid_request);
}

TEST_P(RegistryStoreContract, ABatchWithoutAKeyIsAllOrNothing) {
  const IdBody above[] = {create("store").body};
  const auto batch_of = [&](std::string_view name) {
    return std::vector{entry(type(name)), entry(type(name)), entry(type(name))};
  };
  for (const std::string_view name : {"store", "shelf", "person", "ticket", "note"}) {
    SCOPED_TRACE(name);
    const bool child = name == "shelf";
    const auto ancestors = child ? std::span(above) : std::span<const IdBody>();
    const auto made = batch_of(name);
    const auto answer = registry_->create(request(type(name), made, ancestors));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->entries, made);
    for (const auto& one : made) {
      const Issued found = find(name, one.body);
      EXPECT_EQ(found.state, State::live);
      EXPECT_EQ(found.key, one.key);
      EXPECT_TRUE(std::ranges::equal(found.ancestors, ancestors));
    }
    auto again = batch_of(name);
    again[1].body = made[1].body;
    EXPECT_EQ(refusal(request(type(name), again, ancestors)), Code::store_rewound);
    EXPECT_EQ(find(name, again[0].body).state, State::never);
  }
  retire("store", above[0]);
  const auto orphans = batch_of("shelf");
  EXPECT_EQ(refusal(request(type("shelf"), orphans, above)), Code::not_found);
  EXPECT_EQ(find("shelf", orphans[0].body).state, State::never);
}

TEST_P(RegistryStoreContract, AClockThatIsAwayFromTheIdMakesNothing) {
  for (const std::size_t count : {1U, 2U}) {
    std::vector<NewEntry> entries;
    for (std::size_t i = 0; i < count; ++i) entries.push_back(entry(type("store")));
    const auto now = static_cast<std::int64_t>(SystemClock().now_ms());
    auto early = request(type("store"), entries);
    early.store_ms_min = now + 3'600'000;
    EXPECT_EQ(refusal(early), Code::store_unavailable);
    auto late = request(type("store"), entries);
    late.store_ms_max = now - 3'600'000;
    EXPECT_EQ(refusal(late), Code::store_unavailable);
    EXPECT_EQ(find("store", entries[0].body).state, State::never);
  }
}

TEST_P(RegistryStoreContract, OddTextIsRefusedOrBound) {
  const NewEntry one = entry(type("store"));
  for (const auto* tenant :
       {"", "a b", "a'b", "a\"; DROP TABLE x; --", "a/b", "..", "a%31", "\xC3\xA4"}) {
    EXPECT_EQ(refusal(request(type("store"), std::span(&one, 1), {}, tenant)),
              Code::invalid_request)
        << tenant;
  }
  auto asked = request(type("store"), std::span(&one, 1));
  const std::string long_key(129, 'k');
  for (const std::string_view key : {std::string_view("a\nb"), std::string_view(long_key)}) {
    asked.idempotency_key = key;
    EXPECT_EQ(refusal(asked), Code::invalid_request);
  }
  EXPECT_EQ(find("store", one.body, "a'b OR 1=1").state, State::never);
  EXPECT_EQ(find("store", one.body).state, State::never);
}

TEST_P(RegistryStoreContract, ListsWhatIsDeletedApartSweptOrNot) {
  const auto ended = create("store");
  const auto live = create("store");
  const auto below = create("shelf", {ended.body});
  const auto deep = create("product", {below.body, ended.body});
  const auto alone = create("shelf", {live.body});
  create("shelf", {live.body});
  create("store", {}, "zeta");
  retire("store", ended.body);
  retire("shelf", alone.body);
  const auto deleted = [&](std::string_view name, std::optional<IdBody> after = {}) {
    const auto list =
        registry_->list({.type = type(name), .tenant = "acme", .deleted = true, .after = after});
    EXPECT_TRUE(list);
    std::vector<std::int64_t> keys;
    for (const auto& issued : *list) {
      keys.push_back(issued.key);
      EXPECT_EQ(issued, find(name, issued.body)) << "the list and the look-up say the same";
    }
    return keys;
  };
  for (const bool swept : {false, true}) {
    SCOPED_TRACE(swept);
    EXPECT_EQ(deleted("store"), std::vector{ended.key});
    EXPECT_EQ(deleted("shelf"), (std::vector{below.key, alone.key}));
    EXPECT_EQ(deleted("shelf", below.body), std::vector{alone.key});
    EXPECT_EQ(deleted("product"), std::vector{deep.key});
    const std::array<IdBody, 1> of_live = {live.body};
    const auto list = registry_->list(
        {.type = type("shelf"), .tenant = "acme", .ancestors = of_live, .deleted = true});
    ASSERT_TRUE(list);
    EXPECT_EQ(list->size(), 1U);
    while (registry_->sweep(100)->more) {
    }
  }
}

TEST_P(RegistryStoreContract, AListGoesThroughAllOnceById) {
  const auto store = create("store");
  const auto other = create("store");
  std::vector<IdBody> shelves;
  for (int i = 0; i < 25; ++i) {
    shelves.push_back(create("shelf", {store.body}).body);
    create("shelf", {other.body});
    create("store", {}, "zeta");
  }
  retire("shelf", shelves[3]);
  shelves.erase(shelves.begin() + 3);
  std::ranges::sort(shelves);
  const std::vector<IdBody> of = {store.body};
  std::vector<IdBody> seen;
  std::optional<IdBody> after;
  while (true) {
    const auto page = registry_->list(
        {.type = type("shelf"), .tenant = "acme", .ancestors = of, .after = after, .count_max = 7});
    ASSERT_TRUE(page) << page.error().message;
    for (const auto& issued : *page) {
      seen.push_back(issued.body);
      EXPECT_EQ(issued.ancestors, of);
    }
    if (page->size() < 7) break;
    after = page->back().body;
  }
  EXPECT_EQ(seen, shelves);
  const auto all = registry_->list({.type = type("shelf"), .tenant = "acme", .count_max = 1000});
  EXPECT_TRUE(all && all->size() == 49);
}

TEST_P(RegistryStoreContract, WhatWasIssuedIsToldInOrderPageByPage) {
  const auto bytes = [](const Hash128& hash) { return detail::store_pair({hash.high, hash.low}); };
  std::set<IdBody> wanted;
  const auto before = registry_->barrier(type("person"));
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_NEAR(static_cast<double>(before->now_ms), static_cast<double>(SystemClock().now_ms()),
              5000);
  for (int i = 0; i < 23; ++i) {
    wanted.insert(bytes(type("person").filter_key_of("acme", create("person").body)));
  }
  const auto after = registry_->barrier(type("person"));
  ASSERT_TRUE(after);
  EXPECT_GE(after->now_ms, before->now_ms);
  std::set<IdBody> seen;
  std::int64_t created_ms = before->now_ms;
  std::int64_t key = -1;
  for (bool more = true; more;) {
    const auto page = registry_->issued(type("person"), created_ms, key, 5);
    ASSERT_TRUE(page) << page.error().message;
    for (const auto& one : page->filter_keys) EXPECT_TRUE(seen.insert(bytes(one)).second);
    EXPECT_TRUE(page->created_ms >= created_ms && page->created_ms <= after->now_ms);
    created_ms = page->created_ms;
    key = page->key;
    more = page->more;
  }
  EXPECT_EQ(seen, wanted);
  const auto of_store = registry_->barrier(type("store"));
  const auto epoch = registry_->new_epoch(type("person"));
  ASSERT_TRUE(epoch);
  EXPECT_NE(epoch->epoch, after->epoch);
  EXPECT_EQ(registry_->barrier(type("store"))->epoch, of_store->epoch) << "each type has its own";
}

}  // namespace tessera
