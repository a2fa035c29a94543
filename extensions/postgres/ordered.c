/* The shared counters, and the mark that outlives them. See ordered.h. */

#include "postgres.h"

#include "ordered.h"

#include "durable.h"
#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "ulid.h"
#include "utils/timestamp.h"

/* How far ahead of the clock the mark is set: after a crash IDs may be this much in the future. */
#define RESERVED_MS 1000
/* The last time that leaves room for the count. */
#define ORDER_MS_MAX (UINT64CONST(1) << 45)
#define SLOT_COUNT_MAX 128
#define MARK_NAME "tessera_ordered_mark"

struct OrderSlot {
  pg_atomic_uint64 last;
  pg_atomic_uint64 last_snowflake;
  pg_atomic_uint64 mark_ms; /* what may be given out is before it; on disk */
  int64 written_ms;         /* what we last left in the page, under the page's lock; -1 at first */
  Oid database;
  Oid sequence;
  char padding[PG_CACHE_LINE_SIZE > 40 ? PG_CACHE_LINE_SIZE - 40 : 1];
};

typedef struct OrderTable {
  int count; /* under AddinShmemInitLock */
  char padding[PG_CACHE_LINE_SIZE - sizeof(int)];
  OrderSlot slots[SLOT_COUNT_MAX];
} OrderTable;

static OrderTable* table = NULL;

static void hint_at_preload(void* unused) {
  (void)unused;
  errhint("Add tessera to shared_preload_libraries and restart the server.");
}

/* Works at the start of the server and at any time later, from memory that every server keeps for
 * such as us. */
static void attach(void) {
  ErrorContextCallback hint = {error_context_stack, hint_at_preload, NULL};
  bool found = false;
  error_context_stack = &hint;
  LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
  table = ShmemInitStruct("tessera", sizeof(OrderTable), &found);
  if (!found) table->count = 0;
  LWLockRelease(AddinShmemInitLock);
  error_context_stack = hint.previous;
}

static shmem_request_hook_type next_request = NULL;
static shmem_startup_hook_type next_startup = NULL;

static void request(void) {
  if (next_request != NULL) next_request();
  RequestAddinShmemSpace(MAXALIGN(sizeof(OrderTable)));
}

static void startup(void) {
  if (next_startup != NULL) next_startup();
  attach();
}

void order_at_start(void) {
  if (!process_shared_preload_libraries_in_progress) return;
  next_request = shmem_request_hook;
  shmem_request_hook = request;
  next_startup = shmem_startup_hook;
  shmem_startup_hook = startup;
}

static void raise_to(pg_atomic_uint64* counter, uint64 value) {
  uint64 last = pg_atomic_read_u64(counter);
  while (last < value && !pg_atomic_compare_exchange_u64(counter, &last, value)) {
  }
}

/* The slot of (this database, sequence), made if there is none. One that is made because the
 * extension was dropped and created again goes on where the older one stands. */
static OrderSlot* find_slot(Oid sequence) {
  OrderSlot* slot = NULL;
  uint64 last = 0;
  uint64 last_snowflake = 0;

  LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
  for (int i = 0; i < table->count; ++i) {
    OrderSlot* other = &table->slots[i];
    if (other->database != MyDatabaseId) continue;
    last = Max(last, pg_atomic_read_u64(&other->last));
    last_snowflake = Max(last_snowflake, pg_atomic_read_u64(&other->last_snowflake));
    if (other->sequence == sequence) slot = other;
  }
  if (slot == NULL && table->count < SLOT_COUNT_MAX) {
    slot = &table->slots[table->count];
    pg_atomic_init_u64(&slot->last, last);
    pg_atomic_init_u64(&slot->last_snowflake, last_snowflake);
    pg_atomic_init_u64(&slot->mark_ms, 0);
    slot->written_ms = -1;
    slot->database = MyDatabaseId;
    slot->sequence = sequence;
    table->count += 1;
  }
  LWLockRelease(AddinShmemInitLock);
  if (slot == NULL)
    ereport(ERROR, (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
                    errmsg("ordered IDs are in use in %d databases already", SLOT_COUNT_MAX),
                    errhint("The places are free again after a restart of the server.")));
  return slot;
}

OrderSlot* order_slot(FunctionCallInfo fcinfo) {
  if (likely(fcinfo->flinfo->fn_extra != NULL)) return (OrderSlot*)fcinfo->flinfo->fn_extra;
  const Oid sequence = sequence_beside(fcinfo->flinfo->fn_oid, MARK_NAME);
  if (!OidIsValid(sequence))
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("the sequence \"%s\" is missing", MARK_NAME),
                    errdetail("It keeps ordered IDs in order over restarts."),
                    errhint("DROP EXTENSION tessera and CREATE EXTENSION tessera make it again.")));
  if (table == NULL) attach();
  fcinfo->flinfo->fn_extra = find_slot(sequence);
  return (OrderSlot*)fcinfo->flinfo->fn_extra;
}

typedef struct MarkChange {
  OrderSlot* slot;
  uint64 wanted_ms;
  uint64 mark_ms;
} MarkChange;

static bool raise_mark(DurableNumber* number, void* context) {
  MarkChange* change = context;
  OrderSlot* slot = change->slot;
  const uint64 said_ms = number->last > 0 ? (uint64)number->last : 0;
  bool raised = false;

  /* Not what we wrote: this is the first look since the server started, or a restore has put it
   * there. Values below it may have been given out by somebody who is no more. */
  if ((int64)said_ms != slot->written_ms && said_ms <= ORDER_MS_MAX) {
    raise_to(&slot->last, said_ms << ORDER_COUNT_BITS);
    raise_to(&slot->last_snowflake, said_ms << SNOWFLAKE_COUNT_BITS);
  }
  change->mark_ms = said_ms;
  if (said_ms <= change->wanted_ms) {
    change->mark_ms = change->wanted_ms + RESERVED_MS;
    number->last = (int64)change->mark_ms;
    number->used = true;
    raised = true;
  }
  slot->written_ms = (int64)change->mark_ms;
  return raised;
}

static void pg_attribute_noreturn() refuse_time(void) {
  ereport(ERROR,
          (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
           errmsg("ordered IDs cannot say the time that has come"),
           errdetail("The clock of the server, or the sequence %s, is beyond the year 3000 or "
                     "before 1970.",
                     MARK_NAME)));
}

/* Where the counter is behind the clock, or has come to the mark. */
static uint64 take_slowly(OrderSlot* slot, pg_atomic_uint64* counter, int count_bits, uint64 count,
                          uint64 now) {
  uint64 last = pg_atomic_read_u64(counter);
  for (;;) {
    const uint64 first = Max(now, last + 1);
    const uint64 end = first + count - 1;
    if (end >> count_bits >= pg_atomic_read_u64(&slot->mark_ms)) {
      MarkChange change = {slot, end >> count_bits, 0};
      if (change.wanted_ms >= ORDER_MS_MAX) refuse_time();
      durable_change(slot->sequence, raise_mark, &change);
      if (change.mark_ms > ORDER_MS_MAX) refuse_time();
      raise_to(&slot->mark_ms, change.mark_ms);
      last = pg_atomic_read_u64(counter);
    } else if (pg_atomic_compare_exchange_u64(counter, &last, end)) {
      return first;
    }
  }
}

/* Most of the time the counter has the clock's millisecond already, and one addition does it: it
 * cannot fail, however many connections meet there. If it turns out that it had not, the values
 * that were added are nobody's. */
static uint64 take(OrderSlot* slot, pg_atomic_uint64* counter, int count_bits, uint64 count) {
  const int64 now_ms = GetCurrentTimestamp() / 1000 + INT64CONST(946684800000);
  if (unlikely(now_ms < 0 || (uint64)now_ms >= ORDER_MS_MAX)) refuse_time();
  const uint64 now = (uint64)now_ms << count_bits;
  const uint64 end = pg_atomic_add_fetch_u64(counter, (int64)count);
  const uint64 first = end - count + 1;
  if (likely(first >= now && end >> count_bits < pg_atomic_read_u64(&slot->mark_ms))) return first;
  return take_slowly(slot, counter, count_bits, count, now);
}

uint64 order_take(OrderSlot* slot, uint64 count) {
  return take(slot, &slot->last, ORDER_COUNT_BITS, count);
}

uint64 order_take_snowflake(OrderSlot* slot) {
  return take(slot, &slot->last_snowflake, SNOWFLAKE_COUNT_BITS, 1);
}
