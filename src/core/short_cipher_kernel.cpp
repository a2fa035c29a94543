// The Feistel network of short IDs: sixteen rounds or fewer, a block of ChaCha20 in each.

#include "core/short_cipher_kernel.h"

#include <bit>

namespace tessera::detail {
namespace {

inline void quarter_round(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c,
                          std::uint32_t& d) noexcept {
  a += b;
  d = std::rotl(d ^ a, 16);
  c += d;
  b = std::rotl(b ^ c, 12);
  a += b;
  d = std::rotl(d ^ a, 8);
  c += d;
  b = std::rotl(b ^ c, 7);
}

struct Halves {
  std::uint64_t left;   // bits / 2 of them
  std::uint64_t right;  // the rest
};

struct Masks {
  explicit Masks(unsigned bits) noexcept
      : right_bits(bits - bits / 2),
        left((std::uint64_t{1} << bits / 2) - 1),
        right((std::uint64_t{1} << right_bits) - 1) {}

  Halves split(std::uint64_t number) const noexcept {
    return {number >> right_bits & left, number & right};
  }
  std::uint64_t join(const Halves& halves) const noexcept {
    return halves.left << right_bits | halves.right;
  }

  unsigned right_bits;
  std::uint64_t left;
  std::uint64_t right;
};

std::uint64_t round_function(const ChachaKey& key, unsigned round, std::uint64_t half) noexcept {
  const auto block = chacha20_block(
      kChachaSigma, key,
      {round, 0, static_cast<std::uint32_t>(half), static_cast<std::uint32_t>(half >> 32)});
  return block[0] | static_cast<std::uint64_t>(block[1]) << 32;
}

// Its own inverse. The halves take turns; with an odd number of bits one has one bit more.
void one_round(const ChachaKey& key, const Masks& masks, unsigned round, Halves& halves) noexcept {
  if (round % 2 == 0) {
    halves.left ^= round_function(key, round, halves.right) & masks.left;
  } else {
    halves.right ^= round_function(key, round, halves.left) & masks.right;
  }
}

}  // namespace

std::array<std::uint32_t, 16> chacha20_block(const std::array<std::uint32_t, 4>& constants,
                                             const ChachaKey& key,
                                             const std::array<std::uint32_t, 4>& tail) noexcept {
  // In names, not in an array: so they stay in registers.
  std::uint32_t x0 = constants[0], x1 = constants[1], x2 = constants[2], x3 = constants[3];
  std::uint32_t x4 = key[0], x5 = key[1], x6 = key[2], x7 = key[3];
  std::uint32_t x8 = key[4], x9 = key[5], x10 = key[6], x11 = key[7];
  std::uint32_t x12 = tail[0], x13 = tail[1], x14 = tail[2], x15 = tail[3];
  for (int round = 0; round < 10; ++round) {
    quarter_round(x0, x4, x8, x12);
    quarter_round(x1, x5, x9, x13);
    quarter_round(x2, x6, x10, x14);
    quarter_round(x3, x7, x11, x15);
    quarter_round(x0, x5, x10, x15);
    quarter_round(x1, x6, x11, x12);
    quarter_round(x2, x7, x8, x13);
    quarter_round(x3, x4, x9, x14);
  }
  return {x0 + constants[0], x1 + constants[1], x2 + constants[2], x3 + constants[3],
          x4 + key[0],       x5 + key[1],       x6 + key[2],       x7 + key[3],
          x8 + key[4],       x9 + key[5],       x10 + key[6],      x11 + key[7],
          x12 + tail[0],     x13 + tail[1],     x14 + tail[2],     x15 + tail[3]};
}

std::uint64_t feistel(const ChachaKey& key, unsigned bits, unsigned rounds,
                      std::uint64_t number) noexcept {
  const Masks masks(bits);
  Halves halves = masks.split(number);
  for (unsigned round = 0; round < rounds; ++round) one_round(key, masks, round, halves);
  return masks.join(halves);
}

std::uint64_t feistel_inverse(const ChachaKey& key, unsigned bits, unsigned rounds,
                              std::uint64_t number) noexcept {
  const Masks masks(bits);
  Halves halves = masks.split(number);
  for (unsigned round = rounds; round-- > 0;) one_round(key, masks, round, halves);
  return masks.join(halves);
}

}  // namespace tessera::detail
