// The OpenAPI 3.1 document, made of the table of routes.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "service/api.h"
#include "service/routes.h"
#include "tessera/json.h"
#include "tessera/version.h"

namespace tessera::service {
namespace {

// Pairs of collection and ID, as they stand in front of a nested one.
constexpr std::string_view kParentParts = "/{parent_collection}/{parent_id}";
constexpr std::size_t kTenantEnd = std::string_view("/v1/tenants/{tenant}").size();

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string_view name_of(Parameter::In in) noexcept {
  switch (in) {
    case Parameter::In::path: return "path";
    case Parameter::In::query: return "query";
    case Parameter::In::header: return "header";
  }
  return "";
}

void write_parameter(JsonWriter& json, const Parameter& parameter) {
  const bool required = parameter.required || parameter.in == Parameter::In::path;
  json.begin_object().key("name").value(parameter.name);
  json.key("in").value(name_of(parameter.in)).key("required").value(required);
  json.key("description").value(parameter.about);
  json.key("schema").begin_object();
  json.key("type").value(parameter.number ? "number" : "string").end_object();
  if (!parameter.example.empty()) {
    json.key("example");
    if (parameter.number) {
      json.value(std::stod(std::string(parameter.example)));
    } else {
      json.value(parameter.example);
    }
  }
  json.end_object();
}

// A writer cannot take JSON that is there already: a mark stands for it until the end.
class Writer {
 public:
  JsonWriter json;

  void raw(std::string_view text) {
    json.value(mark(raws_.size()));
    raws_.emplace_back(text);
  }
  std::string take() {
    std::string text = json.take();
    for (std::size_t i = 0; i < raws_.size(); ++i) {
      const std::string quoted = "\"" + mark(i) + "\"";
      text.replace(text.find(quoted), quoted.size(), raws_[i]);
    }
    return text;
  }

 private:
  static std::string mark(std::size_t number) { return "@raw" + std::to_string(number) + "@"; }

  std::vector<std::string> raws_;
};

// An example of a nested path is that of the plain one, told of a product in the store.
struct Retold {
  std::string_view plain, nested;
};
constexpr std::array kRetold = {
    Retold{"tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HW",
           "tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HW/products/"
           "prd_01M0MBZ8ZEKMQP3G3V2KM579HWV5"},
    Retold{"tenants/acme/notes/nt-01M0MBZ8ZEKMQP3G3V2KM579HW",
           "tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HW/products/"
           "prd_01M0MBZ8ZEKMQP3G3V2KM579HWV5"},
    Retold{R"("id":"st_01M0MBZ8ZEKMQP3G3V2KM579HW")", R"("id":"prd_01M0MBZ8ZEKMQP3G3V2KM579HWV5")"},
    Retold{R"("id":"nt-01M0MBZ8ZEKMQP3G3V2KM579HW")", R"("id":"prd_01M0MBZ8ZEKMQP3G3V2KM579HWV5")"},
    Retold{R"("type":"store")", R"("type":"product")"},
    Retold{R"("type":"note")", R"("type":"product")"},
};

std::string retold(std::string_view example) {
  std::string text(example);
  for (const auto& [plain, nested] : kRetold) {
    if (const std::size_t at = text.find(plain); at != text.npos) {
      text.replace(at, plain.size(), nested);
    }
  }
  return text;
}

// Of the path, with the examples of a product in a store.
Parameter retold(Parameter parameter) {
  if (parameter.in != Parameter::In::path) return parameter;
  if (parameter.name == "collection") parameter.example = "products";
  if (parameter.name == "id") parameter.example = "prd_01M0MBZ8ZEKMQP3G3V2KM579HWV5";
  return parameter;
}
constexpr std::array kParentParameters = {
    Parameter{Parameter::In::path, "parent_collection", "The collection of the parent.", "stores"},
    Parameter{Parameter::In::path, "parent_id", "The public ID of the parent.",
              "st_01M0MBZ8ZEKMQP3G3V2KM579HW"}};

void write_content(Writer& out, const Route& route, bool in_parent) {
  JsonWriter& json = out.json;
  json.key("content").begin_object();
  for (const Media media : route.offers) {
    std::string_view type = name_of(media);
    type = type.substr(0, type.find(';'));
    json.key(type).begin_object();
    json.key("schema").begin_object();
    json.key("type").value(media == Media::json ? "object" : "string").end_object();
    if (media == Media::json && !route.answer.empty()) {
      json.key("example");
      out.raw(in_parent ? retold(route.answer) : std::string(route.answer));
    }
    json.end_object();
  }
  json.end_object();
}

void write_responses(Writer& out, const Route& route, bool in_parent) {
  JsonWriter& json = out.json;
  json.key("responses").begin_object();
  json.key(std::to_string(route.status)).begin_object().key("description").value("As asked.");
  write_content(out, route, in_parent);
  json.end_object();
  json.key("default").begin_object();
  json.key("$ref").value("#/components/responses/Problem").end_object();
  json.end_object();
}

void write_operation(Writer& out, const Route& route, bool in_parent) {
  JsonWriter& json = out.json;
  json.key(lower(name_of(route.method))).begin_object();
  json.key("operationId").value(std::string(route.operation) + (in_parent ? "InParent" : ""));
  json.key("summary").value(route.summary);
  std::string about;
  if (route.listener == Listener::internal) about += "On the internal listener only. ";
  if (route.ability) {
    about += "Needs the ability " + std::string(name_of(*route.ability)) + ". ";
  }
  if (in_parent) about += "There may be more pairs before the parent, up to seven. ";
  if (!about.empty()) {
    about.pop_back();
    json.key("description").value(about);
  }
  json.key("parameters").begin_array();
  for (const Parameter& parameter : route.parameters) {
    write_parameter(json, in_parent ? retold(parameter) : parameter);
  }
  if (in_parent) {
    for (const Parameter& parameter : kParentParameters) write_parameter(json, parameter);
  }
  json.end_array();
  if (route.body_size_max > 0) {
    json.key("requestBody").begin_object().key("required").value(false);
    json.key("content").begin_object().key("application/json").begin_object();
    json.key("schema").begin_object().key("type").value("object").end_object();
    if (!route.request.empty()) {
      json.key("example");
      out.raw(route.request);
    }
    json.end_object().end_object().end_object();
  }
  write_responses(out, route, in_parent);
  json.key("security").begin_array();
  if (!route.open) json.begin_object().key("token").begin_array().end_array().end_object();
  json.end_array();
  json.end_object();
}

void write_components(JsonWriter& json) {
  json.key("components").begin_object();
  json.key("securitySchemes").begin_object().key("token").begin_object();
  json.key("type").value("http").key("scheme").value("bearer").end_object().end_object();
  json.key("responses").begin_object().key("Problem").begin_object();
  json.key("description").value("What went wrong, as RFC 9457 writes it.");
  json.key("content").begin_object().key("application/problem+json").begin_object();
  json.key("schema").begin_object().key("$ref").value("#/components/schemas/Problem").end_object();
  json.end_object().end_object().end_object().end_object();

  json.key("schemas").begin_object().key("Problem").begin_object();
  json.key("type").value("object").key("required").begin_array();
  for (const auto* key : {"type", "title", "status", "code"}) json.value(key);
  json.end_array().key("properties").begin_object();
  const auto property = [&](std::string_view name, std::string_view type, std::string_view about) {
    json.key(name).begin_object().key("type").value(type);
    json.key("description").value(about).end_object();
  };
  property("type", "string", "A relative reference, one for each code.");
  property("title", "string", "What the code means.");
  property("status", "integer", "That of the answer.");
  property("code", "string", "For programs; stable.");
  property("detail", "string", "What it was this time.");
  property("hint", "string", "What to do.");
  property("pointer", "string", "Where in the body (RFC 6901).");
  property("parameter", "string", "Which parameter of the query.");
  property("offset", "integer", "Where in the ID, from 0.");
  property("correction", "string", "The ID that may have been meant.");
  property("deleted", "string", "When it was deleted.");
  json.end_object().end_object().end_object().end_object();
}

void write_path(Writer& out, std::string_view pattern, bool in_parent) {
  std::string path(pattern);
  if (in_parent) path.insert(kTenantEnd, kParentParts);
  out.json.key(path).begin_object();
  for (const Route& route : routes()) {
    if (route.pattern == pattern) write_operation(out, route, in_parent);
  }
  out.json.end_object();
}

}  // namespace

std::string openapi_text() {
  Writer out;
  JsonWriter& json = out.json;
  json.begin_object().key("openapi").value("3.1.0");
  json.key("info").begin_object().key("title").value("Tessera");
  json.key("version").value(TESSERA_VERSION);
  json.key("description")
      .value("Identifiers: made, checked, resolved and retired. Numbers of 64 bits are texts.")
      .end_object();
  json.key("paths").begin_object();
  std::vector<std::string_view> seen;
  for (const Route& route : routes()) {
    if (route.is_page || std::ranges::find(seen, route.pattern) != seen.end()) continue;
    seen.push_back(route.pattern);
    write_path(out, route.pattern, false);
    if (route.nested) write_path(out, route.pattern, true);
  }
  json.end_object();
  write_components(json);
  json.end_object();
  return out.take();
}

}  // namespace tessera::service
