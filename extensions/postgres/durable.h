#pragma once

/* A number that survives what the database survives: the page of a sequence, written outside of
 * any transaction.
 *
 * Unlike nextval() and setval() this works in read-only transactions and in parallel workers: it
 * logs and flushes one page, and touches nothing that belongs to a transaction. A rollback gives
 * nothing back, and a standby that has a row has the page as it was before that row. On a standby
 * itself it is an error.
 */

#include "postgres.h"

/* What a sequence says: the last number, and whether that one is used. */
typedef struct DurableNumber {
  int64 last;
  bool used;
} DurableNumber;

/* Changes the number, or leaves it and returns false. Runs while the page is locked, so it must
 * be short and must not raise an error. */
typedef bool (*DurableChange)(DurableNumber* number, void* context);

/* When this returns, what `change` left in the page is on disk, whoever wrote it. */
void durable_change(Oid sequence, DurableChange change, void* context);

/* The sequence `name` in the schema of function `function`; InvalidOid if there is none. */
Oid sequence_beside(Oid function, const char* name);
