#pragma once

// Cache lines that a forked child finds empty: for what two processes must not continue both.

#include <cstddef>

namespace tessera {

inline constexpr std::size_t kWipedLineSize = 64;

// One line, all zero, which nobody else has; throws std::bad_alloc. In a child of fork() it is all
// zero again. Thread-safe, and no thread ever waits for another: a child may call it, too.
void* take_wiped_line();
void return_wiped_line(void* line) noexcept;

}  // namespace tessera
