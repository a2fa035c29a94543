#pragma once

// The real clock and the real randomness: the one place that reaches for them.
//
// Randomness comes from a pool per thread, filled by a fast-key-erasure generator
// (AES-256 in counter mode where the CPU has it, ChaCha20 elsewhere) and seeded by
// the kernel. The pool lies in memory that the kernel wipes in a forked child, so
// that parent and child never continue the same stream. docs/randomness.md has the
// threat model.

#include <chrono>
#include <cstdint>
#include <span>

#include "tessera/source.h"

namespace tessera {

// Thread-safe.
class SystemClock final : public Clock {
 public:
  std::uint64_t now_ms() noexcept override;
  std::uint64_t now_100ns() noexcept override;
};

// Thread-safe. Stands still while the machine sleeps.
class SystemMonotonicClock final : public MonotonicClock {
 public:
  std::chrono::nanoseconds now() noexcept override;
  std::chrono::nanoseconds recent() noexcept
      override;  // a tick of the kernel behind, at most 10 ms
};

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
