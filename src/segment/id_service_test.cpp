// What the service promises: every sort of ID by its declared name, and a clear refusal for what
// was not declared; never a zero, never a guess.

#include "tessera/segment/id_service.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/fake_segment_store.h"
#include "support/fakes.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using Code = Error::Code;

struct Scene {
  FakeSegmentStore store{Scope{.name = "ORDER"}};
  SystemClock clock;
  SystemMonotonicClock monotonic;

  Result<std::unique_ptr<IdService>, Error> make(IdServiceOptions options) {
    return IdService::make(std::move(options), store, clock, monotonic);
  }
  std::unique_ptr<IdService> shop(bool enabled = true) {
    auto made =
        make({.types = {{.name = "order", .prefix = "ord"}, {.name = "user", .prefix = "usr"}},
              .scopes = {{.name = "ORDER"}, {.name = "USER"}},
              .enabled = enabled});
    EXPECT_TRUE(made);
    return *std::move(made);
  }
};

template <class T>
Code code_of(const Result<T, Error>& result) {
  EXPECT_FALSE(result);
  if (result) return Code::invalid_request;
  EXPECT_FALSE(result.error().message.empty());
  return result.error().code;
}

TEST(IdService, MakesEverySortOfId) {
  Scene scene;
  const auto ids = scene.shop();
  EXPECT_EQ(*ids->next_long("ORDER"), 1);
  const auto orders = ids->scope("ORDER");
  ASSERT_TRUE(orders);
  EXPECT_EQ(orders->name(), "ORDER");
  EXPECT_EQ(*ids->next_long(*orders), 2);
  EXPECT_EQ(*ids->next_longs("ORDER", 5), (std::vector<Segment>{{3, 8}}));
  EXPECT_EQ(*ids->next_longs(*orders, 5), (std::vector<Segment>{{8, 13}}));
  EXPECT_EQ(ids->next_longs_once("ORDER", 3, "key")->segment,
            ids->next_longs_once("ORDER", 3, "key")->segment);
  const auto ulid = ids->next_ulid();
  EXPECT_LT(*ulid, *ids->next_ulid());
  const auto order = ids->next_public_id("order");
  ASSERT_TRUE(order);
  EXPECT_TRUE(order->to_string().starts_with("ord_"));
  EXPECT_EQ(ids->check("order", order->to_string())->body, order->body);
}

TEST(IdService, WhatIsNotDeclaredIsNotFound) {
  Scene scene;
  const auto ids = scene.shop();
  EXPECT_EQ(code_of(ids->next_long("order")), Code::not_found);  // another name
  EXPECT_EQ(code_of(ids->next_long("")), Code::not_found);
  EXPECT_EQ(code_of(ids->next_longs("NONE", 3)), Code::not_found);
  EXPECT_EQ(code_of(ids->next_longs_once("NONE", 3, "key")), Code::not_found);
  EXPECT_EQ(code_of(ids->next_public_id("ORDER")), Code::not_found);
  EXPECT_EQ(code_of(ids->check("ORDER", "x")), Code::not_found);
  EXPECT_EQ(code_of(ids->scope("NONE")), Code::not_found);
  EXPECT_EQ(ids->allocator("NONE"), nullptr);
  EXPECT_EQ(ids->next_long("a\nb").error().message, "there is no scope 'a\\x0ab'");
}

TEST(IdService, AScopeThatTheStoreDoesNotHaveIsNotFound) {
  Scene scene;
  const auto ids = scene.shop();
  EXPECT_EQ(code_of(ids->next_long("USER")), Code::not_found);
}

TEST(IdService, ChecksFormTypeAndTime) {
  Scene scene;
  const auto ids = scene.shop();
  const std::string user = ids->next_public_id("user")->to_string();
  EXPECT_EQ(code_of(ids->check("order", user)), Code::invalid_request);
  EXPECT_EQ(code_of(ids->check("order", "ord_!")), Code::invalid_request);
  EXPECT_EQ(code_of(ids->check("order", "ord_7ZZZZZZZZZZZZZZZZZZZZZZZZZ")), Code::invalid_request);
  const auto bad = ids->check("user", "usr_0");
  EXPECT_TRUE(bad.error().message.starts_with("not an ID of type 'user': ")) << bad.error().message;
}

TEST(IdService, SwitchedOffRefusesEverythingAndSaysSo) {
  Scene scene;
  const auto ids = scene.shop(false);
  EXPECT_EQ(code_of(ids->next_long("ORDER")), Code::closed);
  EXPECT_EQ(code_of(ids->next_long(*ids->scope("ORDER"))), Code::closed);
  EXPECT_EQ(code_of(ids->next_longs("ORDER", 2)), Code::closed);
  EXPECT_EQ(code_of(ids->next_longs_once("ORDER", 2, "key")), Code::closed);
  EXPECT_EQ(code_of(ids->next_ulid()), Code::closed);
  EXPECT_EQ(code_of(ids->next_public_id("order")), Code::closed);
  EXPECT_EQ(ids->next_ulid().error().message, "this service is switched off");
  EXPECT_TRUE(scene.store.counts().empty());
}

TEST(IdService, ClosedRefusesNumbers) {
  Scene scene;
  const auto ids = scene.shop();
  EXPECT_EQ(*ids->next_long("ORDER"), 1);
  ids->close();
  EXPECT_EQ(code_of(ids->next_long("ORDER")), Code::closed);
  ids->close();
}

TEST(IdService, RefusesBadDeclarations) {
  Scene scene;
  EXPECT_EQ(code_of(scene.make({.scopes = {{.name = "A"}, {.name = "A"}}})), Code::already_exists);
  EXPECT_EQ(code_of(scene.make({.scopes = {{.name = "-"}}})), Code::invalid_request);
  EXPECT_EQ(code_of(scene.make({.scopes = {{.name = "A", .min = 5, .max = 4}}})),
            Code::invalid_request);
  EXPECT_EQ(
      code_of(scene.make({.types = {{.name = "a", .prefix = "x"}, {.name = "b", .prefix = "x"}}})),
      Code::invalid_request);
  EXPECT_EQ(code_of(scene.make({.types = {{.name = "a", .prefix = "X"}}})), Code::invalid_request);
}

TEST(IdService, ListsItsScopesInTheOrderOfDeclaration) {
  Scene scene;
  const auto ids = scene.shop();
  ASSERT_EQ(ids->scopes().size(), 2u);
  EXPECT_EQ(ids->scopes()[0].name(), "ORDER");
  EXPECT_EQ(ids->scopes()[1].name(), "USER");
  EXPECT_EQ(ids->allocator("ORDER")->status().health, AllocatorHealth::healthy);
}

}  // namespace
}  // namespace tessera
