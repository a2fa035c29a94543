#pragma once

// What holds between the keys of a file: references, ranges, clashes. Each complaint names the
// other line, since one of the two is right and only its writer knows which.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/read.h"

namespace tessera::config {

// The types or the scopes of a file, with the places that later complaints point to.
template <class Item>
struct Declared {
  struct One {
    Item item;
    Mark mark;  // of its name
    Places places;

    // Where `path` was given, or the name if it was not.
    Mark place_of(std::string_view path) const {
      const auto found = places.find(path);
      return found == places.end() ? mark : found->second;
    }
    bool has(std::string_view path) const { return places.contains(path); }
  };

  std::vector<One> all;
  std::map<std::string, std::size_t, std::less<>> index;  // by name

  // Names differ: a mapping has no key twice.
  void add(Item item, Mark mark, Places places) {
    index.emplace(item.name, all.size());
    all.push_back({std::move(item), mark, std::move(places)});
  }
  const One* find(std::string_view name) const {
    const auto found = index.find(name);
    return found == index.end() ? nullptr : &all[found->second];
  }
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> out;
    for (const auto& [name, at] : index) out.push_back(name);
    return out;
  }
  std::vector<Item> take() {
    std::vector<Item> items;
    for (One& one : all) items.push_back(std::move(one.item));
    return items;
  }
};

// Completes the ranges, and complains of those that are empty or not safe for JavaScript.
void check_scopes(Declared<ScopeConfig>& scopes, Complaints& complaints);

// Complains of prefixes that clash, of scopes and parents that are not declared, of types that
// are their own ancestors, and of settings that exclude each other.
void check_types(const Declared<TypeConfig>& types, const Declared<ScopeConfig>& scopes,
                 Complaints& complaints);

// Complains of two listeners on one address. `places` may be empty, if there is no file.
void check_listeners(const ListenConfig& listen, const Places& places, Complaints& complaints);

}  // namespace tessera::config
