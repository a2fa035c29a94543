#pragma once

// What the bits of an ID say: each field with its place, its meaning and its value.
//
// The tables behind it are the layouts of the kinds, written once: the coloured bits of the
// command line, the console's grid and the pictures in the documents are made of them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/snowflake.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {

// What a field is for. Colours and legends go by it.
enum class FieldRole : std::uint8_t {
  time,
  random,
  version,
  variant,
  machine,   // node, worker, shard
  sequence,  // counter, clock sequence
  digest,    // of a name
  custom,
};

std::string_view name_of(FieldRole role) noexcept;

struct Field {
  std::string_view name;  // as the standard calls it: "rand_a", "clock_seq"
  FieldRole role = FieldRole::custom;
  unsigned offset = 0;  // of the first bit, from the top
  unsigned width = 0;   // in bits
  std::string value;    // decimal for numbers people read, hex for the rest
};

struct Explanation {
  std::string kind;                 // "ulid", "uuid-v7", "snowflake-twitter"
  std::optional<unsigned> version;  // of a UUID
  std::vector<std::uint8_t> bytes;  // big-endian
  std::vector<Field> fields;        // from the top bit to the last, without gaps
  std::optional<std::int64_t> time_ms;
  std::vector<std::string> notes;  // what a reader should know: "node is a hardware address"

  unsigned bits() const noexcept { return static_cast<unsigned>(bytes.size() * 8); }
};

Explanation explain(const Ulid& id);
Explanation explain(const Uuid& id);
Explanation explain(const ObjectId& id);
Explanation explain(const Ksuid& id);
Explanation explain(const Snowflake& id, const SnowflakeLayout& layout);

}  // namespace tessera
