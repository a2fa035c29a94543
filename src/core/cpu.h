#pragma once

// Which instructions the kernels may use. Found out at the first question; may be lowered, here or
// by the environment variable TESSERA_CPU (portable, neon, sse4.1, avx2), so that tests, counts and
// benchmarks reach every path on one machine, and never raised above what there is.

#include <atomic>
#include <cstdint>

namespace tessera::detail {

enum class CpuLevel : std::uint8_t {
  unknown,
  portable,  // what a compiler makes of plain C++
  neon,      // of arm64, where every processor has it; and AES instructions, where there are some
  sse41,     // of x86-64 from here on, and AES instructions likewise
  avx2,
  avx512  // with VBMI
};

extern constinit std::atomic<CpuLevel> known_cpu_level;

CpuLevel find_cpu_level() noexcept;

inline CpuLevel cpu_level() noexcept {
  const CpuLevel level = known_cpu_level.load(std::memory_order_relaxed);
  return level != CpuLevel::unknown ? level : find_cpu_level();
}

// From now on no more than `most`, in all threads. Says what it is now.
CpuLevel limit_cpu_level(CpuLevel most) noexcept;

}  // namespace tessera::detail
