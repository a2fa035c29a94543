// The table of errors: names, phrases and hints stand here and nowhere else.

#include "tessera/parse_error.h"

#include <array>

namespace tessera {
namespace {

using Code = ParseError::Code;

constexpr std::array<ErrorText, 13> kTexts = {{
    {Code::invalid_length, "invalid_length", "wrong length",
     "Copy the whole identifier, without blanks or quotes."},
    {Code::invalid_character, "invalid_character", "bad character",
     "Look for a mistyped or foreign character at that place."},
    {Code::overflow, "overflow", "value too large",
     "The text stands for more bits than the kind has; it was never issued."},
    {Code::non_canonical, "non_canonical", "not the canonical spelling",
     "Each value has one canonical text; convert the value to get it."},
    {Code::bad_check, "bad_check", "mistyped: the check symbol does not fit",
     "One character is wrong or two are swapped; compare with the source."},
    {Code::invalid_prefix, "invalid_prefix", "bad prefix",
     "A prefix is 1 to 63 of a-z and _, and begins and ends with a letter."},
    {Code::prefix_mismatch, "prefix_mismatch", "an ID of another type",
     "The prefix names the type; this one belongs elsewhere."},
    {Code::unknown_prefix, "unknown_prefix", "no type has this prefix",
     "Declare the type, or check the prefix for a typo."},
    {Code::invalid_version, "invalid_version", "another UUID version",
     "The version is the first digit of the third group."},
    {Code::invalid_variant, "invalid_variant", "not an RFC 9562 UUID",
     "The first digit of the fourth group must be 8, 9, a or b."},
    {Code::reserved_value, "reserved_value", "a reserved value",
     "The nil and the max value name nothing."},
    {Code::out_of_range, "out_of_range", "a time that cannot be true",
     "The identifier claims to be from the future or from before its kind existed."},
    {Code::invalid_resource_name, "invalid_resource_name", "not a resource name",
     "A resource name is collection/id, up to eight times, as in books/1/pages/2."},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    if (kTexts[i].code != static_cast<Code>(i)) return false;
  }
  return kTexts.back().code == Code::invalid_resource_name;
}
static_assert(in_order(), "one row for each code, in the order of the enum");

}  // namespace

std::span<const ErrorText> error_texts() noexcept { return kTexts; }

const ErrorText& error_text(Code code) noexcept { return kTexts[static_cast<std::size_t>(code)]; }

std::string_view name_of(Code code) noexcept { return error_text(code).name; }

std::string printable(std::string_view text, std::size_t size_max) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (const char c : text.substr(0, size_max)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F && c != '\\') {
      out += c;
    } else if (c == '\\') {
      out += "\\\\";
    } else {
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  if (text.size() > size_max) out += "...";
  return out;
}

std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

std::string describe(const ParseError& error, std::string_view text) {
  std::string out(error_text(error.code).phrase);
  const std::string offset = std::to_string(error.offset);
  switch (error.code) {
    case Code::invalid_length:
      return out + ": " + std::to_string(text.size()) +
             (text.size() == 1 ? " character" : " characters");
    case Code::invalid_character:
      if (error.offset >= text.size()) return out + " at offset " + offset;
      return out + " '" + printable(text.substr(error.offset, 1)) + "' at offset " + offset;
    default: return out + " at offset " + offset;
  }
}

}  // namespace tessera
