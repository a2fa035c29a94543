// What an Explanation promises: its fields stand in the order of the bits, and every bit is in
// exactly one of them, in every kind and in every version and variant of a UUID; names, widths
// and values are those of the standard; and the time is the one that the ID itself tells.

#include "tessera/explain.h"

#include <gtest/gtest.h>

#include <bitset>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/properties.h"
#include "support/vectors.h"
#include "tessera/time_text.h"

namespace tessera {
namespace {

using namespace literals;
using enum FieldRole;

std::string binary_of(std::span<const std::uint8_t> bytes) {
  std::string bits;
  for (const std::uint8_t byte : bytes) bits += std::bitset<8>(byte).to_string();
  return bits;
}

std::string decimal_of_binary(const std::string& bits) {
  return std::to_string(std::stoull(bits, nullptr, 2));
}

std::string hex_of_binary(std::string bits) {
  while (bits.size() % 4 != 0) bits.insert(0, 1, '0');
  std::string hex;
  for (std::size_t i = 0; i < bits.size(); i += 4) {
    hex += "0123456789abcdef"[std::stoul(bits.substr(i, 4), nullptr, 2)];
  }
  return hex;
}

enum Show { hex, number };

struct Expected {
  std::string_view name;
  FieldRole role;
  unsigned width;
  Show show;
};

// No gap, no overlap, and each value is that of its bits.
bool explains(const Explanation& explanation, const std::vector<Expected>& layout) {
  const std::string bits = binary_of(explanation.bytes);
  if (explanation.fields.size() != layout.size() || explanation.bits() != bits.size()) return false;
  unsigned offset = 0;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const Field& field = explanation.fields[i];
    const auto& [name, role, width, show] = layout[i];
    const std::string own = bits.substr(offset, width);
    if (field.name != name || field.role != role) return false;
    if (field.offset != offset || field.width != width) return false;
    if (field.value != (show == hex ? hex_of_binary(own) : decimal_of_binary(own))) return false;
    offset += width;
  }
  return offset == bits.size();
}

std::string value_of(const Explanation& explanation, std::string_view name) {
  for (const Field& field : explanation.fields) {
    if (field.name == name) return field.value;
  }
  ADD_FAILURE() << "no field " << name;
  return "";
}

// RFC 9562, section 5. Versions that it does not define are laid out as version 8.
std::vector<Expected> uuid_layout(unsigned uuid_version) {
  const auto three_parts = [](std::string_view a, std::string_view b, std::string_view c,
                              FieldRole role) {
    return std::vector<Expected>{{a, role, 48, hex},
                                 {"ver", version, 4, number},
                                 {b, role, 12, hex},
                                 {"var", variant, 2, number},
                                 {c, role, 62, hex}};
  };
  switch (uuid_version) {
    case 1:
      return {{"time_low", time, 32, hex}, {"time_mid", time, 16, hex},
              {"ver", version, 4, number}, {"time_high", time, 12, hex},
              {"var", variant, 2, number}, {"clock_seq", sequence, 14, number},
              {"node", machine, 48, hex}};
    case 2:
      return {{"local_id", custom, 32, number},    {"time_mid", time, 16, hex},
              {"ver", version, 4, number},         {"time_high", time, 12, hex},
              {"var", variant, 2, number},         {"clock_seq", sequence, 6, number},
              {"local_domain", custom, 8, number}, {"node", machine, 48, hex}};
    case 3: return three_parts("md5_high", "md5_mid", "md5_low", digest);
    case 4: return three_parts("random_a", "random_b", "random_c", random);
    case 5: return three_parts("sha1_high", "sha1_mid", "sha1_low", digest);
    case 6:
      return {{"time_high", time, 32, hex}, {"time_mid", time, 16, hex},
              {"ver", version, 4, number},  {"time_low", time, 12, hex},
              {"var", variant, 2, number},  {"clock_seq", sequence, 14, number},
              {"node", machine, 48, hex}};
    case 7:
      return {{"unix_ts_ms", time, 48, number},
              {"ver", version, 4, number},
              {"rand_a", random, 12, hex},
              {"var", variant, 2, number},
              {"rand_b", random, 62, hex}};
    default: return three_parts("custom_a", "custom_b", "custom_c", custom);
  }
}

RC_GTEST_PROP(Explain, EveryBitOfAUlidIsInOneField, (const Ulid& id)) {
  const auto explanation = explain(id);
  RC_ASSERT(explanation.kind == "ulid");
  RC_ASSERT(explanation.version == std::nullopt);
  RC_ASSERT(explains(explanation, {{"time_ms", time, 48, number}, {"random", random, 80, hex}}));
  RC_ASSERT(explanation.time_ms == static_cast<std::int64_t>(id.time_ms()));
}

RC_GTEST_PROP(Explain, EveryBitOfAUuidIsInOneFieldInEveryVersion, (const Uuid& any)) {
  const unsigned uuid_version = *any_from_to(0u, 15u);
  const Uuid id = Uuid::stamped(detail::load_pair(any.bytes), uuid_version);
  const auto explanation = explain(id);
  RC_ASSERT(explanation.kind == "uuid-v" + std::to_string(uuid_version));
  RC_ASSERT(explanation.version == uuid_version);
  RC_ASSERT(explains(explanation, uuid_layout(uuid_version)));
  if (uuid_version != 2) RC_ASSERT(explanation.time_ms == id.time_ms());
}

RC_GTEST_PROP(Explain, EveryBitOfAUuidIsInOneFieldInEveryVariant, (Uuid id)) {
  RC_PRE(id.variant() != Uuid::Variant::rfc9562 && !id.is_nil() && !id.is_max());
  const auto explanation = explain(id);
  const unsigned bits = id.variant() == Uuid::Variant::ncs ? 1 : 3;
  RC_ASSERT(explains(explanation, {{"custom_a", custom, 64, hex},
                                   {"var", variant, bits, number},
                                   {"custom_b", custom, 64 - bits, hex}}));
  RC_ASSERT(explanation.version == std::nullopt);
  RC_ASSERT(explanation.time_ms == std::nullopt);
}

RC_GTEST_PROP(Explain, EveryBitOfAnObjectIdIsInOneField, (const ObjectId& id)) {
  const auto explanation = explain(id);
  RC_ASSERT(explanation.kind == "objectid");
  RC_ASSERT(explains(explanation, {{"time_s", time, 32, number},
                                   {"random", random, 40, hex},
                                   {"counter", sequence, 24, number}}));
  RC_ASSERT(explanation.time_ms == static_cast<std::int64_t>(id.time_ms()));
}

RC_GTEST_PROP(Explain, EveryBitOfAKsuidIsInOneField, (const Ksuid& id)) {
  const auto explanation = explain(id);
  RC_ASSERT(explanation.kind == "ksuid");
  RC_ASSERT(explains(explanation, {{"time_s", time, 32, number}, {"payload", random, 128, hex}}));
  RC_ASSERT(explanation.time_ms == static_cast<std::int64_t>(id.time_ms()));
}

RC_GTEST_PROP(Explain, EveryBitOfASnowflakeIsInOneFieldWhateverItsLayout, ()) {
  SnowflakeLayout layout;
  layout.name = "own";
  layout.machine_last = *rc::gen::arbitrary<bool>();
  layout.machine_bits = *any_from_to(0u, 30u);
  layout.sequence_bits = *any_from_to(1u, 32u);
  layout.time_bits =
      *any_from_to(1u, std::min(48u, 63u - layout.machine_bits - layout.sequence_bits));
  layout.epoch_ms = *any_from_to<std::uint64_t>(0, 2'000'000'000'000);
  layout.unit_ms = *any_from_to(1u, 1000u);
  RC_ASSERT(layout.valid());

  const Snowflake id{*any_u64() & ((std::uint64_t{1} << layout.bits()) - 1)};
  const auto explanation = explain(id, layout);
  std::vector<Expected> expected = {{"unused", custom, 64 - layout.bits(), number},
                                    {"time", time, layout.time_bits, number}};
  const Expected machine_field{"machine", machine, layout.machine_bits, number};
  const Expected sequence_field{"sequence", sequence, layout.sequence_bits, number};
  if (layout.machine_last) expected.push_back(sequence_field);
  if (layout.machine_bits > 0) expected.push_back(machine_field);
  if (!layout.machine_last) expected.push_back(sequence_field);
  RC_ASSERT(explains(explanation, expected));
  RC_ASSERT(explanation.kind == "snowflake-own");
  RC_ASSERT(explanation.time_ms == static_cast<std::int64_t>(id.time_ms(layout)));
  RC_ASSERT(value_of(explanation, "time") == std::to_string(id.time(layout)));
  RC_ASSERT(value_of(explanation, "sequence") == std::to_string(id.sequence(layout)));
}

TEST(Explain, NamesTheReservedUuids) {
  for (const auto& [id, kind] : {std::pair(Uuid::nil(), "uuid-nil"), {Uuid::max(), "uuid-max"}}) {
    const auto explanation = explain(id);
    EXPECT_EQ(explanation.kind, kind);
    EXPECT_TRUE(explains(explanation, {{"value", custom, 128, hex}}));
    EXPECT_EQ(explanation.version, std::nullopt);
    EXPECT_EQ(explanation.time_ms, std::nullopt);
  }
}

TEST(Explain, NamesTheVariantsOfUuids) {
  EXPECT_EQ(explain("00000000-0000-7000-7fff-000000000000"_uuid).kind, "uuid-ncs");
  EXPECT_EQ(explain("00000000-0000-7000-8000-000000000000"_uuid).kind, "uuid-v7");
  EXPECT_EQ(explain("00000000-0000-7000-bfff-000000000000"_uuid).kind, "uuid-v7");
  EXPECT_EQ(explain("00000000-0000-7000-c000-000000000000"_uuid).kind, "uuid-microsoft");
  EXPECT_EQ(explain("00000000-0000-7000-dfff-000000000000"_uuid).kind, "uuid-microsoft");
  EXPECT_EQ(explain("00000000-0000-7000-e000-000000000000"_uuid).kind, "uuid-future");
}

// "unix_ms=1645557742000 rand_a=cc3" as a map; words without '=' are passed over.
std::map<std::string, std::string> fields_of(const std::string& text) {
  std::map<std::string, std::string> fields;
  for (const auto& word : vectors::split(text, ' ')) {
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) fields[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return fields;
}

TEST(Explain, AgreesWithTheAppendixOfRfc9562) {
  std::set<std::string> seen;
  for (const auto& row : vectors::read_table("uuid/rfc9562-appendix.tsv")) {
    SCOPED_TRACE(row.where());
    const auto id = Uuid::parse(row["uuid"]);
    ASSERT_TRUE(id);
    const auto explanation = explain(*id);
    const bool reserved = row["version"] == "nil" || row["version"] == "max";
    EXPECT_EQ(explanation.kind, (reserved ? "uuid-" : "uuid-v") + row["version"]);
    if (!reserved) {
      EXPECT_EQ(value_of(explanation, "ver"), row["version"]);
      EXPECT_EQ(value_of(explanation, "var"), "2");
    }
    const auto told = fields_of(row["fields"]);
    seen.insert(row["version"]);
    if (told.contains("unix_ms")) {
      EXPECT_EQ(std::to_string(explanation.time_ms.value_or(-1)), told.at("unix_ms"));
    }
    if (told.contains("clock_seq")) {
      EXPECT_EQ(std::stoul(value_of(explanation, "clock_seq")),
                std::stoul(told.at("clock_seq"), nullptr, 16));
      EXPECT_EQ(value_of(explanation, "node"), told.at("node"));
      std::string ticks = value_of(explanation, "time_high");
      ticks += value_of(explanation, "time_mid") + value_of(explanation, "time_low");
      EXPECT_EQ(std::to_string(std::stoull(ticks, nullptr, 16)), told.at("greg100ns"));
    }
    for (const char* name : {"rand_a", "rand_b"}) {
      if (told.contains(name)) {
        EXPECT_EQ(value_of(explanation, name), told.at(name));
      }
    }
  }
  EXPECT_EQ(seen, (std::set<std::string>{"1", "3", "4", "5", "6", "7", "8", "nil", "max"}));

  // Appendix A.3 gives the 122 random bits of the version 4.
  const auto v4 = explain("919108f7-52d1-4320-9bac-f847db4148a8"_uuid);
  EXPECT_EQ(value_of(v4, "random_a"), "919108f752d1");
  EXPECT_EQ(value_of(v4, "random_b"), "320");
  EXPECT_EQ(value_of(v4, "random_c"), "1bacf847db4148a8");
}

TEST(Explain, SaysWhatAReaderShouldKnow) {
  const auto notes = [](const Uuid& id) { return explain(id).notes; };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes("c232ab00-9414-11ec-b3c8-9f6bdeced846"_uuid), Notes{"the node is random"});
  EXPECT_EQ(notes("1ec9414c-232a-6b00-b3c8-9f6bdeced846"_uuid), Notes{"the node is random"});
  EXPECT_EQ(notes("c232ab00-9414-11ec-b3c8-9e6bdeced846"_uuid),
            Notes{"the node may be a hardware address"});
  EXPECT_EQ(notes("1ec9414c-232a-6b00-b3c8-9e6bdeced846"_uuid),
            Notes{"the node may be a hardware address"});
  EXPECT_EQ(notes("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"_uuid), Notes{});
  for (const char* undefined :
       {"00000000-0000-0001-8000-000000000000", "00000000-0000-9000-8000-000000000000",
        "00000000-0000-f000-8000-000000000000"}) {
    EXPECT_EQ(notes(*Uuid::parse(undefined)), Notes{"no standard defines this version"})
        << undefined;
  }
  EXPECT_EQ(notes("215d3d9f-e980-2cf4-9191-7dd485ba4fee"_uuid).size(), 1u);
}

RC_GTEST_PROP(Explain, Version2HasTheTimeOfItsUpperBits, (const Uuid& any)) {
  detail::Pair64 pair = detail::load_pair(any.bytes);
  const Uuid v2 = Uuid::stamped(pair, 2);
  pair.hi = pair.hi << 32 >> 32;  // the low time, which version 2 does not have
  const auto same_moment = Uuid::stamped(pair, 1).time_ms();
  RC_ASSERT(explain(v2).time_ms == same_moment);
}

TEST(Explain, AgreesWithOtherReadersOfObjectIds) {
  for (const auto& row : vectors::read_table("oracle-objectid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto explanation = explain(*ObjectId::parse(row["hex"]));
    EXPECT_EQ(value_of(explanation, "time_s"), row["unix_s"]);
    EXPECT_EQ(value_of(explanation, "random"), row["random5_hex"]);
    EXPECT_EQ(value_of(explanation, "counter"), row["counter"]);
    EXPECT_EQ(time_text(*explanation.time_ms).view(), row["iso"]);
  }
}

TEST(Explain, AgreesWithOtherReadersOfKsuids) {
  for (const auto& row : vectors::read_table("oracle-ksuid.tsv")) {
    SCOPED_TRACE(row.where());
    const auto explanation = explain(*Ksuid::parse(row["ksuid"]));
    EXPECT_EQ(explanation.bytes, vectors::bytes_of_hex(row["raw_hex"]));
    EXPECT_EQ(value_of(explanation, "payload"), row["payload_hex"]);
    EXPECT_EQ(explanation.time_ms,
              static_cast<std::int64_t>(vectors::number(row["unix_s"])) * 1000);
  }
}

TEST(Explain, AgreesWithOtherReadersOfSnowflakes) {
  for (const auto& row : vectors::read_table("oracle-snowflake.tsv")) {
    SCOPED_TRACE(row.where());
    const auto* layout = find_snowflake_layout(row["layout"]);
    ASSERT_NE(layout, nullptr);
    const auto explanation = explain(*Snowflake::parse(row["id"]), *layout);
    EXPECT_EQ(explanation.kind, "snowflake-" + row["layout"]);
    EXPECT_EQ(explanation.time_ms, static_cast<std::int64_t>(vectors::number(row["unix_ms"])));
    EXPECT_EQ(vectors::number(value_of(explanation, "machine")),
              vectors::number(row["worker5"]) * 32 + vectors::number(row["process5"]));
    EXPECT_EQ(value_of(explanation, "sequence"), row["increment12"]);
  }
  std::size_t count = 0;
  for (const auto& row : vectors::read_table("snowflake/snowflake.tsv")) {
    SCOPED_TRACE(row.where());
    const std::string& name = row["layout"];
    const auto* layout = find_snowflake_layout(name == "sony" ? "sonyflake" : name);
    if (layout == nullptr) continue;  // a layout of others that we have no name for
    ++count;
    const std::string& moment = row["unix_ms_or_iso"];
    const auto explanation = explain(*Snowflake::parse(row["id"]), *layout);
    EXPECT_EQ(explanation.time_ms, moment.ends_with('Z')
                                       ? parse_time(moment)
                                       : static_cast<std::int64_t>(vectors::number(moment)));
  }
  EXPECT_GE(count, 13u);
}

TEST(Explain, HasAWordForEveryRole) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(custom); ++i)
    names.insert(name_of(static_cast<FieldRole>(i)));
  EXPECT_EQ(names, (std::set<std::string_view>{"time", "random", "version", "variant", "machine",
                                               "sequence", "digest", "custom"}));
}

}  // namespace
}  // namespace tessera
