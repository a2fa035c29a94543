#pragma once

// ConfigError: one mistake in a configuration, with its place and what to do about it.
//
//    tessera.yaml:7:18: prefix 'ord' is taken by type 'order' (line 4)
//      7 |   item: {prefix: ord}
//        |                  ^
//    hint: Two types need two prefixes: the prefix alone says what an ID is.
//
// A reader of a file reports all of its mistakes, not only the first.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct ConfigError {
  // The names are stable: programs match them.
  enum class Code : std::uint8_t {
    // The file as a whole.
    not_found,          // there is no such file
    unreadable,         // there is, but it could not be read
    too_large,          // more bytes than kConfigSizeMax
    too_deep,           // nested deeper than any key is
    too_many,           // more keys and values, or more mistakes, than we look at
    not_utf8,           // bytes that are no UTF-8
    invalid_yaml,       // bytes that are no YAML
    alias,              // an anchor or an alias: &a, *a
    tag,                // a tag: !!str
    several_documents,  // a second document after ---
    // Keys and values.
    duplicate_key,
    unknown_key,
    missing_key,
    wrong_type,
    out_of_range,
    invalid_choice,
    invalid_name,
    invalid_prefix,
    invalid_separator,
    invalid_scope,
    invalid_store,
    invalid_address,
    invalid_path,
    // Values that are good alone, but not together.
    prefix_taken,
    address_taken,
    unknown_scope,
    unknown_parent,
    parent_cycle,
    conflict,
  };

  std::uint32_t line = 0;    // from 1; 0 if it is about no place in a file
  std::uint32_t column = 0;  // from 1, counted in characters
  Code code = Code::invalid_yaml;
  std::string message;  // a phrase: lower case, no full stop; user text quoted and escaped
  std::string hint;     // a sentence saying what to do; may be empty

  friend bool operator==(const ConfigError&, const ConfigError&) = default;
};

using ConfigErrors = std::vector<ConfigError>;

// "prefix_taken".
std::string_view name_of(ConfigError::Code code) noexcept;

// The picture above, ending with a newline. `text` is what was read from `file`; without a
// place, only the message and the hint are written. Safe for terminals and logs: control and
// non-ASCII bytes are escaped, and passwords inside of URLs are starred out.
std::string render(const ConfigError& error, std::string_view file, std::string_view text);

// A store's URL, or any text with such URLs in it, as it may be shown: the same size, with
// stars for the password in scheme://user:password@host and in ?password=.
std::string without_password(std::string_view text);

}  // namespace tessera
