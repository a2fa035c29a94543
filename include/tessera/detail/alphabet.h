#pragma once

// Alphabets, and tables that go from a byte back to its digit.

#include <array>
#include <cstdint>
#include <string_view>

namespace tessera::detail {

inline constexpr std::uint8_t kNotADigit = 0xFF;

using DigitTable = std::array<std::uint8_t, 256>;

enum class Case : std::uint8_t { exact, either };

constexpr DigitTable make_digit_table(std::string_view alphabet, Case letters) noexcept {
  DigitTable table{};
  for (auto& entry : table) entry = kNotADigit;
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    const char c = alphabet[i];
    table[static_cast<std::uint8_t>(c)] = static_cast<std::uint8_t>(i);
    if (letters == Case::exact) continue;
    if (c >= 'A' && c <= 'Z')
      table[static_cast<std::uint8_t>(c - 'A' + 'a')] = table[static_cast<std::uint8_t>(c)];
    if (c >= 'a' && c <= 'z')
      table[static_cast<std::uint8_t>(c - 'a' + 'A')] = table[static_cast<std::uint8_t>(c)];
  }
  return table;
}

// The digits stand in arrays, which are one object in the whole program. A view of a literal
// would not do: the literal may differ from file to file, and a loop could begin in one copy
// and end in another.
inline constexpr char kCrockfordText[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
inline constexpr char kCrockfordLowerText[] = "0123456789abcdefghjkmnpqrstvwxyz";
inline constexpr char kHexText[] = "0123456789abcdef";
inline constexpr char kBase36Text[] = "0123456789abcdefghijklmnopqrstuvwxyz";
inline constexpr char kBase58Text[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
inline constexpr char kBase62Text[] =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
inline constexpr char kBase64UrlText[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

inline constexpr std::string_view kCrockford(kCrockfordText, sizeof(kCrockfordText) - 1);
inline constexpr std::string_view kCrockfordLower(kCrockfordLowerText,
                                                  sizeof(kCrockfordLowerText) - 1);
inline constexpr std::string_view kHex(kHexText, sizeof(kHexText) - 1);
inline constexpr std::string_view kBase36(kBase36Text, sizeof(kBase36Text) - 1);
inline constexpr std::string_view kBase58(kBase58Text, sizeof(kBase58Text) - 1);
inline constexpr std::string_view kBase62(kBase62Text, sizeof(kBase62Text) - 1);
inline constexpr std::string_view kBase64Url(kBase64UrlText, sizeof(kBase64UrlText) - 1);

// What people type: either case, I and L for 1, O for 0. U stays wrong: it looks like
// V to some and like 4 to others.
constexpr DigitTable make_friendly_table() noexcept {
  DigitTable table = make_digit_table(kCrockford, Case::either);
  for (const char c : std::string_view("IiLl")) table[static_cast<std::uint8_t>(c)] = 1;
  for (const char c : std::string_view("Oo")) table[static_cast<std::uint8_t>(c)] = 0;
  return table;
}

inline constexpr DigitTable kCrockfordDigits = make_digit_table(kCrockford, Case::either);
inline constexpr DigitTable kCrockfordLowerDigits = make_digit_table(kCrockfordLower, Case::exact);
inline constexpr DigitTable kCrockfordFriendly = make_friendly_table();
inline constexpr DigitTable kHexDigits = make_digit_table(kHex, Case::either);
inline constexpr DigitTable kBase36Digits = make_digit_table(kBase36, Case::either);
inline constexpr DigitTable kBase58Digits = make_digit_table(kBase58, Case::exact);
inline constexpr DigitTable kBase62Digits = make_digit_table(kBase62, Case::exact);
inline constexpr DigitTable kBase64UrlDigits = make_digit_table(kBase64Url, Case::exact);

constexpr std::uint8_t digit_of(const DigitTable& table, char c) noexcept {
  return table[static_cast<std::uint8_t>(c)];
}

}  // namespace tessera::detail
