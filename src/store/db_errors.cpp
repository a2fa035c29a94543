// Maps errors and values.

#include "store/db_errors.h"

#include <charconv>

namespace tessera {

Error error_of(const db::DbError& error, db::Engine engine, At at) {
  using Kind = db::DbError::Kind;
  using Code = Error::Code;
  const std::string message = std::string(name_of(engine)) + ": " + error.message;
  switch (error.kind) {
    case Kind::unavailable:
      return {Code::store_unavailable, message, "Look whether the server is up, and at the URL."};
    case Kind::outcome_unknown:
      if (at != At::commit)
        return {Code::store_unavailable, message, "Nothing was done; ask again."};
      return {
          Code::outcome_unknown, message,
          "The range, if one was reserved, stays unused; with a request key the same call finds "
          "it."};
    case Kind::conflict:
      return {Code::store_unavailable, message, "Others were faster; ask again."};
    case Kind::missing:
      return {Code::store_schema, message,
              "Make the tables first: init_store, or tessera store init."};
    case Kind::denied:
      return {Code::store_failed, message, "The account needs SELECT, INSERT and UPDATE."};
    case Kind::full: {
      constexpr int kSqliteReadOnly = 8;
      const bool disk = engine == db::Engine::sqlite     ? (error.code & 0xFF) != kSqliteReadOnly
                        : engine == db::Engine::postgres ? error.state == "53100"
                                                         : error.code == 1021 || error.code == 1114;
      if (disk && engine == db::Engine::sqlite && at == At::commit) {
        return {Code::outcome_unknown, message, "Make room on the disk of the store."};
      }
      if (disk) return {Code::store_unavailable, message, "Make room on the disk of the store."};
      return {Code::store_failed, message, "The store is read-only; connect to one that writes."};
    }
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

std::string text_of(const db::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* bytes = std::get_if<db::Bytes>(&value)) return bytes->bytes;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return "";
}

}  // namespace tessera
