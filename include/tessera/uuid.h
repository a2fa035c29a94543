#pragma once

// Uuid: the 128-bit identifier of RFC 9562, in every version and variant.
//
//    v1  | time low 32 | mid 16 | 1 | high 12 | var | clock seq 14 | node 48 |
//    v6  | time high 32 | mid 16 | 6 | low 12 | var | clock seq 14 | node 48 |
//    v7  | unix ms 48          | 7 | rand_a 12 | var | rand_b 62             |
//    v4  | random 48           | 4 | random 12 | var | random 62             |
//    v3, v5  MD5 and SHA-1 of a namespace and a name;  v8  whatever you put in
//
// Text is 36 characters, lower case when written. Order of values = order of bytes =
// order of text. Versions 6 and 7 sort by time; version 1 does not.

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "tessera/codec.h"
#include "tessera/detail/bytes.h"
#include "tessera/detail/literal.h"
#include "tessera/generator.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/text.h"

namespace tessera {

struct Uuid {
  static constexpr std::size_t kSize = 16;
  static constexpr std::size_t kTextSize = 36;
  static constexpr std::uint64_t kTimeMsMax = 0xFFFF'FFFF'FFFF;  // of version 7: 10889-08-02
  // From 1582-10-15, where versions 1 and 6 begin, to 1970-01-01.
  static constexpr std::uint64_t kGregorianOffset100ns = 0x01B2'1DD2'1381'4000;

  enum class Variant : std::uint8_t { ncs, rfc9562, microsoft, future };

  std::array<std::uint8_t, kSize> bytes{};

  // The 36 characters of RFC 9562, either case, and nothing else. Any version and variant.
  static constexpr Result<Uuid, ParseError> parse(std::string_view text) noexcept;

  // Also braces, urn:uuid:, and 32 digits without hyphens.
  static constexpr Result<Uuid, ParseError> parse_friendly(std::string_view text) noexcept;

  // As parse(), and the variant must be RFC 9562's and the version this one.
  static constexpr Result<Uuid, ParseError> parse_version(std::string_view text,
                                                          unsigned version) noexcept;

  static constexpr Uuid nil() noexcept { return {}; }
  static constexpr Uuid max() noexcept {
    return {detail::store_pair({~std::uint64_t{0}, ~std::uint64_t{0}})};
  }

  // The smallest and the largest version 7 of a millisecond; `time_ms` at most kTimeMsMax.
  static constexpr Uuid smallest_v7(std::uint64_t time_ms) noexcept {
    return {detail::store_pair({time_ms << 16 | 0x7000, std::uint64_t{2} << 62})};
  }
  static constexpr Uuid largest_v7(std::uint64_t time_ms) noexcept {
    return {detail::store_pair(
        {time_ms << 16 | 0x7FFF, ~std::uint64_t{0} >> 2 | std::uint64_t{2} << 62})};
  }

  // New ones. v1, v6 and v7: above every other of its version that this process has made
  // so, in order of time. The node of v1 and v6 is random: no UUID tells your hardware
  // address. Thread-safe, fork-safe.
  static Result<Uuid, MintError> generate_v1() noexcept;
  static Result<Uuid, MintError> generate_v4() noexcept;
  static Result<Uuid, MintError> generate_v6() noexcept;
  static Result<Uuid, MintError> generate_v7() noexcept;
  // Fill all of `out`, in order; on failure none of it may be used.
  static Result<std::size_t, MintError> generate_v1(std::span<Uuid> out) noexcept;
  static Result<std::size_t, MintError> generate_v4(std::span<Uuid> out) noexcept;
  static Result<std::size_t, MintError> generate_v6(std::span<Uuid> out) noexcept;
  static Result<std::size_t, MintError> generate_v7(std::span<Uuid> out) noexcept;

  // The same namespace and name give the same UUID, for ever.
  static Uuid name_v3(const Uuid& name_space, std::string_view name) noexcept;
  static Uuid name_v5(const Uuid& name_space, std::string_view name) noexcept;

  // Your 122 bits; the six bits of version and variant are overwritten.
  static constexpr Uuid custom_v8(std::array<std::uint8_t, kSize> bytes) noexcept {
    return stamped(detail::load_pair(bytes), 8);
  }

  constexpr void write_text(std::span<char, kTextSize> out) const noexcept;
  constexpr Text<kTextSize> text() const noexcept {
    Text<kTextSize> text{.size = kTextSize};
    write_text(text.chars);
    return text;
  }
  std::string to_string() const { return text().to_string(); }

  constexpr Variant variant() const noexcept {
    const std::uint8_t high = bytes[8];
    if (high < 0x80) return Variant::ncs;
    if (high < 0xC0) return Variant::rfc9562;
    return high < 0xE0 ? Variant::microsoft : Variant::future;
  }
  // 0 to 15 for RFC 9562's variant; the others have no version.
  constexpr std::optional<unsigned> version() const noexcept {
    if (variant() != Variant::rfc9562) return std::nullopt;
    return bytes[6] >> 4;
  }
  constexpr bool is_nil() const noexcept { return *this == nil(); }
  constexpr bool is_max() const noexcept { return *this == max(); }

  // Since 1582-10-15, of versions 1 and 6.
  constexpr std::optional<std::uint64_t> time_100ns() const noexcept;
  // Since 1970; versions 1, 6 and 7 have one. Negative before 1970 (versions 1 and 6).
  constexpr std::optional<std::int64_t> time_ms() const noexcept;

  // The same moment and node in the layout of the other one of versions 1 and 6.
  constexpr std::optional<Uuid> v1_to_v6() const noexcept;
  constexpr std::optional<Uuid> v6_to_v1() const noexcept;

  friend constexpr bool operator==(const Uuid& a, const Uuid& b) noexcept {
    return detail::load_pair(a.bytes) == detail::load_pair(b.bytes);
  }
  friend constexpr std::strong_ordering operator<=>(const Uuid& a, const Uuid& b) noexcept {
    return detail::load_pair(a.bytes) <=> detail::load_pair(b.bytes);
  }

  // `pair` with version and variant written over it.
  static constexpr Uuid stamped(detail::Pair64 pair, unsigned version) noexcept {
    pair.hi = (pair.hi & ~std::uint64_t{0xF000}) | std::uint64_t{version} << 12;
    pair.lo = pair.lo << 2 >> 2 | std::uint64_t{2} << 62;
    return {detail::store_pair(pair)};
  }
};

// The namespaces of RFC 9562, section 6.6.
namespace uuid_namespace {
inline constexpr Uuid kDns{{0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0,
                            0x4f, 0xd4, 0x30, 0xc8}};
inline constexpr Uuid kUrl{{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0,
                            0x4f, 0xd4, 0x30, 0xc8}};
inline constexpr Uuid kOid{{0x6b, 0xa7, 0xb8, 0x12, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0,
                            0x4f, 0xd4, 0x30, 0xc8}};
inline constexpr Uuid kX500{{0x6b, 0xa7, 0xb8, 0x14, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0,
                             0x4f, 0xd4, 0x30, 0xc8}};
}  // namespace uuid_namespace

namespace detail {

// Where in the 36 characters the two digits of each byte stand.
inline constexpr std::array<std::uint8_t, 16> kUuidDigitAt = {0,  2,  4,  6,  9,  11, 14, 16,
                                                              19, 21, 24, 26, 28, 30, 32, 34};

constexpr bool is_uuid_hyphen(std::size_t offset) noexcept {
  return offset == 8 || offset == 13 || offset == 18 || offset == 23;
}

// Says where 36 characters go wrong. Called only when something is known to be wrong.
constexpr ParseError uuid_error(std::string_view text) noexcept {
  std::uint32_t offset = 0;
  while (is_uuid_hyphen(offset) ? text[offset] == '-'
                                : digit_of(kHexDigits, text[offset]) != kNotADigit) {
    ++offset;
  }
  return {ParseError::Code::invalid_character, offset};
}

// Both side by side, as hex::write_side_by_side() does it.
inline void write_uuid_text(const std::uint8_t* bytes, char* out) noexcept {
  hex::internal::Lanes all;
  __builtin_memcpy(&all, bytes, 16);
  const auto [front, back] = hex::internal::digits_of(all);
  const std::uint64_t second = reinterpret_cast<hex::internal::Words>(front)[1];
  const std::uint64_t third = reinterpret_cast<hex::internal::Words>(back)[0];
  // The later piece overwrites what the one before has too much.
  __builtin_memcpy(out, &front, 16);
  __builtin_memcpy(out + 9, &second, 4);
  __builtin_memcpy(out + 14, reinterpret_cast<const char*>(&second) + 4, 4);
  __builtin_memcpy(out + 20, &back, 16);
  __builtin_memcpy(out + 19, &third, 4);
  out[8] = out[13] = out[18] = out[23] = '-';
}

[[nodiscard]] inline bool read_uuid_text(const char* text, std::uint8_t* out) noexcept {
  using hex::internal::load_text;
  constexpr std::uint64_t kHyphen = '-';
  const std::uint64_t at_8 = (load_text(text + 8) & 0xFF00'0000'00FF) ^ (kHyphen | kHyphen << 40);
  const std::uint64_t at_16 =
      (load_text(text + 16) & 0xFF00'0000'00FF'0000) ^ (kHyphen << 16 | kHyphen << 56);
  const bool hyphens = (at_8 | at_16) == 0;
#if defined(__SSE2__)
  const auto eight = [&](std::size_t at) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(text + at));
  };
  const auto two_fours = [&](std::size_t a, std::size_t b) {
    return _mm_unpacklo_epi32(_mm_cvtsi32_si128(static_cast<int>(load_text<4>(text + a))),
                              _mm_cvtsi32_si128(static_cast<int>(load_text<4>(text + b))));
  };
  return hex::internal::parse_halves(_mm_unpacklo_epi64(eight(0), two_fours(9, 14)),
                                     _mm_unpacklo_epi64(two_fours(19, 24), eight(28)), out) &&
         hyphens;
#else
  return hex::internal::parse_words(
             load_text(text), load_text<4>(text + 9) | load_text<4>(text + 14) << 32,
             load_text<4>(text + 19) | load_text<4>(text + 24) << 32, load_text(text + 28), out) &&
         hyphens;
#endif
}

}  // namespace detail

constexpr void Uuid::write_text(std::span<char, kTextSize> out) const noexcept {
  if (!std::is_constant_evaluated()) return detail::write_uuid_text(bytes.data(), out.data());
  std::array<char, hex::kTextSize> digits{};
  hex::write(bytes, std::span(digits));
  const char* from = digits.data();
  char* to = out.data();
  std::copy_n(from, 8, to);
  std::copy_n(from + 8, 4, to + 9);
  std::copy_n(from + 12, 4, to + 14);
  std::copy_n(from + 16, 4, to + 19);
  std::copy_n(from + 20, 12, to + 24);
  out[8] = out[13] = out[18] = out[23] = '-';
}

constexpr Result<Uuid, ParseError> Uuid::parse(std::string_view text) noexcept {
  if (text.size() != kTextSize) {
    return detail::parse_failure(ParseError::Code::invalid_length, text.size());
  }
  Uuid id;
  if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
    if (detail::read_uuid_text(text.data(), id.bytes.data())) [[likely]] {
      return id;
    }
    return Failure{detail::uuid_error(text)};
  }
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    const std::size_t at = detail::kUuidDigitAt[i];
    const std::uint8_t high = detail::digit_of(detail::kHexDigits, text[at]);
    const std::uint8_t low = detail::digit_of(detail::kHexDigits, text[at + 1]);
    seen |= high | low;
    id.bytes[i] = static_cast<std::uint8_t>(high << 4 | (low & 15));
  }
  const bool hyphens = text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-';
  if (seen > 15 || !hyphens) return Failure{detail::uuid_error(text)};
  return id;
}

constexpr Result<Uuid, ParseError> Uuid::parse_friendly(std::string_view text) noexcept {
  constexpr std::string_view kUrn = "urn:uuid:";
  constexpr std::size_t kFriendlySizeMax = kUrn.size() + kTextSize;
  if (text.size() > kFriendlySizeMax) {
    return detail::parse_failure(ParseError::Code::invalid_length, text.size());
  }
  std::string_view body = text;
  if (body.size() == kFriendlySizeMax) {
    for (std::size_t i = 0; i < kUrn.size(); ++i) {
      const char c =
          body[i] >= 'A' && body[i] <= 'Z' ? static_cast<char>(body[i] - 'A' + 'a') : body[i];
      if (c != kUrn[i]) return detail::parse_failure(ParseError::Code::invalid_character, i);
    }
    body.remove_prefix(kUrn.size());
  } else if (body.size() >= 2 && body.front() == '{' && body.back() == '}') {
    body = body.substr(1, body.size() - 2);
  }
  const auto shift = static_cast<std::uint32_t>(body.data() - text.data());

  if (body.size() == kTextSize) {
    const auto id = parse(body);
    if (id) return id;
    return detail::parse_failure(id.error().code, id.error().offset + shift);
  }
  std::size_t digits = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (detail::digit_of(detail::kHexDigits, body[i]) != detail::kNotADigit) {
      ++digits;
    } else if (body[i] != '-') {
      return detail::parse_failure(ParseError::Code::invalid_character, i + shift);
    }
  }
  if (digits != hex::kTextSize) {
    return detail::parse_failure(ParseError::Code::invalid_length, text.size());
  }
  if (body.size() != hex::kTextSize) {  // 32 digits, hyphens in places of their own
    std::size_t hyphen = 0;
    while (body[hyphen] != '-') ++hyphen;
    return detail::parse_failure(ParseError::Code::non_canonical, hyphen + shift);
  }
  return Uuid{*hex::parse(body)};
}

constexpr Result<Uuid, ParseError> Uuid::parse_version(std::string_view text,
                                                       unsigned version) noexcept {
  const auto id = parse(text);
  if (!id) return id;
  if (id->is_nil() || id->is_max()) {
    return detail::parse_failure(ParseError::Code::reserved_value, 0);
  }
  if (id->variant() != Variant::rfc9562) {
    return detail::parse_failure(ParseError::Code::invalid_variant, 19);
  }
  if (id->version() != version) {
    return detail::parse_failure(ParseError::Code::invalid_version, 14);
  }
  return id;
}

constexpr std::optional<std::uint64_t> Uuid::time_100ns() const noexcept {
  const std::uint64_t hi = detail::load_pair(bytes).hi;
  if (version() == 1u) return (hi & 0xFFF) << 48 | (hi >> 16 & 0xFFFF) << 32 | hi >> 32;
  if (version() == 6u) return hi >> 16 << 12 | (hi & 0xFFF);
  return std::nullopt;
}

constexpr std::optional<std::int64_t> Uuid::time_ms() const noexcept {
  if (version() == 7u) return static_cast<std::int64_t>(detail::load_pair(bytes).hi >> 16);
  const auto time = time_100ns();
  if (!time) return std::nullopt;
  const auto since_1970 =
      static_cast<std::int64_t>(*time) - static_cast<std::int64_t>(kGregorianOffset100ns);
  // Rounded down, also before 1970.
  return since_1970 >= 0 ? since_1970 / 10'000 : -((-since_1970 + 9'999) / 10'000);
}

constexpr std::optional<Uuid> Uuid::v1_to_v6() const noexcept {
  const auto time = time_100ns();
  if (version() != 1u || !time) return std::nullopt;
  return stamped({*time >> 12 << 16 | (*time & 0xFFF), detail::load_pair(bytes).lo}, 6);
}

constexpr std::optional<Uuid> Uuid::v6_to_v1() const noexcept {
  const auto time = time_100ns();
  if (version() != 6u || !time) return std::nullopt;
  const std::uint64_t hi = *time << 32 | (*time >> 32 & 0xFFFF) << 16 | *time >> 48;
  return stamped({hi, detail::load_pair(bytes).lo}, 1);
}

// The texts of `ids`, each followed by `separator`: 37 characters an ID.
void write_texts(std::span<const Uuid> ids, char separator, std::span<char> out) noexcept;

// Reads each text as Uuid::parse() does, with an answer for each; says how many are good. `out` is
// at least as long as `texts`.
std::size_t parse_texts(std::span<const std::string_view> texts,
                        std::span<Result<Uuid, ParseError>> out) noexcept;

// How a Generator makes UUIDs of version 7: the tick fills the time and rand_a, and the
// top four bits of rand_b.
struct Uuidv7Mint {
  using Id = Uuid;
  static constexpr unsigned kCountBits = 16;
  static constexpr std::size_t kRandomSize = 8;
  static constexpr std::size_t kStartSize = 2;

  template <class C>
  static bool read(C& clock, std::uint64_t& time) noexcept {
    time = clock.now_ms();
    return true;
  }
  static constexpr Uuid make(std::uint64_t tick, const std::uint8_t* random) noexcept {
    const std::uint64_t hi = tick >> 16 << 16 | 0x7000 | (tick >> 4 & 0xFFF);
    const std::uint64_t lo =
        std::uint64_t{2} << 62 | (tick & 15) << 58 | detail::load_be<8>(random) >> 6;
    return {detail::store_pair({hi, lo})};
  }
};

// Versions 1 and 6: 60 bits of time, four of the clock sequence as count; the rest of the
// clock sequence and the node are random, with the bit set that no hardware address has.
struct GregorianMint {
  static constexpr unsigned kCountBits = 4;
  static constexpr std::size_t kRandomSize = 8;
  static constexpr std::size_t kStartSize = 1;

  template <class C>
  static bool read(C& clock, std::uint64_t& time) noexcept {
    const std::uint64_t now = clock.now_100ns();
    time = now + Uuid::kGregorianOffset100ns;
    return time >= now;
  }
  static constexpr std::uint64_t low_word(std::uint64_t tick, const std::uint8_t* random) noexcept {
    constexpr std::uint64_t kMulticast = std::uint64_t{1} << 40;
    return std::uint64_t{2} << 62 | (tick & 15) << 58 | detail::load_be<8>(random) >> 6 |
           kMulticast;
  }
};

struct Uuidv6Mint : GregorianMint {
  using Id = Uuid;
  static constexpr Uuid make(std::uint64_t tick, const std::uint8_t* random) noexcept {
    const std::uint64_t time = tick >> kCountBits;
    return Uuid::stamped({time >> 12 << 16 | (time & 0xFFF), low_word(tick, random)}, 6);
  }
};

struct Uuidv1Mint : GregorianMint {
  using Id = Uuid;
  static constexpr Uuid make(std::uint64_t tick, const std::uint8_t* random) noexcept {
    return *Uuidv6Mint::make(tick, random).v6_to_v1();
  }
};

using Uuidv1Generator = Generator<Uuidv1Mint>;
using Uuidv6Generator = Generator<Uuidv6Mint>;
using Uuidv7Generator = Generator<Uuidv7Mint>;

// Version 4: no order, so no state.
class Uuidv4Generator {
 public:
  explicit Uuidv4Generator(Entropy& entropy) noexcept : entropy_(entropy) {}

  Result<Uuid, MintError> next() noexcept {
    Uuid id;
    if (!entropy_.fill(id.bytes)) return Failure{MintError::no_entropy};
    return Uuid::stamped(detail::load_pair(id.bytes), 4);
  }

 private:
  Entropy& entropy_;
};

namespace literals {

// A UUID in the source: one that is malformed does not compile.
consteval Uuid operator""_uuid(const char* text, std::size_t size) {
  const auto id = Uuid::parse({text, size});
  if (!id) detail::malformed_identifier_literal();
  return *id;
}

}  // namespace literals

}  // namespace tessera

template <>
struct std::hash<tessera::Uuid> {
  std::size_t operator()(const tessera::Uuid& id) const noexcept {
    const auto [hi, lo] = tessera::detail::load_pair(id.bytes);
    return static_cast<std::size_t>(lo ^ hi * 0x9E37'79B9'7F4A'7C15);
  }
};
