#pragma once

// Clocks and entropy that do as they are told, so that every test can be played again.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "tessera/source.h"

namespace tessera {

// Stands still until it is set. Thread-safe.
struct FakeClock final : Clock {
  std::atomic<std::uint64_t> time_ms{0};
  std::atomic<std::uint64_t> time_100ns{0};  // within the millisecond: 0 to 9,999

  FakeClock() = default;
  explicit FakeClock(std::uint64_t now_ms) : time_ms(now_ms) {}

  std::uint64_t now_ms() noexcept override { return time_ms; }
  std::uint64_t now_100ns() noexcept override { return time_ms * 10'000 + time_100ns; }
};

// Fills with one byte, or with what was scripted; counts; fails when told to.
//
//   entropy.byte = 0xFF;                    every byte of every call
//   entropy.script = {{1, 2}, {3}};         the first call, the second call; then `byte` again
//   entropy.working = false;                every call fails
//   entropy.failing_calls = 2;              the next two calls fail
//
// A scripted call that is shorter than what is asked for is continued with `byte`. A failing
// call writes bytes all the same, which nobody may use. Not thread-safe.
struct FakeEntropy final : Entropy {
  std::uint8_t byte = 0;
  bool working = true;
  std::size_t failing_calls = 0;
  std::deque<std::vector<std::uint8_t>> script;

  std::size_t calls = 0;        // of fill(), also those that failed
  std::size_t bytes_given = 0;  // by calls that did not fail

  [[nodiscard]] bool fill(std::span<std::uint8_t> out) noexcept override {
    ++calls;
    if (!working || failing_calls > 0) {
      std::ranges::fill(out, std::uint8_t{0xEE});
      if (failing_calls > 0) --failing_calls;
      return false;
    }
    std::ranges::fill(out, byte);
    if (!script.empty()) {
      const auto& bytes = script.front();
      std::copy_n(bytes.begin(), std::min(bytes.size(), out.size()), out.begin());
      script.pop_front();
    }
    bytes_given += out.size();
    return true;
  }
};

// Looks random, and is the same in every run with the same seed. Not thread-safe.
class SeededEntropy final : public Entropy {
 public:
  explicit SeededEntropy(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] bool fill(std::span<std::uint8_t> out) noexcept override {
    for (auto& byte : out) byte = static_cast<std::uint8_t>(random_() >> 24);
    return true;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace tessera
