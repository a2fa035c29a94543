// The registry: created, looked up, retired, brought back, listed, resolved.
//
//    /v1/tenants/acme/stores/st_01…/products/prd_01…       the resource name behind /v1/
//
// A thing of a type that has a parent is found by its whole name, and by its collection and ID
// alone.

#include <algorithm>
#include <array>

#include "service/handlers.h"
#include "service/json_body.h"
#include "tessera/parse_error.h"
#include "tessera/registry/port.h"
#include "tessera/registry/store.h"
#include "tessera/time_text.h"

namespace tessera::service {
namespace {

constexpr std::size_t kFrontSize = 3;  // v1, tenants, the tenant
constexpr std::string_view kUndelete = ":undelete";

// A path of the registry, taken apart.
struct Place {
  std::string_view tenant;
  const RegisteredType* type = nullptr;  // of the last collection
  std::string parent{};                  // the name of what the last collection is in; may be empty
  std::string text{};                    // of the thing: its whole name, or its ID alone
  std::size_t front_size = 0;            // of `text` before the ID
};

// Null and a problem, if there is no such collection.
std::optional<Place> place_of(Call& call, std::string_view verb = {}) {
  if (call.on.registry == nullptr) {
    set_problem(call.answer, Fault::no_route, "no type is kept here",
                "Declare types with a collection in tessera.yaml.");
    return std::nullopt;
  }
  Place place;
  place.tenant = call.path[kFrontSize - 1];
  const auto parts = call.path.parts().subspan(kFrontSize);
  const std::size_t last = (parts.size() - 1) / 2 * 2;  // where the last collection stands
  place.type = call.on.registry->types().find_by_collection(parts[last]);
  if (place.type == nullptr) {
    set_problem(call.answer, Fault::no_route,
                "there is no collection '" + printable(parts[last]) + "'",
                "GET /v1/types lists them.");
    return std::nullopt;
  }
  std::string name = "tenants/" + std::string(place.tenant);
  for (std::size_t i = 0; i < last; ++i) name += "/" + std::string(parts[i]);
  if (last > 0) place.parent = name;
  if (parts.size() % 2 == 0) {
    std::string_view id = parts.back();
    id.remove_suffix(verb.size());
    const bool whole = last > 0 || place.type->parent == nullptr;
    if (whole) place.text = name + "/" + std::string(parts[last]) + "/";
    place.front_size = place.text.size();
    place.text += id;
  }
  return place;
}

// The same for what is nobody's and what is somebody else's.
void set_never_issued(Answer& answer) { set_problem(answer, Fault::never_issued); }

void write_times(JsonWriter& json, const LookUp& found) {
  if (found.state == LookUp::State::live) {
    json.key("name").value(found.name);
    json.key("created").value(time_text(static_cast<std::int64_t>(found.created_ms)).view());
  }
  if (found.deleted_ms) {
    json.key("deleted").value(time_text(static_cast<std::int64_t>(*found.deleted_ms)).view());
  }
}

Outcome answer_with(Call& call, const LookUp& found, std::optional<std::int64_t> key = {}) {
  JsonWriter json;
  json.begin_object().key("id").value(found.id).key("type").value(found.type->name());
  json.key("state").value(name_of(found.state));
  write_times(json, found);
  if (key && call.may_see_keys()) write_number(json, "key", *key);
  json.end_object();
  return answer_json(call, json);
}

// When it was, if that may be told.
std::string deleted_text(const LookUp& found) {
  if (!found.deleted_ms) return "";
  return time_text(static_cast<std::int64_t>(*found.deleted_ms)).to_string();
}

// What is not live, as a problem. `place` is where the text came from.
Outcome answer_not_live(Call& call, const LookUp& found, const Place& place) {
  if (found.state == LookUp::State::deleted) {
    const std::string when = deleted_text(found);
    return answer_problem(call, Fault::deleted, when.empty() ? "" : "it was deleted at " + when, "",
                          when);
  }
  if (found.state == LookUp::State::never_issued || !found.fault) {
    set_never_issued(call.answer);
    return Outcome::done;
  }
  if (found.alias) {
    return answer_problem(call, Fault::never_issued, "a chosen name stands where an ID could");
  }
  // Told of the ID, as it was typed. What is wrong before it is wrong with the path.
  const std::size_t front = found.fault->offset >= place.front_size ? place.front_size : 0;
  const std::string_view text = std::string_view(place.text).substr(front);
  std::string_view correction = found.correction;
  if (correction.size() > front) correction.remove_prefix(front);
  return answer_problem(
      call, ParseError{found.fault->code, found.fault->offset - static_cast<std::uint32_t>(front)},
      text, correction);
}

// A good ID of another collection than the path says.
bool is_elsewhere(const LookUp& found, const Place& place) noexcept {
  return found.type != nullptr && found.type != place.type;
}

Outcome answer_mismatch(Call& call, const Place& place) {
  return answer_problem(call, ParseError{ParseError::Code::prefix_mismatch, 0},
                        std::string_view(place.text).substr(place.front_size), std::string_view());
}

Outcome answer_found(Call& call, const Result<LookUp, Error>& found, const Place& place) {
  if (!found) return answer_problem(call, found.error());
  if (is_elsewhere(*found, place)) return answer_mismatch(call, place);
  if (found->state != LookUp::State::live) return answer_not_live(call, *found, place);
  return answer_with(call, *found);
}

// As RFC drafts have it: quotes around it are not part of it. False and a problem if it is none.
bool read_idempotency_key(Call& call, std::string_view& key) {
  key = call.request.idempotency_key;
  if (key.data() == nullptr) return true;
  if (key.size() >= 2 && key.starts_with('"') && key.ends_with('"')) {
    key = key.substr(1, key.size() - 2);
  }
  const bool good = !key.empty() && key.size() <= CreateRequest::kKeySizeMax &&
                    std::ranges::all_of(key, [](char c) { return c > 0x20 && c < 0x7F; });
  if (!good) {
    set_problem(call.answer, Fault::invalid_idempotency_key,
                "a key is 1 to 128 printable characters without blanks");
  }
  return good;
}

void write(JsonWriter& json, const ListedResource& item, const Call& call) {
  json.begin_object().key("id").value(item.id).key("name");
  item.name.empty() ? json.null() : json.value(item.name);
  json.key("created").value(time_text(static_cast<std::int64_t>(item.created_ms)).view());
  if (item.deleted_ms) {
    json.key("deleted").value(time_text(static_cast<std::int64_t>(*item.deleted_ms)).view());
  }
  if (call.may_see_keys()) write_number(json, "key", item.key);
  json.end_object();
}

void write(JsonWriter& json, const NewResource& made, const Call& call) {
  json.begin_object().key("id").value(made.id).key("name").value(made.name);
  if (call.may_see_keys()) write_number(json, "key", made.key);
  json.end_object();
}

}  // namespace

Outcome create_resource(Call& call) {
  static constexpr std::array<std::string_view, 1> kKeys = {"count"};
  const auto place = place_of(call);
  if (!place) return Outcome::done;
  std::string_view key;
  if (!read_idempotency_key(call, key)) return Outcome::done;
  JsonBody body(call.request.body, kKeys);
  const auto count = body.number("count", 1, CreateRequest::kEntriesMax);
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());

  const auto made =
      call.on.registry->create_many(place->tenant, place->type->name(), count.value_or(1),
                                    {.parent = place->parent, .idempotency_key = key});
  if (!made) return answer_problem(call, made.error());
  call.answer.replayed = made->front().repeated;
  JsonWriter json;
  if (!count) {
    call.answer.location = "/v1/" + made->front().name;
    write(json, made->front(), call);
    return answer_json(call, json, 201);
  }
  json.begin_object().key("items").begin_array();
  for (const NewResource& one : *made) write(json, one, call);
  json.end_array().end_object();
  return answer_json(call, json, 201);
}

Outcome get_resource(Call& call) {
  const auto place = place_of(call);
  if (!place) return Outcome::done;
  const auto found = call.on.registry->look_up(place->tenant, place->text);
  const Outcome outcome = answer_found(call, found, *place);
  if (call.answer.status != 200) return outcome;
  // Nothing of a live thing changes: the moment of its creation says which one it is.
  set_etag(call, "\"" + std::to_string(found->created_ms) + "\"", "private, no-cache");
  return outcome;
}

Outcome retire_resource(Call& call) {
  const auto place = place_of(call);
  if (!place) return Outcome::done;
  const auto before = call.on.registry->look_up(place->tenant, place->text);
  if (!before) return answer_problem(call, before.error());
  if (is_elsewhere(*before, *place)) return answer_mismatch(call, *place);
  const auto after = call.on.registry->retire(place->tenant, place->text);
  if (!after) return answer_problem(call, after.error());
  // Who deletes it again is told that it was gone.
  if (before->state != LookUp::State::live) return answer_not_live(call, *before, *place);
  return answer_with(call, *after);
}

Outcome undelete_resource(Call& call) {
  const auto place = place_of(call, kUndelete);
  if (!place) return Outcome::done;
  const JsonBody body(call.request.body, {});
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());
  const auto before = call.on.registry->look_up(place->tenant, place->text);
  if (before && is_elsewhere(*before, *place)) return answer_mismatch(call, *place);
  const auto found = call.on.registry->undelete(place->tenant, place->text);
  if (found && found->state == LookUp::State::deleted) {
    return answer_problem(
        call, Fault::cannot_undelete,
        "its type does not allow it, the time for it is over, or its parent ended", "",
        deleted_text(*found));
  }
  return answer_found(call, found, *place);
}

Outcome list_resources(Call& call) {
  static constexpr std::array<std::string_view, 3> kNames = {"page_token", "page_size", "state"};
  const auto place = place_of(call);
  if (!place) return Outcome::done;
  Query query(call.request.query, kNames);
  const auto size = query.number("page_size", 1, RegistryPort::kPageSizeMax);
  const std::string_view state = query.text("state").value_or("live");
  if (query.has_fault()) {
    query.set_problem(call.answer);
    return Outcome::done;
  }
  if (state != "live" && state != "deleted") {
    return answer_problem(call, Fault::out_of_range, "'state' is live or deleted");
  }
  const auto page = call.on.registry->list(place->tenant, place->type->name(),
                                           {.parent = place->parent,
                                            .deleted = state == "deleted",
                                            .page_token = query.text("page_token").value_or(""),
                                            .page_size = size.value_or(100)});
  if (!page) return answer_problem(call, page.error());
  JsonWriter json;
  json.begin_object().key("items").begin_array();
  for (const ListedResource& item : page->items) write(json, item, call);
  json.end_array().key("next_page_token").value(page->next_token).end_object();
  return answer_json(call, json);
}

Outcome resolve_resource(Call& call) {
  static constexpr std::array<std::string_view, 2> kNames = {"tenant", "id"};
  Query query(call.request.query, kNames);
  query.require("tenant");
  query.require("id");
  if (query.has_fault()) {
    query.set_problem(call.answer);
    return Outcome::done;
  }
  if (call.on.registry == nullptr) {
    return answer_problem(call, Fault::no_route, "no type is kept here");
  }
  Place place;
  place.tenant = *query.text("tenant");
  place.text = *query.text("id");
  const auto found = call.on.registry->resolve(place.tenant, place.text);
  if (!found) return answer_problem(call, found.error());
  if (found->answer.state != LookUp::State::live) {
    return answer_not_live(call, found->answer, place);
  }
  return answer_with(call, found->answer, found->key);
}

}  // namespace tessera::service
