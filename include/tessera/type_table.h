#pragma once

// TypeTable: the types of public IDs that an installation declares, at run time.
//
// The twin of IdTypes for types that come from configuration. Two types of one name or one
// prefix are an error when they are declared, not when an ID of theirs turns up.
//
// Not thread-safe while types are added; afterwards any number of threads may read it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/mint_error.h"
#include "tessera/parse_error.h"
#include "tessera/public_id.h"
#include "tessera/result.h"

namespace tessera {

struct ResourceType {
  std::string name;    // "order"
  std::string prefix;  // "ord"
  PublicStyle style = PublicStyle::ulid;
  char separator = kDefaultSeparator;
};

enum class TypeError : std::uint8_t {
  invalid_name,
  invalid_prefix,
  invalid_separator,
  name_taken,
  prefix_taken
};

std::string_view name_of(TypeError error) noexcept;
std::string_view describe(TypeError error) noexcept;

// A public ID whose type was found at run time.
struct TypedId {
  const ResourceType* type = nullptr;  // lives as long as the table
  Bytes16 body{};

  Text<public_id::kTextSizeMax> text() const noexcept {
    return public_id::write(type->prefix, body, type->style, type->separator);
  }
  std::string to_string() const { return text().to_string(); }
  // When the body was made, as far as it says.
  std::uint64_t time_ms() const noexcept { return detail::load_pair(body).hi >> 16; }
};

class TypeTable {
 public:
  // On failure the table is unchanged.
  Result<const ResourceType*, TypeError> add(ResourceType type);

  std::span<const ResourceType* const> types() const noexcept { return by_prefix_; }
  const ResourceType* find_by_name(std::string_view name) const noexcept;
  const ResourceType* find_by_prefix(std::string_view prefix) const noexcept;

  // Text of unknown type. The prefix, up to the last separator, must be declared.
  Result<TypedId, ParseError> parse(std::string_view text) const noexcept;

  // Text that should be of type `type`, in three steps: its form, its type, its time. IDs
  // from more than `ahead_ms_max` in the future are refused.
  static Result<TypedId, ParseError> check(const ResourceType& type, std::string_view text,
                                           std::uint64_t now_ms,
                                           std::uint64_t ahead_ms_max = 86'400'000) noexcept;

  // A new ID of `type`, on the process-wide generator of its body's kind.
  static Result<TypedId, MintError> generate(const ResourceType& type) noexcept;

 private:
  std::vector<const ResourceType*> by_prefix_;          // sorted
  std::vector<std::unique_ptr<ResourceType>> storage_;  // addresses stay
};

}  // namespace tessera
