// tessera segment: numbers from scopes, and the scopes themselves.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "commands.h"
#include "moment.h"
#include "numbers.h"
#include "output.h"
#include "settings.h"
#include "tessera/client/http_client.h"
#include "tessera/db/connection.h"
#include "tessera/json.h"
#include "tessera/migrate/adopt.h"
#include "tessera/parse_error.h"
#include "tessera/segment/delegate.h"
#include "tessera/time_text.h"

namespace tessera::cli {
namespace {

constexpr std::size_t kRateDraws = 1000;  // how far back the rate looks

std::string time_or_never(std::uint64_t time_ms) {
  return time_ms == 0 ? "-" : std::string(time_text(static_cast<std::int64_t>(time_ms)).view());
}

// "3.1 days", so that a person sees at once whether it matters.
std::string duration_words(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr std::array kUnits = {Unit{31'556'952, "years"}, Unit{86'400, "days"},
                                 Unit{3600, "hours"}, Unit{60, "minutes"}, Unit{1, "seconds"}};
  if (seconds > 1e6 * kUnits[0].seconds) return "more than a million years";
  for (const Unit& unit : kUnits) {
    if (seconds < unit.seconds && unit.seconds > 1) continue;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.1f %s", seconds / unit.seconds, unit.name);
    return text.data();
  }
  return "none";
}

// How fast a scope is drawn from, and when it will end, if that goes on.
struct Forecast {
  double per_second = 0;
  double seconds_left = 0;  // 0: unknown
};

Result<Forecast, Error> forecast_of(ScopeCatalogue& scopes, const ScopeState& state,
                                    std::uint64_t now_ms) {
  const auto ranges = scopes.ranges(state.scope.name, kRateDraws);
  if (!ranges) return Failure{ranges.error()};
  Forecast forecast;
  if (ranges->empty()) return forecast;
  double drawn = 0;
  for (const RangeRecord& range : *ranges) drawn += static_cast<double>(range.segment.size());
  const std::uint64_t oldest_ms = ranges->back().drawn_ms;
  const double seconds = now_ms > oldest_ms ? static_cast<double>(now_ms - oldest_ms) / 1000 : 0;
  forecast.per_second = drawn / std::max(seconds, 1.0);
  if (forecast.per_second > 0) {
    forecast.seconds_left = static_cast<double>(state.remaining()) / forecast.per_second;
  }
  return forecast;
}

std::string end_of(const Forecast& forecast, std::uint64_t now_ms) {
  if (forecast.seconds_left <= 0 || forecast.seconds_left > 1e11) return "";
  const auto end_ms =
      static_cast<std::int64_t>(now_ms) + static_cast<std::int64_t>(forecast.seconds_left * 1000);
  return std::string(time_text(end_ms).view());
}

void write_state(JsonWriter& json, const ScopeState& state) {
  json.key("scope").value(state.scope.name).key("high_water").value(state.high_water);
  json.key("min").value(state.scope.min).key("max").value(state.scope.max);
  json.key("remaining").value(state.remaining()).key("step").value(state.scope.step);
  json.key("order").value(state.scope.order == Scope::Order::strict ? "strict" : "process");
  json.key("js_safe").value(state.scope.js_safe).key("epoch").value(state.epoch);
  json.key("draws").value(state.draws).key("updated").value(time_or_never(state.updated_ms));
}

void print_state(const Args& args, const ScopeState& state) {
  Output& out = Output::standard();
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object();
    write_state(json, state);
    out.line(json.end_object().text());
    return;
  }
  out.line("scope\t" + state.scope.name);
  out.line("numbers\t" + std::to_string(state.scope.min) + ".." + std::to_string(state.scope.max));
  out.line("high-water\t" + std::to_string(state.high_water));
  out.line("step\t" + std::to_string(state.scope.step));
  out.line("order\t" +
           std::string(state.scope.order == Scope::Order::strict ? "strict" : "process"));
  out.line("epoch\t" + std::to_string(state.epoch));
}

Exit answer(const Args& args, const Result<ScopeState, Error>& state) {
  if (!state) return complain_of(state.error());
  print_state(args, *state);
  return Exit::good;
}

Exit list(const Args& args, SegmentPorts& store, std::uint64_t now_ms) {
  const auto states = store.scopes().list();
  if (!states) return complain_of(states.error());
  Output& out = Output::standard();
  const bool json_lines = args.has("json");
  if (!json_lines) out.line("scope\thigh-water\tleft\trate/s\trunway\tends");
  for (const ScopeState& state : *states) {
    const auto forecast = forecast_of(store.scopes(), state, now_ms);
    if (!forecast) return complain_of(forecast.error());
    const std::string ends = end_of(*forecast, now_ms);
    if (json_lines) {
      JsonWriter json;
      json.begin_object();
      write_state(json, state);
      json.key("per_second").value(forecast->per_second);
      json.key("runway_s");
      forecast->seconds_left > 0 ? json.value(forecast->seconds_left) : json.null();
      json.key("ends");
      ends.empty() ? json.null() : json.value(ends);
      out.line(json.end_object().text());
      continue;
    }
    std::array<char, 32> rate{};
    std::snprintf(rate.data(), rate.size(), "%.1f", forecast->per_second);
    out.line(printable(state.scope.name, 64) + "\t" + std::to_string(state.high_water) + "\t" +
             std::to_string(state.remaining()) + "\t" + rate.data() + "\t" +
             (forecast->seconds_left > 0 ? duration_words(forecast->seconds_left) : "-") + "\t" +
             (ends.empty() ? "-" : ends));
  }
  return Exit::good;
}

Result<Scope, Exit> scope_from_flags(const Args& args, std::string_view name, std::int64_t step) {
  Scope scope;
  scope.name = name;
  scope.step = step;
  scope.js_safe = args.has("js-safe");
  scope.max = scope.js_safe ? Scope::kJsSafeMax : Scope::kMax;
  scope.order = args.value("order") == "strict" ? Scope::Order::strict : Scope::Order::process;
  const struct {
    std::string_view flag;
    std::int64_t& value;
  } numbers[] = {{"min", scope.min}, {"max", scope.max}, {"step", scope.step}};
  for (const auto& [flag, value] : numbers) {
    const auto number = args.number(flag, 0, INT64_MAX);
    if (!number) return Failure{usage_error(number.error().message, number.error().hint)};
    if (*number) value = static_cast<std::int64_t>(**number);
  }
  return scope;
}

// Those of the file, or the one that flags describe.
Exit create(const Args& args, SegmentPorts& store, const Config& config) {
  const auto& words = args.positionals();
  std::vector<Scope> wanted;
  if (words.size() == 1) {
    for (const ScopeConfig& declared : config.scopes) wanted.push_back(scope_of(config, declared));
    if (wanted.empty()) {
      return usage_error(
          "segment create takes the name of a scope, or a tessera.yaml that declares some",
          "As in: tessera segment create ORDER --step 1000");
    }
  } else if (const ScopeConfig* declared = config.find_scope(words[1]);
             declared != nullptr && !args.has("min") && !args.has("max") && !args.has("step") &&
             !args.has("order") && !args.has("js-safe")) {
    wanted.push_back(scope_of(config, *declared));
  } else {
    auto scope = scope_from_flags(args, words[1], config.step);
    if (!scope) return scope.error();
    wanted.push_back(*std::move(scope));
  }
  for (const Scope& scope : wanted) {
    if (const Exit exit = answer(args, store.scopes().create(scope)); exit != Exit::good)
      return exit;
  }
  return Exit::good;
}

void print_record(const Args& args, std::int64_t number, const RangeRecord& range) {
  Output& out = Output::standard();
  const std::string last = std::to_string(range.segment.end - 1);
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("number").value(number).key("scope").value(range.scope);
    json.key("first").value(range.segment.first).key("last").value(range.segment.end - 1);
    json.key("drawn").value(time_or_never(range.drawn_ms)).key("holder").value(range.holder);
    json.key("key")
        .value(range.key)
        .key("draw")
        .value(range.number)
        .key("epoch")
        .value(range.epoch);
    out.line(json.end_object().text());
    return;
  }
  out.line("number\t" + std::to_string(number));
  out.line("scope\t" + range.scope);
  out.line("range\t" + std::to_string(range.segment.first) + ".." + last);
  out.line("drawn\t" + time_or_never(range.drawn_ms));
  out.line("holder\t" + (range.holder.empty() ? "-" : printable(range.holder, 128)));
  if (!range.key.empty()) out.line("key\t" + printable(range.key, 128));
  out.line("draw\t" + std::to_string(range.number) + " of epoch " + std::to_string(range.epoch));
}

// Which draw a number came from: in one scope, or in whichever has it.
Exit explain(const Args& args, SegmentPorts& store) {
  const auto& words = args.positionals();
  const auto number = parse_number(words.back(), "number", 0, INT64_MAX);
  if (!number) return usage_error(number.error().message, number.error().hint);
  std::vector<std::string> names;
  if (words.size() == 3) {
    names.emplace_back(words[1]);
  } else {
    const auto states = store.scopes().list();
    if (!states) return complain_of(states.error());
    for (const ScopeState& state : *states) names.push_back(state.scope.name);
  }
  bool found = false;
  for (const std::string& name : names) {
    const auto range = store.scopes().range_of(name, static_cast<std::int64_t>(*number));
    if (!range) return complain_of(range.error());
    if (!*range) continue;
    if (found && !args.has("json")) Output::standard().line("");
    print_record(args, static_cast<std::int64_t>(*number), **range);
    found = true;
  }
  if (found) return Exit::good;
  complain("no draw on record has " + std::to_string(*number),
           "It was never reserved, or before the range log was there.");
  return Exit::invalid;
}

Exit set_step(const Args& args, SegmentPorts& store) {
  const auto step = parse_number(args.positionals()[2], "step", 1, Scope::kStepMax);
  if (!step) return usage_error(step.error().message, step.error().hint);
  return answer(args,
                store.scopes().set_step(args.positionals()[1], static_cast<std::int64_t>(*step)));
}

Exit advance(const Args& args, SegmentPorts& store) {
  const auto mark = parse_number(args.positionals()[2], "mark", 0, INT64_MAX);
  if (!mark) return usage_error(mark.error().message, mark.error().hint);
  return answer(args,
                store.scopes().advance(args.positionals()[1], static_cast<std::int64_t>(*mark)));
}

Result<ScopeState, Error> state_of(SegmentPorts& store, std::string_view name) {
  const auto states = store.scopes().list();
  if (!states) return Failure{states.error()};
  for (const ScopeState& state : *states) {
    if (state.scope.name == name) return state;
  }
  return Failure{Error{Error::Code::not_found, "there is no scope '" + printable(name) + "'",
                       "To make it: tessera segment create " + printable(name)}};
}

// Above what a table has, however the numbers got there. Never back.
Exit adopt(const Args& args, SegmentPorts& store, const Config& config) {
  const auto& words = args.positionals();
  const auto margin = args.number("margin", 0, 1'000'000'000'000);
  if (!margin) return usage_error(margin.error().message, margin.error().hint);
  if (is_http_url(config.store)) {
    return usage_error("segment adopt needs the database itself, not a Tessera",
                       "Give its URL with --store.");
  }
  const auto before = state_of(store, words[1]);
  if (!before) return complain_of(before.error());
  const auto connection =
      db::connect(config.store, {.timeout = std::chrono::seconds(5), .create = false});
  if (!connection) {
    return complain_of(Error{Error::Code::store_unavailable, connection.error().message,
                             "Look whether the server is up, and at the URL."});
  }
  const auto highest = migrate::highest_id(**connection, words[2], args.value_or("id-column", "id"),
                                           std::chrono::seconds(60),
                                           [](auto time) { std::this_thread::sleep_for(time); });
  if (!highest) return complain_of(highest.error());
  constexpr std::int64_t kMargin = 10'000;
  const auto above = *margin ? static_cast<std::int64_t>(**margin) : kMargin;
  if (*highest > INT64_MAX - above) return usage_error("the margin is too large");
  if (*highest + above <= before->high_water) return answer(args, before);  // is above them already
  const auto lifted = store.scopes().advance(words[1], *highest + above);
  if (lifted) return answer(args, lifted);
  const auto after = state_of(store, words[1]);  // somebody may have drawn past it meanwhile
  return after && after->high_water >= *highest + above ? answer(args, after)
                                                        : complain_of(lifted.error());
}

// Some of a scope, or with `return` all that is left of it, becomes a scope here or elsewhere.
Exit delegate_numbers(const Args& args, SegmentPorts& store, const Config& config) {
  const auto& words = args.positionals();
  const bool takes_back = words[0] == "return";
  const auto count = args.number("count", 1, kDelegateMax);
  if (!count) return usage_error(count.error().message, count.error().hint);
  if (takes_back == count->has_value()) {
    return takes_back ? usage_error("segment return takes back all that is left, and no --count")
                      : usage_error("segment delegate takes how many",
                                    "As in: tessera segment delegate ORDER ORDER-EU -n 1000000000");
  }
  const auto step = args.number("step", 1, Scope::kStepMax);
  if (!step) return usage_error(step.error().message, step.error().hint);
  std::unique_ptr<SegmentPorts> elsewhere;
  if (const auto url = args.value("into")) {
    Config there = config;
    there.store = *url;
    auto opened = open_segments(args, there);
    if (!opened) return opened.error();
    elsewhere = *std::move(opened);
  }
  const std::string holder = holder_name();
  DelegateRequest request{.from = words[1], .to = words[2], .count = *count, .holder = holder};
  if (*step) request.step = static_cast<std::int64_t>(**step);
  const auto done = delegate(store, elsewhere == nullptr ? store : *elsewhere, request);
  if (!done) return complain_of(done.error());
  print_state(args, done->state);
  return Exit::good;
}

Exit next(const Args& args, SegmentPorts& store, const Config& config) {
  return print_numbers(args, store, config, args.positionals()[1], Numbers::each);
}

Exit reserve(const Args& args, SegmentPorts& store, const Config& config) {
  return print_numbers(args, store, config, args.positionals()[1], Numbers::as_range);
}

struct Action {
  std::string_view name;
  std::size_t words_min;  // with its own name
  std::size_t words_max;
  std::string_view usage;
};
constexpr std::array kActions = {
    Action{"next", 2, 2, "next SCOPE [-n N]"},
    Action{"reserve", 2, 2, "reserve SCOPE -n N"},
    Action{"list", 1, 1, "list"},
    Action{"create", 1, 2, "create [SCOPE]"},
    Action{"set-step", 3, 3, "set-step SCOPE STEP"},
    Action{"advance", 3, 3, "advance SCOPE MARK"},
    Action{"adopt", 3, 3, "adopt SCOPE TABLE"},
    Action{"delegate", 3, 3, "delegate SCOPE NEW-SCOPE -n N [--into URL]"},
    Action{"return", 3, 3, "return SCOPE NEW-SCOPE [--into URL]"},
    Action{"explain", 2, 3, "explain [SCOPE] NUMBER"},
};

}  // namespace

Exit run_segment(const Args& args) {
  const auto& words = args.positionals();
  const std::string_view word = words.empty() ? "" : words[0];
  const auto action = std::ranges::find(kActions, word, &Action::name);
  if (action == kActions.end()) {
    return usage_error(
        word.empty() ? "segment takes what to do" : "segment cannot '" + printable(word) + "'",
        "It is one of next, reserve, list, create, set-step, advance, adopt, delegate, return, "
        "explain.");
  }
  if (words.size() < action->words_min || words.size() > action->words_max) {
    return usage_error("segment " + std::string(word) + " takes other arguments",
                       "As in: tessera segment " + std::string(action->usage));
  }
  const auto now_ms = present_ms(args);
  if (!now_ms) return Exit::usage;
  const auto config = load_settings(args);
  if (!config) return config.error();
  const auto store = open_segments(args, *config);
  if (!store) return store.error();
  if (word == "list") return list(args, **store, static_cast<std::uint64_t>(*now_ms));
  if (word == "create") return create(args, **store, *config);
  if (word == "set-step") return set_step(args, **store);
  if (word == "advance") return advance(args, **store);
  if (word == "adopt") return adopt(args, **store, *config);
  if (word == "explain") return explain(args, **store);
  if (word == "delegate" || word == "return") return delegate_numbers(args, **store, *config);
  return word == "next" ? next(args, **store, *config) : reserve(args, **store, *config);
}

}  // namespace tessera::cli
