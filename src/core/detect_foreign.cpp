// The readers of formats that belong to others.

#include <algorithm>
#include <cmath>

#include "core/detect_readings.h"
#include "core/foreign.h"

namespace tessera::detection {
namespace {

std::vector<std::uint8_t> bytes_of(std::uint64_t value) {
  std::vector<std::uint8_t> bytes(8);
  detail::store_be<8>(bytes.data(), value);
  return bytes;
}

void read_timed(std::string_view text, Readings& readings) {
  if (const auto id = foreign::parse_xid(text)) {
    Claim claim{.kind = Kind::xid, .space_bits = 96};
    claim.time = Claim::Time{id->time_ms(), 32, 0.001};
    claim.bytes.assign(id->bytes.begin(), id->bytes.end());
    readings.add(std::move(claim));
  }
  if (const auto id = foreign::parse_push_id(text)) {
    Claim claim{.kind = Kind::push_id, .space_bits = 120};
    claim.time = Claim::Time{id->time_ms(), 48, 1};
    claim.bytes.assign(id->bytes.begin(), id->bytes.end());
    readings.add(std::move(claim));
  }
  if (const auto value = foreign::parse_scru64(text)) {
    Claim claim{.kind = Kind::scru64, .space_bits = 12 * std::log2(36)};
    claim.share_bits = case_bits(text, LetterCase::lower, 5);
    claim.time = Claim::Time{foreign::scru64_time_ms(*value), claim.space_bits - 24, 1.0 / 256};
    claim.bytes = bytes_of(*value);
    readings.add(std::move(claim));
  }
  if (const auto value = foreign::parse_tsid(text)) {
    Claim claim{.kind = Kind::tsid, .space_bits = 64};
    claim.share_bits = 0.5 + case_bits(text, LetterCase::upper, 5);
    claim.time = Claim::Time{foreign::tsid_time_ms(*value), 42, 1};
    claim.bytes = bytes_of(*value);
    readings.add(std::move(claim));
  }
  if (const auto value = foreign::parse_tid(text)) {
    Claim claim{.kind = Kind::tid, .space_bits = 64};
    claim.time = Claim::Time{foreign::tid_time_ms(*value), 54, 1000};
    claim.bytes = bytes_of(*value);
    readings.add(std::move(claim));
  }
  if (const auto time_ms = foreign::parse_cuid1(text)) {
    Claim claim{.kind = Kind::cuid1, .space_bits = 24 * std::log2(36)};
    claim.time = Claim::Time{*time_ms, 8 * std::log2(36), 1};
    readings.add(std::move(claim));
  }
}

void read_sqids(std::string_view text, Readings& readings) {
  const auto numbers = foreign::parse_sqids(text);
  if (!numbers) return;
  // Small numbers and few are what people encode. So a text that decodes to such is one in
  // very many, however long it was filled up; one that decodes to large numbers is any text
  // whose first character happens to fit.
  double numbers_bits = 2;
  for (const std::uint64_t number : *numbers) {
    numbers_bits += 2 + 1.2 * std::log2(static_cast<double>(number) + 1);
  }
  const double text_bits = static_cast<double>(text.size() - 1) * std::log2(62);
  // Not so small that every other word of two letters would pass.
  constexpr double kNumbersBitsMin = 18;
  Claim claim{.kind = Kind::sqids, .share_bits = 5};  // for the smallest length
  claim.space_bits = std::max(std::min(numbers_bits, text_bits), kNumbersBitsMin);
  claim.note = "with the default alphabet it is";
  for (std::size_t i = 0; i < numbers->size() && i < 8; ++i) {
    claim.note += (i == 0 ? " " : ", ") + std::to_string((*numbers)[i]);
  }
  if (numbers->size() > 8) claim.note += ", and more";
  readings.add(std::move(claim));
}

}  // namespace

void read_foreign(std::string_view text, Readings& readings) {
  read_timed(text, readings);
  read_sqids(text, readings);
  if (foreign::is_cuid2(text)) {
    readings.add({.kind = Kind::cuid2, .space_bits = std::log2(26) + 23 * std::log2(36)});
  }
  if (foreign::is_nano_id(text)) readings.add({.kind = Kind::nano_id, .space_bits = 126});
  if (foreign::is_youtube(text)) {
    readings.add({.kind = Kind::youtube,
                  .space_bits = 64,
                  .note = "one in four texts of eleven such characters would do"});
  }
  if (const auto prefix = foreign::stripe_prefix(text)) {
    const std::size_t size = text.size() - prefix->size() - 1;
    Claim claim{.kind = Kind::stripe, .prefix = std::string(*prefix)};
    claim.share_bits = size == 14 || size == 16 || size == 24 ? 2 : 6;
    claim.space_bits = std::log2(static_cast<double>(foreign::stripe_prefix_count())) +
                       static_cast<double>(size) * std::log2(62);
    readings.add(std::move(claim));
  }
  if (const auto id = foreign::parse_orderly_id(text);
      id && id->check_fits() && id->wire_version() == 0) {
    Claim claim{.kind = Kind::orderly_id, .prefix = std::string(id->prefix)};
    claim.share_bits = 1 + case_bits(text.substr(id->prefix.size()), LetterCase::lower, 5);
    claim.space_bits = 158 + word_bits(id->prefix);
    claim.time = Claim::Time{id->time_ms(), 48, 1};
    claim.bytes.assign(id->bytes.begin(), id->bytes.end());
    if (!id->check.empty()) claim.note = "the check fits";
    readings.add(std::move(claim));
  }
}

}  // namespace tessera::detection
