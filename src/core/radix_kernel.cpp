// Base 36 and base 62 of 128 bits, without one division.
//
//    base 62   aa | bb cccc dddd | ee ffff gggg       base 36   a | bbbb cccc dddd | eeee ffff gggg
//
// To write: the number is cut twice, by the largest power whose square is no more than 128 bits,
// and each piece into groups of four digits, by multiplication with reciprocals. Then vectors cut
// all groups at once, into pairs and into digits, and make them characters. With AVX2 one register
// holds all of them, and base 36 goes by groups of six and three digits, base 62 by five and three,
// which are fewer: what counts is how many steps there are in all, since the next number is begun
// before this one is done.
//
// To read, the same backwards: characters become digits, pairs, fours and eights side by side, and
// three eights one number. What is refused is looked at again, by Radix, which knows where and why.

#include "core/radix_kernel.h"

#include <array>
#include <string_view>

namespace tessera::detail {
namespace {

[[gnu::noinline]] void write_36_portable(const Bytes16& bytes, char* out) noexcept {
  Radix<36, base36::kTextSize>::write(bytes, kBase36.data(), out);
}

[[gnu::noinline]] void write_62_portable(const Bytes16& bytes, char* out) noexcept {
  Radix<62, base62::kTextSize>::write(bytes, kBase62.data(), out);
}

[[gnu::noinline]] bool read_36_portable(const char* text, Bytes16& out) noexcept {
  const auto bytes = base36::parse_portable({text, base36::kTextSize});
  if (bytes) out = *bytes;
  return static_cast<bool>(bytes);
}

[[gnu::noinline]] bool read_62_portable(const char* text, Bytes16& out) noexcept {
  const auto bytes = base62::parse_portable({text, base62::kTextSize});
  if (bytes) out = *bytes;
  return static_cast<bool>(bytes);
}

constexpr RadixKernel kPortable = {CpuLevel::portable, write_36_portable, write_62_portable,
                                   read_36_portable, read_62_portable};

}  // namespace
}  // namespace tessera::detail

#if defined(__x86_64__)

#include <immintrin.h>

namespace tessera::detail {
namespace {

constexpr std::uint64_t power_of(std::uint64_t base, unsigned exponent) noexcept {
  std::uint64_t power = 1;
  while (exponent-- > 0) power *= base;
  return power;
}

// 2^bits / divisor, rounded down; it must fit.
constexpr uint128 reciprocal(uint128 divisor, unsigned bits) noexcept {
  uint128 rest = 1;
  uint128 quotient = 0;
  for (unsigned i = 0; i < bits; ++i) {
    rest <<= 1;
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
  }
  return quotient;
}

constexpr std::uint64_t upper_half(std::uint64_t a, std::uint64_t b) noexcept {
  return static_cast<std::uint64_t>(static_cast<uint128>(a) * b >> 64);
}

// number = front * d^2 + middle * d + back, where d is `Digits` digits long.
struct Pieces {
  std::uint64_t front;
  std::uint64_t middle;
  std::uint64_t back;
};

// Two reciprocals, of d and of its square. Of the first the product is taken to 128 bits, three of
// them behind the point are lost, and so its quotient is one too small in one number of 2^50; the
// same holds for the second. That is seen by what is left, and the way round is never on the path.
template <unsigned Base, unsigned Digits>
inline Pieces pieces_of(const Bytes16& bytes) noexcept {
  constexpr std::uint64_t kOne = power_of(Base, Digits);
  constexpr uint128 kSquare = static_cast<uint128>(kOne) * kOne;
  constexpr auto kOneBits = static_cast<unsigned>(std::bit_width(kOne));
  constexpr auto kSquareBits =
      64 + static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(kSquare >> 64)));
  constexpr uint128 kToOne = reciprocal(kOne, 127 + kOneBits);  // 128 bits, the first of them set
  constexpr auto kToOneHigh = static_cast<std::uint64_t>(kToOne >> 64);
  constexpr auto kToOneLow = static_cast<std::uint64_t>(kToOne);
  constexpr auto kToSquare = static_cast<std::uint64_t>(reciprocal(kSquare, 63 + kSquareBits));

  const auto [hi, lo] = load_pair(bytes);
  const uint128 product = static_cast<uint128>(hi) * kToOneHigh + upper_half(hi, kToOneLow) +
                          upper_half(lo, kToOneHigh);
  // Above 64 bits there are more of the quotient; who knows `front` does not need them.
  const auto quotient = static_cast<std::uint64_t>(product >> (kOneBits - 1));
  std::uint64_t front = upper_half(hi, kToSquare) >> (kSquareBits - 65);
  std::uint64_t middle = quotient - front * kOne;
  std::uint64_t back = lo - quotient * kOne;
  if (back >= kOne) [[unlikely]] {
    back -= kOne;
    ++middle;
  }
  if (middle >= kOne) [[unlikely]] {
    middle -= kOne;
    ++front;
  }
  return {front, middle, back};
}

// Four digits in the lower half of each lane become two pairs of digits, the first in the lowest.
template <unsigned Base>
inline __m128i pairs_of(__m128i fours) noexcept {
  constexpr int kShift = 36;
  constexpr std::int64_t kPair = static_cast<std::int64_t>(power_of(Base, 2));
  constexpr std::int64_t kFactor = (std::int64_t{1} << kShift) / kPair + 1;
  constexpr std::int64_t kExcess = kFactor * kPair - (std::int64_t{1} << kShift);
  static_assert(power_of(Base, 4) * kExcess < std::uint64_t{1} << kShift);
  const __m128i first = _mm_srli_epi64(_mm_mul_epu32(fours, _mm_set1_epi64x(kFactor)), kShift);
  const __m128i second = _mm_sub_epi32(fours, _mm_mul_epu32(first, _mm_set1_epi64x(kPair)));
  return _mm_or_si128(first, _mm_slli_epi32(second, 16));
}

template <unsigned Base>
inline __m128i letters_of(__m128i digits) noexcept {
  const auto above = [digits](char last, char gap) {
    return _mm_and_si128(_mm_cmpgt_epi8(digits, _mm_set1_epi8(last)), _mm_set1_epi8(gap));
  };
  const __m128i numbers = _mm_add_epi8(digits, _mm_set1_epi8('0'));
  if constexpr (Base == 36) {
    return _mm_add_epi8(numbers, above(9, 'a' - '9' - 1));
  } else {
    return _mm_add_epi8(numbers, _mm_add_epi8(above(9, 'A' - '9' - 1), above(35, 'a' - 'Z' - 1)));
  }
}

// Eight pairs become sixteen characters.
template <unsigned Base>
inline __m128i text_of(__m128i pairs) noexcept {
  constexpr int kShift = 5;  // the factor is just below 2^16
  constexpr std::uint32_t kFactor = (1u << (16 + kShift)) / Base + 1;
  constexpr std::uint32_t kExcess = kFactor * Base - (1u << (16 + kShift));
  static_assert(kFactor >> 16 == 0 && (power_of(Base, 2) - 1) * kExcess < 1u << (16 + kShift));
  const __m128i first =
      _mm_srli_epi16(_mm_mulhi_epu16(pairs, _mm_set1_epi16(static_cast<short>(kFactor))), kShift);
  const __m128i second =
      _mm_sub_epi16(pairs, _mm_mullo_epi16(first, _mm_set1_epi16(static_cast<short>(Base))));
  return letters_of<Base>(_mm_or_si128(first, _mm_slli_epi16(second, 8)));
}

inline __m128i lanes(std::uint64_t first, std::uint64_t second) noexcept {
  return _mm_set_epi64x(static_cast<long long>(second), static_cast<long long>(first));
}

// Even lanes of both.
inline __m128i together(__m128i first, __m128i second) noexcept {
  return _mm_castps_si128(
      _mm_shuffle_ps(_mm_castsi128_ps(first), _mm_castsi128_ps(second), _MM_SHUFFLE(2, 0, 2, 0)));
}

inline void store_8(__m128i text, char* out) noexcept {
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), text);
}

[[gnu::noinline]] void write_36(const Bytes16& bytes, char* out) noexcept {
  constexpr std::uint64_t kFour = power_of(36, 4);
  constexpr std::uint64_t kEight = power_of(36, 8);
  const auto [front, middle, back] = pieces_of<36, 12>(bytes);
  const std::uint64_t m4 = middle / kFour;
  const std::uint64_t m8 = middle / kEight;
  const std::uint64_t b4 = back / kFour;
  const std::uint64_t b8 = back / kEight;
  const __m128i one = pairs_of<36>(lanes(m8, m4 - m8 * kFour));
  const __m128i two = pairs_of<36>(lanes(middle - m4 * kFour, b8));
  const __m128i three = pairs_of<36>(lanes(b4 - b8 * kFour, back - b4 * kFour));
  out[0] = kBase36[front];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 1), text_of<36>(together(one, two)));
  store_8(text_of<36>(together(three, three)), out + 17);
}

[[gnu::noinline]] void write_62(const Bytes16& bytes, char* out) noexcept {
  constexpr std::uint64_t kFour = power_of(62, 4);
  constexpr std::uint64_t kEight = power_of(62, 8);
  const auto [front, middle, back] = pieces_of<62, 10>(bytes);
  const std::uint64_t m4 = middle / kFour;
  const std::uint64_t m8 = middle / kEight;
  const std::uint64_t b4 = back / kFour;
  const std::uint64_t b8 = back / kEight;
  const __m128i one = pairs_of<62>(lanes(m4 - m8 * kFour, middle - m4 * kFour));
  const __m128i two = pairs_of<62>(lanes(b4 - b8 * kFour, back - b4 * kFour));
  const __m128i fours = text_of<62>(together(one, two));
  const __m128i rest = text_of<62>(lanes(front | m8 << 16 | b8 << 32, 0));
  const auto six = static_cast<std::uint64_t>(_mm_cvtsi128_si64(rest));
  const auto last_two = static_cast<std::uint16_t>(six >> 32);
  __builtin_memcpy(out, &six, 4);
  store_8(fours, out + 4);
  __builtin_memcpy(out + 12, &last_two, 2);
  store_8(_mm_srli_si128(fours, 8), out + 14);
}

inline __m128i is_at_most(__m128i values, char most) noexcept {
  return _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(most)), values);
}

// What characters are worth; `good` loses the lanes of those that are no digit.
template <unsigned Base>
inline __m128i digits_of(__m128i text, __m128i& good) noexcept {
  const __m128i number = _mm_sub_epi8(text, _mm_set1_epi8('0'));
  const __m128i is_number = is_at_most(number, 9);
  const __m128i lower = Base == 36 ? _mm_or_si128(text, _mm_set1_epi8(0x20)) : text;
  const __m128i small = _mm_sub_epi8(lower, _mm_set1_epi8('a'));
  const __m128i is_small = is_at_most(small, 25);
  constexpr char kSmall = Base == 36 ? 10 : 36;
  const __m128i is_digit = _mm_or_si128(is_number, is_small);
  const __m128i value =
      _mm_or_si128(_mm_and_si128(number, is_number),
                   _mm_and_si128(_mm_add_epi8(small, _mm_set1_epi8(kSmall)), is_small));
  if constexpr (Base == 36) {
    good = _mm_and_si128(good, is_digit);
    return value;
  } else {
    const __m128i great = _mm_sub_epi8(text, _mm_set1_epi8('A'));
    const __m128i is_great = is_at_most(great, 25);
    good = _mm_and_si128(good, _mm_or_si128(is_digit, is_great));
    return _mm_or_si128(value, _mm_and_si128(_mm_add_epi8(great, _mm_set1_epi8(10)), is_great));
  }
}

// Twice eight characters, as two numbers.
template <unsigned Base>
inline __m128i eights_of(__m128i text, __m128i& good) noexcept {
  constexpr auto kPair = static_cast<int>(power_of(Base, 2));
  constexpr auto kFour = static_cast<std::int64_t>(power_of(Base, 4));
  const __m128i digits = digits_of<Base>(text, good);
  const __m128i first = _mm_and_si128(digits, _mm_set1_epi16(0xFF));
  const __m128i pairs =
      _mm_add_epi16(_mm_mullo_epi16(first, _mm_set1_epi16(Base)), _mm_srli_epi16(digits, 8));
  const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | kPair));
  return _mm_add_epi64(_mm_mul_epu32(fours, _mm_set1_epi64x(kFour)), _mm_srli_epi64(fours, 32));
}

// front * Base^16 + the two eights, unless that is more than 128 bits.
template <unsigned Base>
inline bool join(std::uint64_t front, __m128i eights, Bytes16& out) noexcept {
  constexpr std::uint64_t kEight = power_of(Base, 8);
  constexpr uint128 kSixteen = static_cast<uint128>(kEight) * kEight;
  constexpr auto kFrontMax = static_cast<std::uint64_t>(~uint128{0} / kSixteen);
  constexpr uint128 kRestMax = ~uint128{0} % kSixteen;
  const auto first = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  const auto second = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_srli_si128(eights, 8)));
  const uint128 rest = static_cast<uint128>(first) * kEight + second;
  if (front > kFrontMax || (front == kFrontMax && rest > kRestMax)) return false;
  out = store_128(kSixteen * front + rest);
  return true;
}

inline bool are_all(__m128i good) noexcept { return _mm_movemask_epi8(good) == 0xFFFF; }

inline __m128i load_16(const char* text) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
}

[[gnu::noinline]] bool read_36(const char* text, Bytes16& out) noexcept {
  const std::uint64_t first = digit_of(kBase36Digits, text[0]);
  __m128i good = _mm_set1_epi8(-1);
  const __m128i eights = eights_of<36>(load_16(text + 9), good);
  const std::uint64_t word = hex::internal::load_text(text + 1);
  const auto next =
      static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights_of<36>(lanes(word, word), good)));
  // What is no digit is 255, and so too much.
  return join<36>(first * power_of(36, 8) + next, eights, out) && are_all(good);
}

[[gnu::noinline]] bool read_62(const char* text, Bytes16& out) noexcept {
  __m128i good = _mm_set1_epi8(-1);
  const __m128i eights = eights_of<62>(load_16(text + 6), good);
  const std::uint64_t word = hex::internal::load_text(text) << 16 | 0x3030;  // two zeros in front
  const auto front =
      static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights_of<62>(lanes(word, word), good)));
  return join<62>(front, eights, out) && are_all(good);
}

// The same with AVX2.

#define TESSERA_AVX2 __attribute__((target("avx2")))

TESSERA_AVX2 inline __m256i lanes(std::uint64_t first, std::uint64_t second, std::uint64_t third,
                                  std::uint64_t fourth) noexcept {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(lanes(first, second)), lanes(third, fourth),
                                 1);
}

// One number in all lanes of a register. In memory: made anew for each text, as compilers like to
// do it, they would be a third of all instructions.
template <class T, std::size_t Count>
struct alignas(32) Same {
  T lanes[Count];
  constexpr explicit Same(auto value) noexcept : lanes{} {
    for (T& lane : lanes) lane = static_cast<T>(value);
  }
};
using Bytes32 = Same<std::int8_t, 32>;
using Words16 = Same<std::int16_t, 16>;
using Longs4 = Same<std::int64_t, 4>;

struct alignas(32) Shuffle {
  std::int8_t lanes[32];
};

TESSERA_AVX2 inline __m256i at(const auto& constant) noexcept {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(constant.lanes));
}

// Keeps the compiler from looking into it.
template <class T>
inline const T& unseen(const T& constants) noexcept {
  const T* where = &constants;
  __asm__("" : "+r"(where));
  return *where;
}

// How to divide numbers below `Limit` by `Divisor` with a multiplication and a shift by `Shift`.
template <std::uint64_t Divisor, std::uint64_t Limit, unsigned Shift, unsigned FactorBits>
constexpr std::uint64_t factor_of() noexcept {
  constexpr std::uint64_t kFactor = (std::uint64_t{1} << Shift) / Divisor + 1;
  static_assert(kFactor >> FactorBits == 0);
  static_assert((Limit - 1) * (kFactor * Divisor - (std::uint64_t{1} << Shift)) < std::uint64_t{1}
                                                                                      << Shift);
  return kFactor;
}

struct Constants36 {
  static constexpr std::uint64_t kTwo = power_of(36, 2);
  static constexpr std::uint64_t kThree = power_of(36, 3);
  static constexpr std::uint64_t kSix = power_of(36, 6);

  Longs4 to_three{factor_of<kThree, kSix, 47, 32>()};
  Longs4 three{kThree << 16};
  Shuffle twice{{0, 1, 0, 1, 2, 3, 2, 3, 8, 9, 8, 9, 10, 11, 10, 11,  //
                 0, 1, 0, 1, 2, 3, 2, 3, 8, 9, 8, 9, 10, 11, 10, 11}};
  Words16 to_two{factor_of<kTwo, kThree, 26, 16>()};
  Words16 two{kTwo};
  Words16 to_one{factor_of<36, kTwo, 16, 16>()};
  Same<std::int32_t, 8> spread{0x100 - (36 << 16)};
  Bytes32 nine{9};
  Bytes32 zero{'0'};
  Bytes32 gap{'a' - '9' - 1};
  Shuffle closer{{0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,  //
                  0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1}};
};
constexpr Constants36 kConstants36;

// Six digits in each lane become twice three, and each of these its digits, in a word for the first
// and one for the others.
TESSERA_AVX2 inline __m256i digits_36(const Bytes16& bytes, const Constants36& k,
                                      std::uint64_t& first_digit) noexcept {
  constexpr std::uint64_t kSix = Constants36::kSix;
  const auto [front, middle, back] = pieces_of<36, 12>(bytes);
  first_digit = front;
  const std::uint64_t m6 = middle / kSix;
  const std::uint64_t b6 = back / kSix;
  const __m256i sixes = lanes(m6, middle - m6 * kSix, b6, back - b6 * kSix);
  const __m256i upper = _mm256_srli_epi64(_mm256_mul_epu32(sixes, at(k.to_three)), 47);
  const __m256i lower =
      _mm256_sub_epi64(_mm256_slli_epi64(sixes, 16), _mm256_mul_epu32(upper, at(k.three)));
  const __m256i threes = _mm256_shuffle_epi8(_mm256_or_si256(upper, lower), at(k.twice));
  const __m256i first = _mm256_srli_epi16(_mm256_mulhi_epu16(threes, at(k.to_two)), 10);
  const __m256i twos = _mm256_sub_epi16(threes, _mm256_mullo_epi16(first, at(k.two)));
  const __m256i second = _mm256_mulhi_epu16(twos, at(k.to_one));
  // The second digit to the second byte, and what is left without it to the third.
  return _mm256_add_epi16(_mm256_blend_epi16(first, twos, 0xAA),
                          _mm256_mullo_epi16(second, at(k.spread)));
}

TESSERA_AVX2 void write_36_by_avx2(const Bytes16& bytes, char* out) noexcept {
  const Constants36& k = unseen(kConstants36);
  std::uint64_t front = 0;
  const __m256i digits = digits_36(bytes, k, front);
  const __m256i gaps = _mm256_and_si256(_mm256_cmpgt_epi8(digits, at(k.nine)), at(k.gap));
  const __m256i letters = _mm256_add_epi8(_mm256_add_epi8(digits, at(k.zero)), gaps);
  const __m256i text = _mm256_shuffle_epi8(letters, at(k.closer));
  const __m128i rest = _mm256_extracti128_si256(text, 1);
  const int last = _mm_extract_epi32(rest, 2);
  out[0] = kBase36[front];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 1), _mm256_castsi256_si128(text));
  store_8(rest, out + 13);
  __builtin_memcpy(out + 21, &last, sizeof last);
}

struct Constants62 {
  static constexpr std::uint64_t kTwo = power_of(62, 2);
  static constexpr std::uint64_t kFive = power_of(62, 5);

  Longs4 to_three{factor_of<kTwo, kFive, 43, 32>()};
  Longs4 to_first{factor_of<kTwo, power_of(62, 3), 40, 32>()};
  Longs4 two{kTwo};
  Longs4 apart{(std::uint64_t{1} << 32) - kTwo};
  Words16 to_one{factor_of<62, kTwo, 21, 16>()};
  Words16 spread{1 - (62 << 8)};
  Bytes32 nine{9};
  Bytes32 thirty_five{35};
  Bytes32 zero{'0'};
  Bytes32 gap{'A' - '9' - 1};
  Bytes32 second_gap{'a' - 'Z' - 1};
  Shuffle placed{{4, 5, 7, 2, 3, 0,  1,  15, 10, 11, 8,  9,  -1, -1, -1, -1,  //
                  7, 2, 3, 0, 1, 15, 10, 11, 8,  9,  -1, -1, -1, -1, -1, -1}};
};
constexpr Constants62 kConstants62;

// Five digits in the lower half of each lane become three and a pair, and the three one and a pair.
// The two in front of all, which are a pair already, are in the upper half of the first lane.
//
//    lane   | the pair of the end | the pair before | in front | 0, the first |
//
TESSERA_AVX2 inline __m256i digits_62(const Bytes16& bytes, const Constants62& k) noexcept {
  constexpr std::uint64_t kFive = Constants62::kFive;
  const auto [front, middle, back] = pieces_of<62, 10>(bytes);
  const std::uint64_t m5 = middle / kFive;
  const std::uint64_t b5 = back / kFive;
  const __m256i fives = lanes(m5 + (front << 32), middle - m5 * kFive, b5, back - b5 * kFive);
  const __m256i threes = _mm256_srli_epi64(_mm256_mul_epu32(fives, at(k.to_three)), 43);
  const __m256i ends = _mm256_sub_epi64(fives, _mm256_mul_epu32(threes, at(k.two)));
  const __m256i firsts = _mm256_srli_epi64(_mm256_mul_epu32(threes, at(k.to_first)), 40);
  // What is left without the first digit, and that 32 bits above it.
  const __m256i others = _mm256_add_epi64(threes, _mm256_mul_epu32(firsts, at(k.apart)));
  const __m256i pairs = _mm256_add_epi64(ends, _mm256_slli_epi64(others, 16));
  const __m256i first = _mm256_srli_epi16(_mm256_mulhi_epu16(pairs, at(k.to_one)), 5);
  // The first digit to the first byte, and what is left without it to the second.
  return _mm256_add_epi16(_mm256_slli_epi16(pairs, 8), _mm256_mullo_epi16(first, at(k.spread)));
}

TESSERA_AVX2 void write_62_by_avx2(const Bytes16& bytes, char* out) noexcept {
  const Constants62& k = unseen(kConstants62);
  const __m256i digits = digits_62(bytes, k);
  const __m256i gaps = _mm256_add_epi8(
      _mm256_and_si256(_mm256_cmpgt_epi8(digits, at(k.nine)), at(k.gap)),
      _mm256_and_si256(_mm256_cmpgt_epi8(digits, at(k.thirty_five)), at(k.second_gap)));
  const __m256i letters = _mm256_add_epi8(_mm256_add_epi8(digits, at(k.zero)), gaps);
  const __m256i text = _mm256_shuffle_epi8(letters, at(k.placed));  // twelve, and the last ten
  const __m128i rest = _mm256_extracti128_si256(text, 1);
  const auto last = static_cast<std::uint16_t>(_mm_extract_epi16(rest, 4));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(text));
  store_8(rest, out + 12);
  __builtin_memcpy(out + 20, &last, sizeof last);
}

TESSERA_AVX2 inline __m256i is_at_most(__m256i values, char most) noexcept {
  return _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(most)), values);
}

template <unsigned Base>
TESSERA_AVX2 inline __m256i digits_of(__m256i text, unsigned& good) noexcept {
  const __m256i number = _mm256_sub_epi8(text, _mm256_set1_epi8('0'));
  const __m256i lower = Base == 36 ? _mm256_or_si256(text, _mm256_set1_epi8(0x20)) : text;
  const __m256i small = _mm256_sub_epi8(lower, _mm256_set1_epi8('a'));
  const __m256i is_small = is_at_most(small, 25);
  const __m256i from_small = _mm256_add_epi8(small, _mm256_set1_epi8(Base == 36 ? 10 : 36));
  __m256i is_digit = _mm256_or_si256(is_at_most(number, 9), is_small);
  __m256i value = _mm256_blendv_epi8(number, from_small, is_small);
  if constexpr (Base == 62) {
    const __m256i great = _mm256_sub_epi8(text, _mm256_set1_epi8('A'));
    const __m256i is_great = is_at_most(great, 25);
    is_digit = _mm256_or_si256(is_digit, is_great);
    value = _mm256_blendv_epi8(value, _mm256_add_epi8(great, _mm256_set1_epi8(10)), is_great);
  }
  good = static_cast<unsigned>(_mm256_movemask_epi8(is_digit));
  return value;
}

// Four times eight digits, as four numbers.
template <unsigned Base>
TESSERA_AVX2 inline __m256i eights_of(__m256i digits) noexcept {
  constexpr auto kPair = static_cast<int>(power_of(Base, 2));
  constexpr auto kFour = static_cast<std::int64_t>(power_of(Base, 4));
  const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(1 << 8 | Base));
  const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 << 16 | kPair));
  return _mm256_add_epi64(_mm256_mul_epu32(fours, _mm256_set1_epi64x(kFour)),
                          _mm256_srli_epi64(fours, 32));
}

TESSERA_AVX2 inline __m256i load_24(const char* text, std::uint64_t front) noexcept {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(load_16(text)), lanes(front, front), 1);
}

TESSERA_AVX2 inline bool join_36(char first, __m256i digits, Bytes16& out) noexcept {
  const __m256i eights = eights_of<36>(digits);
  const std::uint64_t front = digit_of(kBase36Digits, first);
  const auto next =
      static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_extracti128_si256(eights, 1)));
  return join<36>(front * power_of(36, 8) + next, _mm256_castsi256_si128(eights), out);
}

TESSERA_AVX2 inline bool join_62(__m256i digits, Bytes16& out) noexcept {
  const __m256i eights = eights_of<62>(digits);
  const auto front =
      static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_extracti128_si256(eights, 1)));
  return join<62>(front, _mm256_castsi256_si128(eights), out);
}

TESSERA_AVX2 inline __m256i load_36(const char* text) noexcept {
  return load_24(text + 9, hex::internal::load_text(text + 1));
}

TESSERA_AVX2 inline __m256i load_62(const char* text) noexcept {
  return load_24(text + 6, hex::internal::load_text(text) << 16 | 0x3030);  // two zeros in front
}

TESSERA_AVX2 bool read_36_by_avx2(const char* text, Bytes16& out) noexcept {
  unsigned good = 0;
  const __m256i digits = digits_of<36>(load_36(text), good);
  return join_36(text[0], digits, out) && good == ~0u;
}

TESSERA_AVX2 bool read_62_by_avx2(const char* text, Bytes16& out) noexcept {
  unsigned good = 0;
  const __m256i digits = digits_of<62>(load_62(text), good);
  return join_62(digits, out) && good == ~0u;
}

// With AVX-512 VBMI one look-up makes digits letters, one puts these in place, and one makes
// characters digits.

#define TESSERA_VBMI __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vbmi")))

constexpr __mmask32 kWhole = ~__mmask32{0};  // g++ 12 warns of its own intrinsics without a mask

// As many letters as there are digits, and from where in the register they are taken: the first
// sixteen, and the last eight to the lower half of the other lane.
struct RadixLetters {
  alignas(64) std::array<char, 64> of_digits{};
  alignas(32) std::array<std::uint8_t, 32> places{};
};

template <std::size_t Count>
constexpr RadixLetters make_letters(std::string_view letters,
                                    const std::array<std::uint8_t, Count>& places) noexcept {
  RadixLetters made;
  for (std::size_t i = 0; i < letters.size(); ++i) made.of_digits[i] = letters[i];
  for (std::size_t i = 0; i < 16; ++i) made.places[i] = places[i];
  for (std::size_t i = 0; i < 8; ++i) made.places[16 + i] = places[Count - 8 + i];
  return made;
}

constexpr RadixLetters kLetters36 =
    make_letters<24>(kBase36, {0,  1,  2,  4,  5,  6,  8,  9,  10, 12, 13, 14,  //
                               16, 17, 18, 20, 21, 22, 24, 25, 26, 28, 29, 30});
constexpr RadixLetters kLetters62 =
    make_letters<22>(kBase62, {4,  5,  7,  2,  3,  0,  1,  15, 10, 11, 8, 9,  //
                               23, 18, 19, 16, 17, 31, 26, 27, 24, 25});

// `Size` characters, the last eight of them by themselves.
template <std::size_t Size>
TESSERA_VBMI inline void store_letters(__m256i digits, const RadixLetters& letters,
                                       char* out) noexcept {
  const __m256i text = _mm256_maskz_permutex2var_epi8(
      kWhole, _mm256_load_si256(reinterpret_cast<const __m256i*>(letters.of_digits.data())), digits,
      _mm256_load_si256(reinterpret_cast<const __m256i*>(letters.of_digits.data() + 32)));
  const __m256i placed = _mm256_maskz_permutexvar_epi8(
      kWhole, _mm256_load_si256(reinterpret_cast<const __m256i*>(letters.places.data())), text);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(placed));
  store_8(_mm256_extracti128_si256(placed, 1), out + Size - 8);
}

TESSERA_VBMI void write_36_by_vbmi(const Bytes16& bytes, char* out) noexcept {
  std::uint64_t front = 0;
  const __m256i digits = digits_36(bytes, unseen(kConstants36), front);
  out[0] = kBase36[front];
  store_letters<24>(digits, kLetters36, out + 1);
}

TESSERA_VBMI void write_62_by_vbmi(const Bytes16& bytes, char* out) noexcept {
  store_letters<22>(digits_62(bytes, unseen(kConstants62)), kLetters62, out);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"  // g++ 12, of half of a register in its own header

TESSERA_VBMI inline __m256i digits_by_table(__m256i text, const DigitTable& table,
                                            unsigned& good) noexcept {
  const __m256i digits = _mm512_castsi512_si256(
      _mm512_permutex2var_epi8(_mm512_loadu_si512(table.data()), _mm512_castsi256_si512(text),
                               _mm512_loadu_si512(table.data() + 64)));
  // No digit has the highest bit, nor has a character that is one.
  good = ~static_cast<unsigned>(_mm256_movemask_epi8(_mm256_or_si256(digits, text)));
  return digits;
}

#pragma GCC diagnostic pop

TESSERA_VBMI bool read_36_by_vbmi(const char* text, Bytes16& out) noexcept {
  unsigned good = 0;
  const __m256i digits = digits_by_table(load_36(text), kBase36Digits, good);
  return join_36(text[0], digits, out) && good == ~0u;
}

TESSERA_VBMI bool read_62_by_vbmi(const char* text, Bytes16& out) noexcept {
  unsigned good = 0;
  const __m256i digits = digits_by_table(load_62(text), kBase62Digits, good);
  return join_62(digits, out) && good == ~0u;
}

}  // namespace

std::span<const RadixKernel> radix_kernels() noexcept {
  static constexpr std::array<RadixKernel, 4> kAll = {
      {kPortable,
       {CpuLevel::sse41, write_36, write_62, read_36, read_62},  // needs SSE2 only
       {CpuLevel::avx2, write_36_by_avx2, write_62_by_avx2, read_36_by_avx2, read_62_by_avx2},
       {CpuLevel::avx512, write_36_by_vbmi, write_62_by_vbmi, read_36_by_vbmi, read_62_by_vbmi}}};
  const CpuLevel level = cpu_level();
  return std::span(kAll).first(level == CpuLevel::avx512  ? 4
                               : level == CpuLevel::avx2  ? 3
                               : level == CpuLevel::sse41 ? 2
                                                          : 1);
}

// A branch that is always the same costs less than a call by a pointer.

void write_base36(const Bytes16& bytes, char* out) noexcept {
  const CpuLevel level = cpu_level();
  if (level == CpuLevel::avx512) return write_36_by_vbmi(bytes, out);
  if (level == CpuLevel::avx2) return write_36_by_avx2(bytes, out);
  if (level == CpuLevel::sse41) return write_36(bytes, out);
  write_36_portable(bytes, out);
}

void write_base62(const Bytes16& bytes, char* out) noexcept {
  const CpuLevel level = cpu_level();
  if (level == CpuLevel::avx512) return write_62_by_vbmi(bytes, out);
  if (level == CpuLevel::avx2) return write_62_by_avx2(bytes, out);
  if (level == CpuLevel::sse41) return write_62(bytes, out);
  write_62_portable(bytes, out);
}

bool read_base36(const char* text, Bytes16& out) noexcept {
  const CpuLevel level = cpu_level();
  if (level == CpuLevel::avx512) return read_36_by_vbmi(text, out);
  if (level == CpuLevel::avx2) return read_36_by_avx2(text, out);
  return level == CpuLevel::sse41 ? read_36(text, out) : read_36_portable(text, out);
}

bool read_base62(const char* text, Bytes16& out) noexcept {
  const CpuLevel level = cpu_level();
  if (level == CpuLevel::avx512) return read_62_by_vbmi(text, out);
  if (level == CpuLevel::avx2) return read_62_by_avx2(text, out);
  return level == CpuLevel::sse41 ? read_62(text, out) : read_62_portable(text, out);
}

}  // namespace tessera::detail

#else

namespace tessera::detail {

std::span<const RadixKernel> radix_kernels() noexcept { return {&kPortable, 1}; }

void write_base36(const Bytes16& bytes, char* out) noexcept { write_36_portable(bytes, out); }
void write_base62(const Bytes16& bytes, char* out) noexcept { write_62_portable(bytes, out); }
bool read_base36(const char* text, Bytes16& out) noexcept { return read_36_portable(text, out); }
bool read_base62(const char* text, Bytes16& out) noexcept { return read_62_portable(text, out); }

}  // namespace tessera::detail

#endif
