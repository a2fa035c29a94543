// The formats of others, as their specifications and reference programs have them.

#include "core/foreign.h"

#include <algorithm>

#include "tessera/codec.h"

namespace tessera::foreign {
namespace {

using detail::Bytes16;
using detail::Case;
using detail::DigitTable;
using detail::kNotADigit;
using detail::make_digit_table;

constexpr DigitTable kBase32HexLower =
    make_digit_table("0123456789abcdefghijklmnopqrstuv", Case::exact);
constexpr DigitTable kTidDigits = make_digit_table("234567abcdefghijklmnopqrstuvwxyz", Case::exact);
constexpr DigitTable kPushDigits = make_digit_table(
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz", Case::exact);
constexpr DigitTable kBase36Lower = make_digit_table(detail::kBase36, Case::exact);
constexpr DigitTable kBase57Digits =
    make_digit_table("23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", Case::exact);
constexpr DigitTable kFlickr58Digits =
    make_digit_table("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", Case::exact);
constexpr DigitTable kBase32Rfc =
    make_digit_table("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", Case::either);
constexpr DigitTable kBase32Hex =
    make_digit_table("0123456789ABCDEFGHIJKLMNOPQRSTUV", Case::either);

bool all_of(std::string_view text, const DigitTable& table) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return detail::digit_of(table, c) != kNotADigit; });
}

// A number below 2^64; nothing if it is not.
std::optional<std::uint64_t> number_of(std::string_view text, std::uint64_t base,
                                       const DigitTable& table) noexcept {
  std::uint64_t value = 0;
  for (const char c : text) {
    const std::uint8_t digit = detail::digit_of(table, c);
    if (digit == kNotADigit || value > (~std::uint64_t{0} - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

// Digits of `width` bits as bytes; what does not fill a byte at the end must be zero.
template <std::size_t Size>
std::optional<std::array<std::uint8_t, Size>> unpack(std::string_view text, unsigned width,
                                                     const DigitTable& table) noexcept {
  if (text.size() != (8 * Size + width - 1) / width) return std::nullopt;
  std::array<std::uint8_t, Size> bytes{};
  std::uint32_t window = 0;
  unsigned pending = 0;
  std::size_t size = 0;
  for (const char c : text) {
    const std::uint8_t digit = detail::digit_of(table, c);
    if (digit == kNotADigit) return std::nullopt;
    window = (window << width | digit) & 0xFFFF;
    pending += width;
    if (pending >= 8) {
      pending -= 8;
      bytes[size++] = static_cast<std::uint8_t>(window >> pending);
    }
  }
  if ((window & ((1u << pending) - 1)) != 0) return std::nullopt;
  return bytes;
}

template <std::size_t Base>
std::optional<Bytes16> padded_number(std::string_view text, char zero,
                                     const DigitTable& table) noexcept {
  constexpr std::size_t kSize = 22;
  // Version 7 begins with a zero byte's worth of zeros, and then the number has 21 digits.
  if (text.size() != kSize && text.size() != kSize - 1) return std::nullopt;
  std::array<char, kSize> digits{};
  digits[0] = zero;
  std::copy(text.begin(), text.end(), digits.end() - static_cast<std::ptrdiff_t>(text.size()));
  const auto bytes = detail::Radix<Base, kSize>::parse({digits.data(), kSize}, table);
  if (!bytes) return std::nullopt;
  return *bytes;
}

// Sqids (sqids-spec): an alphabet that is shuffled again for each number.
class SqidsAlphabet {
 public:
  static constexpr std::size_t kSize = 62;

  SqidsAlphabet() noexcept {
    constexpr std::string_view kDefault =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    std::copy(kDefault.begin(), kDefault.end(), chars_.begin());
    shuffle();
  }

  void shuffle() noexcept {
    for (std::size_t i = 0, j = kSize - 1; j > 0; ++i, --j) {
      const std::size_t r =
          (i * j + static_cast<unsigned char>(chars_[i]) + static_cast<unsigned char>(chars_[j])) %
          kSize;
      std::swap(chars_[i], chars_[r]);
    }
  }

  // The order in which an ID whose first character is number `offset` goes on.
  void start_at(std::size_t offset) noexcept {
    std::rotate(chars_.begin(), chars_.begin() + static_cast<std::ptrdiff_t>(offset), chars_.end());
    std::reverse(chars_.begin(), chars_.end());
  }

  char operator[](std::size_t i) const noexcept { return chars_[i]; }
  char separator() const noexcept { return chars_[0]; }
  std::string_view digits() const noexcept { return {chars_.data() + 1, kSize - 1}; }
  std::string_view all() const noexcept { return {chars_.data(), kSize}; }

 private:
  std::array<char, kSize> chars_{};
};

std::string encode_sqids(std::span<const std::uint64_t> numbers, std::size_t size_min) {
  SqidsAlphabet alphabet;
  std::size_t offset = numbers.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    offset += static_cast<unsigned char>(alphabet[numbers[i] % SqidsAlphabet::kSize]) + i;
  }
  offset %= SqidsAlphabet::kSize;

  std::string id(1, alphabet[offset]);
  alphabet.start_at(offset);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string_view digits = alphabet.digits();
    std::string word;
    std::uint64_t rest = numbers[i];
    do {
      word += digits[rest % digits.size()];
      rest /= digits.size();
    } while (rest != 0);
    id.append(word.rbegin(), word.rend());
    if (i + 1 < numbers.size()) {
      id += alphabet.separator();
      alphabet.shuffle();
    }
  }
  if (id.size() < size_min) id += alphabet.separator();
  while (id.size() < size_min) {
    alphabet.shuffle();
    id += alphabet.all().substr(0, size_min - id.size());
  }
  return id;
}

constexpr std::size_t kSqidsSizeMax = 64;

// What Stripe's API writes in front of the IDs of its objects.
constexpr std::array<std::string_view, 84> kStripePrefixes = {
    "ac",      "acct",    "aliacc",  "apftx",    "apwc",     "ba",    "bpc",       "bps",
    "btok",    "ca",      "card",    "cbtxn",    "ch",       "cn",    "cnli",      "cs_live",
    "cs_test", "csmrtxn", "ctoi",    "cus",      "di",       "dp",    "du",        "evt",
    "fee",     "fca",     "file",    "fr",       "iauth",    "ic",    "ich",       "idp",
    "ii",      "iin",     "il",      "in",       "ipi",      "issfr", "link",      "li",
    "mandate", "mbur",    "me",      "mtr",      "or",       "orret", "person",    "pi",
    "pk_live", "pk_test", "plan",    "plink",    "pm",       "pmc",   "po",        "price",
    "prod",    "promo",   "prv",     "pst_live", "pst_test", "py",    "pyr",       "qt",
    "rcpt",    "re",      "req",     "rk_live",  "rk_test",  "rp",    "seti",      "setatt",
    "si",      "sk_live", "sk_test", "sku",      "src",      "sub",   "sub_sched", "tok",
    "tr",      "txi",     "txn",     "txr",
};

}  // namespace

std::optional<Xid> parse_xid(std::string_view text) noexcept {
  const auto bytes = unpack<12>(text, 5, kBase32HexLower);
  if (!bytes) return std::nullopt;
  return Xid{*bytes};
}

std::optional<std::uint64_t> parse_scru64(std::string_view text) noexcept {
  if (text.size() != 12) return std::nullopt;
  return number_of(text, 36, detail::kBase36Digits);
}

std::optional<std::uint64_t> parse_tsid(std::string_view text) noexcept {
  if (text.size() != 13) return std::nullopt;
  return number_of(text, 32, detail::kCrockfordDigits);
}

std::optional<std::uint64_t> parse_tid(std::string_view text) noexcept {
  if (text.size() != 13) return std::nullopt;
  return number_of(text, 32, kTidDigits);
}

std::optional<PushId> parse_push_id(std::string_view text) noexcept {
  const auto bytes = unpack<15>(text, 6, kPushDigits);
  if (!bytes) return std::nullopt;
  return PushId{*bytes};
}

std::optional<std::int64_t> parse_cuid1(std::string_view text) noexcept {
  if (text.size() != 25 || text[0] != 'c' || !all_of(text, kBase36Lower)) return std::nullopt;
  return static_cast<std::int64_t>(*number_of(text.substr(1, 8), 36, kBase36Lower));
}

bool is_cuid2(std::string_view text) noexcept {
  return text.size() == 24 && text[0] >= 'a' && text[0] <= 'z' && all_of(text, kBase36Lower);
}

bool is_nano_id(std::string_view text) noexcept {
  return text.size() == 21 && all_of(text, detail::kBase64UrlDigits);
}

bool is_youtube(std::string_view text) noexcept {
  return unpack<8>(text, 6, detail::kBase64UrlDigits).has_value();
}

std::optional<std::vector<std::uint64_t>> parse_sqids(std::string_view text) {
  if (text.empty() || text.size() > kSqidsSizeMax) return std::nullopt;
  SqidsAlphabet alphabet;
  const std::size_t offset = alphabet.all().find(text[0]);
  if (offset == std::string_view::npos) return std::nullopt;
  alphabet.start_at(offset);

  std::vector<std::uint64_t> numbers;
  std::string_view rest = text.substr(1);
  while (!rest.empty()) {
    const std::size_t end = rest.find(alphabet.separator());
    const std::string_view word = rest.substr(0, end);
    if (word.empty()) break;  // what follows fills up to a smallest length
    const std::string_view digits = alphabet.digits();
    const DigitTable table = make_digit_table(digits, Case::exact);
    const auto number = number_of(word, digits.size(), table);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (end == std::string_view::npos) break;
    alphabet.shuffle();
    rest.remove_prefix(end + 1);
  }
  if (numbers.empty() || encode_sqids(numbers, text.size()) != text) return std::nullopt;
  return numbers;
}

bool OrderlyId::check_fits() const noexcept {
  return check.empty() || std::equal(check.begin(), check.end(), right_check.begin(),
                                     right_check.end(), [](char given, char right) {
                                       return detail::digit_of(detail::kCrockfordDigits, given) ==
                                              detail::digit_of(detail::kCrockfordDigits, right);
                                     });
}

std::optional<OrderlyId> parse_orderly_id(std::string_view text) noexcept {
  constexpr std::size_t kPrefixSizeMax = 31;
  OrderlyId id;
  const std::size_t end = text.substr(0, kPrefixSizeMax + 1).find('_');
  if (end == std::string_view::npos || end < 2) return std::nullopt;
  id.prefix = text.substr(0, end);
  if (id.prefix[0] < 'a' || id.prefix[0] > 'z' || !all_of(id.prefix, kBase36Lower)) {
    return std::nullopt;
  }
  std::string_view payload = text.substr(end + 1);
  if (payload.size() == 37 && payload[32] == '-') {
    id.check = payload.substr(33);
    payload = payload.substr(0, 32);
    if (!all_of(id.check, detail::kCrockfordDigits)) return std::nullopt;
  }
  const auto bytes = unpack<20>(payload, 5, detail::kCrockfordDigits);
  if (!bytes) return std::nullopt;
  id.bytes = *bytes;

  // Bech32's polymod over the prefix with its underscore and the digits, cut to 20 bits.
  std::uint32_t state = 1;
  const auto add = [&](unsigned value) {
    constexpr std::array<std::uint32_t, 5> kGenerator = {0x3B6A'57B2, 0x2650'8E6D, 0x1EA1'19FA,
                                                         0x3D42'33DD, 0x2A14'62B3};
    const std::uint32_t top = state >> 25;
    state = (state & 0x1FF'FFFF) << 5 ^ value;
    for (std::size_t i = 0; i < kGenerator.size(); ++i) {
      if ((top >> i & 1) != 0) state ^= kGenerator[i];
    }
  };
  const std::string_view name = text.substr(0, end + 1);
  for (const char c : name) add(static_cast<unsigned char>(c) >> 5);
  add(0);
  for (const char c : name) add(static_cast<unsigned char>(c) & 31u);
  for (const char c : payload) add(detail::digit_of(detail::kCrockfordDigits, c));
  for (int i = 0; i < 4; ++i) add(0);
  state ^= 1;
  for (std::size_t i = 0; i < 4; ++i) {
    id.right_check[i] = detail::kCrockfordLower[state >> (15 - 5 * i) & 31];
  }
  return id;
}

std::optional<std::string_view> stripe_prefix(std::string_view text) noexcept {
  const std::size_t end = text.rfind('_');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view prefix = text.substr(0, end);
  const std::string_view rest = text.substr(end + 1);
  // The oldest are 14 characters, most are 16 or 24; keys and sessions are much longer.
  if (rest.size() < 14 || rest.size() > 128 || !all_of(rest, detail::kBase62Digits)) {
    return std::nullopt;
  }
  if (std::find(kStripePrefixes.begin(), kStripePrefixes.end(), prefix) == kStripePrefixes.end()) {
    return std::nullopt;
  }
  return prefix;
}

std::size_t stripe_prefix_count() noexcept { return kStripePrefixes.size(); }

std::optional<Bytes16> parse_base57(std::string_view text) noexcept {
  return text.size() == 22 ? padded_number<57>(text, '2', kBase57Digits) : std::nullopt;
}

std::optional<Bytes16> parse_flickr58(std::string_view text) noexcept {
  return padded_number<58>(text, '1', kFlickr58Digits);
}

std::optional<Bytes16> parse_bitcoin58(std::string_view text) noexcept {
  return padded_number<58>(text, '1', detail::kBase58Digits);
}

std::optional<Bytes16> parse_base32_right(std::string_view text, Base32 base) noexcept {
  switch (base) {
    case Base32::rfc4648: return unpack<16>(text, 5, kBase32Rfc);
    case Base32::hex: return unpack<16>(text, 5, kBase32Hex);
    case Base32::crockford: return unpack<16>(text, 5, detail::kCrockfordDigits);
  }
  return std::nullopt;
}

std::optional<Bytes16> parse_base64(std::string_view text) noexcept {
  if (text.size() == 24 && text.ends_with("==")) text.remove_suffix(2);
  if (const auto bytes = unpack<16>(text, 6, detail::kBase64UrlDigits)) return bytes;
  constexpr DigitTable kStandard = make_digit_table(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", Case::exact);
  return unpack<16>(text, 6, kStandard);
}

}  // namespace tessera::foreign
