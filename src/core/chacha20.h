#pragma once

// The block function of ChaCha20 (RFC 8439), on several blocks side by side, so that the
// compiler can use whatever vectors the machine has.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tessera::detail {

// Sixteen words for each lane: 4 of constants, 8 of key, then the counter and 3 of nonce.
template <std::size_t Lanes>
using ChachaState = std::array<std::array<std::uint32_t, Lanes>, 16>;

// What the first four words are: with a key of 32 bytes, and with one of 16 that stands twice.
inline constexpr std::array<std::uint32_t, 4> kChachaSigma = {0x61707865, 0x3320646e, 0x79622d32,
                                                              0x6b206574};
inline constexpr std::array<std::uint32_t, 4> kChachaTau = {0x61707865, 0x3120646e, 0x79622d36,
                                                            0x6b206574};

inline std::uint32_t load_le32(const std::uint8_t* bytes) noexcept {
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
         static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

template <std::size_t Lanes>
void chacha_quarter_round(ChachaState<Lanes>& s, std::size_t a, std::size_t b, std::size_t c,
                          std::size_t d) noexcept {
  for (std::size_t i = 0; i < Lanes; ++i) {
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

template <std::size_t Lanes>
ChachaState<Lanes> chacha20_blocks(const ChachaState<Lanes>& input) noexcept {
  ChachaState<Lanes> s = input;
  for (int round = 0; round < 10; ++round) {
    chacha_quarter_round<Lanes>(s, 0, 4, 8, 12);
    chacha_quarter_round<Lanes>(s, 1, 5, 9, 13);
    chacha_quarter_round<Lanes>(s, 2, 6, 10, 14);
    chacha_quarter_round<Lanes>(s, 3, 7, 11, 15);
    chacha_quarter_round<Lanes>(s, 0, 5, 10, 15);
    chacha_quarter_round<Lanes>(s, 1, 6, 11, 12);
    chacha_quarter_round<Lanes>(s, 2, 7, 8, 13);
    chacha_quarter_round<Lanes>(s, 3, 4, 9, 14);
  }
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t lane = 0; lane < Lanes; ++lane) s[i][lane] += input[i][lane];
  }
  return s;
}

}  // namespace tessera::detail
