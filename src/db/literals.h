#pragma once

// Values as text, for statements without parameters and for lists.

#include <span>
#include <string>
#include <string_view>

#include "tessera/db/connection.h"

namespace tessera::db {

std::string hex_of(std::string_view text);

// A literal of MariaDB in hexadecimal: nothing in it can be SQL.
std::string hex_literal(std::string_view text);

// As MariaDB reads it. Text and bytes are in hexadecimal.
std::string literal_of(const Value& value);

// A statement of MariaDB with literals for its parameters. It has no other `?`.
std::string filled(std::string_view sql, std::span<const Value> parameters);

// As it stands in the text of an array of PostgreSQL. Text must have no quotes and no backslashes,
// as IDs have none.
std::string element_of(const Value& value);

}  // namespace tessera::db
