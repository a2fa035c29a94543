// The clock and the randomness of a web page: what core/system.cpp is on Linux.
//
// The page draws from the browser's own generator, which is seeded and safe; a pool of ours in
// front of it would save nothing, since an instance makes few IDs and ends.

#include "tessera/system.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace tessera {
namespace {

std::chrono::nanoseconds time_of(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

std::chrono::nanoseconds SystemMonotonicClock::now() noexcept { return time_of(CLOCK_MONOTONIC); }

std::chrono::nanoseconds SystemMonotonicClock::recent() noexcept { return now(); }

std::uint64_t SystemClock::now_ms() noexcept {
  return static_cast<std::uint64_t>(time_of(CLOCK_REALTIME) / std::chrono::milliseconds(1));
}

std::uint64_t SystemClock::now_s() noexcept { return now_ms() / 1000; }

std::uint64_t SystemClock::now_100ns() noexcept {
  return static_cast<std::uint64_t>(time_of(CLOCK_REALTIME) / std::chrono::nanoseconds(100));
}

bool SystemEntropy::fill(std::span<std::uint8_t> out) noexcept {
  constexpr std::size_t kPieceMax = 256;  // of getentropy()
  while (!out.empty()) {
    const auto piece = out.first(std::min(out.size(), kPieceMax));
    if (getentropy(piece.data(), piece.size()) != 0) return false;
    out = out.subspan(piece.size());
  }
  return true;
}

void SystemEntropy::reseed() noexcept {}  // nothing is kept

void set_random_source(RandomSource /*source*/) noexcept {}  // there is one
RandomSource random_source() noexcept { return RandomSource::kernel; }

std::uint32_t fork_generation() noexcept { return 1; }  // a module has no children

}  // namespace tessera
