// The functions of c.h that go by the name of a kind, over what the program is made of.
//
// Some of them use strings while they work. When there is no memory for those, the standard
// library throws: this file is compiled with exceptions, so that none leaves it.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tessera/c.h"
#include "tessera/convert.h"
#include "tessera/explain.h"
#include "tessera/inspect.h"
#include "tessera/kind.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/odds.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/range.h"
#include "tessera/snowflake.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"
#include "tessera/verdict.h"

namespace {

using tessera::Bytes16;
using tessera::CheckCount;
using tessera::Kind;
using tessera::Ksuid;
using tessera::ObjectId;
using tessera::ParseError;
using tessera::PublicStyle;
using tessera::RandomId;
using tessera::Snowflake;
using tessera::SnowflakeLayout;
using tessera::Ulid;
using tessera::Uuid;

template <class Work>
int guarded(Work work) noexcept {
#ifdef __cpp_exceptions
  try {
    return work();
  } catch (...) {
    return TESSERA_NO_MEMORY;
  }
#else  // WebAssembly: a module whose memory is at its end stops
  return work();
#endif
}

int code_of(const ParseError& error, std::uint32_t* offset) noexcept {
  if (offset != nullptr) *offset = error.offset;
  return 1 + static_cast<int>(error.code);
}

int give(std::string_view text, char* out, std::size_t capacity, std::size_t* size) noexcept {
  *size = text.size();
  if (text.size() > capacity) return TESSERA_BUFFER_TOO_SMALL;
  std::ranges::copy(text, out);
  return TESSERA_OK;
}

// What a name stands for.
struct What {
  std::string_view kind;                    // of a prefix: "public"
  std::string_view prefix = {};             // "ord"
  std::optional<PublicStyle> style = {};    // of a prefix
  const SnowflakeLayout* layout = nullptr;  // of a snowflake
  std::optional<unsigned> version = {};     // of a UUID, where one is asked for
};

constexpr std::string_view kSnowflake = "snowflake";

std::optional<What> what_of(std::string_view name) noexcept {
  for (const std::string_view plain : {"ulid", "uuid", "objectid", "ksuid", "random", "public",
                                       "typeid", "short", "long", "name"}) {
    if (name == plain) return What{.kind = plain};
  }
  if (name.starts_with(kSnowflake)) {
    const std::string_view rest = name.substr(kSnowflake.size());
    std::string_view layout = rest.empty() ? "twitter" : rest.substr(1);
    if (layout == "sony") layout = "sonyflake";
    const SnowflakeLayout* found = tessera::find_snowflake_layout(layout);
    if (found != nullptr && (rest.empty() || rest[0] == '-')) {
      return What{.kind = kSnowflake, .layout = found};
    }
  }
  if (const auto kind = tessera::kind_of(name); kind && name.starts_with("uuid")) {
    return What{.kind = "uuid", .version = static_cast<unsigned>(name.back() - '0')};
  }
  const std::size_t colon = name.find(':');
  const std::string_view prefix = name.substr(0, colon);
  const auto style = colon == name.npos ? std::optional(PublicStyle::ulid)
                                        : tessera::public_style_of(name.substr(colon + 1));
  if (!style || tessera::prefix_fault(prefix)) return std::nullopt;
  return What{.kind = "public", .prefix = prefix, .style = style};
}

// The bytes of a kind of 16 that a text stands for, strictly.
using Read16 = tessera::Result<Bytes16, ParseError>;

template <class Id>
Read16 bytes_of(const tessera::Result<Id, ParseError>& id) noexcept {
  if (!id) return tessera::Failure{id.error()};
  return id->bytes;
}

// The whole of it without a heap: what a CHECK of a column asks for each row.
std::optional<int> check_plainly(const What& what, bool strict, std::string_view text,
                                 std::uint32_t* offset) noexcept {
  const auto answer = [&](const auto& read) {
    return read ? TESSERA_OK : code_of(read.error(), offset);
  };
  if (what.kind == "ulid") return answer(strict ? Ulid::parse(text) : Ulid::parse_friendly(text));
  if (what.kind == "uuid" && !what.version) {
    return answer(strict ? Uuid::parse(text) : Uuid::parse_friendly(text));
  }
  if (what.kind == "objectid") return answer(ObjectId::parse(text));
  if (what.kind == "ksuid") return answer(Ksuid::parse(text));
  if (what.kind == kSnowflake || what.kind == "long") return answer(Snowflake::parse(text));
  if (!what.prefix.empty() && strict) {
    const auto parts = tessera::public_id::parse(text, *what.style);
    if (parts && parts->prefix != what.prefix) {
      return code_of(ParseError{ParseError::Code::prefix_mismatch, 0}, offset);
    }
    return answer(parts);
  }
  return std::nullopt;
}

int check_in_words(const What& what, bool strict, std::string_view text, std::uint32_t* offset) {
  tessera::Question question;
  tessera::ResourceType type;
  question.as = what.kind;
  question.strict = strict;
  question.now_ms = UINT64_MAX;  // no time is too late
  if (what.version) {
    question.version = *what.version;
    question.as = "uuidv" + std::to_string(*what.version);
  }
  if (what.kind == "typeid") question.style = PublicStyle::type_id;
  if (!what.prefix.empty()) {
    type.prefix = what.prefix;
    type.style = *what.style;
    question.type = &type;
  }
  const auto answer = tessera::check(question, text);
  return answer ? TESSERA_OK : code_of(answer.error(), offset);
}

// By the form alone, so that the answer is the same whenever it is asked.
std::string_view kind_by_form(std::string_view text) noexcept {
  if (text.find('_') != text.npos) return "public";
  switch (text.size()) {
    case Ulid::kTextSize: return "ulid";
    case Uuid::kTextSize: return "uuid";
    case ObjectId::kTextSize: return "objectid";
    case Ksuid::kTextSize: return "ksuid";
    default: return {};
  }
}

// Version 2 has a time in it, too, if only to the next seven minutes.
std::optional<std::int64_t> time_of(const Uuid& id) {
  return id.version() == 2u ? explain(id).time_ms : id.time_ms();
}

std::optional<std::int64_t> time_of(const Bytes16& body, PublicStyle style) {
  if (style == PublicStyle::ulid || style == PublicStyle::checked) {
    return static_cast<std::int64_t>(Ulid{body}.time_ms());
  }
  return time_of(Uuid{body});
}

int time_of_public(const What& what, std::string_view text, std::int64_t* time_ms,
                   std::uint32_t* offset) {
  const PublicStyle style = what.kind == "typeid" ? PublicStyle::type_id
                            : what.style          ? *what.style
                                                  : tessera::guess_style(text);
  Read16 body = tessera::Failure{ParseError{}};
  if (what.prefix.empty()) {
    const auto parts = tessera::public_id::parse(text, style);
    if (!parts) return code_of(parts.error(), offset);
    body = parts->body;
  } else {
    body = tessera::public_id::parse_typed(text, what.prefix, style);
    if (!body) return code_of(body.error(), offset);
  }
  const auto time = time_of(*body, style);
  if (!time) return TESSERA_NO_TIME;
  *time_ms = *time;
  return TESSERA_OK;
}

int time_of_text(const What& what, std::string_view text, std::int64_t* time_ms,
                 std::uint32_t* offset) {
  const auto give_time = [&](const auto& id, auto read) {
    if (!id) return code_of(id.error(), offset);
    const std::optional<std::int64_t> time = read(*id);
    if (!time) return int{TESSERA_NO_TIME};
    *time_ms = *time;
    return int{TESSERA_OK};
  };
  if (what.kind == "ulid") {
    return give_time(Ulid::parse(text),
                     [](const Ulid& id) { return static_cast<std::int64_t>(id.time_ms()); });
  }
  if (what.kind == "uuid") {
    return give_time(what.version ? Uuid::parse_version(text, *what.version) : Uuid::parse(text),
                     [](const Uuid& id) { return time_of(id); });
  }
  if (what.kind == "objectid") {
    return give_time(ObjectId::parse(text), [](const ObjectId& id) {
      return static_cast<std::int64_t>(id.time_s()) * 1000;
    });
  }
  if (what.kind == "ksuid") {
    return give_time(Ksuid::parse(text),
                     [](const Ksuid& id) { return static_cast<std::int64_t>(id.time_s()) * 1000; });
  }
  if (what.kind == kSnowflake) {
    return give_time(Snowflake::parse(text), [&](const Snowflake& id) {
      return static_cast<std::int64_t>(id.time_ms(*what.layout));
    });
  }
  if (what.kind == "public" || what.kind == "typeid") {
    return time_of_public(what, text, time_ms, offset);
  }
  return TESSERA_NO_TIME;
}

struct Bounds {
  tessera::Text<TESSERA_TEXT_SIZE_MAX> smallest;
  tessera::Text<TESSERA_TEXT_SIZE_MAX> largest;
};

void put(tessera::Text<TESSERA_TEXT_SIZE_MAX>& out, std::string_view text) noexcept {
  std::ranges::copy(text, out.chars.begin());
  out.size = text.size();
}

template <class Id>
std::optional<Bounds> bounds_of(const std::optional<tessera::IdRange<Id>>& range) noexcept {
  if (!range) return std::nullopt;
  Bounds bounds;
  put(bounds.smallest, range->smallest.text().view());
  put(bounds.largest, range->largest.text().view());
  return bounds;
}

// The bodies of a range, behind their prefix.
template <class Id>
std::optional<Bounds> bounds_of(const std::optional<tessera::IdRange<Id>>& range,
                                const What& what) noexcept {
  if (!range) return std::nullopt;
  Bounds bounds;
  const auto write = [&](const Id& id) {
    return tessera::public_id::write(what.prefix, id.bytes, *what.style);
  };
  put(bounds.smallest, write(range->smallest).view());
  put(bounds.largest, write(range->largest).view());
  return bounds;
}

// Numbers of the same length compare as numbers do.
void fill_with_zeros(Bounds& bounds) noexcept {
  const std::size_t missing = bounds.largest.size - bounds.smallest.size;
  auto& chars = bounds.smallest.chars;
  std::copy_backward(chars.begin(), chars.begin() + bounds.smallest.size,
                     chars.begin() + bounds.largest.size);
  std::fill_n(chars.begin(), missing, '0');
  bounds.smallest.size = bounds.largest.size;
}

int find_bounds(const What& what, std::uint64_t from_ms, std::uint64_t to_ms,
                std::optional<Bounds>& bounds) noexcept {
  if (what.kind == "ulid") {
    bounds = bounds_of(tessera::ulid_range(from_ms, to_ms));
  } else if (what.kind == "uuid" && what.version.value_or(7) == 7) {
    bounds = bounds_of(tessera::uuidv7_range(from_ms, to_ms));
  } else if (what.kind == "uuid" && what.version == 6u) {
    bounds = bounds_of(tessera::uuidv6_range(from_ms, to_ms));
  } else if (what.kind == "objectid") {
    bounds = bounds_of(tessera::objectid_range(from_ms, to_ms));
  } else if (what.kind == "ksuid") {
    bounds = bounds_of(tessera::ksuid_range(from_ms, to_ms));
  } else if (what.kind == kSnowflake) {
    bounds = bounds_of(tessera::snowflake_range(*what.layout, from_ms, to_ms));
    if (bounds) fill_with_zeros(*bounds);
  } else if (what.kind == "public" && what.prefix.empty()) {
    return TESSERA_BAD_ARGUMENT;
  } else if (what.kind == "public" && what.style != PublicStyle::checked) {
    bounds = what.style == PublicStyle::ulid
                 ? bounds_of(tessera::ulid_range(from_ms, to_ms), what)
                 : bounds_of(tessera::uuidv7_range(from_ms, to_ms), what);
  } else {
    return TESSERA_NO_TIME;
  }
  return TESSERA_OK;
}

int code_of(const tessera::Refusal& refusal, std::uint32_t* offset) noexcept {
  if (refusal.error) return code_of(*refusal.error, offset);
  if (refusal.code == "ambiguous") return TESSERA_AMBIGUOUS;
  return refusal.code == "lossy" ? TESSERA_LOSSY : TESSERA_UNKNOWN;
}

int new_random(char* out, std::size_t capacity, std::size_t* size) noexcept {
  return tessera_random_new(120, 1, out, capacity, size);
}

int new_uuid(unsigned version, char* out, std::size_t capacity, std::size_t* size) noexcept {
  std::uint8_t id[16];
  const int made = tessera_uuid_new(version == 8 ? 4 : static_cast<int>(version), id);
  if (made != TESSERA_OK) return made;
  Bytes16 bytes;
  std::ranges::copy(id, bytes.begin());
  const Uuid uuid = version == 8 ? Uuid::custom_v8(bytes) : Uuid{bytes};
  return give(uuid.text().view(), out, capacity, size);
}

template <class Id>
int new_of(char* out, std::size_t capacity, std::size_t* size) noexcept {
  const auto id = Id::generate();
  if (!id) return 65 + static_cast<int>(id.error());
  return give(id->text().view(), out, capacity, size);
}

// The symbols of a public ID of style ulid, in style checked.
int check_public(std::string_view text, unsigned count, char* out, std::uint32_t* offset) noexcept {
  if (count != 0 && count != 2) return TESSERA_BAD_ARGUMENT;
  const auto parts = tessera::public_id::parse(text, PublicStyle::ulid);
  if (!parts) return code_of(parts.error(), offset);
  const auto checked = tessera::public_id::write(parts->prefix, parts->body, PublicStyle::checked);
  std::ranges::copy(checked.view().substr(checked.size - 2), out);
  return TESSERA_OK;
}

// The digits of a random ID, read as one whose check is not looked at.
int check_digits(std::string_view text, unsigned bits, CheckCount count, char* out,
                 std::uint32_t* offset) noexcept {
  const std::size_t digits = text.size() - static_cast<std::size_t>(std::ranges::count(text, '-'));
  if (bits == 0) bits = digits == 12 ? 60 : static_cast<unsigned>(digits * 5 / 8 * 8);
  if (!RandomId::has_size(bits) || tessera::base32::text_size(bits) != digits) {
    return code_of(
        ParseError{ParseError::Code::invalid_length, static_cast<std::uint32_t>(text.size())},
        offset);
  }
  std::array<std::uint8_t, RandomId::kSizeMax> bytes{};
  unsigned at = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '-') continue;
    const std::uint8_t digit =
        tessera::detail::digit_of(tessera::detail::kCrockfordFriendly, text[i]);
    if (digit == tessera::detail::kNotADigit) {
      return code_of(ParseError{ParseError::Code::invalid_character, static_cast<std::uint32_t>(i)},
                     offset);
    }
    for (unsigned bit = 5; bit-- > 0; ++at) {
      const unsigned one = digit >> bit & 1;
      if (at < bits) {
        bytes[at / 8] = static_cast<std::uint8_t>(bytes[at / 8] | one << (7 - at % 8));
      } else if (one != 0) {
        return code_of(ParseError{ParseError::Code::non_canonical, static_cast<std::uint32_t>(i)},
                       offset);
      }
    }
  }
  const auto id = RandomId::from_bytes(std::span(bytes).first((bits + 7) / 8), bits);
  const auto whole = id.text(count);
  std::ranges::copy(whole.view().substr(digits), out);
  return TESSERA_OK;
}

}  // namespace

int tessera_new(const char* what, size_t what_size, char* out, size_t capacity, size_t* size) {
  const auto wanted = what_of({what, what_size});
  if (!wanted) return TESSERA_BAD_ARGUMENT;
  if (wanted->kind == "ulid") return new_of<Ulid>(out, capacity, size);
  if (wanted->kind == "uuid") return new_uuid(wanted->version.value_or(4), out, capacity, size);
  if (wanted->kind == "objectid") return new_of<ObjectId>(out, capacity, size);
  if (wanted->kind == "ksuid") return new_of<Ksuid>(out, capacity, size);
  if (wanted->kind == "random") return new_random(out, capacity, size);
  if (wanted->kind == "typeid") {
    return tessera_public_id_new("", 0, TESSERA_STYLE_TYPEID, out, capacity, size);
  }
  if (wanted->prefix.empty()) return TESSERA_BAD_ARGUMENT;
  return tessera_public_id_new(wanted->prefix.data(), wanted->prefix.size(),
                               static_cast<int>(*wanted->style), out, capacity, size);
}

int tessera_check(const char* what, size_t what_size, int flags, const char* text, size_t size,
                  uint32_t* offset) {
  const auto wanted = what_of({what, what_size});
  if (!wanted || (flags & ~TESSERA_STRICT) != 0) return TESSERA_BAD_ARGUMENT;
  const bool strict = (flags & TESSERA_STRICT) != 0;
  if (const auto plain = check_plainly(*wanted, strict, {text, size}, offset)) return *plain;
  return guarded([&] { return check_in_words(*wanted, strict, {text, size}, offset); });
}

int tessera_check_any(const char* text, size_t size, uint64_t now_ms) {
  return guarded([&] {
    const tessera::Verdict verdict = judge(tessera::Question{.now_ms = now_ms}, {text, size});
    if (verdict.valid()) return int{TESSERA_OK};
    for (int code = TESSERA_INVALID_LENGTH; code <= TESSERA_INVALID_RESOURCE_NAME; ++code) {
      if (verdict.code == tessera_error_name(code)) return code;
    }
    return int{TESSERA_UNKNOWN};
  });
}

int tessera_time_ms(const char* what, size_t what_size, const char* text, size_t size,
                    int64_t* time_ms, uint32_t* offset) {
  const std::string_view asked(what, what_size);
  const std::string_view name = asked.empty() ? kind_by_form({text, size}) : asked;
  if (asked.empty() && name.empty()) return TESSERA_UNKNOWN;
  const auto wanted = what_of(name);
  if (!wanted) return TESSERA_BAD_ARGUMENT;
  return guarded([&] { return time_of_text(*wanted, {text, size}, time_ms, offset); });
}

int tessera_range(const char* what, size_t what_size, uint64_t from_ms, uint64_t to_ms,
                  char smallest[TESSERA_TEXT_SIZE_MAX], char largest[TESSERA_TEXT_SIZE_MAX],
                  size_t* size) {
  const auto wanted = what_of({what, what_size});
  if (!wanted) return TESSERA_BAD_ARGUMENT;
  std::optional<Bounds> bounds;
  if (const int code = find_bounds(*wanted, from_ms, to_ms, bounds); code != TESSERA_OK) {
    return code;
  }
  if (!bounds) return TESSERA_OUT_OF_RANGE;
  std::ranges::copy(bounds->smallest.view(), smallest);
  std::ranges::copy(bounds->largest.view(), largest);
  *size = bounds->largest.size;
  return TESSERA_OK;
}

int tessera_convert(const char* from, size_t from_size, const char* to, size_t to_size,
                    const char* text, size_t text_size, uint64_t now_ms, char* out, size_t capacity,
                    size_t* size, uint32_t* offset) {
  const auto form = tessera::form_of({to, to_size});
  const std::string_view kind(from, from_size);
  if (!form || (!kind.empty() && !tessera::is_convertible(kind))) return TESSERA_BAD_ARGUMENT;
  return guarded([&] {
    tessera::Conversion wish{.to = *form, .now_ms = now_ms};
    if (!kind.empty()) wish.from = kind;
    const auto answer = tessera::convert(wish, {text, text_size});
    if (!answer) return code_of(answer.error(), offset);
    return give(*answer, out, capacity, size);
  });
}

int tessera_checksum(const char* text, size_t size, unsigned bits, unsigned check_count,
                     char out[3], uint32_t* offset) {
  const std::string_view digits(text, size);
  if (digits.find('_') != digits.npos) return check_public(digits, check_count, out, offset);
  if (bits > RandomId::kBitsMax || check_count < 1 || check_count > 3) return TESSERA_BAD_ARGUMENT;
  return check_digits(digits, bits, static_cast<CheckCount>(check_count), out, offset);
}

int tessera_inspect(const char* as, size_t as_size, const char* text, size_t text_size,
                    uint64_t now_ms, char* out, size_t capacity, size_t* size) {
  if (text_size > TESSERA_INSPECT_SIZE_MAX) return TESSERA_INVALID_LENGTH;
  const std::string_view asked(as, as_size);
  const std::string_view kind = asked.empty() ? asked : tessera::detectable_name(asked);
  if (kind.empty() != asked.empty()) return TESSERA_BAD_ARGUMENT;
  return guarded([&] {
    return give(to_json(tessera::inspect({text, text_size}, now_ms, nullptr, kind)), out, capacity,
                size);
  });
}

int tessera_odds(double* bits, double* count, double* probability, char* out, size_t capacity,
                 size_t* size) {
  const bool bits_asked = *bits < 0;
  const bool count_asked = *count < 0;
  const bool probability_asked = *probability < 0;
  if (int{bits_asked} + int{count_asked} + int{probability_asked} != 1) return TESSERA_BAD_ARGUMENT;
  // Written so that what is no number at all is out of range, too.
  if (!bits_asked && !(*bits <= 1000)) return TESSERA_BAD_ARGUMENT;
  if (!count_asked && !(*count >= 1 && std::isfinite(*count))) return TESSERA_BAD_ARGUMENT;
  if (!probability_asked && !(*probability > 0 && *probability <= 1)) return TESSERA_BAD_ARGUMENT;

  const double whole_bits = bits_asked ? std::ceil(tessera::bits_for(*count, *probability)) : *bits;
  const double ids =
      count_asked ? tessera::count_for_probability(whole_bits, *probability) : *count;
  const double odds = tessera::collision_probability(whole_bits, ids);
  return guarded([&] {
    const int code = give(tessera::odds_in_words(odds), out, capacity, size);
    if (code != TESSERA_OK) return code;
    *bits = whole_bits;
    *count = ids;
    *probability = odds;
    return int{TESSERA_OK};
  });
}
