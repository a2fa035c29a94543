#pragma once

// The parts that extension.cpp puts together: each gives its functions to a connection and
// answers SQLITE_OK, or what went wrong.

#include "sqlite/sqlite.h"

namespace tessera::sqlite {

int add_makers(sqlite3* db) noexcept;   // tessera_ulid() and all that makes IDs by itself
int add_readers(sqlite3* db) noexcept;  // check, valid, inspect, time, checksum, conversions
int add_tables(sqlite3* db) noexcept;   // tessera_new(kind, n), tessera_range(kind, from, to)
int add_marks(sqlite3* db) noexcept;    // …_ordered() and tessera_next_long(scope)

// Flags of functions: see docs/sqlite.md, "Where they may stand".
inline constexpr int kMaker = SQLITE_UTF8 | SQLITE_INNOCUOUS;
inline constexpr int kReader = SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC;
inline constexpr int kReaderByClock = SQLITE_UTF8 | SQLITE_INNOCUOUS;
inline constexpr int kWriter = SQLITE_UTF8;

}  // namespace tessera::sqlite
