#pragma once

// JsonWriter: JSON, written piece by piece into a string. It writes what it is told; commas
// are its business, nesting is the caller's.
//
// What it writes is one line of UTF-8 without control characters, whatever the text was: it
// may go to a terminal or a log as it is.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

// The size of the UTF-8 sequence at the start of `text`, which is not empty; 0 if there is no good
// one: nothing over-long, no surrogate, nothing past U+10FFFF.
std::size_t utf8_size(std::string_view text) noexcept;

class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  // Text may be any bytes: what is not UTF-8 becomes U+FFFD.
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(std::int64_t number);   // as text past 2^53, where readers lose digits
  JsonWriter& value(std::uint64_t number);  // likewise
  JsonWriter& value(double number);
  JsonWriter& null();

  const std::string& text() const noexcept { return text_; }
  std::string take() noexcept { return std::move(text_); }

 private:
  void comma();

  std::string text_;
  bool first_ = true;
};

}  // namespace tessera
