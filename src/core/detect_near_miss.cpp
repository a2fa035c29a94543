// Near misses: texts that are no identifier, but one change away from one.

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/detect_readings.h"
#include "core/foreign.h"
#include "tessera/base32.h"
#include "tessera/codec.h"
#include "tessera/ksuid.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/resource_name.h"

namespace tessera::detection {
namespace {

using Code = ParseError::Code;
using Misses = std::vector<NearMiss>;

constexpr std::size_t kCountMax = 5;

bool all_in(std::string_view text, const detail::DigitTable& table) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return detail::digit_of(table, c) != detail::kNotADigit; });
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string of_size(std::size_t found, std::size_t wanted, std::string_view what) {
  return std::to_string(found) + " of " + std::to_string(wanted) + ' ' + std::string(what);
}

// A public ID in style `checked` that differs from `text` by two neighbours in each other's place,
// or else by one character. Empty if there is none, or if there are several: none is likelier.
std::string checked_correction(std::string_view text, std::size_t body) {
  std::string candidate(text);
  std::vector<std::string> found;
  const auto try_it = [&] {
    if (public_id::parse(candidate, PublicStyle::checked)) found.push_back(candidate);
  };
  for (std::size_t i = body; i + 1 < text.size(); ++i) {
    if (text[i] == text[i + 1]) continue;
    std::swap(candidate[i], candidate[i + 1]);
    try_it();
    std::swap(candidate[i], candidate[i + 1]);
  }
  for (std::size_t i = body; found.empty() && i < text.size(); ++i) {
    for (const char symbol : detail::kCrockford) {
      candidate[i] = symbol;
      if (symbol != text[i]) try_it();
    }
    candidate[i] = text[i];
  }
  return found.size() == 1 ? found.front() : std::string();
}

// 26 digits of base32, behind a prefix or alone: ulid, typeid, public-id.
void add_base32(std::string_view text, Misses& misses) {
  const std::size_t end = text.rfind('_');
  const bool prefixed = end != std::string_view::npos;
  const std::string_view prefix = prefixed ? text.substr(0, end) : std::string_view{};
  const std::string_view body = prefixed ? text.substr(end + 1) : text;
  const LetterCase letters = letter_case(body);
  const std::string_view kind = !prefixed                      ? "ulid"
                                : letters == LetterCase::lower ? "typeid"
                                                               : "public-id";
  const std::string small = lowered(prefix);
  const bool good_prefix = !prefixed || !prefix_fault(small);

  if (base32::parse_left(body)) {
    if (!good_prefix) {
      misses.push_back({kind,
                        Code::invalid_prefix,
                        "a prefix is of a-z and _, and begins and ends with a letter",
                        {}});
    } else if (small != prefix) {
      misses.push_back({kind, Code::invalid_prefix, "a prefix is in lower case",
                        small + '_' + std::string(body)});
    }
    return;
  }
  if (!good_prefix) return;
  if (all_in(body, detail::kCrockfordDigits)) {
    constexpr std::size_t kSize = base32::kLeftTextSize;
    if (body.size() == kSize) {
      misses.push_back({kind, Code::overflow, "the first of 26 characters is at most 7", {}});
      return;
    }
    const bool looks_checked = prefixed && small == prefix && letters == LetterCase::upper &&
                               body.size() == public_id::body_size(PublicStyle::checked) &&
                               base32::parse_left(body.substr(0, kSize));
    if (looks_checked) {
      misses.push_back({kind, Code::bad_check, "mistyped: its two check symbols do not fit",
                        checked_correction(text, end + 1)});
      return;
    }
    // Alone, nothing but its beginning says that it wants to be a ULID.
    const bool likely = prefixed ? body.size() >= 16 && body.size() <= 40
                                 : body.size() >= 22 && body.size() <= 30 && body[0] == '0' &&
                                       !all_in(body, detail::kHexDigits);
    if (likely) {
      misses.push_back({kind, Code::invalid_length, of_size(body.size(), kSize, "characters"), {}});
    }
    return;
  }

  std::string mended;
  for (const char c : body) {
    if (c == '-') continue;
    const std::uint8_t digit = detail::digit_of(detail::kCrockfordFriendly, c);
    if (digit == detail::kNotADigit || mended.size() == base32::kLeftTextSize) return;
    mended += (letters == LetterCase::lower ? detail::kCrockfordLower : detail::kCrockford)[digit];
  }
  if (!base32::parse_left(mended)) return;
  misses.push_back({kind, Code::invalid_character,
                    "I and L are read as 1, O as 0, hyphens not at all",
                    prefixed ? small + '_' + mended : mended});
}

void add_base36(std::string_view text, Misses& misses) {
  const std::size_t end = text.rfind('_');
  if (end == std::string_view::npos || prefix_fault(text.substr(0, end))) return;
  const auto bytes = base36::parse(text.substr(end + 1));
  if (!bytes && bytes.error().code == Code::overflow) {
    misses.push_back({"base36-uuid-v7", Code::overflow, "25 digits, but more than 128 bits", {}});
  }
}

// Hex digits, in number or grouping not those of a UUID or an ObjectId.
void add_hex(std::string_view text, Misses& misses) {
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  if (text.starts_with("urn:uuid:")) text.remove_prefix(9);
  std::string digits;
  std::size_t hyphens = 0;
  bool mended = false;
  for (char c : text) {
    if (c == '-') {
      ++hyphens;
      continue;
    }
    if (c == 'O' || c == 'o') c = '0', mended = true;
    if (c == 'I' || c == 'l') c = '1', mended = true;
    if (detail::digit_of(detail::kHexDigits, c) == detail::kNotADigit) return;
    digits += c;
  }
  constexpr std::size_t kSize = hex::kTextSize;
  if (digits.size() == kSize && (mended || hyphens > 0)) {
    const std::string right = Uuid{*hex::parse(digits)}.to_string();
    if (mended) {
      misses.push_back({"uuid", Code::invalid_character, "O and I are no hex digits", right});
    } else if (!Uuid::parse(text)) {
      misses.push_back(
          {"uuid", Code::non_canonical, "hyphens belong behind 8, 12, 16 and 20 digits", right});
    }
    return;
  }
  if (mended || letter_case(digits) == LetterCase::none) return;
  const bool near_uuid = digits.size() + 2 >= kSize && digits.size() <= kSize + 2;
  if ((hyphens == 4 || (hyphens == 0 && near_uuid)) && digits.size() != kSize) {
    misses.push_back(
        {"uuid", Code::invalid_length, of_size(digits.size(), kSize, "hex digits"), {}});
  } else if (hyphens == 0 && digits.size() >= 22 && digits.size() <= 26 && digits.size() != 24) {
    misses.push_back(
        {"objectid", Code::invalid_length, of_size(digits.size(), 24, "hex digits"), {}});
  }
}

void add_ksuid(std::string_view text, Misses& misses) {
  if (letter_case(text) != LetterCase::mixed || !all_in(text, detail::kBase62Digits)) return;
  if (text.size() == Ksuid::kTextSize && !Ksuid::parse(text)) {
    misses.push_back({"ksuid", Code::overflow, "27 characters, but more than 160 bits", {}});
  }
  // One character less or more; the first says that the time would be right.
  const bool begins_well = text[0] >= '0' && text[0] <= '3';
  if (begins_well && (text.size() == Ksuid::kTextSize - 1 || text.size() == Ksuid::kTextSize + 1)) {
    misses.push_back(
        {"ksuid", Code::invalid_length, of_size(text.size(), Ksuid::kTextSize, "characters"), {}});
  }
}

// A text that would be checked if its check were right. What is wrong may be any character;
// the correction is the likeliest, and the reason says what the last one would have to be.
void add_checked(std::string_view text, std::string_view before, Misses& misses) {
  constexpr std::size_t kSizeMax = 64;  // beyond, looking for corrections takes too long
  if (text.size() < 8 || text.size() > kSizeMax) return;
  const bool marked = has_failed_check(text);
  // Without one of * ~ $ = at the end, any upper-case text might be meant.
  const bool shaped = misses.empty() && letter_case(text) == LetterCase::upper &&
                      text.find_first_of("0123456789") != std::string_view::npos;
  if (!marked && !shaped) return;

  std::size_t count = text.size();
  for (const char c : text) count -= c == '-' ? 1u : 0u;
  const bool sixty = count == RandomId::text_size(60);
  const auto parse = [&](std::string_view candidate) {
    return sixty ? RandomId::parse(candidate, 60) : RandomId::parse(candidate);
  };
  const auto id = parse(text);
  if (RandomId::parse(text) || id ||
      (id.error().code != Code::bad_check && id.error().code != Code::non_canonical))
    return;

  std::string reason = "mistyped, or not checked at all: the check symbol does not fit";
  std::string candidate(text);
  for (const char symbol : kMod37Symbols) {
    candidate.back() = symbol;
    if (parse(candidate)) reason += std::string(", ") + symbol + " would";
  }
  const auto better = sixty ? RandomId::suggest(text, 60) : RandomId::suggest(text);
  misses.push_back({"crockford-check", Code::bad_check, std::move(reason),
                    better.empty() ? std::string() : std::string(before) + better.front()});
}

void add_orderly_id(std::string_view text, Misses& misses) {
  const auto id = foreign::parse_orderly_id(text);
  if (!id) return;
  if (id->wire_version() != 0) {
    misses.push_back({"orderlyid", Code::out_of_range, "of a version that is not defined", {}});
  } else if (!id->check_fits()) {
    std::string right(text.substr(0, text.size() - id->check.size()));
    right.append(id->right_check.begin(), id->right_check.end());
    misses.push_back({"orderlyid", Code::bad_check, "the check does not fit", std::move(right)});
  }
}

void add_resource_name(std::string_view text, Misses& misses) {
  const auto name = ResourceName::parse_full(text);
  if (name) {
    for (const auto& [collection, id] : name->parts()) {
      const auto at = static_cast<std::size_t>(id.data() - text.data());
      // A correction only where it is the end of the text that changes.
      if (at + id.size() == text.size()) add_checked(id, text.substr(0, at), misses);
      if (has_failed_check(id)) {
        misses.push_back(
            {"resource-name", Code::bad_check, "the check symbol of an ID in it does not fit", {}});
      }
    }
    return;
  }
  // Only what could be one: letters first, and pairs.
  const auto slashes = static_cast<std::size_t>(std::count(text.begin(), text.end(), '/'));
  if (slashes % 2 == 0 || text.find("//") != std::string_view::npos) return;
  std::vector<std::string_view> collections;
  std::size_t at = 0;
  for (std::size_t part = 0; part <= slashes; ++part) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    if (part % 2 == 0) {
      const std::string_view collection = text.substr(at, end - at);
      if (ResourceName::collection_fault(collection)) return;
      if (std::find(collections.begin(), collections.end(), collection) != collections.end()) {
        misses.push_back({"resource-name",
                          Code::invalid_resource_name,
                          "the collection " + printable(collection) + " stands in it twice",
                          {}});
        return;
      }
      if (collections.size() == ResourceName::kDepthMax) return;
      collections.push_back(collection);
    }
    at = end + 1;
  }
}

// Readings that were possible, but less likely than that the text is something else.
void add_lost(const std::vector<Guess>& lost, Misses& misses) {
  for (const Guess& guess : lost) {
    const bool has_kind = std::any_of(misses.begin(), misses.end(), [&](const NearMiss& miss) {
      return miss.kind == guess.kind;
    });
    if (has_kind) continue;
    if (!guess.time_is_plausible && !guess.note.empty() && guess.probability > 1e-6) {
      misses.push_back({guess.kind, Code::out_of_range, guess.note, {}});
    } else if (guess.time_is_plausible && guess.probability > 0.05) {
      misses.push_back({guess.kind, {}, "possible, but so are many other texts", {}});
    }
  }
}

}  // namespace

std::vector<NearMiss> near_misses(std::string_view text, const std::vector<Guess>& lost) {
  Misses misses;
  add_orderly_id(text, misses);
  add_base32(text, misses);
  add_hex(text, misses);
  add_checked(text, {}, misses);
  add_resource_name(text, misses);
  add_base36(text, misses);
  add_ksuid(text, misses);
  add_lost(lost, misses);
  // Who can be told what to write is helped best.
  std::stable_partition(misses.begin(), misses.end(),
                        [](const NearMiss& miss) { return !miss.correction.empty(); });
  if (misses.size() > kCountMax) misses.erase(misses.begin() + kCountMax, misses.end());
  return misses;
}

}  // namespace tessera::detection
