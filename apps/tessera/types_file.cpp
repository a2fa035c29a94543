// The declared types, read from tessera.yaml.

#include <unistd.h>

#include <cstdlib>

#include "output.h"
#include "tessera/config/config.h"
#include "types.h"

namespace tessera::cli {

std::optional<std::string> config_file(const Args& args) {
  if (const auto file = args.value("config")) return std::string(*file);
  if (const char* file = std::getenv("TESSERA_CONFIG"); file != nullptr && *file != '\0') {
    return std::string(file);
  }
  constexpr const char* kHere = "tessera.yaml";
  if (::access(kHere, R_OK) == 0) return std::string(kHere);
  return std::nullopt;
}

void complain_of(const ConfigError& error, std::string_view file, std::string_view text) {
  std::string words = render(error, file, text);
  if (words.ends_with('\n')) words.pop_back();
  complain(words);
}

Result<Types, Exit> load_types(const Args& args) {
  Types types;
  const auto file = config_file(args);
  if (!file) return types;
  types.file = *file;
  const auto text = read_config_file(*file);
  if (!text) {
    complain_of(text.error(), *file, "");
    return Failure{Exit::io};
  }
  const auto config = parse_config(*text);
  if (!config) {
    for (const ConfigError& error : config.error()) complain_of(error, *file, *text);
    return Failure{Exit::usage};
  }
  auto table = config->type_table();
  if (!table) {
    complain(std::string(describe(table.error())));
    return Failure{Exit::usage};
  }
  types.table = *std::move(table);
  return types;
}

}  // namespace tessera::cli
