// BLAKE2s, by the book.

#include "registry/blake2s.h"

#include <algorithm>
#include <bit>

namespace tessera {
namespace {

constexpr std::array<std::uint32_t, 8> kStart = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                                 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};

constexpr std::uint8_t kOrder[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                         {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                         {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                         {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                         {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                         {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                         {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                         {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                         {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                         {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

std::uint32_t load_le(const std::uint8_t* bytes) noexcept {
  return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
         std::uint32_t{bytes[3]} << 24;
}

}  // namespace

Blake2s::Blake2s() noexcept : state_(kStart) {
  constexpr std::uint32_t kParameters = 0x01010000 | 32;  // no key, no tree, 32 bytes
  state_[0] ^= kParameters;
}

void Blake2s::mix(bool last) noexcept {
  std::array<std::uint32_t, 16> v{};
  std::array<std::uint32_t, 16> m{};
  for (std::size_t i = 0; i < 8; ++i) {
    v[i] = state_[i];
    v[i + 8] = kStart[i];
  }
  v[12] ^= static_cast<std::uint32_t>(total_);
  v[13] ^= static_cast<std::uint32_t>(total_ >> 32);
  if (last) v[14] = ~v[14];
  for (std::size_t i = 0; i < 16; ++i) m[i] = load_le(block_.data() + 4 * i);
  const auto quarter = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d,
                           std::uint32_t x, std::uint32_t y) {
    v[a] += v[b] + x;
    v[d] = std::rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 12);
    v[a] += v[b] + y;
    v[d] = std::rotr(v[d] ^ v[a], 8);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 7);
  };
  for (const auto& order : kOrder) {
    quarter(0, 4, 8, 12, m[order[0]], m[order[1]]);
    quarter(1, 5, 9, 13, m[order[2]], m[order[3]]);
    quarter(2, 6, 10, 14, m[order[4]], m[order[5]]);
    quarter(3, 7, 11, 15, m[order[6]], m[order[7]]);
    quarter(0, 5, 10, 15, m[order[8]], m[order[9]]);
    quarter(1, 6, 11, 12, m[order[10]], m[order[11]]);
    quarter(2, 7, 8, 13, m[order[12]], m[order[13]]);
    quarter(3, 4, 9, 14, m[order[14]], m[order[15]]);
  }
  for (std::size_t i = 0; i < 8; ++i) state_[i] ^= v[i] ^ v[i + 8];
}

Blake2s& Blake2s::add(std::span<const std::uint8_t> bytes) noexcept {
  while (!bytes.empty()) {
    if (size_ == block_.size()) {  // only when more is to come: the last block is marked
      total_ += size_;
      mix(false);
      size_ = 0;
    }
    const std::size_t count = std::min(bytes.size(), block_.size() - size_);
    std::copy_n(bytes.begin(), count, block_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += count;
    bytes = bytes.subspan(count);
  }
  return *this;
}

Blake2s& Blake2s::add_text(std::string_view text) noexcept {
  add_number(text.size());
  return add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

Blake2s& Blake2s::add_number(std::uint64_t number) noexcept {
  std::array<std::uint8_t, 8> bytes{};
  detail::store_be<8>(bytes.data(), number);
  return add(bytes);
}

std::array<std::uint8_t, 32> Blake2s::finish() noexcept {
  std::fill(block_.begin() + static_cast<std::ptrdiff_t>(size_), block_.end(), std::uint8_t{0});
  total_ += size_;
  mix(true);
  std::array<std::uint8_t, 32> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint8_t>(state_[i / 4] >> (8 * (i % 4)));
  }
  return out;
}

detail::Bytes16 Blake2s::finish_16() noexcept {
  const auto all = finish();
  detail::Bytes16 half{};
  std::copy_n(all.begin(), half.size(), half.begin());
  return half;
}

}  // namespace tessera
