// What to say about a key that nobody knows.

#include "config/read.h"

namespace tessera::config {
namespace {

// Where a key of this name would be right: "'step' belongs under 'segment'".
std::string home_of(std::string_view name) {
  std::string homes;
  for (const ConfigKey& key : config_keys()) {
    const std::size_t dot = key.path.rfind('.');
    if (key.path == name && dot != std::string_view::npos) {
      return "Write " + quoted(name.substr(dot + 1)) + " below " + quoted(name.substr(0, dot)) +
             ", one step further in.";
    }
    if (dot == std::string_view::npos || key.path.substr(dot + 1) != name) continue;
    homes += (homes.empty() ? "" : " or ") + quoted(key.path.substr(0, dot));
  }
  return homes.empty() ? "" : quoted(name) + " belongs under " + homes + ".";
}

}  // namespace

void complain_of_unknown_key(const Entry& entry, std::string_view path,
                             std::vector<std::string_view> known, Complaints& complaints) {
  std::string hint;
  if (nearest(entry.key, known).empty()) hint = home_of(entry.key);
  if (hint.empty()) hint = suggestion(entry.key, known, "keys here");
  std::string message = "unknown key " + quoted(entry.key);
  if (path == kTypePath) message += " of a type";
  if (path == kScopePath) message += " of a scope";
  if (path == kSnowflakePath) message += " of snowflakes";
  complaints.add(entry.mark, ConfigError::Code::unknown_key, std::move(message), std::move(hint));
}

}  // namespace tessera::config
