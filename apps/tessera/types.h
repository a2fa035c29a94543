#pragma once

// The declared types that a command may need, from --config or tessera.yaml.

#include <optional>
#include <string>

#include "args.h"
#include "exit.h"
#include "tessera/result.h"
#include "tessera/type_table.h"

namespace tessera::cli {

struct Types {
  TypeTable table;
  std::string file;  // where they came from; empty: there is no configuration
};

// --config FILE, else $TESSERA_CONFIG, else ./tessera.yaml if it is there, else nothing.
std::optional<std::string> config_file(const Args& args);

// The types of that file, or none. A file that is wrong has been complained about.
Result<Types, Exit> load_types(const Args& args);

}  // namespace tessera::cli
