// A ULID in the source that is malformed does not compile, and the message says so.
// EXPECT: malformed_identifier_literal

#include "tessera/ulid.h"

using namespace tessera::literals;

constexpr auto kGood = "01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid;

#ifdef SHOULD_FAIL
constexpr auto kLookAlike = "O1ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid;
#endif
