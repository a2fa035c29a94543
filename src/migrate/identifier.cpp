// Quotes names and texts.

#include "migrate/identifier.h"

#include <cassert>
#include <cstdint>

namespace tessera::migrate {
namespace {

std::string between(char quote, std::string_view text) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += quote;
    out += c;
  }
  return out += quote;
}

}  // namespace

bool is_identifier(std::string_view name) noexcept {
  constexpr std::size_t kSizeMax = 63;
  if (name.empty() || name.size() > kSizeMax) return false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) return false;
  }
  return true;
}

std::string quoted_name(db::Engine engine, std::string_view name) {
  assert(is_identifier(name));
  return between(engine == db::Engine::mariadb ? '`' : '"', name);
}

std::string quoted_table(db::Engine engine, std::string_view table) {
  const std::size_t dot = table.find('.');
  if (dot == table.npos) return quoted_name(engine, table);
  return quoted_name(engine, table.substr(0, dot)) + "." +
         quoted_name(engine, table.substr(dot + 1));
}

std::string quoted_text(std::string_view text) { return between('\'', text); }

std::string derived_name(std::string_view what, std::string_view table, std::string_view column) {
  // FNV-1a, 64 bits: the same for ever, so that a later version finds what this one made.
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
  const auto add = [&](std::string_view text) {
    for (const char c : text) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
    }
  };
  add(table);
  add(std::string_view("\0", 1));  // which no name has
  add(column);
  std::string out(what);
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[hash >> shift & 15];
  return out;
}

}  // namespace tessera::migrate
