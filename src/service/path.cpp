// Decodes paths and queries.

#include "service/path.h"

#include <algorithm>
#include <charconv>

#include "tessera/parse_error.h"
#include "tessera/spelling.h"

namespace tessera::service {
namespace {

// What may stand in a part, or a value, once it is decoded.
constexpr bool is_good(char c) noexcept {
  return c >= 0x20 && c < 0x7F && c != '%' && c != '\\' && c != ';';
}

std::optional<unsigned> hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

// Appends what `text` stands for; false if that is nothing good. `slash` may stand there or not.
bool decode(std::string_view text, bool slash, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
      const auto low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
      if (!high || !low) return false;
      c = static_cast<char>(*high << 4 | *low);
      i += 2;
    }
    if (!is_good(c) || (c == '/' && !slash)) return false;
    out += c;
  }
  return true;
}

constexpr bool is_dots(std::string_view part) noexcept { return part == "." || part == ".."; }

}  // namespace

bool Path::parse(std::string_view text) {
  count_ = 0;
  ends_with_slash_ = false;
  if (!text.starts_with('/')) return false;
  // Nothing grows beyond what came, so that views into it stay.
  const bool encoded = text.find('%') != std::string_view::npos;
  decoded_.clear();
  if (encoded) decoded_.reserve(text.size());
  text.remove_prefix(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('/'), text.size());
    std::string_view part = text.substr(0, end);
    ends_with_slash_ = end + 1 == text.size();
    text.remove_prefix(std::min(end + 1, text.size()));
    if (part.empty() || count_ == kPartsMax) return false;
    if (encoded) {
      const std::size_t start = decoded_.size();
      if (!decode(part, false, decoded_)) return false;
      part = std::string_view(decoded_).substr(start);
    } else if (!std::ranges::all_of(part, is_good)) {
      return false;
    }
    if (is_dots(part)) return false;
    parts_[count_++] = part;
  }
  return true;
}

Query::Query(std::string_view text, std::span<const std::string_view> names) {
  decoded_.reserve(text.size());
  while (!text.empty() && !fault_) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view name = pair.substr(0, equals);
    const std::string_view coded = pair.substr(std::min(equals + 1, pair.size()));
    if (std::ranges::find(names, name) == names.end()) {
      const std::string_view near = nearest(name, names);
      refuse(Fault::unknown_field, name, "there is no parameter " + quoted(name),
             near.empty() ? "" : "Did you mean " + quoted(near) + "?");
      return;
    }
    const bool twice = this->text(name).has_value();
    if (twice) refuse(Fault::duplicate_field, name, quoted(name) + " stands twice");
    const std::size_t start = decoded_.size();
    if (!decode(coded, true, decoded_)) {
      refuse(Fault::type_mismatch, name, quoted(name) + " is malformed",
             "Percent-encode what is not plain; only printable ASCII is read.");
    }
    if (count_ < kPairsMax) pairs_[count_++] = {name, std::string_view(decoded_).substr(start)};
  }
}

std::optional<std::string_view> Query::text(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < count_; ++i) {
    if (pairs_[i].name == name) return pairs_[i].value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Query::number(std::string_view name, std::uint64_t min,
                                           std::uint64_t max) {
  const auto value = text(name);
  if (!value) return std::nullopt;
  const bool digits =
      !value->empty() && std::ranges::all_of(*value, [](char c) { return c >= '0' && c <= '9'; });
  const bool negative = value->size() > 1 && (*value)[0] == '-' &&
                        value->find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (!digits && !negative) {
    refuse(Fault::type_mismatch, name, quoted(name) + " must be a whole number");
    return std::nullopt;
  }
  const auto number = parse_whole(*value);
  if (!number || *number < min || *number > max) {
    refuse(Fault::out_of_range, name,
           quoted(name) + " must be " + std::to_string(min) + " to " + std::to_string(max));
    return std::nullopt;
  }
  return number;
}

void Query::require(std::string_view name) {
  if (!text(name)) {
    refuse(Fault::missing_field, name, "the parameter " + quoted(name) + " is missing");
  }
}

void Query::refuse(Fault fault, std::string_view name, std::string detail, std::string hint) {
  if (!fault_) fault_ = Wrong{fault, std::string(name), std::move(detail), std::move(hint)};
}

void Query::set_problem(Answer& answer) const {
  const FaultText& text = text_of(fault_->fault);
  service::set_problem(answer, Problem{.status = text.status,
                                       .code = text.code,
                                       .title = text.title,
                                       .detail = fault_->detail,
                                       .hint = fault_->hint,
                                       .parameter = fault_->name});
}

std::optional<std::uint64_t> parse_whole(std::string_view text) noexcept {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (text.size() > 1 && text[0] == '0') return std::nullopt;
  return number;
}

}  // namespace tessera::service
