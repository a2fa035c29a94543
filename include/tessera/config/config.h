#pragma once

// Config: what tessera.yaml says, as a value.
//
//    segment: {step: 1000}
//    types:
//      order: {prefix: ord, scope: ORDER}
//    scopes:
//      ORDER: {min: 1, max: 9007199254740991, js-safe: true}
//    store: sqlite:tessera.db
//
//    bytes of a file -> parse_config -> apply_environment -> set_config -> the program
//                       (the file)      (TESSERA_*)          (flags)
//
// Later ones win. Nothing here reads the environment or opens a store by itself, and nothing
// but read_config_file and load_config touches a file. docs/configuration.md has every key.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/config/config_error.h"
#include "tessera/public_id.h"
#include "tessera/result.h"
#include "tessera/type_table.h"

namespace tessera {

inline constexpr std::size_t kConfigSizeMax = 1 << 20;

// A type of public IDs, and how its resources are kept.
struct TypeConfig {
  enum class Storage : std::uint8_t { text, bytes, integer };
  enum class Tombstone : std::uint8_t { soft, exact };
  static constexpr std::uint32_t kUndeleteDaysMax = 36'500;
  static constexpr std::uint32_t kKeyDaysMax = 3650;
  static constexpr std::int64_t kCapacityMax = 1'000'000'000'000;

  std::string name;    // "order"
  std::string prefix;  // "ord"
  PublicStyle style = PublicStyle::ulid;
  std::optional<char> separator;  // Config::separator_of says what holds without one
  std::string scope;              // where its 64-bit keys come from; empty: not from here
  std::string parent;             // the type it belongs to, and ends with; empty: none
  Storage storage = Storage::text;
  Tombstone tombstone = Tombstone::soft;
  bool alias = false;  // an alias may stand where its ID could
  std::uint32_t undelete_days = 0;
  std::string collection;             // "orders"; Config::collection_of says what holds without one
  std::uint32_t key_days = 1;         // so long an idempotency key holds
  std::int64_t capacity = 1'000'000;  // of the filter in front of the registry
  double false_positives = 0.01;

  friend bool operator==(const TypeConfig&, const TypeConfig&) = default;
};

// A series of 64-bit keys. Shards and regions declare disjoint ranges.
struct ScopeConfig {
  enum class Order : std::uint8_t { process, strict };
  static constexpr std::int64_t kMax = INT64_MAX;
  static constexpr std::int64_t kJsSafeMax = (std::int64_t{1} << 53) - 1;
  static constexpr std::int64_t kStepMax = 1'000'000;  // what one lost draw may burn

  std::string name;  // "ORDER"; see scope_name.h
  std::int64_t min = 1;
  std::int64_t max = kMax;
  std::optional<std::int64_t> step;  // Config::step_of says what holds without one
  Order order = Order::process;
  bool js_safe = false;  // if so, max is at most 2^53 - 1
  // Of short IDs, whose scope this is then: 16 to 63, numbers from 0. 0: it is none.
  std::uint32_t bits = 0;

  friend bool operator==(const ScopeConfig&, const ScopeConfig&) = default;
};

// A series of Snowflakes that the service makes: a scope of machine leases, with its layout.
struct SnowflakeConfig {
  static constexpr std::size_t kCountMax = 64;  // each that is asked for holds a machine number

  std::string name;    // "TICKET"; see scope_name.h. No name of a layout that everybody knows
  std::string layout;  // "1700000000000/10/t40.s8.m8", or "twitter"

  friend bool operator==(const SnowflakeConfig&, const SnowflakeConfig&) = default;
};

// Where a listener listens. An IPv6 host is without its brackets; port 0 is any free one.
struct ListenAddress {
  std::string host;
  std::uint16_t port = 0;

  std::string to_string() const;
  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

struct ListenConfig {
  std::optional<ListenAddress> public_api = ListenAddress{"127.0.0.1", 8420};  // nothing: off
  std::optional<ListenAddress> internal_api = ListenAddress{"127.0.0.1", 8421};
  std::optional<ListenAddress> redis = ListenAddress{"127.0.0.1", 8422};

  friend bool operator==(const ListenConfig&, const ListenConfig&) = default;
};

struct Config {
  bool enabled = true;
  std::int64_t step = 1000;
  char separator = kDefaultSeparator;
  std::vector<TypeConfig> types;  // in the order of the file
  std::vector<ScopeConfig> scopes;
  std::vector<SnowflakeConfig> snowflakes;
  std::string store = "sqlite:tessera.db";  // right in form; whether it is there, the store says
  ListenConfig listen;
  std::string tokens;          // a path; empty: there are no tokens
  std::string short_key_file;  // a path; empty: there are no short IDs

  const TypeConfig* find_type(std::string_view name) const noexcept;
  const ScopeConfig* find_scope(std::string_view name) const noexcept;

  std::int64_t step_of(const ScopeConfig& scope) const noexcept {
    return scope.step.value_or(step);
  }
  // TypeID fixes its separator, whatever the others use.
  char separator_of(const TypeConfig& type) const noexcept {
    return type.style == PublicStyle::type_id ? kDefaultSeparator
                                              : type.separator.value_or(separator);
  }
  // What stands in front of its IDs in resource names: the name and an s, if nothing is said.
  static std::string collection_of(const TypeConfig& type) {
    return type.collection.empty() ? type.name + "s" : type.collection;
  }
  // Never fails for a configuration that came from parse_config.
  Result<TypeTable, TypeError> type_table() const;

  friend bool operator==(const Config&, const Config&) = default;
};

// The configuration, or all mistakes in it, from top to bottom. At most 1 MiB of UTF-8, in the
// part of YAML that needs no explanation: no aliases, no tags, one document, no key twice.
Result<Config, ConfigErrors> parse_config(std::string_view yaml);

// The text of a file, as parse_config and render want it. A file that is not there is
// ConfigError::Code::not_found, so that a program may go on without one.
Result<std::string, ConfigError> read_config_file(const std::string& path);
Result<Config, ConfigErrors> load_config(const std::string& path);

// Sets one of the file's own keys, such as "listen.public", to what a flag says. On failure the
// configuration is unchanged.
std::optional<ConfigError> set_config(Config& config, std::string_view key, std::string_view value);

using EnvironmentVariable = std::pair<std::string_view, std::string_view>;  // name, value

// Takes what TESSERA_STORE, TESSERA_LISTEN_PUBLIC and so on say; config_keys.h has them all.
// An empty variable counts as not set. Other variables are passed over, but one letter away
// from ours is a mistake. If there is any, the configuration is unchanged.
ConfigErrors apply_environment(Config& config, std::span<const EnvironmentVariable> variables);

// A file to begin with: every key with its default and a comment, and the resource types and
// scopes of a shop.
std::string_view default_config_yaml() noexcept;

// As in the file: "text", "exact", "strict".
std::string_view name_of(TypeConfig::Storage storage) noexcept;
std::string_view name_of(TypeConfig::Tombstone tombstone) noexcept;
std::string_view name_of(ScopeConfig::Order order) noexcept;

}  // namespace tessera
