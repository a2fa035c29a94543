// Scopes, made and moved by another Tessera whose store this one is; and the range log.

#include <array>
#include <charconv>

#include "service/handlers.h"
#include "service/json_body.h"
#include "service/scope_json.h"

namespace tessera::service {
namespace {

constexpr std::size_t kRangesMax = 10'000;  // in one answer
constexpr std::size_t kFingerprintSizeMax = 64;

// A number of 63 bits, written as a text.
std::optional<std::int64_t> read_long(JsonBody& body, std::string_view key) {
  const auto text = body.text(key);
  if (!text) return std::nullopt;
  const auto number = parse_whole(*text);
  if (number && *number <= INT64_MAX) return static_cast<std::int64_t>(*number);
  body.refuse(Fault::out_of_range, key,
              "'" + std::string(key) + "' must be a whole number up to 2^63 - 1, as a text");
  return std::nullopt;
}

Outcome answer_state(Call& call, const Result<ScopeState, Error>& state) {
  if (!state) return answer_problem(call, state.error());
  JsonWriter json;
  write_state(json, *state);
  return answer_json(call, json);
}

// Of a path that ends with a verb: "ORDER:advance".
std::string_view scope_of_path(const Call& call) noexcept {
  const std::string_view part = call.path[2];
  return part.substr(0, part.rfind(':'));
}

void write_record(JsonWriter& json, const RangeRecord& record) {
  json.begin_object().key("scope").value(record.scope);
  write_segment(json, record.segment);
  write_number(json, "epoch", record.epoch);
  write_number(json, "number", record.number);
  json.key("holder").value(record.holder).key("key").value(record.key);
  json.key("drawn").value(time_text(static_cast<std::int64_t>(record.drawn_ms)).view());
  json.end_object();
}

}  // namespace

Outcome create_segment(Call& call) {
  static constexpr std::array<std::string_view, 6> kKeys = {"name", "min",   "max",
                                                            "step", "order", "js_safe"};
  JsonBody body(call.request.body, kKeys);
  body.require("name");
  Scope scope{.name = std::string(body.text("name").value_or(""))};
  scope.js_safe = body.truth("js_safe").value_or(false);
  scope.min = read_long(body, "min").value_or(scope.min);
  scope.max = read_long(body, "max").value_or(scope.js_safe ? Scope::kJsSafeMax : Scope::kMax);
  scope.step = static_cast<std::int64_t>(
      body.number("step", 1, Scope::kStepMax).value_or(static_cast<std::uint64_t>(scope.step)));
  const std::string_view order = body.text("order").value_or("process");
  if (order == "strict") {
    scope.order = Scope::Order::strict;
  } else if (order != "process") {
    body.refuse(Fault::out_of_range, "order", "'order' is process or strict");
  }
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());
  return answer_state(call, call.on.scopes->create(scope));
}

Outcome set_segment_step(Call& call) {
  static constexpr std::array<std::string_view, 1> kKeys = {"step"};
  JsonBody body(call.request.body, kKeys);
  body.require("step");
  const auto step = body.number("step", 1, Scope::kStepMax);
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());
  return answer_state(call, call.on.scopes->set_step(scope_of_path(call),
                                                     static_cast<std::int64_t>(step.value_or(1))));
}

Outcome advance_segment(Call& call) {
  static constexpr std::array<std::string_view, 1> kKeys = {"high_water"};
  JsonBody body(call.request.body, kKeys);
  body.require("high_water");
  const auto mark = read_long(body, "high_water");
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());
  return answer_state(call, call.on.scopes->advance(scope_of_path(call), mark.value_or(0)));
}

Outcome keep_segment_fingerprint(Call& call) {
  static constexpr std::array<std::string_view, 1> kKeys = {"fingerprint"};
  JsonBody body(call.request.body, kKeys);
  body.require("fingerprint");
  const std::string_view fingerprint = read_printable(body, "fingerprint", kFingerprintSizeMax);
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());
  const auto kept = call.on.scopes->keep_fingerprint(scope_of_path(call), fingerprint);
  if (!kept) return answer_problem(call, kept.error());
  JsonWriter json;
  json.begin_object().key("fingerprint").value(*kept).end_object();
  return answer_json(call, json);
}

Outcome list_ranges(Call& call) {
  static constexpr std::array<std::string_view, 2> kNames = {"count", "number"};
  Query query(call.request.query, kNames);
  const auto count = query.number("count", 0, kRangesMax);
  const auto number = query.number("number", 0, INT64_MAX);
  if (count && number) {
    query.refuse(Fault::out_of_range, "number", "'count' and 'number' exclude each other");
  }
  if (query.has_fault()) {
    query.set_problem(call.answer);
    return Outcome::done;
  }
  std::vector<RangeRecord> records;
  if (number) {
    auto record = call.on.scopes->range_of(call.path[2], static_cast<std::int64_t>(*number));
    if (!record) return answer_problem(call, record.error());
    if (*record) records.push_back(**std::move(record));
  } else {
    auto ranges = call.on.scopes->ranges(call.path[2], count.value_or(100));
    if (!ranges) return answer_problem(call, ranges.error());
    records = *std::move(ranges);
  }
  JsonWriter json;
  json.begin_object().key("ranges").begin_array();
  for (const RangeRecord& record : records) write_record(json, record);
  json.end_array().end_object();
  return answer_json(call, json);
}

}  // namespace tessera::service
