// A ULID in the source that is past the largest value does not compile.
// EXPECT: malformed_identifier_literal

#include "tessera/ulid.h"

using namespace tessera::literals;

constexpr auto kLargest = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"_ulid;

#ifdef SHOULD_FAIL
constexpr auto kPast = "80000000000000000000000000"_ulid;
#endif
