// The generic cell rate algorithm: a bucket is full at some time, and each token taken moves that
// time into the future, as far as the bucket is deep.

#include "service/token_bucket.h"

#include <algorithm>

namespace tessera::service {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDepthMax = kSecond * 86'400 * 365;

}  // namespace

TokenBucket::TokenBucket(std::uint64_t per_second, std::uint64_t burst) noexcept
    : interval_ns_(
          std::max<std::int64_t>(1, kSecond / static_cast<std::int64_t>(std::clamp<std::uint64_t>(
                                                  per_second, 1, std::uint64_t{kSecond})))),
      depth_ns_(
          std::max<std::uint64_t>(burst, 1) > static_cast<std::uint64_t>(kDepthMax / interval_ns_)
              ? kDepthMax
              : interval_ns_ * static_cast<std::int64_t>(std::max<std::uint64_t>(burst, 1))) {}

TokenBucket::Nanoseconds TokenBucket::take(std::uint64_t cost, Nanoseconds now) noexcept {
  if (cost > static_cast<std::uint64_t>(depth_ns_ / interval_ns_)) return Nanoseconds::max();
  const std::int64_t price = interval_ns_ * static_cast<std::int64_t>(cost);
  std::int64_t full_at = full_at_ns_.load(std::memory_order_relaxed);
  for (;;) {
    const std::int64_t after = std::max(full_at, now.count()) + price;
    const std::int64_t wait = after - now.count() - depth_ns_;
    if (wait > 0) return Nanoseconds(wait);
    if (full_at_ns_.compare_exchange_weak(full_at, after, std::memory_order_relaxed)) {
      return Nanoseconds::zero();
    }
  }
}

void TokenBucket::give_back(std::uint64_t cost) noexcept {
  full_at_ns_.fetch_sub(interval_ns_ * static_cast<std::int64_t>(cost), std::memory_order_relaxed);
}

}  // namespace tessera::service
