#pragma once

// PublicId: the identifier that customers see. A prefix says what it is, the body which.
//
//    style     text                                  body
//    ulid      ord_01J9ZQ4V7M8N2P5R6S7T8V9W0X        ULID
//    type_id   ord_01j9zq4v7m8n2p5r6s7t8v9w0x        UUIDv7, as TypeID v0.3 has it
//    base36    ord_03cmt262aq2oxr5h8emrddgyl         UUIDv7, 25 digits, which sort
//    checked   ord_01J9ZQ4V7M8N2P5R6S7T8V9W0XFC      ULID and two check symbols, which cover
//                                                    the prefix too: mistyped is not missing
//
// PublicId<"ord"> and PublicId<"usr"> are different types, so an order is never taken for
// a user. A value has the 16 bytes of its body and no more: the prefix is in the type.
//
// A prefix matches ^[a-z]([a-z_]{0,61}[a-z])?$ and ends at the last separator, so `acct`
// never claims `account_…`.

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "tessera/base32.h"
#include "tessera/check.h"
#include "tessera/codec.h"
#include "tessera/detail/literal.h"
#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/text.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {

enum class PublicStyle : std::uint8_t { ulid, type_id, base36, checked };

// "ulid", "typeid", "base36", "checked".
constexpr std::string_view name_of(PublicStyle style) noexcept {
  switch (style) {
    case PublicStyle::ulid: return "ulid";
    case PublicStyle::type_id: return "typeid";
    case PublicStyle::base36: return "base36";
    case PublicStyle::checked: return "checked";
  }
  return "";
}

constexpr std::optional<PublicStyle> public_style_of(std::string_view name) noexcept {
  for (const auto style :
       {PublicStyle::ulid, PublicStyle::type_id, PublicStyle::base36, PublicStyle::checked}) {
    if (name == name_of(style)) return style;
  }
  return std::nullopt;
}

inline constexpr std::size_t kPrefixSizeMax = 63;
inline constexpr char kDefaultSeparator = '_';

// Characters that may stand between prefix and body: none that a body has.
constexpr bool is_separator(char c) noexcept {
  return std::string_view("_-.:~").find(c) != std::string_view::npos;
}

// Of any sort; npos if there is none.
constexpr std::size_t find_last_separator(std::string_view text) noexcept {
  for (std::size_t end = text.size(); end-- > 0;) {
    const char c = text[end];
    if (c == '_' || c == '-' || c == '.' || c == ':' || c == '~') return end;
  }
  return std::string_view::npos;
}

// Where the separator of `text` is, if its type uses `separator`; npos if it has another. The
// last separator of any sort is meant, since no body has one. Without `exact`, the last of
// this sort: then a body with a stray hyphen in it is still found, to be complained about.
constexpr std::size_t find_separator(std::string_view text, char separator, bool exact) noexcept {
  const std::size_t end = exact ? find_last_separator(text) : text.rfind(separator);
  return end != std::string_view::npos && text[end] == separator ? end : std::string_view::npos;
}

// Where `prefix` breaks its rule; nothing if it does not.
constexpr std::optional<std::uint32_t> prefix_fault(std::string_view prefix) noexcept {
  if (prefix.empty()) return 0;
  const std::size_t size = std::min(prefix.size(), kPrefixSizeMax + 1);
  for (std::uint32_t i = 0; i < size; ++i) {
    const bool letter = prefix[i] >= 'a' && prefix[i] <= 'z';
    const bool inside = i > 0 && i + 1 < prefix.size();
    if (i == kPrefixSizeMax || !(letter || (inside && prefix[i] == '_'))) return i;
  }
  return std::nullopt;
}

namespace public_id {

inline constexpr std::size_t kCheckCount = 2;
inline constexpr std::size_t kBodySizeMax = base32::kLeftTextSize + kCheckCount;
inline constexpr std::size_t kTextSizeMax = kPrefixSizeMax + 1 + kBodySizeMax;

constexpr std::size_t body_size(PublicStyle style) noexcept {
  switch (style) {
    case PublicStyle::base36: return base36::kTextSize;
    case PublicStyle::checked: return base32::kLeftTextSize + kCheckCount;
    default: return base32::kLeftTextSize;
  }
}

// The check symbols of style `checked`: over the prefix, two digits a letter, then the body.
constexpr std::array<std::uint8_t, kCheckCount> check_of(std::string_view prefix,
                                                         const Bytes16& body) noexcept {
  Gf32Check<kCheckCount> check;
  for (const char c : prefix) check.add_pair(static_cast<unsigned char>(c));
  check.add_left(body);
  return check.symbols();
}

// The body of a text, in 16 bytes, and the prefix in front of it (empty: there is none).
struct Parts {
  std::string_view prefix;
  Bytes16 body{};
};

constexpr Result<Bytes16, ParseError> parse_body(std::string_view prefix, std::string_view body,
                                                 PublicStyle style) noexcept {
  if (style == PublicStyle::type_id) {
    return base32::parse_left(body, detail::kCrockfordLowerDigits);
  }
  if (style == PublicStyle::base36) return base36::parse(body);
  if (style == PublicStyle::ulid) return base32::parse_left(body);

  if (body.size() != kBodySizeMax) {
    return detail::parse_failure(ParseError::Code::invalid_length, body.size());
  }
  const auto digits = body.substr(0, base32::kLeftTextSize);
  const auto bytes = base32::parse_left(digits);
  if (!bytes) return bytes;
  const auto check = check_of(prefix, *bytes);
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    const std::size_t at = base32::kLeftTextSize + i;
    const std::uint8_t digit = detail::digit_of(detail::kCrockfordDigits, body[at]);
    if (digit == detail::kNotADigit) {
      return detail::parse_failure(ParseError::Code::invalid_character, at);
    }
    if (digit != check[i]) {
      return detail::parse_failure(ParseError::Code::bad_check, base32::kLeftTextSize);
    }
  }
  return bytes;
}

// Form only: any prefix that keeps the rule will do. A text without prefix is a TypeID,
// and nothing in the other styles. Strict but for the letter case of the body.
constexpr Result<Parts, ParseError> parse(std::string_view text, PublicStyle style,
                                          char separator = kDefaultSeparator) noexcept {
  using Code = ParseError::Code;
  // A good one has its separator where its style says, and none in its body.
  const std::size_t good_size = body_size(style) + 1;
  if (text.size() > good_size && text[text.size() - good_size] == separator &&
      is_separator(separator)) {
    const std::string_view prefix = text.substr(0, text.size() - good_size);
    if (!prefix_fault(prefix)) {
      const auto bytes = parse_body(prefix, text.substr(prefix.size() + 1), style);
      if (bytes) return Parts{prefix, *bytes};
    }
  }
  // What is none, or has no prefix, is looked at more closely.
  if (text.empty()) return detail::parse_failure(Code::invalid_length, 0);
  // What stands further from the end than a body and a separator is the prefix, so a text
  // of a megabyte costs no more than one of a hundred characters.
  const std::string_view tail = text.substr(text.size() - std::min(text.size(), 2 * kTextSizeMax));
  const std::size_t found = tail.rfind(separator);
  if (found == std::string_view::npos && tail.size() < text.size()) {
    return detail::parse_failure(Code::invalid_length, text.size());
  }
  const bool has_prefix = found != std::string_view::npos;
  const std::size_t prefix_size = has_prefix ? text.size() - tail.size() + found : 0;
  const std::string_view prefix = text.substr(0, prefix_size);
  const std::string_view body = text.substr(has_prefix ? prefix_size + 1 : 0);

  if (has_prefix) {
    if (const auto fault = prefix_fault(prefix)) {
      return detail::parse_failure(Code::invalid_prefix, *fault);
    }
  }
  const auto bytes = parse_body(prefix, body, style);
  if (!bytes) {
    if (bytes.error().code == Code::invalid_length) {
      return detail::parse_failure(Code::invalid_length, text.size());
    }
    return detail::parse_failure(bytes.error().code,
                                 bytes.error().offset + text.size() - body.size());
  }
  if (!has_prefix && style != PublicStyle::type_id) {
    return detail::parse_failure(Code::invalid_prefix, 0);
  }
  return Parts{prefix, *bytes};
}

// What a person typed, made strict: letters of the case of the style, I L O in the body
// read as 1 1 0, hyphens in the body left out. What is wrong stays wrong. Not for base36,
// where I, L and O are digits: there only the case is mended.
constexpr Text<2 * kTextSizeMax> friendly_spelling(std::string_view text, PublicStyle style,
                                                   char separator = kDefaultSeparator) noexcept {
  Text<2 * kTextSizeMax> out;
  if (text.size() > out.kCapacity) return out;
  // The body of base32 has no separator but may have hyphens; the prefix has neither.
  std::size_t split = text.rfind(separator);
  if (separator == '-') split = text.find(separator);
  const std::size_t body = split == std::string_view::npos ? 0 : split + 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    const bool upper = c >= 'A' && c <= 'Z';
    if (i < body || style == PublicStyle::base36) {
      if (upper) c = static_cast<char>(c - 'A' + 'a');
    } else {
      if (c == '-') continue;
      const std::uint8_t digit = detail::digit_of(detail::kCrockfordFriendly, c);
      const auto& digits =
          style == PublicStyle::type_id ? detail::kCrockfordLower : detail::kCrockford;
      if (digit != detail::kNotADigit) c = digits[digit];
    }
    out.chars[out.size++] = c;
  }
  return out;
}

// The body of an ID of one type. A good ID of another type, or of none, is a prefix_mismatch.
constexpr Result<Bytes16, ParseError> parse_typed(std::string_view text, std::string_view prefix,
                                                  PublicStyle style,
                                                  char separator = kDefaultSeparator) noexcept {
  using Code = ParseError::Code;
  const auto parts = parse(text, style, separator);
  if (parts && parts->prefix == prefix) return parts->body;
  const bool bare = !parts && text.size() == body_size(style) &&
                    parts.error() == ParseError{Code::invalid_prefix, 0} &&
                    text.find(separator) == std::string_view::npos;
  if (parts || bare) return detail::parse_failure(Code::prefix_mismatch, 0);
  return Failure{parts.error()};
}

// The canonical text. `prefix` keeps the rule (or is empty, for a TypeID without one).
constexpr Text<kTextSizeMax> write(std::string_view prefix, const Bytes16& body, PublicStyle style,
                                   char separator = kDefaultSeparator) noexcept {
  Text<kTextSizeMax> text;
  char* out = std::copy(prefix.begin(), prefix.end(), text.chars.data());
  if (!prefix.empty()) *out++ = separator;
  if (style == PublicStyle::base36) {
    const auto digits = base36::text_of(body);
    out = std::copy(digits.view().begin(), digits.view().end(), out);
  } else {
    const std::span<char, base32::kLeftTextSize> digits(out, base32::kLeftTextSize);
    base32::write_left(
        body, digits,
        style == PublicStyle::type_id ? base32::Letters::lower : base32::Letters::upper);
    out += digits.size();
    if (style == PublicStyle::checked) {
      for (const std::uint8_t digit : check_of(prefix, body)) {
        *out++ = detail::kCrockford[digit];
      }
    }
  }
  text.size = static_cast<std::size_t>(out - text.chars.data());
  return text;
}

}  // namespace public_id

// A string that can be an argument of a template.
template <std::size_t Size>
struct FixedString {
  char chars[Size]{};

  consteval FixedString(const char (&text)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) chars[i] = text[i];
  }
  constexpr std::string_view view() const noexcept { return {chars, Size - 1}; }
};

template <FixedString Prefix, PublicStyle Style = PublicStyle::ulid,
          char Separator = kDefaultSeparator>
struct PublicId {
  static_assert(!prefix_fault(Prefix.view()), "prefix must match ^[a-z]([a-z_]{0,61}[a-z])?$");
  static_assert(is_separator(Separator), "separator must be one of _ - . : ~");
  static_assert(Style != PublicStyle::type_id || Separator == kDefaultSeparator,
                "a TypeID has the separator _");

  using Body =
      std::conditional_t<Style == PublicStyle::ulid || Style == PublicStyle::checked, Ulid, Uuid>;

  static constexpr std::string_view kPrefix = Prefix.view();
  static constexpr PublicStyle kStyle = Style;
  static constexpr char kSeparator = Separator;
  static constexpr std::size_t kTextSize = kPrefix.size() + 1 + public_id::body_size(Style);

  Body body{};

  // Form first, then the type. A good ID of another type is a prefix_mismatch.
  static constexpr Result<PublicId, ParseError> parse(std::string_view text) noexcept {
    const auto bytes = public_id::parse_typed(text, kPrefix, Style, Separator);
    if (!bytes) return Failure{bytes.error()};
    return PublicId{Body{*bytes}};
  }

  // For text that a person typed: any case, hyphens, I L O. Offsets are those of the text
  // after mending.
  static constexpr Result<PublicId, ParseError> parse_friendly(std::string_view text) noexcept {
    return parse(public_id::friendly_spelling(text, Style, Separator).view());
  }

  // A new one, above every other of its body's kind that this process has made so.
  static Result<PublicId, MintError> generate() noexcept {
    if constexpr (std::is_same_v<Body, Ulid>) {
      const auto body = Ulid::generate();
      if (!body) return Failure{body.error()};
      return PublicId{*body};
    } else {
      const auto body = Uuid::generate_v7();
      if (!body) return Failure{body.error()};
      return PublicId{*body};
    }
  }

  constexpr void write_text(std::span<char, kTextSize> out) const noexcept {
    const auto text = public_id::write(kPrefix, body.bytes, Style, Separator);
    std::copy_n(text.chars.begin(), kTextSize, out.begin());
  }
  constexpr Text<kTextSize> text() const noexcept {
    Text<kTextSize> text{.size = kTextSize};
    write_text(text.chars);
    return text;
  }
  std::string to_string() const { return text().to_string(); }

  friend constexpr bool operator==(const PublicId&, const PublicId&) = default;
  friend constexpr auto operator<=>(const PublicId&, const PublicId&) = default;
};

// A closed list of types. Two of one prefix do not compile.
template <class... Types>
struct IdTypes {
  static constexpr std::array<std::string_view, sizeof...(Types)> kPrefixes = {Types::kPrefix...};

  static constexpr bool kDistinct = [] {
    for (std::size_t i = 0; i < kPrefixes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (kPrefixes[i] == kPrefixes[j]) return false;
      }
    }
    return true;
  }();
  static_assert(kDistinct, "two types share a prefix");

  // Calls `visitor` with the ID, as its own type, or with the ParseError. The prefix of the
  // text alone says which type is tried. All overloads return the same type.
  template <class Visitor>
  static constexpr auto visit(std::string_view text, Visitor&& visitor) {
    using Answer = decltype(visitor(std::declval<ParseError>()));
    std::optional<Answer> answer;
    const auto try_type = [&]<class Type>(std::type_identity<Type>, bool exact) {
      const std::size_t end = find_separator(text, Type::kSeparator, exact);
      if (end == std::string_view::npos || text.substr(0, end) != Type::kPrefix) return false;
      const auto id = Type::parse(text);
      answer.emplace(id ? visitor(*id) : visitor(id.error()));
      return true;
    };
    for (const bool exact : {true, false}) {
      if ((try_type(std::type_identity<Types>{}, exact) || ...)) return *std::move(answer);
    }
    return visitor(ParseError{ParseError::Code::unknown_prefix, 0});
  }
};

namespace literals {

namespace internal {

// The style of a literal can be told from its body's length and case.
constexpr PublicStyle style_of_literal(std::string_view body) noexcept {
  if (body.size() == base36::kTextSize) return PublicStyle::base36;
  if (body.size() == public_id::kBodySizeMax) return PublicStyle::checked;
  for (const char c : body) {
    if (c >= 'a' && c <= 'z') return PublicStyle::type_id;
  }
  return PublicStyle::ulid;
}

template <FixedString Text>
struct LiteralPrefix {
  static constexpr std::size_t kSize = [] {
    const std::size_t end = Text.view().rfind(kDefaultSeparator);
    return end == std::string_view::npos ? 0 : end;
  }();
  static constexpr auto kChars = [] {
    std::array<char, kSize + 1> chars{};
    for (std::size_t i = 0; i < kSize; ++i) chars[i] = Text.chars[i];
    return chars;
  }();
};

template <FixedString Text, std::size_t... I>
consteval auto prefix_string(std::index_sequence<I...>) {
  return FixedString<sizeof...(I) + 1>({LiteralPrefix<Text>::kChars[I]..., '\0'});
}

}  // namespace internal

// A public ID in the source, of the type that its prefix names: "ord_01J…"_id is a
// PublicId<"ord">. One that is malformed does not compile.
template <FixedString Text>
consteval auto operator""_id() {
  constexpr std::size_t kPrefixSize = internal::LiteralPrefix<Text>::kSize;
  constexpr auto kPrefix = internal::prefix_string<Text>(std::make_index_sequence<kPrefixSize>());
  constexpr auto kStyle = internal::style_of_literal(Text.view().substr(kPrefixSize + 1));
  const auto id = PublicId<kPrefix, kStyle>::parse(Text.view());
  if (!id) detail::malformed_identifier_literal();
  return *id;
}

}  // namespace literals

}  // namespace tessera

template <tessera::FixedString Prefix, tessera::PublicStyle Style, char Separator>
struct std::hash<tessera::PublicId<Prefix, Style, Separator>> {
  std::size_t operator()(const tessera::PublicId<Prefix, Style, Separator>& id) const noexcept {
    return std::hash<typename tessera::PublicId<Prefix, Style, Separator>::Body>{}(id.body);
  }
};
