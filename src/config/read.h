#pragma once

// Reads a mapping of the file into a value, following a table of keys.

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "config/spelling.h"

namespace tessera::config {

// Where each key of a table was given; those that were not are missing. By ConfigKey::path.
using Places = std::map<std::string_view, Mark>;

// A mapping, or nothing behind the key, which is an empty mapping. Complains of the rest.
inline bool is_mapping(const Node& node, std::string_view key, Complaints& complaints) {
  if (node.kind == Node::Kind::mapping || node.is_nothing()) return true;
  if (node.kind != Node::Kind::refused) {
    complaints.add(
        node.mark, ConfigError::Code::wrong_type,
        (key.empty() ? "the file" : quoted(key)) + " must be a mapping, not " + kind_of(node),
        "Write its keys below it, one step further in: 'key: value'.");
  }
  return false;
}

// The name under `path` that leads to `target`: "step" for "segment" and "segment.step". Empty if
// it does not.
inline std::string_view name_below(std::string_view path, std::string_view target) {
  if (!path.empty()) {
    if (!target.starts_with(path) || target.substr(path.size(), 1) != ".") return "";
    target.remove_prefix(path.size() + 1);
  }
  return target.substr(0, target.find('.'));
}

// The row whose key is at `path`, in either spelling.
template <class Target>
const Field<Target>* find_field(std::span<const Field<Target>> fields, std::string_view path) {
  const auto found = std::ranges::find_if(fields, [path](const ConfigKey& key) {
    return path == key.path || (!key.also.empty() && path == key.also);
  });
  return found == fields.end() ? nullptr : &*found;
}

// The names of all keys right below `path`; none if it is no group of keys.
template <class Target>
std::vector<std::string_view> names_below(std::span<const Field<Target>> fields,
                                          std::string_view path) {
  std::vector<std::string_view> names;
  for (const ConfigKey& key : fields) {
    for (const std::string_view target : {key.path, key.also}) {
      const std::string_view name = name_below(path, target);
      if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

void complain_of_unknown_key(const Entry& entry, std::string_view path,
                             std::vector<std::string_view> known, Complaints& complaints);

// Is offered an entry that no row of the table knows, and says whether it took it.
using TakeOther = std::function<bool(const Entry& entry)>;

// Reads the entries of `mapping`, whose own path is `path`, into `target`. `other_names` are the
// keys that `take_other` takes.
template <class Target>
void read_fields(const Node& mapping, const std::string& path,
                 std::span<const Field<Target>> fields, Target& target, Places& places,
                 Complaints& complaints, std::span<const std::string_view> other_names = {},
                 const TakeOther& take_other = {}) {
  for (const Entry& entry : mapping.entries) {
    if (complaints.full()) return;
    const std::string full = path.empty() ? entry.key : path + "." + entry.key;
    // Below a type or a scope the line itself shows which one it is.
    const bool named = path.find('<') != std::string::npos;
    const std::string& shown = named ? entry.key : full;
    // A dot within a key is no step down: "segment.step: 5" is not "segment: {step: 5}".
    const bool dotted = entry.key.find('.') != std::string::npos;

    if (const auto* field = dotted ? nullptr : find_field(fields, full)) {
      // A setting may have two spellings, so that two keys of two mappings can be one twice.
      const auto [first, is_new] = places.try_emplace(field->path, entry.value.mark);
      if (is_new) {
        field->read(Value{entry.value, shown, complaints}, target);
      } else {
        complaints.add(
            entry.mark, ConfigError::Code::duplicate_key,
            quoted(shown) + " says again what line " + std::to_string(first->second.line) + " says",
            "Keep one of them.");
      }
    } else if (!dotted && !names_below(fields, full).empty()) {
      if (is_mapping(entry.value, shown, complaints)) {
        read_fields(entry.value, full, fields, target, places, complaints);
      }
    } else if (!take_other || !take_other(entry)) {
      auto known = names_below(fields, path);
      known.insert(known.end(), other_names.begin(), other_names.end());
      complain_of_unknown_key(entry, path, std::move(known), complaints);
    }
  }
}

}  // namespace tessera::config
