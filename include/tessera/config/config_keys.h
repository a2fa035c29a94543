#pragma once

// Every key of tessera.yaml, as data: reading, the environment and docs/configuration.md
// follow this one table.

#include <span>
#include <string_view>

namespace tessera {

struct ConfigKey {
  std::string_view path;      // "segment.step", "types.<name>.prefix"
  std::string_view also;      // another spelling, "bluecone.id.segment.step"; may be empty
  std::string_view type;      // "1 to 1000000"
  std::string_view standard;  // the default, as it would be written; "required" if there is none
  std::string_view variable;  // "TESSERA_SEGMENT_STEP"; empty if only the file can say it
  std::string_view meaning;
};

// In the order of the documents: the file's own keys, those of a type, of a scope, of snowflakes.
std::span<const ConfigKey> config_keys() noexcept;

}  // namespace tessera
