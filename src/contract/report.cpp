// Findings as text, JSON and SARIF.

#include "tessera/contract/report.h"

#include "tessera/json.h"
#include "tessera/parse_error.h"

namespace tessera::contract {
namespace {

constexpr std::string_view kSarifSchema = "https://json.schemastore.org/sarif-2.1.0.json";

void write_text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key).begin_object().key("text").value(text).end_object();
}

void write_rule(JsonWriter& json, const Rule& rule) {
  json.begin_object().key("id").value(rule.number).key("name").value(rule.name);
  write_text(json, "shortDescription", rule.what);
  write_text(json, "fullDescription", rule.why);
  write_text(json, "help", rule.mend);
  json.key("defaultConfiguration").begin_object().key("level").value(name_of(rule.level));
  json.end_object().end_object();
}

// A path as a URI reference: what is not plain is written as %NN.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += kDigits[byte >> 4];
    uri += kDigits[byte & 15];
  }
  return uri;
}

void write_location(JsonWriter& json, const Place& place) {
  json.begin_object();
  if (!place.file.empty()) {
    json.key("physicalLocation").begin_object();
    json.key("artifactLocation").begin_object().key("uri").value(uri_of(place.file)).end_object();
    if (place.line > 0) {
      json.key("region").begin_object().key("startLine").value(place.line).end_object();
    }
    json.end_object();
  }
  if (!place.path.empty()) {
    json.key("logicalLocations").begin_array().begin_object();
    json.key("fullyQualifiedName").value(place.path).end_object().end_array();
  }
  json.end_object();
}

void write_result(JsonWriter& json, const Finding& finding) {
  json.begin_object().key("ruleId").value(rule(finding.rule).number);
  json.key("ruleIndex").value(static_cast<std::uint64_t>(finding.rule));
  json.key("level").value(name_of(finding.level));
  write_text(json, "message", finding.what + ". " + std::string(mend_of(finding)));
  json.key("locations").begin_array();
  write_location(json, finding.place);
  json.end_array().key("occurrenceCount").value(finding.count);
  if (finding.waived) {
    json.key("suppressions").begin_array().begin_object().key("kind").value("external");
    json.key("justification").value(*finding.waived).end_object().end_array();
  }
  json.end_object();
}

}  // namespace

std::string text_of(const Finding& finding) {
  const Rule& broken = rule(finding.rule);
  std::string text = printable(finding.place.to_string(), 400) + ": ";
  if (finding.waived) text += "waived ";
  text.append(name_of(finding.level)).append(": ").append(finding.what);
  if (!finding.place.file.empty() && !finding.place.path.empty()) {
    text += " (" + printable(finding.place.path, 400) + ")";
  }
  if (finding.count > 1) text += ", " + std::to_string(finding.count) + " times";
  text.append(" [").append(broken.number).append(" ").append(broken.name).append("]\n");
  if (finding.waived) return text + "  because: " + printable(*finding.waived, 400) + "\n";
  text.append("  why: ").append(broken.why).append("\n");
  text.append("  mend: ").append(mend_of(finding)).append("\n");
  return text;
}

std::string json_of(const Finding& finding) {
  const Rule& broken = rule(finding.rule);
  JsonWriter json;
  json.begin_object().key("rule").value(broken.number).key("name").value(broken.name);
  json.key("level").value(name_of(finding.level));
  json.key("place").value(finding.place.to_string());
  if (!finding.place.file.empty()) {
    json.key("file").value(finding.place.file);
    if (finding.place.line > 0) json.key("line").value(finding.place.line);
  }
  if (!finding.place.path.empty()) json.key("path").value(finding.place.path);
  json.key("what").value(finding.what).key("why").value(broken.why);
  json.key("mend").value(mend_of(finding)).key("count").value(finding.count);
  if (finding.waived) json.key("waived").value(*finding.waived);
  return json.end_object().take();
}

std::string json_of(const Rule& rule) {
  JsonWriter json;
  json.begin_object().key("rule").value(rule.number).key("name").value(rule.name);
  json.key("level").value(name_of(rule.level)).key("what").value(rule.what);
  json.key("why").value(rule.why).key("mend").value(rule.mend);
  return json.end_object().take();
}

std::string sarif_of(std::span<const Finding> findings, std::string_view version) {
  JsonWriter json;
  json.begin_object().key("$schema").value(kSarifSchema).key("version").value("2.1.0");
  json.key("runs").begin_array().begin_object().key("tool").begin_object();
  json.key("driver").begin_object().key("name").value("tessera contract");
  json.key("version").value(version).key("rules").begin_array();
  for (const Rule& rule : rules()) write_rule(json, rule);
  json.end_array().end_object().end_object();
  json.key("columnKind").value("utf16CodeUnits").key("results").begin_array();
  for (const Finding& finding : findings) write_result(json, finding);
  json.end_array().end_object().end_array();
  return json.end_object().take();
}

}  // namespace tessera::contract
