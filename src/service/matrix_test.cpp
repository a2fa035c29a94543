// Who may ask what, for every route of the table: a new route without a rule fails here.
//
//    every route  x  every ability that is missing            403
//    every route with a tenant  x  own, foreign, unknown      as it is, and twice the same 404
//    every route  x  the public listener                      no 64-bit key, and no internal route

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "service/routes.h"
#include "support/service_world.h"

namespace tessera::service {
namespace {

// Who asks for a route: a new one must be written down here.
struct Rule {
  std::string_view operation;
  std::string_view who;  // "anybody", "any token", or an ability
};
constexpr Rule kRules[] = {
    {"mintIds", "mint"},
    {"tellHealth", "anybody"},
    {"tellReadiness", "anybody"},
    {"tellMetrics", "admin"},
    {"tellOpenapi", "anybody"},
    {"showPage", "anybody"},
    {"checkIds", "any token"},
    {"inspectId", "any token"},
    {"rangeOfIds", "any token"},
    {"oddsOfIds", "any token"},
    {"listTypes", "any token"},
    {"listScopes", "any token"},
    {"createResource", "create"},
    {"listResources", "look-up"},
    {"getResource", "look-up"},
    {"retireResource", "retire"},
    {"undeleteResource", "retire"},
    {"resolveResource", "resolve"},
    {"listSegments", "segments"},
    {"getSegment", "segments"},
    {"drawSegment", "segments"},
    {"takeNumbers", "segments"},
    {"createSegment", "admin"},
    {"setSegmentStep", "admin"},
    {"advanceSegment", "admin"},
    {"listRanges", "segments"},
    {"keepSegmentFingerprint", "segments"},
    {"showAsset", "anybody"},
    {"listLeases", "leases"},
    {"claimLease", "leases"},
    {"renewLease", "leases"},
    {"releaseLease", "leases"},
};

// A request for the route, with its examples, about `tenant`.
Ask example_of(const Route& route, std::string_view tenant, std::string_view id = {}) {
  std::string path(route.pattern);
  std::string query;
  for (const Parameter& parameter : route.parameters) {
    std::string value(parameter.example);
    if (parameter.name == "tenant") value = tenant;
    if (parameter.name == "id" && !id.empty()) value = id;
    if (parameter.in == Parameter::In::path) {
      const std::string hole = "{" + std::string(parameter.name) + "}";
      path.replace(path.find(hole), hole.size(), value);
    } else if (parameter.in == Parameter::In::query && !value.empty()) {
      query += (query.empty() ? "?" : "&") + std::string(parameter.name) + "=" + value;
    }
  }
  return {.method = route.method,
          .path = path + query,
          .body = std::string(route.request),
          .internal = true};
}

TEST(Matrix, EveryRouteHasARuleAndKeepsIt) {
  std::set<std::string_view> operations;
  for (const Route& route : routes()) {
    EXPECT_TRUE(operations.insert(route.operation).second) << "two routes of one name";
    const auto* rule = std::ranges::find(kRules, route.operation, &Rule::operation);
    ASSERT_NE(rule, std::end(kRules)) << route.operation << " has no rule";
    const std::string_view who = route.open      ? "anybody"
                                 : route.ability ? name_of(*route.ability)
                                                 : "any token";
    EXPECT_EQ(who, rule->who) << route.operation;
    EXPECT_FALSE(route.summary.empty());
    EXPECT_FALSE(route.offers.empty());
    EXPECT_EQ(route.body_size_max > 0, route.method == Method::post) << route.operation;
    EXPECT_EQ(route.pattern.find("{tenant}") != route.pattern.npos, route.tenant == TenantIn::path);
  }
  EXPECT_EQ(operations.size(), std::size(kRules)) << "a rule for a route that is gone";
}

TEST(Matrix, AMissingAbilityIsForbidden) {
  ServiceWorld world;
  for (const Route& route : routes()) {
    SCOPED_TRACE(route.operation);
    Ask ask = example_of(route, "acme");
    EXPECT_EQ(world.ask(ask).status != 401, true);
    const auto saved = world.on.tokens;
    ask.token = world.add_token(Token{.tenants = {"*"}});
    world.ask(ask);
    EXPECT_EQ(world.answer.status == 403, route.ability.has_value());
    Abilities all_others;
    for (std::size_t i = 0; i < kAbilityCount; ++i) {
      const auto ability = static_cast<Ability>(i);
      if (ability != route.ability) all_others.add(ability);
    }
    ask.token = world.add_token(Token{.tenants = {"*"}, .abilities = all_others});
    EXPECT_EQ(world.ask(ask).status == 403, route.ability.has_value());
    Abilities only;
    if (route.ability) only.add(*route.ability);
    ask.token = world.add_token(Token{.tenants = {"*"}, .abilities = only});
    world.ask(ask);
    EXPECT_NE(world.answer.status, 403);
    EXPECT_NE(world.answer.status, 401);
    ask.token.clear();
    EXPECT_EQ(world.ask(ask).status == 401, !route.open);
    world.on.tokens = saved;
  }
}

TEST(Matrix, ForeignAndUnknownTenantsAnswerAlike) {
  ServiceWorld world;
  const std::string foreign = world.shop.create("store", {}, "globex").id;
  const std::string foreign_note = world.shop.create("note", {}, "globex").id;
  const std::string token = world.add_token(std::vector<std::string>{"acme"});
  std::string never;
  for (const Route& route : routes()) {
    if (route.tenant == TenantIn::nowhere) continue;
    SCOPED_TRACE(route.operation);
    const bool note = route.operation == "undeleteResource";
    // Both tenants have one; a token of acme asks.
    const std::string own = world.shop.create(note ? "note" : "store").id;
    const std::string& other = note ? foreign_note : foreign;
    const auto ask_for = [&](std::string_view tenant, const std::string& id) {
      Ask ask = example_of(route, tenant, id);
      ask.token = token;
      world.ask(ask);
      return std::pair(world.answer.status, world.answer.body);
    };
    const auto theirs = ask_for("globex", other);
    EXPECT_EQ(theirs.first, 404);
    if (never.empty()) never = theirs.second;
    EXPECT_EQ(theirs.second, never) << "one answer for all that is not there";
    EXPECT_EQ(ask_for("nobody", own), theirs);
    EXPECT_EQ(ask_for("globex", own), theirs);
    EXPECT_TRUE(world.answer.etag.empty());
    EXPECT_TRUE(world.answer.location.empty());
    EXPECT_LT(ask_for("acme", own).first, 300);
    const bool names_id =
        route.pattern.find("{id}") != route.pattern.npos || route.operation == "resolveResource";
    if (names_id) {
      EXPECT_EQ(ask_for("acme", other), theirs) << "somebody else's ID was never issued to us";
    }
  }
  EXPECT_EQ(world.shop.look_up(foreign, "globex").state, LookUp::State::live)
      << "and nothing happened to it";
}

TEST(Matrix, ThePublicListenerTellsNoKeysAndHasNoInternalRoute) {
  ServiceWorld world;
  const std::string id = world.shop.create("store").id;
  const std::string token = world.add_token(std::vector<std::string>{"*"});
  for (const Route& route : routes()) {
    SCOPED_TRACE(route.operation);
    Ask ask = example_of(route, "acme", route.tenant == TenantIn::nowhere ? "" : id);
    ask.internal = false;
    ask.token = token;
    world.ask(ask);
    if (route.operation != "showAsset") {  // there is no console here
      EXPECT_EQ(world.answer.code == "no_route", route.listener == Listener::internal);
    }
    if (route.operation == "tellOpenapi") continue;  // it tells what a key would look like
    EXPECT_THAT(world.answer.body, testing::Not(testing::HasSubstr("\"key\"")));
    if (route.operation == "listScopes") continue;  // it tells an admin how they are doing
    EXPECT_EQ(world.answer.body.find("high_water"), std::string::npos);
  }
}

TEST(Matrix, NestedPathsKeepTheRulesOfTheirTenant) {
  ServiceWorld world;
  const std::string store = world.shop.create("store").name;
  const std::string product = world.shop.create("product", store).name;
  const std::string token = world.add_token(std::vector<std::string>{"globex"});
  for (const std::string& path : {"/v1/" + store + "/products", "/v1/" + product}) {
    EXPECT_EQ(world.ask({.path = path, .token = token}).status, 404) << path;
  }
}

}  // namespace
}  // namespace tessera::service
