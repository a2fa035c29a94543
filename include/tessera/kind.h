#pragma once

// The kinds of ID that tessera makes, as a table for people: what each is made of, what it
// gives away, and when to use it. Help, documents and console show these words.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tessera {

enum class Kind : std::uint8_t {
  ulid,
  uuidv1,
  uuidv3,
  uuidv4,
  uuidv5,
  uuidv6,
  uuidv7,
  uuidv8,
  snowflake,
  objectid,
  ksuid,
  random,
  short_id,
  public_id,
};

struct KindInfo {
  Kind kind;
  std::string_view name;     // "uuidv7"
  std::string_view title;    // "UUID version 7"
  std::string_view size;     // "128 bits, 36 characters"
  std::string_view picture;  // the layout, a line or two
  std::string_view sorts;    // whether, and how finely
  std::string_view guess;    // how hard a neighbour is to guess
  std::string_view tells;    // what it gives away
  std::string_view use;      // when to use it
  bool has_time;
};

std::span<const KindInfo> all_kinds() noexcept;
const KindInfo& info_of(Kind kind) noexcept;
std::string_view name_of(Kind kind) noexcept;

// "uuidv7", and also "uuid7" and "uuid-v7". "uuid" alone is version 4, as everywhere.
std::optional<Kind> kind_of(std::string_view name) noexcept;

}  // namespace tessera
