// The table of kinds.

#include "tessera/kind.h"

#include <array>
#include <cstddef>

namespace tessera {
namespace {

constexpr std::array kKinds = {
    KindInfo{Kind::ulid, "ulid", "ULID", "128 bits, 26 characters of Crockford base32",
             "| time_ms 48 | random 80 |", "by the millisecond; strictly within one process",
             "64 fresh random bits: not from its neighbour", "when it was made",
             "keys that any machine can make and that sort by time", true},
    KindInfo{
        Kind::uuidv1, "uuidv1", "UUID version 1", "128 bits, 36 characters",
        "| time_low 32 | time_mid 16 | ver 4 | time_high 12 | var 2 | clock_seq 14 | node 48 |",
        "no: the low bits of the time stand first", "57 fresh random bits",
        "when it was made, to 100 ns; ours has a random node, others tell the hardware address",
        "only where an old system asks for it; else uuidv7", true},
    KindInfo{Kind::uuidv3, "uuidv3", "UUID version 3", "128 bits, 36 characters",
             "| md5 48 | ver 4 | md5 12 | var 2 | md5 62 |", "no",
             "who knows namespace and name knows the ID", "that the name was known",
             "only where an old system asks for it; else uuidv5", false},
    KindInfo{Kind::uuidv4, "uuidv4", "UUID version 4", "128 bits, 36 characters",
             "| random 48 | ver 4 | random 12 | var 2 | random 62 |", "no", "122 random bits",
             "nothing", "IDs that must not tell when they were made", false},
    KindInfo{Kind::uuidv5, "uuidv5", "UUID version 5", "128 bits, 36 characters",
             "| sha1 48 | ver 4 | sha1 12 | var 2 | sha1 62 |", "no",
             "who knows namespace and name knows the ID", "that the name was known",
             "the same name shall give the same ID, everywhere and without asking", false},
    KindInfo{
        Kind::uuidv6, "uuidv6", "UUID version 6", "128 bits, 36 characters",
        "| time_high 32 | time_mid 16 | ver 4 | time_low 12 | var 2 | clock_seq 14 | node 48 |",
        "by 100 ns; strictly within one process", "57 fresh random bits",
        "when it was made, to 100 ns", "to go on from version 1 with IDs that sort", true},
    KindInfo{Kind::uuidv7, "uuidv7", "UUID version 7", "128 bits, 36 characters",
             "| unix_ts_ms 48 | ver 4 | rand_a 12 | var 2 | rand_b 62 |",
             "by the millisecond; strictly within one process",
             "58 fresh random bits: not from its neighbour", "when it was made",
             "primary keys in a uuid column", true},
    KindInfo{Kind::uuidv8, "uuidv8", "UUID version 8", "128 bits, 36 characters",
             "| custom 48 | ver 4 | custom 12 | var 2 | custom 62 |", "as your bits do",
             "as your bits are", "whatever you put in",
             "bits of your own in a column that wants a UUID", false},
    KindInfo{Kind::snowflake, "snowflake", "Snowflake", "63 bits, up to 19 digits",
             "| time 41 | machine 10 | sequence 12 |  and other layouts",
             "by the millisecond; strictly within one machine", "easy: neighbours differ by one",
             "when and on which machine it was made",
             "64-bit keys from many machines, if each has a number of its own", true},
    KindInfo{Kind::objectid, "objectid", "ObjectId", "96 bits, 24 hex digits",
             "| seconds 32 | random 40 | counter 24 |",
             "by the second; strictly within one process", "easy: neighbours differ by one",
             "when it was made, and which IDs came from one process", "MongoDB", true},
    KindInfo{Kind::ksuid, "ksuid", "KSUID", "160 bits, 27 characters of base62",
             "| seconds 32 | payload 128 |", "by the second; strictly within one process",
             "96 fresh random bits", "the second it was made in",
             "sortable IDs with room to spare, where 20 bytes are no matter", true},
    KindInfo{Kind::random, "random", "random ID with check symbol",
             "any number of bits; 60 are 12+1 characters, 120 are 24+1",
             "| random B |  and check symbols", "no", "all its bits", "nothing",
             "IDs that people read aloud and type in: mistyped is not missing", false},
    KindInfo{Kind::short_id, "short", "short ID with check symbol",
             "16 to 63 bits; 16 are 4+1 characters, 40 are 8+1",
             "| number of a scope, enciphered B |  and a check symbol", "no",
             "not without the key; but of a scope that is half used, every second guess is an ID",
             "nothing without the key",
             "IDs as short as can be, for people: every one is used once, none twice", false},
    KindInfo{Kind::public_id, "public", "public ID", "128 bits and a prefix",
             "prefix _ | ULID or UUIDv7 |", "by the millisecond; strictly within one process",
             "as its body", "what it is, and when it was made",
             "IDs that customers see: an order is never taken for a user", true},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i].kind != static_cast<Kind>(i)) return false;
  }
  return kKinds.back().kind == Kind::public_id;
}
static_assert(in_order(), "one row for each kind, in the order of the enum");

}  // namespace

std::span<const KindInfo> all_kinds() noexcept { return kKinds; }

const KindInfo& info_of(Kind kind) noexcept { return kKinds[static_cast<std::size_t>(kind)]; }

std::string_view name_of(Kind kind) noexcept { return info_of(kind).name; }

std::optional<Kind> kind_of(std::string_view name) noexcept {
  if (name == "uuid") return Kind::uuidv4;
  for (const KindInfo& info : kKinds) {
    if (name == info.name) return info.kind;
    // uuid7 and uuid-v7 for uuidv7.
    if (!info.name.starts_with("uuidv")) continue;
    const std::string_view version = info.name.substr(5);
    if ((name.size() == 5 && name.starts_with("uuid") && name.substr(4) == version) ||
        (name.size() == 7 && name.starts_with("uuid-v") && name.substr(6) == version)) {
      return info.kind;
    }
  }
  return std::nullopt;
}

}  // namespace tessera
