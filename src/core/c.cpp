// c.h over the C++ types. Nothing here throws, and nothing that could be left by longjmp
// owns anything. What goes by name is in c_by_name.cpp.

#include "tessera/c.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "core/generate.h"
#include "tessera/ksuid.h"
#include "tessera/mint_error.h"
#include "tessera/objectid.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/range.h"
#include "tessera/resource_name.h"
#include "tessera/snowflake.h"
#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"
#include "tessera/version.h"

namespace {

using tessera::MintError;
using tessera::ParseError;
using tessera::PublicStyle;
using tessera::Uuid;

constexpr int kParseBase = 1;
constexpr int kMintBase = tessera::detail::code_of(MintError{});
static_assert(kParseBase + static_cast<int>(ParseError::Code::invalid_resource_name) ==
              TESSERA_INVALID_RESOURCE_NAME);

int code_of(const ParseError& error, std::uint32_t* offset) noexcept {
  if (offset != nullptr) *offset = error.offset;
  return kParseBase + static_cast<int>(error.code);
}

using tessera::detail::code_of;

template <class Id>
int give(const tessera::Result<Id, MintError>& id, std::uint8_t* out) noexcept {
  if (!id) return code_of(id.error());
  std::ranges::copy(id->bytes, out);
  return TESSERA_OK;
}

template <class Id>
int give(const tessera::Result<Id, ParseError>& id, std::uint8_t* out,
         std::uint32_t* offset) noexcept {
  if (!id) return code_of(id.error(), offset);
  std::ranges::copy(id->bytes, out);
  return TESSERA_OK;
}

int give(std::string_view text, char* out, std::size_t capacity, std::size_t* size) noexcept {
  *size = text.size();
  if (text.size() > capacity) return TESSERA_BUFFER_TOO_SMALL;
  std::ranges::copy(text, out);
  return TESSERA_OK;
}

template <class Range>
int give_range(const Range& range, std::uint8_t* smallest, std::uint8_t* largest) noexcept {
  if (!range) return TESSERA_OUT_OF_RANGE;
  std::ranges::copy(range->smallest.bytes, smallest);
  std::ranges::copy(range->largest.bytes, largest);
  return TESSERA_OK;
}

template <class Id>
Id id_of(const std::uint8_t* bytes) noexcept {
  Id id;
  std::copy_n(bytes, id.bytes.size(), id.bytes.begin());
  return id;
}

template <class Id>
void write(const std::uint8_t* bytes, char* out) noexcept {
  id_of<Id>(bytes).write_text(std::span<char, Id::kTextSize>(out, Id::kTextSize));
}

// The C++ generators fill spans of IDs, and `out` need not hold objects of that type: so by
// chunks, which cost a copy.
template <class Id>
int give_many(
    std::uint8_t* out, std::size_t count,
    tessera::Result<std::size_t, MintError> (*generate)(std::span<Id>) noexcept) noexcept {
  constexpr std::size_t kChunk = 256;
  std::array<Id, kChunk> ids;
  for (std::size_t done = 0; done < count;) {
    const auto chunk = std::span(ids).first(std::min(kChunk, count - done));
    const auto made = generate(chunk);
    if (!made) return code_of(made.error());
    std::memcpy(out + done * Id::kSize, chunk.data(), chunk.size_bytes());
    done += chunk.size();
  }
  return TESSERA_OK;
}

bool is_style(int style) noexcept {
  return style >= TESSERA_STYLE_ULID && style <= TESSERA_STYLE_CHECKED;
}

bool is_check_count(unsigned count) noexcept { return count >= 1 && count <= 3; }

}  // namespace

struct tessera_snowflake {
  tessera::SystemClock clock;
  tessera::SnowflakeGenerator generator;

  tessera_snowflake(const tessera::SnowflakeLayout& layout, std::uint64_t machine) noexcept
      : generator(layout, machine, clock) {}
};

const char* tessera_version(void) { return TESSERA_VERSION; }
int tessera_c_version(void) { return TESSERA_C_VERSION; }

// The texts of the tables are literals, so that they end with NUL.
const char* tessera_error_name(int code) {
  if (code == TESSERA_OK) return "ok";
  if (code >= kParseBase && code <= TESSERA_INVALID_RESOURCE_NAME) {
    return name_of(static_cast<ParseError::Code>(code - kParseBase)).data();
  }
  if (code >= kMintBase && code <= TESSERA_INVALID_MACHINE) {
    return name_of(static_cast<MintError>(code - kMintBase)).data();
  }
  switch (code) {
    case TESSERA_UNKNOWN: return "unknown";
    case TESSERA_AMBIGUOUS: return "ambiguous";
    case TESSERA_LOSSY: return "lossy";
    case TESSERA_NO_TIME: return "no_time";
    case TESSERA_BUFFER_TOO_SMALL: return "buffer_too_small";
    case TESSERA_BAD_ARGUMENT: return "bad_argument";
    case TESSERA_NO_MEMORY: return "no_memory";
    default: return "unknown";
  }
}

const char* tessera_error_phrase(int code) {
  if (code == TESSERA_OK) return "no error";
  if (code >= kParseBase && code <= TESSERA_INVALID_RESOURCE_NAME) {
    return tessera::error_text(static_cast<ParseError::Code>(code - kParseBase)).phrase.data();
  }
  if (code >= kMintBase && code <= TESSERA_INVALID_MACHINE) {
    return describe(static_cast<MintError>(code - kMintBase)).data();
  }
  switch (code) {
    case TESSERA_UNKNOWN: return "no kind of ID is known that looks like this";
    case TESSERA_AMBIGUOUS: return "it fits kinds that read different bits in it";
    case TESSERA_LOSSY: return "the form would add bits or lose some";
    case TESSERA_NO_TIME: return "no time in it";
    case TESSERA_BUFFER_TOO_SMALL: return "the buffer is too small";
    case TESSERA_BAD_ARGUMENT: return "an argument is out of its range";
    case TESSERA_NO_MEMORY: return "out of memory";
    default: return "unknown error";
  }
}

const char* tessera_error_hint(int code) {
  if (code < kParseBase || code > TESSERA_INVALID_RESOURCE_NAME) return "";
  return tessera::error_text(static_cast<ParseError::Code>(code - kParseBase)).hint.data();
}

int tessera_ulid_new(uint8_t out[16]) { return tessera::detail::generate_ulid(out); }

int tessera_ulid_parse(const char* text, size_t size, uint8_t out[16], uint32_t* offset) {
  return give(tessera::Ulid::parse({text, size}), out, offset);
}

int tessera_ulid_parse_friendly(const char* text, size_t size, uint8_t out[16], uint32_t* offset) {
  return give(tessera::Ulid::parse_friendly({text, size}), out, offset);
}

void tessera_ulid_text(const uint8_t id[16], char out[TESSERA_ULID_TEXT_SIZE]) {
  write<tessera::Ulid>(id, out);
}

uint64_t tessera_ulid_time_ms(const uint8_t id[16]) { return id_of<tessera::Ulid>(id).time_ms(); }

int tessera_ulid_range(uint64_t from_ms, uint64_t to_ms, uint8_t smallest[16],
                       uint8_t largest[16]) {
  return give_range(tessera::ulid_range(from_ms, to_ms), smallest, largest);
}

int tessera_uuid_new(int version, uint8_t out[16]) {
  switch (version) {
    case 1: return tessera::detail::generate_uuidv1(out);
    case 4: return tessera::detail::generate_uuidv4(out);
    case 6: return tessera::detail::generate_uuidv6(out);
    case 7: return tessera::detail::generate_uuidv7(out);
    default: return TESSERA_BAD_ARGUMENT;
  }
}

int tessera_uuid_from_name(int version, const uint8_t name_space[16], const char* name, size_t size,
                           uint8_t out[16]) {
  if (version != 3 && version != 5) return TESSERA_BAD_ARGUMENT;
  const auto space = id_of<tessera::Uuid>(name_space);
  const auto id = version == 3 ? tessera::Uuid::name_v3(space, {name, size})
                               : tessera::Uuid::name_v5(space, {name, size});
  std::ranges::copy(id.bytes, out);
  return TESSERA_OK;
}

int tessera_uuid_parse(const char* text, size_t size, uint8_t out[16], uint32_t* offset) {
  return give(tessera::Uuid::parse({text, size}), out, offset);
}

int tessera_uuid_parse_friendly(const char* text, size_t size, uint8_t out[16], uint32_t* offset) {
  return give(tessera::Uuid::parse_friendly({text, size}), out, offset);
}

void tessera_uuid_text(const uint8_t id[16], char out[TESSERA_UUID_TEXT_SIZE]) {
  write<tessera::Uuid>(id, out);
}

int tessera_uuid_version(const uint8_t id[16]) {
  const auto version = id_of<tessera::Uuid>(id).version();
  return version ? static_cast<int>(*version) : -1;
}

int tessera_uuid_time_ms(const uint8_t id[16], int64_t* time_ms) {
  const auto time = id_of<tessera::Uuid>(id).time_ms();
  if (!time) return TESSERA_INVALID_VERSION;
  *time_ms = *time;
  return TESSERA_OK;
}

int tessera_uuid7_range(uint64_t from_ms, uint64_t to_ms, uint8_t smallest[16],
                        uint8_t largest[16]) {
  return give_range(tessera::uuidv7_range(from_ms, to_ms), smallest, largest);
}

int tessera_objectid_new(uint8_t out[12]) { return give(tessera::ObjectId::generate(), out); }

int tessera_objectid_parse(const char* text, size_t size, uint8_t out[12], uint32_t* offset) {
  return give(tessera::ObjectId::parse({text, size}), out, offset);
}

void tessera_objectid_text(const uint8_t id[12], char out[TESSERA_OBJECTID_TEXT_SIZE]) {
  write<tessera::ObjectId>(id, out);
}

int tessera_ksuid_new(uint8_t out[20]) { return give(tessera::Ksuid::generate(), out); }

int tessera_ksuid_parse(const char* text, size_t size, uint8_t out[20], uint32_t* offset) {
  return give(tessera::Ksuid::parse({text, size}), out, offset);
}

void tessera_ksuid_text(const uint8_t id[20], char out[TESSERA_KSUID_TEXT_SIZE]) {
  write<tessera::Ksuid>(id, out);
}

int tessera_snowflake_create(const char* layout, uint64_t machine, tessera_snowflake** out) {
  const auto* found = tessera::find_snowflake_layout(layout);
  if (found == nullptr) return TESSERA_BAD_ARGUMENT;
  if (machine > found->machine_max()) return TESSERA_INVALID_MACHINE;
  auto* generator = new (std::nothrow) tessera_snowflake(*found, machine);
  if (generator == nullptr) return TESSERA_NO_MEMORY;
  *out = generator;
  return TESSERA_OK;
}

int tessera_snowflake_next(tessera_snowflake* generator, uint64_t* out) {
  const auto id = generator->generator.next();
  if (!id) return code_of(id.error());
  *out = id->value;
  return TESSERA_OK;
}

void tessera_snowflake_free(tessera_snowflake* generator) { delete generator; }

int tessera_snowflake_parse(const char* text, size_t size, uint64_t* out, uint32_t* offset) {
  const auto id = tessera::Snowflake::parse({text, size});
  if (!id) return code_of(id.error(), offset);
  *out = id->value;
  return TESSERA_OK;
}

int tessera_snowflake_time_ms(const char* layout, uint64_t id, uint64_t* time_ms) {
  const auto* found = tessera::find_snowflake_layout(layout);
  if (found == nullptr || id > tessera::Snowflake::kMax) return TESSERA_BAD_ARGUMENT;
  *time_ms = tessera::Snowflake{id}.time_ms(*found);
  return TESSERA_OK;
}

int tessera_random_new(unsigned bits, unsigned check_count, char* out, size_t capacity,
                       size_t* size) {
  if (bits < 1 || bits > tessera::RandomId::kBitsMax || !is_check_count(check_count)) {
    return TESSERA_BAD_ARGUMENT;
  }
  const auto id = tessera::RandomId::generate(bits);
  if (!id) return code_of(id.error());
  return give(id->text(static_cast<tessera::CheckCount>(check_count)), out, capacity, size);
}

int tessera_random_check(const char* text, size_t text_size, unsigned bits, unsigned check_count,
                         char* out, size_t capacity, size_t* size, uint32_t* offset) {
  if (bits > tessera::RandomId::kBitsMax || !is_check_count(check_count)) {
    return TESSERA_BAD_ARGUMENT;
  }
  const auto check = static_cast<tessera::CheckCount>(check_count);
  const auto id = bits == 0 ? tessera::RandomId::parse({text, text_size}, check)
                            : tessera::RandomId::parse({text, text_size}, bits, check);
  if (!id) return code_of(id.error(), offset);
  return give(id->text(check), out, capacity, size);
}

void tessera_crockford_text(const uint8_t id[16], char out[27]) {
  const auto text = tessera::RandomId::from_bytes(id_of<tessera::Ulid>(id).bytes, 128).text();
  std::ranges::copy(text.view(), out);
}

int tessera_crockford_parse(const char* text, size_t size, uint8_t out[16], uint32_t* offset) {
  const auto id = tessera::RandomId::parse({text, size}, 128);
  if (!id) return code_of(id.error(), offset);
  std::ranges::copy(id->bytes(), out);
  return TESSERA_OK;
}

int tessera_public_id_new(const char* prefix, size_t prefix_size, int style, char* out,
                          size_t capacity, size_t* size) {
  if (!is_style(style)) return TESSERA_BAD_ARGUMENT;
  std::uint8_t body[16];
  const bool ulid = style == TESSERA_STYLE_ULID || style == TESSERA_STYLE_CHECKED;
  const int minted = ulid ? tessera_ulid_new(body) : tessera_uuid_new(7, body);
  if (minted != TESSERA_OK) return minted;
  return tessera_public_id_text(prefix, prefix_size, style, body, out, capacity, size);
}

int tessera_public_id_text(const char* prefix, size_t prefix_size, int style,
                           const uint8_t body[16], char* out, size_t capacity, size_t* size) {
  if (!is_style(style)) return TESSERA_BAD_ARGUMENT;
  const std::string_view name(prefix, prefix_size);
  const bool bare = name.empty() && style == TESSERA_STYLE_TYPEID;
  if (!bare && tessera::prefix_fault(name)) return TESSERA_INVALID_PREFIX;
  const auto text = tessera::public_id::write(name, id_of<tessera::Ulid>(body).bytes,
                                              static_cast<PublicStyle>(style));
  return give(text.view(), out, capacity, size);
}

int tessera_public_id_parse(const char* text, size_t size, int style, uint8_t body[16],
                            size_t* prefix_size, uint32_t* offset) {
  if (!is_style(style)) return TESSERA_BAD_ARGUMENT;
  const auto parts = tessera::public_id::parse({text, size}, static_cast<PublicStyle>(style));
  if (!parts) return code_of(parts.error(), offset);
  std::ranges::copy(parts->body, body);
  *prefix_size = parts->prefix.size();
  return TESSERA_OK;
}

int tessera_resource_name_check(const char* text, size_t size, uint32_t* offset) {
  const auto name = tessera::ResourceName::parse({text, size});
  return name ? TESSERA_OK : code_of(name.error(), offset);
}

int tessera_random_bytes(uint8_t* out, size_t size) {
  tessera::SystemEntropy entropy;
  return entropy.fill({out, size}) ? TESSERA_OK : TESSERA_NO_ENTROPY;
}

int tessera_ulid_new_many(uint8_t* out, size_t count) {
  return give_many<tessera::Ulid>(out, count, tessera::Ulid::generate);
}

int tessera_uuid_new_many(int version, uint8_t* out, size_t count) {
  switch (version) {
    case 1: return give_many<Uuid>(out, count, Uuid::generate_v1);
    case 4: return give_many<Uuid>(out, count, Uuid::generate_v4);
    case 6: return give_many<Uuid>(out, count, Uuid::generate_v6);
    case 7: return give_many<Uuid>(out, count, Uuid::generate_v7);
    default: return TESSERA_BAD_ARGUMENT;
  }
}

uint64_t tessera_now_ms(void) { return tessera::SystemClock().now_ms(); }
