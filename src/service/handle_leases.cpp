// Machine numbers: claimed, renewed and released by other services, and shown to operators.

#include <array>
#include <string>

#include "service/handlers.h"
#include "service/json_body.h"
#include "service/scope_json.h"
#include "tessera/lease/rules.h"
#include "tessera/lease/store.h"
#include "tessera/snowflake.h"

namespace tessera::service {
namespace {

using std::chrono::milliseconds;

// Null and a problem, if there is none.
LeaseStore* leases_of(Call& call) {
  if (call.on.leases == nullptr) {
    set_problem(call.answer,
                Error{Error::Code::not_found, "this service leases no machine numbers", ""});
  }
  return call.on.leases;
}

milliseconds read_span(JsonBody& body, std::string_view key, milliseconds min, milliseconds max,
                       milliseconds usual) {
  const auto span = body.number(key, static_cast<std::uint64_t>(min.count()),
                                static_cast<std::uint64_t>(max.count()));
  return span ? milliseconds(static_cast<std::int64_t>(*span)) : usual;
}

LeaseTerms read_terms(JsonBody& body) {
  const LeaseTerms usual;
  return {read_span(body, "ttl_ms", LeaseTerms::kTtlMin, LeaseTerms::kTtlMax, usual.ttl),
          read_span(body, "reserve_ms", LeaseTerms::kReserveMin, LeaseTerms::kReserveMax,
                    usual.reserve),
          read_span(body, "quarantine_ms", milliseconds(0), LeaseTerms::kQuarantineMax,
                    usual.quarantine)};
}

std::uint32_t read_machine(JsonBody& body, std::string_view key, std::uint64_t usual) {
  return static_cast<std::uint32_t>(body.number(key, 0, ClaimRequest::kMachineMax).value_or(usual));
}

std::int64_t read_token(JsonBody& body) {
  body.require("token");
  const auto text = body.text("token");
  const auto number = text ? parse_whole(*text) : std::nullopt;
  if (number && *number > 0 && *number <= INT64_MAX) return static_cast<std::int64_t>(*number);
  if (text) {
    body.refuse(Fault::out_of_range, "token",
                "'token' must be the whole number that the claim gave, as a text");
  }
  return 1;
}

// Of a path that ends with a verb: "7:renew". Nothing and a problem, if it is none.
std::optional<std::uint32_t> machine_of_path(Call& call) {
  const std::string_view part = call.path[3];
  const auto machine = parse_whole(part.substr(0, part.rfind(':')));
  if (machine && *machine <= ClaimRequest::kMachineMax) {
    return static_cast<std::uint32_t>(*machine);
  }
  set_problem(call.answer, Fault::invalid_path, "a machine number is 0 to 4294967295");
  return std::nullopt;
}

// Times have no more than 53 bits.
void write_reservation(JsonWriter& json, const Reservation& reservation) {
  json.key("ts_limit_ms").value(reservation.ts_limit_ms).key("now_ms").value(reservation.now_ms);
  json.key("ttl_ms").value(std::int64_t{reservation.ttl.count()});
}

void write_record(JsonWriter& json, const LeaseRecord& record) {
  json.begin_object().key("scope").value(record.scope).key("layout").value(record.layout);
  json.key("machine").value(std::uint64_t{record.machine});
  json.key("state").value(tessera::name_of(record.state));
  write_number(json, "token", record.token);
  json.key("holder").value(record.holder).key("claimed_ms").value(record.claimed_ms);
  json.key("expires_ms").value(record.expires_ms).key("free_ms").value(record.free_ms);
  json.key("ts_limit_ms").value(record.ts_limit_ms).end_object();
}

}  // namespace

Outcome claim_lease(Call& call) {
  static constexpr std::array<std::string_view, 7> kKeys = {
      "layout", "machine_min", "machine_max", "holder", "ttl_ms", "reserve_ms", "quarantine_ms"};
  JsonBody body(call.request.body, kKeys);
  body.require("layout");
  std::string layout(body.text("layout").value_or(""));
  const auto known = parse_snowflake_layout(layout);
  if (known) layout = snowflake_layout_text(*known);  // of a name, too
  ClaimRequest request{.scope = call.path[2], .layout = layout};
  request.machine_min = read_machine(body, "machine_min", 0);
  if (!known) body.require("machine_max");
  request.machine_max = read_machine(body, "machine_max", known ? known->machine_max() : 0);
  request.holder = read_printable(body, "holder", kHolderSizeMax);
  request.terms = read_terms(body);
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());
  LeaseStore* leases = leases_of(call);
  if (leases == nullptr) return Outcome::done;
  const auto lease = leases->claim(request);
  if (!lease) return answer_problem(call, lease.error());
  JsonWriter json;
  json.begin_object().key("scope").value(request.scope).key("layout").value(layout);
  json.key("machine").value(std::uint64_t{lease->machine});
  write_number(json, "token", lease->token);
  json.key("floor_ms").value(lease->floor_ms);
  write_reservation(json, lease->reservation);
  json.end_object();
  return answer_json(call, json);
}

Outcome renew_lease(Call& call) {
  static constexpr std::array<std::string_view, 4> kKeys = {"token", "ttl_ms", "reserve_ms",
                                                            "quarantine_ms"};
  JsonBody body(call.request.body, kKeys);
  RaiseRequest request{.scope = call.path[2]};
  request.token = read_token(body);
  request.terms = read_terms(body);
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());
  const auto machine = machine_of_path(call);
  LeaseStore* leases = machine ? leases_of(call) : nullptr;
  if (leases == nullptr) return Outcome::done;
  request.machine = *machine;
  const auto raised = leases->raise(request);
  if (!raised) return answer_problem(call, raised.error());
  JsonWriter json;
  json.begin_object();
  write_reservation(json, *raised);
  json.end_object();
  return answer_json(call, json);
}

Outcome release_lease(Call& call) {
  static constexpr std::array<std::string_view, 1> kKeys = {"token"};
  JsonBody body(call.request.body, kKeys);
  ReleaseRequest request{.scope = call.path[2]};
  request.token = read_token(body);
  if (body.fault() != nullptr) return answer_problem(call, *body.fault());
  const auto machine = machine_of_path(call);
  LeaseStore* leases = machine ? leases_of(call) : nullptr;
  if (leases == nullptr) return Outcome::done;
  request.machine = *machine;
  const auto record = leases->release(request);
  if (!record) return answer_problem(call, record.error());
  JsonWriter json;
  write_record(json, *record);
  return answer_json(call, json);
}

Outcome list_leases(Call& call) {
  static constexpr std::array<std::string_view, 3> kNames = {"scope", "page_size", "page_token"};
  Query query(call.request.query, kNames);
  const auto size = query.number("page_size", 1, LeaseListRequest::kPageSizeMax);
  if (query.has_fault()) {
    query.set_problem(call.answer);
    return Outcome::done;
  }
  LeaseStore* leases = leases_of(call);
  if (leases == nullptr) return Outcome::done;
  const LeaseListRequest usual;
  const auto page = leases->list({.scope = query.text("scope").value_or(""),
                                  .page_token = query.text("page_token").value_or(""),
                                  .page_size = size.value_or(usual.page_size)});
  if (!page) return answer_problem(call, page.error());
  JsonWriter json;
  json.begin_object().key("leases").begin_array();
  for (const LeaseRecord& record : page->items) write_record(json, record);
  json.end_array().key("next_page_token").value(page->next_token).end_object();
  return answer_json(call, json);
}

}  // namespace tessera::service
