/* The type public_id: ord_01J9ZQ4V7M8N2P5R6S7T8V9W0X.
 *
 *    | length | style: 2 bits, size of the prefix: 6 bits | prefix | body: 16 bytes |
 *
 * 21 bytes for `ord`, where the text has 31 and more. The prefix is in the value, since neither an
 * output function nor an index is told the column's modifier. Check symbols are not kept: they are
 * proved on the way in and computed on the way out.
 *
 * Values sort as their texts do by bytes. Within one prefix and style, which is what a column
 * has, that is the order of the bodies. One text has one value: a TypeID whose body has digits only
 * has the same text as a public ID of style ulid, and is kept as one.
 */

#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "fault.h"
#include "libpq/pqformat.h"
#include "ulid.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/sortsupport.h"
#include "utils/timestamp.h"

#define PREFIX_SIZE_MAX 63
#define PACKED_SIZE_MAX (1 + PREFIX_SIZE_MAX + ULID_SIZE)

/* A modifier is 31 bits: the style, and six characters of 28: none, a to z, _. */
#define MODIFIER_PREFIX_MAX 6
#define MODIFIER_CHARACTERS 28
#define MODIFIER_PREFIXES 481890304 /* 28^6 */

PG_FUNCTION_INFO_V1(pg_public_id_in);
PG_FUNCTION_INFO_V1(pg_public_id_out);
PG_FUNCTION_INFO_V1(pg_public_id_recv);
PG_FUNCTION_INFO_V1(pg_public_id_send);
PG_FUNCTION_INFO_V1(pg_public_id_typmod_in);
PG_FUNCTION_INFO_V1(pg_public_id_typmod_out);
PG_FUNCTION_INFO_V1(pg_public_id_enforce);
PG_FUNCTION_INFO_V1(pg_public_id_lt);
PG_FUNCTION_INFO_V1(pg_public_id_le);
PG_FUNCTION_INFO_V1(pg_public_id_eq);
PG_FUNCTION_INFO_V1(pg_public_id_ne);
PG_FUNCTION_INFO_V1(pg_public_id_ge);
PG_FUNCTION_INFO_V1(pg_public_id_gt);
PG_FUNCTION_INFO_V1(pg_public_id_cmp);
PG_FUNCTION_INFO_V1(pg_public_id_sortsupport);
PG_FUNCTION_INFO_V1(pg_public_id_hash);
PG_FUNCTION_INFO_V1(pg_public_id_hash_extended);
PG_FUNCTION_INFO_V1(pg_public_id_smaller);
PG_FUNCTION_INFO_V1(pg_public_id_larger);
PG_FUNCTION_INFO_V1(pg_public_id_new);
PG_FUNCTION_INFO_V1(pg_public_id_from_body);
PG_FUNCTION_INFO_V1(pg_public_id_prefix);
PG_FUNCTION_INFO_V1(pg_public_id_style);
PG_FUNCTION_INFO_V1(pg_public_id_body);
PG_FUNCTION_INFO_V1(pg_public_id_to_timestamptz);

static const char* const style_names[] = {"ulid", "typeid", "base36", "checked"};

/* A value, taken apart. The pointers are into it. */
typedef struct Parts {
  int style;
  size_t prefix_size;
  const char* prefix;
  const uint8* body;
} Parts;

static Parts parts_of(const void* value) {
  const uint8* data = (const uint8*)VARDATA_ANY(value);
  const size_t prefix_size = data[0] & 0x3F;
  /* Only we write these; another size can be nothing but a broken disk. */
  if (VARSIZE_ANY_EXHDR(value) != 1 + prefix_size + ULID_SIZE)
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("a public_id of a wrong size")));
  return (Parts){data[0] >> 6, prefix_size, (const char*)data + 1, data + 1 + prefix_size};
}

static Parts parts_of_argument(FunctionCallInfo fcinfo, int n) {
  return parts_of(PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(n)));
}

static void* value_of(int style, const char* prefix, size_t prefix_size, const uint8* body) {
  const size_t size = VARHDRSZ + 1 + prefix_size + ULID_SIZE;
  char* value = palloc(size);
  SET_VARSIZE(value, size);
  value[VARHDRSZ] = (char)(style << 6 | (int)prefix_size);
  memcpy(value + VARHDRSZ + 1, prefix, prefix_size);
  memcpy(value + VARHDRSZ + 1 + prefix_size, body, ULID_SIZE);
  return value;
}

/* Returns the size. A prefix that is none was refused long before. */
static size_t write_text(const Parts* parts, char out[TESSERA_PUBLIC_ID_TEXT_SIZE_MAX]) {
  size_t size = 0;
  const int code = tessera_public_id_text(parts->prefix, parts->prefix_size, parts->style,
                                          parts->body, out, TESSERA_PUBLIC_ID_TEXT_SIZE_MAX, &size);
  if (code != TESSERA_OK)
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("a public_id that has no text")));
  return size;
}

/* TypeIDs of digits only: see the top. */
static int style_to_keep(const Parts* parts) {
  char out[TESSERA_PUBLIC_ID_TEXT_SIZE_MAX];
  if (parts->style != TESSERA_STYLE_TYPEID || parts->prefix_size == 0) return parts->style;
  const size_t size = write_text(parts, out);
  for (size_t i = parts->prefix_size + 1; i < size; ++i)
    if (out[i] > '9') return TESSERA_STYLE_TYPEID;
  return TESSERA_STYLE_ULID;
}

/* What is behind the last '_', which no body has; all, if there is none. */
static size_t body_size_of(const char* text, size_t size) {
  static const size_t usual_sizes[] = {26, 28, 25};
  size_t body_size = 0;
  for (size_t i = 0; i < lengthof(usual_sizes); ++i) {
    const size_t usual = usual_sizes[i];
    if (size > usual && text[size - usual - 1] == '_' &&
        memchr(text + size - usual, '_', usual) == NULL)
      return usual;
  }
  while (body_size < size && text[size - 1 - body_size] != '_') ++body_size;
  return body_size;
}

/* The style that a text has, by its looks; whether it is one of that style is for the parser. */
static int style_of_text(const char* text, size_t size) {
  const size_t body_size = body_size_of(text, size);
  bool lower = false;
  if (body_size == 25) return TESSERA_STYLE_BASE36;
  if (body_size == 28) return TESSERA_STYLE_CHECKED;
  if (body_size == size) return TESSERA_STYLE_TYPEID;
  for (const char* c = text + size - body_size; c < text + size; ++c) {
    if (*c >= 'A' && *c <= 'Z') return TESSERA_STYLE_ULID;
    lower |= *c >= 'a' && *c <= 'z';
  }
  return lower ? TESSERA_STYLE_TYPEID : TESSERA_STYLE_ULID;
}

/* --- modifiers: public_id('ord'), public_id('ord', 'checked') --- */

typedef struct Modifier {
  int style;
  size_t prefix_size;
  char prefix[MODIFIER_PREFIX_MAX];
} Modifier;

/* Anybody may ask what any number means as a modifier. */
static Modifier modifier_of(int32 typmod) {
  Modifier modifier = {typmod / MODIFIER_PREFIXES, 0, {0}};
  bool good = typmod >= 0 && modifier.style < (int)lengthof(style_names);
  for (int32 rest = typmod % MODIFIER_PREFIXES; good && rest > 0; rest /= MODIFIER_CHARACTERS) {
    const int32 c = rest % MODIFIER_CHARACTERS;
    modifier.prefix[modifier.prefix_size++] = c == 27 ? '_' : (char)('a' + c - 1);
    good = c != 0;
  }
  if (!good)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%d is no modifier of public_id", typmod)));
  return modifier;
}

/* Of a good prefix, not longer than one may be in a modifier. */
static int32 modifier_number(int style, const char* prefix, size_t size) {
  int32 number = 0;
  for (size_t i = size; i-- > 0;)
    number = number * MODIFIER_CHARACTERS + (prefix[i] == '_' ? 27 : prefix[i] - 'a' + 1);
  return style * MODIFIER_PREFIXES + number;
}

static int style_named(const char* name, size_t size) {
  for (int style = 0; style < (int)lengthof(style_names); ++style)
    if (strlen(style_names[style]) == size && memcmp(style_names[style], name, size) == 0)
      return style;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("no style \"%.*s\" of public IDs", (int)Min(size, 40), name),
                  errhint("Styles are ulid, typeid, base36 and checked.")));
}

static void check_prefix(const char* prefix, size_t size, int style) {
  static const uint8 body[ULID_SIZE] = {0};
  char out[TESSERA_PUBLIC_ID_TEXT_SIZE_MAX];
  size_t out_size = 0;
  if (tessera_public_id_text(prefix, size, style, body, out, sizeof out, &out_size) != TESSERA_OK)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("\"%.*s\" cannot be the prefix of public IDs", (int)Min(size, 100), prefix),
             errhint("%s", tessera_error_hint(TESSERA_INVALID_PREFIX))));
}

Datum pg_public_id_typmod_in(PG_FUNCTION_ARGS) {
  Datum* words = NULL;
  int count = 0;
  int style = TESSERA_STYLE_ULID;
  deconstruct_array(PG_GETARG_ARRAYTYPE_P(0), CSTRINGOID, -2, false, TYPALIGN_CHAR, &words, NULL,
                    &count);
  if (count < 1 || count > 2)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("public_id has a prefix and a style: public_id('ord', 'checked')")));
  const char* prefix = DatumGetCString(words[0]);
  const size_t size = strlen(prefix);
  if (count == 2) style = style_named(DatumGetCString(words[1]), strlen(DatumGetCString(words[1])));
  if (size == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("the prefix of a type must not be empty")));
  check_prefix(prefix, size, style);
  if (size > MODIFIER_PREFIX_MAX)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("\"%s\" is too long for a modifier, which has room for %d characters", prefix,
                    MODIFIER_PREFIX_MAX),
             errhint("Use a domain: CREATE DOMAIN %s_id AS public_id CHECK (tessera_prefix(VALUE) "
                     "= '%s').",
                     prefix, prefix)));
  PG_RETURN_INT32(modifier_number(style, prefix, size));
}

Datum pg_public_id_typmod_out(PG_FUNCTION_ARGS) {
  const int32 typmod = PG_GETARG_INT32(0);
  if (typmod < 0) PG_RETURN_CSTRING(pstrdup(""));
  const Modifier modifier = modifier_of(typmod);
  if (modifier.style == TESSERA_STYLE_ULID)
    PG_RETURN_CSTRING(psprintf("('%.*s')", (int)modifier.prefix_size, modifier.prefix));
  PG_RETURN_CSTRING(psprintf("('%.*s','%s')", (int)modifier.prefix_size, modifier.prefix,
                             style_names[modifier.style]));
}

static bool fits(const Parts* parts, int32 typmod) {
  /* It does, as a rule, and to make the number is less work than to take it apart. */
  if (parts->prefix_size <= MODIFIER_PREFIX_MAX &&
      modifier_number(parts->style, parts->prefix, parts->prefix_size) == typmod)
    return true;
  const Modifier modifier = modifier_of(typmod);
  if (parts->prefix_size != modifier.prefix_size ||
      memcmp(parts->prefix, modifier.prefix, modifier.prefix_size) != 0)
    return false;
  if (parts->style == modifier.style) return true;
  const Parts wanted = {modifier.style, parts->prefix_size, parts->prefix, parts->body};
  return parts->style == style_to_keep(&wanted);
}

static Datum refuse_modifier(Node* context, const Parts* parts, int32 typmod) {
  const Modifier modifier = modifier_of(typmod);
  char out[TESSERA_PUBLIC_ID_TEXT_SIZE_MAX];
  const size_t size = write_text(parts, out);
  ereturn(context, (Datum)0,
          (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
           errmsg("\"%.*s\" is not a public ID of prefix \"%.*s\" and style %s", (int)size, out,
                  (int)modifier.prefix_size, modifier.prefix, style_names[modifier.style])));
}

/* --- input and output --- */

static Datum parse(Node* context, const char* text, size_t size, int32 typmod) {
  uint8 body[ULID_SIZE];
  uint32 offset = 0;
  Parts parts = {TESSERA_STYLE_ULID, 0, text, body};
  parts.style = typmod >= 0 ? modifier_of(typmod).style : style_of_text(text, size);
  const int code =
      tessera_public_id_parse(text, size, parts.style, body, &parts.prefix_size, &offset);
  if (code != TESSERA_OK) return refuse_text(context, code, "public_id", text, size, offset);
  parts.style = style_to_keep(&parts);
  if (typmod >= 0 && !fits(&parts, typmod)) return refuse_modifier(context, &parts, typmod);
  return PointerGetDatum(value_of(parts.style, parts.prefix, parts.prefix_size, body));
}

Datum pg_public_id_in(PG_FUNCTION_ARGS) {
  const char* text = PG_GETARG_CSTRING(0);
  return parse(fcinfo->context, text, strlen(text), PG_GETARG_INT32(2));
}

Datum pg_public_id_out(PG_FUNCTION_ARGS) {
  const Parts parts = parts_of_argument(fcinfo, 0);
  char* out = palloc(TESSERA_PUBLIC_ID_TEXT_SIZE_MAX + 1);
  out[write_text(&parts, out)] = '\0';
  PG_RETURN_CSTRING(out);
}

/* On the wire it is its text, also in binary: a driver that knows no public_id takes it for text,
 * and what comes in is proved as any other. */
Datum pg_public_id_recv(PG_FUNCTION_ARGS) {
  StringInfo message = (StringInfo)PG_GETARG_POINTER(0);
  int size = 0;
  const char* text = pq_getmsgtext(message, message->len - message->cursor, &size);
  return parse(NULL, text, (size_t)size, PG_GETARG_INT32(2));
}

Datum pg_public_id_send(PG_FUNCTION_ARGS) {
  const Parts parts = parts_of_argument(fcinfo, 0);
  char out[TESSERA_PUBLIC_ID_TEXT_SIZE_MAX];
  StringInfoData message;
  const size_t size = write_text(&parts, out);
  pq_begintypsend(&message);
  pq_sendtext(&message, out, (int)size);
  PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}

/* A value that goes into a column with a modifier. */
Datum pg_public_id_enforce(PG_FUNCTION_ARGS) {
  const int32 typmod = PG_GETARG_INT32(1);
  const Parts parts = parts_of_argument(fcinfo, 0);
  if (typmod >= 0 && !fits(&parts, typmod)) return refuse_modifier(NULL, &parts, typmod);
  PG_RETURN_DATUM(PG_GETARG_DATUM(0));
}

/* --- order --- */

static int compare_texts(const Parts* a, const Parts* b) {
  char text_a[TESSERA_PUBLIC_ID_TEXT_SIZE_MAX];
  char text_b[TESSERA_PUBLIC_ID_TEXT_SIZE_MAX];
  const size_t size_a = write_text(a, text_a);
  const size_t size_b = write_text(b, text_b);
  const int order = memcmp(text_a, text_b, Min(size_a, size_b));
  if (order != 0) return order;
  return (size_a > size_b) - (size_a < size_b);
}

static int compare(Datum x, Datum y) {
  const void* value_x = PG_DETOAST_DATUM_PACKED(x);
  const void* value_y = PG_DETOAST_DATUM_PACKED(y);
  const Parts a = parts_of(value_x);
  const Parts b = parts_of(value_y);
  const bool same_kind = a.style == b.style && a.prefix_size == b.prefix_size &&
                         memcmp(a.prefix, b.prefix, a.prefix_size) == 0;
  const int order = same_kind ? memcmp(a.body, b.body, ULID_SIZE) : compare_texts(&a, &b);
  if ((Pointer)value_x != DatumGetPointer(x)) pfree(unconstify(void*, value_x));
  if ((Pointer)value_y != DatumGetPointer(y)) pfree(unconstify(void*, value_y));
  return order;
}

static int compare_arguments(FunctionCallInfo fcinfo) {
  return compare(PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
}

Datum pg_public_id_lt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) < 0); }
Datum pg_public_id_le(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) <= 0); }
Datum pg_public_id_eq(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) == 0); }
Datum pg_public_id_ne(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) != 0); }
Datum pg_public_id_ge(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) >= 0); }
Datum pg_public_id_gt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) > 0); }
Datum pg_public_id_cmp(PG_FUNCTION_ARGS) { PG_RETURN_INT32(compare_arguments(fcinfo)); }

static int compare_to_sort(Datum x, Datum y, SortSupport unused) {
  (void)unused;
  return compare(x, y);
}

/* Without abbreviated keys: the prefix of a column is always the same, so the first bytes would
 * tell nothing. */
Datum pg_public_id_sortsupport(PG_FUNCTION_ARGS) {
  SortSupport support = (SortSupport)PG_GETARG_POINTER(0);
  support->comparator = compare_to_sort;
  PG_RETURN_VOID();
}

Datum pg_public_id_smaller(PG_FUNCTION_ARGS) {
  PG_RETURN_DATUM(PG_GETARG_DATUM(compare_arguments(fcinfo) <= 0 ? 0 : 1));
}

Datum pg_public_id_larger(PG_FUNCTION_ARGS) {
  PG_RETURN_DATUM(PG_GETARG_DATUM(compare_arguments(fcinfo) >= 0 ? 0 : 1));
}

Datum pg_public_id_hash(PG_FUNCTION_ARGS) {
  const void* value = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(0));
  return hash_any((const unsigned char*)VARDATA_ANY(value), (int)VARSIZE_ANY_EXHDR(value));
}

Datum pg_public_id_hash_extended(PG_FUNCTION_ARGS) {
  const void* value = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(0));
  return hash_any_extended((const unsigned char*)VARDATA_ANY(value), (int)VARSIZE_ANY_EXHDR(value),
                           (uint64)PG_GETARG_INT64(1));
}

/* --- making them, and taking them apart --- */

/* What a call site was asked for last, and found good. */
typedef struct LastKind {
  int style;
  int prefix_size;
  int name_size;
  char prefix[PREFIX_SIZE_MAX];
  char name[16];
} LastKind;

static bool is_same(const text* words, const char* other, int size) {
  return (int)VARSIZE_ANY_EXHDR(words) == size &&
         memcmp(VARDATA_ANY(words), other, (size_t)size) == 0;
}

static const LastKind* kind_of(FunctionCallInfo fcinfo, const text* prefix, const text* style) {
  LastKind* last = fcinfo->flinfo->fn_extra;
  if (last != NULL && is_same(prefix, last->prefix, last->prefix_size) &&
      is_same(style, last->name, last->name_size))
    return last;
  const size_t size = VARSIZE_ANY_EXHDR(prefix);
  const int number = style_named(VARDATA_ANY(style), VARSIZE_ANY_EXHDR(style));
  check_prefix(VARDATA_ANY(prefix), size, number);
  if (last == NULL) last = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof *last);
  last->style = number;
  last->prefix_size = (int)size;
  memcpy(last->prefix, VARDATA_ANY(prefix), size);
  last->name_size = (int)VARSIZE_ANY_EXHDR(style);
  memcpy(last->name, VARDATA_ANY(style), (size_t)last->name_size);
  fcinfo->flinfo->fn_extra = last;
  return last;
}

static Datum keep(const LastKind* kind, const uint8* body) {
  const Parts parts = {kind->style, (size_t)kind->prefix_size, kind->prefix, body};
  return PointerGetDatum(
      value_of(style_to_keep(&parts), parts.prefix, parts.prefix_size, parts.body));
}

Datum pg_public_id_new(PG_FUNCTION_ARGS) {
  const LastKind* kind = kind_of(fcinfo, PG_GETARG_TEXT_PP(0), PG_GETARG_TEXT_PP(1));
  const bool ulid = kind->style == TESSERA_STYLE_ULID || kind->style == TESSERA_STYLE_CHECKED;
  uint8 body[ULID_SIZE];
  if (ulid) {
    next_ulid(body);
  } else {
    next_uuid7(body);
  }
  return keep(kind, body);
}

Datum pg_public_id_from_body(PG_FUNCTION_ARGS) {
  const LastKind* kind = kind_of(fcinfo, PG_GETARG_TEXT_PP(0), PG_GETARG_TEXT_PP(2));
  return keep(kind, (const uint8*)PG_GETARG_POINTER(1));
}

Datum pg_public_id_prefix(PG_FUNCTION_ARGS) {
  const Parts parts = parts_of_argument(fcinfo, 0);
  PG_RETURN_TEXT_P(cstring_to_text_with_len(parts.prefix, (int)parts.prefix_size));
}

Datum pg_public_id_style(PG_FUNCTION_ARGS) {
  const Parts parts = parts_of_argument(fcinfo, 0);
  PG_RETURN_TEXT_P(cstring_to_text(style_names[parts.style]));
}

Datum pg_public_id_body(PG_FUNCTION_ARGS) {
  const Parts parts = parts_of_argument(fcinfo, 0);
  uint8* id = palloc(ULID_SIZE);
  memcpy(id, parts.body, ULID_SIZE);
  PG_RETURN_POINTER(id);
}

/* ULIDs and UUIDs of version 7 begin with the same 48 bits of time. */
Datum pg_public_id_to_timestamptz(PG_FUNCTION_ARGS) {
  const Parts parts = parts_of_argument(fcinfo, 0);
  PG_RETURN_TIMESTAMPTZ(moment_of((int64)tessera_ulid_time_ms(parts.body)));
}
