// The layouts of the kinds as tables, and the reading of IDs by them.

#include "tessera/explain.h"

#include <array>
#include <span>

namespace tessera {
namespace {

enum class Show : std::uint8_t { hex, number };

struct FieldLayout {
  std::string_view name;
  FieldRole role;
  unsigned width;
  Show show;
};

using enum FieldRole;

constexpr std::array kUlid = {
    FieldLayout{"time_ms", time, 48, Show::number},
    FieldLayout{"random", random, 80, Show::hex},
};
constexpr std::array kUuidv1 = {
    FieldLayout{"time_low", time, 32, Show::hex},
    FieldLayout{"time_mid", time, 16, Show::hex},
    FieldLayout{"ver", version, 4, Show::number},
    FieldLayout{"time_high", time, 12, Show::hex},
    FieldLayout{"var", variant, 2, Show::number},
    FieldLayout{"clock_seq", sequence, 14, Show::number},
    FieldLayout{"node", machine, 48, Show::hex},
};
// Version 2 has a local number where version 1 has the low time, and its domain where
// version 1 has the low half of the clock sequence.
constexpr std::array kUuidv2 = {
    FieldLayout{"local_id", custom, 32, Show::number},
    FieldLayout{"time_mid", time, 16, Show::hex},
    FieldLayout{"ver", version, 4, Show::number},
    FieldLayout{"time_high", time, 12, Show::hex},
    FieldLayout{"var", variant, 2, Show::number},
    FieldLayout{"clock_seq", sequence, 6, Show::number},
    FieldLayout{"local_domain", custom, 8, Show::number},
    FieldLayout{"node", machine, 48, Show::hex},
};
constexpr std::array kUuidv6 = {
    FieldLayout{"time_high", time, 32, Show::hex},
    FieldLayout{"time_mid", time, 16, Show::hex},
    FieldLayout{"ver", version, 4, Show::number},
    FieldLayout{"time_low", time, 12, Show::hex},
    FieldLayout{"var", variant, 2, Show::number},
    FieldLayout{"clock_seq", sequence, 14, Show::number},
    FieldLayout{"node", machine, 48, Show::hex},
};
constexpr std::array kUuidv7 = {
    FieldLayout{"unix_ts_ms", time, 48, Show::number}, FieldLayout{"ver", version, 4, Show::number},
    FieldLayout{"rand_a", random, 12, Show::hex},      FieldLayout{"var", variant, 2, Show::number},
    FieldLayout{"rand_b", random, 62, Show::hex},
};
constexpr std::array kUuidv4 = {
    FieldLayout{"random_a", random, 48, Show::hex}, FieldLayout{"ver", version, 4, Show::number},
    FieldLayout{"random_b", random, 12, Show::hex}, FieldLayout{"var", variant, 2, Show::number},
    FieldLayout{"random_c", random, 62, Show::hex},
};
constexpr std::array kUuidv3 = {
    FieldLayout{"md5_high", digest, 48, Show::hex}, FieldLayout{"ver", version, 4, Show::number},
    FieldLayout{"md5_mid", digest, 12, Show::hex},  FieldLayout{"var", variant, 2, Show::number},
    FieldLayout{"md5_low", digest, 62, Show::hex},
};
constexpr std::array kUuidv5 = {
    FieldLayout{"sha1_high", digest, 48, Show::hex}, FieldLayout{"ver", version, 4, Show::number},
    FieldLayout{"sha1_mid", digest, 12, Show::hex},  FieldLayout{"var", variant, 2, Show::number},
    FieldLayout{"sha1_low", digest, 62, Show::hex},
};
constexpr std::array kUuidv8 = {
    FieldLayout{"custom_a", custom, 48, Show::hex}, FieldLayout{"ver", version, 4, Show::number},
    FieldLayout{"custom_b", custom, 12, Show::hex}, FieldLayout{"var", variant, 2, Show::number},
    FieldLayout{"custom_c", custom, 62, Show::hex},
};
constexpr std::array kUuidNcs = {
    FieldLayout{"custom_a", custom, 64, Show::hex},
    FieldLayout{"var", variant, 1, Show::number},
    FieldLayout{"custom_b", custom, 63, Show::hex},
};
constexpr std::array kUuidOther = {
    FieldLayout{"custom_a", custom, 64, Show::hex},
    FieldLayout{"var", variant, 3, Show::number},
    FieldLayout{"custom_b", custom, 61, Show::hex},
};
constexpr std::array kUuidWhole = {FieldLayout{"value", custom, 128, Show::hex}};
constexpr std::array kObjectId = {
    FieldLayout{"time_s", time, 32, Show::number},
    FieldLayout{"random", random, 40, Show::hex},
    FieldLayout{"counter", sequence, 24, Show::number},
};
constexpr std::array kKsuid = {
    FieldLayout{"time_s", time, 32, Show::number},
    FieldLayout{"payload", random, 128, Show::hex},
};

bool bit_at(std::span<const std::uint8_t> bytes, unsigned offset) noexcept {
  return (bytes[offset / 8] >> (7 - offset % 8) & 1) != 0;
}

std::string field_value(std::span<const std::uint8_t> bytes, unsigned offset, unsigned width,
                        Show show) {
  if (show == Show::number) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) value = value << 1 | (bit_at(bytes, offset + i) ? 1 : 0);
    return std::to_string(value);
  }
  // Digits from the end, so that a width that is no multiple of four has its short digit first.
  std::string digits((width + 3) / 4, '0');
  for (unsigned i = 0; i < width; ++i) {
    if (!bit_at(bytes, offset + width - 1 - i)) continue;
    char& digit = digits[digits.size() - 1 - i / 4];
    const auto value = detail::digit_of(detail::kHexDigits, digit) | 1u << i % 4;
    digit = detail::kHex[value];
  }
  return digits;
}

void read_fields(Explanation& out, std::span<const FieldLayout> layout) {
  unsigned offset = 0;
  for (const FieldLayout& field : layout) {
    out.fields.push_back({field.name, field.role, offset, field.width,
                          field_value(out.bytes, offset, field.width, field.show)});
    offset += field.width;
  }
}

std::span<const FieldLayout> uuid_layout(const Uuid& id) noexcept {
  if (id.is_nil() || id.is_max()) return kUuidWhole;
  if (id.variant() == Uuid::Variant::ncs) return kUuidNcs;
  if (id.variant() != Uuid::Variant::rfc9562) return kUuidOther;
  switch (*id.version()) {
    case 1: return kUuidv1;
    case 2: return kUuidv2;
    case 3: return kUuidv3;
    case 4: return kUuidv4;
    case 5: return kUuidv5;
    case 6: return kUuidv6;
    case 7: return kUuidv7;
    default: return kUuidv8;
  }
}

std::string uuid_kind(const Uuid& id) {
  if (id.is_nil()) return "uuid-nil";
  if (id.is_max()) return "uuid-max";
  switch (id.variant()) {
    case Uuid::Variant::ncs: return "uuid-ncs";
    case Uuid::Variant::microsoft: return "uuid-microsoft";
    case Uuid::Variant::future: return "uuid-future";
    case Uuid::Variant::rfc9562: break;
  }
  return "uuid-v" + std::to_string(*id.version());
}

}  // namespace

std::string_view name_of(FieldRole role) noexcept {
  switch (role) {
    case time: return "time";
    case random: return "random";
    case version: return "version";
    case variant: return "variant";
    case machine: return "machine";
    case sequence: return "sequence";
    case digest: return "digest";
    case custom: return "custom";
  }
  return "custom";
}

Explanation explain(const Ulid& id) {
  Explanation out;
  out.kind = "ulid";
  out.bytes.assign(id.bytes.begin(), id.bytes.end());
  out.time_ms = static_cast<std::int64_t>(id.time_ms());
  read_fields(out, kUlid);
  return out;
}

Explanation explain(const Uuid& id) {
  Explanation out;
  out.kind = uuid_kind(id);
  out.bytes.assign(id.bytes.begin(), id.bytes.end());
  out.time_ms = id.time_ms();
  if (!id.is_nil() && !id.is_max()) out.version = id.version();
  read_fields(out, uuid_layout(id));
  if (out.version == 1u || out.version == 6u) {
    const bool multicast = (id.bytes[10] & 1) != 0;
    out.notes.emplace_back(multicast ? "the node is random" : "the node may be a hardware address");
  }
  if (out.version == 2u) {
    out.notes.emplace_back("DCE security: the time is only good to seven minutes");
    const std::uint64_t hi = detail::load_pair(id.bytes).hi;
    const std::uint64_t time = (hi & 0xFFF) << 48 | (hi >> 16 & 0xFFFF) << 32;
    const auto since_1970 =
        static_cast<std::int64_t>(time) - static_cast<std::int64_t>(Uuid::kGregorianOffset100ns);
    // Rounded down, also before 1970.
    out.time_ms = since_1970 / 10'000 - (since_1970 % 10'000 < 0 ? 1 : 0);
  }
  if (out.version == 0u || (out.version && *out.version > 8)) {
    out.notes.emplace_back("no standard defines this version");
  }
  return out;
}

Explanation explain(const ObjectId& id) {
  Explanation out;
  out.kind = "objectid";
  out.bytes.assign(id.bytes.begin(), id.bytes.end());
  out.time_ms = static_cast<std::int64_t>(id.time_ms());
  read_fields(out, kObjectId);
  return out;
}

Explanation explain(const Ksuid& id) {
  Explanation out;
  out.kind = "ksuid";
  out.bytes.assign(id.bytes.begin(), id.bytes.end());
  out.time_ms = static_cast<std::int64_t>(id.time_ms());
  read_fields(out, kKsuid);
  return out;
}

Explanation explain(const Snowflake& id, const SnowflakeLayout& layout) {
  Explanation out;
  out.kind = "snowflake-" + std::string(layout.name);
  out.bytes.resize(Snowflake::kSize);
  detail::store_be<8>(out.bytes.data(), id.value);
  out.time_ms = static_cast<std::int64_t>(id.time_ms(layout));
  const FieldLayout machine_field{"machine", machine, layout.machine_bits, Show::number};
  const FieldLayout sequence_field{"sequence", sequence, layout.sequence_bits, Show::number};
  std::vector<FieldLayout> fields;
  fields.push_back({"unused", custom, 64 - layout.bits(), Show::number});
  fields.push_back({"time", time, layout.time_bits, Show::number});
  fields.push_back(layout.machine_last ? sequence_field : machine_field);
  fields.push_back(layout.machine_last ? machine_field : sequence_field);
  std::erase_if(fields, [](const FieldLayout& field) { return field.width == 0; });
  read_fields(out, fields);
  return out;
}

}  // namespace tessera
