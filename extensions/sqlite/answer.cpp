// Errors in words, and bytes as text.

#include "sqlite/answer.h"

namespace tessera::sqlite {

void fail(sqlite3_context* context, std::string_view function, int code,
          const std::uint32_t* offset) noexcept {
  if (code == TESSERA_NO_MEMORY) {
    sqlite3_result_error_nomem(context);
    return;
  }
  const bool of_text = code >= TESSERA_INVALID_LENGTH && code <= TESSERA_INVALID_RESOURCE_NAME;
  char* words = offset != nullptr && of_text && code != TESSERA_INVALID_LENGTH
                    ? sqlite3_mprintf("%.*s: %s at offset %u", static_cast<int>(function.size()),
                                      function.data(), tessera_error_phrase(code), *offset)
                    : sqlite3_mprintf("%.*s: %s", static_cast<int>(function.size()),
                                      function.data(), tessera_error_phrase(code));
  if (words == nullptr) {
    sqlite3_result_error_nomem(context);
    return;
  }
  sqlite3_result_error(context, words, -1);
  sqlite3_free(words);
}

void fail_with(sqlite3_context* context, std::string_view function, const char* words) noexcept {
  char* whole =
      sqlite3_mprintf("%.*s: %s", static_cast<int>(function.size()), function.data(), words);
  if (whole == nullptr) {
    sqlite3_result_error_nomem(context);
    return;
  }
  sqlite3_result_error(context, whole, -1);
  sqlite3_free(whole);
}

bool IdText::read(sqlite3_value* value, std::string_view what) noexcept {
  if (!is_blob(value)) {
    view_ = text_of(value);
    return true;
  }
  const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_value_blob(value));
  const int size = sqlite3_value_bytes(value);
  if (size == 16 && (what.empty() || what == "ulid")) {
    tessera_ulid_text(bytes, chars_);
    view_ = {chars_, TESSERA_ULID_TEXT_SIZE};
  } else if (size == 16 && what.starts_with("uuid")) {
    tessera_uuid_text(bytes, chars_);
    view_ = {chars_, TESSERA_UUID_TEXT_SIZE};
  } else if (size == 12 && (what.empty() || what == "objectid")) {
    tessera_objectid_text(bytes, chars_);
    view_ = {chars_, TESSERA_OBJECTID_TEXT_SIZE};
  } else if (size == 20 && (what.empty() || what == "ksuid")) {
    tessera_ksuid_text(bytes, chars_);
    view_ = {chars_, TESSERA_KSUID_TEXT_SIZE};
  } else {
    code_ = TESSERA_INVALID_LENGTH;
    return false;
  }
  return true;
}

}  // namespace tessera::sqlite
