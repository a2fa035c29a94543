// The first byte chooses a form; the rest is text in it, and sixteen bytes to write. Each form
// agrees with school arithmetic, and each value has one text in it.

#include "support/fuzz.h"
#include "tessera/base32.h"
#include "tessera/codec.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

using Value = std::optional<std::vector<std::uint8_t>>;

constexpr std::string_view kDecimal = "0123456789";
constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kBase32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::string_view kBase36 = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kBase58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
constexpr std::string_view kBase62 =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

Value fixed(std::string_view text, std::size_t count, std::string_view alphabet,
            Letters letters = Letters::exact) {
  return text.size() == count ? number_of(text, alphabet, 16, letters) : std::nullopt;
}

void drop_leading(std::string& text, char digit) {
  text.erase(0, std::min(text.find_first_not_of(digit), text.size()));
}

// A '1' in front is a zero byte in front, and the rest is a number without any.
Value value_of_base58(std::string_view text) {
  if (text.size() > 22) return std::nullopt;
  const std::size_t ones = std::min(text.find_first_not_of('1'), text.size());
  const Value value = number_of(text.substr(ones), kBase58, 16);
  if (!value) return std::nullopt;
  const auto zeros =
      std::ranges::find_if(*value, [](auto byte) { return byte != 0; }) - value->begin();
  return static_cast<std::size_t>(zeros) == ones ? value : std::nullopt;
}

std::string text_of_base58(const Bytes16& bytes) {
  std::string text = digits_of(bytes, kBase58, 22);
  drop_leading(text, '1');
  for (const auto byte : bytes) {
    if (byte != 0) break;
    text.insert(0, 1, '1');
  }
  return text;
}

// 132 bits, of which the last four must be zero: as a number, sixteen times too large.
Value value_of_base64(std::string_view text) {
  if (text.size() != 22) return std::nullopt;
  const Value wide = number_of(text, kBase64, 17);
  if (!wide || wide->back() % 16 != 0) return std::nullopt;
  std::vector<std::uint8_t> value(16);
  for (std::size_t i = 0; i < 16; ++i) {
    value[i] = static_cast<std::uint8_t>((*wide)[i] << 4 | (*wide)[i + 1] >> 4);
  }
  return value;
}

std::string text_of_base64(const Bytes16& bytes) {
  std::array<std::uint8_t, 17> wide{};
  for (std::size_t i = 0; i < 16; ++i) {
    wide[i] = static_cast<std::uint8_t>(wide[i] | bytes[i] >> 4);
    wide[i + 1] = static_cast<std::uint8_t>(bytes[i] << 4);
  }
  return digits_of(wide, kBase64, 22);
}

Value value_of_decimal(std::string_view text) {
  if (text.empty() || text.size() > 39 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  return number_of(text, kDecimal, 16);
}

std::string text_of_decimal(const Bytes16& bytes) {
  std::string text = digits_of(bytes, kDecimal, 39);
  drop_leading(text, '0');
  return text.empty() ? "0" : text;
}

struct Form {
  Result<Bytes16, ParseError> (*parse)(std::string_view);
  std::string (*text_of)(const Bytes16&);
  Value (*expected_value)(std::string_view);
  std::string (*expected_text)(const Bytes16&);
};

const std::array kForms = {
    Form{[](std::string_view text) { return hex::parse(text); },
         [](const Bytes16& bytes) { return hex::text_of(bytes).to_string(); },
         [](std::string_view text) { return fixed(text, 32, kHex, Letters::either_case); },
         [](const Bytes16& bytes) { return digits_of(bytes, kHex, 32); }},
    Form{[](std::string_view text) { return base36::parse(text); },
         [](const Bytes16& bytes) { return base36::text_of(bytes).to_string(); },
         [](std::string_view text) { return fixed(text, 25, kBase36, Letters::either_case); },
         [](const Bytes16& bytes) { return digits_of(bytes, kBase36, 25); }},
    Form{[](std::string_view text) { return base58::parse(text); },
         [](const Bytes16& bytes) { return base58::text_of(bytes).to_string(); }, value_of_base58,
         text_of_base58},
    Form{[](std::string_view text) { return base62::parse(text); },
         [](const Bytes16& bytes) { return base62::text_of(bytes).to_string(); },
         [](std::string_view text) { return fixed(text, 22, kBase62); },
         [](const Bytes16& bytes) { return digits_of(bytes, kBase62, 22); }},
    Form{[](std::string_view text) { return base64url::parse(text); },
         [](const Bytes16& bytes) { return base64url::text_of(bytes).to_string(); },
         value_of_base64, text_of_base64},
    Form{[](std::string_view text) { return decimal::parse(text); },
         [](const Bytes16& bytes) { return decimal::text_of(bytes).to_string(); }, value_of_decimal,
         text_of_decimal},
    Form{[](std::string_view text) { return base32::parse_left(text); },
         [](const Bytes16& bytes) {
           std::string text(base32::kLeftTextSize, ' ');
           base32::write_left(bytes, std::span<char, base32::kLeftTextSize>(text));
           return text;
         },
         [](std::string_view text) { return fixed(text, 26, kBase32, Letters::either_case); },
         [](const Bytes16& bytes) { return digits_of(bytes, kBase32, 26); }},
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Form& form = kForms[data[0] % kForms.size()];
  const std::string_view text = as_text(data + 1, size - 1);

  const auto read = form.parse(text);
  const Value expected = form.expected_value(text);
  require(bool(read) == expected.has_value());
  if (!read) require_sound(read.error(), text);

  Bytes16 bytes{};
  std::copy_n(data + 1, std::min(size - 1, bytes.size()), bytes.begin());
  if (read) bytes = *read;
  if (read) require(std::ranges::equal(bytes, *expected));
  const std::string canonical = form.text_of(bytes);
  require(canonical == form.expected_text(bytes));
  const auto again = form.parse(canonical);
  require(again && *again == bytes);
  return 0;
}
