/* Tessera in SQLite: the one function that gives a connection the functions of docs/sqlite.md.
 *
 * As a loadable extension SQLite finds it in tessera.so by its name. Linked in (the library
 * tessera_sqlite_static), tell SQLite to call it for every connection that will be opened:
 *
 *   sqlite3_auto_extension((void (*)(void))sqlite3_tessera_init);
 *
 * or call it for one connection: sqlite3_tessera_init(db, NULL, NULL).
 */
#ifndef TESSERA_SQLITE_H_
#define TESSERA_SQLITE_H_

#include <sqlite3.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3_api_routines;
int sqlite3_tessera_init(sqlite3* db, char** error, const struct sqlite3_api_routines* api);

#ifdef __cplusplus
}
#endif

#endif
