#pragma once

// Declared types as short text, which is how the web page hands them to the commands it runs:
//
//    order ord ulid _
//    item itm checked -            name, prefix, style, separator

#include <optional>
#include <string_view>

#include "tessera/type_table.h"

namespace tessera::cli {

// What is malformed is refused as a whole: half a table would call good IDs unknown.
std::optional<TypeTable> parse_types(std::string_view text);

}  // namespace tessera::cli
