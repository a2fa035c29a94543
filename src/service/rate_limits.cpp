// Buckets by token.

#include "service/rate_limits.h"

#include <utility>

namespace tessera::service {

std::shared_ptr<TokenBucket> RateLimits::bucket_of(const std::shared_ptr<const TokenTable>& table,
                                                   const Token& token) {
  if (rate_of(token) == 0) return nullptr;
  auto limits = current_.load(std::memory_order_acquire);
  if (limits == nullptr || limits->table != table) limits = limits_of(table);
  return limits->buckets[static_cast<std::size_t>(&token - table->tokens().data())];
}

std::shared_ptr<const RateLimits::Limits> RateLimits::limits_of(
    const std::shared_ptr<const TokenTable>& table) {
  const std::scoped_lock guard(mutex_);
  auto limits = std::make_shared<Limits>();
  limits->table = table;
  decltype(by_id_) kept;
  for (const Token& token : table->tokens()) {
    const std::uint64_t rate = rate_of(token);
    Limit limit{rate, nullptr};
    const auto known = by_id_.find(token.id);
    if (known != by_id_.end() && known->second.rate == rate) {
      limit = known->second;
    } else if (rate != 0) {
      limit.bucket = std::make_shared<TokenBucket>(rate, rate);
    }
    limits->buckets.push_back(limit.bucket);
    kept.emplace(token.id, std::move(limit));
  }
  by_id_ = std::move(kept);
  current_.store(limits, std::memory_order_release);
  return limits;
}

}  // namespace tessera::service
