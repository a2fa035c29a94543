// What the processor can do, asked once.

#include "core/cpu.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace tessera::detail {
namespace {

CpuLevel level_of_this_machine() noexcept {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  const bool vbmi = avx2 && __builtin_cpu_supports("avx512bw") != 0 &&
                    __builtin_cpu_supports("avx512vl") != 0 &&
                    __builtin_cpu_supports("avx512vbmi") != 0;
  if (vbmi) return CpuLevel::avx512;
  if (avx2) return CpuLevel::avx2;
  if (__builtin_cpu_supports("sse4.1") != 0) return CpuLevel::sse41;
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)
  return CpuLevel::neon;
#endif
  return CpuLevel::portable;
}

// What TESSERA_CPU allows, for whoever wants to see what his oldest machine will do. A word that is
// none of these changes nothing.
CpuLevel level_allowed() noexcept {
#if defined(__wasm__)
  return CpuLevel::avx512;
#else
  const char* word = secure_getenv("TESSERA_CPU");
  const std::string_view most = word != nullptr ? word : "";
  if (most == "portable") return CpuLevel::portable;
  if (most == "neon") return CpuLevel::neon;
  if (most == "sse4.1") return CpuLevel::sse41;
  if (most == "avx2") return CpuLevel::avx2;
  return CpuLevel::avx512;
#endif
}

}  // namespace

// Not a static with an initializer: a child that was forked while a thread is at it would wait for
// that thread for ever. Two that ask at once get the same answer.
constinit std::atomic<CpuLevel> known_cpu_level{CpuLevel::unknown};

CpuLevel find_cpu_level() noexcept { return limit_cpu_level(CpuLevel::avx512); }

CpuLevel limit_cpu_level(CpuLevel most) noexcept {
  const CpuLevel level = std::min({level_of_this_machine(), most, level_allowed()});
  known_cpu_level.store(level, std::memory_order_relaxed);
  return level;
}

}  // namespace tessera::detail
