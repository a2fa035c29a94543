// How the service is, and what it is.

#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "service/digest.h"
#include "service/handlers.h"
#include "service/problem.h"
#include "tessera/segment/id_service.h"
#include "tessera/version.h"

namespace tessera::service {
namespace {

// What keeps us from working; not what is merely worse than usual.
bool is_broken(AllocatorHealth health) noexcept {
  return health == AllocatorHealth::empty || health == AllocatorHealth::poisoned ||
         health == AllocatorHealth::closed;
}

struct Series {
  std::string_view name, type, help;
  double (*value)(const AllocatorStatus&);
};
constexpr std::array kSeries = {
    Series{"tessera_scope_drawn_total", "counter", "Numbers drawn from the store.",
           [](const AllocatorStatus& s) { return static_cast<double>(s.drawn); }},
    Series{"tessera_scope_issued_total", "counter", "Numbers handed out.",
           [](const AllocatorStatus& s) { return static_cast<double>(s.issued); }},
    Series{"tessera_scope_abandoned_total", "counter", "Numbers drawn that never will be.",
           [](const AllocatorStatus& s) { return static_cast<double>(s.abandoned); }},
    Series{"tessera_scope_draws_total", "counter", "Draws that the store answered with a range.",
           [](const AllocatorStatus& s) { return static_cast<double>(s.draws); }},
    Series{"tessera_scope_failures", "gauge", "Draws in a row that failed.",
           [](const AllocatorStatus& s) { return static_cast<double>(s.failures); }},
    Series{"tessera_scope_cached", "gauge", "Numbers drawn and not handed out.",
           [](const AllocatorStatus& s) { return static_cast<double>(s.cached); }},
    Series{"tessera_scope_runway_seconds", "gauge", "Until the cache is empty, at this rate.",
           [](const AllocatorStatus& s) { return s.runway_s; }},
};

void append_number(std::string& text, double number) {
  if (number == std::numeric_limits<double>::infinity()) {
    text += "+Inf";
    return;
  }
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  text.append(digits.data(), end.ptr);
}

struct LeaseSeries {
  std::string_view name, type, help;
  double (*value)(const SnowflakeLeaseStatus&);
};
constexpr std::array kLeaseSeries = {
    LeaseSeries{"tessera_snowflake_held", "gauge", "Whether a machine number is held: 0 or 1.",
                [](const SnowflakeLeaseStatus& s) { return s.held ? 1.0 : 0.0; }},
    LeaseSeries{"tessera_snowflake_machine", "gauge", "The machine number, while one is held.",
                [](const SnowflakeLeaseStatus& s) { return static_cast<double>(s.machine); }},
    LeaseSeries{
        "tessera_snowflake_left_seconds", "gauge",
        "Until no more IDs are made, if the lease is not renewed.",
        [](const SnowflakeLeaseStatus& s) { return static_cast<double>(s.left.count()) / 1000.0; }},
    LeaseSeries{"tessera_snowflake_claims_total", "counter", "Machine numbers that were leased.",
                [](const SnowflakeLeaseStatus& s) { return static_cast<double>(s.claims); }},
    LeaseSeries{"tessera_snowflake_renewals_total", "counter", "Leases that were renewed.",
                [](const SnowflakeLeaseStatus& s) { return static_cast<double>(s.raises); }},
    LeaseSeries{"tessera_snowflake_losses_total", "counter",
                "Leases that the store says are not ours any more.",
                [](const SnowflakeLeaseStatus& s) { return static_cast<double>(s.losses); }},
    LeaseSeries{"tessera_snowflake_failures_total", "counter",
                "Questions about a lease without a good answer.",
                [](const SnowflakeLeaseStatus& s) { return static_cast<double>(s.failures); }},
};

// One table of series, for everything that has a name.
template <class Row, class Status>
void append_series(std::string& text, std::span<const Row> series, std::string_view label,
                   const std::vector<std::pair<std::string_view, Status>>& all) {
  if (all.empty()) return;
  for (const auto& [name, type, help, value] : series) {
    text.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
    text.append(name).append(" ").append(type).append("\n");
    for (const auto& [of, status] : all) {
      text.append(name).append("{").append(label).append("=\"").append(of).append("\"} ");
      append_number(text, value(status));
      text += '\n';
    }
  }
}

// Names of scopes have no character that a label escapes.
void append_scopes(std::string& text, const IdService& ids) {
  std::vector<std::pair<std::string_view, AllocatorStatus>> all;
  for (const IdScope& scope : ids.scopes()) {
    all.emplace_back(scope.name(), ids.allocator(scope.name())->status());
  }
  append_series<Series, AllocatorStatus>(text, kSeries, "scope", all);
}

}  // namespace

void set_etag(Call& call, const std::string& etag, std::string_view cache) {
  Answer& answer = call.answer;
  answer.cache = cache;
  answer.etag = "W/" + etag;  // of what it says, compressed or not
  if (!matches_etag(call.request.if_none_match, answer.etag)) return;
  answer.status = 304;
  answer.media = Media::none;
  answer.body.clear();
}

Outcome tell_health(Call& call) {
  JsonWriter json;
  json.begin_object().key("status").value("ok").key("version").value(TESSERA_VERSION).end_object();
  return answer_json(call, json);
}

Outcome tell_readiness(Call& call) {
  StoreProbe& store = call.state.store;
  auto answers = store.believed(call.on);
  if (!answers) {
    if (!call.request.may_wait) return Outcome::must_wait;
    answers = store.ask(call.on);
  }
  std::string reasons;
  const auto add = [&](std::string_view reason) {
    reasons.append(reasons.empty() ? "" : "; ").append(reason);
  };
  if (!*answers) add("the store does not answer");
  for (const IdScope& scope : call.on.ids->scopes()) {
    const auto status = call.on.ids->allocator(scope.name())->status();
    if (!is_broken(status.health)) continue;
    add("scope '" + std::string(scope.name()) + "' is " + std::string(name_of(status.health)));
  }
  if (!reasons.empty()) {
    // The names of scopes are none of the public's business.
    return answer_problem(call, Fault::not_ready,
                          call.request.internal ? std::string_view(reasons) : std::string_view());
  }
  JsonWriter json;
  json.begin_object().key("status").value("ready").end_object();
  return answer_json(call, json);
}

Outcome tell_metrics(Call& call) {
  call.answer.media = Media::metrics;
  call.answer.body = call.state.metrics.text();
  if (call.on.meter != nullptr) call.answer.body += call.on.meter->text();
  append_scopes(call.answer.body, *call.on.ids);
  if (call.on.snowflakes != nullptr) {
    append_series<LeaseSeries, SnowflakeLeaseStatus>(call.answer.body, kLeaseSeries, "layout",
                                                     call.on.snowflakes->statuses());
  }
  return Outcome::done;
}

Outcome tell_openapi(Call& call) {
  call.answer.body = call.state.openapi;
  set_etag(call, call.state.openapi_etag, "public, no-cache");
  return Outcome::done;
}

}  // namespace tessera::service
