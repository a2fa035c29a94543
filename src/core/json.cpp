// Writing JSON (RFC 8259).

#include "tessera/json.h"

#include <cmath>

#include "core/double_text.h"

namespace tessera {

std::size_t utf8_size(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Over-long forms, surrogates, and what lies past U+10FFFF.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return size;
}

namespace {

constexpr std::int64_t kSafeMax = (std::int64_t{1} << 53) - 1;

// The character of `size` bytes at the start of `text`, which is good UTF-8.
unsigned code_point(std::string_view text, std::size_t size) noexcept {
  unsigned code = static_cast<unsigned char>(text[0]);
  if (size > 1) code &= 0x7Fu >> size;
  for (std::size_t i = 1; i < size; ++i) {
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  return code;
}

// Characters that are obeyed rather than seen: both sets of control characters, what has no
// width, what turns the direction of writing, and the line ends that only JavaScript knows.
bool is_control(unsigned code) noexcept {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

void append_code(std::string& out, unsigned code) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[code >> shift & 15];
}

void append_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    const unsigned code = size == 0 ? 0xFFFD : code_point(text, size);
    if (code == '"' || code == '\\') {
      out += '\\';
      out += text[0];
    } else if (code == '\n') {
      out += "\\n";
    } else if (code == '\t') {
      out += "\\t";
    } else if (code == '\r') {
      out += "\\r";
    } else if (size == 0 || is_control(code)) {
      append_code(out, code);
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
}

}  // namespace

void JsonWriter::comma() {
  if (!first_) text_ += ',';
  first_ = false;
}

JsonWriter& JsonWriter::begin_object() {
  comma();
  text_ += '{';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  text_ += '}';
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  comma();
  text_ += '[';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  text_ += ']';
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  value(name);
  text_ += ':';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  comma();
  text_ += '"';
  append_escaped(text_, text);
  text_ += '"';
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  comma();
  text_ += truth ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  if (number > kSafeMax || number < -kSafeMax)
    return value(std::string_view(std::to_string(number)));
  comma();
  text_ += std::to_string(number);
  return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(kSafeMax)) {
    return value(std::string_view(std::to_string(number)));
  }
  return value(static_cast<std::int64_t>(number));
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  comma();
  text_ += detail::shortest_text(number);
  return *this;
}

JsonWriter& JsonWriter::null() {
  comma();
  text_ += "null";
  return *this;
}

}  // namespace tessera
