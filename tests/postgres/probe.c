/* What tests and benchmarks need inside the server: a floor to measure from, and a clock. */

#include "postgres.h"

#include <time.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);
PG_FUNCTION_INFO_V1(probe_uuid);
PG_FUNCTION_INFO_V1(probe_ns);
PG_FUNCTION_INFO_V1(probe_fill_shared_memory);

/* Preloaded behind tessera: random bytes are drawn before the server forks, so that a child that
 * went on with them would be found out. */
void _PG_init(void) {
  if (!process_shared_preload_libraries_in_progress) return;
  PGFunction new_uuid =
      (PGFunction)load_external_function("$libdir/tessera", "pg_new_uuid4", true, NULL);
  for (int i = 0; i < 10; ++i) (void)DirectFunctionCall1(new_uuid, (Datum)0);
}

/* Does nothing, and returns a uuid: what every function costs. */
Datum probe_uuid(PG_FUNCTION_ARGS) { PG_RETURN_POINTER(palloc(16)); }

/* One clock for all processes, which nobody sets. */
Datum probe_ns(PG_FUNCTION_ARGS) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  PG_RETURN_INT64((int64)now.tv_sec * 1000000000 + now.tv_nsec);
}

/* Leaves others no memory to share. */
Datum probe_fill_shared_memory(PG_FUNCTION_ARGS) {
  char name[32];
  bool found = false;
  LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
  snprintf(name, sizeof name, "probe %d", PG_GETARG_INT32(0));
  ShmemInitStruct(name, (Size)PG_GETARG_INT32(0), &found);
  LWLockRelease(AddinShmemInitLock);
  PG_RETURN_VOID();
}
