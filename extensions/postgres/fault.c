/* Errors with SQLSTATE, place and hint. */

#include "postgres.h"

#include "fault.h"

#include "mb/pg_wchar.h"

/* No more of a text than this goes into a message: it may be anything, of any length. */
#define SHOWN_SIZE_MAX 100

Datum refuse_text(Node* context, int code, const char* type, const char* text, size_t size,
                  uint32 offset) {
  const int shown =
      size <= SHOWN_SIZE_MAX ? (int)size : pg_mbcliplen(text, SHOWN_SIZE_MAX, SHOWN_SIZE_MAX);
  const char* hint = tessera_error_hint(code);
  const bool has_place = code == TESSERA_INVALID_CHARACTER || code == TESSERA_OVERFLOW ||
                         code == TESSERA_NON_CANONICAL || code == TESSERA_BAD_CHECK ||
                         code == TESSERA_INVALID_PREFIX;

  if (code == TESSERA_NO_MEMORY)
    ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
  ereturn(context, (Datum)0,
          (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
           errmsg("invalid input syntax for type %s: \"%.*s%s\"", type, shown, text,
                  (size_t)shown < size ? "..." : ""),
           has_place ? errdetail("%s at offset %u.", tessera_error_phrase(code), offset)
                     : errdetail("%s.", tessera_error_phrase(code)),
           hint[0] != '\0' ? errhint("%s", hint) : 0));
}

void refuse_mint(int code, const char* what) {
  int state = ERRCODE_INTERNAL_ERROR;
  switch (code) {
    case TESSERA_BAD_ARGUMENT:
    case TESSERA_INVALID_MACHINE:
    case TESSERA_INVALID_PREFIX: state = ERRCODE_INVALID_PARAMETER_VALUE; break;
    case TESSERA_TIME_OUT_OF_RANGE:
    case TESSERA_OUT_OF_RANGE: state = ERRCODE_DATETIME_VALUE_OUT_OF_RANGE; break;
    case TESSERA_NO_MEMORY: state = ERRCODE_OUT_OF_MEMORY; break;
    case TESSERA_NO_ENTROPY: state = ERRCODE_INTERNAL_ERROR; break;
    default: break;
  }
  ereport(ERROR,
          (errcode(state), errmsg("%s: %s", what, tessera_error_phrase(code)),
           tessera_error_hint(code)[0] != '\0' ? errhint("%s", tessera_error_hint(code)) : 0));
}
