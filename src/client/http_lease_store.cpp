// Machine numbers of another Tessera.

#include "tessera/client/http_lease_store.h"

#include <utility>

#include "client/answer.h"
#include "client/request.h"
#include "tessera/json.h"
#include "tessera/lease/rules.h"

namespace tessera {
namespace {

using Method = HttpCall::Method;
using std::chrono::milliseconds;

std::string path_of(std::string_view scope) { return "/v1/leases/" + std::string(scope); }

std::string path_of(std::string_view scope, std::uint32_t machine, std::string_view verb) {
  return path_of(scope) + "/" + std::to_string(machine) + ":" + std::string(verb);
}

void write_token(JsonWriter& out, std::int64_t token) {
  out.key("token").value(std::string_view(std::to_string(token)));
}

void write_terms(JsonWriter& out, const LeaseTerms& terms) {
  out.key("ttl_ms").value(std::int64_t{terms.ttl.count()});
  out.key("reserve_ms").value(std::int64_t{terms.reserve.count()});
  out.key("quarantine_ms").value(std::int64_t{terms.quarantine.count()});
}

// A time in milliseconds, or a machine number: a number, and no text.
std::optional<std::uint64_t> number_in(const Json& object, std::string_view key,
                                       std::int64_t max = 9'000'000'000'000) {
  const Json* value = object.find(key);
  const auto number = value == nullptr ? std::nullopt : value->number();
  if (!number || *number < 0 || *number > max) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::optional<std::uint32_t> machine_in(const Json& object) {
  const auto machine = number_in(object, "machine", ClaimRequest::kMachineMax);
  if (!machine) return std::nullopt;
  return static_cast<std::uint32_t>(*machine);
}

std::optional<std::int64_t> token_in(const Json& object) {
  const auto token = long_in(object, "token");
  return token && *token > 0 ? token : std::nullopt;
}

std::optional<Reservation> reservation_of(const Json& object, const LeaseTerms& terms) {
  const auto ts_limit_ms = number_in(object, "ts_limit_ms");
  const auto now_ms = number_in(object, "now_ms");
  const auto ttl_ms = number_in(object, "ttl_ms");
  // One that is shorter than what was asked for would end before its holder thinks so.
  if (!ts_limit_ms || !now_ms || !ttl_ms || std::cmp_less(*ttl_ms, terms.ttl.count())) {
    return std::nullopt;
  }
  return Reservation{*ts_limit_ms, *now_ms, terms.ttl};
}

std::optional<LeaseRecord> record_of(const Json& object) {
  using State = LeaseRecord::State;
  const auto scope = text_in(object, "scope");
  const auto layout = text_in(object, "layout");
  const auto machine = machine_in(object);
  const auto state = text_in(object, "state");
  const auto token = token_in(object);
  const auto holder = text_in(object, "holder");
  const auto claimed_ms = number_in(object, "claimed_ms");
  const auto expires_ms = number_in(object, "expires_ms");
  const auto free_ms = number_in(object, "free_ms");
  const auto ts_limit_ms = number_in(object, "ts_limit_ms");
  if (!scope || !layout || !machine || !state || !token || !holder || !claimed_ms || !expires_ms ||
      !free_ms || !ts_limit_ms) {
    return std::nullopt;
  }
  if (fault_of_lease_scope(*scope)) return std::nullopt;
  LeaseRecord record;
  record.scope = *scope;
  record.layout = *layout;
  record.machine = *machine;
  record.state = *state == name_of(State::held)      ? State::held
                 : *state == name_of(State::resting) ? State::resting
                                                     : State::free;
  record.token = *token;
  record.holder = *holder;
  record.claimed_ms = *claimed_ms;
  record.expires_ms = *expires_ms;
  record.free_ms = *free_ms;
  record.ts_limit_ms = *ts_limit_ms;
  return record;
}

// The object of a good answer.
Result<Json, Error> object_of(const Result<HttpAnswer, Error>& answer, std::string_view what) {
  Error error;
  if (!answer) {
    error = answer.error();
  } else if (answer->status != 200) {
    error = error_of(*answer);
  } else if (auto object = object_in(answer->body)) {
    return *std::move(object);
  } else {
    error = odd_answer(what);
  }
  if (error.code == Error::Code::outcome_unknown) {
    error.hint = "The lease, if one was taken or raised, ends by itself; ask again.";
  }
  return Failure{std::move(error)};
}

}  // namespace

Result<Lease, Error> HttpLeaseStore::claim(const ClaimRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*std::move(fault)};
  JsonWriter body;
  body.begin_object().key("layout").value(request.layout);
  body.key("machine_min").value(std::uint64_t{request.machine_min});
  body.key("machine_max").value(std::uint64_t{request.machine_max});
  body.key("holder").value(request.holder);
  write_terms(body, request.terms);
  body.end_object();
  const auto object = object_of(client_->ask({.method = Method::post,
                                              .target = path_of(request.scope),
                                              .body = body.take(),
                                              .repeatable = false,
                                              .timeout = request.timeout}),
                                "a lease");
  if (!object) return Failure{object.error()};
  const auto machine = machine_in(*object);
  const auto token = token_in(*object);
  const auto floor_ms = number_in(*object, "floor_ms");
  const auto reservation = reservation_of(*object, request.terms);
  if (!machine || *machine < request.machine_min || *machine > request.machine_max || !token ||
      !floor_ms || !reservation) {
    return Failure{odd_answer("a lease")};
  }
  return Lease{*machine, *token, *floor_ms, *reservation};
}

Result<Reservation, Error> HttpLeaseStore::raise(const RaiseRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*std::move(fault)};
  JsonWriter body;
  body.begin_object();
  write_token(body, request.token);
  write_terms(body, request.terms);
  body.end_object();
  const auto object =
      object_of(client_->ask({.method = Method::post,
                              .target = path_of(request.scope, request.machine, "renew"),
                              .body = body.take(),
                              .timeout = request.timeout}),
                "a limit");
  if (!object) return Failure{object.error()};
  const auto reservation = reservation_of(*object, request.terms);
  if (!reservation) return Failure{odd_answer("a limit")};
  return *reservation;
}

Result<LeaseRecord, Error> HttpLeaseStore::release(const ReleaseRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*std::move(fault)};
  JsonWriter body;
  body.begin_object();
  write_token(body, request.token);
  body.end_object();
  // Once: asked a second time, it would be told that the lease is lost.
  const auto object =
      object_of(client_->ask({.method = Method::post,
                              .target = path_of(request.scope, request.machine, "release"),
                              .body = body.take(),
                              .repeatable = false,
                              .timeout = request.timeout}),
                "the lease");
  if (!object) return Failure{object.error()};
  auto record = record_of(*object);
  if (!record) return Failure{odd_answer("the lease")};
  return *std::move(record);
}

Result<LeasePage, Error> HttpLeaseStore::list(const LeaseListRequest& request) {
  // Whether the token is good, the other one says: it may be that of a third.
  if (auto fault = fault_of(request)) return Failure{*std::move(fault)};
  std::string target = "/v1/leases?page_size=" + std::to_string(request.page_size);
  if (!request.scope.empty()) target += "&scope=" + encoded(request.scope);
  if (!request.page_token.empty()) target += "&page_token=" + encoded(request.page_token);
  const auto object = object_of(client_->ask({.target = std::move(target)}), "leases");
  if (!object) return Failure{object.error()};
  const Json* list = object->find("leases");
  const auto next = text_in(*object, "next_page_token");
  if (list == nullptr || !list->is_list() || !next) return Failure{odd_answer("leases")};
  LeasePage page{{}, std::string(*next)};
  for (const Json& value : list->items()) {
    auto record = value.is_object() ? record_of(value) : std::nullopt;
    if (!record) return Failure{odd_answer("leases")};
    page.items.push_back(*std::move(record));
  }
  if (page.items.size() > request.page_size) return Failure{odd_answer("a page of leases")};
  return page;
}

}  // namespace tessera
