/* Reads and writes the page of a sequence. */

#include "postgres.h"

#include "durable.h"

#include "access/generic_xlog.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "commands/sequence.h"
#include "storage/bufmgr.h"
#include "storage/bufpage.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

static Relation open_durable(Oid sequence) {
  Relation relation = NULL;
  if (RecoveryInProgress())
    ereport(ERROR,
            (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
             errmsg("this function cannot keep its promise on a standby"),
             errdetail("What it returns must first be written down, and a standby cannot write."),
             errhint("Call it on the primary. tessera_ulid() and tessera_uuid7() work here.")));
  relation = relation_open(sequence, RowExclusiveLock);
  if (relation->rd_rel->relkind != RELKIND_SEQUENCE ||
      relation->rd_rel->relpersistence != RELPERSISTENCE_PERMANENT)
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("\"%s\" is not a logged sequence", RelationGetRelationName(relation)),
                    errhint("Others would forget after a crash: ALTER SEQUENCE %s SET LOGGED.",
                            RelationGetRelationName(relation))));
  return relation;
}

static Form_pg_sequence_data data_of(Page page) {
  const ItemId item = PageGetItemId(page, FirstOffsetNumber);
  HeapTupleHeader tuple = (HeapTupleHeader)PageGetItem(page, item);
  return (Form_pg_sequence_data)((char*)tuple + tuple->t_hoff);
}

/* The whole page goes into the log: nextval() logs numbers that it has not reached yet, so the
 * difference of two pages may mean something else when it is played again. */
static void write_page(Relation relation, Buffer buffer, const DurableNumber* number) {
  GenericXLogState* log = GenericXLogStart(relation);
  Form_pg_sequence_data data =
      data_of(GenericXLogRegisterBuffer(log, buffer, GENERIC_XLOG_FULL_IMAGE));
  data->last_value = number->last;
  data->is_called = number->used;
  data->log_cnt = 0;
  GenericXLogFinish(log);
}

void durable_change(Oid sequence, DurableChange change, void* context) {
  Relation relation = open_durable(sequence);
  Buffer buffer = ReadBuffer(relation, 0);
  XLogRecPtr written = InvalidXLogRecPtr;
  Page page = NULL;
  DurableNumber number = {0, false};

  LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
  page = BufferGetPage(buffer);
  if (PageGetMaxOffsetNumber(page) != FirstOffsetNumber) {
    UnlockReleaseBuffer(buffer);
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                    errmsg("bad page in sequence \"%s\"", RelationGetRelationName(relation))));
  }
  number.last = data_of(page)->last_value;
  number.used = data_of(page)->is_called;
  if (change(&number, context)) write_page(relation, buffer, &number);
  written = PageGetLSN(BufferGetPage(buffer));
  UnlockReleaseBuffer(buffer);

  /* Nobody may see a number that a crash could take back. A sequence that is made in this very
   * transaction may have no log yet: after a crash it was never there. */
  if (RelationNeedsWAL(relation)) XLogFlush(written);
  relation_close(relation, RowExclusiveLock);
}

Oid sequence_beside(Oid function, const char* name) {
  return get_relname_relid(name, get_func_namespace(function));
}
