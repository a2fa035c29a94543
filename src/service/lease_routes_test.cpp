// Machine numbers over HTTP: what is promised to those who claim them, and the snowflakes that the
// service makes with one of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <set>
#include <string>
#include <thread>

#include "support/service_world.h"

namespace tessera::service {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;

Ask post(const std::string& path, const std::string& body) {
  return {.method = Method::post, .path = path, .body = body, .internal = true};
}

json::value claim(ServiceWorld& world, const std::string& body = R"({"layout":"twitter"})") {
  world.ask(post("/v1/leases/SHOP", body));
  EXPECT_EQ(world.answer.status, 200) << world.answer.body;
  return json::parse(world.answer.body);
}

std::string text_in(const json::value& value, const char* key) {
  return std::string(value.at(key).as_string());
}

TEST(LeaseRoutes, ANumberIsClaimedRenewedAndReleased) {
  ServiceWorld world;
  const json::value lease =
      claim(world, R"({"layout":"twitter","holder":"shop-1","ttl_ms":60000})");
  EXPECT_EQ(text_in(lease, "layout"), "1288834974657/1/t41.m10.s12");
  EXPECT_EQ(lease.at("machine").as_int64(), 0);
  EXPECT_EQ(text_in(lease, "token"), "1");
  EXPECT_EQ(lease.at("floor_ms").as_int64(), 0);
  EXPECT_EQ(lease.at("ttl_ms").as_int64(), 60'000);
  EXPECT_GT(lease.at("ts_limit_ms").as_int64(), lease.at("now_ms").as_int64());
  EXPECT_EQ(claim(world).at("machine").as_int64(), 1) << "a second call takes another";

  world.ask(post("/v1/leases/SHOP/0:renew", R"({"token":"1","reserve_ms":600000})"));
  EXPECT_EQ(world.answer.status, 200) << world.answer.body;
  EXPECT_GE(json::parse(world.answer.body).at("ts_limit_ms").as_int64(),
            lease.at("now_ms").as_int64() + 600'000);

  world.ask({.path = "/v1/leases?scope=SHOP", .internal = true});
  const json::value list = json::parse(world.answer.body);
  ASSERT_EQ(list.at("leases").as_array().size(), 2U);
  EXPECT_EQ(text_in(list.at("leases").at(0), "state"), "held");
  EXPECT_EQ(text_in(list.at("leases").at(0), "holder"), "shop-1");

  world.ask(post("/v1/leases/SHOP/0:release", R"({"token":"1"})"));
  EXPECT_EQ(world.answer.status, 200) << world.answer.body;
  EXPECT_EQ(text_in(json::parse(world.answer.body), "state"), "resting");
  for (const char* verb : {"renew", "release"}) {
    world.ask(post(std::string("/v1/leases/SHOP/0:") + verb, R"({"token":"1"})"));
    EXPECT_EQ(world.answer.status, 409);
    EXPECT_EQ(world.answer.code, "lease_lost");
  }
}

TEST(LeaseRoutes, WhatCannotBeHadIsAProblem) {
  ServiceWorld world;
  claim(world, R"({"layout":"js53","machine_min":3,"machine_max":3})");
  const struct {
    std::string path, body;
    int status;
    std::string_view code;
  } rows[] = {
      {"SHOP", R"({"layout":"js53","machine_min":3,"machine_max":3})", 503, "none_free"},
      {"SHOP", R"({"layout":"twitter"})", 409, "already_exists"},
      {"SHOP", "{}", 400, "missing_field"},
      {"SHOP", R"({"layout":"mine"})", 400, "missing_field"},
      {"SHOP", R"({"layout":""})", 400, "missing_field"},
      {"SHOP", R"({"layout":"js53","ttl_ms":999})", 400, "out_of_range"},
      {"SHOP", R"({"layout":"js53","ttl_ms":"60000"})", 400, "type_mismatch"},
      {"SHOP", R"({"layout":"js53","machine_max":4294967296})", 400, "out_of_range"},
      {"SHOP", R"({"layout":"js53","machine_min":4,"machine_max":3})", 400, "invalid_request"},
      {"SHOP", "{\"layout\":\"js53\",\"holder\":\"\\u0001\"}", 400, "out_of_range"},
      {"SHOP", R"({"layout":"js53","count":3})", 400, "unknown_field"},
      {"-", R"({"layout":"js53"})", 400, "invalid_request"},
      {"SHOP/3:renew", "{}", 400, "missing_field"},
      {"SHOP/3:renew", R"({"token":1})", 400, "type_mismatch"},
      {"SHOP/3:renew", R"({"token":"0"})", 400, "out_of_range"},
      {"SHOP/3:renew", R"({"token":"9223372036854775808"})", 400, "out_of_range"},
      {"SHOP/03:renew", R"({"token":"1"})", 400, "invalid_path"},
      {"SHOP/4294967296:release", R"({"token":"1"})", 400, "invalid_path"},
      {"SHOP/x:release", R"({"token":"1"})", 400, "invalid_path"},
      {"SHOP/3:steal", R"({"token":"1"})", 404, "no_route"},
      {"NONE/0:renew", R"({"token":"1"})", 409, "lease_lost"},
  };
  for (const auto& [path, body, status, code] : rows) {
    SCOPED_TRACE(path + " " + body);
    world.ask(post("/v1/leases/" + path, body));
    EXPECT_EQ(world.answer.status, status) << world.answer.body;
    EXPECT_EQ(world.answer.code, code);
    EXPECT_EQ(world.answer.retry_after, status == 503 ? 1s : 0s);
  }
  EXPECT_EQ(world.ask({.path = "/v1/leases?scope=-", .internal = true}).status, 400);
  EXPECT_EQ(world.ask({.path = "/v1/leases?of=SHOP", .internal = true}).status, 400);
  EXPECT_EQ(world.leases->list_all("SHOP")->size(), 1U) << "what was refused took nothing";
}

TEST(LeaseRoutes, AListHasPagesOfABoundedSize) {
  ServiceWorld world;
  for (std::uint32_t machine = 0; machine < 205; ++machine) {
    ASSERT_TRUE(world.leases->claim(
        {.scope = "SHOP", .layout = "x", .machine_min = machine, .machine_max = machine}));
  }
  std::vector<std::int64_t> seen;
  std::vector<std::size_t> sizes;
  std::string token;
  do {
    world.ask({.path = "/v1/leases?scope=SHOP&page_token=" + token, .internal = true});
    ASSERT_EQ(world.answer.status, 200) << world.answer.body;
    const json::value page = json::parse(world.answer.body);
    for (const json::value& one : page.at("leases").as_array()) {
      seen.push_back(one.at("machine").as_int64());
    }
    sizes.push_back(page.at("leases").as_array().size());
    token = text_in(page, "next_page_token");
  } while (!token.empty() && sizes.size() < 9);
  EXPECT_THAT(sizes, testing::ElementsAre(100, 100, 5));
  EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), 205U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));

  world.ask({.path = "/v1/leases?page_size=2", .internal = true});
  const json::value page = json::parse(world.answer.body);
  EXPECT_EQ(page.at("leases").as_array().size(), 2U);
  const std::string of_all = text_in(page, "next_page_token");
  for (const std::string& query :
       {std::string("page_size=0"), std::string("page_size=1001"), std::string("page_token=x"),
        "scope=SHOP&page_token=" + of_all}) {
    world.ask({.path = "/v1/leases?" + query, .internal = true});
    EXPECT_EQ(world.answer.status, 400) << query;
    EXPECT_EQ(world.answer.code,
              query.starts_with("page_size") ? "out_of_range" : "invalid_request")
        << query;
  }
}

TEST(LeaseRoutes, WithoutAStoreThereAreNone) {
  ServiceWorld world;
  world.on.leases = nullptr;
  world.on.snowflakes = nullptr;
  EXPECT_EQ(world.ask(post("/v1/leases/SHOP", R"({"layout":"twitter"})")).status, 404);
  EXPECT_EQ(world.ask({.path = "/v1/leases", .internal = true}).status, 404);
  EXPECT_EQ(world.ask(post("/v1/ids", R"({"kind":"snowflake"})")).code, "unsupported_kind");
}

TEST(LeaseRoutes, SnowflakesAreMadeInOrderWithANumberOfOurOwn) {
  ServiceWorld world;
  world.body_of(post("/v1/ids", R"({"kind":"snowflake","count":5000})"));
  ASSERT_EQ(world.answer.status, 200) << world.answer.body;
  Ask text = post("/v1/ids", R"({"kind":"snowflake","count":5000})");
  text.accept = "text/plain";
  const std::string lines = world.body_of(text);
  std::uint64_t last = 0;
  std::size_t count = 0;
  for (std::size_t at = 0; at < lines.size(); ++count) {
    const std::size_t end = lines.find('\n', at);
    const auto id = Snowflake::parse(lines.substr(at, end - at));
    ASSERT_TRUE(id);
    ASSERT_GT(id->value, last);
    EXPECT_EQ(id->machine(snowflake_layouts::kTwitter), 0U);
    last = id->value;
    at = end + 1;
  }
  EXPECT_EQ(count, 5000U);
  Ask bytes = text;
  bytes.accept = "application/octet-stream";
  EXPECT_EQ(world.ask(bytes).code, "not_acceptable");
  EXPECT_EQ(world.ask(post("/v1/ids", R"({"kind":"snowflake","layout":"sony"})")).status, 200);
  const auto all = world.leases->list_all("");
  ASSERT_EQ(all->size(), 2U) << "one for each layout";
  EXPECT_EQ(all->front().scope, "sonyflake");
  const std::string metrics = world.ask({.path = "/metrics", .internal = true}).body;
  EXPECT_THAT(metrics, HasSubstr("tessera_snowflake_held{layout=\"twitter\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("tessera_snowflake_claims_total{layout=\"sonyflake\"} 1\n"));
}

// Each that is made holds a machine number: only what was declared, whatever is asked for.
TEST(LeaseRoutes, SnowflakesAreOfDeclaredLayoutsAndNoOthers) {
  ServiceWorld world;
  const auto custom = parse_snowflake_layout("1700000000000/10/t40.s8.m8");
  const auto shared = parse_snowflake_layout("1700000000000/1/t41.m5.s7");
  ASSERT_TRUE(custom && shared);
  Snowflakes declared(*world.leases, world.system_boot, {.holder = "world"},
                      {{"TICKET", *custom},
                       {"ORDER", snowflake_layouts::kTwitter},
                       {"A", *shared},
                       {"B", *shared}});
  world.on.snowflakes = &declared;
  const auto ask = [&](const std::string& layout) {
    world.ask(post("/v1/ids", R"({"kind":"snowflake","layout":")" + layout + R"("})"));
    return world.answer.status;
  };
  for (int i = 0; i < 50; ++i) {  // a typo, or worse
    EXPECT_EQ(ask("17000000000" + std::to_string(10 + i) + "/10/t40.s8.m8"), 400);
    EXPECT_EQ(world.answer.code, "out_of_range");
    EXPECT_EQ(ask("TICKET" + std::to_string(i)), 400);
  }
  EXPECT_THAT(world.answer.body, HasSubstr("TICKET, ORDER, A, B"));
  EXPECT_EQ(ask("ticket"), 400);
  EXPECT_EQ(ask(""), 400);
  EXPECT_TRUE(world.leases->list_all("")->empty()) << "what was refused took no number";

  EXPECT_EQ(ask("TICKET"), 200) << world.answer.body;
  const auto only_id = [&] {
    const json::value made = json::parse(world.answer.body);
    return Snowflake::parse(std::string(made.at("ids").at(0).as_string()));
  };
  const auto first = only_id();
  EXPECT_EQ(ask("1700000000000/10/t40.s8.m8"), 200) << "the same, in full";
  const auto second = only_id();
  ASSERT_TRUE(first && second);
  EXPECT_GT(second->value, first->value);
  EXPECT_LT(second->time_ms(*custom), world.system_clock.now_ms() + 2'000);
  EXPECT_GT(second->time_ms(*custom) + 60'000, world.system_clock.now_ms());
  EXPECT_EQ(ask("ORDER"), 200);
  EXPECT_EQ(ask("1288834974657/1/t41.m10.s12"), 200) << "that of twitter, by its text";
  EXPECT_EQ(ask("1700000000000/1/t41.m5.s7"), 400) << "there are two";
  EXPECT_THAT(world.answer.body, HasSubstr("'A' and 'B'"));
  EXPECT_EQ(ask("B"), 200);
  std::vector<std::pair<std::string, std::string>> seen;
  const auto all = world.leases->list_all("");
  ASSERT_TRUE(all);
  for (const LeaseRecord& one : *all) seen.emplace_back(one.scope, one.layout);
  const std::string twitter = "1288834974657/1/t41.m10.s12";
  EXPECT_THAT(seen, testing::ElementsAre(std::pair("B", "1700000000000/1/t41.m5.s7"),
                                         std::pair("ORDER", twitter),
                                         std::pair("TICKET", "1700000000000/10/t40.s8.m8"),
                                         std::pair("twitter", twitter)));
  EXPECT_THAT(world.ask({.path = "/metrics", .internal = true}).body,
              HasSubstr("tessera_snowflake_held{layout=\"TICKET\"} 1\n"));
  declared.close();
  EXPECT_EQ(ask("A"), 503) << "and none after the end";
}

TEST(LeaseRoutes, SnowflakesAreForTheInternalListener) {
  ServiceWorld world;
  Ask ask = post("/v1/ids", R"({"kind":"snowflake"})");
  ask.internal = false;
  EXPECT_EQ(world.ask(ask).code, "forbidden");
  EXPECT_TRUE(world.leases->list_all("")->empty()) << "and no number is taken for who may not ask";
}

// A connection must not wait for a store: the first has none, later ones find it in memory.
TEST(LeaseRoutes, OnlyWhoFindsNoLeaseWaits) {
  ServiceWorld world;
  Ask ask = post("/v1/ids", R"({"kind":"snowflake"})");
  ask.may_wait = false;
  world.ask(ask);
  if (world.outcome == Outcome::must_wait) {
    ask.may_wait = true;
    EXPECT_EQ(world.ask(ask).status, 200) << world.answer.body;
  }
  ask.may_wait = false;
  EXPECT_EQ(world.ask(ask).status, 200);
  EXPECT_EQ(world.outcome, Outcome::done);
}

// The store takes the lease away, and keeps the number: no ID more, and an error that says so.
TEST(LeaseRoutes, WhoCannotRenewMakesNoMore) {
  ServiceWorld world;
  Snowflakes brief(*world.leases, world.system_boot, {.terms = {1000ms, 1000ms, 3600s}});
  world.on.snowflakes = &brief;
  const Ask ask = post("/v1/ids", R"({"kind":"snowflake","layout":"mastodon"})");
  ASSERT_EQ(world.ask(ask).status, 200) << world.answer.body;
  // The layout has one number, which rests for an hour when it is released.
  const auto record = world.leases->list_all("mastodon")->front();
  ASSERT_TRUE(world.leases->release({"mastodon", record.machine, record.token}));
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (world.ask(ask).code != "none_free" && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(10ms);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(world.ask(ask).status, 503) << world.answer.body;
    EXPECT_EQ(world.answer.code, "none_free");
  }
  EXPECT_THAT(world.ask({.path = "/metrics", .internal = true}).body,
              HasSubstr("tessera_snowflake_losses_total{layout=\"mastodon\"} 1\n"));
}

}  // namespace
}  // namespace tessera::service
