// Maps errors and values.

#include "migrate/db_error.h"

#include <charconv>

namespace tessera::migrate {

Error error_of(const db::DbError& error, db::Engine engine) {
  using Kind = db::DbError::Kind;
  using Code = Error::Code;
  const std::string message = std::string(name_of(engine)) + ": " + error.message;
  switch (error.kind) {
    case Kind::unavailable:
    case Kind::outcome_unknown:
      return {Code::store_unavailable, message, "Run it again: it goes on where it was."};
    case Kind::conflict:
      return {Code::store_unavailable, message,
              "Somebody holds a lock. Run it again: it goes on where it was."};
    case Kind::missing:
      return {Code::not_found, message, "Look at the names of table and columns."};
    case Kind::denied: return {Code::store_failed, message, "The account must own the table."};
    case Kind::full: return {Code::store_failed, message, "The server must be able to write."};
    case Kind::unique:
    case Kind::check:
    case Kind::failed: break;
  }
  return {Code::store_failed, message, ""};
}

std::int64_t number_of(const db::Value& value) noexcept {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  std::int64_t number = 0;
  if (const auto* text = std::get_if<std::string>(&value)) {
    std::from_chars(text->data(), text->data() + text->size(), number);
  }
  return number;
}

std::string string_of(const db::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* bytes = std::get_if<db::Bytes>(&value)) return bytes->bytes;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return "";
}

}  // namespace tessera::migrate
