#pragma once

// Proves that every row has an ID, by the database and by the library.

#include "migrate/dialect.h"
#include "tessera/migrate/migration.h"

namespace tessera::migrate {

// `dialect` has looked at the table. `sample` rows, the first and the last by key, are read.
Result<Report, Error> verify_table(db::Connection& connection, Dialect& dialect,
                                   const Target& target, std::int64_t sample);

}  // namespace tessera::migrate
