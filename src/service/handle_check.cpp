// What can be said of IDs without asking anybody: inspect, check, range, odds.

#include <array>
#include <charconv>
#include <cmath>

#include "service/handlers.h"
#include "service/json_body.h"
#include "tessera/inspect.h"
#include "tessera/kind.h"
#include "tessera/odds.h"
#include "tessera/parse_error.h"
#include "tessera/range.h"
#include "tessera/time_text.h"
#include "tessera/verdict.h"

namespace tessera::service {
namespace {

constexpr std::size_t kCheckCountMax = 10'000;

struct Bounds {
  std::string smallest, largest;
};

template <class Id>
std::optional<Bounds> bounds_of(const std::optional<IdRange<Id>>& range) {
  if (!range) return std::nullopt;
  return Bounds{range->smallest.to_string(), range->largest.to_string()};
}

// Nothing: the kind does not reach there. Kinds that do not sort by time are refused before.
std::optional<Bounds> bounds_of(Kind kind, std::uint64_t from, std::uint64_t to) {
  switch (kind) {
    case Kind::ulid: return bounds_of(ulid_range(from, to));
    case Kind::uuidv6: return bounds_of(uuidv6_range(from, to));
    case Kind::uuidv7: return bounds_of(uuidv7_range(from, to));
    case Kind::objectid: return bounds_of(objectid_range(from, to));
    case Kind::ksuid: return bounds_of(ksuid_range(from, to));
    case Kind::snowflake: return bounds_of(snowflake_range(snowflake_layouts::kTwitter, from, to));
    default: return std::nullopt;
  }
}

bool sorts_by_time(Kind kind) noexcept {
  return kind == Kind::ulid || kind == Kind::uuidv6 || kind == Kind::uuidv7 ||
         kind == Kind::objectid || kind == Kind::ksuid || kind == Kind::snowflake;
}

// ISO 8601, or milliseconds since 1970.
std::uint64_t read_time(Query& query, std::string_view name) {
  query.require(name);
  const auto text = query.text(name);
  if (!text) return 0;
  if (const auto time_ms = parse_whole(*text); time_ms && *time_ms < (std::uint64_t{1} << 53)) {
    return *time_ms;
  }
  const auto time_ms = parse_time(*text);
  if (time_ms && *time_ms >= 0) return static_cast<std::uint64_t>(*time_ms);
  query.refuse(Fault::type_mismatch, name, "'" + printable(*text) + "' is no time since 1970",
               "As in 2026-01-31T09:00:00Z, or in milliseconds.");
  return 0;
}

std::optional<double> read_quantity(Query& query, std::string_view name, double min, double max) {
  const auto text = query.text(name);
  if (!text) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size() || !std::isfinite(number)) {
    query.refuse(Fault::type_mismatch, name, "'" + printable(*text) + "' is no number",
                 "As in 122, 0.001 or 1e9.");
    return std::nullopt;
  }
  if (number < min || number > max || (number == 0 && min == 0)) {
    query.refuse(Fault::out_of_range, name, "'" + std::string(name) + "' is out of range");
    return std::nullopt;
  }
  return number;
}

}  // namespace

Outcome inspect_id(Call& call) {
  const std::string_view text = call.path[2];
  call.answer.body = to_json(inspect(text, call.on.clock->now_ms(), &call.on.ids->types()));
  return Outcome::done;
}

Outcome check_ids(Call& call) {
  static constexpr std::array<std::string_view, 4> kKeys = {"ids", "as", "type", "strict"};
  JsonBody body(call.request.body, kKeys);
  body.require("ids");
  const auto ids = body.texts("ids", kCheckCountMax);
  Question question;
  question.now_ms = call.on.clock->now_ms();
  question.types = &call.on.ids->types();
  question.strict = body.truth("strict").value_or(false);
  if (const auto as = body.text("as"); as && !question.ask_for(*as)) {
    body.refuse(Fault::unsupported_kind, "as", "there is no kind '" + printable(*as) + "'");
  }
  if (const auto name = body.text("type")) {
    question.type = question.types->find_by_name(*name);
    if (question.as.empty()) question.as = "public";
    if (question.type == nullptr) {
      body.refuse(Fault::out_of_range, "type", "there is no type '" + printable(*name) + "'",
                  "GET /v1/types lists them.");
    } else if (question.as != "public") {
      body.refuse(Fault::unknown_field, "type", "'type' is for public IDs");
    }
  }
  if (question.strict && question.as.empty()) {
    body.refuse(Fault::missing_field, "as", "'strict' needs to know what it should be");
  }
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());

  JsonWriter json;
  std::uint64_t valid = 0;
  json.begin_object().key("results").begin_array();
  for (const std::string_view text : *ids) {
    const Verdict verdict = judge(question, text);
    valid += verdict.valid() ? 1U : 0U;
    write_fields(json, text, verdict);
    json.end_object();
  }
  json.end_array().key("valid").value(valid);
  json.key("invalid").value(std::uint64_t{ids->size()} - valid).end_object();
  return answer_json(call, json);
}

Outcome range_of_ids(Call& call) {
  static constexpr std::array<std::string_view, 3> kNames = {"kind", "from", "to"};
  Query query(call.request.query, kNames);
  query.require("kind");
  const std::string_view name = query.text("kind").value_or("");
  const auto kind = kind_of(name);
  if (!kind || name_of(*kind) != name || !sorts_by_time(*kind)) {
    query.refuse(Fault::unsupported_kind, "kind", "'" + printable(name) + "' does not sort by time",
                 "ulid, uuidv6, uuidv7, snowflake, objectid and ksuid do.");
  }
  const std::uint64_t from = read_time(query, "from");
  const std::uint64_t to = read_time(query, "to");
  if (!query.has_fault() && to <= from) {
    query.refuse(Fault::out_of_range, "to", "the span is empty",
                 "'from' is part of the span, 'to' is not.");
  }
  const auto bounds = query.has_fault() ? std::nullopt : bounds_of(*kind, from, to);
  if (!bounds) query.refuse(Fault::out_of_range, "to", "the kind cannot tell all these times");
  if (query.has_fault()) {
    query.set_problem(call.answer);
    return Outcome::done;
  }
  JsonWriter json;
  json.begin_object().key("kind").value(name);
  json.key("from").value(time_text(static_cast<std::int64_t>(from)).view());
  json.key("to").value(time_text(static_cast<std::int64_t>(to)).view());
  json.key("smallest").value(bounds->smallest).key("largest").value(bounds->largest).end_object();
  return answer_json(call, json);
}

Outcome odds_of_ids(Call& call) {
  static constexpr std::array<std::string_view, 3> kNames = {"bits", "count", "probability"};
  Query query(call.request.query, kNames);
  auto bits = read_quantity(query, "bits", 1, 1000);
  auto count = read_quantity(query, "count", 1, 1e300);
  const auto probability = read_quantity(query, "probability", 0, 1);
  const int given = (bits ? 1 : 0) + (count ? 1 : 0) + (probability ? 1 : 0);
  if (given != 2) {
    query.refuse(Fault::missing_field, bits ? "count" : "bits",
                 "two of bits, count and probability are needed");
  }
  if (query.has_fault()) {
    query.set_problem(call.answer);
    return Outcome::done;
  }
  if (!bits) bits = std::ceil(bits_for(*count, *probability));
  if (!count) count = count_for_probability(*bits, *probability);
  // The odds as they are; what was asked for may have been rounded.
  const double odds = collision_probability(*bits, *count);
  JsonWriter json;
  json.begin_object().key("bits").value(*bits).key("count").value(*count);
  json.key("probability").value(odds).key("words").value(odds_in_words(odds)).end_object();
  return answer_json(call, json);
}

}  // namespace tessera::service
