#pragma once

/* A ulid in PostgreSQL: 16 bytes, most significant first, as a uuid is. */

#include "postgres.h"

#include "datatype/timestamp.h"

#define ULID_SIZE 16

/* A moment of PostgreSQL in milliseconds since 1970, rounded down. Infinity and what no ULID can
 * say is an error. */
uint64 unix_ms_of(TimestampTz moment);

/* And back. */
TimestampTz moment_of(int64 unix_ms);

/* New ones, above all that this connection made before. */
void next_ulid(uint8 id[ULID_SIZE]);
void next_uuid7(uint8 id[ULID_SIZE]);
