// The ID of an order is not taken where that of a user is wanted.
// EXPECT: cannot convert|could not convert|no viable conversion|no matching function

#include "tessera/public_id.h"

using Order = tessera::PublicId<"ord">;
using User = tessera::PublicId<"usr">;

bool may_log_in(User user);

bool right(User user);
bool right(User user) { return may_log_in(user); }

#ifdef SHOULD_FAIL
bool wrong(Order order);
bool wrong(Order order) { return may_log_in(order); }
#endif
