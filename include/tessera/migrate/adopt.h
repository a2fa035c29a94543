#pragma once

// The highest number that a table has, for a scope that is to go on above it.
//
//    auto highest = highest_id(connection, "orders", "id", 10s, sleep);
//
// Safe beside those who write: it waits for transactions that have begun to write, so that none has
// a higher number up its sleeve, and lets others pass while it cannot have the lock for an instant.
// What the database itself counts up, as for AUTO_INCREMENT, counts too: numbers that it has given
// out may be under way.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include "tessera/db/connection.h"
#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera::migrate {

// 0 of a table without rows. The connection is for nothing else afterwards: its settings change.
Result<std::int64_t, Error> highest_id(db::Connection& connection, std::string_view table,
                                       std::string_view column, std::chrono::milliseconds patience,
                                       const std::function<void(std::chrono::milliseconds)>& sleep);

}  // namespace tessera::migrate
