/* What PostgreSQL looks for when it loads the library. */

#include "postgres.h"

#include "fmgr.h"
#include "ordered.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);
void _PG_init(void) { order_at_start(); }
