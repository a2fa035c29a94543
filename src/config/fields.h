#pragma once

// Field: a row of the table of keys, with the function that reads its value.
//
// A table each for the file's own keys, those of a type, of a scope, and of snowflakes. Paths are
// whole in each ("types.<name>.prefix"), so that one function reads them all.

#include <span>
#include <string_view>

#include "config/values.h"
#include "tessera/config/config.h"
#include "tessera/config/config_keys.h"

namespace tessera::config {

template <class Target>
struct Field : ConfigKey {
  void (*read)(const Value& value, Target& target);  // keeps the target if it complains
};

inline constexpr std::string_view kTypePath = "types.<name>";
inline constexpr std::string_view kScopePath = "scopes.<name>";
inline constexpr std::string_view kSnowflakePath = "snowflakes.<name>";

std::span<const Field<Config>> root_fields() noexcept;
std::span<const Field<TypeConfig>> type_fields() noexcept;
std::span<const Field<ScopeConfig>> scope_fields() noexcept;
std::span<const Field<SnowflakeConfig>> snowflake_fields() noexcept;

}  // namespace tessera::config
