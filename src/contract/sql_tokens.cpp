// Tokens of SQL: strings, dollar quotes, three sorts of comments, quoted names.

#include "contract/sql_tokens.h"

#include <algorithm>

namespace tessera::contract {
namespace {

bool is_word(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// MariaDB's comment; PostgreSQL has operators #>, #>>, #- and #=.
bool is_hash_comment(std::string_view rest) noexcept {
  return rest[0] == '#' && (rest.size() == 1 || std::string_view(">-=").find(rest[1]) == rest.npos);
}

}  // namespace

std::string_view SqlTokens::take_to(std::size_t end) {
  end = std::min(end, sql_.size());
  const std::string_view text = sql_.substr(at_, end - at_);
  line_ += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  at_ = end;
  return text;
}

// Blanks and comments. False at the end.
bool SqlTokens::skip_blank() {
  while (at_ < sql_.size()) {
    const std::string_view rest = sql_.substr(at_);
    if (is_blank(rest[0])) {
      take_to(at_ + 1);
    } else if (rest.starts_with("--") || is_hash_comment(rest)) {
      take_to(sql_.find('\n', at_));
    } else if (rest.starts_with("/*")) {
      const std::size_t end = sql_.find("*/", at_ + 2);
      take_to(end == sql_.npos ? end : end + 2);
    } else {
      return true;
    }
  }
  return false;
}

// One past the closing quote; a quote twice is one of the text. A backslash is one character in
// standard SQL, and escapes in MariaDB and in E'...': it is taken for a character.
std::size_t SqlTokens::end_of_quoted(char quote) const {
  for (std::size_t i = at_ + 1; i < sql_.size(); ++i) {
    if (sql_[i] != quote) continue;
    if (i + 1 == sql_.size() || sql_[i + 1] != quote) return i + 1;
    ++i;
  }
  return sql_.size();
}

// "$$" or "$body$" at this place; empty if there is none. $1 is a parameter.
std::string_view SqlTokens::dollar_tag() const {
  if (sql_[at_] != '$' || at_ + 1 >= sql_.size() || is_digit(sql_[at_ + 1])) return {};
  std::size_t end = at_ + 1;
  while (end < sql_.size() && sql_[end] != '$' && is_word(sql_[end])) ++end;
  if (end >= sql_.size() || sql_[end] != '$') return {};
  return sql_.substr(at_, end + 1 - at_);
}

SqlToken SqlTokens::next() {
  if (!skip_blank()) return {SqlToken::Kind::end, {}, line_};
  SqlToken token{SqlToken::Kind::symbol, {}, line_};
  const char c = sql_[at_];
  if (c == '\'') {
    token.kind = SqlToken::Kind::value;
    token.text = take_to(end_of_quoted(c));
  } else if (c == '"' || c == '`') {
    token.kind = SqlToken::Kind::name;
    token.text = take_to(end_of_quoted(c));
    token.text.remove_prefix(1);
    if (token.text.ends_with(c)) token.text.remove_suffix(1);
  } else if (const std::string_view tag = dollar_tag(); !tag.empty()) {
    token.kind = SqlToken::Kind::value;
    const std::size_t end = sql_.find(tag, at_ + tag.size());
    token.text = take_to(end == sql_.npos ? end : end + tag.size());
  } else if (is_word(c) || c == ':' || c == '@' || c == '?') {
    const bool parameter = !is_word(c) || c == '$' || is_digit(c);
    std::size_t end = at_ + 1;
    while (end < sql_.size() && is_word(sql_[end])) ++end;
    token.kind = parameter ? SqlToken::Kind::value : SqlToken::Kind::word;
    token.text = take_to(end);
  } else {
    token.text = take_to(at_ + 1);
  }
  return token;
}

}  // namespace tessera::contract
