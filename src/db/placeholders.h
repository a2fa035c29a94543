#pragma once

// `?` for all, $1, $2 ... for PostgreSQL.

#include <string>
#include <string_view>

namespace tessera::db {

// `sql` with its placeholders numbered. A ? in quotes, in dollar quotes or in a comment stays.
std::string with_numbered_placeholders(std::string_view sql);

}  // namespace tessera::db
