/* The functions that read IDs, of kinds that are named by text: check, valid, inspect, time, range,
 * checksum, convert. Their answers are those of the program `tessera`. Those that look at the
 * clock to know what a text can be are STABLE, the others IMMUTABLE.
 */

#include "postgres.h"

#include "fault.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "ulid.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(pg_check_any);
PG_FUNCTION_INFO_V1(pg_check);
PG_FUNCTION_INFO_V1(pg_valid);
PG_FUNCTION_INFO_V1(pg_inspect);
PG_FUNCTION_INFO_V1(pg_time);
PG_FUNCTION_INFO_V1(pg_time_of_uuid);
PG_FUNCTION_INFO_V1(pg_range);
PG_FUNCTION_INFO_V1(pg_checksum);
PG_FUNCTION_INFO_V1(pg_convert);
PG_FUNCTION_INFO_V1(pg_new_by_name);
PG_FUNCTION_INFO_V1(pg_version);

typedef struct View {
  const char* data;
  size_t size;
} View;

static View view_of(FunctionCallInfo fcinfo, int n) {
  if (n >= PG_NARGS()) return (View){"", 0};
  const text* argument = PG_GETARG_TEXT_PP(n);
  return (View){VARDATA_ANY(argument), VARSIZE_ANY_EXHDR(argument)};
}

static Datum text_of(const char* data, size_t size) {
  return PointerGetDatum(cstring_to_text_with_len(data, (int)size));
}

static void refuse_kind(View what) pg_attribute_noreturn();
static void refuse_kind(View what) {
  ereport(
      ERROR,
      (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
       errmsg("\"%.*s\" is no kind of ID that this function takes, and no prefix",
              (int)Min(what.size, 100), what.data),
       errhint("Kinds are ulid, uuid, uuidv7, objectid, ksuid, snowflake, random, public, typeid; "
               "a prefix is ord or ord:checked.")));
}

/* An answer that is no answer: of the text, unless the call itself was wrong. */
static void refuse(int code, View what, View id, uint32 offset) pg_attribute_noreturn();
static void refuse(int code, View what, View id, uint32 offset) {
  if (code == TESSERA_BAD_ARGUMENT) refuse_kind(what);
  if (code == TESSERA_NO_ENTROPY || code == TESSERA_TIME_OUT_OF_RANGE) refuse_mint(code, "tessera");
  refuse_text(NULL, code, what.size > 0 ? pnstrdup(what.data, what.size) : "ID", id.data, id.size,
              offset);
  pg_unreachable();
}

static Datum verdict(int code, View what) {
  if (code == TESSERA_OK) return text_of("valid", 5);
  if (code == TESSERA_BAD_ARGUMENT) refuse_kind(what);
  if (code == TESSERA_NO_MEMORY) refuse_mint(code, "tessera_check");
  return PointerGetDatum(cstring_to_text(tessera_error_name(code)));
}

/* tessera_check(id): 'valid', or what is wrong. */
Datum pg_check_any(PG_FUNCTION_ARGS) {
  const View id = view_of(fcinfo, 0);
  return verdict(tessera_check_any(id.data, id.size, tessera_now_ms()), (View){"", 0});
}

static int check(FunctionCallInfo fcinfo) {
  const View id = view_of(fcinfo, 0);
  const View what = view_of(fcinfo, 1);
  const int flags = PG_GETARG_BOOL(2) ? TESSERA_STRICT : 0;
  return tessera_check(what.data, what.size, flags, id.data, id.size, NULL);
}

/* tessera_check(id, what, strict) */
Datum pg_check(PG_FUNCTION_ARGS) { return verdict(check(fcinfo), view_of(fcinfo, 1)); }

/* tessera_valid(id, what, strict) */
Datum pg_valid(PG_FUNCTION_ARGS) {
  const int code = check(fcinfo);
  if (code == TESSERA_BAD_ARGUMENT) refuse_kind(view_of(fcinfo, 1));
  if (code == TESSERA_NO_MEMORY) refuse_mint(code, "tessera_valid");
  PG_RETURN_BOOL(code == TESSERA_OK);
}

/* tessera_inspect(id), (id, as) */
Datum pg_inspect(PG_FUNCTION_ARGS) {
  const View id = view_of(fcinfo, 0);
  const View as = view_of(fcinfo, 1);
  char* utf8 = pg_server_to_any(id.data, (int)id.size, PG_UTF8);
  const size_t utf8_size = utf8 == id.data ? id.size : strlen(utf8);
  const uint64 now_ms = tessera_now_ms();
  size_t capacity = 8192;
  size_t size = 0;
  char* json = palloc(capacity + 1);
  int code = tessera_inspect(as.data, as.size, utf8, utf8_size, now_ms, json, capacity, &size);
  if (code == TESSERA_BUFFER_TOO_SMALL) {
    capacity = size;
    json = palloc(capacity + 1);
    code = tessera_inspect(as.data, as.size, utf8, utf8_size, now_ms, json, capacity, &size);
  }
  if (code != TESSERA_OK) refuse(code, as, id, 0);
  json[size] = '\0';
  return DirectFunctionCall1(jsonb_in, CStringGetDatum(pg_any_to_server(json, (int)size, PG_UTF8)));
}

/* tessera_time(id), (id, what): NULL where the kind has none. */
Datum pg_time(PG_FUNCTION_ARGS) {
  const View id = view_of(fcinfo, 0);
  const View what = view_of(fcinfo, 1);
  int64 time_ms = 0;
  uint32 offset = 0;
  const int code = tessera_time_ms(what.data, what.size, id.data, id.size, &time_ms, &offset);
  if (code == TESSERA_NO_TIME) PG_RETURN_NULL();
  if (code != TESSERA_OK) refuse(code, what, id, offset);
  PG_RETURN_TIMESTAMPTZ(moment_of(time_ms));
}

Datum pg_time_of_uuid(PG_FUNCTION_ARGS) {
  int64 time_ms = 0;
  if (tessera_uuid_time_ms((const uint8*)PG_GETARG_POINTER(0), &time_ms) != TESSERA_OK)
    PG_RETURN_NULL();
  PG_RETURN_TIMESTAMPTZ(moment_of(time_ms));
}

/* tessera_range(what, from, to): smallest, largest */
Datum pg_range(PG_FUNCTION_ARGS) {
  const View what = view_of(fcinfo, 0);
  const uint64 from_ms = unix_ms_of(PG_GETARG_TIMESTAMPTZ(1));
  const uint64 to_ms = unix_ms_of(PG_GETARG_TIMESTAMPTZ(2));
  char smallest[TESSERA_TEXT_SIZE_MAX];
  char largest[TESSERA_TEXT_SIZE_MAX];
  size_t size = 0;
  TupleDesc row = NULL;
  Datum values[2];
  bool nulls[2] = {false, false};
  const int code = tessera_range(what.data, what.size, from_ms, to_ms, smallest, largest, &size);
  if (code == TESSERA_BAD_ARGUMENT) refuse_kind(what);
  if (code == TESSERA_NO_TIME)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("\"%.*s\" has no range: %s", (int)Min(what.size, 100), what.data,
                           tessera_error_phrase(code))));
  if (code == TESSERA_NO_MEMORY) refuse_mint(code, "tessera_range");
  if (code != TESSERA_OK)
    ereport(ERROR, (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
                    errmsg("there is no \"%.*s\" in this span of time", (int)Min(what.size, 100),
                           what.data),
                    errhint("It must end after it begins, and the kind must reach that far.")));
  if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
    elog(ERROR, "tessera_range returns two values");
  values[0] = text_of(smallest, size);
  values[1] = text_of(largest, size);
  PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls)));
}

/* tessera_checksum(text), (text, bits), (text, bits, count). Those of a public ID are two. */
Datum pg_checksum(PG_FUNCTION_ARGS) {
  const View id = view_of(fcinfo, 0);
  const bool is_public = memchr(id.data, '_', id.size) != NULL;
  const int32 bits = PG_GETARG_INT32(1);
  const int32 count = PG_GETARG_INT32(2) != 0 ? PG_GETARG_INT32(2) : is_public ? 2 : 1;
  char out[3];
  uint32 offset = 0;
  if (bits < 0 || bits > 512 || count < 1 || count > 3)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("a checksum is of 1 to 512 bits and has 1 to 3 symbols, 0 for the usual")));
  const int code =
      tessera_checksum(id.data, id.size, (unsigned)bits, (unsigned)count, out, &offset);
  if (code == TESSERA_BAD_ARGUMENT)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("the checksum of a public ID has 2 symbols")));
  if (code != TESSERA_OK) refuse(code, (View){"", 0}, id, offset);
  return text_of(out, (size_t)count);
}

/* tessera_convert(id, to), (id, to, from) */
Datum pg_convert(PG_FUNCTION_ARGS) {
  const View id = view_of(fcinfo, 0);
  const View to = view_of(fcinfo, 1);
  const View from = view_of(fcinfo, 2);
  char out[TESSERA_TEXT_SIZE_MAX];
  size_t size = 0;
  uint32 offset = 0;
  if (to.size == 5 && memcmp(to.data, "bytes", 5) == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("bytes are no text"),
                    errhint("decode(tessera_convert(id, 'hex'), 'hex') makes a bytea of them.")));
  const int code =
      tessera_convert(from.data, from.size, to.data, to.size, id.data, id.size,
                      from.size == 0 ? tessera_now_ms() : 0, out, sizeof out, &size, &offset);
  if (code == TESSERA_BAD_ARGUMENT)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("cannot convert to \"%.*s\"", (int)Min(to.size, 100), to.data),
                    errhint("Forms are ulid, uuid, hex, base32, base36, base62, base58, base64url, "
                            "int, crockford, typeid.")));
  if (code != TESSERA_OK) refuse(code, from, id, offset);
  return text_of(out, size);
}

/* tessera_new(what) */
Datum pg_new_by_name(PG_FUNCTION_ARGS) {
  const View what = view_of(fcinfo, 0);
  char out[TESSERA_TEXT_SIZE_MAX];
  size_t size = 0;
  const int code = tessera_new(what.data, what.size, out, sizeof out, &size);
  if (code == TESSERA_BAD_ARGUMENT) refuse_kind(what);
  if (code != TESSERA_OK) refuse_mint(code, "tessera_new");
  return text_of(out, size);
}

Datum pg_version(PG_FUNCTION_ARGS) { PG_RETURN_TEXT_P(cstring_to_text(tessera_version())); }
