// A separator that could be part of a path, or of a body, does not compile.
// EXPECT: separator must be one of

#include "tessera/public_id.h"

using Good = tessera::PublicId<"ord", tessera::PublicStyle::ulid, '-'>;
static_assert(Good::kSeparator == '-');

#ifdef SHOULD_FAIL
using Bad = tessera::PublicId<"ord", tessera::PublicStyle::ulid, '/'>;
static_assert(Bad::kSeparator == '/');
#endif
