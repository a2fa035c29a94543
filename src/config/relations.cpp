// Checks what no key can see alone.

#include "config/relations.h"

#include <array>

namespace tessera::config {
namespace {

using Code = ConfigError::Code;
using DeclaredType = Declared<TypeConfig>::One;

std::string line_of(Mark mark) { return "(line " + std::to_string(mark.line) + ")"; }

void check_prefixes(const Declared<TypeConfig>& types, Complaints& complaints) {
  std::map<std::string_view, const DeclaredType*> taken;
  for (const DeclaredType& type : types.all) {
    if (type.item.prefix.empty()) continue;  // missing or bad: said already
    const auto [other, is_new] = taken.try_emplace(type.item.prefix, &type);
    if (is_new) continue;
    complaints.add(type.place_of("types.<name>.prefix"), Code::prefix_taken,
                   "prefix " + quoted(type.item.prefix) + " is taken by type " +
                       quoted(other->second->item.name) + " " +
                       line_of(other->second->place_of("types.<name>.prefix")),
                   "Two types need two prefixes: the prefix alone says what an ID is.");
  }
}

// Of those with a scope, which the registry keeps: its names would be read in two ways.
void check_collections(const Declared<TypeConfig>& types, Complaints& complaints) {
  std::map<std::string, const DeclaredType*, std::less<>> taken;
  for (const DeclaredType& type : types.all) {
    if (type.item.scope.empty()) continue;
    const std::string collection = Config::collection_of(type.item);
    const auto [other, is_new] = taken.try_emplace(collection, &type);
    if (is_new) continue;
    complaints.add(type.place_of("types.<name>.collection"), Code::conflict,
                   "collection " + quoted(collection) + " is taken by type " +
                       quoted(other->second->item.name) + " " +
                       line_of(other->second->place_of("types.<name>.collection")),
                   "Two types need two collections: a resource name says what it names by it.");
  }
}

void check_references(const DeclaredType& type, const Declared<TypeConfig>& types,
                      const Declared<ScopeConfig>& scopes, Complaints& complaints) {
  const TypeConfig& item = type.item;
  if (!item.scope.empty() && scopes.find(item.scope) == nullptr) {
    complaints.add(type.place_of("types.<name>.scope"), Code::unknown_scope,
                   "scope " + quoted(item.scope) + " is not declared",
                   suggestion(item.scope, scopes.names(), "scopes"));
  }
  if (!item.parent.empty() && types.find(item.parent) == nullptr) {
    complaints.add(type.place_of("types.<name>.parent"), Code::unknown_parent,
                   "parent " + quoted(item.parent) + " is not declared",
                   suggestion(item.parent, types.names(), "types"));
  }
}

// Each type has one parent at most, so a walk up either ends or comes back to where it was.
void check_cycles(const Declared<TypeConfig>& types, Complaints& complaints) {
  constexpr std::size_t kNotSeen = 0;
  std::vector<std::size_t> seen_in(types.all.size(), kNotSeen);  // the number of the walk
  for (std::size_t start = 0; start < types.all.size(); ++start) {
    const std::size_t walk = start + 1;
    std::size_t at = start;
    while (seen_in[at] == kNotSeen) {
      seen_in[at] = walk;
      const std::string& name = types.all[at].item.parent;
      const auto parent = types.index.find(name);
      if (name.empty() || parent == types.index.end()) break;
      at = parent->second;
      if (seen_in[at] != walk) continue;

      std::string path = quoted(types.all[at].item.name);
      std::size_t ancestor = at;
      do {
        ancestor = types.index.find(types.all[ancestor].item.parent)->second;
        constexpr std::size_t kPathSizeMax = 200;
        if (path.size() < kPathSizeMax) path += " -> " + quoted(types.all[ancestor].item.name);
      } while (ancestor != at);
      complaints.add(types.all[at].place_of("types.<name>.parent"), Code::parent_cycle,
                     "a type cannot be its own ancestor: " + path,
                     "Remove one of these parents: a child ends with its parent.");
    }
  }
}

// The scope of short IDs: all numbers of so many bits, or more than half of them.
void check_short_scope(Declared<ScopeConfig>::One& scope, Complaints& complaints) {
  ScopeConfig& item = scope.item;
  const auto all = static_cast<std::int64_t>((std::uint64_t{1} << item.bits) - 1);
  for (const char* path : {"scopes.<name>.min", "scopes.<name>.js-safe"}) {
    if (!scope.has(path)) continue;
    complaints.add(scope.place_of(path), Code::conflict,
                   "a scope of short IDs has no " + quoted(std::string_view(path).substr(14)),
                   "Its bits say where it begins and ends.");
  }
  item.min = 0;
  if (!scope.has("scopes.<name>.max")) {
    item.max = all;
  } else if (item.max > all || item.max <= all / 2) {
    complaints.add(
        scope.place_of("scopes.<name>.max"), Code::conflict,
        "short IDs up to " + std::to_string(item.max) + " do not need " +
            std::to_string(item.bits) + " bits",
        "The largest is from " + std::to_string(all / 2 + 1) + " to " + std::to_string(all) + ".");
  }
}

}  // namespace

void check_scopes(Declared<ScopeConfig>& scopes, Complaints& complaints) {
  for (auto& scope : scopes.all) {
    ScopeConfig& item = scope.item;
    if (item.bits != 0) {
      check_short_scope(scope, complaints);
      continue;
    }
    const bool has_max = scope.has("scopes.<name>.max");
    if (item.js_safe && !has_max) item.max = ScopeConfig::kJsSafeMax;
    if (item.js_safe && item.max > ScopeConfig::kJsSafeMax) {
      complaints.add(scope.place_of("scopes.<name>.max"), Code::conflict,
                     "a js-safe scope cannot go up to " + std::to_string(item.max),
                     "A JavaScript number is exact up to 9007199254740991.");
    }
    if (item.min > item.max) {
      complaints.add(
          scope.place_of(has_max ? "scopes.<name>.max" : "scopes.<name>.min"), Code::conflict,
          "min " + std::to_string(item.min) + " is larger than max " + std::to_string(item.max));
    }
  }
}

void check_types(const Declared<TypeConfig>& types, const Declared<ScopeConfig>& scopes,
                 Complaints& complaints) {
  check_prefixes(types, complaints);
  for (const DeclaredType& type : types.all) {
    if (complaints.full()) return;
    check_references(type, types, scopes, complaints);
    const TypeConfig& item = type.item;
    if (item.style == PublicStyle::type_id && item.separator.value_or('_') != '_') {
      complaints.add(
          type.place_of("types.<name>.separator"), Code::invalid_separator,
          "style typeid cannot have the separator '" + std::string(1, *item.separator) + "'",
          "TypeID fixes it: leave the separator out, or choose another style.");
    }
    if (item.tombstone == TypeConfig::Tombstone::exact && item.undelete_days > 0) {
      complaints.add(type.place_of("types.<name>.undelete-days"), Code::conflict,
                     "undelete-days needs a soft tombstone",
                     "An exact tombstone keeps only that the ID was used: nothing comes back.");
    }
  }
  check_collections(types, complaints);
  check_cycles(types, complaints);
}

void check_listeners(const ListenConfig& listen, const Places& places, Complaints& complaints) {
  struct Listener {
    std::string_view path;
    const std::optional<ListenAddress>& address;
  };
  const std::array<Listener, 3> listeners = {{{"listen.public", listen.public_api},
                                              {"listen.internal", listen.internal_api},
                                              {"listen.redis", listen.redis}}};
  const auto place_of = [&places](std::string_view path) {
    const auto found = places.find(path);
    return found == places.end() ? Mark{} : found->second;
  };
  for (std::size_t i = 0; i < listeners.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto& [path, address] = listeners[i];
      const bool free_port = address && address->port == 0;  // each gets another
      if (!address || free_port || address != listeners[j].address) continue;
      // The later line is the one to point at; a default has none, and then the other is.
      const Mark here = place_of(path);
      const Mark there = place_of(listeners[j].path);
      const bool point_here = here.line >= there.line;
      complaints.add(point_here ? here : there, Code::address_taken,
                     quoted(point_here ? path : listeners[j].path) + " and " +
                         quoted(point_here ? listeners[j].path : path) + " are both " +
                         quoted(address->to_string()),
                     "Every listener needs an address of its own.");
    }
  }
}

}  // namespace tessera::config
