#pragma once

// The declared types that a command may need, from --config or tessera.yaml.

#include <optional>
#include <string>

#include "args.h"
#include "exit.h"
#include "tessera/config/config_error.h"
#include "tessera/result.h"
#include "tessera/snowflake.h"
#include "tessera/type_table.h"

namespace tessera::cli {

struct Types {
  TypeTable table;
  std::string file;  // where they came from; empty: there is no configuration
};

// --config FILE, else $TESSERA_CONFIG, else ./tessera.yaml if it is there, else nothing.
std::optional<std::string> config_file(const Args& args);

void complain_of(const ConfigError& error, std::string_view file, std::string_view text);

// The types of that file, or none. A file that is wrong has been complained about.
Result<Types, Exit> load_types(const Args& args);

// The type of that name or prefix. If there is none, that has been complained about.
Result<const ResourceType*, Exit> find_type(const TypeTable& table, std::string_view name);

// The type that --type names, or that --prefix and --style describe. With `as_typeid` the
// style is typeid, and the prefix may be missing. What is wrong has been complained about.
Result<ResourceType, Exit> public_type(const Args& args, bool as_typeid);

// Complains about a prefix that breaks its rule.
std::optional<Exit> refuse_prefix(std::string_view prefix);

// By --layout.
// --layout, by name or in full.
Result<SnowflakeLayout, Exit> layout_of(const Args& args);

}  // namespace tessera::cli
