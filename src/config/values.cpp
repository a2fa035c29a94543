// Reads single values: words, numbers, prefixes, paths. addresses.cpp has URLs and listeners.

#include "config/values.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include "config/spelling.h"
#include "tessera/resource_name.h"
#include "tessera/scope_name.h"
#include "tessera/snowflake.h"

namespace tessera::config {
namespace {

using Code = ConfigError::Code;

// A scalar that is there. What is refused was complained of before.
const Node* scalar_of(const Value& value, std::string_view wanted) {
  const Node& node = value.node;
  if (node.kind == Node::Kind::refused) return nullptr;
  if (node.kind == Node::Kind::scalar && !node.is_nothing()) return &node;
  std::string hint;
  if (node.text == "~") hint = "~ without quotes is YAML for nothing: write \"~\".";
  if (node.text == "null") hint = "null without quotes is YAML for nothing: write \"null\".";
  value.complain(Code::wrong_type,
                 quoted(value.key) + " must be " + std::string(wanted) + ", not " + kind_of(node),
                 hint);
  return nullptr;
}

bool has_control_character(std::string_view text) noexcept {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }) ||
         text.find('\x7F') != std::string_view::npos;
}

}  // namespace

std::string kind_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::list: return "a list";
    case Node::Kind::mapping: return "a mapping";
    default: break;
  }
  if (node.is_nothing()) return "empty";
  return node.plain ? quoted(node.text) : "the text \"" + printable(node.text, 64) + "\"";
}

std::optional<std::string> text_of(const Value& value) {
  const Node* node = scalar_of(value, "text");
  if (node == nullptr) return std::nullopt;
  return node->text;
}

std::optional<bool> bool_of(const Value& value) {
  const Node* node = scalar_of(value, "true or false");
  if (node == nullptr) return std::nullopt;
  if (node->plain && node->text == "true") return true;
  if (node->plain && node->text == "false") return false;
  // YAML 1.1 reads yes as true, YAML 1.2 as text: we do not guess which one was learnt.
  value.complain(Code::wrong_type,
                 quoted(value.key) + " must be true or false, not " + kind_of(*node),
                 "Write true or false, in small letters and without quotes.");
  return std::nullopt;
}

std::optional<std::int64_t> number_of(const Value& value, std::int64_t min, std::int64_t max) {
  const Node* node = scalar_of(value, "a whole number");
  if (node == nullptr) return std::nullopt;
  const std::string_view text = node->text;
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const bool decimal = !digits.empty() &&
                       std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }) &&
                       (digits == "0" || digits.front() != '0');
  if (!node->plain || !decimal) {
    value.complain(Code::wrong_type,
                   quoted(value.key) + " must be a whole number, not " + kind_of(*node),
                   "Write decimal digits only, as in 1000, without quotes.");
    return std::nullopt;
  }
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || number < min || number > max) {
    value.complain(Code::out_of_range, quoted(value.key) + " must be from " + std::to_string(min) +
                                           " to " + std::to_string(max) + ", not " +
                                           printable(text, 24));
    return std::nullopt;
  }
  return number;
}

std::optional<double> fraction_of(const Value& value, double min, double max) {
  const Node* node = scalar_of(value, "a number");
  if (node == nullptr) return std::nullopt;
  const std::string_view text = node->text;
  double number = 0;
  const auto read =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  const bool digits = !text.empty() && text.front() >= '0' && text.front() <= '9';
  if (!node->plain || !whole || !digits) {
    value.complain(Code::wrong_type, quoted(value.key) + " must be a number, not " + kind_of(*node),
                   "Write digits with a point, as in 0.01, without quotes.");
    return std::nullopt;
  }
  if (number >= min && number <= max) return number;
  value.complain(Code::out_of_range,
                 quoted(value.key) + " is out of range: " + printable(text, 24));
  return std::nullopt;
}

std::optional<std::size_t> choice_of(const Value& value, std::span<const std::string_view> names) {
  std::string wanted;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    wanted += (i == 0 ? "" : last ? " or " : ", ") + std::string(names[i]);
  }
  const Node* node = scalar_of(value, wanted);
  if (node == nullptr) return std::nullopt;
  const auto found = std::ranges::find(names, std::string_view(node->text));
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const auto meant = nearest(node->text, names);
  value.complain(Code::invalid_choice,
                 quoted(value.key) + " must be " + wanted + ", not " + quoted(node->text),
                 meant.empty() ? "" : "did you mean " + quoted(meant) + "?");
  return std::nullopt;
}

std::optional<std::string> prefix_of(const Value& value) {
  auto text = text_of(value);
  if (!text) return std::nullopt;
  const auto fault = prefix_fault(*text);
  if (!fault) return text;
  std::string why = "bad prefix " + quoted(*text) + ": ";
  if (text->empty()) {
    why += "it is empty";
  } else if (*fault == kPrefixSizeMax) {
    why += "longer than " + std::to_string(kPrefixSizeMax) + " letters";
  } else {
    why += "'" + printable(text->substr(*fault, 1)) + "' at offset " + std::to_string(*fault);
  }
  value.complain(Code::invalid_prefix, why,
                 "A prefix is 1 to 63 of a-z and _, and begins and ends with a letter.");
  return std::nullopt;
}

std::optional<std::string> collection_of(const Value& value) {
  auto text = text_of(value);
  if (!text) return std::nullopt;
  if (!ResourceName::collection_fault(*text) && *text != "tenants") return text;
  value.complain(Code::invalid_name, "bad name of a collection " + quoted(*text),
                 "A letter, then letters, digits, - and _; not 'tenants', which is in front.");
  return std::nullopt;
}

std::optional<char> separator_of(const Value& value) {
  const Node* node = scalar_of(value, "one of _ - . : ~");
  if (node == nullptr) return std::nullopt;
  if (node->text.size() == 1 && is_separator(node->text[0])) return node->text[0];
  value.complain(Code::invalid_separator, "bad separator " + quoted(node->text),
                 "A separator is one of _ - . : ~ and stands in quotes, as in \"-\".");
  return std::nullopt;
}

std::optional<std::string> path_of(const Value& value) {
  constexpr std::size_t kPathSizeMax = 4095;
  auto text = text_of(value);
  if (!text) return std::nullopt;
  const bool good = !text->empty() && text->size() <= kPathSizeMax && !has_control_character(*text);
  if (good) return text;
  value.complain(Code::invalid_path, quoted(value.key) + " is no path",
                 "A path has 1 to 4095 bytes, and no control character.");
  return std::nullopt;
}

std::optional<std::string> layout_of(const Value& value) {
  auto text = text_of(value);
  if (!text || parse_snowflake_layout(*text)) return text;
  value.complain(Code::out_of_range, "there is no layout " + quoted(*text),
                 "Name one, such as twitter, or write it in full: EPOCH_MS/UNIT_MS/tT.mM.sS, at "
                 "most 63 bits.");
  return std::nullopt;
}

std::string describe_scope_name(std::string_view name) {
  const auto fault = scope_name_fault(name);
  if (!fault) return "";
  if (name.empty()) return "it is empty";
  if (*fault == kScopeNameSizeMax) {
    return "longer than " + std::to_string(kScopeNameSizeMax) + " bytes";
  }
  const char c = name[*fault];
  const std::string character =
      c == ' ' ? "a blank" : "'" + printable(name.substr(*fault, 1)) + "'";
  if (*fault == 0) return "begins with " + character;
  if (*fault + 1 == name.size()) return "ends with " + character;
  return character + " at offset " + std::to_string(*fault);
}

}  // namespace tessera::config
