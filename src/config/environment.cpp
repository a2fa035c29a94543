// What stands above the file: variables and flags. Both are read as the file would be.

#include <algorithm>

#include "config/relations.h"
#include "tessera/config/config.h"
#include "tessera/config/config_keys.h"

namespace tessera {
namespace config {
namespace {

// Reads `value` as if the file had it without quotes, or with, where quotes are needed.
void read_value(const Field<Config>& field, std::string_view shown, std::string_view value,
                Config& config, Complaints& complaints) {
  Node node;
  node.text = value;
  node.plain = value != "~" && value != "null" && !value.empty();
  field.read(Value{node, shown, complaints}, config);
}

}  // namespace
}  // namespace config

std::optional<ConfigError> set_config(Config& config, std::string_view key,
                                      std::string_view value) {
  config::Complaints complaints;
  Config changed = config;
  const auto fields = config::root_fields();
  const auto field = std::ranges::find(fields, key, &ConfigKey::path);
  if (field == fields.end()) {
    complaints.add({}, ConfigError::Code::unknown_key, "unknown key " + config::quoted(key));
  } else {
    config::read_value(*field, key, value, changed, complaints);
    config::check_listeners(changed.listen, {}, complaints);
  }
  if (!complaints.empty()) return complaints.take().front();
  config = std::move(changed);
  return std::nullopt;
}

ConfigErrors apply_environment(Config& config, std::span<const EnvironmentVariable> variables) {
  config::Complaints complaints;
  Config changed = config;
  for (const auto& [name, value] : variables) {
    if (value.empty() || !name.starts_with("TESSERA_")) continue;
    const auto fields = config::root_fields();
    const auto field = std::ranges::find(fields, name, &ConfigKey::variable);
    if (field != fields.end()) {
      config::read_value(*field, name, value, changed, complaints);
      continue;
    }
    // Kubernetes sets TESSERA_PORT and more of that kind for a service called tessera, so a
    // variable that we do not know is nobody's mistake, unless it looks like one.
    for (const auto& other : fields) {
      if (edit_distance(name, other.variable) > 1) continue;
      complaints.add({}, ConfigError::Code::unknown_key, "unknown variable " + config::quoted(name),
                     "did you mean " + config::quoted(other.variable) + "?");
    }
  }
  if (complaints.empty()) config::check_listeners(changed.listen, {}, complaints);
  if (complaints.empty()) config = std::move(changed);
  return complaints.take();
}

}  // namespace tessera
