// Walks over SQL, past what is quoted.

#include "db/placeholders.h"

#include <algorithm>

namespace tessera::db {
namespace {

bool is_word(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::size_t behind(std::string_view sql, std::string_view mark, std::size_t start) noexcept {
  const std::size_t at = sql.find(mark, start);
  return at == std::string_view::npos ? sql.size() : at + mark.size();
}

// '...' and "...": a doubled quote stays inside, which two quoted texts in a row do as well. In
// E'...' a backslash takes the next character along.
std::size_t behind_quotes(std::string_view sql, std::size_t start, bool escapes) noexcept {
  for (std::size_t i = start + 1; i < sql.size(); ++i) {
    if (escapes && sql[i] == '\\') {
      ++i;
    } else if (sql[i] == sql[start]) {
      return i + 1;
    }
  }
  return sql.size();
}

// /* ... */, which nest in PostgreSQL.
std::size_t behind_comment(std::string_view sql, std::size_t start) noexcept {
  int depth = 0;
  for (std::size_t i = start; i + 1 < sql.size(); ++i) {
    if (sql.substr(i, 2) == "/*") {
      ++depth;
      ++i;
    } else if (sql.substr(i, 2) == "*/") {
      ++i;
      if (--depth == 0) return i + 1;
    }
  }
  return sql.size();
}

// $tag$ ... $tag$; `start` if it is no such thing.
std::size_t behind_dollars(std::string_view sql, std::size_t start) noexcept {
  std::size_t end = start + 1;
  while (end < sql.size() && is_word(sql[end])) ++end;
  const bool digit = start + 1 < sql.size() && sql[start + 1] >= '0' && sql[start + 1] <= '9';
  if (end >= sql.size() || sql[end] != '$' || digit) return start;
  return behind(sql, sql.substr(start, end + 1 - start), end + 1);
}

}  // namespace

std::string with_numbered_placeholders(std::string_view sql) {
  std::string out;
  int number = 0;
  for (std::size_t i = 0; i < sql.size();) {
    const char c = sql[i];
    const std::string_view two = sql.substr(i, 2);
    const bool after_word = i > 0 && is_word(sql[i - 1]);
    std::size_t end = i + 1;
    if (c == '\'' || c == '"') {
      const bool escapes = c == '\'' && i > 0 && (sql[i - 1] == 'E' || sql[i - 1] == 'e') &&
                           (i == 1 || !is_word(sql[i - 2]));
      end = behind_quotes(sql, i, escapes);
    } else if (two == "--") {
      end = behind(sql, "\n", i);
    } else if (two == "/*") {
      end = behind_comment(sql, i);
    } else if (c == '$' && !after_word) {
      end = std::max(end, behind_dollars(sql, i));
    } else if (c == '?') {
      out += '$' + std::to_string(++number);
      i = end;
      continue;
    }
    out += sql.substr(i, end - i);
    i = end;
  }
  return out;
}

}  // namespace tessera::db
