#pragma once

// The mistakes of a configuration in one line, so that a table of cases can hold them:
// "3:5 unknown_key, 7:18 prefix_taken". Empty if there are none.

#include <string>
#include <string_view>

#include "tessera/config/config.h"

namespace tessera {

inline std::string codes_of(const ConfigErrors& errors) {
  std::string out;
  for (const ConfigError& error : errors) {
    out += (out.empty() ? "" : ", ") + std::to_string(error.line) + ":" +
           std::to_string(error.column) + " " + std::string(name_of(error.code));
  }
  return out;
}

inline std::string mistakes_in(std::string_view yaml) {
  const auto config = parse_config(yaml);
  return config ? "" : codes_of(config.error());
}

// As a person reads them, one below the other.
inline std::string rendered_mistakes(std::string_view yaml,
                                     std::string_view file = "tessera.yaml") {
  const auto config = parse_config(yaml);
  std::string out;
  if (!config) {
    for (const ConfigError& error : config.error()) out += render(error, file, yaml);
  }
  return out;
}

}  // namespace tessera
