#pragma once

// Forms: the spellings that any ID's bytes can be written in and read back from.
//
//    form       of 16 bytes                            of other sizes
//    ulid       01ARYZ6S41TSV4RRFFQ69G5FAV             -
//    uuid       01563df3-6481-d676-4c61-efb99302bd5b   -
//    typeid     01aryz6s41tsv4rrffq69g5fav             -       with a prefix, if given one
//    hex        32 digits                              2 a byte
//    base32     26 digits, padded on the left          as many as it takes
//    crockford  26 digits, padded on the right, and a check symbol
//    base36, base62, base58, base64url, int            as in codec.h
//    bytes      the bytes themselves
//
// Every form keeps all bits. A form that has no room for them, or would add some, refuses.
// Reading is strict: one text for each value, letter case aside where the form has none.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/parse_error.h"
#include "tessera/result.h"
#include "tessera/text.h"

namespace tessera {

enum class Form : std::uint8_t {
  ulid,
  uuid,
  hex,
  base32,
  base36,
  base62,
  base58,
  base64url,
  integer,
  bytes,
  crockford,
  type_id,
};

std::span<const Form> all_forms() noexcept;
std::string_view name_of(Form form) noexcept;  // "int" for integer, "typeid" for type_id
std::optional<Form> form_of(std::string_view name) noexcept;

inline constexpr std::size_t kFormBytesMax = 64;
inline constexpr std::size_t kFormTextSizeMax = 160;

// Nothing if the form does not have values of that size (1 to kFormBytesMax bytes), or if
// `prefix` breaks the rule of public IDs. The first has no heap, for making many.
std::optional<Text<kFormTextSizeMax>> form_text(Form form, std::span<const std::uint8_t> bytes,
                                                std::string_view prefix = {}) noexcept;
std::optional<std::string> write_form(Form form, std::span<const std::uint8_t> bytes,
                                      std::string_view prefix = {});

// The bytes that `text` stands for. Forms of numbers do not say how many bytes there were:
// base32, base36, base62 and base58 go by the number of digits where 8, 12, 16 or 20 bytes
// have that many, and int has 16.
Result<std::vector<std::uint8_t>, ParseError> parse_form(Form form, std::string_view text);

}  // namespace tessera
