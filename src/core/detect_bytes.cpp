// The readers of kinds that are bytes: sixteen in any spelling, other sizes, digests.

#include <algorithm>
#include <array>
#include <optional>

#include "core/detect_readings.h"
#include "core/foreign.h"
#include "tessera/codec.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/random_id.h"
#include "tessera/time_text.h"
#include "tessera/ulid.h"

namespace tessera::detection {
namespace {

// Sixteen bytes: in which spelling, and how rare that is for each of the kinds that have them.

struct Spelling {
  std::string_view name;
  double uuid_bits;
  double ulid_bits;
  double timeflake_bits;
  double scru128_bits;
  LetterCase usual;  // of the letters; `mixed` where case has a meaning
};

constexpr Spelling kHyphenated = {"hyphenated", 0.5, 4, 2, 6, LetterCase::lower};
constexpr Spelling kBraced = {"braced", 5, 12, 10, 14, LetterCase::lower};
constexpr Spelling kUrn = {"urn", 5, 12, 10, 14, LetterCase::lower};
constexpr Spelling kHex = {"hex", 3, 6, 4, 6, LetterCase::lower};
constexpr Spelling kInt = {"int", 7, 10, 8, 9, LetterCase::none};
constexpr Spelling kBase32 = {"base32", 10, 0.5, 12, 14, LetterCase::upper};
constexpr Spelling kBase32Rfc = {"base32-rfc", 10, 12, 14, 14, LetterCase::upper};
constexpr Spelling kBase32Hex = {"base32hex", 10, 12, 14, 14, LetterCase::lower};
constexpr Spelling kCrockford = {"crockford", 9, 10, 12, 14, LetterCase::upper};
constexpr Spelling kBase36 = {"base36", 8, 10, 12, 0.5, LetterCase::lower};
constexpr Spelling kBase57 = {"base57", 7, 12, 12, 14, LetterCase::mixed};
constexpr Spelling kBase58 = {"base58", 8, 10, 12, 14, LetterCase::mixed};
constexpr Spelling kFlickr58 = {"base58-flickr", 8, 11, 12, 14, LetterCase::mixed};
constexpr Spelling kBase62 = {"base62", 8, 10, 1, 14, LetterCase::mixed};
constexpr Spelling kBase64 = {"base64", 7, 10, 12, 14, LetterCase::mixed};
constexpr Spelling kBase64Url = {"base64url", 7, 10, 12, 14, LetterCase::mixed};
constexpr Spelling kGuid = {"base64-guid", 10, 20, 20, 20, LetterCase::mixed};

// What a value costs that a person made up, such as 00000000-0000-1000-8000-00805f9b34fb:
// a digit is that before it, or any.
double made_up_bits(const Bytes16& bytes) noexcept {
  constexpr double kShareBits = 8;
  double bits = kShareBits;
  int previous = -1;
  for (const std::uint8_t byte : bytes) {
    for (const int digit : {byte >> 4, byte & 15}) {
      bits += digit == previous ? 1 : 5;
      previous = digit;
    }
  }
  return bits;
}

void add_uuid(const Bytes16& bytes, const Spelling& spelling, double case_cost,
              Readings& readings) {
  const Uuid id{bytes};
  Claim claim{.kind = uuid_kind(id), .spelling = spelling.name};
  claim.share_bits = spelling.uuid_bits + case_cost;
  claim.space_bits = uuid_space_bits(claim.kind);
  claim.time = uuid_time(id);
  claim.bytes.assign(bytes.begin(), bytes.end());
  claim.note = draft_note(id, readings);
  const bool in_hex = spelling.name == kHyphenated.name || spelling.name == kHex.name ||
                      spelling.name == kBraced.name || spelling.name == kUrn.name;
  if (const double by_hand = made_up_bits(bytes); in_hex && by_hand < claim.space_bits - 24) {
    claim.space_bits = by_hand;
    claim.time_counts = false;
    if (claim.note.empty()) claim.note = "looks made up by hand";
  }
  readings.add(std::move(claim));
}

void add_sixteen(const Bytes16& bytes, const Spelling& spelling, std::string_view text,
                 Readings& readings) {
  const double case_cost =
      spelling.usual == LetterCase::mixed ? 0 : case_bits(text, spelling.usual, 3);
  add_uuid(bytes, spelling, case_cost, readings);

  // 48 bits of milliseconds, then 80 of anything: three kinds have this layout, and differ
  // in how they are usually written and in their age.
  const auto time_ms = static_cast<std::int64_t>(detail::load_pair(bytes).hi >> 16);
  const auto add = [&](Kind kind, double share_bits, const Spelling& own) {
    Claim claim{.kind = kind, .share_bits = share_bits + case_cost, .space_bits = 128};
    if (spelling.name != own.name) claim.spelling = spelling.name;
    claim.time = Claim::Time{time_ms, 48, 1};
    claim.bytes.assign(bytes.begin(), bytes.end());
    if (kind == Kind::ulid && spelling.name == own.name && is_bound(bytes)) claim.be_bound();
    readings.add(std::move(claim));
  };
  add(Kind::ulid, spelling.ulid_bits, kBase32);
  add(Kind::timeflake, spelling.timeflake_bits, kBase62);
  add(Kind::scru128, spelling.scru128_bits, kBase36);
}

// Microsoft writes the first three fields of a UUID with the low byte first.
Bytes16 from_guid_order(Bytes16 bytes) noexcept {
  std::reverse(bytes.begin(), bytes.begin() + 4);
  std::reverse(bytes.begin() + 4, bytes.begin() + 6);
  std::reverse(bytes.begin() + 6, bytes.begin() + 8);
  return bytes;
}

// base36 and base62 as plain numbers, without the zeros in front.
template <std::size_t Base, std::size_t Size>
std::optional<Bytes16> unpadded(std::string_view text, const detail::DigitTable& table) noexcept {
  if (text.size() + 1 != Size || text[0] == '0') return std::nullopt;
  std::array<char, Size> digits{};
  digits[0] = '0';
  std::copy(text.begin(), text.end(), digits.begin() + 1);
  const auto bytes = detail::Radix<Base, Size>::parse({digits.data(), Size}, table);
  if (!bytes) return std::nullopt;
  return *bytes;
}

std::optional<Bytes16> parse_base62_number(std::string_view text) noexcept {
  if (const auto bytes = base62::parse(text)) return *bytes;
  return unpadded<62, base62::kTextSize>(text, detail::kBase62Digits);
}

bool is_hex(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return detail::digit_of(detail::kHexDigits, c) != detail::kNotADigit;
  });
}

}  // namespace

void Claim::be_bound() {
  share_bits += 10;
  space_bits = 1;
  time.reset();
  note = "the smallest or the largest value: a bound, not an ID";
}

bool is_bound(std::span<const std::uint8_t> bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; }) ||
         std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0xFF; });
}

Kind uuid_kind(const Uuid& id) noexcept {
  if (id.is_nil()) return Kind::uuid_nil;
  if (id.is_max()) return Kind::uuid_max;
  switch (id.variant()) {
    case Uuid::Variant::ncs: return Kind::uuid_ncs;
    case Uuid::Variant::microsoft: return Kind::uuid_microsoft;
    case Uuid::Variant::future: return Kind::uuid_future;
    case Uuid::Variant::rfc9562: break;
  }
  return static_cast<Kind>(static_cast<unsigned>(Kind::uuid_v0) + *id.version());
}

double uuid_space_bits(Kind kind) noexcept {
  switch (kind) {
    case Kind::uuid_nil:
    case Kind::uuid_max: return 0;
    case Kind::uuid_ncs: return 127;
    case Kind::uuid_microsoft:
    case Kind::uuid_future: return 125;
    default: return 122;
  }
}

std::optional<Claim::Time> uuid_time(const Uuid& id) noexcept {
  const auto time_ms = id.time_ms();
  if (!time_ms) return std::nullopt;
  if (id.version() == 7u) return Claim::Time{*time_ms, 48, 1};
  return Claim::Time{*time_ms, 60, 10'000};
}

// Drafts of version 7 up to the second had 36 bits of seconds where there are 48 of ms now.
std::string draft_note(const Uuid& id, const Readings& readings) {
  const std::uint64_t hi = detail::load_pair(id.bytes).hi;
  const auto draft_ms = static_cast<std::int64_t>(hi >> 28) * 1000;
  if (id.version() != 7u || readings.in_window(Kind::uuid_v7, *id.time_ms()) ||
      !readings.in_window(Kind::uuid_v7, draft_ms)) {
    return {};
  }
  return "in the layout of draft 02 (36 bits of seconds) it would be from " +
         time_text(draft_ms).to_string().substr(0, 10);
}

std::optional<Bytes16> parse_base36_number(std::string_view text) noexcept {
  if (const auto bytes = base36::parse(text)) return *bytes;
  return unpadded<36, base36::kTextSize>(text, detail::kBase36Digits);
}

void read_sixteen_bytes(std::string_view text, Readings& readings) {
  if (const auto id = Uuid::parse_friendly(text)) {
    const Spelling& spelling = text.size() == Uuid::kTextSize  ? kHyphenated
                               : text.size() == hex::kTextSize ? kHex
                               : text[0] == '{'                ? kBraced
                                                               : kUrn;
    // The letters of "urn:uuid:" say nothing about those of the value.
    const std::size_t digits = std::min(text.size(), Uuid::kTextSize);
    add_sixteen(id->bytes, spelling, text.substr(text.size() - digits), readings);
  }
  if (const auto bytes = decimal::parse(text)) add_sixteen(*bytes, kInt, text, readings);
  if (const auto bytes = base32::parse_left(text)) add_sixteen(*bytes, kBase32, text, readings);
  if (const auto bytes = parse_base36_number(text)) add_sixteen(*bytes, kBase36, text, readings);
  if (const auto bytes = parse_base62_number(text)) add_sixteen(*bytes, kBase62, text, readings);
  if (const auto bytes = crockford::parse(text)) {
    add_uuid(*bytes, kCrockford, case_bits(text, LetterCase::upper, 3), readings);
  }

  using foreign::Base32;
  const auto add_foreign = [&](const std::optional<Bytes16>& bytes, const Spelling& spelling) {
    if (bytes) add_sixteen(*bytes, spelling, text, readings);
  };
  add_foreign(foreign::parse_base57(text), kBase57);
  add_foreign(foreign::parse_bitcoin58(text), kBase58);
  add_foreign(foreign::parse_flickr58(text), kFlickr58);
  add_foreign(foreign::parse_base32_right(text, Base32::rfc4648), kBase32Rfc);
  add_foreign(foreign::parse_base32_right(text, Base32::hex), kBase32Hex);
  add_foreign(foreign::parse_base32_right(text, Base32::crockford), kCrockford);
  if (const auto bytes = foreign::parse_base64(text)) {
    const bool plain = text.size() == 22 && text.find_first_of("+/") == std::string_view::npos;
    add_sixteen(*bytes, plain ? kBase64Url : kBase64, text, readings);
    add_uuid(from_guid_order(*bytes), kGuid, 0, readings);
  }
}

void read_other_sizes(std::string_view text, Readings& readings) {
  const auto add_ksuid = [&](const Ksuid& id, Kind kind, double share_bits) {
    Claim claim{.kind = kind, .share_bits = share_bits, .space_bits = 160};
    if (kind == Kind::ksuid_hex) claim.spelling = "hex";
    claim.time = Claim::Time{static_cast<std::int64_t>(id.time_ms()), 32, 0.001};
    claim.bytes.assign(id.bytes.begin(), id.bytes.end());
    if (kind == Kind::ksuid && is_bound(id.bytes)) claim.be_bound();
    readings.add(std::move(claim));
  };
  if (const auto id = Ksuid::parse(text)) add_ksuid(*id, Kind::ksuid, 0);

  if (const auto id = ObjectId::parse(text)) {
    Claim claim{.kind = Kind::object_id, .share_bits = case_bits(text, LetterCase::lower, 4)};
    claim.space_bits = 96;
    claim.time = Claim::Time{static_cast<std::int64_t>(id->time_ms()), 32, 0.001};
    claim.bytes.assign(id->bytes.begin(), id->bytes.end());
    if (is_bound(id->bytes)) claim.be_bound();
    readings.add(std::move(claim));
  }
  if (!is_hex(text)) return;
  if (Ksuid id; hex::parse(text, id.bytes)) {
    add_ksuid(id, Kind::ksuid_hex, case_bits(text, LetterCase::none, 1));
  }
  const auto add_digest = [&](Kind kind, std::size_t bits) {
    if (4 * text.size() != bits) return;
    readings.add({.kind = kind,
                  .spelling = "hex",
                  .share_bits = case_bits(text, LetterCase::lower, 4),
                  .space_bits = static_cast<double>(bits)});
  };
  add_digest(Kind::md5, 128);
  add_digest(Kind::sha1, 160);
  add_digest(Kind::sha224, 224);
  add_digest(Kind::sha256, 256);
  add_digest(Kind::sha384, 384);
  add_digest(Kind::sha512, 512);
}

}  // namespace tessera::detection
