// The run-time table of types.

#include "tessera/type_table.h"

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

bool good_name(std::string_view name) noexcept {
  constexpr std::size_t kNameSizeMax = 64;
  return !name.empty() && name.size() <= kNameSizeMax && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

}  // namespace

std::string_view name_of(TypeError error) noexcept {
  switch (error) {
    case TypeError::invalid_name: return "invalid_name";
    case TypeError::invalid_prefix: return "invalid_prefix";
    case TypeError::invalid_separator: return "invalid_separator";
    case TypeError::name_taken: return "name_taken";
    case TypeError::prefix_taken: return "prefix_taken";
  }
  return "unknown";
}

std::string_view describe(TypeError error) noexcept {
  switch (error) {
    case TypeError::invalid_name: return "a type's name is 1 to 64 of letters, digits, _ - .";
    case TypeError::invalid_prefix: return "a prefix must match ^[a-z]([a-z_]{0,61}[a-z])?$";
    case TypeError::invalid_separator: return "a separator is one of _ - . : ~";
    case TypeError::name_taken: return "another type has this name";
    case TypeError::prefix_taken: return "another type has this prefix";
  }
  return "unknown error";
}

Result<const ResourceType*, TypeError> TypeTable::add(ResourceType type) {
  if (!good_name(type.name)) return Failure{TypeError::invalid_name};
  if (prefix_fault(type.prefix)) return Failure{TypeError::invalid_prefix};
  // TypeID fixes its separator; the others let you choose.
  const bool fixed = type.style == PublicStyle::type_id && type.separator != kDefaultSeparator;
  if (fixed || !is_separator(type.separator)) return Failure{TypeError::invalid_separator};
  if (find_by_name(type.name) != nullptr) return Failure{TypeError::name_taken};
  if (find_by_prefix(type.prefix) != nullptr) return Failure{TypeError::prefix_taken};

  storage_.push_back(std::make_unique<ResourceType>(std::move(type)));
  const ResourceType* added = storage_.back().get();
  const auto at = std::ranges::lower_bound(by_prefix_, added->prefix, {},
                                           [](const ResourceType* t) { return t->prefix; });
  by_prefix_.insert(at, added);
  return added;
}

const ResourceType* TypeTable::find_by_name(std::string_view name) const noexcept {
  const auto found = std::ranges::find(
      storage_, name, [](const auto& type) -> std::string_view { return type->name; });
  return found == storage_.end() ? nullptr : found->get();
}

const ResourceType* TypeTable::find_by_prefix(std::string_view prefix) const noexcept {
  const auto at = std::ranges::lower_bound(
      by_prefix_, prefix, {},
      [](const ResourceType* type) -> std::string_view { return type->prefix; });
  return at != by_prefix_.end() && (*at)->prefix == prefix ? *at : nullptr;
}

Result<TypedId, ParseError> TypeTable::parse(std::string_view text) const noexcept {
  using Code = ParseError::Code;
  if (text.empty() || text.size() > public_id::kTextSizeMax) {
    return detail::parse_failure(Code::invalid_length, text.size());
  }
  for (const bool exact : {true, false}) {
    for (const char separator : std::string_view("_-.:~")) {
      const std::size_t end = find_separator(text, separator, exact);
      if (end == std::string_view::npos) continue;
      const ResourceType* type = find_by_prefix(text.substr(0, end));
      if (type == nullptr || type->separator != separator) continue;
      const auto parts = public_id::parse(text, type->style, separator);
      if (!parts) return Failure{parts.error()};
      return TypedId{type, parts->body};
    }
  }
  return detail::parse_failure(Code::unknown_prefix, 0);
}

Result<TypedId, ParseError> TypeTable::check(const ResourceType& type, std::string_view text,
                                             std::uint64_t now_ms,
                                             std::uint64_t ahead_ms_max) noexcept {
  using Code = ParseError::Code;
  const auto body = public_id::parse_typed(text, type.prefix, type.style, type.separator);
  if (!body) return Failure{body.error()};
  const TypedId id{&type, *body};
  if (id.time_ms() > now_ms && id.time_ms() - now_ms > ahead_ms_max) {
    return detail::parse_failure(Code::out_of_range, type.prefix.size() + 1);
  }
  return id;
}

Result<TypedId, MintError> TypeTable::generate(const ResourceType& type) noexcept {
  if (type.style == PublicStyle::ulid || type.style == PublicStyle::checked) {
    const auto body = Ulid::generate();
    if (!body) return Failure{body.error()};
    return TypedId{&type, body->bytes};
  }
  const auto body = Uuid::generate_v7();
  if (!body) return Failure{body.error()};
  return TypedId{&type, body->bytes};
}

}  // namespace tessera
