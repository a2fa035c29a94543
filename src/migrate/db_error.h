#pragma once

// What an error of a database means to a migration, and values as what they should be.

#include <cstdint>
#include <string>

#include "tessera/db/connection.h"
#include "tessera/error.h"

namespace tessera::migrate {

// Every step can be done again, so that an unknown outcome is no more than a reason to look.
Error error_of(const db::DbError& error, db::Engine engine);

std::int64_t number_of(const db::Value& value) noexcept;  // 0 if it is none
std::string string_of(const db::Value& value);

}  // namespace tessera::migrate
