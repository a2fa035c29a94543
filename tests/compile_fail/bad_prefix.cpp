// A type whose prefix breaks the rule does not compile, and the message says the rule.
// EXPECT: prefix must match

#include "tessera/public_id.h"

using Good = tessera::PublicId<"pre_fix">;
static_assert(Good::kPrefix == "pre_fix");

#ifdef SHOULD_FAIL
using Bad = tessera::PublicId<"Order">;
static_assert(Bad::kPrefix == "Order");
#endif
