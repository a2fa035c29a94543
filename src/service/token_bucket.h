#pragma once

// TokenBucket: how often a caller may ask. It fills at a steady rate up to `burst`; what a request
// costs is taken out, or the request has to wait.
//
// Thread-safe, without a lock: the bucket is one number, the time at which it would be full.

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tessera::service {

class TokenBucket {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // `per_second` and `burst` are at least 1.
  TokenBucket(std::uint64_t per_second, std::uint64_t burst) noexcept;

  // Zero: the cost was taken. Else nothing was, and it is this long until there is enough; for
  // ever (Nanoseconds::max) if it is more than the bucket ever holds. `now` is on any steady clock.
  Nanoseconds take(std::uint64_t cost, Nanoseconds now) noexcept;
  // Undoes a take() of as much, of a request that did not happen after all.
  void give_back(std::uint64_t cost) noexcept;

 private:
  std::int64_t interval_ns_;  // for one token
  std::int64_t depth_ns_;     // for all of them
  std::atomic<std::int64_t> full_at_ns_{INT64_MIN};
};

}  // namespace tessera::service
