// Forms of any number of bytes. Those of 16 are codec.h's, which are fast; the others are
// schoolbook arithmetic.

#include "tessera/form.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tessera/base32.h"
#include "tessera/codec.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

using Code = ParseError::Code;
using Bytes = std::vector<std::uint8_t>;

struct FormName {
  Form form;
  std::string_view name;
};

constexpr std::array kNames = {
    FormName{Form::ulid, "ulid"},
    FormName{Form::uuid, "uuid"},
    FormName{Form::hex, "hex"},
    FormName{Form::base32, "base32"},
    FormName{Form::base36, "base36"},
    FormName{Form::base62, "base62"},
    FormName{Form::base58, "base58"},
    FormName{Form::base64url, "base64url"},
    FormName{Form::integer, "int"},
    FormName{Form::bytes, "bytes"},
    FormName{Form::crockford, "crockford"},
    FormName{Form::type_id, "typeid"},
};

constexpr auto kForms = [] {
  std::array<Form, kNames.size()> forms{};
  std::ranges::transform(kNames, forms.begin(), &FormName::form);
  return forms;
}();

struct NumberForm {
  unsigned base;
  std::string_view alphabet;
  const detail::DigitTable* digits;
};

constexpr auto kDecimalDigits = detail::make_digit_table("0123456789", detail::Case::exact);

constexpr NumberForm number_form(Form form) noexcept {
  switch (form) {
    case Form::base32: return {32, detail::kCrockford, &detail::kCrockfordDigits};
    case Form::base36: return {36, detail::kBase36, &detail::kBase36Digits};
    case Form::base58: return {58, detail::kBase58, &detail::kBase58Digits};
    case Form::base62: return {62, detail::kBase62, &detail::kBase62Digits};
    default: return {10, "0123456789", &kDecimalDigits};
  }
}

using FormText = Text<kFormTextSizeMax>;

// How many digits the largest number of `size` bytes has. But for 32, which divides evenly,
// no power of these bases is near one of two, so that a double is exact enough.
std::size_t digit_count(unsigned base, std::size_t size) noexcept {
  const std::size_t bits = 8 * size;
  if (base == 32) return (bits + 4) / 5;
  return static_cast<std::size_t>(static_cast<double>(bits) / std::log2(base)) + 1;
}

void append(FormText& text, std::string_view more) noexcept {
  std::ranges::copy(more, text.chars.begin() + static_cast<std::ptrdiff_t>(text.size));
  text.size += more.size();
}

// Appends the digits of a number, most significant first: at least `size_min` of them.
void append_number(FormText& text, std::span<const std::uint8_t> bytes, const NumberForm& form,
                   std::size_t size_min) noexcept {
  std::array<std::uint8_t, kFormBytesMax> number{};
  std::ranges::copy(bytes, number.begin());
  const std::size_t end = bytes.size();
  const std::size_t start = text.size;
  std::size_t first = 0;
  while (true) {
    while (first < end && number[first] == 0) ++first;
    if (first == end && text.size - start >= size_min) break;
    unsigned rest = 0;
    for (std::size_t i = first; i < end; ++i) {
      const unsigned value = rest << 8 | number[i];
      number[i] = static_cast<std::uint8_t>(value / form.base);
      rest = value % form.base;
    }
    text.chars[text.size++] = form.alphabet[rest];
  }
  std::reverse(text.chars.begin() + static_cast<std::ptrdiff_t>(start),
               text.chars.begin() + static_cast<std::ptrdiff_t>(text.size));
}

Result<Bytes, ParseError> parse_number(std::string_view text, const NumberForm& form,
                                       std::size_t size) {
  Bytes number(size, 0);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::uint8_t digit = detail::digit_of(*form.digits, text[at]);
    if (digit == detail::kNotADigit) return detail::parse_failure(Code::invalid_character, at);
    unsigned carry = digit;
    for (std::size_t i = size; i-- > 0;) {
      const unsigned value = number[i] * form.base + carry;
      number[i] = static_cast<std::uint8_t>(value);
      carry = value >> 8;
    }
    if (carry != 0) return detail::parse_failure(Code::overflow, 0);
  }
  return number;
}

// The size among the usual ones whose numbers have as many digits as `text`.
std::optional<std::size_t> size_by_digits(std::string_view text, unsigned base) {
  for (const std::size_t size :
       {std::size_t{16}, std::size_t{8}, std::size_t{12}, std::size_t{20}}) {
    if (digit_count(base, size) == text.size()) return size;
  }
  return std::nullopt;
}

void append_base64url(FormText& text, std::span<const std::uint8_t> bytes) noexcept {
  std::uint32_t pending = 0;
  int pending_bits = 0;
  for (const std::uint8_t byte : bytes) {
    pending = pending << 8 | byte;
    pending_bits += 8;
    while (pending_bits >= 6) {
      pending_bits -= 6;
      text.chars[text.size++] = detail::kBase64Url[pending >> pending_bits & 63];
    }
  }
  if (pending_bits > 0) {
    text.chars[text.size++] = detail::kBase64Url[pending << (6 - pending_bits) & 63];
  }
}

// The forms that only 16 bytes have, and those for which they have a faster way.
bool append_sixteen(FormText& text, Form form, const Bytes16& bytes,
                    std::string_view prefix) noexcept {
  switch (form) {
    case Form::ulid:
    case Form::base32: return append(text, Ulid{bytes}.text()), true;
    case Form::uuid: return append(text, Uuid{bytes}.text()), true;
    case Form::type_id:
      if (!prefix.empty() && prefix_fault(prefix)) return false;
      return append(text, public_id::write(prefix, bytes, PublicStyle::type_id)), true;
    case Form::base36: return append(text, base36::text_of(bytes)), true;
    case Form::base62: return append(text, base62::text_of(bytes)), true;
    case Form::base58: return append(text, base58::text_of(bytes)), true;
    case Form::base64url: return append(text, base64url::text_of(bytes)), true;
    case Form::integer: return append(text, decimal::text_of(bytes)), true;
    default: return false;
  }
}

Result<Bytes, ParseError> parse_base64url(std::string_view text) {
  if (text.empty() || text.size() % 4 == 1 || text.size() > kFormBytesMax * 4 / 3 + 1) {
    return detail::parse_failure(Code::invalid_length, text.size());
  }
  Bytes bytes;
  std::uint32_t pending = 0;
  int pending_bits = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::uint8_t digit = detail::digit_of(detail::kBase64UrlDigits, text[at]);
    if (digit == detail::kNotADigit) return detail::parse_failure(Code::invalid_character, at);
    pending = pending << 6 | digit;
    pending_bits += 6;
    if (pending_bits >= 8) {
      pending_bits -= 8;
      bytes.push_back(static_cast<std::uint8_t>(pending >> pending_bits));
    }
  }
  if ((pending & ((1u << pending_bits) - 1)) != 0) {
    return detail::parse_failure(Code::non_canonical, text.size() - 1);
  }
  return bytes;
}

Result<Bytes, ParseError> parse_base58(std::string_view text) {
  const NumberForm form = number_form(Form::base58);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (detail::digit_of(*form.digits, text[at]) == detail::kNotADigit) {
      return detail::parse_failure(Code::invalid_character, at);
    }
  }
  // The digits alone do not say the size: it is the one whose own text this is.
  std::optional<ParseError> first;
  for (const std::size_t size :
       {std::size_t{16}, std::size_t{8}, std::size_t{12}, std::size_t{20}}) {
    auto bytes = parse_number(text, form, size);
    if (bytes && write_form(Form::base58, *bytes) == text) return bytes;
    if (!bytes && !first) first = bytes.error();
  }
  if (first && text.size() == 22) return Failure{*first};
  return detail::parse_failure(Code::invalid_length, text.size());
}

template <class Id>
Result<Bytes, ParseError> bytes_of(const Result<Id, ParseError>& id) {
  if (!id) return Failure{id.error()};
  return Bytes(id->bytes.begin(), id->bytes.end());
}

}  // namespace

std::span<const Form> all_forms() noexcept { return kForms; }

std::string_view name_of(Form form) noexcept { return kNames[static_cast<std::size_t>(form)].name; }

std::optional<Form> form_of(std::string_view name) noexcept {
  const auto found = std::ranges::find(kNames, name, &FormName::name);
  if (found == kNames.end()) return std::nullopt;
  return found->form;
}

std::optional<Text<kFormTextSizeMax>> form_text(Form form, std::span<const std::uint8_t> bytes,
                                                std::string_view prefix) noexcept {
  if (bytes.empty() || bytes.size() > kFormBytesMax) return std::nullopt;
  FormText text;
  if (Bytes16 sixteen{}; bytes.size() == sixteen.size()) {
    std::ranges::copy(bytes, sixteen.begin());
    if (append_sixteen(text, form, sixteen, prefix)) return text;
  }
  switch (form) {
    case Form::ulid:
    case Form::uuid:
    case Form::type_id: return std::nullopt;
    case Form::hex:
      text.size = 2 * bytes.size();
      hex::write(bytes, {text.chars.data(), text.size});
      break;
    case Form::base32:
    case Form::base36:
    case Form::base62: {
      const NumberForm number = number_form(form);
      append_number(text, bytes, number, digit_count(number.base, bytes.size()));
      break;
    }
    case Form::base58:
      for (std::size_t i = 0; i < bytes.size() && bytes[i] == 0; ++i) append(text, "1");
      append_number(text, bytes, number_form(form), 0);
      break;
    case Form::base64url: append_base64url(text, bytes); break;
    case Form::integer: append_number(text, bytes, number_form(form), 1); break;
    case Form::bytes:
      for (const std::uint8_t byte : bytes) text.chars[text.size++] = static_cast<char>(byte);
      break;
    case Form::crockford:
      append(text, RandomId::from_bytes(bytes, static_cast<unsigned>(bytes.size() * 8)).text());
      break;
  }
  return text;
}

std::optional<std::string> write_form(Form form, std::span<const std::uint8_t> bytes,
                                      std::string_view prefix) {
  const auto text = form_text(form, bytes, prefix);
  if (!text) return std::nullopt;
  return text->to_string();
}

Result<std::vector<std::uint8_t>, ParseError> parse_form(Form form, std::string_view text) {
  constexpr std::size_t kTextSizeMax = 256;
  if (text.empty() || text.size() > kTextSizeMax) {
    return detail::parse_failure(Code::invalid_length, text.size());
  }
  switch (form) {
    case Form::ulid: return bytes_of(Ulid::parse(text));
    case Form::uuid: return bytes_of(Uuid::parse(text));
    case Form::type_id: {
      const auto parts = public_id::parse(text, PublicStyle::type_id);
      if (!parts) return Failure{parts.error()};
      return Bytes(parts->body.begin(), parts->body.end());
    }
    case Form::hex: {
      if (text.size() % 2 != 0 || text.size() > 2 * kFormBytesMax) {
        return detail::parse_failure(Code::invalid_length, text.size());
      }
      Bytes bytes(text.size() / 2);
      if (const auto done = hex::parse(text, bytes); !done) return Failure{done.error()};
      return bytes;
    }
    case Form::base32:
    case Form::base36:
    case Form::base62: {
      const NumberForm number = number_form(form);
      const auto size = size_by_digits(text, number.base);
      if (!size) return detail::parse_failure(Code::invalid_length, text.size());
      return parse_number(text, number, *size);
    }
    case Form::base58: return parse_base58(text);
    case Form::base64url: return parse_base64url(text);
    case Form::integer: {
      const auto bytes = decimal::parse(text);
      if (!bytes) return Failure{bytes.error()};
      return Bytes(bytes->begin(), bytes->end());
    }
    case Form::bytes:
      if (text.size() > kFormBytesMax) {
        return detail::parse_failure(Code::invalid_length, text.size());
      }
      return Bytes(text.begin(), text.end());
    case Form::crockford: {
      const auto id = RandomId::parse_strict(text);
      if (!id) return Failure{id.error()};
      const auto bytes = id->bytes();
      return Bytes(bytes.begin(), bytes.end());
    }
  }
  return detail::parse_failure(Code::invalid_length, text.size());
}

}  // namespace tessera
