// ULID text with vectors: all 26 digits of an ID at once.
//
// Digit i is the five bits from bit 5i - 2 on. With AVX2 each lies in a window of two bytes, so
// one shuffle lays the windows side by side, one multiplication by a power of two moves the
// five bits to the bottom, and one table look-up by shuffle makes them letters.
//
// With AVX-512 VBMI one permutation lays out four windows of eight bytes, for eight digits each,
// one instruction takes eight bits from eight places of a window, and one looks up 32 letters.

#include "core/ulid_kernel.h"

#include <array>
#include <cstdlib>
#include <cstring>

namespace tessera::detail {

void write_ulid_texts_portable(std::span<const Ulid> ids, char separator, char* out) noexcept {
  for (const Ulid& id : ids) {
    id.write_text(std::span<char, Ulid::kTextSize>(out, Ulid::kTextSize));
    out[Ulid::kTextSize] = separator;
    out += Ulid::kTextSize + 1;
  }
}

}  // namespace tessera::detail

#if defined(__x86_64__)

#include <immintrin.h>

namespace tessera::detail {
namespace {

constexpr std::size_t kLineSize = Ulid::kTextSize + 1;

// The two halves of a packed register interleave: words 0-7 of the first vector are digits
// 0-7, of the second 8-15, then 16-23 and 24-31.
constexpr std::size_t digit_at(std::size_t vector, std::size_t word) noexcept {
  return (word / 8) * 16 + vector * 8 + word % 8;
}

struct Tables {
  alignas(32) std::uint8_t windows[2][32];
  alignas(32) std::uint16_t factors[2][16];
};

constexpr Tables make_tables() noexcept {
  Tables tables{};
  for (std::size_t vector = 0; vector < 2; ++vector) {
    for (std::size_t word = 0; word < 16; ++word) {
      const std::size_t digit = digit_at(vector, word);
      std::uint8_t high = 0x80;  // 0x80 shuffles in a zero
      std::uint8_t low = 0x80;
      std::uint16_t factor = 0;
      if (digit == 0) {  // three bits only, and nothing in front of them
        high = 0x80;
        low = 0;
        factor = 1u << 11;
      } else if (digit < Ulid::kTextSize) {
        const std::size_t bit = 5 * digit - 2;
        high = static_cast<std::uint8_t>(bit / 8);
        low = bit / 8 + 1 < 16 ? static_cast<std::uint8_t>(bit / 8 + 1) : 0x80;
        factor = static_cast<std::uint16_t>(1u << (5 + bit % 8));
      }
      // Words are little-endian in the register: the low byte of the window comes first.
      tables.windows[vector][2 * word] = low;
      tables.windows[vector][2 * word + 1] = high;
      tables.factors[vector][word] = factor;
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

__attribute__((target("avx2"))) inline __m256i load(const void* from) noexcept {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

__attribute__((target("avx2"))) inline __m256i digits_of(__m256i bytes,
                                                         std::size_t vector) noexcept {
  const __m256i windows = _mm256_shuffle_epi8(bytes, load(kTables.windows[vector]));
  const __m256i moved = _mm256_mulhi_epu16(windows, load(kTables.factors[vector]));
  return _mm256_and_si256(moved, _mm256_set1_epi16(31));
}

// A store is 32 bytes wide, and the next line overwrites the last five; the last line has none
// behind it, and is written by itself.
__attribute__((target("avx2"))) void write_by_avx2(std::span<const Ulid> ids, char separator,
                                                   char* out) noexcept {
  if (ids.empty()) return;
  const __m256i low_letters = _mm256_broadcastsi128_si256(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(kCrockford.data())));
  const __m256i high_letters = _mm256_broadcastsi128_si256(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(kCrockford.data() + 16)));
  for (const Ulid& id : ids.first(ids.size() - 1)) {
    const __m256i bytes = _mm256_broadcastsi128_si256(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(id.bytes.data())));
    const __m256i digits = _mm256_packus_epi16(digits_of(bytes, 0), digits_of(bytes, 1));
    const __m256i letters =
        _mm256_blendv_epi8(_mm256_shuffle_epi8(low_letters, digits),
                           _mm256_shuffle_epi8(high_letters, digits), _mm256_slli_epi16(digits, 3));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), letters);
    out[Ulid::kTextSize] = separator;
    out += kLineSize;
  }
  write_ulid_texts_portable(ids.last(1), separator, out);
}

struct WideTables {
  alignas(32) std::array<std::uint8_t, 32> windows;
  alignas(32) std::array<std::uint8_t, 32> shifts;
};

constexpr WideTables make_wide_tables() noexcept {
  WideTables tables{};
  for (int window = 0; window < 4; ++window) {
    // From this byte on, the first one highest. What is behind the last byte is in no digit.
    const int first_bit = 40 * window - 2;
    const int first_byte = first_bit < 0 ? 0 : first_bit / 8;
    for (int i = 0; i < 8; ++i) {
      const std::size_t at = 8 * static_cast<std::size_t>(window) + static_cast<std::size_t>(i);
      const int byte = first_byte + 7 - i;
      tables.windows[at] = static_cast<std::uint8_t>(byte < 16 ? byte : 0);
      // Of digits behind the last one too: nobody reads them.
      const int behind = first_bit + 5 * i + 5 - 8 * first_byte;
      tables.shifts[at] = static_cast<std::uint8_t>((64 - behind) & 63);
    }
  }
  return tables;
}

constexpr WideTables kWideTables = make_wide_tables();

constexpr __mmask32 kWhole = ~__mmask32{0};  // g++ 12 warns of its own intrinsics without a mask

#define TESSERA_VBMI __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vbmi")))

TESSERA_VBMI void write_by_vbmi(std::span<const Ulid> ids, char separator, char* out) noexcept {
  if (ids.empty()) return;
  const __m256i windows = load(kWideTables.windows.data());
  const __m256i shifts = load(kWideTables.shifts.data());
  const __m256i letters = load(kCrockford.data());
  // The first digit has three bits, and what comes around the end of the window in front of them.
  const __m256i five_bits = _mm256_mask_mov_epi8(_mm256_set1_epi8(31), 1, _mm256_set1_epi8(7));
  const __m256i separators = _mm256_set1_epi8(separator);
  for (const Ulid& id : ids.first(ids.size() - 1)) {
    const __m256i bytes =
        _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(id.bytes.data())));
    const __m256i digits =
        _mm256_and_si256(_mm256_maskz_multishift_epi64_epi8(
                             kWhole, shifts, _mm256_maskz_permutexvar_epi8(kWhole, windows, bytes)),
                         five_bits);
    const __m256i line = _mm256_mask_mov_epi8(
        _mm256_maskz_permutexvar_epi8(kWhole, digits, letters), 1u << Ulid::kTextSize, separators);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), line);
    out += kLineSize;
  }
  write_ulid_texts_portable(ids.last(1), separator, out);
}

}  // namespace

std::span<const UlidTextsWriter> ulid_texts_writers() noexcept {
  static constexpr std::array<UlidTextsWriter, 3> kAll = {write_ulid_texts_portable, write_by_avx2,
                                                          write_by_vbmi};
  const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  const bool vbmi = avx2 && __builtin_cpu_supports("avx512bw") != 0 &&
                    __builtin_cpu_supports("avx512vl") != 0 &&
                    __builtin_cpu_supports("avx512vbmi") != 0;
  return std::span(kAll).first(vbmi ? 3 : avx2 ? 2 : 1);
}

}  // namespace tessera::detail

#else

namespace tessera::detail {

std::span<const UlidTextsWriter> ulid_texts_writers() noexcept {
  static constexpr std::array<UlidTextsWriter, 1> kAll = {write_ulid_texts_portable};
  return kAll;
}

}  // namespace tessera::detail

#endif

namespace tessera {

void write_texts(std::span<const Ulid> ids, char separator, std::span<char> out) noexcept {
  if (out.size() < ids.size() * (Ulid::kTextSize + 1)) std::abort();
  detail::ulid_texts_writers().back()(ids, separator, out.data());
}

}  // namespace tessera
