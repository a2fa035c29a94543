// The readers of texts that people wrote a part of: public IDs with their prefix, checked IDs,
// resource names.

#include <algorithm>
#include <array>
#include <optional>

#include "core/detect_readings.h"
#include "tessera/codec.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/resource_name.h"
#include "tessera/time_text.h"
#include "tessera/uuid.h"

namespace tessera::detection {
namespace {

// Prefixed public IDs: the part behind the prefix.

struct Prefixed {
  std::string_view prefix;  // may be empty, for a TypeID
  std::string_view body;
  double prefix_bits = 0;
  const ResourceType* declared = nullptr;  // the type that has this prefix and separator

  // What is known here wins against anything that shape alone suggests.
  double declared_bits(PublicStyle style) const noexcept {
    return declared != nullptr && declared->style == style ? 20 : 0;
  }
};

void add_public(Claim claim, const Prefixed& id, PublicStyle style, Readings& readings) {
  claim.prefix = id.prefix;
  claim.space_bits += id.prefix_bits;
  claim.share_bits -= id.declared_bits(style);
  if (id.declared != nullptr && claim.note.empty()) {
    claim.note = id.declared->style == style
                     ? "prefix of the declared type " + printable(id.declared->name)
                     : "prefix of the declared type " + printable(id.declared->name) +
                           ", whose IDs have the style " + std::string(name_of(id.declared->style));
  }
  readings.add(std::move(claim));
}

void add_public_ulid(const Prefixed& id, PublicStyle style, const Bytes16& bytes,
                     Readings& readings) {
  Claim claim{.kind = Kind::public_id};
  if (style == PublicStyle::checked) claim.spelling = "checked";
  claim.share_bits =
      (style == PublicStyle::checked ? 4 : 0.5) + case_bits(id.body, LetterCase::upper, 8);
  claim.space_bits = 128;
  claim.time = Claim::Time{static_cast<std::int64_t>(detail::load_pair(bytes).hi >> 16), 48, 1};
  claim.bytes.assign(bytes.begin(), bytes.end());
  if (is_bound(bytes)) claim.be_bound();
  add_public(std::move(claim), id, style, readings);
}

void add_type_id(const Prefixed& id, const Bytes16& bytes, Readings& readings) {
  const Uuid uuid{bytes};
  Claim claim{.kind = Kind::type_id};
  claim.share_bits = id.prefix.empty() ? 5 : 0;
  claim.bytes.assign(bytes.begin(), bytes.end());
  const auto time_ms = static_cast<std::int64_t>(detail::load_pair(bytes).hi >> 16);
  if (is_bound(bytes)) {
    claim.be_bound();
  } else if (uuid.version() == 7u) {
    claim.space_bits = 122;
    claim.time = uuid_time(uuid);
    claim.note = draft_note(uuid, readings);
  } else {
    // TypeID allows any 128 bits but makes version 7 only; the next best guess is a ULID.
    claim.share_bits += 6;
    claim.space_bits = 128;
    claim.note = "payload is not a UUIDv7";
    if (readings.in_window(Kind::ulid, time_ms)) {
      claim.space_bits = 80 + readings.window_bits(Kind::ulid, 1);
      claim.note += "; as a ULID it is from " + time_text(time_ms).to_string().substr(0, 10);
    }
  }
  add_public(std::move(claim), id, PublicStyle::type_id, readings);
}

void add_base36(const Prefixed& id, const Bytes16& bytes, Readings& readings) {
  const Uuid uuid{bytes};
  Claim claim{.kind = Kind::base36_uuid_v7};
  claim.bytes.assign(bytes.begin(), bytes.end());
  claim.share_bits = case_bits(id.body, LetterCase::lower, 6);
  claim.space_bits = 122;
  if (uuid.version() == 7u) {
    claim.time = uuid_time(uuid);
    if (id.body.size() < base36::kTextSize) claim.note = "not padded, so such IDs do not sort";
  } else {
    claim.kind = Kind::base36_uuid;
    claim.space_bits = uuid_space_bits(uuid_kind(uuid));
    claim.note = "payload is not a UUIDv7 but a " + std::string(row_of(uuid_kind(uuid)).name);
  }
  add_public(std::move(claim), id, PublicStyle::base36, readings);
}

void read_body(const Prefixed& id, Readings& readings) {
  if (!id.prefix.empty()) {
    for (const PublicStyle style : {PublicStyle::ulid, PublicStyle::checked}) {
      if (const auto bytes = public_id::parse_body(id.prefix, id.body, style)) {
        add_public_ulid(id, style, *bytes, readings);
      }
    }
    if (const auto bytes = parse_base36_number(id.body)) add_base36(id, *bytes, readings);
  }
  if (const auto bytes = public_id::parse_body(id.prefix, id.body, PublicStyle::type_id)) {
    add_type_id(id, *bytes, readings);
  }
}

// AIP-122 wants plurals.
bool is_plural(std::string_view word) noexcept {
  constexpr std::array<std::string_view, 8> kIrregular = {
      "people", "children", "media", "data", "criteria", "men", "women", "equipment"};
  return word.ends_with('s') ||
         std::find(kIrregular.begin(), kIrregular.end(), word) != kIrregular.end();
}

}  // namespace

void read_prefixed(std::string_view text, const TypeTable* types, Readings& readings) {
  if (text.size() == base32::kLeftTextSize) read_body({.prefix = {}, .body = text}, readings);

  for (const char separator : {'_', '-', '.', ':', '~'}) {
    const std::size_t end = text.rfind(separator);
    if (end == std::string_view::npos) continue;
    Prefixed id{.prefix = text.substr(0, end), .body = text.substr(end + 1)};
    if (prefix_fault(id.prefix)) continue;
    if (types != nullptr) id.declared = types->find_by_prefix(id.prefix);
    if (id.declared != nullptr && id.declared->separator != separator) id.declared = nullptr;
    // Other separators are for those who declare them.
    if (separator != kDefaultSeparator && id.declared == nullptr) continue;
    id.prefix_bits = word_bits(id.prefix);
    read_body(id, readings);
  }
}

void read_checked(std::string_view text, Readings& readings) {
  const auto add = [&](const Result<RandomId, ParseError>& id, CheckCount check) {
    if (!id) return;
    const unsigned bits = id->bits();
    const bool named = std::find(RandomId::kNamedBits.begin(), RandomId::kNamedBits.end(), bits) !=
                       RandomId::kNamedBits.end();
    Claim claim{.kind = Kind::crockford_check};
    // Any size can be had, but few are used, and short ones hardly ever.
    claim.share_bits = named ? 3 : bits >= 40 ? 7 : 16;
    if (check != check_count_for(bits)) claim.share_bits += check == CheckCount::one ? 1 : 8;
    claim.share_bits += case_bits(text, LetterCase::upper, 4);
    if (text.find('-') != std::string_view::npos) claim.share_bits += 3;
    if (text.find_first_of("ILOilo") != std::string_view::npos) claim.share_bits += 6;
    claim.space_bits = bits;
    claim.bytes.assign(id->bytes().begin(), id->bytes().end());
    claim.note = "the check fits: " + std::to_string(bits) + " bits and " +
                 std::to_string(static_cast<int>(check)) +
                 (check == CheckCount::one ? " check symbol" : " check symbols");
    readings.add(std::move(claim));
  };
  for (const CheckCount check : {CheckCount::one, CheckCount::two, CheckCount::three}) {
    add(RandomId::parse(text, check), check);
  }
  // The one named size that is not whole bytes.
  add(RandomId::parse(text, 60, CheckCount::one), CheckCount::one);
}

bool has_failed_check(std::string_view id) noexcept {
  constexpr std::size_t kSizeMin = 8;
  // Only here can a check symbol be told from a digit.
  if (id.size() < kSizeMin || std::string_view("*~$=").find(id.back()) == std::string_view::npos) {
    return false;
  }
  const std::string_view digits = id.substr(0, id.size() - 1);
  const bool looks_checked = std::all_of(digits.begin(), digits.end(), [](char c) {
    return c == '-' || detail::digit_of(detail::kCrockfordFriendly, c) != detail::kNotADigit;
  });
  return looks_checked && !RandomId::parse(id) && !RandomId::parse(id, 60);
}

void read_resource_name(std::string_view text, Readings& readings) {
  const auto name = ResourceName::parse_full(text);
  if (!name) return;
  Claim claim{.kind = Kind::resource_name};
  for (const auto& [collection, id] : name->parts()) {
    if (has_failed_check(id)) return;
    claim.space_bits += 1 + word_bits(collection) + plain_bits(id);
    if (!is_plural(collection)) claim.share_bits += 10;
  }
  if (!name->service().empty()) claim.space_bits += 3 + word_bits(name->service());
  readings.add(std::move(claim));
}

}  // namespace tessera::detection
