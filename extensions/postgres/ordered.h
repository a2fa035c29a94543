#pragma once

/* One order for all connections of a database.
 *
 *    | ms: 46 bits | count: 18 bits |      the highest that was given, in shared memory
 *
 * A value is `max(now, last + 1)`, taken by one atomic operation: nobody waits, nobody can die with
 * a lock held, and a clock that stands still or steps back only makes the count run on, into the
 * milliseconds if need be. Values below the mark may be given out. The mark is raised a second at a
 * time, in the page of the sequence tessera_ordered_mark, and is on disk before it counts. So
 * whoever starts later, after a crash, as a promoted standby or with another clock, starts at the
 * mark: above all that was ever returned.
 */

#include "postgres.h"

#include "fmgr.h"

typedef struct OrderSlot OrderSlot;

/* Asks for shared memory while the server starts, if it was told to preload us. */
void order_at_start(void);

/* The counters of this database. `fcinfo` is the call of a function of ours, which remembers. */
OrderSlot* order_slot(FunctionCallInfo fcinfo);

#define ORDER_COUNT_BITS 18
/* The first of `count` values in a row, each `ms << 18 | count`. */
uint64 order_take(OrderSlot* slot, uint64 count);

#define SNOWFLAKE_COUNT_BITS 12
/* The same with `ms << 12 | count`, of a counter of its own. */
uint64 order_take_snowflake(OrderSlot* slot);
