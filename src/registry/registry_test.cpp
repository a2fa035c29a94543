// Promised: only the registry makes IDs; four answers, never mixed; no answer crosses a tenant;
// children end with their parent; the same key gives the same answer; names say where a thing is.

#include "tessera/registry/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "support/properties.h"
#include "support/registry_fixture.h"
#include "tessera/resource_name.h"

namespace tessera {
namespace {

using State = LookUp::State;
using Code = Error::Code;

TEST(Registry, GivesIdNameAndKey) {
  Shop shop;
  const auto store = shop.create("store");
  EXPECT_EQ(store.name, "tenants/acme/stores/" + store.id);
  EXPECT_EQ(store.key, 1);
  const auto product = shop.create("product", store.id);
  EXPECT_EQ(product.name, store.name + "/products/" + product.id);
  const auto by_name = shop.create("variant", product.name);
  const auto by_id = shop.create("variant", product.id);
  EXPECT_EQ(by_name.name, product.name + "/variants/" + by_name.id);
  EXPECT_EQ(by_id.name, product.name + "/variants/" + by_id.id);
  for (const auto* type : {"person", "voucher", "note"}) {
    const auto made = shop.create(type);
    EXPECT_TRUE(ResourceName::parse(made.name)) << made.name;
    const auto found = shop.look_up(made.id);
    EXPECT_EQ(found.state, State::live) << made.id;
    EXPECT_EQ(found.id, made.id);
    EXPECT_EQ(found.name, made.name);
    EXPECT_EQ(shop.look_up(made.name).state, State::live);
    const auto key = shop.registry.resolve("acme", made.id);
    ASSERT_TRUE(key);
    EXPECT_EQ(key->key, made.key);
  }
}

TEST(Registry, MakesManyInOneCommitOrNone) {
  Shop shop;
  const auto made = shop.registry.create_many("acme", "store", 100);
  ASSERT_TRUE(made);
  std::set<std::string> ids;
  for (const auto& one : *made) {
    ids.insert(one.id);
    EXPECT_EQ(shop.look_up(one.id).state, State::live);
  }
  EXPECT_EQ(ids.size(), 100U);
  EXPECT_FALSE(shop.registry.create_many("acme", "store", 0));
  EXPECT_FALSE(shop.registry.create_many("acme", "store", 10'001));
  shop.numbers.last["STORE"] = 90;  // the last ten have been used
  const auto again = shop.registry.create_many("acme", "store", 20);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::store_rewound);
  EXPECT_EQ(shop.registry.list("acme", "store", {.page_size = 1000})->items.size(), 100U);
}

TEST(Registry, AnswersInFourWays) {
  Shop shop;
  const auto live = shop.create("store");
  const auto dead = shop.create("store");
  shop.pass(std::chrono::seconds(5));
  EXPECT_EQ(shop.retire(dead.id).state, State::deleted);
  EXPECT_EQ(shop.look_up(live.id).state, State::live);
  const auto deleted = shop.look_up(dead.id);
  EXPECT_EQ(deleted.state, State::deleted);
  EXPECT_EQ(deleted.deleted_ms, Shop::kStartMs + 5000);
  EXPECT_EQ(shop.look_up("st_01M0MBZ8ZEKMQP3G3V2KM579HW").state, State::never_issued);
  const auto invalid = shop.look_up("st_01M0MBZ8ZEKMQP3U3V2KM579HW");
  EXPECT_EQ(invalid.state, State::invalid);
  ASSERT_TRUE(invalid.fault);
  EXPECT_EQ(*invalid.fault, (ParseError{ParseError::Code::invalid_character, 18}));
}

TEST(Registry, SaysWhereATextIsWrongAndWhatMayHaveBeenMeant) {
  Shop shop;
  const auto store = shop.create("store");
  const auto product = shop.create("product", store.id);
  const auto voucher = shop.create("voucher");
  const auto expect_correction = [&](std::string text, const std::string& wanted) {
    const auto answer = shop.look_up(text);
    EXPECT_EQ(answer.state, State::invalid) << text;
    EXPECT_EQ(answer.correction, wanted) << text;
    EXPECT_TRUE(answer.fault);
  };
  std::string upper = store.id;
  upper[0] = 'S';
  expect_correction(upper, store.id);
  std::string hyphens = store.id;
  hyphens.insert(10, "-");
  expect_correction(hyphens, store.id);
  // The check symbols of a product say which symbol is wrong.
  std::string swapped = product.id;
  std::size_t at = 10;
  while (swapped[at] == swapped[at + 1]) ++at;
  std::swap(swapped[at], swapped[at + 1]);
  expect_correction(swapped, product.id);
  expect_correction(product.name.substr(0, product.name.rfind('/') + 1) + swapped, product.name);
  std::string typed = voucher.id;
  typed.insert(6, "-");
  expect_correction(typed, voucher.id);
  expect_correction("nonsense", "");
  expect_correction("", "");
  expect_correction(std::string(5000, 'x'), "");
  expect_correction("usr_01M0MBZ8ZEKMQP3G3V2KM579HW", "");
  EXPECT_EQ(shop.look_up("usr_01M0MBZ8ZEKMQP3G3V2KM579HW").fault->code,
            ParseError::Code::unknown_prefix);
}

TEST(Registry, RefusesNamesThatMeanNothing) {
  Shop shop;
  const auto store = shop.create("store");
  const auto product = shop.create("product", store.id);
  for (const std::string& name : std::vector<std::string>{
           "tenants/acme", "tenants/acme/stores", "books/" + store.id, "stores/" + product.id,
           "products/" + product.id, "people/x/stores/" + store.id, "stores/" + store.id + "/",
           "stores//" + store.id, "stores/../" + store.id, "stores/%73t_01",
           "tenants/acme/tenants/acme/stores/" + store.id, "stores/" + store.id + "/notes/x"}) {
    EXPECT_EQ(shop.look_up(name).state, State::invalid) << name;
  }
  EXPECT_EQ(shop.look_up("stores/" + store.id).state, State::live) << "the tenant may be left out";
  // Right in form, but of another store: no such product was issued.
  const auto other = shop.create("store");
  EXPECT_EQ(shop.look_up(other.name + "/products/" + product.id).state, State::never_issued);
  EXPECT_EQ(shop.retire(other.name + "/products/" + product.id).state, State::never_issued);
  EXPECT_EQ(shop.look_up(product.name).state, State::live);
}

TEST(Registry, TellsAnAliasFromAnIdByItsLeadingZero) {
  Shop shop;
  const auto store = shop.create("store");
  const auto bare = store.id.substr(3);
  ASSERT_EQ(bare[0], '0');
  EXPECT_EQ(shop.look_up("stores/" + bare).state, State::live);
  EXPECT_EQ(shop.look_up("stores/" + bare).id, store.id);
  const auto alias = shop.look_up("stores/main-street");
  EXPECT_EQ(alias.state, State::invalid);
  EXPECT_TRUE(alias.alias);
  EXPECT_EQ(alias.fault->offset, 7U);
  const auto mistyped = shop.look_up("stores/0U");
  EXPECT_EQ(mistyped.state, State::invalid);
  EXPECT_FALSE(mistyped.alias);
  EXPECT_FALSE(shop.look_up("notes/main-street").alias) << "not turned on";
}

TEST(Registry, AnotherTenantsIdAnswersAsNeverIssued) {
  Shop shop;
  const auto store = shop.create("store");
  const auto product = shop.create("product", store.id);
  const auto never = shop.look_up("st_01M0MBZ8ZEKMQP3G3V2KM579HW", "zeta");
  for (const auto& text : {store.id, store.name, "stores/" + store.id}) {
    const auto answer = shop.look_up(text, "zeta");
    EXPECT_EQ(answer.state, State::never_issued) << text;
    EXPECT_EQ(answer.name, never.name);
    EXPECT_EQ(answer.deleted_ms, never.deleted_ms);
    EXPECT_EQ(answer.created_ms, never.created_ms);
  }
  EXPECT_EQ(shop.look_up("tenants/zeta/stores/" + store.id).state, State::never_issued);
  EXPECT_EQ(shop.look_up("tenants/zeta/stores/" + store.id, "zeta").state, State::never_issued);
  EXPECT_EQ(shop.registry.retire("zeta", store.id)->state, State::never_issued);
  EXPECT_EQ(shop.registry.retire("acme", "tenants/zeta/stores/" + store.id)->state,
            State::never_issued);
  EXPECT_FALSE(shop.registry.resolve("zeta", store.id)->key);
  EXPECT_TRUE(shop.registry.list("zeta", "store")->items.empty());
  const auto born = shop.registry.create("zeta", "product", {.parent = store.id});
  ASSERT_FALSE(born);
  EXPECT_EQ(born.error().code, Code::not_found);
  EXPECT_EQ(shop.look_up(store.id).state, State::live);
  EXPECT_EQ(shop.look_up(product.id).state, State::live);
  // Both are one question to the store, whoever asks.
  const auto before = shop.store.finds;
  shop.look_up(store.id, "zeta");
  EXPECT_EQ(shop.store.finds, before + 1);
  shop.look_up(store.name, "zeta");
  EXPECT_EQ(shop.store.finds, before + 2);
}

TEST(Registry, NoQuestionWithoutATenant) {
  Shop shop;
  const auto store = shop.create("store");
  for (const std::string_view tenant : {"", "a b", "a/b", "..", "a*"}) {
    EXPECT_FALSE(shop.registry.look_up(tenant, store.id)) << tenant;
    EXPECT_FALSE(shop.registry.create(tenant, "store")) << tenant;
    EXPECT_FALSE(shop.registry.retire(tenant, store.id)) << tenant;
    EXPECT_FALSE(shop.registry.list(tenant, "store")) << tenant;
  }
}

TEST(Registry, ChildrenNeedALiveParentOfTheRightType) {
  Shop shop;
  const auto store = shop.create("store");
  const auto code_of = [&](std::string_view type, std::string_view parent) {
    const auto made = shop.registry.create("acme", type, {.parent = parent});
    return made ? Code::closed : made.error().code;
  };
  EXPECT_EQ(code_of("product", ""), Code::invalid_request);
  EXPECT_EQ(code_of("product", "nonsense"), Code::invalid_request);
  EXPECT_EQ(code_of("product", "tenants/zeta/stores/" + store.id), Code::not_found);
  EXPECT_EQ(code_of("product", "st_01M0MBZ8ZEKMQP3G3V2KM579HW"), Code::not_found);
  EXPECT_EQ(code_of("variant", store.id), Code::invalid_request);
  EXPECT_EQ(code_of("store", store.id), Code::invalid_request);
  EXPECT_EQ(code_of("nothing", ""), Code::not_found);
  shop.retire(store.id);
  EXPECT_EQ(code_of("product", store.id), Code::not_found);
}

TEST(Registry, ChildrenEndWithTheirParentAndComeBackWithIt) {
  Shop shop;
  const auto store = shop.create("store");
  const auto other = shop.create("store");
  const auto product = shop.create("product", store.id);
  const auto variant = shop.create("variant", product.id);
  const auto kept = shop.create("product", other.id);
  shop.retire(store.id);
  for (const auto& text : {product.id, product.name, variant.id, variant.name}) {
    EXPECT_EQ(shop.look_up(text).state, State::deleted) << text;
  }
  while (shop.registry.sweep()->more) {
  }
  for (const auto& text : {product.id, product.name, variant.id, variant.name}) {
    EXPECT_EQ(shop.look_up(text).state, State::deleted) << text;
  }
  EXPECT_EQ(shop.look_up(kept.id).state, State::live);
  EXPECT_EQ(shop.registry.undelete("acme", product.id)->state, State::deleted);
}

TEST(Registry, BringsBackWithinTheTimeOnly) {
  Shop shop;
  const auto note = shop.create("note");
  shop.retire(note.id);
  shop.pass(std::chrono::minutes(59));
  EXPECT_EQ(shop.registry.undelete("zeta", note.id)->state, State::never_issued);
  EXPECT_EQ(shop.registry.undelete("acme", note.id)->state, State::live);
  shop.retire(note.id);
  shop.pass(std::chrono::minutes(61));
  EXPECT_EQ(shop.registry.undelete("acme", note.id)->state, State::deleted);
}

TEST(Registry, TheSameKeyGivesTheSameAnswer) {
  Shop shop;
  const auto store = shop.create("store");
  const auto other = shop.create("store");
  const CreateOptions keyed{.parent = store.id, .idempotency_key = "k-1"};
  const auto first = shop.registry.create("acme", "product", keyed);
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->repeated);
  shop.pass(std::chrono::hours(23));
  auto again = shop.registry.create("acme", "product", keyed);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->repeated);
  again->repeated = false;
  EXPECT_EQ(*again, *first);
  for (const auto& [parent, count] : {std::pair{other.id, 1U}, {store.id, 2U}}) {
    const auto reused = shop.registry.create_many("acme", "product", count,
                                                  {.parent = parent, .idempotency_key = "k-1"});
    ASSERT_FALSE(reused);
    EXPECT_EQ(reused.error().code, Code::key_reused);
  }
  shop.pass(std::chrono::hours(2));
  const auto fresh = shop.registry.create("acme", "product", keyed);
  ASSERT_TRUE(fresh);
  EXPECT_FALSE(fresh->repeated);
  EXPECT_NE(fresh->id, first->id);
}

TEST(Registry, TheSameKeyGivesTheSameAnswerAlsoWhenAllAboveHasEnded) {
  Shop shop;
  const auto store = shop.create("store");
  const auto product = shop.create("product", store.id);
  const CreateOptions keyed{.parent = product.id, .idempotency_key = "k-1"};
  const auto first = shop.registry.create("acme", "variant", keyed);
  ASSERT_TRUE(first);
  for (const auto& ended : {product.id, store.id}) {
    shop.retire(ended);
    const auto again = shop.registry.create("acme", "variant", keyed);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->repeated);
    EXPECT_EQ(again->id, first->id);
    EXPECT_EQ(again->name, first->name);
    const auto other = shop.registry.create("acme", "variant", {.parent = product.id});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, Code::not_found);
  }
}

TEST(Registry, ListsPageByPageAndKnowsItsTokens) {
  Shop shop;
  const auto store = shop.create("store");
  std::vector<std::string> ids;
  for (int i = 0; i < 10; ++i) ids.push_back(shop.create("product", store.id).id);
  std::vector<std::string> seen;
  std::string token;
  std::string a_token;
  do {
    const auto page = shop.registry.list("acme", "product",
                                         {.parent = store.id, .page_token = token, .page_size = 3});
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_LE(page->items.size(), 3U);
    for (const auto& item : page->items) seen.push_back(item.id);
    if (!token.empty()) a_token = token;
    token = page->next_token;
  } while (!token.empty());
  EXPECT_EQ(seen, ids);
  const auto refused = [&](std::string_view tenant, std::string_view type, std::string_view parent,
                           std::string_view of) {
    const auto page = shop.registry.list(tenant, type, {.parent = parent, .page_token = of});
    return !page && page.error().code == Code::invalid_request;
  };
  EXPECT_TRUE(refused("zeta", "product", "", a_token));
  EXPECT_TRUE(refused("acme", "product", "", a_token));
  EXPECT_TRUE(refused("acme", "store", "", a_token));
  EXPECT_TRUE(refused("acme", "product", store.id, "x"));
  std::string changed = a_token;
  changed[20] = changed[20] == '1' ? '2' : '1';
  EXPECT_TRUE(refused("acme", "product", store.id, changed));
}

TEST(Registry, ListsTombstonesApartAndWithThemWhatWasBelow) {
  Shop shop;
  const auto ended = shop.create("store");
  const auto below = shop.create("product", ended.id);
  const auto live = shop.create("store");
  const auto alone = shop.create("product", live.id);
  shop.retire(ended.id);
  shop.retire(alone.id);
  const auto stores = shop.registry.list("acme", "store", {.deleted = true});
  ASSERT_TRUE(stores);
  ASSERT_EQ(stores->items.size(), 1U);
  EXPECT_EQ(stores->items[0].id, ended.id);
  EXPECT_EQ(stores->items[0].name, ended.name);
  EXPECT_TRUE(stores->items[0].deleted_ms);
  const auto first = shop.registry.list("acme", "product", {.deleted = true, .page_size = 1});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->items[0].id, below.id) << "it ended with its store, swept or not";
  const auto second =
      shop.registry.list("acme", "product", {.deleted = true, .page_token = first->next_token});
  ASSERT_TRUE(second);
  ASSERT_EQ(second->items.size(), 1U);
  EXPECT_EQ(second->items[0].id, alone.id);
  EXPECT_FALSE(shop.registry.list("acme", "product", {.page_token = first->next_token}))
      << "a token of another question";
  const auto exact = shop.registry.list("acme", "person", {.deleted = true});
  ASSERT_FALSE(exact) << "nothing is kept of them";
  EXPECT_EQ(exact.error().code, Code::invalid_request);
  const auto of_live = shop.registry.list("acme", "product", {.parent = live.id, .deleted = true});
  ASSERT_TRUE(of_live);
  EXPECT_EQ(of_live->items.size(), 1U);
}

TEST(Registry, AStoreWhoseClockIsAwayCreatesNothing) {
  Shop shop;
  shop.store_clock.time_ms += 5001;
  const auto late = shop.registry.create("acme", "store");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::store_unavailable);
  shop.store_clock.time_ms -= 10'002;
  EXPECT_FALSE(shop.registry.create("acme", "store"));
  shop.store_clock.time_ms += 1;
  EXPECT_TRUE(shop.registry.create("acme", "store"));
  EXPECT_TRUE(shop.registry.create("acme", "voucher"));
}

// Any sequence of calls, against a model of a few lines.
RC_GTEST_PROP(Registry, BehavesLikeAListOfWhatWasSaid, ()) {
  Shop shop;
  struct Thing {
    std::string id, tenant;
    std::optional<std::size_t> parent;
    bool live = true;
  };
  std::vector<Thing> things;
  const std::vector<std::string> tenants = {"acme", "zeta"};
  const auto is_live = [&](const Thing& thing) {
    for (const Thing* at = &thing;;) {
      if (!at->live) return false;
      if (!at->parent) return true;
      at = &things[*at->parent];
    }
  };
  const int steps = *any_from_to(1, 40);
  for (int i = 0; i < steps; ++i) {
    const auto tenant = *rc::gen::elementOf(tenants);
    const int what = *any_from_to(0, 5);
    if (what <= 1 || things.empty()) {
      const auto made = shop.registry.create(tenant, what == 0 ? "store" : "note");
      RC_ASSERT(made);
      things.push_back({made->id, tenant, std::nullopt});
      continue;
    }
    const std::size_t at = *any_from_to<std::size_t>(0, things.size() - 1);
    Thing& thing = things[at];
    const bool mine = thing.tenant == tenant;
    if (what == 2 && thing.id.starts_with("st_")) {
      const auto made = shop.registry.create(tenant, "product", {.parent = thing.id});
      RC_ASSERT(static_cast<bool>(made) == (mine && is_live(thing)));
      if (made) things.push_back({made->id, tenant, at});
    } else if (what == 3) {
      const auto ended = shop.registry.retire(tenant, thing.id);
      RC_ASSERT(ended);
      RC_ASSERT(ended->state == (mine ? State::deleted : State::never_issued));
      if (mine) thing.live = false;
    } else if (what == 4 && thing.id.starts_with("nt-")) {
      const auto back = shop.registry.undelete(tenant, thing.id);
      RC_ASSERT(back);
      if (mine) thing.live = true;
    } else if (what == 5) {
      shop.pass(std::chrono::seconds(*any_from_to(0, 20)));
      RC_ASSERT(shop.registry.sweep());
      if (*rc::gen::arbitrary<bool>()) RC_ASSERT(!shop.registry.sync_filters());
    }
    for (const auto& known : things) {
      for (const auto& who : tenants) {
        const auto answer = shop.registry.look_up(who, known.id);
        RC_ASSERT(answer);
        RC_ASSERT(answer->state == (who != known.tenant ? State::never_issued
                                    : is_live(known)    ? State::live
                                                        : State::deleted));
      }
    }
  }
}

}  // namespace
}  // namespace tessera
