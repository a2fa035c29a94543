/* The type ulid: what it shares with no other type.
 *
 * It lies in memory and on disk as a uuid does: 16 bytes that sort with memcmp. So comparing,
 * hashing, sorting with abbreviated keys and binary input and output are PostgreSQL's own
 * functions for uuid, under names of ours (see the SQL script), and a cast between the two types
 * costs nothing.
 */

#include "postgres.h"

#include "ulid.h"

#include "fault.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#define UNIX_MS_OF_2000 INT64CONST(946684800000)
#define ULID_MS_MAX INT64CONST(0xFFFFFFFFFFFF)

PG_FUNCTION_INFO_V1(pg_ulid_in);
PG_FUNCTION_INFO_V1(pg_ulid_out);
PG_FUNCTION_INFO_V1(pg_ulid_friendly);
PG_FUNCTION_INFO_V1(pg_ulid_smaller);
PG_FUNCTION_INFO_V1(pg_ulid_larger);
PG_FUNCTION_INFO_V1(pg_ulid_from_bytea);
PG_FUNCTION_INFO_V1(pg_ulid_to_bytea);
PG_FUNCTION_INFO_V1(pg_ulid_from_timestamptz);
PG_FUNCTION_INFO_V1(pg_ulid_to_timestamptz);

uint64 unix_ms_of(TimestampTz moment) {
  int64 ms = 0;
  if (!TIMESTAMP_NOT_FINITE(moment)) {
    ms = moment / 1000;
    if (moment % 1000 < 0) ms -= 1;
    ms += UNIX_MS_OF_2000;
  }
  if (TIMESTAMP_NOT_FINITE(moment) || ms < 0 || ms > ULID_MS_MAX)
    ereport(ERROR, (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE), errmsg("no ID can say this time"),
                    errhint("IDs reach from 1970-01-01 to the year 10889.")));
  return (uint64)ms;
}

TimestampTz moment_of(int64 unix_ms) { return (unix_ms - UNIX_MS_OF_2000) * 1000; }

Datum pg_ulid_in(PG_FUNCTION_ARGS) {
  const char* text = PG_GETARG_CSTRING(0);
  const size_t size = strlen(text);
  uint8* id = palloc(ULID_SIZE);
  uint32 offset = 0;
  const int code = tessera_ulid_parse(text, size, id, &offset);
  if (code != TESSERA_OK) return refuse_text(fcinfo->context, code, "ulid", text, size, offset);
  PG_RETURN_POINTER(id);
}

Datum pg_ulid_out(PG_FUNCTION_ARGS) {
  char* text = palloc(TESSERA_ULID_TEXT_SIZE + 1);
  tessera_ulid_text((const uint8*)PG_GETARG_POINTER(0), text);
  text[TESSERA_ULID_TEXT_SIZE] = '\0';
  PG_RETURN_CSTRING(text);
}

/* What people type: hyphens, I L O, either case. A function and not the type's input, so that no
 * two spellings get into a table unseen. */
Datum pg_ulid_friendly(PG_FUNCTION_ARGS) {
  const text* typed = PG_GETARG_TEXT_PP(0);
  uint8* id = palloc(ULID_SIZE);
  uint32 offset = 0;
  const int code =
      tessera_ulid_parse_friendly(VARDATA_ANY(typed), VARSIZE_ANY_EXHDR(typed), id, &offset);
  if (code != TESSERA_OK)
    return refuse_text(NULL, code, "ulid", VARDATA_ANY(typed), VARSIZE_ANY_EXHDR(typed), offset);
  PG_RETURN_POINTER(id);
}

Datum pg_ulid_smaller(PG_FUNCTION_ARGS) {
  void* a = PG_GETARG_POINTER(0);
  void* b = PG_GETARG_POINTER(1);
  PG_RETURN_POINTER(memcmp(a, b, ULID_SIZE) <= 0 ? a : b);
}

Datum pg_ulid_larger(PG_FUNCTION_ARGS) {
  void* a = PG_GETARG_POINTER(0);
  void* b = PG_GETARG_POINTER(1);
  PG_RETURN_POINTER(memcmp(a, b, ULID_SIZE) >= 0 ? a : b);
}

Datum pg_ulid_from_bytea(PG_FUNCTION_ARGS) {
  const bytea* bytes = PG_GETARG_BYTEA_PP(0);
  uint8* id = NULL;
  if (VARSIZE_ANY_EXHDR(bytes) != ULID_SIZE)
    ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
                    errmsg("a ulid has 16 bytes, not %d", (int)VARSIZE_ANY_EXHDR(bytes))));
  id = palloc(ULID_SIZE);
  memcpy(id, VARDATA_ANY(bytes), ULID_SIZE);
  PG_RETURN_POINTER(id);
}

Datum pg_ulid_to_bytea(PG_FUNCTION_ARGS) {
  bytea* bytes = palloc(VARHDRSZ + ULID_SIZE);
  SET_VARSIZE(bytes, VARHDRSZ + ULID_SIZE);
  memcpy(VARDATA(bytes), PG_GETARG_POINTER(0), ULID_SIZE);
  PG_RETURN_BYTEA_P(bytes);
}

/* The smallest ULID of the millisecond, so that `id >= '2026-01-01'::timestamptz::ulid` says what
 * it seems to say. */
Datum pg_ulid_from_timestamptz(PG_FUNCTION_ARGS) {
  const uint64 ms = unix_ms_of(PG_GETARG_TIMESTAMPTZ(0));
  uint8* id = palloc0(ULID_SIZE);
  for (int i = 0; i < 6; ++i) id[i] = (uint8)(ms >> (40 - 8 * i));
  PG_RETURN_POINTER(id);
}

Datum pg_ulid_to_timestamptz(PG_FUNCTION_ARGS) {
  PG_RETURN_TIMESTAMPTZ(moment_of((int64)tessera_ulid_time_ms((const uint8*)PG_GETARG_POINTER(0))));
}
