// The separator of a TypeID is fixed by its specification.
// EXPECT: a TypeID has the separator _

#include "tessera/public_id.h"

using Good = tessera::PublicId<"ord", tessera::PublicStyle::type_id>;
static_assert(Good::kSeparator == '_');

#ifdef SHOULD_FAIL
using Bad = tessera::PublicId<"ord", tessera::PublicStyle::type_id, '-'>;
static_assert(Bad::kSeparator == '-');
#endif
