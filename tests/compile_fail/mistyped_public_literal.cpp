// A public ID in the source whose check symbols do not fit does not compile: here two letters of
// the prefix are swapped.
// EXPECT: malformed_identifier_literal

#include "tessera/public_id.h"

using namespace tessera::literals;

constexpr auto kGood = "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0X"_id;

#ifdef SHOULD_FAIL
constexpr auto kSwapped = "odr_01ARZ3NDEKTSV4RRFFQ69G5FAV0X"_id;
#endif
