#pragma once

// Identifiers of others: formats that are read to be recognised, and never minted.
//
// Each function answers whether a text has the form, and what is in it. Whether that is
// plausible (a date, a checksum that fits by chance) is for detect to weigh.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/detail/alphabet.h"
#include "tessera/detail/bytes.h"

namespace tessera::foreign {

// Times count from 1970 in milliseconds, whatever the epoch of the format.

// Xid (rs/xid): 20 characters, | seconds 32 | machine 24 | process 16 | counter 24 |.
struct Xid {
  std::array<std::uint8_t, 12> bytes{};

  std::int64_t time_ms() const noexcept {
    return static_cast<std::int64_t>(detail::load_be<4>(bytes.data())) * 1000;
  }
};
std::optional<Xid> parse_xid(std::string_view text) noexcept;

// SCRU64: 12 digits of base 36, | time 38, of 256 ms | node and counter 24 |.
std::optional<std::uint64_t> parse_scru64(std::string_view text) noexcept;
constexpr std::int64_t scru64_time_ms(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>((value >> 24) << 8);
}

// TSID (f4b6a3/tsid-creator): 13 Crockford digits or a number, | time 42 | random 22 |.
inline constexpr std::int64_t kTsidEpochMs = 1'577'836'800'000;  // 2020-01-01
std::optional<std::uint64_t> parse_tsid(std::string_view text) noexcept;
constexpr std::int64_t tsid_time_ms(std::uint64_t value) noexcept {
  return kTsidEpochMs + static_cast<std::int64_t>(value >> 22);
}

// TID (AT Protocol): 13 digits 2-7 a-z that sort, | 0 | microseconds 53 | clock 10 |. The
// syntax allows the top bit to be set.
std::optional<std::uint64_t> parse_tid(std::string_view text) noexcept;
constexpr std::int64_t tid_time_ms(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>((value >> 10) / 1000);
}

// Push ID (Firebase): 8 characters of milliseconds, 12 of random, 6 bits each.
struct PushId {
  std::array<std::uint8_t, 15> bytes{};

  std::int64_t time_ms() const noexcept {
    return static_cast<std::int64_t>(detail::load_be<6>(bytes.data()));
  }
};
std::optional<PushId> parse_push_id(std::string_view text) noexcept;

// CUID, first version: c, then base 36: milliseconds 8, counter 4, fingerprint 4, random 8.
// The answer is the time.
std::optional<std::int64_t> parse_cuid1(std::string_view text) noexcept;

bool is_cuid2(std::string_view text) noexcept;    // 24 of 0-9 a-z, the first a letter
bool is_nano_id(std::string_view text) noexcept;  // 21 of the URL alphabet
bool is_youtube(std::string_view text) noexcept;  // 64 bits in 11 of base64url

// Sqids with the alphabet that is the default: the numbers, if encoding them again gives
// `text`. A Sqid that was changed to avoid a bad word is not recognised.
std::optional<std::vector<std::uint64_t>> parse_sqids(std::string_view text);

// OrderlyID: <prefix>_<32 Crockford digits>[-<4 check digits>],
// | ms since 2020: 48 | flags 8 | tenant 16 | sequence 12 | shard 16 | random 60 |.
struct OrderlyId {
  std::string_view prefix;
  std::array<std::uint8_t, 20> bytes{};
  std::string_view check;             // as written; empty if there is none
  std::array<char, 4> right_check{};  // as it should be

  bool check_fits() const noexcept;  // also if there is none
  unsigned wire_version() const noexcept { return bytes[6] >> 6; }
  std::int64_t time_ms() const noexcept {
    return kTsidEpochMs + static_cast<std::int64_t>(detail::load_be<6>(bytes.data()));
  }
};
std::optional<OrderlyId> parse_orderly_id(std::string_view text) noexcept;

// Stripe: one of its prefixes, then letters and digits. The answer is the prefix, without
// the underscore behind it.
std::optional<std::string_view> stripe_prefix(std::string_view text) noexcept;
std::size_t stripe_prefix_count() noexcept;

// Sixteen bytes in alphabets that Tessera does not write.
std::optional<detail::Bytes16> parse_base57(std::string_view text) noexcept;  // shortuuid
std::optional<detail::Bytes16> parse_flickr58(std::string_view text) noexcept;
std::optional<detail::Bytes16> parse_bitcoin58(std::string_view text) noexcept;
// 26 digits, spare bits at the end.
enum class Base32 : std::uint8_t { rfc4648, hex, crockford };
std::optional<detail::Bytes16> parse_base32_right(std::string_view text, Base32 base) noexcept;
// 22 characters, or 24 with == at the end; + / or - _.
std::optional<detail::Bytes16> parse_base64(std::string_view text) noexcept;

}  // namespace tessera::foreign
