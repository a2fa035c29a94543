// Writes values into statements.

#include "db/literals.h"

namespace tessera::db {

std::string hex_of(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

std::string hex_literal(std::string_view text) { return "x'" + hex_of(text) + "'"; }

std::string literal_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  // With its character set, or a column would be converted, and its index left aside.
  if (const auto* text = std::get_if<std::string>(&value)) return "_utf8mb4 " + hex_literal(*text);
  if (const auto* bytes = std::get_if<Bytes>(&value)) return hex_literal(bytes->bytes);
  return "NULL";
}

std::string filled(std::string_view sql, std::span<const Value> parameters) {
  std::string out;
  out.reserve(sql.size() + 64 * parameters.size());
  for (const Value& value : parameters) {
    const std::size_t mark = sql.find('?');
    out.append(sql.substr(0, mark)).append(literal_of(value));
    sql.remove_prefix(mark + 1);
  }
  return out.append(sql);
}

std::string element_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return '"' + *text + '"';
  const auto* bytes = std::get_if<Bytes>(&value);
  if (bytes == nullptr) return "NULL";
  return "\"\\\\x" + hex_of(bytes->bytes) + '"';
}

}  // namespace tessera::db
