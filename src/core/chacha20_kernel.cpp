// ChaCha20 in plain C++, for machines without AES instructions: two blocks at a time.

#include "core/chacha20.h"
#include "core/keystream.h"

namespace tessera::detail {
namespace {

constexpr std::size_t kLanes = 2;
static_assert(kLanes * 64 == kKeystreamBlock);

}  // namespace

void chacha20_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept {
  ChachaState<kLanes> input{};
  for (std::size_t i = 0; i < 4; ++i) input[i].fill(kChachaSigma[i]);
  for (std::size_t i = 0; i < 8; ++i) input[4 + i].fill(load_le32(key + 4 * i));
  for (std::size_t i = 0; i < kLanes; ++i) input[12][i] = static_cast<std::uint32_t>(i);

  for (; size > 0; size -= kKeystreamBlock) {
    const ChachaState<kLanes> s = chacha20_blocks<kLanes>(input);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::size_t i = 0; i < 16; ++i, out += 4) {
        for (std::size_t byte = 0; byte < 4; ++byte) {
          out[byte] = static_cast<std::uint8_t>(s[i][lane] >> 8 * byte);
        }
      }
      input[12][lane] += kLanes;
    }
  }
}

}  // namespace tessera::detail
