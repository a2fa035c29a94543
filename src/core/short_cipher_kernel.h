#pragma once

// The permutation of a short cipher, without its checks.

#include <array>
#include <cstdint>

namespace tessera::detail {

using ChachaKey = std::array<std::uint32_t, 8>;

// The first four words of a block: with a key of 32 bytes, and with one of 16 that stands twice.
inline constexpr std::array<std::uint32_t, 4> kChachaSigma = {0x61707865, 0x3320646e, 0x79622d32,
                                                              0x6b206574};
inline constexpr std::array<std::uint32_t, 4> kChachaTau = {0x61707865, 0x3120646e, 0x79622d36,
                                                            0x6b206574};

// One block of ChaCha20 (RFC 8439) under `key`, with these four words where counter and nonce
// stand. One at a time, other than in chacha20_kernel.cpp: each depends on the one before.
std::array<std::uint32_t, 16> chacha20_block(const std::array<std::uint32_t, 4>& constants,
                                             const ChachaKey& key,
                                             const std::array<std::uint32_t, 4>& tail) noexcept;

// The network over `bits` bits (2 to 64) in an even number of rounds, and its inverse.
std::uint64_t feistel(const ChachaKey& key, unsigned bits, unsigned rounds,
                      std::uint64_t number) noexcept;
std::uint64_t feistel_inverse(const ChachaKey& key, unsigned bits, unsigned rounds,
                              std::uint64_t number) noexcept;

}  // namespace tessera::detail
