#pragma once

// The permutation of a short cipher, without its checks.

#include <array>
#include <cstdint>

namespace tessera::detail {

using ChachaKey = std::array<std::uint32_t, 8>;

// One block of ChaCha20 under `key`, with these four words where counter and nonce stand.
std::array<std::uint32_t, 16> chacha20_block(const std::array<std::uint32_t, 4>& constants,
                                             const ChachaKey& key,
                                             const std::array<std::uint32_t, 4>& tail) noexcept;

// The network over `bits` bits (2 to 64) in an even number of rounds, and its inverse.
std::uint64_t feistel(const ChachaKey& key, unsigned bits, unsigned rounds,
                      std::uint64_t number) noexcept;
std::uint64_t feistel_inverse(const ChachaKey& key, unsigned bits, unsigned rounds,
                              std::uint64_t number) noexcept;

}  // namespace tessera::detail
