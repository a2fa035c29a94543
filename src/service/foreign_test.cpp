// Without tokens only this machine may ask, and no web page that is shown on it.

#include "service/foreign.h"

#include <gtest/gtest.h>

#include "support/service_world.h"

namespace tessera::service {
namespace {

TEST(Foreign, NamesOfThisMachine) {
  const std::vector<std::string> names = {"ids.example"};
  for (const char* host : {"", "localhost", "LocalHost:8420", "127.0.0.1", "127.0.0.1:8420",
                           "127.9.8.7:1", "[::1]", "[::1]:8420", "ids.example", "IDS.example:1"}) {
    EXPECT_TRUE(is_our_host(host, names)) << host;
  }
  for (const char* host :
       {"evil.example", "evil.example:8420", "localhost.evil.example", "127.0.0.1.evil.example",
        "128.0.0.1", "127.1", "0x7f.0.0.1", "2130706433", "0.0.0.0", "[::]", "[::2]:8420", "[::1",
        "[", "ids.example.evil", "xids.example", "localhost."}) {
    EXPECT_FALSE(is_our_host(host, names)) << host;
  }
}

TEST(Foreign, AnOriginIsTheOneItWasLoadedFrom) {
  EXPECT_TRUE(is_same_origin("http://127.0.0.1:8420", "127.0.0.1:8420"));
  EXPECT_TRUE(is_same_origin("https://LOCALHOST:1", "localhost:1"));
  for (const char* origin :
       {"null", "", "http://", "http://127.0.0.1", "http://127.0.0.1:8421",
        "http://127.0.0.1:8420.evil", "ftp://127.0.0.1:8420", "http://evil@127.0.0.1:8420"}) {
    EXPECT_FALSE(is_same_origin(origin, "127.0.0.1:8420")) << origin;
  }
}

TEST(Foreign, AnotherHostIsRefusedWithoutTokens) {
  ServiceWorld world({.hosts = {"ids.example"}});
  const auto status = [&](const char* host, Method method = Method::get) {
    return world
        .ask({.method = method,
              .path = method == Method::get ? "/v1/types" : "/v1/ids",
              .host = host})
        .status;
  };
  EXPECT_EQ(status("127.0.0.1:8420"), 200);
  EXPECT_EQ(status("ids.example"), 200);
  EXPECT_EQ(status("evil.example:8420"), 403);
  EXPECT_EQ(world.answer.code, "foreign_host");
  EXPECT_EQ(status("evil.example:8420", Method::post), 403);
  for (const char* path : {"/", "/healthz", "/metrics", "/v1/nothing"}) {
    EXPECT_EQ(world.ask({.path = path, .host = "evil.example"}).status, 403) << path;
  }
  // A token is nothing that a browser adds by itself: with them any name will do.
  const std::string token = world.add_token(Token{.tenants = {"*"}, .abilities = Abilities::all()});
  EXPECT_EQ(world.ask({.path = "/v1/types", .token = token, .host = "evil.example"}).status, 200);
}

TEST(Foreign, APageOfAnotherOriginChangesNothingWithoutTokens) {
  ServiceWorld world({.origins = {"https://console.example"}});
  const auto status = [&](const char* origin, Method method, const char* path) {
    return world.ask({.method = method, .path = path, .origin = origin, .host = "127.0.0.1:8420"})
        .status;
  };
  const std::size_t before = world.shop.registry.list("acme", "store")->items.size();
  for (const char* origin :
       {"http://evil.example", "null", "http://127.0.0.1:3000", "http://localhost:8420"}) {
    EXPECT_EQ(status(origin, Method::post, "/v1/tenants/acme/stores"), 403) << origin;
    EXPECT_EQ(world.answer.code, "foreign_origin");
    EXPECT_EQ(status(origin, Method::del, "/v1/tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HW"),
              403);
    EXPECT_EQ(status(origin, Method::get, "/v1/types"), 200) << "it cannot read the answer";
    EXPECT_TRUE(world.answer.allowed_origin.empty());
  }
  EXPECT_EQ(world.shop.registry.list("acme", "store")->items.size(), before);
  for (const char* origin : {"", "http://127.0.0.1:8420", "https://console.example"}) {
    EXPECT_EQ(status(origin, Method::post, "/v1/tenants/acme/stores"), 201) << origin;
  }
}

}  // namespace
}  // namespace tessera::service
