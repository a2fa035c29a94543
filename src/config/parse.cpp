// From the text of a file to a Config: the tree, its keys, then what holds between them.

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "config/read.h"
#include "config/relations.h"
#include "tessera/config/config.h"
#include "tessera/scope_name.h"
#include "tessera/snowflake.h"

namespace tessera {
namespace config {
namespace {

using Code = ConfigError::Code;

void check_scope_name(const Entry& entry, Complaints& complaints) {
  if (!scope_name_fault(entry.key)) return;
  complaints.add(entry.mark, Code::invalid_scope,
                 "bad name of a scope " + quoted(entry.key) + ": " + describe_scope_name(entry.key),
                 "A name is 1 to 64 of letters, digits and . _ -, and begins and ends with a "
                 "letter or digit.");
}

void read_scope(const Entry& entry, Declared<ScopeConfig>& scopes, Complaints& complaints) {
  ScopeConfig scope;
  scope.name = entry.key;
  check_scope_name(entry, complaints);
  Places places;
  if (is_mapping(entry.value, entry.key, complaints)) {
    read_fields(entry.value, std::string(kScopePath), scope_fields(), scope, places, complaints);
  }
  scopes.add(std::move(scope), entry.mark, std::move(places));
}

void read_type(const Entry& entry, Declared<TypeConfig>& types, Complaints& complaints) {
  TypeConfig type;
  type.name = entry.key;
  // The table of types knows the rule for names; the prefix only has to be a good one.
  TypeTable rule;
  if (const auto added = rule.add({.name = entry.key, .prefix = "x"}); !added) {
    complaints.add(entry.mark, Code::invalid_name, "bad name of a type " + quoted(entry.key),
                   "A name is 1 to 64 of letters, digits and . _ -.");
  }
  Places places;
  if (is_mapping(entry.value, entry.key, complaints)) {
    read_fields(entry.value, std::string(kTypePath), type_fields(), type, places, complaints);
    if (!places.contains("types.<name>.prefix")) {
      complaints.add(entry.mark, Code::missing_key, "type " + quoted(entry.key) + " has no prefix",
                     "Add one that says what it is, as 'ord' does for orders.");
    }
  }
  types.add(std::move(type), entry.mark, std::move(places));
}

void read_snowflake(const Entry& entry, Declared<SnowflakeConfig>& snowflakes,
                    Complaints& complaints) {
  SnowflakeConfig made;
  made.name = entry.key;
  check_scope_name(entry, complaints);
  // Asked for by that name, it must not be another.
  if (parse_snowflake_layout(entry.key)) {
    complaints.add(entry.mark, Code::conflict, quoted(entry.key) + " is a layout that is there",
                   "It needs no declaration; give your own another name.");
  }
  if (snowflakes.all.size() == SnowflakeConfig::kCountMax) {
    complaints.add(
        entry.mark, Code::too_many,
        "more than " + std::to_string(SnowflakeConfig::kCountMax) + " kinds of snowflakes",
        "Each may hold a machine number in every service; use fewer.");
  }
  Places places;
  if (is_mapping(entry.value, entry.key, complaints)) {
    read_fields(entry.value, std::string(kSnowflakePath), snowflake_fields(), made, places,
                complaints);
    if (!places.contains("snowflakes.<name>.layout")) {
      complaints.add(entry.mark, Code::missing_key, quoted(entry.key) + " has no layout",
                     "Name one, such as twitter, or write it in full: EPOCH_MS/UNIT_MS/tT.mM.sS.");
    }
  }
  snowflakes.add(std::move(made), entry.mark, std::move(places));
}

Config read_config(const Node& root, Complaints& complaints) {
  Config config;
  Declared<TypeConfig> types;
  Declared<ScopeConfig> scopes;
  Declared<SnowflakeConfig> snowflakes;
  constexpr std::array<std::string_view, 3> kOthers = {"types", "scopes", "snowflakes"};
  const auto take_other = [&](const Entry& entry) {
    if (std::ranges::find(kOthers, entry.key) == kOthers.end()) return false;
    if (!is_mapping(entry.value, entry.key, complaints)) return true;
    for (const Entry& declared : entry.value.entries) {
      if (complaints.full()) break;
      if (entry.key == "types") {
        read_type(declared, types, complaints);
      } else if (entry.key == "scopes") {
        read_scope(declared, scopes, complaints);
      } else {
        read_snowflake(declared, snowflakes, complaints);
      }
    }
    return true;
  };
  Places places;
  read_fields(root, "", root_fields(), config, places, complaints, kOthers, take_other);

  check_listeners(config.listen, places, complaints);
  check_scopes(scopes, complaints);
  check_types(types, scopes, complaints);
  config.types = types.take();
  config.scopes = scopes.take();
  config.snowflakes = snowflakes.take();
  return config;
}

}  // namespace
}  // namespace config

Result<Config, ConfigErrors> parse_config(std::string_view yaml) {
  config::Complaints complaints;
  Config config;
  if (const auto root = config::read_tree(yaml, complaints)) {
    if (config::is_mapping(*root, "", complaints)) config = config::read_config(*root, complaints);
  }
  if (!complaints.empty()) return Failure{complaints.take()};
  return config;
}

const TypeConfig* Config::find_type(std::string_view name) const noexcept {
  const auto found = std::ranges::find(types, name, &TypeConfig::name);
  return found == types.end() ? nullptr : &*found;
}

const ScopeConfig* Config::find_scope(std::string_view name) const noexcept {
  const auto found = std::ranges::find(scopes, name, &ScopeConfig::name);
  return found == scopes.end() ? nullptr : &*found;
}

Result<TypeTable, TypeError> Config::type_table() const {
  TypeTable table;
  for (const TypeConfig& type : types) {
    const auto added = table.add({type.name, type.prefix, type.style, separator_of(type)});
    if (!added) return Failure{added.error()};
  }
  return table;
}

}  // namespace tessera
