#pragma once

/* How errors of tessera/c.h become errors of PostgreSQL.
 *
 * All files of this extension are C: an error of PostgreSQL leaves by longjmp, and here no frame
 * has anything that would have to be undone.
 */

#include "postgres.h"

#include "fmgr.h"
#include "nodes/nodes.h"
#include "tessera/c.h"
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#else
/* Before 16 an input function has no way to refuse but an error. */
#define ereturn(context, value, ...) \
  do {                               \
    (void)(context);                 \
    ereport(ERROR, __VA_ARGS__);     \
    return value;                    \
  } while (0)
#endif

/* Refuses a text: 22P02, with the place, and the hint that the program gives. Returns only where
 * the caller of an input function has asked for that, by `context`. */
Datum refuse_text(Node* context, int code, const char* type, const char* text, size_t size,
                  uint32 offset);

/* No ID could be made, or the call is wrong: an error by its code. */
void refuse_mint(int code, const char* what) pg_attribute_noreturn();
