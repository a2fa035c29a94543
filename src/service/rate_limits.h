#pragma once

// RateLimits: a bucket for each token, which a reload of the tokens does not refill.
//
// Thread-safe.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "service/token_bucket.h"
#include "tessera/service/tokens.h"

namespace tessera::service {

class RateLimits {
 public:
  // `rate` is for tokens that say nothing; 0: no limit.
  explicit RateLimits(std::uint64_t rate) noexcept : rate_(rate) {}

  // Null: there is no limit. `token` is one of the table. A second's worth may come at once.
  std::shared_ptr<TokenBucket> bucket_of(const std::shared_ptr<const TokenTable>& table,
                                         const Token& token);

 private:
  struct Limit {
    std::uint64_t rate = 0;
    std::shared_ptr<TokenBucket> bucket;
  };
  // The limits of one table, in the order of its tokens. It holds the table, so that no other can
  // come to lie at the same address.
  struct Limits {
    std::shared_ptr<const TokenTable> table;
    std::vector<std::shared_ptr<TokenBucket>> buckets;
  };

  std::shared_ptr<const Limits> limits_of(const std::shared_ptr<const TokenTable>& table);
  std::uint64_t rate_of(const Token& token) const noexcept {
    return token.rate != 0 ? token.rate : rate_;
  }

  const std::uint64_t rate_;
  std::atomic<std::shared_ptr<const Limits>> current_;
  std::mutex mutex_;
  std::map<std::string, Limit, std::less<>> by_id_;  // under mutex_
};

}  // namespace tessera::service
