#pragma once

// How a malformed literal fails to compile: a consteval function that reaches this
// declaration is no constant expression, and the compiler prints the name.

#include <cstdlib>

namespace tessera::detail {

inline void malformed_identifier_literal() { std::abort(); }

}  // namespace tessera::detail
