// The arithmetic of refilling.

#include "tessera/segment/refill.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

constexpr std::uint64_t kDrawMax = Scope::kDrawMax;

// A product of rates and seconds may be anything; the answer never exceeds one draw.
std::uint64_t whole(double count) noexcept {
  if (!(count > 0)) return 0;
  return count >= static_cast<double>(kDrawMax) ? kDrawMax : static_cast<std::uint64_t>(count);
}

double seconds(std::chrono::nanoseconds time) noexcept {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

void RateMeter::add(std::uint64_t count, MonotonicTime now) noexcept {
  if (!started_) {
    started_ = true;
    last_ = now;
  }
  pending_ += count;
  if (now <= last_) return;
  const double passed_s = seconds(now - last_);
  const double rate = static_cast<double>(pending_) / passed_s;
  slow_ += (rate - slow_) * -std::expm1(-passed_s / slow_s_);
  fast_ += (rate - fast_) * -std::expm1(-passed_s / fast_s_);
  pending_ = 0;
  last_ = now;
}

void RateMeter::skip(MonotonicTime now) noexcept {
  started_ = true;
  last_ = std::max(last_, now);
}

void FetchTimes::add(MonotonicTime duration) noexcept {
  last_[count_ % last_.size()] = duration;
  ++count_;
  longest_ = *std::ranges::max_element(last_);
}

std::uint64_t draw_max(const RefillState& state) noexcept {
  const std::uint64_t step = std::max<std::uint64_t>(state.step, 1);
  return std::min(kDrawMax, std::max(state.remaining / 1000, step));
}

std::uint64_t refill_target(const RefillPolicy& policy, const RefillState& state) noexcept {
  // A slow store must not turn a burst into a stall: eight fetches fit into the horizon.
  const MonotonicTime burst = std::max<MonotonicTime>(policy.burst_horizon, 8 * state.fetch_p99);
  const std::uint64_t target =
      std::max({whole(state.slow * seconds(policy.outage_horizon)),
                whole(state.fast * seconds(burst)), std::max<std::uint64_t>(state.step, 1)});
  return std::min(target, draw_max(state));
}

std::uint64_t refill_count(const RefillPolicy& policy, const RefillState& state) noexcept {
  const std::uint64_t target = refill_target(policy, state);
  // Beside a piece that must be in a row, what is cached may not count: it lies below it.
  const std::uint64_t cached = state.in_one_piece ? 0 : state.cached;
  const std::uint64_t missing = state.waiting > cached ? state.waiting - cached : 0;
  std::uint64_t count = 0;
  if (state.cached < (target + 1) / 2) {
    const std::uint64_t last = state.last_draw == 0 ? state.step : state.last_draw;
    const std::uint64_t grown = std::min(last, kDrawMax) * policy.growth_max;
    count = std::clamp(std::min(target - state.cached, grown),
                       std::min(state.step, draw_max(state)), draw_max(state));
  }
  return std::min({std::max(count, missing), kDrawMax, state.remaining});
}

}  // namespace tessera
