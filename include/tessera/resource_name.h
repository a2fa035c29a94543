#pragma once

// ResourceName: where a thing belongs. `books/<id>/pages/<id>` is a page of a book.
//
// Pairs of a collection and an ID, joined by slashes, at most eight. A child belongs to its
// parent and ends with it. Nothing is decoded: a percent sign, a dot part, an empty part or
// a wildcard is refused, so a name means the same in a path, in a log and in a database.
//
//    collection  a letter, then letters, digits, - and _; at most 63; no two alike
//    id          letters, digits, - _ . ~ and, at the very end, the check symbols * $ =;
//                at most 64; not `-`, `.` or `..`
//
// Where a type turns it on, an ID begins with `0` and an alias with anything else.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tessera/parse_error.h"
#include "tessera/result.h"

namespace tessera {

// A view: the text it was parsed from, or built from, must outlive it.
class ResourceName {
 public:
  static constexpr std::size_t kDepthMax = 8;
  static constexpr std::size_t kCollectionSizeMax = 63;
  static constexpr std::size_t kIdSizeMax = 64;
  static constexpr std::size_t kTextSizeMax = kDepthMax * (kCollectionSizeMax + kIdSizeMax + 2) - 1;

  struct Part {
    std::string_view collection;
    std::string_view id;

    friend constexpr bool operator==(const Part&, const Part&) = default;
  };

  static constexpr Result<ResourceName, ParseError> parse(std::string_view text) noexcept;

  // Also `//service.example.com/books/1`; the service is then in service().
  static constexpr Result<ResourceName, ParseError> parse_full(std::string_view text) noexcept;

  // The name of a child. Fails if a part breaks its rule, the collection stands in the name
  // already, or the name is full; the offset is that within the new part.
  constexpr Result<ResourceName, ParseError> child(std::string_view collection,
                                                   std::string_view id) const noexcept;

  // The empty name: parent of what has none, and where building starts.
  static constexpr ResourceName root() noexcept { return {}; }

  constexpr std::span<const Part> parts() const noexcept { return {parts_.data(), depth_}; }
  constexpr std::size_t depth() const noexcept { return depth_; }
  constexpr std::string_view service() const noexcept { return service_; }
  constexpr const Part& leaf() const noexcept { return parts_[depth_ - 1]; }  // depth() > 0
  constexpr std::optional<ResourceName> parent() const noexcept;
  constexpr bool is_within(const ResourceName& ancestor) const noexcept;

  std::string to_string() const;

  friend constexpr bool operator==(const ResourceName& a, const ResourceName& b) noexcept;

  // Where a part breaks its rule; nothing if it does not.
  static constexpr std::optional<std::uint32_t> collection_fault(std::string_view text) noexcept;
  static constexpr std::optional<std::uint32_t> id_fault(std::string_view text) noexcept;

 private:
  std::array<Part, kDepthMax> parts_{};
  std::size_t depth_ = 0;
  std::string_view service_;
};

namespace detail {

constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_decimal(char c) noexcept { return c >= '0' && c <= '9'; }

constexpr Failure<ParseError> name_failure(std::size_t offset) noexcept {
  return Failure{
      ParseError{ParseError::Code::invalid_resource_name, static_cast<std::uint32_t>(offset)}};
}

}  // namespace detail

constexpr std::optional<std::uint32_t> ResourceName::collection_fault(
    std::string_view text) noexcept {
  if (text.empty()) return 0;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool good =
        detail::is_letter(c) || (i > 0 && (detail::is_decimal(c) || c == '-' || c == '_'));
    if (!good || i == kCollectionSizeMax) return i;
  }
  return std::nullopt;
}

constexpr std::optional<std::uint32_t> ResourceName::id_fault(std::string_view text) noexcept {
  if (text.empty() || text == "-" || text == "." || text == "..") return 0;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool unreserved = detail::is_letter(c) || detail::is_decimal(c) || c == '-' || c == '_' ||
                            c == '.' || c == '~';
    const bool check = (c == '*' || c == '$' || c == '=') && i > 0 && i + 1 == text.size();
    if (!(unreserved || check) || i == kIdSizeMax) return i;
  }
  return std::nullopt;
}

constexpr Result<ResourceName, ParseError> ResourceName::child(std::string_view collection,
                                                               std::string_view id) const noexcept {
  if (depth_ == kDepthMax) return detail::name_failure(0);
  if (const auto fault = collection_fault(collection)) return detail::name_failure(*fault);
  if (const auto fault = id_fault(id)) return detail::name_failure(collection.size() + 1 + *fault);
  for (const Part& part : parts()) {
    if (part.collection == collection) return detail::name_failure(0);
  }
  ResourceName name = *this;
  name.parts_[name.depth_++] = {collection, id};
  return name;
}

constexpr Result<ResourceName, ParseError> ResourceName::parse(std::string_view text) noexcept {
  if (text.empty()) return detail::name_failure(0);
  if (text.size() > kTextSizeMax) return detail::name_failure(kTextSizeMax);
  ResourceName name;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t slash = text.find('/', at);
    if (slash == std::string_view::npos) {
      // A collection without an ID; say so at its end, unless it is itself wrong.
      const auto fault = collection_fault(text.substr(at));
      return detail::name_failure(fault ? at + *fault : text.size());
    }
    const std::size_t end = std::min(text.find('/', slash + 1), text.size());
    const auto longer =
        name.child(text.substr(at, slash - at), text.substr(slash + 1, end - slash - 1));
    if (!longer) return detail::name_failure(at + longer.error().offset);
    name = *longer;
    if (end == text.size()) return name;
    at = end + 1;
  }
  return detail::name_failure(text.size());
}

constexpr Result<ResourceName, ParseError> ResourceName::parse_full(
    std::string_view text) noexcept {
  constexpr std::size_t kServiceSizeMax = 253;  // as for a host name
  if (!text.starts_with("//")) return parse(text);
  const std::size_t end = text.substr(0, kServiceSizeMax + 3).find('/', 2);
  if (end == std::string_view::npos || end == 2) return detail::name_failure(2);
  for (std::size_t i = 2; i < end; ++i) {
    const char c = text[i];
    const bool edge = i == 2 || i + 1 == end || text[i - 1] == '.';
    const bool good =
        detail::is_letter(c) || detail::is_decimal(c) || (!edge && (c == '-' || c == '.'));
    if (!good) return detail::name_failure(i);
  }
  const auto relative = parse(text.substr(end + 1));
  if (!relative) return detail::name_failure(relative.error().offset + end + 1);
  ResourceName name = *relative;
  name.service_ = text.substr(2, end - 2);
  return name;
}

constexpr std::optional<ResourceName> ResourceName::parent() const noexcept {
  if (depth_ <= 1) return std::nullopt;
  ResourceName name = *this;
  name.parts_[--name.depth_] = {};
  return name;
}

constexpr bool ResourceName::is_within(const ResourceName& ancestor) const noexcept {
  if (ancestor.depth_ >= depth_ || ancestor.service_ != service_) return false;
  for (std::size_t i = 0; i < ancestor.depth_; ++i) {
    if (!(parts_[i] == ancestor.parts_[i])) return false;
  }
  return true;
}

constexpr bool operator==(const ResourceName& a, const ResourceName& b) noexcept {
  return a.service_ == b.service_ && a.depth_ == b.depth_ && a.parts_ == b.parts_;
}

}  // namespace tessera
