// tessera lease: machine numbers, for the operator and for programs that make their own snowflakes.

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "commands.h"
#include "numbers.h"
#include "output.h"
#include "settings.h"
#include "tessera/json.h"
#include "tessera/lease/rules.h"
#include "tessera/time_text.h"
#include "types.h"

namespace tessera::cli {
namespace {

using std::chrono::seconds;

std::string time_words(std::uint64_t time_ms) {
  return time_ms == 0 ? "-" : std::string(time_text(static_cast<std::int64_t>(time_ms)).view());
}

void write_times(JsonWriter& json, std::uint64_t ts_limit_ms) {
  json.key("ts_limit_ms").value(ts_limit_ms).key("ts_limit").value(time_words(ts_limit_ms));
}

void print_record(const Args& args, const LeaseRecord& record) {
  Output& out = Output::standard();
  if (!args.has("json")) {
    out.line(record.scope + "\t" + std::to_string(record.machine) + "\t" +
             std::string(name_of(record.state)) + "\t" + std::to_string(record.token) + "\t" +
             time_words(record.expires_ms) + "\t" + time_words(record.ts_limit_ms) + "\t" +
             (record.holder.empty() ? "-" : printable(record.holder, 128)));
    return;
  }
  JsonWriter json;
  json.begin_object().key("scope").value(record.scope).key("layout").value(record.layout);
  json.key("machine").value(std::uint64_t{record.machine});
  json.key("state").value(name_of(record.state)).key("token").value(record.token);
  json.key("holder").value(record.holder).key("claimed").value(time_words(record.claimed_ms));
  json.key("expires").value(time_words(record.expires_ms));
  json.key("free").value(time_words(record.free_ms));
  write_times(json, record.ts_limit_ms);
  out.line(json.end_object().text());
}

void print_reservation(const Args& args, JsonWriter& json, const Reservation& reservation) {
  const auto expires_ms = reservation.now_ms + static_cast<std::uint64_t>(reservation.ttl.count());
  if (args.has("json")) {
    json.key("expires").value(time_words(expires_ms));
    write_times(json, reservation.ts_limit_ms);
    Output::standard().line(json.end_object().text());
    return;
  }
  Output::standard().line("expires\t" + time_words(expires_ms));
  Output::standard().line("limit\t" + time_words(reservation.ts_limit_ms));
}

Result<LeaseTerms, Exit> terms_of(const Args& args) {
  LeaseTerms terms;
  const struct {
    std::string_view flag;
    std::chrono::milliseconds& value;
    std::chrono::milliseconds max;
    std::uint64_t min;
  } spans[] = {{"ttl", terms.ttl, LeaseTerms::kTtlMax, 1},
               {"reserve", terms.reserve, LeaseTerms::kReserveMax, 1},
               {"quarantine", terms.quarantine, LeaseTerms::kQuarantineMax, 0}};
  for (const auto& [flag, value, max, min] : spans) {
    const auto max_s = static_cast<std::uint64_t>(std::chrono::floor<seconds>(max).count());
    const auto number = args.number(flag, min, max_s);
    if (!number) return Failure{usage_error(number.error().message, number.error().hint)};
    if (*number) value = seconds(**number);
  }
  return terms;
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

// The lease that the arguments SCOPE MACHINE TOKEN name.
struct Named {
  std::string_view scope;
  std::uint32_t machine = 0;
  std::int64_t token = 0;
};
Result<Named, Exit> named_by(const Args& args) {
  const auto& words = args.positionals();
  const auto machine = number_in<std::uint32_t>(words[2]);
  const auto token = number_in<std::int64_t>(words[3]);
  if (!machine || !token || *token < 1) {
    return Failure{usage_error("lease " + std::string(words[0]) + " takes numbers, not '" +
                                   printable(machine ? words[3] : words[2]) + "'",
                               "tessera lease list shows both: machine and token.")};
  }
  return Named{words[1], *machine, *token};
}

Exit list(const Args& args, LeaseStore& leases) {
  const auto& words = args.positionals();
  const auto records = leases.list_all(words.size() > 1 ? words[1] : std::string_view());
  if (!records) return complain_of(records.error());
  if (!args.has("json")) {
    Output::standard().line("scope\tmachine\tstate\ttoken\texpires\tlimit\tholder");
  }
  for (const LeaseRecord& record : *records) print_record(args, record);
  return Exit::good;
}

Exit claim(const Args& args, LeaseStore& leases) {
  const auto layout = layout_of(args);
  if (!layout) return layout.error();
  const auto machine = args.number("machine", 0, layout->machine_max());
  if (!machine) return usage_error(machine.error().message, machine.error().hint);
  const auto terms = terms_of(args);
  if (!terms) return terms.error();
  const auto& words = args.positionals();
  const std::string scope(words.size() > 1 ? words[1] : layout->name);
  const std::string text = snowflake_layout_text(*layout);
  const std::string holder(args.value_or("holder", ""));
  const std::string default_holder = holder_name();
  const auto lease = leases.claim(
      {.scope = scope,
       .layout = text,
       .machine_min = static_cast<std::uint32_t>(machine->value_or(0)),
       .machine_max = static_cast<std::uint32_t>(machine->value_or(layout->machine_max())),
       .holder = args.has("holder") ? holder : default_holder,
       .terms = *terms});
  if (!lease) return complain_of(lease.error());
  JsonWriter json;
  if (args.has("json")) {
    json.begin_object().key("scope").value(scope).key("layout").value(text);
    json.key("machine").value(std::uint64_t{lease->machine}).key("token").value(lease->token);
    json.key("floor_ms").value(lease->floor_ms).key("floor").value(time_words(lease->floor_ms));
  } else {
    Output& out = Output::standard();
    out.line("scope\t" + scope);
    out.line("layout\t" + text);
    out.line("machine\t" + std::to_string(lease->machine));
    out.line("token\t" + std::to_string(lease->token));
    out.line("floor\t" + time_words(lease->floor_ms));
  }
  print_reservation(args, json, lease->reservation);
  return Exit::good;
}

Exit renew(const Args& args, LeaseStore& leases) {
  const auto named = named_by(args);
  if (!named) return named.error();
  const auto terms = terms_of(args);
  if (!terms) return terms.error();
  const auto raised = leases.raise(
      {.scope = named->scope, .machine = named->machine, .token = named->token, .terms = *terms});
  if (!raised) return complain_of(raised.error());
  JsonWriter json;
  if (args.has("json")) {
    json.begin_object().key("scope").value(named->scope);
    json.key("machine").value(std::uint64_t{named->machine}).key("token").value(named->token);
  }
  print_reservation(args, json, *raised);
  return Exit::good;
}

Exit release(const Args& args, LeaseStore& leases) {
  const auto named = named_by(args);
  if (!named) return named.error();
  const auto record =
      leases.release({.scope = named->scope, .machine = named->machine, .token = named->token});
  if (!record) return complain_of(record.error());
  print_record(args, *record);
  return Exit::good;
}

struct Action {
  std::string_view name;
  std::size_t words_min;  // with its own name
  std::size_t words_max;
  std::string_view usage;
  Exit (*run)(const Args& args, LeaseStore& leases);
};
constexpr std::array kActions = {
    Action{"list", 1, 2, "list [SCOPE]", list},
    Action{"claim", 1, 2, "claim [SCOPE]", claim},
    Action{"renew", 4, 4, "renew SCOPE MACHINE TOKEN", renew},
    Action{"release", 4, 4, "release SCOPE MACHINE TOKEN", release},
};

}  // namespace

Exit run_lease(const Args& args) {
  const auto& words = args.positionals();
  const std::string_view word = words.empty() ? "" : words[0];
  const auto action = std::ranges::find(kActions, word, &Action::name);
  if (action == kActions.end()) {
    return usage_error(
        word.empty() ? "lease takes what to do" : "lease cannot '" + printable(word) + "'",
        "It is one of list, claim, renew, release.");
  }
  if (words.size() < action->words_min || words.size() > action->words_max) {
    return usage_error("lease " + std::string(word) + " takes other arguments",
                       "As in: tessera lease " + std::string(action->usage));
  }
  const auto config = load_settings(args);
  if (!config) return config.error();
  const auto leases = open_leases(args, *config);
  if (!leases) return leases.error();
  return action->run(args, **leases);
}

}  // namespace tessera::cli
