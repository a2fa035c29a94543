#pragma once

// Big-endian numbers in byte arrays. Everything here is constexpr, and becomes one
// load or store and one byte swap at run time.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tessera::detail {

__extension__ using uint128 = unsigned __int128;

using Bytes16 = std::array<std::uint8_t, 16>;

struct Pair64 {
  std::uint64_t hi = 0;
  std::uint64_t lo = 0;

  friend constexpr auto operator<=>(const Pair64&, const Pair64&) = default;
};

constexpr std::uint64_t from_big_endian(std::uint64_t value) noexcept {
  if constexpr (std::endian::native == std::endian::little) return __builtin_bswap64(value);
  return value;
}

constexpr Pair64 load_pair(const Bytes16& bytes) noexcept {
  const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(bytes);
  return {from_big_endian(words[0]), from_big_endian(words[1])};
}

constexpr Bytes16 store_pair(Pair64 pair) noexcept {
  // In one piece: whoever copies the ID next reads it so, and would wait for two halves.
  if (!std::is_constant_evaluated()) {
    using Words [[gnu::vector_size(16)]] = std::uint64_t;
    return std::bit_cast<Bytes16>(Words{from_big_endian(pair.hi), from_big_endian(pair.lo)});
  }
  return std::bit_cast<Bytes16>(
      std::array<std::uint64_t, 2>{from_big_endian(pair.hi), from_big_endian(pair.lo)});
}

constexpr uint128 load_128(const Bytes16& bytes) noexcept {
  const Pair64 pair = load_pair(bytes);
  return static_cast<uint128>(pair.hi) << 64 | pair.lo;
}

constexpr Bytes16 store_128(uint128 value) noexcept {
  return store_pair({static_cast<std::uint64_t>(value >> 64), static_cast<std::uint64_t>(value)});
}

// The first `Size` bytes at `bytes`, as a number.
template <std::size_t Size>
constexpr std::uint64_t load_be(const std::uint8_t* bytes) noexcept {
  static_assert(Size <= 8);
  std::uint64_t value = 0;
  // Said plainly: g++ does not always see that bytes in a row are one word.
  if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
    if constexpr (Size == 8 || Size == 4) {
      __builtin_memcpy(&value, bytes, Size);
      return Size == 8 ? __builtin_bswap64(value) : __builtin_bswap64(value) >> 32;
    }
  }
  for (std::size_t i = 0; i < Size; ++i) value = value << 8 | bytes[i];
  return value;
}

template <std::size_t Size>
constexpr void store_be(std::uint8_t* bytes, std::uint64_t value) noexcept {
  static_assert(Size <= 8);
  if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
    if constexpr (Size == 8 || Size == 4) {
      const std::uint64_t swapped = __builtin_bswap64(Size == 8 ? value : value << 32);
      __builtin_memcpy(bytes, &swapped, Size);
      return;
    }
  }
  for (std::size_t i = Size; i-- > 0; value >>= 8) bytes[i] = static_cast<std::uint8_t>(value);
}

// Eight characters, the first from the lowest byte.
constexpr void store_le_text(char* out, std::uint64_t value) noexcept {
  if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
    __builtin_memcpy(out, &value, sizeof value);
    return;
  }
  for (std::size_t i = 0; i < 8; ++i, value >>= 8) out[i] = static_cast<char>(value & 0xff);
}

}  // namespace tessera::detail
