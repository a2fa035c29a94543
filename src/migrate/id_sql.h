#pragma once

// IDs as expressions of plain SQL, for triggers: no extension, no function of ours.

#include <string>
#include <string_view>

#include "tessera/migrate/target.h"

namespace tessera::migrate {

// In PL/pgSQL, where `t` is the time in ms and `r` 32 bytes of two random UUIDs.
std::string postgres_id(const Target& target);

// In SQLite, where `t` is the time in ms.
std::string sqlite_id(const Target& target);

// In a trigger of MariaDB that takes || for joining, where `t` is the time in ms and `r` 16 random
// bytes.
std::string mariadb_id(const Target& target);

// The 16 bytes of an ID whose text is `text`, an expression; of text that pattern() fits.
std::string postgres_body(const Target& target, const std::string& text);
std::string sqlite_body(const Target& target, const std::string& text);
std::string mariadb_body(const Target& target, const std::string& text);

// What the text of an ID looks like: a regular expression of PostgreSQL and of MariaDB, a pattern
// of GLOB.
std::string pattern(const Target& target);
std::string glob_pattern(const Target& target);

}  // namespace tessera::migrate
