#pragma once

// What an installation has declared, as far as the contract needs it: types, and by which names
// of fields, parameters and tables they are known.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/type_table.h"

namespace tessera::contract {

struct DeclaredType {
  ResourceType type;
  std::string collection;  // "orders"
  std::string scope;       // where its keys come from; may be empty
};

class Declared {
 public:
  Declared() = default;
  explicit Declared(std::vector<DeclaredType> types);

  std::span<const DeclaredType> types() const noexcept { return types_; }
  const TypeTable& table() const noexcept { return table_; }

  // The type that a word names: "order", "orders", "Order"; null if none.
  const DeclaredType* find(std::string_view word) const noexcept;
  const DeclaredType* find_by_prefix(std::string_view prefix) const noexcept;

 private:
  std::vector<DeclaredType> types_;
  TypeTable table_;
};

// Whether `text` is as `pattern` says, where * is any characters and ? is one.
bool matches_glob(std::string_view pattern, std::string_view text) noexcept;

}  // namespace tessera::contract
