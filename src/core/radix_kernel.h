#pragma once

// Sixteen bytes in base 36 and base 62. All kernels write and read the same; the portable one,
// which is detail::Radix in tessera/codec.h, is the reference.

#include <span>

#include "core/cpu.h"
#include "tessera/codec.h"

namespace tessera::detail {

struct RadixKernel {
  CpuLevel level;
  void (*write_36)(const Bytes16& bytes, char* out) noexcept;
  void (*write_62)(const Bytes16& bytes, char* out) noexcept;
  // False if the 25 or 22 characters are no number of 128 bits; then `out` has nothing to say.
  bool (*read_36)(const char* text, Bytes16& out) noexcept;
  bool (*read_62)(const char* text, Bytes16& out) noexcept;
};

// Those that this processor can run, or may since limit_cpu_level(): the portable one first, the
// fastest last.
std::span<const RadixKernel> radix_kernels() noexcept;

}  // namespace tessera::detail
