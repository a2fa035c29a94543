// ULID text with vectors: all 26 digits of an ID at once.
//
// Digit i is the five bits from bit 5i - 2 on. With AVX2 each lies in a window of two bytes, so
// one shuffle lays the windows side by side, one multiplication by a power of two moves the
// five bits to the bottom, and one table look-up by shuffle makes them letters.
//
// With AVX-512 VBMI one permutation lays out four windows of eight bytes, for eight digits each,
// one instruction takes eight bits from eight places of a window, and one looks up 32 letters.
//
// Reading is the same backwards: characters become digits by a look-up of their lower four bits in
// the table of their upper four, two digits become ten bits by one multiplication and addition,
// four become twenty by another. Whether a character is one at all is seen by two look-ups that
// must have a bit in common. With AVX-512 VBMI one look-up among 128 does all of that.

#include "core/ulid_kernel.h"

#include <array>
#include <cstdlib>
#include <cstring>

#include "core/cpu.h"

namespace tessera::detail {

void write_ulid_text_portable(const std::uint8_t* bytes, char* out,
                              base32::Letters letters) noexcept {
  Bytes16 copy;
  std::memcpy(copy.data(), bytes, copy.size());
  base32::write_left_portable(copy, std::span<char, Ulid::kTextSize>(out, Ulid::kTextSize),
                              letters);
}

bool read_ulid_text_portable(const char* text, std::uint8_t* out, TextAlphabet alphabet) noexcept {
  const DigitTable& table = alphabet == TextAlphabet::either_case ? kCrockfordDigits
                            : alphabet == TextAlphabet::lower     ? kCrockfordLowerDigits
                                                                  : kCrockfordFriendly;
  const auto bytes = base32::parse_left_portable({text, Ulid::kTextSize}, table);
  if (!bytes) return false;
  std::memcpy(out, bytes->data(), bytes->size());
  return true;
}

void write_ulid_texts_portable(std::span<const Ulid> ids, char separator, char* out) noexcept {
  for (const Ulid& id : ids) {
    write_ulid_text_portable(id.bytes.data(), out, base32::Letters::upper);
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

// The first 26 characters. Not by a mask: what is stored so cannot be read again at once.
__attribute__((target("avx2"))) inline void store_text(__m256i text, char* out) noexcept {
  const __m128i rest = _mm256_extracti128_si256(text, 1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(text));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out + 16), rest);
  const auto last = static_cast<std::uint16_t>(_mm_extract_epi16(rest, 4));
  std::memcpy(out + 24, &last, sizeof last);
}

// One ID, and not a byte more.
__attribute__((target("avx2"))) void write_one_by_avx2(const std::uint8_t* id, char* out,
                                                       base32::Letters letters) noexcept {
  const char* alphabet =
      letters == base32::Letters::upper ? kCrockford.data() : kCrockfordLower.data();
  const __m256i low_letters =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(alphabet)));
  const __m256i high_letters =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(alphabet + 16)));
  const __m256i bytes =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(id)));
  const __m256i digits = _mm256_packus_epi16(digits_of(bytes, 0), digits_of(bytes, 1));
  const __m256i text =
      _mm256_blendv_epi8(_mm256_shuffle_epi8(low_letters, digits),
                         _mm256_shuffle_epi8(high_letters, digits), _mm256_slli_epi16(digits, 3));
  store_text(text, out);
}

// For reading. Bit 0 is of the digits, bit 1 of @ A to O, bit 2 of P to Z; a character is good if
// its upper and its lower four bits have one in common. Each table stands twice, once for each half
// of a register.
struct ReadTables {
  alignas(32) std::array<std::uint8_t, 32> upper_classes{};
  alignas(32) std::array<std::uint8_t, 32> lower_classes{};
  alignas(32) std::array<std::uint8_t, 32> from_a{};  // the digit, by the lower four bits
  alignas(32) std::array<std::uint8_t, 32> from_p{};
};

constexpr ReadTables make_read_tables(const DigitTable& digits) noexcept {
  ReadTables tables;
  for (std::size_t c = 0; c < 128; ++c) {
    if (digits[c] == kNotADigit) continue;
    const std::uint8_t bit = c >> 4 == 3 ? 1 : (c >> 4) % 2 == 0 ? 2 : 4;
    for (const std::size_t half : {std::size_t{0}, std::size_t{16}}) {
      const std::size_t lower = half + (c & 15);
      tables.upper_classes[half + (c >> 4)] = bit;
      tables.lower_classes[lower] = static_cast<std::uint8_t>(tables.lower_classes[lower] | bit);
      if (bit == 2) tables.from_a[lower] = digits[c];
      if (bit == 4) tables.from_p[lower] = digits[c];
    }
  }
  return tables;
}

// That a class is right for every character of its column holds for these three alphabets, and
// for no other without looking.
constexpr bool tables_are_right(const ReadTables& tables, const DigitTable& digits) noexcept {
  for (std::size_t c = 0; c < 256; ++c) {
    const std::size_t lower = c & 15;
    const std::uint8_t common =
        static_cast<std::uint8_t>(tables.upper_classes[c >> 4] & tables.lower_classes[lower]);
    if ((common != 0) != (digits[c] != kNotADigit)) return false;
    const std::size_t digit = common == 1   ? lower
                              : common == 2 ? std::size_t{tables.from_a[lower]}
                                            : std::size_t{tables.from_p[lower]};
    if (common != 0 && digit != digits[c]) return false;
  }
  return true;
}

constexpr std::array<ReadTables, 3> kReadTables = {make_read_tables(kCrockfordDigits),
                                                   make_read_tables(kCrockfordLowerDigits),
                                                   make_read_tables(kCrockfordFriendly)};
static_assert(tables_are_right(kReadTables[0], kCrockfordDigits));
static_assert(tables_are_right(kReadTables[1], kCrockfordLowerDigits));
static_assert(tables_are_right(kReadTables[2], kCrockfordFriendly));

// The register has characters 2 to 17 and 10 to 25: three groups of eight, one of them twice, each
// turned round, so that its last digit is in the lowest bits. The first two characters go by the
// table, since the first has a limit of its own.
__attribute__((target("avx2"))) inline bool read_by_avx2(const char* text, std::uint8_t* out,
                                                         const ReadTables& tables,
                                                         const DigitTable& digits) noexcept {
  const std::uint32_t first = digit_of(digits, text[0]);
  const std::uint32_t second = digit_of(digits, text[1]);
  const __m256i turned = _mm256_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8,  //
                                          7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
  const __m256i characters = _mm256_shuffle_epi8(
      _mm256_inserti128_si256(
          _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 2))),
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 10)), 1),
      turned);
  const __m256i four_bits = _mm256_set1_epi8(15);
  const __m256i lower = _mm256_and_si256(characters, four_bits);
  const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(characters, 4), four_bits);
  const __m256i common =
      _mm256_and_si256(_mm256_shuffle_epi8(load(tables.upper_classes.data()), upper),
                       _mm256_shuffle_epi8(load(tables.lower_classes.data()), lower));
  // Bit 4 of a character tells P to Z from A to O, bit 6 letters from digits.
  const __m256i letter = _mm256_blendv_epi8(_mm256_shuffle_epi8(load(tables.from_a.data()), lower),
                                            _mm256_shuffle_epi8(load(tables.from_p.data()), lower),
                                            _mm256_slli_epi16(characters, 3));
  const __m256i digit = _mm256_blendv_epi8(lower, letter, _mm256_slli_epi16(characters, 1));
  // Two digits, four, and eight, in ten, twenty and forty bits.
  const __m256i twos = _mm256_maddubs_epi16(digit, _mm256_set1_epi16(0x2001));
  const __m256i fours = _mm256_madd_epi16(twos, _mm256_set1_epi32(0x0400'0001));
  const __m256i eights = _mm256_srli_epi64(
      _mm256_sllv_epi32(fours, _mm256_setr_epi32(12, 0, 12, 0, 12, 0, 12, 0)), 12);
  const __m256i placed = _mm256_shuffle_epi8(
      eights, _mm256_setr_epi8(-1, 4, 3, 2, 1, 0, 12, 11, 10, 9, 8, -1, -1, -1, -1, -1,  //
                               -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 12, 11, 10, 9, 8));
  const __m128i front = _mm_cvtsi32_si128(static_cast<int>((first << 5 | second) & 0xFF));
  // In one piece, as the caller will read it: two halves would have to reach the cache first.
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                   _mm_or_si128(front, _mm_or_si128(_mm256_castsi256_si128(placed),
                                                    _mm256_extracti128_si256(placed, 1))));
  const int bad = _mm256_movemask_epi8(_mm256_cmpeq_epi8(common, _mm256_setzero_si256()));
  return (static_cast<unsigned>(bad) | (first & ~7u) | (second & ~31u)) == 0;
}

__attribute__((target("avx2"))) bool read_one_by_avx2(const char* text, std::uint8_t* out,
                                                      TextAlphabet alphabet) noexcept {
  if (alphabet == TextAlphabet::either_case) {
    return read_by_avx2(text, out, kReadTables[0], kCrockfordDigits);
  }
  if (alphabet == TextAlphabet::lower) {
    return read_by_avx2(text, out, kReadTables[1], kCrockfordLowerDigits);
  }
  return read_by_avx2(text, out, kReadTables[2], kCrockfordFriendly);
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

TESSERA_VBMI void write_one_by_vbmi(const std::uint8_t* id, char* out,
                                    base32::Letters letters) noexcept {
  const char* alphabet =
      letters == base32::Letters::upper ? kCrockford.data() : kCrockfordLower.data();
  const __m256i five_bits = _mm256_mask_mov_epi8(_mm256_set1_epi8(31), 1, _mm256_set1_epi8(7));
  const __m256i bytes =
      _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(id)));
  const __m256i windows =
      _mm256_maskz_permutexvar_epi8(kWhole, load(kWideTables.windows.data()), bytes);
  const __m256i digits = _mm256_and_si256(
      _mm256_maskz_multishift_epi64_epi8(kWhole, load(kWideTables.shifts.data()), windows),
      five_bits);
  store_text(_mm256_maskz_permutexvar_epi8(kWhole, digits, load(alphabet)), out);
}

// Four groups of eight characters, of which the first has the two that make the first byte, and
// zeros in front of them; each is turned round as above. A text is loaded as characters 0 to 15 and
// 10 to 25.
struct WideReadTables {
  alignas(32) std::array<std::uint8_t, 32> places{};
  alignas(32) std::array<std::uint8_t, 32> limits{};  // bits that no good digit has
  alignas(16) std::array<std::uint8_t, 16> bytes{};   // where they are, five in each group
  __mmask32 characters = 0;                           // and not a zero
};

constexpr WideReadTables make_wide_read_tables() noexcept {
  WideReadTables tables;
  constexpr std::size_t kZeros = 32 - Ulid::kTextSize;
  for (std::size_t digit = 0; digit < 32; ++digit) {
    const std::size_t at = digit / 8 * 8 + 7 - digit % 8;
    tables.limits[at] = digit == kZeros ? 0xF8 : 0xE0;
    if (digit < kZeros) continue;
    const std::size_t character = digit - kZeros;
    tables.places[at] = static_cast<std::uint8_t>(character < 16 ? character : character + 6);
    tables.characters |= __mmask32{1} << at;
  }
  for (std::size_t byte = 1; byte < Ulid::kSize; ++byte) {
    const std::size_t group = (byte + 4) / 5;
    tables.bytes[byte] = static_cast<std::uint8_t>(8 * group + 4 - (byte - 1) % 5);
  }
  return tables;
}

constexpr WideReadTables kWideReadTables = make_wide_read_tables();

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"  // g++ 12, of half of a register in its own header

// One look-up tells the digit of each character, if its highest bit is not set.
TESSERA_VBMI inline bool read_by_vbmi(const char* text, std::uint8_t* out,
                                      const DigitTable& table) noexcept {
  const __m256i loaded = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text))),
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 10)), 1);
  const __m256i characters =
      _mm256_mask_permutexvar_epi8(_mm256_set1_epi8('0'), kWideReadTables.characters,
                                   load(kWideReadTables.places.data()), loaded);
  const __m256i digits = _mm512_castsi512_si256(
      _mm512_permutex2var_epi8(_mm512_loadu_si512(table.data()), _mm512_castsi256_si512(characters),
                               _mm512_loadu_si512(table.data() + 64)));
  constexpr int kFirstOrBothOthers = 0xF8;
  const __m256i seen =
      _mm256_ternarylogic_epi32(digits, characters, _mm256_set1_epi8(-128), kFirstOrBothOthers);
  const __mmask32 bad = _mm256_test_epi8_mask(seen, load(kWideReadTables.limits.data()));
  const __m256i twos = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x2001));
  const __m256i fours = _mm256_madd_epi16(twos, _mm256_set1_epi32(0x0400'0001));
  const __m256i eights = _mm256_srli_epi64(
      _mm256_sllv_epi32(fours, _mm256_setr_epi32(12, 0, 12, 0, 12, 0, 12, 0)), 12);
  const __m256i bytes = _mm256_maskz_permutexvar_epi8(
      kWhole,
      _mm256_castsi128_si256(
          _mm_load_si128(reinterpret_cast<const __m128i*>(kWideReadTables.bytes.data()))),
      eights);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(bytes));
  return bad == 0;
}

TESSERA_VBMI bool read_one_by_vbmi(const char* text, std::uint8_t* out,
                                   TextAlphabet alphabet) noexcept {
  return read_by_vbmi(text, out,
                      alphabet == TextAlphabet::either_case ? kCrockfordDigits
                      : alphabet == TextAlphabet::lower     ? kCrockfordLowerDigits
                                                            : kCrockfordFriendly);
}

#pragma GCC diagnostic pop

}  // namespace

std::span<const UlidTextKernel> ulid_text_kernels() noexcept {
  static constexpr std::array<UlidTextKernel, 3> kAll = {
      {{CpuLevel::portable, write_ulid_texts_portable, write_ulid_text_portable,
        read_ulid_text_portable},
       {CpuLevel::avx2, write_by_avx2, write_one_by_avx2, read_one_by_avx2},
       {CpuLevel::avx512, write_by_vbmi, write_one_by_vbmi, read_one_by_vbmi}}};
  const CpuLevel level = cpu_level();
  return std::span(kAll).first(level == CpuLevel::avx512 ? 3 : level == CpuLevel::avx2 ? 2 : 1);
}

}  // namespace tessera::detail

#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)

#include <arm_neon.h>

namespace tessera::detail {
namespace {

// As with AVX2, in four vectors of eight digits; a shift has a width of its own for each.
struct Tables {
  alignas(16) std::uint8_t windows[4][16];
  alignas(16) std::int16_t shifts[4][8];
};

constexpr Tables make_tables() noexcept {
  Tables tables{};
  for (std::size_t digit = 0; digit < 32; ++digit) {
    std::uint8_t high = 0xFF;  // beyond the bytes: a zero
    std::uint8_t low = 0xFF;
    int shift = 0;
    if (digit == 0) {  // three bits only, and nothing in front of them
      low = 0;
      shift = 5;
    } else if (digit < Ulid::kTextSize) {
      const std::size_t bit = 5 * digit - 2;
      high = static_cast<std::uint8_t>(bit / 8);
      low = bit / 8 + 1 < 16 ? static_cast<std::uint8_t>(bit / 8 + 1) : std::uint8_t{0xFF};
      shift = 11 - static_cast<int>(bit % 8);
    }
    tables.windows[digit / 8][2 * (digit % 8)] = low;
    tables.windows[digit / 8][2 * (digit % 8) + 1] = high;
    tables.shifts[digit / 8][digit % 8] = static_cast<std::int16_t>(-shift);
  }
  return tables;
}

constexpr Tables kTables = make_tables();

inline uint8x8_t digits_of(uint8x16_t bytes, std::size_t vector) noexcept {
  const uint16x8_t windows =
      vreinterpretq_u16_u8(vqtbl1q_u8(bytes, vld1q_u8(kTables.windows[vector])));
  return vmovn_u16(
      vandq_u16(vshlq_u16(windows, vld1q_s16(kTables.shifts[vector])), vdupq_n_u16(31)));
}

// One ID, and not a byte more.
void write_one_by_neon(const std::uint8_t* id, char* out, base32::Letters letters) noexcept {
  const auto* alphabet = reinterpret_cast<const std::uint8_t*>(
      letters == base32::Letters::upper ? kCrockford.data() : kCrockfordLower.data());
  const uint8x16x2_t table = {{vld1q_u8(alphabet), vld1q_u8(alphabet + 16)}};
  const uint8x16_t bytes = vld1q_u8(id);
  const uint8x16_t front = vqtbl2q_u8(table, vcombine_u8(digits_of(bytes, 0), digits_of(bytes, 1)));
  const uint8x16_t back = vqtbl2q_u8(table, vcombine_u8(digits_of(bytes, 2), digits_of(bytes, 3)));
  std::uint8_t text[32];
  vst1q_u8(text, front);
  vst1q_u8(text + 16, back);
  std::memcpy(out, text, Ulid::kTextSize);
}

void write_by_neon(std::span<const Ulid> ids, char separator, char* out) noexcept {
  for (const Ulid& id : ids) {
    write_one_by_neon(id.bytes.data(), out, base32::Letters::upper);
    out[Ulid::kTextSize] = separator;
    out += Ulid::kTextSize + 1;
  }
}

// Two groups of eight digits, forty bits each; `bad` becomes more than 31 where a character is
// none.
inline uint64x2_t groups_of(const char* text, uint8x16x4_t to_63, uint8x16x4_t from_64,
                            uint8x16_t& bad) noexcept {
  const uint8x16_t characters = vld1q_u8(reinterpret_cast<const std::uint8_t*>(text));
  // What is beyond a table leaves what was there before.
  const uint8x16_t digits = vqtbx4q_u8(vqtbx4q_u8(vdupq_n_u8(kNotADigit), to_63, characters),
                                       from_64, vsubq_u8(characters, vdupq_n_u8(64)));
  bad = vmaxq_u8(bad, digits);
  // The first digit is in the lower half, and becomes the upper one: in ten, twenty and forty bits.
  const uint16x8_t ones = vreinterpretq_u16_u8(digits);
  const uint32x4_t twos = vreinterpretq_u32_u16(
      vorrq_u16(vshlq_n_u16(vandq_u16(ones, vdupq_n_u16(0xFF)), 5), vshrq_n_u16(ones, 8)));
  const uint64x2_t fours = vreinterpretq_u64_u32(
      vorrq_u32(vshlq_n_u32(vandq_u32(twos, vdupq_n_u32(0xFFFF)), 10), vshrq_n_u32(twos, 16)));
  return vorrq_u64(vshlq_n_u64(vandq_u64(fours, vdupq_n_u64(0xFFFF'FFFF)), 20),
                   vshrq_n_u64(fours, 32));
}

// Characters 2 to 17 and 10 to 25: three groups, one of them twice. The first two characters go by
// the table, since the first has a limit of its own.
bool read_one_by_neon(const char* text, std::uint8_t* out, TextAlphabet alphabet) noexcept {
  const DigitTable& table = alphabet == TextAlphabet::either_case ? kCrockfordDigits
                            : alphabet == TextAlphabet::lower     ? kCrockfordLowerDigits
                                                                  : kCrockfordFriendly;
  const uint8x16x4_t to_63 = vld1q_u8_x4(table.data());
  const uint8x16x4_t from_64 = vld1q_u8_x4(table.data() + 64);
  const std::uint64_t first = digit_of(table, text[0]);
  const std::uint64_t second = digit_of(table, text[1]);
  uint8x16_t bad = vdupq_n_u8(0);
  const uint64x2_t front = groups_of(text + 2, to_63, from_64, bad);
  const uint64x2_t back = groups_of(text + 10, to_63, from_64, bad);
  const std::uint64_t middle = vgetq_lane_u64(front, 1);
  const std::uint64_t hi =
      first << 61 | second << 56 | vgetq_lane_u64(front, 0) << 16 | middle >> 24;
  const std::uint64_t lo = middle << 40 | vgetq_lane_u64(back, 1);
  const Bytes16 bytes = store_pair({hi, lo});
  std::memcpy(out, bytes.data(), bytes.size());
  return vmaxvq_u8(bad) <= 31 && first <= 7 && second <= 31;
}

}  // namespace

std::span<const UlidTextKernel> ulid_text_kernels() noexcept {
  static constexpr std::array<UlidTextKernel, 2> kAll = {
      {{CpuLevel::portable, write_ulid_texts_portable, write_ulid_text_portable,
        read_ulid_text_portable},
       {CpuLevel::neon, write_by_neon, write_one_by_neon, read_one_by_neon}}};
  return std::span(kAll).first(cpu_level() >= CpuLevel::neon ? 2 : 1);
}

}  // namespace tessera::detail

#else

namespace tessera::detail {

std::span<const UlidTextKernel> ulid_text_kernels() noexcept {
  static constexpr std::array<UlidTextKernel, 1> kAll = {
      {{CpuLevel::portable, write_ulid_texts_portable, write_ulid_text_portable,
        read_ulid_text_portable}}};
  return kAll;
}

}  // namespace tessera::detail

#endif

namespace tessera {

// A branch that is always the same costs less than a call by a pointer.

void base32::internal::write_left_here(const std::uint8_t* bytes, char* out,
                                       Letters letters) noexcept {
#if defined(__x86_64__)
  const auto level = detail::cpu_level();
  if (level == detail::CpuLevel::avx512) return detail::write_one_by_vbmi(bytes, out, letters);
  if (level == detail::CpuLevel::avx2) return detail::write_one_by_avx2(bytes, out, letters);
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)
  if (detail::cpu_level() >= detail::CpuLevel::neon) {
    return detail::write_one_by_neon(bytes, out, letters);
  }
#endif
  detail::write_ulid_text_portable(bytes, out, letters);
}

bool base32::internal::parse_left_here(const char* text, std::uint8_t* out,
                                       Alphabet alphabet) noexcept {
#if defined(__x86_64__)
  const auto level = detail::cpu_level();
  if (level == detail::CpuLevel::avx512) return detail::read_one_by_vbmi(text, out, alphabet);
  if (level == detail::CpuLevel::avx2) return detail::read_one_by_avx2(text, out, alphabet);
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)
  if (detail::cpu_level() >= detail::CpuLevel::neon) {
    return detail::read_one_by_neon(text, out, alphabet);
  }
#endif
  return detail::read_ulid_text_portable(text, out, alphabet);
}

void write_texts(std::span<const Ulid> ids, char separator, std::span<char> out) noexcept {
  if (out.size() < ids.size() * (Ulid::kTextSize + 1)) std::abort();
  detail::ulid_text_kernels().back().write_many(ids, separator, out.data());
}

std::size_t parse_texts(std::span<const std::string_view> texts,
                        std::span<Result<Ulid, ParseError>> out) noexcept {
  if (out.size() < texts.size()) std::abort();
  std::size_t good = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out[i] = Ulid::parse(texts[i]);
    if (out[i]) ++good;
  }
  return good;
}

}  // namespace tessera
