// The exact millisecond, by the kernel's clock and the processor's counter.
//
// Asking the kernel takes some 30 ns, reading the counter some 12. So a thread that was told the
// time opens a gate: as long as the counter says that the millisecond cannot be over, it is the
// same. Then the kernel is asked again; nothing is ever added up, so no error grows.
//
//    kernel says   .... 118.25 ms            118.99   119.00
//    gate             | open: it is 118 ......| shut, ask |
//
// The gate shuts a little early: how fast the counter runs is known from below only (the counter
// is read after the clock at first and before it at last, so that a pause in between makes it
// seem slower), and 1/512 is taken off, more than the kernel's clock is slewed by. If somebody
// sets the clock, the old millisecond may be told once more, for less than a millisecond.
//
// Only where the counter runs at one speed, whatever the processor does, where the kernel itself
// tells the time by it, and where this process may read it. Elsewhere the kernel is asked always.

#include "core/system_clock.h"

#include <time.h>

#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#endif

namespace tessera::detail {

TESSERA_NEAR thread_local constinit ClockGate clock_gate;

namespace {

constexpr std::uint64_t kNsPerMs = 1'000'000;

std::uint64_t read_ns(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

#if defined(__x86_64__)

constexpr std::uint64_t kMeasureNs = 10 * kNsPerMs;
constexpr std::uint64_t kMeasureNsMax = 1000 * kNsPerMs;  // long enough for any purpose
constexpr std::uint64_t kCyclesPerMsMin = 100'000;
constexpr std::uint64_t kCyclesPerMsMax = 20'000'000;

enum class Counter : int { unknown, unusable, readable, usable };

// Not statics with a guard; see system.cpp.
constinit std::atomic<Counter> counter{Counter::unknown};
constinit std::atomic<std::uint64_t> cycles_per_ms{0};  // no more than there are

// At one speed, and not forbidden to this process.
Counter look_at_counter() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool steady = __get_cpuid(0x8000'0007, &a, &b, &c, &d) != 0 && (d >> 8 & 1) != 0;
  int permission = PR_TSC_SIGSEGV;
  const bool readable =
      steady && prctl(PR_GET_TSC, &permission, 0, 0, 0) == 0 && permission == PR_TSC_ENABLE;
  const Counter found = readable ? Counter::readable : Counter::unusable;
  counter.store(found, std::memory_order_relaxed);
  return found;
}

bool kernel_uses_counter() noexcept {
  const int saved = errno;
  std::array<char, 16> name{};
  ssize_t size = -1;
  const int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                        O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    size = read(file, name.data(), name.size());
    close(file);
  }
  errno = saved;
  return size > 0 && std::string_view(name.data(), static_cast<std::size_t>(size)) == "tsc\n";
}

// Once a millisecond at most, and for the first second of a thread.
void measure_counter(ClockGate& gate) noexcept {
  if (gate.anchor_cycles == 0) {
    gate.anchor_ns = read_ns(CLOCK_BOOTTIME);  // which goes on while the machine sleeps
    gate.anchor_cycles = read_counter();
    return;
  }
  const std::uint64_t cycles = read_counter();
  const std::uint64_t now_ns = read_ns(CLOCK_BOOTTIME);
  const std::uint64_t passed_ns = now_ns - gate.anchor_ns;
  if (now_ns < gate.anchor_ns || cycles < gate.anchor_cycles || passed_ns < kMeasureNs) return;
  if (passed_ns > kMeasureNsMax) {  // done, or the thread slept: 1 s of cycles cannot overflow
    gate.anchor_cycles = cycles_per_ms.load(std::memory_order_relaxed) == 0 ? 0 : ~std::uint64_t{0};
    return;
  }
  if (counter.load(std::memory_order_relaxed) == Counter::readable) {
    counter.store(kernel_uses_counter() ? Counter::usable : Counter::unusable,
                  std::memory_order_relaxed);
  }
  const std::uint64_t measured = (cycles - gate.anchor_cycles) * kNsPerMs / passed_ns;
  if (measured < kCyclesPerMsMin || measured > kCyclesPerMsMax) return;
  std::uint64_t known = cycles_per_ms.load(std::memory_order_relaxed);
  while (known < measured &&
         !cycles_per_ms.compare_exchange_weak(known, measured, std::memory_order_relaxed)) {
  }
}

#endif

}  // namespace

std::uint64_t ask_kernel_ms() noexcept {
#if defined(__x86_64__)
  Counter usable = counter.load(std::memory_order_relaxed);
  if (usable == Counter::unknown) usable = look_at_counter();
  if (usable != Counter::unusable) {
    ClockGate& gate = clock_gate;
    if (gate.anchor_cycles != ~std::uint64_t{0}) measure_counter(gate);
    const std::uint64_t opened =
        read_counter();  // before the clock: the gate rather shuts too early
    const std::uint64_t now_ns = read_ns(CLOCK_REALTIME);
    const std::uint64_t left_ns = kNsPerMs - now_ns % kNsPerMs;
    const std::uint64_t cycles = left_ns * cycles_per_ms.load(std::memory_order_relaxed) / kNsPerMs;
    // A handler of a signal that comes in between finds the gate shut.
    gate.cycles = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    gate.opened = opened;
    gate.time_ms = now_ns / kNsPerMs;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (counter.load(std::memory_order_relaxed) == Counter::usable) {
      gate.cycles = cycles - cycles / 512;
    }
    return now_ns / kNsPerMs;
  }
#endif
  return read_ns(CLOCK_REALTIME) / kNsPerMs;
}

}  // namespace tessera::detail
