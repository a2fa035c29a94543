#pragma once

// Why a piece of text is not an identifier.
//
// Parsers return this eight-byte value and nothing else, so that rejecting bad
// input costs no allocation. describe() turns it into words for a person.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tessera {

struct ParseError {
  // The names are stable: the same words stand in JSON, in HTTP problems and in SQL.
  enum class Code : std::uint8_t {
    invalid_length,         // too short, too long, or of a size that no ID has
    invalid_character,      // not in the alphabet, or not there
    overflow,               // more than the kind has bits for
    non_canonical,          // right value, second spelling: pad bits, leading zeros
    bad_check,              // mistyped: the check symbol does not fit
    invalid_prefix,         // the prefix breaks its own rule
    prefix_mismatch,        // a good ID of another type
    unknown_prefix,         // a good shape, but no such type is declared
    invalid_version,        // a UUID of another version than was asked for
    invalid_variant,        // not an RFC 9562 UUID
    reserved_value,         // nil or max where a real ID is wanted
    out_of_range,           // the time in it cannot be true
    invalid_resource_name,  // not collection/id/collection/id
  };

  Code code;
  std::uint32_t offset;  // where in the text, from 0; the length, if that is what is wrong

  friend constexpr bool operator==(const ParseError&, const ParseError&) = default;
};

// One row for each code: what programs match, what people read, what helps them on.
struct ErrorText {
  ParseError::Code code;
  std::string_view name;    // "invalid_character"
  std::string_view phrase;  // "bad character"
  std::string_view hint;    // a sentence; the kind may know a better one
};

// Every code, in the order of the enum. The error list in the documents is made of it.
std::span<const ErrorText> error_texts() noexcept;
const ErrorText& error_text(ParseError::Code code) noexcept;
std::string_view name_of(ParseError::Code code) noexcept;

// "bad character 'U' at offset 15". Lower case and no full stop, so that it can
// follow "not a ULID: ". `text` must be what was parsed; what is not plain ASCII
// in it is written as an escape, so the answer is safe for logs and terminals.
std::string describe(const ParseError& error, std::string_view text);

// Untrusted text, made printable: \xNN for control and non-ASCII bytes, cut at `size_max`.
std::string printable(std::string_view text, std::size_t size_max = 80);
std::string quoted(std::string_view text);  // 'text', printable

}  // namespace tessera
