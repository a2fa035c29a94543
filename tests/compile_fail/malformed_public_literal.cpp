// A public ID in the source that is malformed does not compile, and the message says so.
// EXPECT: malformed_identifier_literal

#include "tessera/public_id.h"

using namespace tessera::literals;

constexpr auto kGood = "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"_id;

#ifdef SHOULD_FAIL
constexpr auto kBadLetter = "ord_01ARZ3NDEKTSV4RRFFQ69G5FAU"_id;
#endif
