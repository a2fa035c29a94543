// AES-256 in counter mode with the CPU's own instructions, eight blocks at a time: one
// instruction takes four cycles, but a new one can start in each. Newer processors take two
// blocks with one instruction.

#include "core/keystream.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#include <atomic>

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

Keystream best_keystream() noexcept {
  if (wide_aes_available()) return aes256_wide_keystream;
  return aes_available() ? aes256_keystream : chacha20_keystream;
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
bool aes_available() noexcept { return false; }
bool wide_aes_available() noexcept { return false; }
Keystream best_keystream() noexcept { return chacha20_keystream; }

}  // namespace tessera::detail

#endif
