// Two types of one prefix in one list do not compile, also where their styles differ.
// EXPECT: two types share a prefix

#include "tessera/public_id.h"

using Order = tessera::PublicId<"ord">;
using User = tessera::PublicId<"usr">;
static_assert(tessera::IdTypes<Order, User>::kDistinct);

#ifdef SHOULD_FAIL
using Ordinance = tessera::PublicId<"ord", tessera::PublicStyle::checked>;
static_assert(tessera::IdTypes<Order, User, Ordinance>::kPrefixes.size() == 3);
#endif
