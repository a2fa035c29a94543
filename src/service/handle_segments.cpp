// Numbers and their scopes: drawn by other services, and shown to operators.

#include <algorithm>
#include <array>

#include "service/handlers.h"
#include "service/json_body.h"
#include "service/scope_json.h"
#include "tessera/parse_error.h"
#include "tessera/segment/delegate.h"
#include "tessera/segment/id_service.h"
#include "tessera/time_text.h"

namespace tessera::service {
namespace {

void write_draw(JsonWriter& json, const Draw& draw) {
  json.begin_object();
  write_segment(json, draw.segment);
  write_number(json, "epoch", draw.epoch);
  write_number(json, "number", draw.number);
  json.key("repeated").value(draw.repeated).end_object();
}

// How this process does with the scope.
void write_status(JsonWriter& json, const AllocatorStatus& status) {
  json.key("status").begin_object().key("health").value(tessera::name_of(status.health));
  json.key("runway_s").value(status.runway_s).key("rate").value(status.rate);
  json.key("cached").value(status.cached).key("waiters").value(status.waiters);
  json.key("draws").value(status.draws).key("drawn").value(status.drawn);
  json.key("issued").value(status.issued).key("abandoned").value(status.abandoned);
  json.key("failures").value(status.failures).end_object();
}

// The list of all, or a problem.
std::optional<std::vector<ScopeState>> all_scopes(Call& call) {
  if (call.on.scopes == nullptr) return std::vector<ScopeState>();
  auto list = call.on.scopes->list();
  if (list) return *std::move(list);
  set_problem(call.answer, list.error());
  return std::nullopt;
}

}  // namespace

Outcome draw_segment(Call& call) {
  static constexpr std::array<std::string_view, 3> kKeys = {"count", "key", "holder"};
  JsonBody body(call.request.body, kKeys);
  body.require("count");
  DrawRequest request{.scope = call.path[2]};
  request.key = read_printable(body, "key", kKeySizeMax);
  const bool delegates = is_delegation_key(request.key);
  request.count = body.number("count", 1, delegates ? kDelegateMax : Scope::kDrawMax).value_or(1);
  request.holder = read_printable(body, "holder", kHolderSizeMax);
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());
  if (delegates && !call.may(Ability::admin)) {
    return answer_problem(call, Fault::forbidden, "only an admin makes a scope of a range");
  }
  const auto draw = call.on.segments->draw(request);
  if (!draw) return answer_problem(call, draw.error());
  call.answer.replayed = draw->repeated;
  JsonWriter json;
  write_draw(json, *draw);
  return answer_json(call, json);
}

Outcome take_numbers(Call& call) {
  static constexpr std::array<std::string_view, 2> kKeys = {"count", "key"};
  JsonBody body(call.request.body, kKeys);
  const std::uint64_t count = body.number("count", 1, Scope::kDrawMax).value_or(1);
  const std::string_view key = read_printable(body, "key", kKeySizeMax);
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());

  IdService& ids = *call.on.ids;
  const std::string_view scope = call.path[2];
  const SegmentAllocator* allocator = ids.allocator(scope);
  const bool strict = allocator != nullptr && allocator->order() == Scope::Order::strict;
  const bool may_wait = call.request.may_wait;
  if (!may_wait && (strict || count > 1 || !key.empty())) return Outcome::must_wait;
  JsonWriter json;
  json.begin_object().key("segments").begin_array();
  if (!key.empty()) {
    const auto draw = ids.next_longs_once(scope, count, key);
    if (!draw) return answer_problem(call, draw.error());
    call.answer.replayed = draw->repeated;
    json.begin_object();
    write_segment(json, draw->segment);
    json.end_object();
  } else {
    const auto wait = may_wait ? IdService::kWait : std::chrono::milliseconds(0);
    const auto segments = ids.next_longs(scope, count, wait);
    if (!segments) {
      const bool later = !may_wait && segments.error().code == Error::Code::timed_out;
      return later ? Outcome::must_wait : answer_problem(call, segments.error());
    }
    for (const Segment& segment : *segments) {
      json.begin_object();
      write_segment(json, segment);
      json.end_object();
    }
  }
  json.end_array().end_object();
  return answer_json(call, json);
}

Outcome list_segments(Call& call) {
  const auto scopes = all_scopes(call);
  if (!scopes) return Outcome::done;
  JsonWriter json;
  json.begin_object().key("segments").begin_array();
  for (const ScopeState& state : *scopes) write_state(json, state);
  json.end_array().end_object();
  return answer_json(call, json);
}

Outcome get_segment(Call& call) {
  const auto state = call.on.segments->find(call.path[2]);
  if (!state) return answer_problem(call, state.error());
  JsonWriter json;
  write_state(json, *state);
  return answer_json(call, json);
}

Outcome list_scopes(Call& call) {
  const auto scopes = all_scopes(call);
  if (!scopes) return Outcome::done;
  JsonWriter json;
  json.begin_object().key("scopes").begin_array();
  for (const ScopeState& state : *scopes) {
    json.begin_object();
    write_scope(json, state.scope);
    if (call.may(Ability::admin)) write_progress(json, state);
    const SegmentAllocator* allocator = call.on.ids->allocator(state.scope.name);
    const bool told = call.request.internal || call.may(Ability::admin);
    if (told && allocator != nullptr) write_status(json, allocator->status());
    json.end_object();
  }
  json.end_array().end_object();
  return answer_json(call, json);
}

Outcome list_types(Call& call) {
  JsonWriter json;
  json.begin_object().key("types").begin_array();
  for (const ResourceType* type : call.on.ids->types().types()) {
    json.begin_object().key("name").value(type->name).key("prefix").value(type->prefix);
    json.key("style").value(tessera::name_of(type->style));
    json.key("separator").value(std::string_view(&type->separator, 1));
    const RegisteredType* kept =
        call.on.registry == nullptr ? nullptr : call.on.registry->types().find(type->name);
    json.key("collection");
    kept == nullptr ? json.null() : json.value(kept->declared.collection);
    json.key("parent");
    kept == nullptr || kept->parent == nullptr ? json.null() : json.value(kept->parent->name());
    json.end_object();
  }
  json.end_array().end_object();
  return answer_json(call, json);
}

}  // namespace tessera::service
