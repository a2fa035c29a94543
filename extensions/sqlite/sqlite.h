#pragma once

// SQLite's interface, in both ways that this folder is compiled: as an extension that is loaded,
// where every call goes through a table of pointers, and linked with the program (SQLITE_CORE).
// Only extension.cpp has the pointer itself.

#include <sqlite3ext.h>
#ifndef SQLITE_CORE
SQLITE_EXTENSION_INIT3
#endif
