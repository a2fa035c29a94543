#pragma once

// Secrets are overwritten when they are no longer needed.

#include <cstddef>
#include <cstring>

namespace tessera::detail {

// Nothing that the compiler knows reads these bytes again; they are wiped all the same.
inline void wipe(void* bytes, std::size_t size) noexcept {
  std::memset(bytes, 0, size);
  __asm__ volatile("" : : "r"(bytes) : "memory");
}

}  // namespace tessera::detail
