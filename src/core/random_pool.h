#pragma once

// One thread's randomness. See random_pool.cpp for how it works.

#include <cstdint>
#include <span>

namespace tessera::detail {

// Fills `out` from this thread's pool. False if the kernel gave no seed; then nothing
// may be used.
[[nodiscard]] bool pool_fill(std::span<std::uint8_t> out) noexcept;

// Forgets what this thread has buffered.
void pool_reseed() noexcept;

// Bytes straight from the kernel.
[[nodiscard]] bool kernel_fill(std::span<std::uint8_t> out) noexcept;

}  // namespace tessera::detail
