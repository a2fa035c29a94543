#pragma once

// Values as text, for statements without parameters and for lists.

#include <span>
#include <string>
#include <string_view>

#include "tessera/db/connection.h"

namespace tessera {

// As MariaDB reads it. Text and bytes are in hexadecimal, so that nothing in them can be SQL.
std::string literal_of(const db::Value& value);

// A statement of MariaDB with literals for its parameters.
std::string filled(std::string_view sql, std::span<const db::Value> parameters);

// As it stands in the text of an array of PostgreSQL. Text must have no quotes and no backslashes,
// as IDs have none.
std::string element_of(const db::Value& value);

}  // namespace tessera
