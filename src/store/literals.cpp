// Writes values into statements.

#include "store/literals.h"

#include "store/dialect.h"

namespace tessera {

using db::Value;

std::string literal_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  // With its character set, or a column would be converted, and its index left aside.
  if (const auto* text = std::get_if<std::string>(&value)) return "_utf8mb4 " + hex_literal(*text);
  if (const auto* bytes = std::get_if<db::Bytes>(&value)) return hex_literal(bytes->bytes);
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
  const auto* bytes = std::get_if<db::Bytes>(&value);
  if (bytes == nullptr) return "NULL";
  return "\"\\\\x" + hex_of(bytes->bytes) + '"';
}

}  // namespace tessera
