#pragma once

// Identifiers in {fmt}: every ID that has a text is formatted as that text, with the usual
// options for strings.
//
//   fmt::print("{:>40}\n", id);      fmt::format("{:.8}", id)  // the first eight characters
//
// Include it where you use {fmt}; no other header of tessera does, and nothing links it.

#include <fmt/format.h>

#include <cstddef>

#include "tessera/text.h"

template <tessera::HasText Id>
struct fmt::formatter<Id, char> : fmt::formatter<fmt::string_view, char> {
  template <class Context>
  auto format(const Id& id, Context& context) const {
    const auto text = id.text();
    const auto view = text.view();
    return fmt::formatter<fmt::string_view, char>::format({view.data(), view.size()}, context);
  }
};

template <std::size_t Capacity>
struct fmt::formatter<tessera::Text<Capacity>, char> : fmt::formatter<fmt::string_view, char> {
  template <class Context>
  auto format(const tessera::Text<Capacity>& text, Context& context) const {
    const auto view = text.view();
    return fmt::formatter<fmt::string_view, char>::format({view.data(), view.size()}, context);
  }
};
