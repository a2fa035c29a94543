// What the routes of the registry promise: four answers that are never mixed, creation once for a
// key, and never a 64-bit key for the public.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <string>

#include "support/service_world.h"

namespace tessera::service {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const Answer& answer, std::string_view key) {
  const json::value value = json::parse(answer.body);
  return std::string(value.at(json::string_view(key.data(), key.size())).as_string());
}

struct RegistryWorld : ServiceWorld {
  // Creates one in the collection, and tells its path.
  std::string create(std::string collection) {
    ask({.method = Method::post, .path = std::move(collection)});
    EXPECT_EQ(answer.status, 201) << answer.body;
    return answer.location;
  }
};

TEST(RegistryRoutes, CreatedIsLiveAndDeletedIsGone) {
  RegistryWorld world;
  const std::string path = world.create("/v1/tenants/acme/stores");
  EXPECT_THAT(path, testing::StartsWith("/v1/tenants/acme/stores/st_"));
  EXPECT_EQ("/v1/" + text_of(world.answer, "name"), path);

  world.ask({.path = path});
  EXPECT_EQ(world.answer.status, 200);
  EXPECT_EQ(text_of(world.answer, "state"), "live");
  EXPECT_EQ(text_of(world.answer, "type"), "store");
  const std::string etag = world.answer.etag;
  EXPECT_FALSE(etag.empty());
  world.ask({.path = path, .if_none_match = etag});
  EXPECT_EQ(world.answer.status, 304);
  EXPECT_TRUE(world.answer.body.empty());

  world.ask({.method = Method::del, .path = path});
  EXPECT_EQ(world.answer.status, 200);
  EXPECT_EQ(text_of(world.answer, "state"), "deleted");
  world.ask({.path = path, .if_none_match = etag});
  EXPECT_EQ(world.answer.status, 410);
  EXPECT_TRUE(world.answer.etag.empty());
  world.ask({.method = Method::del, .path = path});
  EXPECT_EQ(world.answer.status, 410) << "who deletes it again is told";
}

TEST(RegistryRoutes, FourAnswersAreNeverMixed) {
  RegistryWorld world;
  const std::string store = world.create("/v1/tenants/acme/stores");
  const std::string product = world.create(store + "/products");
  EXPECT_EQ(world.ask({.path = product}).status, 200);

  // Never issued.
  world.ask({.path = "/v1/tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HW"});
  EXPECT_EQ(world.answer.status, 404);
  EXPECT_EQ(world.answer.code, "not_found");
  const std::string never = world.answer.body;
  // Somebody else's.
  std::string foreign = store;
  foreign.replace(foreign.find("acme"), 4, "globex");
  EXPECT_EQ(world.ask({.path = foreign}).body, never);

  // Mistyped: which symbol, where, and what was meant.
  std::string mistyped = product;
  mistyped.back() = mistyped.back() == '0' ? '1' : '0';
  world.ask({.path = mistyped});
  EXPECT_EQ(world.answer.status, 400);
  EXPECT_EQ(world.answer.code, "bad_check");
  EXPECT_EQ(text_of(world.answer, "correction"), product.substr(product.rfind('/') + 1));
  world.ask({.path = "/v1/tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HU"});
  EXPECT_EQ(world.answer.status, 400);
  EXPECT_EQ(json::parse(world.answer.body).at("offset"), 28);

  // Another type, another collection, no collection.
  const std::string id = store.substr(store.rfind('/') + 1);
  EXPECT_EQ(world.ask({.path = "/v1/tenants/acme/people/" + id}).status, 400);
  EXPECT_EQ(world.ask({.path = "/v1/tenants/acme/products/" + id}).status, 400);
  EXPECT_EQ(world.ask({.path = "/v1/tenants/acme/nothing/" + id}).code, "no_route");

  // Deleting a parent ends its children.
  EXPECT_EQ(world.ask({.method = Method::del, .path = store}).status, 200);
  EXPECT_EQ(world.ask({.path = product}).status, 410);
  EXPECT_EQ(world.ask({.method = Method::post, .path = store + "/products"}).status, 404);
}

TEST(RegistryRoutes, AThingIsFoundByItsWholeNameAndByItsIdAlone) {
  RegistryWorld world;
  const std::string store = world.create("/v1/tenants/acme/stores");
  const std::string product = world.create(store + "/products");
  const std::string variant = world.create(product + "/variants");
  EXPECT_EQ(world.ask({.path = variant}).status, 200);
  const std::string id = variant.substr(variant.rfind('/'));
  EXPECT_EQ(world.ask({.path = "/v1/tenants/acme/variants" + id}).status, 200);
  // With a wrong parent it was never issued.
  const std::string other = world.create("/v1/tenants/acme/stores");
  const std::string stray = other + product.substr(store.size());
  EXPECT_EQ(world.ask({.path = stray}).status, 404);
  // One that has a parent cannot be made without.
  EXPECT_EQ(world.ask({.method = Method::post, .path = "/v1/tenants/acme/products"}).status, 400);
}

TEST(RegistryRoutes, AKeyMakesOneThing) {
  RegistryWorld world;
  Ask ask{.method = Method::post, .path = "/v1/tenants/acme/stores", .idempotency_key = "k-1"};
  const std::string first = world.ask(ask).body;
  EXPECT_FALSE(world.answer.replayed);
  EXPECT_EQ(world.ask(ask).body, first);
  EXPECT_EQ(world.answer.status, 201);
  EXPECT_TRUE(world.answer.replayed);
  ask.idempotency_key = "\"k-1\"";  // as the draft quotes it
  EXPECT_EQ(world.ask(ask).body, first);
  ask.body = R"({"count":2})";
  EXPECT_EQ(world.ask(ask).status, 422);
  EXPECT_EQ(world.answer.code, "key_reused");
  ask.path = "/v1/tenants/globex/stores";
  EXPECT_EQ(world.ask(ask).status, 201) << "the same key in another tenant is another key";
  for (const std::string key : {"", "\"\"", "\xC3\xA9", "a\x7F", "a b"}) {
    ask.idempotency_key = key;
    EXPECT_EQ(world.ask(ask).code, "invalid_idempotency_key") << key;
  }
  ask.idempotency_key = std::string(129, 'k');
  EXPECT_EQ(world.ask(ask).code, "invalid_idempotency_key");
}

TEST(RegistryRoutes, ManyAreCreatedAndListedByPages) {
  RegistryWorld world;
  Ask create{.method = Method::post, .path = "/v1/tenants/acme/stores", .body = R"({"count":5})"};
  world.ask(create);
  EXPECT_EQ(world.answer.status, 201);
  EXPECT_EQ(json::parse(world.answer.body).at("items").as_array().size(), 5u);
  std::string token;
  std::size_t seen = 0;
  for (int pages = 0; pages < 4; ++pages) {
    world.ask({.path = "/v1/tenants/acme/stores?page_size=2" +
                       (token.empty() ? "" : "&page_token=" + token)});
    ASSERT_EQ(world.answer.status, 200) << world.answer.body;
    seen += json::parse(world.answer.body).at("items").as_array().size();
    token = text_of(world.answer, "next_page_token");
    if (token.empty()) break;
  }
  EXPECT_EQ(seen, 5u);
  EXPECT_EQ(world.ask({.path = "/v1/tenants/acme/stores?page_size=0"}).code, "out_of_range");
  EXPECT_EQ(world.ask({.path = "/v1/tenants/acme/stores?page_token=x"}).status, 400);
  EXPECT_EQ(world.ask({.path = "/v1/tenants/acme/stores?size=1"}).code, "unknown_field");
  create.body = R"({"count":10001})";
  EXPECT_EQ(world.ask(create).code, "out_of_range");
}

TEST(RegistryRoutes, WhatMayComeBackComesBack) {
  RegistryWorld world;
  const std::string note = world.create("/v1/tenants/acme/notes");
  world.ask({.method = Method::del, .path = note});
  world.ask({.method = Method::post, .path = note + ":undelete"});
  EXPECT_EQ(world.answer.status, 200);
  EXPECT_EQ(text_of(world.answer, "state"), "live");
  const std::string store = world.create("/v1/tenants/acme/stores");
  world.ask({.method = Method::del, .path = store});
  EXPECT_EQ(world.ask({.method = Method::post, .path = store + ":undelete"}).status, 409);
  EXPECT_EQ(world.answer.code, "cannot_undelete");
}

TEST(RegistryRoutes, KeysAreToldInsideOnly) {
  RegistryWorld world;
  const std::string path = world.create("/v1/tenants/acme/stores");
  const std::string id = path.substr(path.rfind('/') + 1);
  for (const Ask& ask : {Ask{.path = path}, Ask{.path = "/v1/tenants/acme/stores"},
                         Ask{.method = Method::post, .path = "/v1/tenants/acme/stores"}}) {
    EXPECT_THAT(world.ask(ask).body, Not(HasSubstr("\"key\"")));
  }
  Ask resolve{.path = "/v1/resolve?tenant=acme&id=" + id};
  EXPECT_EQ(world.ask(resolve).code, "no_route") << "there is no such route outside";
  resolve.internal = true;
  EXPECT_EQ(text_of(world.ask(resolve), "key"), "1");
  // Inside too only for those who may.
  Abilities some;
  some.add(Ability::create);
  const std::string token = world.add_token(Token{.tenants = {"acme"}, .abilities = some});
  world.ask({.method = Method::post,
             .path = "/v1/tenants/acme/stores",
             .token = token,
             .internal = true});
  EXPECT_EQ(world.answer.status, 201);
  EXPECT_THAT(world.answer.body, Not(HasSubstr("\"key\"")));
  resolve.token = token;
  EXPECT_EQ(world.ask(resolve).status, 403);
}

TEST(RegistryRoutes, AnInstallationWithoutARegistrySaysSo) {
  ServiceWorld world;
  world.on.registry = nullptr;
  EXPECT_EQ(world.ask({.path = "/v1/tenants/acme/stores"}).status, 404);
  EXPECT_EQ(world.ask({.path = "/v1/resolve?tenant=a&id=b", .internal = true}).status, 404);
  EXPECT_EQ(world.ask({.path = "/v1/types"}).status, 200);
}

}  // namespace
}  // namespace tessera::service
