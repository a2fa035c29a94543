#pragma once

// The names of scopes.
//
// A name matches [A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])? and is compared byte by byte,
// so that no database folds two scopes into one, by letter case, by a trailing blank or by an
// accent: they would share one counter in one store, and have two in the next.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

inline constexpr std::size_t kScopeNameSizeMax = 64;

// The offset where `name` breaks the rule; nothing if it does not.
constexpr std::optional<std::uint32_t> scope_name_fault(std::string_view name) noexcept {
  if (name.empty()) return 0;
  const std::size_t size = std::min(name.size(), kScopeNameSizeMax + 1);
  for (std::uint32_t i = 0; i < size; ++i) {
    const char c = name[i];
    const bool outside = i == 0 || i + 1 == name.size();
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool mark = c == '.' || c == '_' || c == '-';
    if (i == kScopeNameSizeMax || !(letter || (mark && !outside))) return i;
  }
  return std::nullopt;
}

}  // namespace tessera
