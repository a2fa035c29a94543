#pragma once

// Refill: when to draw numbers, and how many.
//
// Two horizons of time. The slow one is an outage of the store that the cache should survive at
// the usual rate; the fast one is a burst that must not overtake the next draw:
//
//    target = max(slow rate x outage horizon, fast rate x burst horizon, step)
//    draw when cached < target / 2:  target - cached, at most 16 times the last draw
//
// So a scope of one number a minute caches one step, and one of a million a second draws ten
// million at a time, without anybody setting anything. Rates are of numbers handed out: a caller
// who tries again after a failure counts once, when he is served. Counting attempts would make
// an outage look like demand, and the first draws after it would burn millions.
//
// Pure: state and time are arguments. Not thread-safe.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "tessera/segment/scope.h"

namespace tessera {

// Time on a MonotonicClock.
using MonotonicTime = std::chrono::nanoseconds;

struct RefillPolicy {
  std::chrono::milliseconds slow_average{30'000};
  std::chrono::milliseconds fast_average{100};
  std::chrono::milliseconds outage_horizon{60'000};
  std::chrono::milliseconds burst_horizon{2'000};
  std::uint64_t growth_max = 16;  // of one draw over the one before
};

// How many a second, as exponential averages over two times.
class RateMeter {
 public:
  explicit RateMeter(const RefillPolicy& policy) noexcept
      : slow_s_(seconds(policy.slow_average)), fast_s_(seconds(policy.fast_average)) {}

  // `count` were handed out since the last call. Calls at the same time are added up.
  void add(std::uint64_t count, MonotonicTime now) noexcept;
  // The time since the last call says nothing about demand: there was nothing to hand out.
  void skip(MonotonicTime now) noexcept;

  double slow() const noexcept { return slow_; }
  double fast() const noexcept { return fast_; }
  // For a forecast it is better to be early.
  double highest() const noexcept { return slow_ > fast_ ? slow_ : fast_; }

 private:
  static double seconds(MonotonicTime time) noexcept {
    return std::chrono::duration<double>(time).count();
  }

  double slow_s_;
  double fast_s_;
  double slow_ = 0;
  double fast_ = 0;
  std::uint64_t pending_ = 0;  // counted at the very time of the last call
  MonotonicTime last_{};
  bool started_ = false;
};

// The longest of the last 64 draws. With so few it is the best guess at their 99th percentile,
// and it forgets a bad hour after 64 good draws.
class FetchTimes {
 public:
  void add(MonotonicTime duration) noexcept;
  MonotonicTime p99() const noexcept { return longest_; }

 private:
  std::array<MonotonicTime, 64> last_{};
  MonotonicTime longest_{};
  std::size_t count_ = 0;
};

// What is known when the question is asked.
struct RefillState {
  double slow = 0;  // numbers a second
  double fast = 0;
  MonotonicTime fetch_p99{};
  std::uint64_t cached = 0;
  std::uint64_t waiting = 0;    // numbers that callers wait for, now
  bool in_one_piece = false;    // one of them wants his in a row, and they are not cached so
  std::uint64_t last_draw = 0;  // 0: there was none
  std::uint64_t step = 1000;
  std::uint64_t remaining = 0;  // of the scope, as far as we know; others draw too
};

// The most that one draw takes ahead of demand: the last thousandth of a range cannot vanish in
// one draw, unless that is less than a step.
std::uint64_t draw_max(const RefillState& state) noexcept;

// How many should be cached; 1 to draw_max().
std::uint64_t refill_target(const RefillPolicy& policy, const RefillState& state) noexcept;

// How many to draw now; 0: none. What callers wait for is drawn at once, however much it is up
// to Scope::kDrawMax: that is demand, not foresight. Never more than `remaining`.
std::uint64_t refill_count(const RefillPolicy& policy, const RefillState& state) noexcept;

}  // namespace tessera
