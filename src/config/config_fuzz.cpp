// Any bytes are either a configuration that keeps its promises, or a list of mistakes that can be
// shown to a person.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tessera/config/config.h"
#include "tessera/scope_name.h"
#include "tessera/snowflake.h"

namespace {

using namespace tessera;

void require(bool condition) {
  if (!condition) std::abort();
}

bool is_shown_safely(std::string_view text) {
  for (const char c : text) {
    if (c != '\n' && (c < ' ' || c > '~')) return false;
  }
  return true;
}

void check_config(const Config& config) {
  require(config.type_table().operator bool());
  require(config.step >= 1 && config.step <= ScopeConfig::kStepMax);
  require(is_separator(config.separator));
  for (const TypeConfig& type : config.types) {
    require(!prefix_fault(type.prefix));
    require(type.scope.empty() || config.find_scope(type.scope) != nullptr);
    const TypeConfig* ancestor = &type;
    for (std::size_t depth = 0; !ancestor->parent.empty(); ++depth) {
      ancestor = config.find_type(ancestor->parent);
      require(ancestor != nullptr && depth <= config.types.size());
    }
  }
  for (const ScopeConfig& scope : config.scopes) {
    require(!scope_name_fault(scope.name));
    require(1 <= scope.min && scope.min <= scope.max && config.step_of(scope) >= 1);
    require(!scope.js_safe || scope.max <= ScopeConfig::kJsSafeMax);
  }
  require(config.snowflakes.size() <= SnowflakeConfig::kCountMax);
  for (const SnowflakeConfig& made : config.snowflakes) {
    require(!scope_name_fault(made.name) && parse_snowflake_layout(made.layout).has_value());
  }
}

void check_error(const ConfigError& error, std::string_view yaml) {
  require(!error.message.empty() && is_shown_safely(error.message) && is_shown_safely(error.hint));
  require(error.line == 0 || error.column > 0);
  require(error.line <= yaml.size() + 1 && error.column <= yaml.size() + 1);
  require(is_shown_safely(render(error, "tessera.yaml", yaml)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = parse_config(text);
  if (config) {
    check_config(*config);
  } else {
    require(!config.error().empty());
    for (const ConfigError& error : config.error()) check_error(error, text);
  }

  // The same bytes as the value of a flag, which need not be YAML.
  for (const std::string_view key : {"store", "listen.public", "segment.step", "tokens"}) {
    Config changed;
    if (const auto error = set_config(changed, key, text)) {
      check_error(*error, text);
      require(changed == Config{});
    } else {
      check_config(changed);
      if (changed.listen.public_api) {
        Config again;
        require(!set_config(again, "listen.public", changed.listen.public_api->to_string()));
        require(again.listen == changed.listen);
      }
    }
  }
  return 0;
}
