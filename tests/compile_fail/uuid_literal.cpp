// A UUID in the source that is malformed does not compile, and the message says so.
// EXPECT: malformed_identifier_literal

#include "tessera/uuid.h"

using namespace tessera::literals;

constexpr auto kGood = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"_uuid;

#ifdef SHOULD_FAIL
constexpr auto kShort = "017f22e2-79b0-7cc3-98c4-dc0c0c07398"_uuid;
#endif
