// The entry point: every unit gives the connection its functions.

#include "sqlite/tessera_sqlite.h"

#include <initializer_list>

#include "sqlite/units.h"

#ifndef SQLITE_CORE
SQLITE_EXTENSION_INIT1
#endif

// A library that is unloaded while threads still have random bytes in their pools would take the
// code away that gives those back. So it stays; that IDs go on increasing when a connection is
// closed and another is opened is the other reason.
extern "C" __attribute__((visibility("default"))) int sqlite3_tessera_init(
    sqlite3* db, char** error, const sqlite3_api_routines* api) {
  SQLITE_EXTENSION_INIT2(api);
  (void)error;
  (void)api;
  using namespace tessera::sqlite;
  for (const auto add : {add_makers, add_readers, add_tables, add_marks}) {
    if (const int code = add(db); code != SQLITE_OK) return code;
  }
#ifdef SQLITE_CORE
  return SQLITE_OK;
#else
  return SQLITE_OK_LOAD_PERMANENTLY;
#endif
}
