/* The functions that make IDs. */

#include "postgres.h"

#include "catalog/pg_type.h"
#include "fault.h"
#include "ordered.h"
#include "ulid.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define BLOCK_COUNT_MAX 1000000

PG_FUNCTION_INFO_V1(pg_new_ulid);
PG_FUNCTION_INFO_V1(pg_new_ulid_ordered);
PG_FUNCTION_INFO_V1(pg_new_uuid4);
PG_FUNCTION_INFO_V1(pg_new_uuid7);
PG_FUNCTION_INFO_V1(pg_new_uuid7_ordered);
PG_FUNCTION_INFO_V1(pg_new_objectid);
PG_FUNCTION_INFO_V1(pg_new_ksuid);
PG_FUNCTION_INFO_V1(pg_new_snowflake);
PG_FUNCTION_INFO_V1(pg_new_random);
PG_FUNCTION_INFO_V1(pg_new_ulids);
PG_FUNCTION_INFO_V1(pg_new_ulids_ordered);
PG_FUNCTION_INFO_V1(pg_new_uuid7s_ordered);

Datum pg_new_ulid(PG_FUNCTION_ARGS) {
  uint8* id = palloc(ULID_SIZE);
  next_ulid(id);
  PG_RETURN_POINTER(id);
}

Datum pg_new_uuid7(PG_FUNCTION_ARGS) {
  uint8* id = palloc(ULID_SIZE);
  next_uuid7(id);
  PG_RETURN_POINTER(id);
}

Datum pg_new_uuid4(PG_FUNCTION_ARGS) {
  uint8* id = palloc(ULID_SIZE);
  const int code = tessera_uuid_new(4, id);
  if (unlikely(code != TESSERA_OK)) refuse_mint(code, "tessera_uuid4");
  PG_RETURN_POINTER(id);
}

static void write_big_endian(uint8* out, uint64 value, int size) {
  for (int i = size; i-- > 0; value >>= 8) out[i] = (uint8)value;
}

/*    | ms: 48 | count: 18 | random: 62 |      `tail` is 8 random bytes already, its top is written
 * over */
static void write_ulid(uint8* id, uint64 taken) {
  const uint64 top = taken >> 2; /* ms and the upper 16 bits of the count */
  write_big_endian(id, top, 8);
  id[8] = (uint8)((id[8] & 0x3F) | (taken & 3) << 6);
}

/*    | ms: 48 | 7 | count: 12 | 2 | count: 6 | random: 56 | */
static void write_uuid7(uint8* id, uint64 taken) {
  write_big_endian(id, taken >> ORDER_COUNT_BITS, 6);
  id[6] = (uint8)(0x70 | ((taken >> 14) & 0x0F));
  id[7] = (uint8)(taken >> 6);
  id[8] = (uint8)(0x80 | (taken & 0x3F));
}

typedef void (*WriteOrdered)(uint8* id, uint64 taken);

static Datum new_ordered(FunctionCallInfo fcinfo, WriteOrdered write) {
  OrderSlot* slot = order_slot(fcinfo);
  uint8* id = palloc(ULID_SIZE);
  if (unlikely(tessera_random_bytes(id + 8, 8) != TESSERA_OK))
    refuse_mint(TESSERA_NO_ENTROPY, "ordered ID");
  write(id, order_take(slot, 1));
  PG_RETURN_POINTER(id);
}

Datum pg_new_ulid_ordered(PG_FUNCTION_ARGS) { return new_ordered(fcinfo, write_ulid); }
Datum pg_new_uuid7_ordered(PG_FUNCTION_ARGS) { return new_ordered(fcinfo, write_uuid7); }

static Datum text_of(const char* id, size_t size) {
  return PointerGetDatum(cstring_to_text_with_len(id, (int)size));
}

Datum pg_new_objectid(PG_FUNCTION_ARGS) {
  uint8 id[12];
  char out[TESSERA_OBJECTID_TEXT_SIZE];
  const int code = tessera_objectid_new(id);
  if (code != TESSERA_OK) refuse_mint(code, "tessera_objectid");
  tessera_objectid_text(id, out);
  return text_of(out, sizeof out);
}

Datum pg_new_ksuid(PG_FUNCTION_ARGS) {
  uint8 id[20];
  char out[TESSERA_KSUID_TEXT_SIZE];
  const int code = tessera_ksuid_new(id);
  if (code != TESSERA_OK) refuse_mint(code, "tessera_ksuid");
  tessera_ksuid_text(id, out);
  return text_of(out, sizeof out);
}

/* Of layout `twitter`. The counter is one for all connections and survives a restart, as that of
 * ordered IDs: two connections with one machine number never make one ID twice. */
Datum pg_new_snowflake(PG_FUNCTION_ARGS) {
  const int32 machine = PG_GETARG_INT32(0);
  uint64 epoch_ms = 0;
  uint64 taken = 0;
  if (machine < 0 || machine > 1023)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("machine number %d is not in 0 to 1023", machine)));
  (void)tessera_snowflake_time_ms("twitter", 0, &epoch_ms);
  taken = order_take_snowflake(order_slot(fcinfo));
  const uint64 time = (taken >> SNOWFLAKE_COUNT_BITS) - epoch_ms;
  if (taken >> SNOWFLAKE_COUNT_BITS < epoch_ms || time >> 41 != 0)
    refuse_mint(TESSERA_TIME_OUT_OF_RANGE, "tessera_snowflake");
  PG_RETURN_INT64((int64)(time << 22 | (uint64)machine << 12 | (taken & 0xFFF)));
}

Datum pg_new_random(PG_FUNCTION_ARGS) {
  const int32 bits = PG_GETARG_INT32(0);
  char out[128];
  size_t size = 0;
  const int code = bits < 1 ? TESSERA_BAD_ARGUMENT
                            : tessera_random_new((unsigned)bits, 1, out, sizeof out, &size);
  if (code == TESSERA_BAD_ARGUMENT)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%d bits are not in 1 to 512", bits)));
  if (code != TESSERA_OK) refuse_mint(code, "tessera_random");
  return text_of(out, size);
}

/* An array of `count` elements of 16 bytes, of the type that the function returns; where they
 * begin is in `*first`. */
static ArrayType* new_array(FunctionCallInfo fcinfo, int32 count, uint8** first) {
  const Oid element = get_element_type(get_func_rettype(fcinfo->flinfo->fn_oid));
  ArrayType* array = NULL;
  if (count < 0 || count > BLOCK_COUNT_MAX)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("a block has 0 to %d IDs, not %d", BLOCK_COUNT_MAX, count)));
  *first = NULL;
  if (count == 0) return construct_empty_array(element);
  const Size size = ARR_OVERHEAD_NONULLS(1) + (Size)count * ULID_SIZE;
  array = palloc(size);
  SET_VARSIZE(array, size);
  array->ndim = 1;
  array->dataoffset = 0;
  array->elemtype = element;
  ARR_DIMS(array)[0] = count;
  ARR_LBOUND(array)[0] = 1;
  *first = (uint8*)ARR_DATA_PTR(array);
  return array;
}

Datum pg_new_ulids(PG_FUNCTION_ARGS) {
  const int32 count = PG_GETARG_INT32(0);
  uint8* ids = NULL;
  ArrayType* array = new_array(fcinfo, count, &ids);
  const int code = count > 0 ? tessera_ulid_new_many(ids, (size_t)count) : TESSERA_OK;
  if (code != TESSERA_OK) refuse_mint(code, "tessera_ulids");
  PG_RETURN_POINTER(array);
}

/* One step of the shared counter for the whole block. */
static Datum new_ordered_block(FunctionCallInfo fcinfo, WriteOrdered write) {
  const int32 count = PG_GETARG_INT32(0);
  uint8* ids = NULL;
  ArrayType* array = new_array(fcinfo, count, &ids);
  uint64 taken = 0;
  if (count == 0) PG_RETURN_POINTER(array);
  if (tessera_random_bytes(ids, (Size)count * ULID_SIZE) != TESSERA_OK)
    refuse_mint(TESSERA_NO_ENTROPY, "ordered IDs");
  taken = order_take(order_slot(fcinfo), (uint64)count);
  for (int32 i = 0; i < count; ++i) write(ids + (Size)i * ULID_SIZE, taken + (uint64)i);
  PG_RETURN_POINTER(array);
}

Datum pg_new_ulids_ordered(PG_FUNCTION_ARGS) { return new_ordered_block(fcinfo, write_ulid); }
Datum pg_new_uuid7s_ordered(PG_FUNCTION_ARGS) { return new_ordered_block(fcinfo, write_uuid7); }
