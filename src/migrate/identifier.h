#pragma once

// Names and texts as parts of SQL. People choose names: nothing in one may end its quotes.

#include <string>
#include <string_view>

#include "tessera/db/connection.h"

namespace tessera::migrate {

// 1 to 63 bytes, the least that all engines allow; no control character.
bool is_identifier(std::string_view name) noexcept;

// "name", or `name` in MariaDB; a quote inside is doubled. Only of what is_identifier().
std::string quoted_name(db::Engine engine, std::string_view name);

// "schema"."name" of "schema.name".
std::string quoted_table(db::Engine engine, std::string_view table);

// 'text', for servers that take a backslash for itself.
std::string quoted_text(std::string_view text);

// A name of ours for something that belongs to a column of a table: what + sixteen hexadecimal
// digits that differ from table to table.
std::string derived_name(std::string_view what, std::string_view table, std::string_view column);

}  // namespace tessera::migrate
