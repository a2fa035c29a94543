#pragma once

// RegistryTypes: the types whose IDs are kept, declared once.
//
//    auto types = RegistryTypes::make(table, {
//        {.name = "store", .collection = "stores", .scope = "STORE"},
//        {.name = "product", .collection = "products", .scope = "PRODUCT", .parent = "store"}});
//
// A type has its IDs (public ones, or short ones behind its prefix), a collection for resource
// names, a scope for its 64-bit keys, and what becomes of an ID that has ended.
//
// A value that does not change; any number of threads may read it. The types in it stay where
// they are for as long as it lives, also when it is moved.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/detail/bytes.h"
#include "tessera/error.h"
#include "tessera/parse_error.h"
#include "tessera/registry/filter.h"
#include "tessera/result.h"
#include "tessera/type_table.h"

namespace tessera {

using IdBody = detail::Bytes16;  // an ID without prefix and check symbols

struct RegistryType {
  enum class Storage : std::uint8_t {
    text,     // VARCHAR(64), without check symbols
    bytes,    // the 16 bytes of the body
    integer,  // BIGINT; for short IDs, and only for them
  };
  enum class Tombstone : std::uint8_t {
    soft,   // the row stays
    exact,  // the row is erased; 16 bytes stay, from which nothing can be read
  };

  std::string name{};        // "product": a type of the TypeTable
  std::string collection{};  // "products"
  std::string scope{};       // where its keys come from
  std::string parent{};      // the type it belongs to, and ends with; empty: none
  Storage storage = Storage::text;
  Tombstone tombstone = Tombstone::soft;
  std::chrono::milliseconds undelete{0};  // for how long an ended one can be brought back
  std::chrono::milliseconds key_time{std::chrono::hours(24)};  // idempotency keys hold so long
  // How long the row of an exact tombstone stays, so that every filter has seen it.
  std::chrono::milliseconds erase_after{std::chrono::minutes(1)};
  bool alias = false;                  // in names, what begins with no 0 is an alias
  std::uint64_t capacity = 1'000'000;  // of the filter in front; it grows if need be
  double false_positives = 0.01;
  // 16 to 63: IDs are short, vch_EEBGNX0Z2, and their body is a number, in the last eight bytes.
  // 0: public IDs of the TypeTable.
  unsigned short_bits = 0;
};

// A declared type, joined to its parent and its IDs.
struct RegisteredType {
  RegistryType declared;
  ResourceType id;         // prefix, style, separator
  std::size_t number = 0;  // its place in RegistryTypes
  const RegisteredType* parent = nullptr;
  std::vector<const RegisteredType*> children;

  const std::string& name() const noexcept { return declared.name; }
  bool is_exact() const noexcept { return declared.tombstone == RegistryType::Tombstone::exact; }
  // How many ancestors a thing of this type has.
  std::size_t depth() const noexcept { return parent == nullptr ? 0 : parent->depth() + 1; }

  // Whether the body says when it was made; then time_ms() does.
  bool has_time() const noexcept { return declared.short_bits == 0; }
  static std::uint64_t time_ms(const IdBody& body) noexcept {
    return detail::load_pair(body).hi >> 16;
  }

  // Prefix and separator, which every ID begins with: also as a word, as far as it has room, and
  // which of its bits these are.
  struct Front {
    std::string text;
    std::uint64_t word = 0;
    std::uint64_t mask = 0;
  };
  Front front{};
  bool is_front_of(std::string_view text) const noexcept;

  // The ID as it is shown; without check symbols, as it is stored; and back.
  std::string text_of(const IdBody& body) const;
  std::string stored_text_of(const IdBody& body) const;
  bool is_stored_as_shown() const noexcept { return id.style != PublicStyle::checked; }
  Result<IdBody, ParseError> parse(std::string_view text) const;
  // What stands behind prefix and separator; offsets count from there.
  Result<IdBody, ParseError> parse_tail(std::string_view tail) const noexcept;
  Result<IdBody, ParseError> parse_stored(std::string_view text) const;

  // What stays of an ID that was erased: a digest of tenant, type and ID, one-way.
  IdBody tombstone_of(std::string_view tenant, const IdBody& body) const;
  // What the filter of this type knows it by: of exact types the tombstone, else a faster hash.
  Hash128 filter_key_of(std::string_view tenant, const IdBody& body) const;
  static Hash128 filter_key_of(const IdBody& tombstone) noexcept;
};

struct TypedBody {
  const RegisteredType* type = nullptr;
  IdBody body{};
};

class RegistryTypes {
 public:
  static constexpr std::size_t kPrefixSizeMax = 24;  // it is part of the names of tables

  // Every name, collection and parent is checked; the error says which is wrong.
  static Result<RegistryTypes, Error> make(const TypeTable& table, std::vector<RegistryType> types);

  std::span<const std::unique_ptr<RegisteredType>> all() const noexcept { return types_; }
  const RegisteredType* find(std::string_view name) const noexcept;
  const RegisteredType* find_by_prefix(std::string_view prefix) const noexcept;
  const RegisteredType* find_by_collection(std::string_view collection) const noexcept;

  // An ID of one of them; without a type, if `text` is none. No text is an ID of two.
  TypedBody parse(std::string_view text) const noexcept;

  // The type that a text says it is, by its prefix; null if it says none.
  const RegisteredType* type_of(std::string_view text) const noexcept;

 private:
  std::vector<std::unique_ptr<RegisteredType>> types_;
};

// Whether that is the name of a tenant: one part of a resource name, of letters, digits, - _ . and
// ~, at most 64.
bool is_tenant(std::string_view tenant) noexcept;
// What is wrong with it; nothing, if nothing is.
std::optional<Error> fault_of_tenant(std::string_view tenant);

}  // namespace tessera
