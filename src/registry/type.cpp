// Declares types.

#include "tessera/registry/type.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "registry/blake2s.h"
#include "tessera/parse_error.h"
#include "tessera/public_id.h"
#include "tessera/resource_name.h"
#include "tessera/scope_name.h"
#include "tessera/short_id.h"

namespace tessera {
namespace {

Error refused(std::string_view type, const std::string& what, std::string hint) {
  return Error{Error::Code::invalid_request, "type " + quoted(type) + ": " + what, std::move(hint)};
}

// The style that writes the same body without check symbols.
PublicStyle unchecked(PublicStyle style) noexcept {
  return style == PublicStyle::checked ? PublicStyle::ulid : style;
}

std::optional<Error> fault_of(const RegistryType& type, const ResourceType& id) {
  using Storage = RegistryType::Storage;
  if (id.prefix.size() > RegistryTypes::kPrefixSizeMax) {
    return refused(type.name, "its prefix has " + std::to_string(id.prefix.size()) + " letters",
                   "At most 24 are kept in a column of 64 characters and in the name of a table.");
  }
  if (ResourceName::collection_fault(type.collection) || type.collection == "tenants") {
    return refused(type.name, "no name for a collection: " + quoted(type.collection),
                   "A letter, then letters, digits, - and _; not 'tenants', which is in front.");
  }
  if (scope_name_fault(type.scope)) {
    return refused(type.name, "no name for a scope: " + quoted(type.scope),
                   "Its keys come from a scope; name one.");
  }
  const bool is_short = type.short_bits != 0;
  if (is_short && !ShortId::has_size(type.short_bits)) {
    return refused(type.name, "no short ID has " + std::to_string(type.short_bits) + " bits",
                   "Use 16 to 63.");
  }
  if ((type.storage == Storage::integer) != is_short) {
    return refused(type.name, "an ID of 16 bytes is not stored as an integer, and a short one is",
                   is_short ? "Store it as an integer." : "Store it as text or as bytes.");
  }
  const auto none = std::chrono::milliseconds(0);
  if (type.undelete < none || type.key_time < none || type.erase_after < none) {
    return refused(type.name, "a time below zero", "Times are zero or more.");
  }
  if (type.tombstone == RegistryType::Tombstone::exact && type.undelete > none) {
    return refused(type.name, "what is erased cannot be brought back",
                   "Make the tombstone soft, or the time to undelete zero.");
  }
  if (type.capacity == 0 || !(type.false_positives > 0 && type.false_positives < 1)) {
    return refused(type.name, "no filter has such a capacity or rate",
                   "A capacity is 1 or more, a rate is between 0 and 1.");
  }
  return std::nullopt;
}

std::uint64_t folded(std::uint64_t a, std::uint64_t b) noexcept {
  const auto product = static_cast<detail::uint128>(a) * b;
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
}

// What the name of a tenant may have in it.
constexpr auto kOfTenants = [] {
  std::array<bool, 256> table{};
  for (unsigned c = 0; c < table.size(); ++c) {
    const char at = static_cast<char>(c);
    table[c] = detail::is_letter(at) || detail::is_decimal(at) ||
               std::string_view("-_.~").find(at) != std::string_view::npos;
  }
  return table;
}();

template <class Word>
std::uint64_t load(const char* from) noexcept {
  Word word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// Every byte of a text of 1 to 8 has its part in it.
std::uint64_t word_of(std::string_view text) noexcept {
  const std::size_t size = text.size();
  const char* const at = text.data();
  if (size == 8) return load<std::uint64_t>(at);
  if (size >= 4) return load<std::uint32_t>(at) << 32 | load<std::uint32_t>(at + size - 4);
  return load<std::uint8_t>(at) << 16 | load<std::uint8_t>(at + size / 2) << 8 |
         load<std::uint8_t>(at + size - 1);
}

RegisteredType::Front front_of(const ResourceType& id) {
  RegisteredType::Front front{.text = id.prefix + id.separator};
  const std::size_t size = std::min(front.text.size(), sizeof front.word);
  std::memcpy(&front.word, front.text.data(), size);
  std::memset(&front.mask, 0xff, size);
  return front;
}

}  // namespace

bool RegisteredType::is_front_of(std::string_view text) const noexcept {
  if (text.size() < sizeof front.word) return text.starts_with(front.text);
  if (((load<std::uint64_t>(text.data()) ^ front.word) & front.mask) != 0) return false;
  return front.text.size() <= sizeof front.word || text.starts_with(front.text);
}

std::string RegisteredType::text_of(const IdBody& body) const {
  if (declared.short_bits == 0) {
    return public_id::write(id.prefix, body, id.style, id.separator).to_string();
  }
  const auto short_id = ShortId::from_number(detail::load_pair(body).lo, declared.short_bits);
  return id.prefix + id.separator + (short_id ? short_id->to_string() : "");
}

std::string RegisteredType::stored_text_of(const IdBody& body) const {
  return public_id::write(id.prefix, body, unchecked(id.style), id.separator).to_string();
}

Result<IdBody, ParseError> RegisteredType::parse(std::string_view text) const {
  if (declared.short_bits == 0) {
    return public_id::parse_typed(text, id.prefix, id.style, id.separator);
  }
  if (!is_front_of(text)) return Failure{ParseError{ParseError::Code::prefix_mismatch, 0}};
  const auto body = parse_tail(text.substr(front.text.size()));
  if (body) return body;
  return Failure{ParseError{body.error().code,
                            body.error().offset + static_cast<std::uint32_t>(front.text.size())}};
}

Result<IdBody, ParseError> RegisteredType::parse_tail(std::string_view tail) const noexcept {
  if (declared.short_bits == 0) return public_id::parse_body(id.prefix, tail, id.style);
  const auto short_id = ShortId::parse_strict(tail, declared.short_bits);
  if (!short_id) return Failure{short_id.error()};
  return detail::store_pair({0, short_id->number()});
}

Result<IdBody, ParseError> RegisteredType::parse_stored(std::string_view text) const {
  return public_id::parse_typed(text, id.prefix, unchecked(id.style), id.separator);
}

IdBody RegisteredType::tombstone_of(std::string_view tenant, const IdBody& body) const {
  return Blake2s().add_text(id.prefix).add_text(tenant).add(body).finish_16();
}

Hash128 RegisteredType::filter_key_of(const IdBody& tombstone) noexcept {
  const auto [hi, lo] = detail::load_pair(tombstone);
  return {hi, lo};
}

Hash128 RegisteredType::filter_key_of(std::string_view tenant, const IdBody& body) const {
  if (is_exact()) return filter_key_of(tombstone_of(tenant, body));
  constexpr std::uint64_t kA = 0x9E37'79B9'7F4A'7C15;
  constexpr std::uint64_t kB = 0xD6E8'FEB8'6659'FD93;
  std::uint64_t seed = tenant.size();
  for (std::string_view rest = tenant; !rest.empty();) {
    const std::size_t size = std::min<std::size_t>(rest.size(), 8);
    seed = folded(seed ^ word_of(rest.substr(0, size)) ^ kA, kB);
    rest.remove_prefix(size);
  }
  const auto [hi, lo] = detail::load_pair(body);
  return {folded(hi ^ seed ^ kA, lo ^ kB), folded(lo ^ seed ^ kB, hi ^ seed ^ kA ^ kB)};
}

Result<RegistryTypes, Error> RegistryTypes::make(const TypeTable& table,
                                                 std::vector<RegistryType> types) {
  RegistryTypes made;
  for (auto& type : types) {
    const ResourceType* id = table.find_by_name(type.name);
    if (id == nullptr) {
      return Failure{Error{Error::Code::not_found, "there is no type " + quoted(type.name),
                           "Declare its prefix first."}};
    }
    if (auto fault = fault_of(type, *id)) return Failure{*fault};
    if (made.find(type.name) != nullptr) {
      return Failure{refused(type.name, "declared twice", "Leave one of them out.")};
    }
    if (made.find_by_collection(type.collection) != nullptr) {
      return Failure{refused(type.name,
                             "another type has the collection " + quoted(type.collection),
                             "Choose another.")};
    }
    auto entry = std::make_unique<RegisteredType>();
    entry->declared = std::move(type);
    entry->id = *id;
    entry->number = made.types_.size();
    entry->front = front_of(*id);
    made.types_.push_back(std::move(entry));
  }
  for (const auto& type : made.types_) {
    if (type->declared.parent.empty()) continue;
    const auto parent = std::ranges::find_if(
        made.types_, [&](const auto& other) { return other->name() == type->declared.parent; });
    if (parent == made.types_.end()) {
      return Failure{refused(type->name(), "there is no parent " + quoted(type->declared.parent),
                             "Declare it too.")};
    }
    type->parent = parent->get();
    (*parent)->children.push_back(type.get());
  }
  constexpr std::size_t kDepthMax = ResourceName::kDepthMax - 2;  // the tenant, and the type itself
  for (const auto& type : made.types_) {
    std::size_t depth = 0;
    for (const auto* at = type->parent; at != nullptr; at = at->parent) {
      if (++depth > kDepthMax) {
        return Failure{
            refused(type->name(), "too many parents above it, or a circle of them", "At most 6.")};
      }
    }
  }
  return made;
}

const RegisteredType* RegistryTypes::find(std::string_view name) const noexcept {
  for (const auto& type : types_) {
    if (type->name() == name) return type.get();
  }
  return nullptr;
}

const RegisteredType* RegistryTypes::find_by_prefix(std::string_view prefix) const noexcept {
  for (const auto& type : types_) {
    if (type->id.prefix == prefix) return type.get();
  }
  return nullptr;
}

const RegisteredType* RegistryTypes::find_by_collection(
    std::string_view collection) const noexcept {
  for (const auto& type : types_) {
    if (type->declared.collection == collection) return type.get();
  }
  return nullptr;
}

TypedBody RegistryTypes::parse(std::string_view text) const noexcept {
  for (const auto& type : types_) {
    if (!type->is_front_of(text)) continue;
    const std::string_view tail = text.substr(type->front.text.size());
    const bool is_ulid = type->id.style == PublicStyle::ulid && type->has_time();
    if (const auto body = is_ulid ? base32::parse_left(tail) : type->parse_tail(tail)) {
      return {type.get(), *body};
    }
  }
  return {};
}

const RegisteredType* RegistryTypes::type_of(std::string_view text) const noexcept {
  const auto ends_at = [&](const RegisteredType& type, std::size_t end) {
    return end != std::string_view::npos && text[end] == type.id.separator &&
           text.substr(0, end) == type.id.prefix;
  };
  const std::size_t last = find_last_separator(text);
  for (const auto& type : types_) {
    if (ends_at(*type, last)) return type.get();
  }
  for (const auto& type : types_) {
    if (ends_at(*type, text.rfind(type->id.separator))) return type.get();
  }
  return nullptr;
}

bool is_tenant(std::string_view tenant) noexcept {
  if (tenant.size() > ResourceName::kIdSizeMax) return false;
  bool good = true;
  for (const char c : tenant) good &= kOfTenants[static_cast<unsigned char>(c)];
  // It is one part of a resource name, where a few short ones mean something else.
  return good && (tenant.size() > 2 || !ResourceName::id_fault(tenant));
}

std::optional<Error> fault_of_tenant(std::string_view tenant) {
  if (is_tenant(tenant)) return std::nullopt;
  return Error{Error::Code::invalid_request, "not a tenant: " + quoted(tenant),
               "Use letters, digits, - _ . and ~, at most 64."};
}

}  // namespace tessera
