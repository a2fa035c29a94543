#pragma once

/* A ulid in PostgreSQL: 16 bytes, most significant first, as a uuid is. */

#include "postgres.h"

#include "datatype/timestamp.h"
#include "fault.h"

#define ULID_SIZE 16

/* A moment of PostgreSQL in milliseconds since 1970, rounded down. Infinity and what no ULID can
 * say is an error. */
uint64 unix_ms_of(TimestampTz moment);

/* And back. */
TimestampTz moment_of(int64 unix_ms);

/* New ones, above all that this connection made before. One by one, by the generators of this
 * process: they look at the processor's counter, and ask the kernel for the time once a
 * millisecond. IDs made ahead would need a look at the clock as well, to be handed out in their
 * millisecond. */
static inline void next_ulid(uint8 id[ULID_SIZE]) {
  const int code = tessera_ulid_new(id);
  if (unlikely(code != TESSERA_OK)) refuse_mint(code, "new ID");
}

static inline void next_uuid7(uint8 id[ULID_SIZE]) {
  const int code = tessera_uuid_new(7, id);
  if (unlikely(code != TESSERA_OK)) refuse_mint(code, "new ID");
}
