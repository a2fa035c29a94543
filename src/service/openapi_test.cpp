// What the OpenAPI document promises: every route for programs is in it, and every example in it is
// true. (That it is a good document says tests/openapi.)

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>
#include <string>
#include <string_view>

#include "service/api.h"
#include "service/routes.h"
#include "support/service_world.h"

namespace tessera::service {
namespace {

namespace json = boost::json;

// The same keys and types; of lists the first items are compared.
void expect_shape(const json::value& got, const json::value& example, const std::string& where) {
  const auto is_number = [](const json::value& value) { return value.is_number(); };
  if (is_number(got) && is_number(example)) return;
  if (example.is_null() || got.is_null()) return;  // something may be there, or not
  ASSERT_EQ(got.kind(), example.kind()) << where;
  if (example.is_object()) {
    for (const auto& [key, value] : example.as_object()) {
      const std::string name(key);
      ASSERT_TRUE(got.as_object().contains(key)) << where << "/" << name;
      expect_shape(got.at(key), value, where + "/" + name);
    }
    for (const auto& [key, value] : got.as_object()) {
      // Keys, and how a scope is doing, are not told to everybody; the example is.
      static const std::set<std::string_view> kOfScopes = {"high_water", "epoch", "draws",
                                                           "updated"};
      const std::string_view name(key.data(), key.size());
      const bool inside = name == "key" || name == "status" ||
                          (where == "listScopes/scopes/0" && kOfScopes.contains(name));
      EXPECT_TRUE(inside || example.as_object().contains(key)) << where << "/" << std::string(key);
    }
  } else if (example.is_array() && !example.as_array().empty()) {
    ASSERT_FALSE(got.as_array().empty()) << where;
    expect_shape(got.at(0), example.at(0), where + "/0");
  }
}

// The things that the examples name, with the IDs that they name: a store and a note, and a product
// in the store.
void issue_examples(ServiceWorld& world) {
  for (const std::string_view type_name : {"store", "note"}) {
    const RegisteredType& type = *world.shop.types.find(type_name);
    const std::string id =
        type.id.prefix + type.id.separator + std::string("01M0MBZ8ZEKMQP3G3V2KM579HW");
    const NewEntry entry{42, *type.parse(id)};
    const auto made = world.shop.memory->create(
        {.type = type, .tenant = "acme", .ancestors = {}, .entries = {&entry, 1}});
    ASSERT_TRUE(made) << made.error().message;
  }
  const RegisteredType& product = *world.shop.types.find("product");
  const IdBody parent = *product.parent->parse("st_01M0MBZ8ZEKMQP3G3V2KM579HW");
  const NewEntry entry{43, *product.parse("prd_01M0MBZ8ZEKMQP3G3V2KM579HWV5")};
  const auto made = world.shop.memory->create(
      {.type = product, .tenant = "acme", .ancestors = {&parent, 1}, .entries = {&entry, 1}});
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_TRUE(world.segments.draw({.scope = "ORDER", .count = 100, .holder = "shop-1/4711"}));
  const std::string layout = snowflake_layout_text(snowflake_layouts::kTwitter);
  ASSERT_TRUE(world.leases->claim({.scope = "ORDER", .layout = layout, .holder = "shop-1/4711"}));
}

std::string text_of(const json::value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_double() &&
      value.as_double() == static_cast<double>(static_cast<std::int64_t>(value.as_double()))) {
    return std::to_string(static_cast<std::int64_t>(value.as_double()));
  }
  return json::serialize(value);
}

TEST(Openapi, EveryExampleIsTrue) {
  const json::value document = json::parse(openapi_text());
  EXPECT_EQ(document.at("openapi").as_string(), "3.1.0");
  std::size_t count = 0;
  for (const auto& [pattern, operations] : document.at("paths").as_object()) {
    for (const auto& [method, operation] : operations.as_object()) {
      const std::string name(operation.at("operationId").as_string());
      SCOPED_TRACE(name);
      ServiceWorld world;
      issue_examples(world);
      std::string path(pattern);
      std::string query;
      for (const auto& parameter : operation.at("parameters").as_array()) {
        if (!parameter.as_object().contains("example")) continue;
        const std::string hole(parameter.at("name").as_string());
        const std::string value = text_of(parameter.at("example"));
        if (parameter.at("in").as_string() == "path") {
          path.replace(path.find("{" + hole + "}"), hole.size() + 2, value);
        } else if (parameter.at("in").as_string() == "query") {
          query += (query.empty() ? "?" : "&") + hole + "=" + value;
        }
      }
      Ask ask{.path = path + query, .internal = true};
      ask.method = method == "post" ? Method::post : method == "delete" ? Method::del : Method::get;
      if (operation.as_object().contains("requestBody")) {
        const auto& content =
            operation.at("requestBody").at("content").at("application/json").as_object();
        if (content.contains("example")) ask.body = json::serialize(content.at("example"));
      }
      const std::string body = world.body_of(ask);
      const auto& responses = operation.at("responses").as_object();
      const auto& response = *responses.begin();
      EXPECT_EQ(std::to_string(world.answer.status), std::string(response.key())) << body;
      for (const auto& [media, content] : response.value().at("content").as_object()) {
        if (!content.as_object().contains("example")) continue;
        expect_shape(json::parse(body), content.at("example"), name);
        ++count;
      }
    }
  }
  EXPECT_GE(count, 28u);
}

TEST(Openapi, EveryRouteIsInIt) {
  const json::value document = json::parse(openapi_text());
  const auto& paths = document.at("paths").as_object();
  for (const Route& route : routes()) {
    const json::string_view pattern(route.pattern.data(), route.pattern.size());
    if (route.is_page) {
      EXPECT_FALSE(paths.contains(pattern)) << "pages are for people";
      continue;
    }
    ASSERT_TRUE(paths.contains(pattern)) << route.pattern;
    const auto& operation = paths.at(pattern).as_object();
    const std::string method = route.method == Method::post  ? "post"
                               : route.method == Method::del ? "delete"
                                                             : "get";
    ASSERT_TRUE(operation.contains(method)) << route.pattern;
    // Every hole of the pattern is described.
    std::size_t holes = 0;
    for (const char c : route.pattern) holes += c == '{' ? 1u : 0u;
    std::size_t described = 0;
    for (const Parameter& parameter : route.parameters) {
      described += parameter.in == Parameter::In::path ? 1u : 0u;
    }
    EXPECT_EQ(holes, described) << route.pattern;
  }
}

}  // namespace
}  // namespace tessera::service
