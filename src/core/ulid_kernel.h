#pragma once

// Texts of ULIDs. All kernels write and read the same; the portable one is the reference.

#include <cstdint>
#include <span>

#include "core/cpu.h"
#include "tessera/ulid.h"

namespace tessera::detail {

using TextAlphabet = base32::internal::Alphabet;

struct UlidTextKernel {
  CpuLevel level;
  // 27 characters an ID, the last of them the separator.
  void (*write_many)(std::span<const Ulid> ids, char separator, char* out) noexcept;
  void (*write_one)(const std::uint8_t* bytes, char* out, base32::Letters letters) noexcept;
  // False if the 26 characters are no ID; then `out` has nothing to say.
  bool (*read_one)(const char* text, std::uint8_t* out, TextAlphabet alphabet) noexcept;
};

// Those that this processor can run, or may since limit_cpu_level(): the portable one first, the
// fastest last.
std::span<const UlidTextKernel> ulid_text_kernels() noexcept;

}  // namespace tessera::detail
