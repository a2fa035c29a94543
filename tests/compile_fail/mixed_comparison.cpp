// IDs of two types are neither equal nor different: the question does not compile.
// EXPECT: no match for .operator==|invalid operands to binary expression

#include "tessera/public_id.h"

using Order = tessera::PublicId<"ord">;
using User = tessera::PublicId<"usr">;

constexpr bool kRight = Order{} == Order{};

#ifdef SHOULD_FAIL
constexpr bool kWrong = Order{} == User{};
#endif
