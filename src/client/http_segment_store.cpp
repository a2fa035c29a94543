// Scopes of another Tessera.

#include "tessera/client/http_segment_store.h"

#include <algorithm>
#include <utility>

#include "client/answer.h"
#include "client/request.h"
#include "tessera/json.h"

namespace tessera {
namespace {

using Method = HttpCall::Method;

// The rules of a whole scope have words for what is wrong with its name.
std::optional<Error> fault_of_name(std::string_view scope) {
  if (!scope_name_fault(scope)) return std::nullopt;
  return fault_of(Scope{.name = std::string(scope)});
}

std::string path_of(std::string_view scope, std::string_view rest = {}) {
  return "/v1/segments/" + std::string(scope) + std::string(rest);
}

void write_long(JsonWriter& out, std::string_view key, std::int64_t number) {
  out.key(key).value(std::string_view(std::to_string(number)));
}

std::optional<ScopeState> state_of(const Json& object) {
  const auto name = text_in(object, "name");
  const auto min = long_in(object, "min");
  const auto max = long_in(object, "max");
  const Json* step_value = object.find("step");
  const auto step = step_value == nullptr ? std::nullopt : step_value->number();
  const auto order = text_in(object, "order");
  const auto js_safe = truth_in(object, "js_safe");
  const auto high_water = long_in(object, "high_water");
  const auto epoch = long_in(object, "epoch");
  const auto draws = long_in(object, "draws");
  if (!name || !min || !max || !step || !order || !js_safe || !high_water || !epoch || !draws) {
    return std::nullopt;
  }
  ScopeState state;
  state.scope = {.name = std::string(*name),
                 .min = *min,
                 .max = *max,
                 .step = *step,
                 .order = *order == "strict" ? Scope::Order::strict : Scope::Order::process,
                 .js_safe = *js_safe};
  // What is handed out later is reckoned from these.
  if (fault_of(state.scope) || *high_water < *min - 1 || *high_water > *max) return std::nullopt;
  state.high_water = *high_water;
  state.epoch = *epoch;
  state.draws = *draws;
  state.updated_ms = time_in(object, "updated").value_or(0);
  return state;
}

std::optional<Segment> segment_of(const Json& object) {
  const auto first = unsigned_in(object, "first");
  const auto end = unsigned_in(object, "end");
  constexpr std::uint64_t kEndMax = std::uint64_t{1} << 63;
  if (!first || !end || *first >= *end || *end > kEndMax) return std::nullopt;
  return Segment{*first, *end};
}

std::optional<RangeRecord> record_of(const Json& object) {
  const auto scope = text_in(object, "scope");
  const auto segment = segment_of(object);
  const auto epoch = long_in(object, "epoch");
  const auto number = long_in(object, "number");
  const auto holder = text_in(object, "holder");
  const auto key = text_in(object, "key");
  if (!scope || !segment || !epoch || !number || !holder || !key) return std::nullopt;
  return RangeRecord{.scope = std::string(*scope),
                     .epoch = *epoch,
                     .number = *number,
                     .segment = *segment,
                     .holder = std::string(*holder),
                     .key = key->starts_with(kOwnKey) ? "" : std::string(*key),
                     .drawn_ms = time_in(object, "drawn").value_or(0)};
}

// The objects of a list; nothing, if it is none.
template <class Item, class Read>
std::optional<std::vector<Item>> items_in(const Json& object, std::string_view key,
                                          const Read& read) {
  const Json* list = object.find(key);
  if (list == nullptr || !list->is_list()) return std::nullopt;
  std::vector<Item> items;
  for (const Json& value : list->items()) {
    auto item = value.is_object() ? read(value) : std::nullopt;
    if (!item) return std::nullopt;
    items.push_back(*std::move(item));
  }
  return items;
}

}  // namespace

Result<Draw, Error> HttpSegmentStore::draw(const DrawRequest& request) {
  if (auto fault = fault_of_name(request.scope)) return Failure{*std::move(fault)};
  const std::string own = request.key.empty() ? make_own_key(entropy_) : "";
  if (request.key.empty() && own.empty()) {
    return Failure{Error{Error::Code::store_unavailable, "there is no entropy for a key", ""}};
  }
  JsonWriter body;
  body.begin_object().key("count").value(request.count).key("holder").value(request.holder);
  body.key("key").value(own.empty() ? request.key : std::string_view(own)).end_object();
  const auto answer = client_->ask({.method = Method::post,
                                    .target = path_of(request.scope),
                                    .body = body.take(),
                                    .timeout = request.timeout});
  if (!answer) return Failure{answer.error()};
  if (answer->status != 200) return Failure{error_of(*answer)};
  const auto object = object_in(answer->body);
  const auto segment = object ? segment_of(*object) : std::nullopt;
  if (!segment || segment->size() != request.count) return Failure{odd_answer("the range")};
  const auto epoch = long_in(*object, "epoch");
  const auto number = long_in(*object, "number");
  const auto repeated = truth_in(*object, "repeated");
  if (!epoch || !number || !repeated) return Failure{odd_answer("a whole draw")};
  // With a key of our own nobody has seen the range yet.
  return Draw{*segment, *epoch, *number, *repeated && own.empty()};
}

Result<ScopeState, Error> HttpSegmentStore::ask_for_state(const HttpCall& call) {
  const auto answer = client_->ask(call);
  if (!answer) return Failure{answer.error()};
  if (answer->status != 200) return Failure{error_of(*answer)};
  const auto object = object_in(answer->body);
  auto state = object ? state_of(*object) : std::nullopt;
  if (!state) return Failure{odd_answer("the scope")};
  return *std::move(state);
}

Result<ScopeState, Error> HttpSegmentStore::find(std::string_view scope) {
  if (auto fault = fault_of_name(scope)) return Failure{*std::move(fault)};
  return ask_for_state({.target = path_of(scope)});
}

Result<std::vector<ScopeState>, Error> HttpSegmentStore::list() {
  const auto answer = client_->ask({.target = "/v1/segments"});
  if (!answer) return Failure{answer.error()};
  if (answer->status != 200) return Failure{error_of(*answer)};
  const auto object = object_in(answer->body);
  auto states = object ? items_in<ScopeState>(*object, "segments", state_of) : std::nullopt;
  if (!states) return Failure{odd_answer("the scopes")};
  return *std::move(states);
}

Result<ScopeState, Error> HttpSegmentStore::create(const Scope& scope) {
  if (auto fault = fault_of(scope)) return Failure{*std::move(fault)};
  JsonWriter body;
  body.begin_object().key("name").value(scope.name);
  write_long(body, "min", scope.min);
  write_long(body, "max", scope.max);
  body.key("step").value(scope.step);
  body.key("order").value(scope.order == Scope::Order::strict ? "strict" : "process");
  body.key("js_safe").value(scope.js_safe).end_object();
  return ask_for_state({.method = Method::post, .target = "/v1/segments", .body = body.take()});
}

// Neither this nor the next is asked for twice: somebody may have said something else meanwhile.
Result<ScopeState, Error> HttpSegmentStore::set_step(std::string_view scope, std::int64_t step) {
  if (auto fault = fault_of_name(scope)) return Failure{*std::move(fault)};
  JsonWriter body;
  body.begin_object().key("step").value(step).end_object();
  return ask_for_state({.method = Method::post,
                        .target = path_of(scope, ":set-step"),
                        .body = body.take(),
                        .repeatable = false});
}

Result<ScopeState, Error> HttpSegmentStore::advance(std::string_view scope,
                                                    std::int64_t high_water) {
  if (auto fault = fault_of_name(scope)) return Failure{*std::move(fault)};
  JsonWriter body;
  body.begin_object();
  write_long(body, "high_water", high_water);
  body.end_object();
  return ask_for_state({.method = Method::post,
                        .target = path_of(scope, ":advance"),
                        .body = body.take(),
                        .repeatable = false});
}

Result<std::string, Error> HttpSegmentStore::keep_fingerprint(std::string_view scope,
                                                              std::string_view fingerprint) {
  if (auto fault = fault_of_name(scope)) return Failure{*std::move(fault)};
  JsonWriter body;
  body.begin_object().key("fingerprint").value(fingerprint).end_object();
  const auto answer = client_->ask(
      {.method = Method::post, .target = path_of(scope, ":keep-fingerprint"), .body = body.take()});
  if (!answer) return Failure{answer.error()};
  if (answer->status != 200) return Failure{error_of(*answer)};
  const auto object = object_in(answer->body);
  const auto kept = object ? text_in(*object, "fingerprint") : std::nullopt;
  if (!kept) return Failure{odd_answer("the fingerprint")};
  return std::string(*kept);
}

Result<std::vector<RangeRecord>, Error> HttpSegmentStore::ask_for_ranges(std::string_view scope,
                                                                         const std::string& query) {
  if (auto fault = fault_of_name(scope)) return Failure{*std::move(fault)};
  const auto answer = client_->ask({.target = path_of(scope, "/ranges?" + query)});
  if (!answer) return Failure{answer.error()};
  if (answer->status != 200) return Failure{error_of(*answer)};
  const auto object = object_in(answer->body);
  auto records = object ? items_in<RangeRecord>(*object, "ranges", record_of) : std::nullopt;
  if (!records) return Failure{odd_answer("the ranges")};
  return *std::move(records);
}

Result<std::optional<RangeRecord>, Error> HttpSegmentStore::range_of(std::string_view scope,
                                                                     std::int64_t number) {
  // No number is below 0; whether the scope is there must be asked all the same.
  auto records = ask_for_ranges(scope, number < 0 ? "count=0" : "number=" + std::to_string(number));
  if (!records) return Failure{records.error()};
  if (records->empty()) return std::optional<RangeRecord>();
  return std::optional<RangeRecord>(std::move(records->front()));
}

Result<std::vector<RangeRecord>, Error> HttpSegmentStore::ranges(std::string_view scope,
                                                                 std::size_t count_max) {
  return ask_for_ranges(scope, "count=" + std::to_string(std::min(count_max, kRangesMax)));
}

}  // namespace tessera
