// SHA-1 by the instructions that x86 processors have for it (SHA-NI).

#include "core/digest.h"

#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace tessera::detail {

#if defined(__x86_64__)

#define TESSERA_SHA __attribute__((target("sha,ssse3,sse4.1")))

namespace {

// The compiler's own question does not know these instructions.
bool ask_processor() noexcept {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned kShaBit = 1u << 29;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kShaBit) != 0 &&
         __builtin_cpu_supports("sse4.1") != 0;
}

}  // namespace

bool sha1_instructions_available() noexcept {
  static constinit std::atomic<int> known{
      -1};  // no static with a guard: a fork might inherit it shut
  int answer = known.load(std::memory_order_relaxed);
  if (answer < 0) {
    answer = ask_processor() ? 1 : 0;
    known.store(answer, std::memory_order_relaxed);
  }
  return answer == 1;
}

// Four steps of the rounds at a time: `e` of a group is made from the `a` of the one before.
TESSERA_SHA void sha1_block_by_instructions(Sha1State& state, const std::uint8_t* block) noexcept {
  const __m128i swap = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  const auto load = [&](int i) TESSERA_SHA {
    return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + i), swap);
  };
  __m128i abcd =
      _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data())), 0x1b);
  __m128i e = _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0);
  const __m128i abcd_before = abcd;
  const __m128i e_before = e;

  __m128i w[4] = {load(0), load(1), load(2), load(3)};
  __m128i next_e = _mm_add_epi32(e, w[0]);

#define TESSERA_SHA_GROUP(group, function)                                                 \
  {                                                                                        \
    e = abcd;                                                                              \
    abcd = _mm_sha1rnds4_epu32(abcd, next_e, function);                                    \
    if constexpr ((group) < 19) {                                                          \
      if constexpr ((group) >= 3) { /* the words of group + 1 */                           \
        constexpr int kAt = ((group) + 1) % 4;                                             \
        w[kAt] = _mm_sha1msg2_epu32(                                                       \
            _mm_xor_si128(_mm_sha1msg1_epu32(w[kAt], w[(kAt + 1) % 4]), w[(kAt + 2) % 4]), \
            w[(kAt + 3) % 4]);                                                             \
      }                                                                                    \
      next_e = _mm_sha1nexte_epu32(e, w[((group) + 1) % 4]);                               \
    }                                                                                      \
  }
#define TESSERA_SHA_ROUND(first, function) \
  TESSERA_SHA_GROUP(first, function)       \
  TESSERA_SHA_GROUP((first) + 1, function) \
  TESSERA_SHA_GROUP((first) + 2, function) \
  TESSERA_SHA_GROUP((first) + 3, function) \
  TESSERA_SHA_GROUP((first) + 4, function)

  TESSERA_SHA_ROUND(0, 0)
  TESSERA_SHA_ROUND(5, 1)
  TESSERA_SHA_ROUND(10, 2)
  TESSERA_SHA_ROUND(15, 3)
#undef TESSERA_SHA_ROUND
#undef TESSERA_SHA_GROUP

  e = _mm_sha1nexte_epu32(e, e_before);
  abcd = _mm_add_epi32(abcd, abcd_before);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_shuffle_epi32(abcd, 0x1b));
  state[4] = static_cast<std::uint32_t>(_mm_extract_epi32(e, 3));
}

#else

bool sha1_instructions_available() noexcept { return false; }
void sha1_block_by_instructions(Sha1State& state, const std::uint8_t* block) noexcept {
  sha1_block_plain(state, block);
}

#endif

}  // namespace tessera::detail
