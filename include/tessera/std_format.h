#pragma once

// Identifiers in std::format: every ID that has a text is formatted as that text, with the
// usual options for strings.
//
//   std::format("{:>40}", id)      std::format("{:.8}", id)  // the first eight characters
//
// Where the standard library has no <format> yet, this header declares nothing.

#include <version>

#ifdef __cpp_lib_format

#include <cstddef>
#include <format>
#include <string_view>

#include "tessera/text.h"

template <tessera::HasText Id>
struct std::formatter<Id, char> : std::formatter<std::string_view, char> {
  template <class Context>
  auto format(const Id& id, Context& context) const {
    const auto text = id.text();
    return std::formatter<std::string_view, char>::format(text.view(), context);
  }
};

template <std::size_t Capacity>
struct std::formatter<tessera::Text<Capacity>, char> : std::formatter<std::string_view, char> {
  template <class Context>
  auto format(const tessera::Text<Capacity>& text, Context& context) const {
    return std::formatter<std::string_view, char>::format(text.view(), context);
  }
};

#endif
