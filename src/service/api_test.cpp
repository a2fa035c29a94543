// What the api promises: refusals in one order, the same answer for the unknown and the forbidden,
// rates that a reload does not reset, and nothing done for who is told to wait.

#include "service/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "service/problem.h"
#include "service/routes.h"
#include "support/service_world.h"
#include "support/vectors.h"

namespace tessera::service {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

const Ask kMint{.method = Method::post, .path = "/v1/ids"};

Ask with(Ask ask, std::string token) {
  ask.token = std::move(token);
  return ask;
}

TEST(Api, RefusesInOneOrder) {
  ServiceWorld world;
  Abilities some;
  some.add(Ability::look_up);
  const std::string token = world.add_token(Token{.tenants = {"acme"}, .abilities = some});
  // No route, before anybody asks who it is.
  EXPECT_EQ(world.ask({.path = "/v1/nothing"}).code, "no_route");
  EXPECT_EQ(world.ask({.path = "/v1/segments"}).code, "no_route") << "an internal one";
  EXPECT_EQ(world.ask({.method = Method::del, .path = "/v1/ids"}).code, "method_not_allowed");
  EXPECT_EQ(world.answer.allow, "POST");
  // Nobody, before what he wants is looked at.
  Ask create{.method = Method::post, .path = "/v1/tenants/globex/stores", .body = "x"};
  create.content_type = "text/plain";
  EXPECT_EQ(world.ask(create).code, "unauthenticated");
  EXPECT_EQ(world.answer.status, 401);
  EXPECT_THAT(std::string(world.answer.authenticate), HasSubstr("Bearer"));
  // May not; not his; not JSON.
  EXPECT_EQ(world.ask(with(create, token)).code, "forbidden");
  Ask look{.path = "/v1/tenants/globex/stores", .token = token, .accept = "text/html"};
  EXPECT_EQ(world.ask(look).code, "not_found");
  look.path = "/v1/tenants/acme/stores";
  EXPECT_EQ(world.ask(look).code, "not_acceptable");
  look.accept.clear();
  EXPECT_EQ(world.ask(look).status, 200);
  EXPECT_EQ(world.answer.caller, world.tokens[0].id);
}

TEST(Api, RefusesTheHostileTokensOfTheVectors) {
  ServiceWorld world;
  world.add_token(std::vector<std::string>{"acme"});
  std::size_t count = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "authorization" || row["error_class"] == "bad_framing") continue;
    SCOPED_TRACE(row.where());
    ++count;
    Ask ask = kMint;
    ask.authorization = vectors::unescape(row["input"]);
    EXPECT_EQ(world.ask(ask).code, row["error_class"]);
    EXPECT_THAT(std::string(world.answer.authenticate), HasSubstr("invalid_token"));
  }
  EXPECT_GT(count, 5u);
}

TEST(Api, ATokenIsGoodUntilItIsOver) {
  ServiceWorld world;
  const std::string token = world.add_token(
      Token{.abilities = Abilities::all(), .expires_ms = world.shop.clock.now_ms() + 1000});
  EXPECT_EQ(world.ask(with(kMint, token)).status, 200);
  Ask lower = kMint;
  lower.authorization = "bearer " + token;
  EXPECT_EQ(world.ask(lower).status, 200) << "schemes have no letter case";
  world.shop.clock.time_ms += 1000;
  EXPECT_EQ(world.ask(with(kMint, token)).status, 401);
}

TEST(Api, RatesAreKeptAndSurviveAReload) {
  ServiceWorld world(ApiOptions{.rate = 2});
  const std::string token = world.add_token(Token{.abilities = Abilities::all(), .rate = 3});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(world.ask(with(kMint, token)).status, 200);
  EXPECT_EQ(world.ask(with(kMint, token)).status, 429);
  EXPECT_EQ(world.answer.retry_after, std::chrono::seconds(1));
  const std::string other = world.add_token(Token{.abilities = Abilities::all()});  // a new table
  EXPECT_EQ(world.ask(with(kMint, token)).status, 429);
  EXPECT_EQ(world.ask(with(kMint, other)).status, 200) << "everybody has a bucket of his own";
  EXPECT_EQ(world.ask(with(kMint, other)).status, 200);
  EXPECT_EQ(world.ask(with(kMint, other)).status, 429) << "the rate of the service";
  world.shop.pass(std::chrono::seconds(1));
  EXPECT_EQ(world.ask(with(kMint, token)).status, 200);
}

TEST(Api, WhoMustWaitHasPaidNothing) {
  ServiceWorld world;
  const std::string token =
      world.add_token(Token{.tenants = {"*"}, .abilities = Abilities::all(), .rate = 1});
  Ask ask{.method = Method::post, .path = "/v1/numbers/INVOICE", .token = token, .internal = true};
  ask.may_wait = false;
  for (int i = 0; i < 5; ++i) {
    world.ask(ask);
    EXPECT_EQ(world.outcome, Outcome::must_wait);
  }
  ask.may_wait = true;
  EXPECT_EQ(world.ask(ask).status, 200);
  EXPECT_EQ(world.ask(ask).status, 429);
}

TEST(Api, RoutesThatAskAStoreNeverDoSoWhereOthersWait) {
  ServiceWorld world;
  for (const Route& route : routes()) {
    if (!route.waits) continue;
    std::string path(route.pattern);
    for (std::size_t at = path.find('{'); at != path.npos; at = path.find('{')) {
      path.replace(at, path.find('}', at) - at + 1, "x");
    }
    world.ask({.method = route.method, .path = path, .internal = true, .may_wait = false});
    EXPECT_EQ(world.outcome, Outcome::must_wait) << route.pattern;
  }
  EXPECT_EQ(world.shop.store.finds, 0u);
}

TEST(Api, BodiesAreJsonAndPlain) {
  ServiceWorld world;
  Ask ask{.method = Method::post, .path = "/v1/ids", .body = "{}"};
  ask.content_type = "application/json; charset=utf-8";
  EXPECT_EQ(world.ask(ask).status, 200);
  ask.content_type = "text/plain";
  EXPECT_EQ(world.ask(ask).status, 415);
  ask.content_type = "";
  EXPECT_EQ(world.ask(ask).status, 415);
  ask.content_type = "application/json";
  ask.content_encoding = "gzip";
  EXPECT_EQ(world.ask(ask).status, 415);
  ask.content_encoding = "identity";
  EXPECT_EQ(world.ask(ask).status, 200);
  ask.body = std::string(70'000, ' ');
  EXPECT_EQ(world.ask(ask).status, 413);
  EXPECT_TRUE(world.answer.close);
}

TEST(Api, SaysHowLargeABodyMayBe) {
  ServiceWorld world;
  const auto size_of = [&](Method method, std::string_view path) {
    Request head;
    head.method = method;
    head.path = path;
    return world.api->body_size_max(head);
  };
  EXPECT_EQ(size_of(Method::post, "/v1/ids"), 64u << 10);
  EXPECT_EQ(size_of(Method::post, "/v1/ids:check"), 1u << 20);
  EXPECT_EQ(size_of(Method::get, "/healthz"), 0u);
  EXPECT_EQ(size_of(Method::post, "/nothing"), 64u << 10);
}

TEST(Api, MethodsAreTold) {
  ServiceWorld world;
  EXPECT_EQ(world.ask({.method = Method::other, .path = "/pot"}).status, 405);
  EXPECT_EQ(world.ask({.method = Method::post, .path = "/healthz"}).status, 405);
  EXPECT_EQ(world.answer.allow, "GET, HEAD");
  EXPECT_EQ(world.ask({.method = Method::options, .path = "/healthz"}).status, 405);
  world.ask({.method = Method::post, .path = "/v1/tenants/acme/stores/x/products/y"});
  EXPECT_EQ(world.answer.allow, "GET, HEAD, DELETE");
  const std::string get = world.ask({.path = "/healthz"}).body;
  EXPECT_EQ(world.ask({.method = Method::head, .path = "/healthz"}).body, get);
  EXPECT_EQ(world.answer.status, 200);
}

TEST(Api, OtherOriginsAskOnlyIfTheyAreNamed) {
  ServiceWorld world(ApiOptions{.origins = {"https://shop.example"}});
  Ask preflight{.method = Method::options, .path = "/v1/ids", .origin = "https://shop.example"};
  world.ask(preflight);
  EXPECT_EQ(world.answer.status, 204);
  EXPECT_TRUE(world.answer.preflight);
  EXPECT_EQ(world.answer.allow, "POST");
  EXPECT_EQ(world.answer.allowed_origin, "https://shop.example");
  for (const std::string origin :
       {"https://evil.example", "https://shop.example.evil", "null", ""}) {
    preflight.origin = origin;
    EXPECT_EQ(world.ask(preflight).status, 405);
    EXPECT_EQ(world.answer.allowed_origin, "");
  }
  Ask ask = kMint;
  ask.origin = "https://shop.example";
  EXPECT_EQ(world.ask(ask).allowed_origin, "https://shop.example");
}

TEST(Api, TracesArePassedOnIfTheyAreTraces) {
  ServiceWorld world;
  const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  EXPECT_EQ(world.ask({.path = "/healthz", .traceparent = trace}).traceparent, trace);
  for (const std::string bad : {"x", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"}) {
    EXPECT_EQ(world.ask({.path = "/healthz", .traceparent = bad}).traceparent, "") << bad;
  }
}

TEST(Api, ProblemsAreCompleteAndTheirCodesAreNoOneElses) {
  for (const FaultText& text : fault_texts()) {
    Answer answer;
    set_problem(answer, text.fault, "a \"detail\"\n", "A hint.");
    const json::value value = json::parse(answer.body);
    EXPECT_EQ(value.at("status"), text.status);
    EXPECT_EQ(value.at("code").as_string(), text.code);
    EXPECT_EQ(value.at("type").as_string(), "/errors/" + std::string(text.code));
    EXPECT_EQ(value.at("detail").as_string(), "a \"detail\"\n");
    EXPECT_EQ(answer.status, text.status);
    EXPECT_EQ(answer.close, text.close);
    EXPECT_EQ(answer.media, Media::problem);
  }
  for (const ErrorCodeText& text : error_code_texts()) {
    Answer answer;
    set_problem(answer, Error{text.code, "it was so", ""});
    EXPECT_EQ(answer.code, text.name);
    EXPECT_GE(answer.status, 400);
    EXPECT_EQ(answer.retry_after.count() > 0, text.retry) << text.name;
  }
}

TEST(Api, EveryCodeAndRouteIsInThePage) {
  std::ifstream file(TESSERA_DOCS_DIR "/service.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const FaultText& text : fault_texts()) {
    EXPECT_THAT(page, HasSubstr("| `" + std::string(text.code) + "` | " +
                                std::to_string(text.status) + " | " + std::string(text.title)));
  }
  for (const ErrorCodeText& text : error_code_texts()) {
    EXPECT_THAT(page, HasSubstr("| `" + std::string(text.name) + "` | " +
                                std::to_string(status_of(text.code)) + " | "));
  }
  for (const Route& route : routes()) {
    EXPECT_THAT(page, HasSubstr("| `" + std::string(name_of(route.method)) + " " +
                                std::string(route.pattern) + "` |"));
  }
}

TEST(Api, AnErrorOfTheStoreIsToldWithItsCode) {
  ServiceWorld world;
  world.segments.away = true;
  Ask ask{.path = "/v1/segments", .internal = true};
  EXPECT_EQ(world.ask(ask).status, 503);
  EXPECT_EQ(world.answer.code, "store_unavailable");
  EXPECT_EQ(world.answer.retry_after, std::chrono::seconds(1));
  EXPECT_THAT(world.log_text(), HasSubstr("\"level\":\"error\""));
}

TEST(Api, CountsByRouteClassAndCode) {
  ServiceWorld world;
  world.ask(kMint);
  world.ask(kMint);
  world.ask({.method = Method::post, .path = "/v1/ids", .body = "{"});
  world.ask({.path = "/nothing/of/yours"});
  const std::string text = world.ask({.path = "/metrics"}).body;
  EXPECT_EQ(world.answer.media, Media::metrics);
  EXPECT_THAT(
      text,
      HasSubstr("tessera_requests_total{method=\"POST\",route=\"/v1/ids\",code=\"2xx\"} 2\n"));
  EXPECT_THAT(
      text,
      HasSubstr("tessera_requests_total{method=\"POST\",route=\"/v1/ids\",code=\"4xx\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("tessera_problems_total{code=\"invalid_json\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("tessera_scope_issued_total{scope=\"ORDER\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("tessera_scope_runway_seconds{scope=\"ORDER\"} "));
  EXPECT_THAT(text, testing::Not(HasSubstr("yours")));
}

TEST(Api, HealthAsksNobodyAndReadinessAsksOnceASecond) {
  ServiceWorld world;
  world.segments.away = true;
  EXPECT_EQ(world.ask({.path = "/healthz", .may_wait = false}).status, 200);
  world.ask({.path = "/readyz", .may_wait = false});
  EXPECT_EQ(world.outcome, Outcome::must_wait);
  EXPECT_EQ(world.ask({.path = "/readyz"}).status, 503);
  EXPECT_THAT(world.answer.body, testing::Not(HasSubstr("store")));
  EXPECT_THAT(world.ask({.path = "/readyz", .internal = true}).body, HasSubstr("the store"));
  world.segments.away = false;
  EXPECT_EQ(world.ask({.path = "/readyz"}).status, 503) << "believed for a second";
  world.shop.pass(std::chrono::seconds(1));
  EXPECT_EQ(world.ask({.path = "/readyz"}).status, 200);
  world.ask({.path = "/readyz", .may_wait = false});
  EXPECT_EQ(world.outcome, Outcome::done);
}

TEST(Api, PagesAndDocumentsHaveTheirMediaAndTags) {
  ServiceWorld world;
  world.ask({.path = "/", .accept = "text/html,application/xhtml+xml,*/*;q=0.8"});
  EXPECT_EQ(world.answer.media, Media::html);
  world.ask({.path = "/openapi.json"});
  const std::string etag = world.answer.etag;
  EXPECT_EQ(world.ask({.path = "/openapi.json", .if_none_match = etag}).status, 304);
  EXPECT_EQ(world.ask({.path = "/v1/types"}).status, 200);
  const json::value scopes = json::parse(world.ask({.path = "/v1/scopes"}).body);
  EXPECT_FALSE(scopes.at("scopes").at(0).as_object().contains("status"));
  const json::value inside = json::parse(world.ask({.path = "/v1/scopes", .internal = true}).body);
  EXPECT_TRUE(inside.at("scopes").at(0).as_object().contains("status"));
}

TEST(Api, SegmentsAreDrawnOnceForAKey) {
  ServiceWorld world;
  Ask ask{.method = Method::post, .path = "/v1/segments/ORDER", .internal = true};
  ask.body = R"({"count":100,"key":"k","holder":"h/1"})";
  const json::value first = json::parse(world.ask(ask).body);
  EXPECT_EQ(first.at("first").as_string(), "1");
  EXPECT_EQ(first.at("end").as_string(), "101");
  const json::value again = json::parse(world.ask(ask).body);
  EXPECT_EQ(again.at("first").as_string(), "1");
  EXPECT_EQ(again.at("repeated"), true);
  EXPECT_TRUE(world.answer.replayed);
  ask.path = "/v1/numbers/ORDER";
  ask.body = R"({"count":5,"key":"n"})";
  const std::string numbers = world.ask(ask).body;
  EXPECT_EQ(world.ask(ask).body, numbers);
  for (const std::string body : {R"({"count":1,"holder":"\n"})", R"({"count":10000001})", "{}"}) {
    ask.path = "/v1/segments/ORDER";
    ask.body = body;
    EXPECT_EQ(world.ask(ask).status, 400) << body;
  }
  EXPECT_EQ(world.ask({.path = "/v1/segments/ORDER", .internal = true}).status, 200);
  EXPECT_EQ(world.ask({.path = "/v1/segments/NONE", .internal = true}).status, 404);
}

}  // namespace
}  // namespace tessera::service
