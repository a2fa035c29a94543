#pragma once

// Json: a text of JSON (RFC 8259), read.
//
//   const auto answer = Json::parse(body);
//   if (answer) answer->text_in("code");
//
// For answers of other programs: nothing in them is believed, and depth and number of values have
// limits. Numbers stay what they were written as, so that none of 64 bits loses digits.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

class Json {
 public:
  enum class Kind : std::uint8_t { null, truth, number, text, list, object };
  static constexpr unsigned kDepthMax = 16;
  static constexpr std::size_t kValuesMax = 1 << 20;

  // Nothing, if it is not JSON, or more than that.
  static std::optional<Json> parse(std::string_view text);

  Kind kind() const noexcept { return kind_; }
  bool is_object() const noexcept { return kind_ == Kind::object; }
  bool is_list() const noexcept { return kind_ == Kind::list; }
  // Of a list, or the values of an object.
  const std::vector<Json>& items() const noexcept { return items_; }

  // Of an object; null, if it is none or has none of that name. The first of several.
  const Json* find(std::string_view name) const noexcept;
  // Of a field of an object; nothing, if it is not there or of another kind.
  std::optional<std::string_view> text_in(std::string_view name) const noexcept;
  std::optional<bool> truth_in(std::string_view name) const noexcept;

  std::optional<std::string_view> text() const noexcept;
  // A whole number, or a text that is one; nothing, if it does not fit.
  std::optional<std::int64_t> whole() const noexcept;
  // A whole number, and no text.
  std::optional<std::int64_t> number() const noexcept;

 private:
  friend class JsonReader;

  Kind kind_ = Kind::null;
  bool truth_ = false;
  std::string text_;                // or the digits of a number
  std::vector<std::string> names_;  // of the items of an object
  std::vector<Json> items_;
};

}  // namespace tessera
