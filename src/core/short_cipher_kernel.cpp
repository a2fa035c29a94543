// The Feistel network of short IDs: sixteen rounds or fewer, a block of ChaCha20 in each.

#include "core/short_cipher_kernel.h"

#include "core/chacha20.h"

namespace tessera::detail {
namespace {

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
  ChachaState<1> input;
  for (std::size_t i = 0; i < 4; ++i) input[i][0] = constants[i];
  for (std::size_t i = 0; i < 8; ++i) input[4 + i][0] = key[i];
  for (std::size_t i = 0; i < 4; ++i) input[12 + i][0] = tail[i];
  const auto output = chacha20_blocks<1>(input);
  std::array<std::uint32_t, 16> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = output[i][0];
  return words;
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
