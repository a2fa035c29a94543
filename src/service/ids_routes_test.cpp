// What the routes of IDs promise: every kind that can be made, in three forms, any number of them;
// and what is refused says why and where.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <set>
#include <string>

#include "support/service_world.h"
#include "support/vectors.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera::service {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

Ask mint(std::string body, std::string accept = {}) {
  return {.method = Method::post,
          .path = "/v1/ids",
          .body = std::move(body),
          .accept = std::move(accept)};
}

std::vector<std::string> ids_of(const std::string& body) {
  std::vector<std::string> ids;
  const json::value value = json::parse(body);
  for (const auto& id : value.at("ids").as_array()) ids.emplace_back(id.as_string());
  return ids;
}

TEST(IdRoutes, AnEmptyBodyIsOneUlid) {
  ServiceWorld world;
  for (const std::string body : {"", "{}"}) {
    const auto ids = ids_of(world.ask(mint(body)).body);
    ASSERT_EQ(ids.size(), 1u);
    EXPECT_TRUE(Ulid::parse(ids[0]));
    EXPECT_EQ(world.answer.status, 200);
    EXPECT_EQ(world.answer.route, "/v1/ids");
    EXPECT_NE(world.answer.latency, nullptr);
    EXPECT_TRUE(Ulid::parse(world.answer.request_id.view()));
  }
}

TEST(IdRoutes, EveryKindIsMadeInEveryForm) {
  ServiceWorld world;
  const struct {
    std::string fields;
    std::size_t text_size, byte_size;
  } rows[] = {
      {R"("kind":"ulid")", 26, 16},
      {R"("kind":"uuidv1")", 36, 16},
      {R"("kind":"uuidv4")", 36, 16},
      {R"("kind":"uuidv6")", 36, 16},
      {R"("kind":"uuidv7")", 36, 16},
      {R"("kind":"ksuid")", 27, 20},
      {R"("kind":"objectid")", 24, 12},
      {R"("kind":"random")", 25, 15},
      {R"("kind":"random","bits":64,"check":2)", 15, 8},
      {R"("kind":"public","type":"store")", 29, 16},
      {R"("type":"product")", 32, 16},
      {R"("prefix":"ord","style":"base36")", 29, 16},
      {R"("prefix":"ord","style":"typeid")", 30, 16},
      {R"("kind":"short","scope":"VOUCHER")", 9, 0},
  };
  for (const auto& [fields, text_size, byte_size] : rows) {
    SCOPED_TRACE(fields);
    // Whole and streamed.
    for (const std::size_t count : {1ul, 3ul, 1000ul, 1001ul, 2500ul}) {
      const std::string body = "{" + fields + ",\"count\":" + std::to_string(count) + "}";
      const auto ids = ids_of(world.body_of(mint(body)));
      EXPECT_EQ(world.answer.media, Media::json);
      EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), count);
      EXPECT_EQ(ids.front().size(), text_size) << ids.front();
      EXPECT_EQ(world.answer.stream != nullptr, count > 1000);

      const std::string lines = world.body_of(mint(body, "text/plain"));
      EXPECT_EQ(world.answer.media, Media::text);
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(lines, '\n')), count);
      EXPECT_EQ(lines.size(), count * (text_size + 1));

      const std::string bytes = world.body_of(mint(body, "application/octet-stream"));
      if (byte_size == 0) {
        EXPECT_EQ(world.answer.code, "not_acceptable");
      } else {
        EXPECT_EQ(bytes.size(), count * byte_size);
      }
    }
  }
}

TEST(IdRoutes, AMillionIsStreamedInOrder) {
  ServiceWorld world;
  const std::string lines = world.body_of(mint(R"({"count":1000000})", "text/plain"));
  ASSERT_EQ(lines.size(), 27'000'000u);
  for (std::size_t i = 27; i < lines.size(); i += 27) {
    ASSERT_LT(std::string_view(lines).substr(i - 27, 26), std::string_view(lines).substr(i, 26));
  }
}

TEST(IdRoutes, WhatMakesNoSenseIsRefusedWithItsPlace) {
  ServiceWorld world;
  const struct {
    std::string body;
    std::string_view code;
    std::string_view pointer;
  } rows[] = {
      {R"({"count":0})", "out_of_range", "/count"},
      {R"({"count":1000001})", "out_of_range", "/count"},
      {R"({"kind":"ULID"})", "unsupported_kind", "/kind"},
      {R"({"kind":"uldi"})", "unsupported_kind", "/kind"},
      {R"({"kind":"snowflake","layout":"x"})", "out_of_range", "/layout"},
      {R"({"kind":"snowflake","layout":"1700000000000/1/t40.m10.s12"})", "out_of_range", "/layout"},
      {R"({"kind":"snowflake","count":10001})", "out_of_range", "/count"},
      {R"({"kind":"snowflake","scope":"ORDER"})", "unknown_field", "/scope"},
      {R"({"kind":"ulid","layout":"twitter"})", "unknown_field", "/layout"},
      {R"({"kind":"uuidv5"})", "unsupported_kind", "/kind"},
      {R"({"kind":"ulid","bits":5})", "unknown_field", "/bits"},
      {R"({"kind":"random","bits":513})", "out_of_range", "/bits"},
      {R"({"kind":"random","check":4})", "out_of_range", "/check"},
      {R"({"kind":"public"})", "missing_field", "/type"},
      {R"({"type":"nothing"})", "out_of_range", "/type"},
      {R"({"type":"store","prefix":"st"})", "unknown_field", "/prefix"},
      {R"({"prefix":"St"})", "out_of_range", "/prefix"},
      {R"({"prefix":"st","style":"x"})", "out_of_range", "/style"},
      {R"({"kind":"short"})", "missing_field", "/scope"},
      {R"({"kind":"short","scope":"VOUCHER","count":10001})", "out_of_range", "/count"},
      {R"({"kidn":"ulid"})", "unknown_field", "/kidn"},
      {"{", "invalid_json", ""},
  };
  for (const auto& [body, code, pointer] : rows) {
    SCOPED_TRACE(body);
    world.ask(mint(body));
    EXPECT_EQ(world.answer.status, 400);
    EXPECT_EQ(world.answer.media, Media::problem);
    EXPECT_EQ(world.answer.code, code);
    const json::value value = json::parse(world.answer.body);
    EXPECT_EQ(value.at("type").as_string(), "/errors/" + std::string(code));
    const auto* place = value.as_object().if_contains("pointer");
    EXPECT_EQ(place == nullptr ? "" : std::string(place->as_string()), pointer);
  }
  world.ask(mint(R"({"kind":"short","scope":"ORDER"})"));
  EXPECT_EQ(world.answer.status, 404);
  world.ask(mint(R"({"kind":"random","bits":60})", "application/octet-stream"));
  EXPECT_EQ(world.answer.status, 406);
}

TEST(IdRoutes, NumbersAreForTheInternalListener) {
  ServiceWorld world;
  Ask longs = mint(R"({"kind":"long","scope":"ORDER","count":3})");
  EXPECT_EQ(world.ask(longs).status, 403);
  longs.internal = true;
  EXPECT_EQ(ids_of(world.ask(longs).body), (std::vector<std::string>{"1", "2", "3"}));
  longs.body = R"({"kind":"long","scope":"ORDER","count":5000})";
  EXPECT_EQ(ids_of(world.body_of(longs)).back(), "5003");
  longs.body = R"({"kind":"long","scope":"NONE"})";
  EXPECT_EQ(world.ask(longs).status, 404);
}

TEST(IdRoutes, WhoMayNotWaitIsNotMadeToWait) {
  ServiceWorld world;
  Ask ask = mint(R"({"kind":"long","scope":"INVOICE"})");
  ask.internal = true;
  ask.may_wait = false;
  world.ask(ask);
  EXPECT_EQ(world.outcome, Outcome::must_wait) << "a strict scope always asks its store";
  EXPECT_EQ(world.segments.find("INVOICE")->draws, 0);
  ask.may_wait = true;
  EXPECT_EQ(ids_of(world.ask(ask).body), (std::vector<std::string>{"1"}));

  ask = mint(R"({"kind":"short","scope":"VOUCHER"})");
  ask.may_wait = true;
  world.ask(ask);  // now there is something in the cache
  ask.may_wait = false;
  world.ask(ask);
  EXPECT_EQ(world.outcome, Outcome::done);
  EXPECT_EQ(world.answer.status, 200);
}

TEST(IdRoutes, AScopeThatHasEndedSaysSo) {
  ServiceWorld world;
  Ask ask{.method = Method::post, .path = "/v1/numbers/TINY", .internal = true};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world.ask(ask).status, 200);
  world.ask(ask);
  EXPECT_EQ(world.answer.status, 409);
  EXPECT_EQ(world.answer.code, "exhausted");
}

TEST(IdRoutes, InspectSaysWhatItIs) {
  ServiceWorld world;
  world.ask({.path = "/v1/ids/01M0MBZ8ZEKMQP3G3V2KM579HW"});
  EXPECT_EQ(world.answer.status, 200);
  EXPECT_EQ(json::parse(world.answer.body).at("kind").as_string(), "ulid");
  world.ask({.path = "/v1/ids/{id}"});
  EXPECT_EQ(json::parse(world.answer.body).at("input").as_string(), "{id}") << "no pattern";
  world.ask({.path = "/v1/ids/!"});
  EXPECT_EQ(world.answer.status, 200) << "that it is nothing is an answer too";
}

TEST(IdRoutes, CheckJudgesEach) {
  ServiceWorld world;
  Ask ask{.method = Method::post, .path = "/v1/ids:check"};
  ask.body =
      R"({"ids":["01M0MBZ8ZEKMQP3G3V2KM579HW","01M0MBZ8ZEKMQP3U3V2KM579HW",""],"as":"ulid"})";
  const json::value value = json::parse(world.ask(ask).body);
  EXPECT_EQ(value.at("valid"), 1);
  EXPECT_EQ(value.at("invalid"), 2);
  const auto& wrong = value.at("results").at(1);
  EXPECT_EQ(wrong.at("code").as_string(), "invalid_character");
  EXPECT_EQ(wrong.at("offset"), 15);

  // A mistyped checked ID, with what was meant.
  const std::string good = world.shop.create("product", world.shop.create("store").id).id;
  std::string bad = good;
  bad.back() = bad.back() == '0' ? '1' : '0';
  ask.body = R"({"ids":[")" + bad + R"("],"type":"product"})";
  const json::value checked = json::parse(world.ask(ask).body);
  EXPECT_EQ(checked.at("results").at(0).at("code").as_string(), "bad_check");
  EXPECT_THAT(world.answer.body, HasSubstr(good));

  const struct {
    std::string body;
    std::string_view code;
  } rows[] = {
      {"{}", "missing_field"},
      {R"({"ids":"a"})", "type_mismatch"},
      {R"({"ids":[],"as":"nothing"})", "unsupported_kind"},
      {R"({"ids":[],"type":"nothing"})", "out_of_range"},
      {R"({"ids":[],"type":"store","as":"ulid"})", "unknown_field"},
      {R"({"ids":[],"strict":true})", "missing_field"},
  };
  for (const auto& [body, code] : rows) {
    ask.body = body;
    EXPECT_EQ(world.ask(ask).code, code) << body;
  }
}

TEST(IdRoutes, RangeAndOddsAnswerOrSayWhyNot) {
  ServiceWorld world;
  world.ask({.path = "/v1/range?kind=ulid&from=2026-01-01&to=1769904000000"});
  EXPECT_EQ(json::parse(world.answer.body).at("smallest").as_string(),
            "01KDVDNA000000000000000000");
  world.ask({.path = "/v1/odds?bits=122&count=1e9"});
  EXPECT_EQ(json::parse(world.answer.body).at("bits").to_number<double>(), 122);
  EXPECT_EQ(world.ask({.path = "/v1/odds?bits=64&probability=0.5"}).status, 200);
  const struct {
    std::string path;
    std::string_view code;
  } rows[] = {
      {"/v1/range", "missing_field"},
      {"/v1/range?kind=uuidv4&from=1&to=2", "unsupported_kind"},
      {"/v1/range?kind=ulid&from=x&to=2", "type_mismatch"},
      {"/v1/range?kind=ulid&from=2&to=2", "out_of_range"},
      {"/v1/range?kind=ksuid&from=0&to=2", "out_of_range"},
      {"/v1/range?kind=ulid&from=1&to=2&x=3", "unknown_field"},
      {"/v1/range?kind=ulid&from=1&to=2&to=3", "duplicate_field"},
      {"/v1/odds", "missing_field"},
      {"/v1/odds?bits=1&count=2&probability=0.1", "missing_field"},
      {"/v1/odds?bits=x&count=2", "type_mismatch"},
      {"/v1/odds?bits=1001&count=2", "out_of_range"},
      {"/v1/odds?bits=10&probability=0", "out_of_range"},
  };
  for (const auto& [path, code] : rows) EXPECT_EQ(world.ask({.path = path}).code, code) << path;
}

TEST(IdRoutes, MetricsTellWhatTheStoreTakes) {
  ServiceWorld world;
  StoreMeter meter(world.shop.monotonic);
  MeteredSegments segments(world.segments, meter);
  MeteredRegistry rows(*world.shop.memory, meter);
  Registry registry(world.shop.types, rows, world.shop.numbers,
                    {world.shop.clock, world.shop.monotonic, world.shop.entropy});
  world.on.segments = &segments;
  world.on.registry = &registry;
  world.on.meter = &meter;
  EXPECT_EQ(world
                .ask({.method = Method::post,
                      .path = "/v1/segments/ORDER",
                      .body = R"({"count":5})",
                      .internal = true})
                .status,
            200);
  EXPECT_EQ(world.ask({.method = Method::post, .path = "/v1/tenants/acme/stores"}).status, 201);
  world.segments.away = true;
  EXPECT_EQ(world
                .ask({.method = Method::post,
                      .path = "/v1/segments/ORDER",
                      .body = R"({"count":5})",
                      .internal = true})
                .status,
            503);
  const std::string text = world.body_of({.path = "/metrics"});
  for (const char* line :
       {"tessera_store_seconds_count{call=\"draw\"} 2\n",
        "tessera_store_seconds_count{call=\"create\"} 1\n",
        "tessera_store_seconds_count{call=\"retire\"} 0\n",
        "tessera_store_errors_total{call=\"draw\",code=\"store_unavailable\"} 1\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(IdRoutes, RefuseTheHostilePathsOfTheVectors) {
  ServiceWorld world;
  std::size_t count = 0;
  const std::string token = world.add_token(std::vector<std::string>{"acme"});
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "path") continue;
    const std::string code = row["error_class"];
    if (code == "invalid_request_line" || code == "uri_too_long") continue;  // the connection's
    SCOPED_TRACE(row.where());
    ++count;
    world.ask({.path = vectors::unescape(row["input"]), .token = token});
    if (code == "-") {
      EXPECT_EQ(world.answer.status, 200);
    } else if (code == "not_found") {
      EXPECT_EQ(world.answer.status, 404);
    } else {
      EXPECT_EQ(world.answer.code, code);
    }
  }
  EXPECT_GT(count, 10u);
}

}  // namespace
}  // namespace tessera::service
