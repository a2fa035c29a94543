#pragma once

// New IDs for tessera/c.h, written straight to where its caller wants them. A Result of an ID comes
// by memory, and would be copied from there by a function that needs a canary for it.

#include <cstdint>

#include "tessera/c.h"
#include "tessera/mint_error.h"

namespace tessera::detail {

constexpr int code_of(MintError error) noexcept {
  return TESSERA_NO_ENTROPY + static_cast<int>(error);
}
static_assert(code_of(MintError::no_entropy) == TESSERA_NO_ENTROPY);
static_assert(code_of(MintError::invalid_machine) == TESSERA_INVALID_MACHINE);

// 16 bytes into `out` and TESSERA_OK, or the code of what went wrong.
[[nodiscard]] int generate_ulid(std::uint8_t* out) noexcept;
[[nodiscard]] int generate_uuidv1(std::uint8_t* out) noexcept;
[[nodiscard]] int generate_uuidv4(std::uint8_t* out) noexcept;
[[nodiscard]] int generate_uuidv6(std::uint8_t* out) noexcept;
[[nodiscard]] int generate_uuidv7(std::uint8_t* out) noexcept;

}  // namespace tessera::detail
