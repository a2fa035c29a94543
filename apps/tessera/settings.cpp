// Settings from file, environment and flags; the store that they name.

#include "settings.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "output.h"
#include "remote.h"
#include "tessera/client/http_lease_store.h"
#include "tessera/client/http_segment_store.h"
#include "tessera/parse_error.h"
#include "tessera/snowflake.h"
#include "tessera/system.h"
#include "types.h"

namespace tessera::cli {
namespace {

std::vector<EnvironmentVariable> our_environment() {
  std::vector<EnvironmentVariable> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t end = text.find('=');
    if (!text.starts_with("TESSERA_") || end == text.npos) continue;
    if (is_remote_variable(text.substr(0, end))) continue;
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
  for (const ConfigError& error : mistakes) complain_of(error, "environment", "");
  if (!mistakes.empty()) return Failure{Exit::usage};
  if (const auto url = args.value("store")) {
    if (const auto error = set_config(config, "store", *url)) {
      complain_of(*error, "--store", "");
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

Result<std::unique_ptr<SegmentPorts>, Exit> open_segments(const Args& args, const Config& config) {
  if (!is_http_url(config.store)) {
    auto store = open_store(args, config);
    if (!store) return Failure{store.error()};
    return std::unique_ptr<SegmentPorts>(*std::move(store));
  }
  auto client = open_remote(config.store);
  if (!client) return Failure{complain_of(client.error())};
  static SystemEntropy entropy;
  return std::unique_ptr<SegmentPorts>(
      std::make_unique<HttpSegmentStore>(*std::move(client), entropy));
}

Result<std::shared_ptr<LeaseStore>, Exit> open_leases(const Args& args, const Config& config) {
  if (is_http_url(config.store)) {
    auto client = open_remote(config.store);
    if (!client) return Failure{complain_of(client.error())};
    return std::shared_ptr<LeaseStore>(std::make_shared<HttpLeaseStore>(*std::move(client)));
  }
  auto store = open_store(args, config);
  if (!store) return Failure{store.error()};
  const std::shared_ptr<Store> shared = *std::move(store);
  return std::shared_ptr<LeaseStore>(shared, &shared->leases());
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

std::vector<service::DeclaredSnowflakes> snowflakes_of(const Config& config) {
  std::vector<service::DeclaredSnowflakes> all;
  for (const SnowflakeConfig& declared : config.snowflakes) {
    const auto layout = parse_snowflake_layout(declared.layout);
    if (layout) all.push_back({declared.name, *layout});  // as it was when the file was read
  }
  return all;
}

Exit complain_of(const Error& error) {
  using enum Error::Code;
  complain(error.message, error.hint);
  switch (error.code) {
    case invalid_request: return Exit::usage;
    case not_found:
    case already_exists:
    case key_reused:
    case lease_lost:
    case exhausted: return Exit::invalid;
    default: return Exit::unreachable;
  }
}

}  // namespace tessera::cli
