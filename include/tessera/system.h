#pragma once

// The real clock and the real randomness: the one place that reaches for them.
//
// Randomness comes from a pool per thread, filled by a fast-key-erasure generator
// (AES-256 in counter mode where the CPU has it, ChaCha20 elsewhere) and seeded by
// the kernel. The pool lies in memory that the kernel wipes in a forked child, so
// that parent and child never continue the same stream. Or it comes from the kernel
// itself, for each ID. docs/randomness.md has the threat model of both.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include "tessera/source.h"

namespace tessera {

// Thread-safe. The millisecond is the kernel's; where the processor counts evenly, the kernel is
// asked once a millisecond only.
class SystemClock final : public Clock {
 public:
  std::uint64_t now_ms() noexcept override;
  std::uint64_t now_s() noexcept override;  // a tick of the kernel behind, at most 10 ms
  std::uint64_t now_100ns() noexcept override;
};

// A clock that a thread of its own reads a thousand times a second, so that all others need only
// look: for those who make many IDs one by one and can bear a millisecond that is half of one
// late, and later when the machine has no time for that thread. In a forked child, and where no
// thread could be started, it is SystemClock. Thread-safe.
class TickerClock final : public Clock {
 public:
  TickerClock() noexcept;
  ~TickerClock() override;
  TickerClock(const TickerClock&) = delete;
  TickerClock& operator=(const TickerClock&) = delete;

  std::uint64_t now_ms() noexcept override {
    const std::uint64_t seen = time_ms_->load(std::memory_order_relaxed);
    return seen != 0 ? seen : SystemClock().now_ms();
  }
  std::uint64_t now_s() noexcept override { return now_ms() / 1000; }
  std::uint64_t now_100ns() noexcept override { return SystemClock().now_100ns(); }

 private:
  struct Ticker;
  Ticker* ticker_ = nullptr;               // in memory that the kernel wipes in a child
  std::atomic<std::uint64_t> no_time_{0};  // what time_ms_ points to without a ticker
  std::atomic<std::uint64_t>* time_ms_ = &no_time_;
};

// Thread-safe. Stands still while the machine sleeps.
class SystemMonotonicClock final : public MonotonicClock {
 public:
  std::chrono::nanoseconds now() noexcept override;
  std::chrono::nanoseconds recent() noexcept
      override;  // a tick of the kernel behind, at most 10 ms
};

// Thread-safe. Goes on while the machine sleeps: for rights that end, such as leases.
class SystemBootClock final : public MonotonicClock {
 public:
  std::chrono::nanoseconds now() noexcept override;
};

enum class RandomSource : std::uint8_t {
  pool,   // a pool per thread: a few nanoseconds, and a clone of a running machine has it too
  kernel  // the kernel, for each call: nothing is kept here, so nothing can be cloned
};

// Which one SystemEntropy, and with it every generate(), uses from now on, in all threads. Before,
// it is what the environment variable TESSERA_RANDOM says, `pool` or `kernel`; without it the
// pool, unless this kernel cannot wipe a pool on fork.
void set_random_source(RandomSource source) noexcept;
RandomSource random_source() noexcept;

// Thread-safe, fork-safe, and safe to call from a signal handler.
class SystemEntropy final : public Entropy {
 public:
  [[nodiscard]] bool fill(std::span<std::uint8_t> out) noexcept override;

  // Throws away what this thread has buffered and asks the kernel for a new key. For
  // programs that know that their machine was just cloned.
  static void reseed() noexcept;
};

// 1 in the first process, one more in each child of a fork, at any depth. A generator
// whose numbers are bound to one process compares it with what it saw at first.
std::uint32_t fork_generation() noexcept;

}  // namespace tessera
