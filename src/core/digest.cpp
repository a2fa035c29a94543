// MD5 (RFC 1321) and SHA-1 (RFC 3174), a block at a time and without allocation.

#include "core/digest.h"

#include <bit>
#include <cstddef>

namespace tessera::detail {
namespace {

constexpr std::size_t kBlock = 64;
using Block = std::array<std::uint8_t, kBlock>;
using Bytes = std::span<const std::uint8_t>;

// Feeds `head`, `tail`, the bit 1, zeros and the length in bits to `step`, by blocks. The
// two digests differ only in the order of the bytes of the length.
template <class Step>
void for_each_block(Bytes head, Bytes tail, bool big_endian, Step step) noexcept {
  Block block{};
  std::size_t filled = 0;
  const auto push = [&](std::uint8_t byte) {
    block[filled++] = byte;
    if (filled == kBlock) {
      step(block);
      filled = 0;
    }
  };
  for (const std::uint8_t byte : head) push(byte);
  for (const std::uint8_t byte : tail) push(byte);
  const std::uint64_t bits = std::uint64_t{head.size() + tail.size()} * 8;
  push(0x80);
  while (filled != kBlock - 8) push(0);
  for (unsigned i = 0; i < 8; ++i) {
    push(static_cast<std::uint8_t>(bits >> 8 * (big_endian ? 7 - i : i)));
  }
}

// floor(2^32 * |sin(i + 1)|), as RFC 1321 defines the table.
constexpr std::array<std::uint32_t, 64> kSines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr std::array<std::array<int, 4>, 4> kShifts = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

}  // namespace

std::array<std::uint8_t, 16> md5(Bytes head, Bytes tail) noexcept {
  std::array<std::uint32_t, 4> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for_each_block(head, tail, false, [&](const Block& block) {
    std::array<std::uint32_t, 16> words{};
    for (std::size_t i = 0; i < kBlock; ++i) {
      words[i / 4] |= static_cast<std::uint32_t>(block[i]) << 8 * (i % 4);
    }
    auto [a, b, c, d] = state;
    for (std::size_t i = 0; i < 64; ++i) {
      std::uint32_t mixed = 0;
      std::size_t word = 0;
      switch (i / 16) {
        case 0: mixed = (b & c) | (~b & d), word = i; break;
        case 1: mixed = (d & b) | (~d & c), word = (5 * i + 1) % 16; break;
        case 2: mixed = b ^ c ^ d, word = (3 * i + 5) % 16; break;
        default: mixed = c ^ (b | ~d), word = 7 * i % 16; break;
      }
      mixed += a + kSines[i] + words[word];
      a = d;
      d = c;
      c = b;
      b += std::rotl(mixed, kShifts[i / 16][i % 4]);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  });
  std::array<std::uint8_t, 16> digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> 8 * (i % 4));
  }
  return digest;
}

std::array<std::uint8_t, 20> sha1(Bytes head, Bytes tail) noexcept {
  std::array<std::uint32_t, 5> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for_each_block(head, tail, true, [&](const Block& block) {
    std::array<std::uint32_t, 80> words{};
    for (std::size_t i = 0; i < kBlock; ++i) {
      words[i / 4] |= static_cast<std::uint32_t>(block[i]) << 8 * (3 - i % 4);
    }
    for (std::size_t i = 16; i < words.size(); ++i) {
      words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::uint32_t mixed = 0;
      switch (i / 20) {
        case 0: mixed = ((b & c) | (~b & d)) + 0x5a827999; break;
        case 1: mixed = (b ^ c ^ d) + 0x6ed9eba1; break;
        case 2: mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc; break;
        default: mixed = (b ^ c ^ d) + 0xca62c1d6; break;
      }
      const std::uint32_t next = std::rotl(a, 5) + mixed + e + words[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
  });
  std::array<std::uint8_t, 20> digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> 8 * (3 - i % 4));
  }
  return digest;
}

}  // namespace tessera::detail
