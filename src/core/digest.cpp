// MD5 (RFC 1321) and SHA-1 (RFC 3174), a block at a time and without allocation.

#include "core/digest.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "tessera/detail/bytes.h"

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
  for (Bytes part : {head, tail}) {
    while (!part.empty()) {
      const std::size_t size = std::min(part.size(), kBlock - filled);
      std::memcpy(block.data() + filled, part.data(), size);
      part = part.subspan(size);
      filled += size;
      if (filled == kBlock) {
        step(block);
        filled = 0;
      }
    }
  }
  block[filled++] = 0x80;
  if (filled > kBlock - 8) {
    std::memset(block.data() + filled, 0, kBlock - filled);
    step(block);
    filled = 0;
  }
  std::memset(block.data() + filled, 0, kBlock - 8 - filled);
  const std::uint64_t bits = std::uint64_t{head.size() + tail.size()} * 8;
  for (unsigned i = 0; i < 8; ++i) {
    block[kBlock - 8 + i] = static_cast<std::uint8_t>(bits >> 8 * (big_endian ? 7 - i : i));
  }
  step(block);
}

std::uint32_t load_le(const std::uint8_t* bytes) noexcept {
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
         static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
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

using Md5State = std::array<std::uint32_t, 4>;

// Sixteen steps of one round. The names of a, b, c, d move on at each step, so that after four
// they are back, and nothing is copied.
template <std::size_t Round, class Mix>
inline void md5_round(Md5State& s, const std::uint32_t* words, Mix mix) noexcept {
  const auto step = [&](std::uint32_t& a, std::uint32_t b, std::uint32_t c, std::uint32_t d,
                        std::size_t i) {
    constexpr std::array<std::size_t, 4> kFactor = {1, 5, 3, 7};
    constexpr std::array<std::size_t, 4> kOffset = {0, 1, 5, 0};
    const std::size_t word = (kFactor[Round] * i + kOffset[Round]) % 16;
    a = b +
        std::rotl(a + mix(b, c, d) + kSines[16 * Round + i] + words[word], kShifts[Round][i % 4]);
  };
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 16; i += 4) {
    step(s[0], s[1], s[2], s[3], i);
    step(s[3], s[0], s[1], s[2], i + 1);
    step(s[2], s[3], s[0], s[1], i + 2);
    step(s[1], s[2], s[3], s[0], i + 3);
  }
}

void md5_block(Md5State& state, const std::uint8_t* block) noexcept {
  std::array<std::uint32_t, 16> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = load_le(block + 4 * i);
  using Word = std::uint32_t;
  Md5State s = state;
  md5_round<0>(s, words.data(), [](Word b, Word c, Word d) { return d ^ (b & (c ^ d)); });
  md5_round<1>(s, words.data(), [](Word b, Word c, Word d) { return (d & b) + (~d & c); });
  md5_round<2>(s, words.data(), [](Word b, Word c, Word d) { return b ^ c ^ d; });
  md5_round<3>(s, words.data(), [](Word b, Word c, Word d) { return c ^ (b | ~d); });
  for (std::size_t i = 0; i < s.size(); ++i) state[i] += s[i];
}

// Twenty steps of one round, five at a time for the same reason. The schedule is made on the
// way, in a ring of sixteen words.
template <std::size_t Round, class Mix>
inline void sha1_round(Sha1State& s, std::array<std::uint32_t, 16>& w, std::uint32_t constant,
                       Mix mix) noexcept {
  const auto step = [&](std::uint32_t a, std::uint32_t& b, std::uint32_t c, std::uint32_t d,
                        std::uint32_t& e, std::size_t i) {
    if (i >= 16)
      w[i % 16] = std::rotl(w[(i + 13) % 16] ^ w[(i + 8) % 16] ^ w[(i + 2) % 16] ^ w[i % 16], 1);
    e += std::rotl(a, 5) + mix(b, c, d) + constant + w[i % 16];
    b = std::rotl(b, 30);
  };
#pragma GCC unroll 4
  for (std::size_t i = 20 * Round; i < 20 * Round + 20; i += 5) {
    step(s[0], s[1], s[2], s[3], s[4], i);
    step(s[4], s[0], s[1], s[2], s[3], i + 1);
    step(s[3], s[4], s[0], s[1], s[2], i + 2);
    step(s[2], s[3], s[4], s[0], s[1], i + 3);
    step(s[1], s[2], s[3], s[4], s[0], i + 4);
  }
}

}  // namespace

std::array<std::uint8_t, 16> md5(Bytes head, Bytes tail) noexcept {
  Md5State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for_each_block(head, tail, false, [&](const Block& block) { md5_block(state, block.data()); });
  std::array<std::uint8_t, 16> digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> 8 * (i % 4));
  }
  return digest;
}

void sha1_block_plain(Sha1State& state, const std::uint8_t* block) noexcept {
  using Word = std::uint32_t;
  std::array<Word, 16> words{};
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<Word>(load_be<4>(block + 4 * i));
  Sha1State s = state;
  sha1_round<0>(s, words, 0x5a827999, [](Word b, Word c, Word d) { return d ^ (b & (c ^ d)); });
  sha1_round<1>(s, words, 0x6ed9eba1, [](Word b, Word c, Word d) { return b ^ c ^ d; });
  sha1_round<2>(s, words, 0x8f1bbcdc,
                [](Word b, Word c, Word d) { return (b & c) + (d & (b ^ c)); });
  sha1_round<3>(s, words, 0xca62c1d6, [](Word b, Word c, Word d) { return b ^ c ^ d; });
  for (std::size_t i = 0; i < s.size(); ++i) state[i] += s[i];
}

std::array<std::uint8_t, 20> sha1(Bytes head, Bytes tail) noexcept {
  Sha1State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const auto block_step =
      sha1_instructions_available() ? sha1_block_by_instructions : sha1_block_plain;
  for_each_block(head, tail, true, [&](const Block& block) { block_step(state, block.data()); });
  std::array<std::uint8_t, 20> digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> 8 * (3 - i % 4));
  }
  return digest;
}

}  // namespace tessera::detail
