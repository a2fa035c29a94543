#pragma once

// Keystreams: what the random pool is filled with.
//
// All functions write `size` bytes that depend on the 32-byte key alone. The key is used
// for one call and then replaced (see random_pool.cpp), so none takes a nonce: the
// counter starts at zero.

#include <cstddef>
#include <cstdint>

namespace tessera::detail {

inline constexpr std::size_t kKeySize = 32;
inline constexpr std::size_t kKeystreamBlock = 128;  // `size` is a multiple of it

// ChaCha20 (RFC 8439, nonce zero). Runs everywhere.
void chacha20_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept;

// AES-256 in counter mode (128-bit big-endian counter). Only where aes_available().
void aes256_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept;
bool aes_available() noexcept;

// The same, two blocks an instruction. Only where wide_aes_available().
void aes256_wide_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept;
bool wide_aes_available() noexcept;

// And with AVX-512, four. Only where widest_aes_available().
void aes256_widest_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept;
bool widest_aes_available() noexcept;

// The fastest of these on this machine.
using Keystream = void (*)(const std::uint8_t*, std::uint8_t*, std::size_t) noexcept;
Keystream best_keystream() noexcept;

}  // namespace tessera::detail
