// ChaCha20 in plain C++, for machines without AES instructions. Two blocks at a time, side
// by side, so that the compiler can use whatever vectors the machine has.

#include <array>
#include <bit>
#include <cstring>

#include "core/keystream.h"

namespace tessera::detail {
namespace {

constexpr std::size_t kLanes = 2;
using Word = std::array<std::uint32_t, kLanes>;
using State = std::array<Word, 16>;
static_assert(kLanes * 64 == kKeystreamBlock);

std::uint32_t load_le(const std::uint8_t* bytes) noexcept {
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
         static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

void quarter_round(State& s, std::size_t a, std::size_t b, std::size_t c, std::size_t d) noexcept {
  for (std::size_t i = 0; i < kLanes; ++i) {
    s[a][i] += s[b][i];
    s[d][i] = std::rotl(s[d][i] ^ s[a][i], 16);
    s[c][i] += s[d][i];
    s[b][i] = std::rotl(s[b][i] ^ s[c][i], 12);
    s[a][i] += s[b][i];
    s[d][i] = std::rotl(s[d][i] ^ s[a][i], 8);
    s[c][i] += s[d][i];
    s[b][i] = std::rotl(s[b][i] ^ s[c][i], 7);
  }
}

}  // namespace

void chacha20_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept {
  State input{};
  constexpr std::array<std::uint32_t, 4> kSigma = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (std::size_t i = 0; i < 4; ++i) input[i].fill(kSigma[i]);
  for (std::size_t i = 0; i < 8; ++i) input[4 + i].fill(load_le(key + 4 * i));
  for (std::size_t i = 0; i < kLanes; ++i) input[12][i] = static_cast<std::uint32_t>(i);

  for (; size > 0; size -= kKeystreamBlock) {
    State s = input;
    for (int round = 0; round < 10; ++round) {
      quarter_round(s, 0, 4, 8, 12);
      quarter_round(s, 1, 5, 9, 13);
      quarter_round(s, 2, 6, 10, 14);
      quarter_round(s, 3, 7, 11, 15);
      quarter_round(s, 0, 5, 10, 15);
      quarter_round(s, 1, 6, 11, 12);
      quarter_round(s, 2, 7, 8, 13);
      quarter_round(s, 3, 4, 9, 14);
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::size_t i = 0; i < 16; ++i, out += 4) {
        const std::uint32_t word = s[i][lane] + input[i][lane];
        for (std::size_t byte = 0; byte < 4; ++byte) {
          out[byte] = static_cast<std::uint8_t>(word >> 8 * byte);
        }
      }
      input[12][lane] += kLanes;
    }
  }
}

}  // namespace tessera::detail
