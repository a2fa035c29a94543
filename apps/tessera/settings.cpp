// Settings from file, environment and flags; the store that they name.

#include "settings.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "output.h"
#include "tessera/parse_error.h"
#include "types.h"

namespace tessera::cli {
namespace {

std::vector<EnvironmentVariable> our_environment() {
  std::vector<EnvironmentVariable> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t end = text.find('=');
    if (!text.starts_with("TESSERA_") || end == text.npos) continue;
    variables.emplace_back(text.substr(0, end), text.substr(end + 1));
  }
  return variables;
}

}  // namespace

Result<Config, Exit> load_settings(const Args& args) {
  Config config;
  if (const auto file = config_file(args)) {
    const auto text = read_config_file(*file);
    if (!text) {
      complain_of(text.error(), *file, "");
      return Failure{Exit::io};
    }
    auto parsed = parse_config(*text);
    if (!parsed) {
      for (const ConfigError& error : parsed.error()) complain_of(error, *file, *text);
      return Failure{Exit::usage};
    }
    config = *std::move(parsed);
  }
  const auto mistakes = apply_environment(config, our_environment());
  for (const ConfigError& error : mistakes) complain_of(error, "", "");
  if (!mistakes.empty()) return Failure{Exit::usage};
  if (const auto url = args.value("store")) {
    if (const auto error = set_config(config, "store", *url)) {
      complain_of(*error, "", "");
      return Failure{Exit::usage};
    }
  }
  return config;
}

OpenOptions open_options(const Args& args) {
  OpenOptions options;
  options.accept_duplicate_risk = args.has("accept-duplicate-risk");
  if (const auto table = args.value("table")) options.table = *table;
  return options;
}

Result<std::unique_ptr<Store>, Exit> open_store(const Args& args, const Config& config) {
  auto store = tessera::open_store(config.store, open_options(args));
  if (!store) return Failure{complain_of(store.error())};
  return *std::move(store);
}

Scope scope_of(const Config& config, const ScopeConfig& declared) {
  return Scope{.name = declared.name,
               .min = declared.min,
               .max = declared.js_safe ? std::min(declared.max, Scope::kJsSafeMax) : declared.max,
               .step = config.step_of(declared),
               .order = declared.order == ScopeConfig::Order::strict ? Scope::Order::strict
                                                                     : Scope::Order::process,
               .js_safe = declared.js_safe};
}

Exit complain_of(const Error& error) {
  using enum Error::Code;
  complain(error.message, error.hint);
  switch (error.code) {
    case invalid_request: return Exit::usage;
    case not_found:
    case already_exists:
    case key_reused:
    case exhausted: return Exit::invalid;
    default: return Exit::unreachable;
  }
}

}  // namespace tessera::cli
