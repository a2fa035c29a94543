// ChaCha20 for machines without AES instructions: two blocks at a time, and of each a row of four
// words in one vector, in what every compiler has for it.

#include <bit>
#include <cstring>

#include "core/keystream.h"

namespace tessera::detail {
namespace {

using Row [[gnu::vector_size(16)]] = std::uint32_t;

struct Rows {
  Row a;
  Row b;
  Row c;
  Row d;
};
static_assert(2 * sizeof(Rows) == kKeystreamBlock);

template <unsigned Bits>
Row rotated(Row row) noexcept {
  return row << Bits | row >> (32 - Bits);
}

// Four quarter rounds, one in each lane.
void quarter_rounds(Rows& s) noexcept {
  s.a += s.b;
  s.d = rotated<16>(s.d ^ s.a);
  s.c += s.d;
  s.b = rotated<12>(s.b ^ s.c);
  s.a += s.b;
  s.d = rotated<8>(s.d ^ s.a);
  s.c += s.d;
  s.b = rotated<7>(s.b ^ s.c);
}

// Columns, then diagonals: the rows are turned until a diagonal stands in each lane, and back.
void double_round(Rows& s) noexcept {
  quarter_rounds(s);
  s.b = __builtin_shufflevector(s.b, s.b, 1, 2, 3, 0);
  s.c = __builtin_shufflevector(s.c, s.c, 2, 3, 0, 1);
  s.d = __builtin_shufflevector(s.d, s.d, 3, 0, 1, 2);
  quarter_rounds(s);
  s.b = __builtin_shufflevector(s.b, s.b, 3, 0, 1, 2);
  s.c = __builtin_shufflevector(s.c, s.c, 2, 3, 0, 1);
  s.d = __builtin_shufflevector(s.d, s.d, 1, 2, 3, 0);
}

// ChaCha20's words are little-endian in memory.
Row turned(Row row) noexcept {
  if constexpr (std::endian::native == std::endian::little) return row;
  for (int i = 0; i < 4; ++i) row[i] = __builtin_bswap32(row[i]);
  return row;
}

Row load_row(const std::uint8_t* bytes) noexcept {
  Row row;
  std::memcpy(&row, bytes, sizeof row);
  return turned(row);
}

void store_block(const Rows& s, const Rows& input, std::uint8_t* out) noexcept {
  const Rows sum = {turned(s.a + input.a), turned(s.b + input.b), turned(s.c + input.c),
                    turned(s.d + input.d)};
  std::memcpy(out, &sum, sizeof sum);
}

}  // namespace

void chacha20_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept {
  Rows first = {{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574},
                load_row(key),
                load_row(key + 16),
                {0, 0, 0, 0}};
  Rows second = first;
  second.d[0] = 1;
  for (; size > 0; size -= kKeystreamBlock, out += kKeystreamBlock) {
    Rows x = first;
    Rows y = second;
    for (int round = 0; round < 10; ++round) {
      double_round(x);
      double_round(y);
    }
    store_block(x, first, out);
    store_block(y, second, out + sizeof x);
    first.d[0] += 2;
    second.d[0] += 2;
  }
}

}  // namespace tessera::detail
