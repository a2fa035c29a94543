/* tessera_next_long(scope): numbers without gaps to speak of, and never one twice.
 *
 * A scope is a sequence, tessera_scope_<name>, beside the functions. A connection takes as many
 * numbers at a time as the sequence's CACHE says, writes that down at once (durable.h), and hands
 * them out from its own memory. What it has left when it ends is a gap.
 *
 * nextval() on such a sequence would do nearly the same, but it may give a number again that was
 * returned before a crash by a transaction that had not committed, and it is not allowed in
 * read-only transactions.
 */

#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_sequence.h"
#include "durable.h"
#include "fault.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#define SCOPE_PREFIX "tessera_scope_"
#define SCOPE_SIZE_MAX (NAMEDATALEN - (int)sizeof(SCOPE_PREFIX))

PG_FUNCTION_INFO_V1(pg_next_long);

/* Numbers of this connection: from `next` to before `end`. */
typedef struct Range {
  Oid sequence;
  int64 next;
  int64 left;
} Range;

/* The scope that a call site asked for last. */
typedef struct LastScope {
  Range* range;
  int size;
  char name[NAMEDATALEN];
} LastScope;

static HTAB* ranges = NULL;

static Oid sequence_of(FunctionCallInfo fcinfo, const char* scope, int size) {
  char name[NAMEDATALEN] = SCOPE_PREFIX;
  Oid sequence = InvalidOid;
  if (size > 0 && size <= SCOPE_SIZE_MAX) {
    memcpy(name + sizeof(SCOPE_PREFIX) - 1, scope, (size_t)size);
    name[(int)sizeof(SCOPE_PREFIX) - 1 + size] = '\0';
    sequence = sequence_beside(fcinfo->flinfo->fn_oid, name);
  }
  if (!OidIsValid(sequence))
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
                    errmsg("no scope \"%.*s\"", Min(size, NAMEDATALEN), scope),
                    errhint("Declare it: SELECT tessera_create_scope('ORDER').")));
  if (pg_class_aclcheck(sequence, GetUserId(), ACL_USAGE | ACL_UPDATE) != ACLCHECK_OK)
    aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_SEQUENCE, name);
  return sequence;
}

static Range* range_of(Oid sequence) {
  bool found = false;
  Range* range = NULL;
  if (ranges == NULL) {
    HASHCTL control = {.keysize = sizeof(Oid), .entrysize = sizeof(Range)};
    ranges = hash_create("tessera scopes", 16, &control, HASH_ELEM | HASH_BLOBS);
  }
  range = hash_search(ranges, &sequence, HASH_ENTER, &found);
  if (!found) range->next = range->left = 0;
  return range;
}

typedef struct Draw {
  int64 step;
  int64 last;
  int64 first;
  int64 count; /* 0: there are no more */
} Draw;

static bool take_range(DurableNumber* number, void* context) {
  Draw* draw = context;
  if (number->used && number->last >= draw->last) return false;
  draw->first = number->used ? number->last + 1 : number->last;
  /* From -2^63 to 2^63 - 1 there are more numbers than a number can say. */
  const uint64 behind = (uint64)draw->last - (uint64)draw->first;
  draw->count = behind < (uint64)draw->step ? (int64)behind + 1 : draw->step;
  number->last = draw->first + (draw->count - 1);
  number->used = true;
  return true;
}

static void refill(Range* range, const char* scope, int size) {
  Draw draw = {0, 0, 0, 0};
  HeapTuple tuple = SearchSysCache1(SEQRELID, ObjectIdGetDatum(range->sequence));
  if (!HeapTupleIsValid(tuple)) elog(ERROR, "no sequence %u", range->sequence);
  const Form_pg_sequence declared = (Form_pg_sequence)GETSTRUCT(tuple);
  const bool plain = declared->seqincrement == 1 && !declared->seqcycle;
  draw.step = declared->seqcache;
  draw.last = declared->seqmax;
  ReleaseSysCache(tuple);
  if (!plain)
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("the sequence of scope \"%.*s\" must have INCREMENT 1 and NO CYCLE",
                           size, scope)));
  durable_change(range->sequence, take_range, &draw);
  if (draw.count == 0)
    ereport(ERROR, (errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
                    errmsg("scope \"%.*s\" is exhausted", size, scope)));
  range->next = draw.first;
  range->left = draw.count;
}

Datum pg_next_long(PG_FUNCTION_ARGS) {
  const text* scope = PG_GETARG_TEXT_PP(0);
  const char* name = VARDATA_ANY(scope);
  const int size = (int)VARSIZE_ANY_EXHDR(scope);
  LastScope* last = fcinfo->flinfo->fn_extra;
  if (last == NULL || last->size != size || memcmp(last->name, name, (size_t)size) != 0) {
    Range* range = range_of(sequence_of(fcinfo, name, size));
    if (last == NULL) last = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof *last);
    last->range = range;
    last->size = size;
    memcpy(last->name, name, (size_t)size);
    fcinfo->flinfo->fn_extra = last;
  }
  if (last->range->left == 0) refill(last->range, name, size);
  const int64 number = last->range->next;
  if (--last->range->left > 0) last->range->next = number + 1; /* there may be none */
  PG_RETURN_INT64(number);
}
