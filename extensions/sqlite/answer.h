#pragma once

// What all functions do with values: take text or bytes out of an argument, and give an answer
// or an error back. Nothing here throws; SQLite is C.

#include <tessera/c.h>

#include <cstdint>
#include <string_view>

#include "sqlite/sqlite.h"

namespace tessera::sqlite {

inline std::string_view text_of(sqlite3_value* value) noexcept {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

inline bool is_null(sqlite3_value* value) noexcept {
  return sqlite3_value_type(value) == SQLITE_NULL;
}

inline bool is_blob(sqlite3_value* value) noexcept {
  return sqlite3_value_type(value) == SQLITE_BLOB;
}

inline void give_text(sqlite3_context* context, std::string_view text) noexcept {
  sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

inline void give_blob(sqlite3_context* context, const void* bytes, std::size_t size) noexcept {
  sqlite3_result_blob(context, bytes, static_cast<int>(size), SQLITE_TRANSIENT);
}

// "tessera_ulid_bytes: bad character at offset 15". An offset only where there is one.
void fail(sqlite3_context* context, std::string_view function, int code,
          const std::uint32_t* offset = nullptr) noexcept;
void fail_with(sqlite3_context* context, std::string_view function, const char* words) noexcept;

// The text that an argument stands for: itself, or that of the bytes of a kind. Bytes need a
// kind of their size; `what` may be empty, and then 16 are a ULID, 12 an ObjectId and 20 a KSUID.
class IdText {
 public:
  // False if there is none: `code` says why.
  bool read(sqlite3_value* value, std::string_view what) noexcept;
  std::string_view view() const noexcept { return view_; }
  int code() const noexcept { return code_; }

 private:
  std::string_view view_;
  char chars_[TESSERA_UUID_TEXT_SIZE] = {};
  int code_ = TESSERA_OK;
};

}  // namespace tessera::sqlite
