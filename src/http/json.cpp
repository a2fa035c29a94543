// Reads JSON.

#include "http/json.h"

#include <algorithm>
#include <charconv>

#include "tessera/json.h"

namespace tessera {
namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

std::optional<unsigned> hex_of(char c) noexcept {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

void append_utf8(std::string& out, std::uint32_t point) {
  const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xC0 | point >> 6);
    add(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    add(0xE0 | point >> 12);
    add(0x80 | (point >> 6 & 0x3F));
    add(0x80 | (point & 0x3F));
  } else {
    add(0xF0 | point >> 18);
    add(0x80 | (point >> 12 & 0x3F));
    add(0x80 | (point >> 6 & 0x3F));
    add(0x80 | (point & 0x3F));
  }
}

std::optional<std::int64_t> whole_of(std::string_view text) noexcept {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) noexcept : rest_(text) {}

  std::optional<Json> read() {
    Json value;
    if (!take_value(value, 0)) return std::nullopt;
    skip_blanks();
    if (!rest_.empty()) return std::nullopt;
    return value;
  }

 private:
  void skip_blanks() noexcept {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }
  // Behind blanks.
  bool take(char wanted) noexcept {
    skip_blanks();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) noexcept {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool take_value(Json& value, unsigned depth) {
    if (++values_ > Json::kValuesMax) return false;
    skip_blanks();
    if (rest_.empty()) return false;
    switch (rest_.front()) {
      case '{': return take_object(value, depth);
      case '[': return take_list(value, depth);
      case '"': value.kind_ = Json::Kind::text; return take_text(value.text_);
      case 't':
      case 'f':
        value.kind_ = Json::Kind::truth;
        value.truth_ = rest_.front() == 't';
        return take_word(value.truth_ ? "true" : "false");
      case 'n': return take_word("null");
      default: break;
    }
    value.kind_ = Json::Kind::number;
    return take_number(value.text_);
  }

  bool take_object(Json& value, unsigned depth) {
    if (depth == Json::kDepthMax || !take('{')) return false;
    value.kind_ = Json::Kind::object;
    if (take('}')) return true;
    do {
      skip_blanks();
      if (!take_text(value.names_.emplace_back()) || !take(':') ||
          !take_value(value.items_.emplace_back(), depth + 1)) {
        return false;
      }
    } while (take(','));
    return take('}');
  }

  bool take_list(Json& value, unsigned depth) {
    if (depth == Json::kDepthMax || !take('[')) return false;
    value.kind_ = Json::Kind::list;
    if (take(']')) return true;
    do {
      if (!take_value(value.items_.emplace_back(), depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  bool take_digits(std::string& out) {
    const std::size_t before = out.size();
    while (!rest_.empty() && is_digit(rest_.front())) {
      out += rest_.front();
      rest_.remove_prefix(1);
    }
    return out.size() > before;
  }
  // One of these characters, if it comes next.
  bool take_one(std::string_view of, std::string& out) {
    if (rest_.empty() || of.find(rest_.front()) == std::string_view::npos) return false;
    out += rest_.front();
    rest_.remove_prefix(1);
    return true;
  }

  bool take_number(std::string& out) {
    take_one("-", out);
    const bool zero = rest_.starts_with('0');
    const std::size_t begin = out.size();
    if (!take_digits(out) || (zero && out.size() - begin > 1)) return false;
    if (take_one(".", out) && !take_digits(out)) return false;
    if (!take_one("eE", out)) return true;
    take_one("+-", out);
    return take_digits(out);
  }

  std::optional<std::uint32_t> take_unit() noexcept {
    constexpr std::size_t kDigits = 4;
    if (rest_.size() < kDigits) return std::nullopt;
    std::uint32_t unit = 0;
    for (std::size_t i = 0; i < kDigits; ++i) {
      const auto digit = hex_of(rest_[i]);
      if (!digit) return std::nullopt;
      unit = unit << 4 | *digit;
    }
    rest_.remove_prefix(kDigits);
    return unit;
  }

  bool take_escape(std::string& out) {
    constexpr std::string_view kMarks = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) return false;
    const char mark = rest_.front();
    rest_.remove_prefix(1);
    if (mark != 'u') {
      const std::size_t at = kMarks.find(mark);
      if (at == std::string_view::npos) return false;
      out += kMeant[at];
      return true;
    }
    const auto first = take_unit();
    if (!first) return false;
    const bool high = *first >= 0xD800 && *first < 0xDC00;
    const bool low = *first >= 0xDC00 && *first < 0xE000;
    if (low) return false;
    if (!high) {
      append_utf8(out, *first);
      return true;
    }
    if (!take_word("\\u")) return false;
    const auto second = take_unit();
    if (!second || *second < 0xDC00 || *second >= 0xE000) return false;
    append_utf8(out, 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00));
    return true;
  }

  bool take_text(std::string& out) {
    if (!take_word("\"")) return false;
    while (!rest_.empty()) {
      const std::size_t size = utf8_size(rest_);
      if (size == 0) return false;
      const std::string_view character = rest_.substr(0, size);
      rest_.remove_prefix(size);
      if (character == "\"") return true;
      if (static_cast<unsigned char>(character[0]) < 0x20) return false;
      if (character != "\\") {
        out += character;
      } else if (!take_escape(out)) {
        return false;
      }
    }
    return false;
  }

  std::string_view rest_;
  std::size_t values_ = 0;
};

std::optional<Json> Json::parse(std::string_view text) { return JsonReader(text).read(); }

const Json* Json::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(names_, name);
  return found == names_.end() ? nullptr
                               : &items_[static_cast<std::size_t>(found - names_.begin())];
}

std::optional<std::string_view> Json::text_in(std::string_view name) const noexcept {
  const Json* value = find(name);
  return value == nullptr ? std::nullopt : value->text();
}

std::optional<bool> Json::truth_in(std::string_view name) const noexcept {
  const Json* value = find(name);
  if (value == nullptr || value->kind_ != Kind::truth) return std::nullopt;
  return value->truth_;
}

std::optional<std::string_view> Json::text() const noexcept {
  if (kind_ != Kind::text) return std::nullopt;
  return text_;
}

std::optional<std::int64_t> Json::whole() const noexcept {
  if (kind_ != Kind::text && kind_ != Kind::number) return std::nullopt;
  return whole_of(text_);
}

std::optional<std::int64_t> Json::number() const noexcept {
  if (kind_ != Kind::number) return std::nullopt;
  return whole_of(text_);
}

}  // namespace tessera
