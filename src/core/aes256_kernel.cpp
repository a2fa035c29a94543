// AES-256 in counter mode with the CPU's own instructions, eight blocks at a time: one
// instruction takes four cycles, but a new one can start in each. Newer processors of x86-64 take
// two blocks with one instruction, and those with AVX-512 four.

#include "core/keystream.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#include <atomic>

#include "core/cpu.h"

namespace tessera::detail {
namespace {

constexpr int kRounds = 14;
constexpr std::size_t kLanes = 8;
static_assert(kLanes * 16 == kKeystreamBlock);

#define TESSERA_AES __attribute__((target("aes,ssse3,sse4.1")))

struct RoundKeys {
  __m128i key[kRounds + 1];
};

TESSERA_AES inline __m128i fold(__m128i key) noexcept {
  key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
  return _mm_xor_si128(key, _mm_slli_si128(key, 8));
}

// FIPS 197, section 5.2: two keys a step, by turns with and without rotation.
template <int Rcon, int Round>
TESSERA_AES inline void expand_step(RoundKeys& keys) noexcept {
  const __m128i even =
      _mm_shuffle_epi32(_mm_aeskeygenassist_si128(keys.key[Round - 1], Rcon), 0xFF);
  keys.key[Round] = _mm_xor_si128(fold(keys.key[Round - 2]), even);
  if constexpr (Round < kRounds) {
    const __m128i odd = _mm_shuffle_epi32(_mm_aeskeygenassist_si128(keys.key[Round], 0), 0xAA);
    keys.key[Round + 1] = _mm_xor_si128(fold(keys.key[Round - 1]), odd);
  }
}

TESSERA_AES inline void expand(const std::uint8_t* key, RoundKeys& keys) noexcept {
  keys.key[0] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(key));
  keys.key[1] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(key + 16));
  expand_step<0x01, 2>(keys);
  expand_step<0x02, 4>(keys);
  expand_step<0x04, 6>(keys);
  expand_step<0x08, 8>(keys);
  expand_step<0x10, 10>(keys);
  expand_step<0x20, 12>(keys);
  expand_step<0x40, 14>(keys);
}

// The schedule gives the key away; it must not stay on the stack.
TESSERA_AES inline void forget(RoundKeys& keys) noexcept {
  for (auto& round_key : keys.key) round_key = _mm_setzero_si128();
  __asm__ volatile("" : : "r"(keys.key) : "memory");
}

}  // namespace

TESSERA_AES void aes256_keystream(const std::uint8_t* key, std::uint8_t* out,
                                  std::size_t size) noexcept {
  RoundKeys keys;
  expand(key, keys);
  std::uint64_t counter = 0;  // 2^64 blocks are never reached: the upper half stays zero
  for (; size > 0; size -= kKeystreamBlock, out += kKeystreamBlock) {
    __m128i block[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
      const auto low = static_cast<long long>(__builtin_bswap64(counter++));
      block[i] = _mm_xor_si128(_mm_set_epi64x(low, 0), keys.key[0]);
    }
    for (std::size_t round = 1; round < kRounds; ++round) {
      for (auto& lane : block) lane = _mm_aesenc_si128(lane, keys.key[round]);
    }
    for (std::size_t i = 0; i < kLanes; ++i) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 16 * i),
                       _mm_aesenclast_si128(block[i], keys.key[kRounds]));
    }
  }
  forget(keys);
}

namespace {

#define TESSERA_VAES __attribute__((target("vaes,avx2,aes,ssse3,sse4.1")))

// `Pairs` of blocks at once, from block `counter` on.
template <std::size_t Pairs>
TESSERA_VAES inline void encipher(const RoundKeys& keys, long long counter,
                                  std::uint8_t* out) noexcept {
  const __m256i reversed = _mm256_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 4, 3, 2, 1, 0,  //
                                           8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 4, 3, 2, 1, 0);
  __m256i block[Pairs];
  const __m256i first = _mm256_broadcastsi128_si256(keys.key[0]);
  for (std::size_t i = 0; i < Pairs; ++i, counter += 2) {
    const __m256i numbers = _mm256_set_epi64x(counter + 1, 0, counter, 0);
    block[i] = _mm256_xor_si256(_mm256_shuffle_epi8(numbers, reversed), first);
  }
  for (std::size_t round = 1; round < kRounds; ++round) {
    const __m256i round_key = _mm256_broadcastsi128_si256(keys.key[round]);
    for (auto& pair : block) pair = _mm256_aesenc_epi128(pair, round_key);
  }
  const __m256i last = _mm256_broadcastsi128_si256(keys.key[kRounds]);
  for (std::size_t i = 0; i < Pairs; ++i) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 32 * i),
                        _mm256_aesenclast_epi128(block[i], last));
  }
}

}  // namespace

TESSERA_VAES void aes256_wide_keystream(const std::uint8_t* key, std::uint8_t* out,
                                        std::size_t size) noexcept {
  RoundKeys keys;
  expand(key, keys);
  long long counter = 0;
  for (; size >= 2 * kKeystreamBlock; size -= 2 * kKeystreamBlock, out += 2 * kKeystreamBlock) {
    encipher<kLanes>(keys, counter, out);
    counter += static_cast<long long>(2 * kLanes);
  }
  if (size > 0) encipher<kLanes / 2>(keys, counter, out);
  forget(keys);
}

namespace {

#define TESSERA_VAES_512 __attribute__((target("vaes,avx512f,avx512bw,avx2,aes,ssse3,sse4.1")))

constexpr std::size_t kFours = 8;  // at once

// `Fours` times four blocks, from block `counter` on.
template <std::size_t Fours>
TESSERA_VAES_512 inline void encipher_wide(const __m512i (&keys)[kRounds + 1],
                                           std::uint64_t counter, std::uint8_t* out) noexcept {
  // The numbers of blocks have their bytes turned round; the upper half of each stays zero.
  const __m512i reversed = _mm512_maskz_broadcast_i32x4(
      0xFFFF, _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 4, 3, 2, 1, 0));
  __m512i numbers =
      _mm512_mask_set1_epi64(_mm512_setzero_si512(), 0xAA, static_cast<long long>(counter));
  numbers = _mm512_add_epi64(numbers, _mm512_set_epi64(3, 0, 2, 0, 1, 0, 0, 0));
  __m512i block[Fours];
  for (auto& four : block) {
    four = _mm512_xor_si512(_mm512_shuffle_epi8(numbers, reversed), keys[0]);
    numbers = _mm512_add_epi64(numbers, _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0));
  }
  for (std::size_t round = 1; round < kRounds; ++round) {
    for (auto& four : block) four = _mm512_aesenc_epi128(four, keys[round]);
  }
  for (std::size_t i = 0; i < Fours; ++i) {
    _mm512_storeu_si512(out + 64 * i, _mm512_aesenclast_epi128(block[i], keys[kRounds]));
  }
}

}  // namespace

TESSERA_VAES_512 void aes256_widest_keystream(const std::uint8_t* key, std::uint8_t* out,
                                              std::size_t size) noexcept {
  RoundKeys keys;
  expand(key, keys);
  __m512i wide_keys[kRounds + 1];
  for (std::size_t i = 0; i <= kRounds; ++i) {
    wide_keys[i] = _mm512_maskz_broadcast_i32x4(0xFFFF, keys.key[i]);
  }
  std::uint64_t counter = 0;
  for (; size >= 64 * kFours; size -= 64 * kFours, out += 64 * kFours, counter += 4 * kFours) {
    encipher_wide<kFours>(wide_keys, counter, out);
  }
  for (; size > 0; size -= kKeystreamBlock, out += kKeystreamBlock, counter += kLanes) {
    encipher_wide<kLanes / 4>(wide_keys, counter, out);
  }
  forget(keys);
  for (auto& wide_key : wide_keys) wide_key = _mm512_setzero_si512();
  __asm__ volatile("" : : "r"(wide_keys) : "memory");
}

bool aes_available() noexcept {
  return __builtin_cpu_supports("aes") != 0 && __builtin_cpu_supports("sse4.1") != 0;
}

bool wide_aes_available() noexcept {
  // Not a static with an initializer: a child that was forked while a thread is at it would wait
  // for that thread for ever. Two that ask at once get the same answer.
  enum Answer : int { unknown, no, yes };
  static constinit std::atomic<int> known{unknown};
  int has_vaes = known.load(std::memory_order_relaxed);
  if (has_vaes == unknown) {
    // Not every compiler knows the name "vaes": leaf 7, bit 9 of ECX.
    unsigned a = 0, b = 0, c = 0, d = 0;
    has_vaes = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c >> 9 & 1) != 0 ? yes : no;
    known.store(has_vaes, std::memory_order_relaxed);
  }
  return has_vaes == yes && aes_available() && __builtin_cpu_supports("avx2") != 0;
}

bool widest_aes_available() noexcept {
  return wide_aes_available() && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0;
}

Keystream best_keystream() noexcept {
  const CpuLevel level = cpu_level();
  if (level >= CpuLevel::avx512 && widest_aes_available()) return aes256_widest_keystream;
  if (level >= CpuLevel::avx2 && wide_aes_available()) return aes256_wide_keystream;
  return level >= CpuLevel::sse41 && aes_available() ? aes256_keystream : chacha20_keystream;
}

}  // namespace tessera::detail

#elif defined(__aarch64__) && defined(__linux__) && !defined(__ARM_BIG_ENDIAN)

#include <arm_neon.h>
#include <sys/auxv.h>

#include <cstring>

#include "core/cpu.h"
#include "core/wipe.h"

namespace tessera::detail {
namespace {

constexpr std::size_t kRounds = 14;
constexpr std::size_t kLanes = 8;
static_assert(kLanes * 16 == kKeystreamBlock);

#define TESSERA_AES __attribute__((target("+crypto")))

// With four equal columns the instruction's rotation of rows changes nothing.
TESSERA_AES inline std::uint32_t substituted(std::uint32_t word) noexcept {
  const uint8x16_t columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
  return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))), 0);
}

// FIPS 197, section 5.2, with the first byte of a word lowest.
TESSERA_AES inline void expand(const std::uint8_t* key, std::uint32_t* words) noexcept {
  std::memcpy(words, key, kKeySize);
  std::uint32_t round_constant = 1;
  for (std::size_t i = 8; i < 4 * (kRounds + 1); ++i) {
    std::uint32_t word = words[i - 1];
    if (i % 8 == 0) {
      word = substituted(word >> 8 | word << 24) ^ round_constant;
      round_constant <<= 1;
    } else if (i % 8 == 4) {
      word = substituted(word);
    }
    words[i] = words[i - 8] ^ word;
  }
}

}  // namespace

TESSERA_AES void aes256_keystream(const std::uint8_t* key, std::uint8_t* out,
                                  std::size_t size) noexcept {
  std::uint32_t words[4 * (kRounds + 1)];
  expand(key, words);
  uint8x16_t round_keys[kRounds + 1];
  for (std::size_t i = 0; i <= kRounds; ++i) {
    round_keys[i] = vreinterpretq_u8_u32(vld1q_u32(words + 4 * i));
  }
  std::uint64_t counter = 0;  // 2^64 blocks are never reached: the upper half stays zero
  for (; size > 0; size -= kKeystreamBlock, out += kKeystreamBlock) {
    uint8x16_t block[kLanes];
    for (auto& lane : block) {
      lane = vreinterpretq_u8_u64(
          vcombine_u64(vcreate_u64(0), vcreate_u64(__builtin_bswap64(counter++))));
    }
    for (std::size_t round = 0; round + 1 < kRounds; ++round) {
      for (auto& lane : block) lane = vaesmcq_u8(vaeseq_u8(lane, round_keys[round]));
    }
    for (std::size_t i = 0; i < kLanes; ++i) {
      vst1q_u8(out + 16 * i,
               veorq_u8(vaeseq_u8(block[i], round_keys[kRounds - 1]), round_keys[kRounds]));
    }
  }
  // The schedule gives the key away; it must not stay on the stack.
  wipe(words, sizeof words);
  wipe(round_keys, sizeof round_keys);
}

void aes256_wide_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept {
  aes256_keystream(key, out, size);
}
void aes256_widest_keystream(const std::uint8_t* key, std::uint8_t* out,
                             std::size_t size) noexcept {
  aes256_keystream(key, out, size);
}

bool aes_available() noexcept {
  constexpr unsigned long kAes = 1UL << 3;  // HWCAP_AES of the kernel
  return (getauxval(AT_HWCAP) & kAes) != 0;
}
bool wide_aes_available() noexcept { return false; }
bool widest_aes_available() noexcept { return false; }

Keystream best_keystream() noexcept {
  return cpu_level() >= CpuLevel::neon && aes_available() ? aes256_keystream : chacha20_keystream;
}

}  // namespace tessera::detail

#else

namespace tessera::detail {

void aes256_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept {
  chacha20_keystream(key, out, size);
}
void aes256_wide_keystream(const std::uint8_t* key, std::uint8_t* out, std::size_t size) noexcept {
  chacha20_keystream(key, out, size);
}
void aes256_widest_keystream(const std::uint8_t* key, std::uint8_t* out,
                             std::size_t size) noexcept {
  chacha20_keystream(key, out, size);
}
bool aes_available() noexcept { return false; }
bool wide_aes_available() noexcept { return false; }
bool widest_aes_available() noexcept { return false; }
Keystream best_keystream() noexcept { return chacha20_keystream; }

}  // namespace tessera::detail

#endif
