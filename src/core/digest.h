#pragma once

// MD5 and SHA-1, for UUID versions 3 and 5 and for nothing else: both are broken as
// cryptographic hashes, and RFC 9562 asks for them all the same.

#include <array>
#include <cstdint>
#include <span>

namespace tessera::detail {

// Of `head` followed by `tail`.
std::array<std::uint8_t, 16> md5(std::span<const std::uint8_t> head,
                                 std::span<const std::uint8_t> tail) noexcept;
std::array<std::uint8_t, 20> sha1(std::span<const std::uint8_t> head,
                                  std::span<const std::uint8_t> tail) noexcept;

// One block of SHA-1: in plain C++, and by the instructions that some processors have for it.
using Sha1State = std::array<std::uint32_t, 5>;
void sha1_block_plain(Sha1State& state, const std::uint8_t* block) noexcept;
bool sha1_instructions_available() noexcept;
void sha1_block_by_instructions(Sha1State& state, const std::uint8_t* block) noexcept;

}  // namespace tessera::detail
