#pragma once

// The exact millisecond for the price of a look at the processor's counter. See system_clock.cpp.

#include <cstdint>
#include <ctime>

#include "core/near_thread_local.h"

namespace tessera::detail {

// Until when a thread need not ask the kernel: the millisecond that it was told last is not over
// before the counter has gone on by `cycles`.
struct ClockGate {
  std::uint64_t cycles = 0;  // 0: shut, ask the kernel
  std::uint64_t opened = 0;
  std::uint64_t time_ms = 0;
  // Where this thread began to measure how fast the counter runs.
  std::uint64_t anchor_cycles = 0;
  std::uint64_t anchor_ns = 0;
};

TESSERA_NEAR extern thread_local constinit ClockGate clock_gate;

std::uint64_t ask_kernel_ms() noexcept;

// By the kernel's last tick, which is a few milliseconds ago: for kinds that count seconds.
inline std::uint64_t coarse_s() noexcept {
#if defined(__x86_64__) && defined(__GLIBC__)
  return static_cast<std::uint64_t>(time(nullptr));  // one word of the same page: half the price
#else
  timespec now{};
#ifdef CLOCK_REALTIME_COARSE
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
#else
  clock_gettime(CLOCK_REALTIME, &now);
#endif
  return static_cast<std::uint64_t>(now.tv_sec);
#endif
}

#if defined(__x86_64__)
inline std::uint64_t read_counter() noexcept { return __builtin_ia32_rdtsc(); }
#endif

inline std::uint64_t exact_ms() noexcept {
#if defined(__x86_64__)
  if (clock_gate.cycles != 0) [[likely]] {
    if (read_counter() - clock_gate.opened < clock_gate.cycles) [[likely]] {
      return clock_gate.time_ms;
    }
  }
#endif
  return ask_kernel_ms();
}

}  // namespace tessera::detail
