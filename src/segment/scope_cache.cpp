// The rules of a scope. Nothing here waits, and nothing here knows what time it is.

#include "segment/scope_cache.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tessera/parse_error.h"

namespace tessera {
namespace {

constexpr MonotonicTime kTick = std::chrono::milliseconds(50);
constexpr MonotonicTime kIdleTickMax = std::chrono::seconds(1);
constexpr double kDrainingS = 10;
constexpr std::uint64_t kRecountsMax = 4;

Error exhausted(const Scope& scope) {
  return Error{
      Error::Code::exhausted,
      "scope " + quoted(scope.name) + " has reached its last number, " + std::to_string(scope.max),
      "Declare a new scope; numbers are never used again."};
}

// The sum, or kNever.
MonotonicTime after(MonotonicTime time, MonotonicTime delay) {
  return delay >= ScopeCache::kNever - time ? ScopeCache::kNever : time + delay;
}

}  // namespace

std::string_view name_of(AllocatorHealth health) noexcept {
  switch (health) {
    case AllocatorHealth::healthy: return "healthy";
    case AllocatorHealth::degraded: return "degraded";
    case AllocatorHealth::draining: return "draining";
    case AllocatorHealth::empty: return "empty";
    case AllocatorHealth::exhausted: return "exhausted";
    case AllocatorHealth::poisoned: return "poisoned";
    case AllocatorHealth::closed: return "closed";
  }
  return "";
}

ScopeCache::ScopeCache(const Scope& scope, Handout& handout, const ScopeCachePolicy& policy)
    : scope_(scope),
      handout_(handout),
      policy_(policy),
      high_water_(scope.min - 1),
      backoff_(policy.backoff_min, policy.backoff_max, policy.jitter_seed),
      meter_(policy.refill) {}

void ScopeCache::remember(const WitnessMark& mark) {
  epoch_ = std::max(epoch_, mark.epoch);
  high_water_ = std::max(high_water_, mark.high_water);
}

// --- what to do next

ScopeCache::Action ScopeCache::poll(MonotonicTime now) {
  sample(now);
  expire(now);
  if (end_ != End::none || under_way_) return {};
  if (now < retry_at_) return {.wake = retry_at_};
  const bool strict = scope_.order == Scope::Order::strict;
  if (recount_ || (!asleep_ && (!known_ || now >= refresh_at_))) {
    under_way_ = true;
    return {.kind = Action::Kind::find};
  }
  if (known_ && remaining() == 0) {
    end(End::exhausted, exhausted(scope_));
    return {};
  }
  if (strict || asleep_) {
    return {.wake = cached() == 0 ? kNever : after(current_.drawn_at, policy_.segment_ttl)};
  }
  const std::uint64_t count = refill_count(policy_.refill, refill_state());
  if (count > 0) {
    under_way_ = true;
    return {.kind = Action::Kind::draw, .count = count};
  }
  arm_mark();
  return {.wake = after(now, idle_wait_)};
}

void ScopeCache::sample(MonotonicTime now) {
  const std::uint64_t all = taken();
  const std::uint64_t count = all - sampled_;
  sampled_ = all;
  if (count == 0 && cached() == 0) {
    meter_.skip(now);
  } else {
    meter_.add(count, now);
  }
  // Who is busy is looked at often, so that a burst is seen while it lasts.
  idle_wait_ = count > 0 ? kTick : std::min(std::max(2 * idle_wait_, kTick), kIdleTickMax);
}

void ScopeCache::expire(MonotonicTime now) {
  while (cached() > 0 && now >= after(current_.drawn_at, policy_.segment_ttl)) {
    if (advance()) continue;
    abandoned_ += handout_.publish({});
    // What was not used up in all that time is not wanted much: the next call draws. Unless one
    // waits already, for more than there was.
    asleep_ = waiting_ == 0;
  }
}

// Of 0 to 2^63-1 there are 2^63: more than the difference of two std::int64_t can say.
std::uint64_t ScopeCache::remaining() const {
  const std::int64_t used = highest();
  if (used >= scope_.max) return 0;
  return static_cast<std::uint64_t>(scope_.max) - static_cast<std::uint64_t>(used);
}

RefillState ScopeCache::refill_state() const {
  // Who wants more in a row than are left is refused, not drawn for.
  auto piece = waiting_contiguous_.rbegin();
  std::uint64_t waiting = waiting_;
  for (; piece != waiting_contiguous_.rend() && *piece > remaining(); ++piece) waiting -= *piece;
  return {.slow = meter_.slow(),
          .fast = meter_.fast(),
          .fetch_p99 = fetch_times_.p99(),
          .cached = cached(),
          .waiting = waiting,
          .in_one_piece = piece != waiting_contiguous_.rend() && !run_of(*piece),
          .last_draw = last_draw_,
          .step = static_cast<std::uint64_t>(scope_.step),
          .remaining = remaining()};
}

// The take that leaves less than half of the target asks for more.
void ScopeCache::arm_mark() {
  const std::uint64_t half = (refill_target(policy_.refill, refill_state()) + 1) / 2;
  const std::uint64_t have = cached();
  const std::uint64_t used = handout_.size() - handout_.left();
  handout_.set_mark(have < half ? handout_.size() : used + (have - half));
}

ScopeCache::Asked ScopeCache::ask(std::uint64_t count, MonotonicTime now) const {
  return {.epoch = mark().epoch, .high_water = high_water_, .count = count, .time = now};
}

// --- what the store says

std::optional<Error> ScopeCache::rewound(const Asked& asked, std::int64_t epoch,
                                         std::int64_t stands_at) const {
  if (epoch >= asked.epoch && stands_at >= asked.high_water) return std::nullopt;
  return Error{
      Error::Code::store_rewound,
      "the store was rewound: scope " + quoted(scope_.name) + " is at " +
          std::to_string(stands_at) + " in epoch " + std::to_string(epoch) + ", but was at " +
          std::to_string(asked.high_water) + " in epoch " + std::to_string(asked.epoch),
      "Stop all writers and advance the scope beyond every number in use, which begins a new "
      "epoch."};
}

void ScopeCache::found(const Asked& asked, const Result<ScopeState, Error>& answer,
                       MonotonicTime now) {
  under_way_ = false;
  if (end_ != End::none) return;
  const std::optional<Error> error = found_directly(asked, answer, now);
  if (error && end_ == End::none) fail(*error, now);
}

std::optional<Error> ScopeCache::found_directly(const Asked& asked,
                                                const Result<ScopeState, Error>& answer,
                                                MonotonicTime now) {
  std::optional<Error> error = stopped();
  if (error) return error;
  if (answer) {
    error = rewound(asked, answer->epoch, answer->high_water);
  } else {
    error = answer.error();
  }
  if (error) {
    if (answer) {
      poison(answer->epoch, *error);
    } else if (error->code == Error::Code::store_rewound) {
      end(End::poisoned, *error);
    }
    return error;
  }
  if (!known_) succeed();
  known_ = true;
  recount_ = false;
  refresh_at_ = after(now, policy_.refresh);
  scope_.min = answer->scope.min;
  scope_.max = answer->scope.max;
  scope_.step = answer->scope.step;
  learn(answer->epoch, high_water_);
  see(answer->high_water, now);
  return std::nullopt;
}

// A mark that was only read may be ahead of what survives a crash: InnoDB shows a commit before its
// log is on disk. It is known once it has stood there for a while; until then a store that is below
// it was not rewound.
void ScopeCache::see(std::int64_t high_water, MonotonicTime now) {
  seen_ = high_water;
  if (settling_ && now < after(settling_->since, policy_.settle)) return;
  if (settling_ && high_water >= settling_->high_water) {
    high_water_ = std::max(high_water_, settling_->high_water);
  }
  settling_ = Settling{high_water, now};
}

std::optional<Error> ScopeCache::fault_of_range(const Asked& asked, const Draw& draw) const {
  const Segment& segment = draw.segment;
  const bool within =
      segment.first < segment.end && segment.first >= static_cast<std::uint64_t>(scope_.min) &&
      segment.end - 1 <= static_cast<std::uint64_t>(scope_.max) && segment.size() == asked.count;
  if (within) return std::nullopt;
  return Error{Error::Code::store_failed,
               "the store gave " + std::to_string(segment.first) + " up to " +
                   std::to_string(segment.end) + " when asked for " + std::to_string(asked.count) +
                   " of scope " + quoted(scope_.name),
               "These numbers stay unused. Has somebody changed its tables by hand?"};
}

std::optional<WitnessMark> ScopeCache::drawn(const Asked& asked, const Result<Draw, Error>& answer,
                                             MonotonicTime now) {
  under_way_ = false;
  if (now > asked.time) fetch_times_.add(now - asked.time);
  if (!answer) {
    const Error& error = answer.error();
    if (error.code == Error::Code::outcome_unknown) unknown_ += asked.count;
    if (end_ != End::none) return std::nullopt;
    if (error.code == Error::Code::store_rewound) {
      end(End::poisoned, error);
    } else if (error.code == Error::Code::exhausted && recounts_ < kRecountsMax) {
      // Fewer are left than we asked for; how many, the store knows.
      recount_ = true;
      ++recounts_;
    } else if (error.code == Error::Code::exhausted) {
      recount_ = true;
      fail(Error{Error::Code::store_unavailable,
                 "the store has numbers of scope " + quoted(scope_.name) + " and gives none",
                 "Others may be drawing the last ones."},
           now);
    } else {
      fail(error, now);
    }
    return std::nullopt;
  }
  ++draws_;
  drawn_ += answer->segment.size();
  if (end_ != End::none) {  // closed meanwhile
    abandoned_ += answer->segment.size();
    return std::nullopt;
  }
  if (auto error = fault_of_range(asked, *answer)) {
    abandoned_ += answer->segment.size();
    fail(*error, now);
    return std::nullopt;
  }
  if (auto error =
          rewound(asked, answer->epoch, static_cast<std::int64_t>(answer->segment.first) - 1)) {
    abandoned_ += answer->segment.size();
    poison(answer->epoch, *std::move(error));
    return std::nullopt;
  }
  learn(answer->epoch, static_cast<std::int64_t>(answer->segment.end - 1));
  last_draw_ = asked.count;
  under_way_ = true;  // until it is published
  unpublished_ = Range{answer->segment, answer->epoch, now};
  return mark();
}

void ScopeCache::published(const std::optional<Error>& witness_error, MonotonicTime now) {
  under_way_ = false;
  const Range range = *std::exchange(unpublished_, std::nullopt);
  if (end_ != End::none || witness_error || range.epoch < epoch_) {
    abandoned_ += range.segment.size();
    if (end_ == End::none && witness_error) fail(*witness_error, now);
    return;
  }
  succeed();
  pending_.push_back(range);
  pending_count_ += range.segment.size();
  if (handout_.left() == 0) advance();
  arm_mark();
}

std::optional<Error> ScopeCache::drawn_directly(const Asked& asked, const Draw& draw) {
  ++draws_;
  drawn_ += draw.segment.size();
  direct_ += draw.segment.size();
  std::optional<Error> error = end_ == End::poisoned ? last_error_ : fault_of_range(asked, draw);
  if (!error) {
    error = rewound(asked, draw.epoch, static_cast<std::int64_t>(draw.segment.first) - 1);
    if (error && end_ == End::none) poison(draw.epoch, *error);
  }
  if (error) {
    direct_ -= draw.segment.size();
    abandoned_ += draw.segment.size();
    return error;
  }
  learn(draw.epoch, static_cast<std::int64_t>(draw.segment.end - 1));
  succeed();
  return std::nullopt;
}

void ScopeCache::failed_directly(const Asked& asked, const Error& error) {
  if (error.code == Error::Code::outcome_unknown) unknown_ += asked.count;
  if (end_ != End::none) return;
  if (error.code == Error::Code::store_rewound) return end(End::poisoned, error);
  if (scope_.order != Scope::Order::strict) return;  // the cache has draws of its own to judge by
  if (error.code == Error::Code::exhausted && asked.count == 1) {
    return end(End::exhausted, exhausted(scope_));
  }
  if (!may_retry(error.code)) return;
  last_error_ = error;
  backoff_.count_failure();
}

void ScopeCache::learn(std::int64_t epoch, std::int64_t high_water) {
  if (epoch > epoch_ && epoch_ != 0) drop_all();
  epoch_ = std::max(epoch_, epoch);
  high_water_ = std::max(high_water_, high_water);
}

// --- success and failure

void ScopeCache::succeed() {
  backoff_.succeed();
  recounts_ = 0;
  retry_at_ = MonotonicTime::min();
  last_error_.reset();
}

void ScopeCache::fail(const Error& error, MonotonicTime now) {
  last_error_ = error;
  retry_at_ = after(now, backoff_.fail());
}

void ScopeCache::end(End how, Error error) {
  end_ = how;
  last_error_ = std::move(error);
  if (how != End::exhausted) drop_all();
}

// `epoch` is that of the rewound store: a later one will do.
void ScopeCache::poison(std::int64_t epoch, Error error) {
  end(End::poisoned, std::move(error));
  epoch_least_ = std::max(epoch_least_, epoch + 1);
  alarmed_ = true;
}

std::optional<WitnessMark> ScopeCache::alarm() {
  if (!std::exchange(alarmed_, false)) return std::nullopt;
  return mark();
}

void ScopeCache::drop_all() {
  abandoned_ += pending_count_;
  pending_.clear();
  pending_count_ = 0;
  abandoned_ += handout_.publish({});
}

void ScopeCache::resume(MonotonicTime now) {
  if (end_ != End::poisoned) return;
  // Found again, it must stand above all that we know; else we are back where we were.
  end_ = End::none;
  known_ = false;
  asleep_ = false;
  succeed();
  retry_at_ = now;
}

void ScopeCache::close() {
  if (end_ == End::closed) return;
  end(End::closed,
      Error{Error::Code::closed, "scope " + quoted(scope_.name) + " is shutting down", ""});
}

// --- demand

bool ScopeCache::advance() {
  if (pending_.empty()) return false;
  current_ = pending_.front();
  pending_.pop_front();
  pending_count_ -= current_.segment.size();
  abandoned_ += handout_.publish(current_.segment);
  return true;
}

std::uint64_t ScopeCache::take(std::uint64_t count, std::vector<Segment>& out) {
  std::uint64_t got = 0;
  while (got < count) {
    const std::uint64_t left = handout_.left();
    if (left == 0) {
      if (advance()) {
        arm_mark();
        continue;
      }
      handout_.trim();
      break;
    }
    const Handout::Taken taken = handout_.take(std::min(count - got, left));
    if (taken.count == 0) continue;  // other threads were faster
    if (!out.empty() && out.back().end == taken.first) {
      out.back().end += taken.count;
    } else {
      out.push_back({taken.first, taken.first + taken.count});
    }
    got += taken.count;
  }
  return got;
}

std::optional<ScopeCache::Run> ScopeCache::run_of(std::uint64_t count) const {
  std::uint64_t size = handout_.left();
  std::uint64_t end = current_.segment.end;
  Run run{.with_current = size > 0};
  if (size >= count) return run;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Segment& segment = pending_[i].segment;
    if (size == 0 || segment.first != end) {
      run = {.from = i};
      size = 0;
    }
    size += segment.size();
    end = segment.end;
    if (size >= count) return run;
  }
  return std::nullopt;
}

std::optional<Segment> ScopeCache::take_contiguous(std::uint64_t count) {
  std::uint64_t first = 0;
  std::uint64_t got = 0;
  std::optional<Run> run;
  for (;;) {
    const Handout::Taken whole = handout_.take_whole(count);
    if (whole.count > 0) return Segment{whole.first, whole.first + count};
    const std::uint64_t left = handout_.left();
    run = run_of(count);
    if (!run) return std::nullopt;
    if (!run->with_current) break;
    const Handout::Taken rest = handout_.take_whole(std::min(left, count));
    if (rest.count == 0) continue;  // other threads were faster
    first = rest.first;
    got = rest.count;
    break;
  }
  for (std::size_t i = 0; i < run->from; ++i) {
    abandoned_ += pending_.front().segment.size();
    pending_count_ -= pending_.front().segment.size();
    pending_.pop_front();
  }
  if (got == 0) first = pending_.front().segment.first;
  // Taken before it is published, so that nobody without the lock comes between two segments.
  while (got < count) {
    Segment& segment = pending_.front().segment;
    const std::uint64_t part = std::min(count - got, segment.size());
    segment.first += part;
    pending_count_ -= part;
    carved_ += part;
    got += part;
    if (segment.size() == 0) pending_.pop_front();
  }
  if (!advance()) abandoned_ += handout_.publish({});
  arm_mark();
  return Segment{first, first + count};
}

void ScopeCache::abandon(const std::vector<Segment>& taken) {
  for (const Segment& segment : taken) {
    given_up_ += segment.size();
    abandoned_ += segment.size();
  }
}

void ScopeCache::wait(std::uint64_t count) {
  waiting_ += count;
  asleep_ = false;  // also after the caller has given up: the next one should not wait
}

void ScopeCache::wait_no_longer(std::uint64_t count) { waiting_ -= count; }

void ScopeCache::wait_contiguous(std::uint64_t count) {
  wait(count);
  waiting_contiguous_.insert(count);
}

void ScopeCache::wait_contiguous_no_longer(std::uint64_t count) {
  wait_no_longer(count);
  waiting_contiguous_.erase(waiting_contiguous_.find(count));
}

std::optional<Error> ScopeCache::refusal() const {
  const bool hopeless = last_error_ && !may_retry(last_error_->code);
  if (end_ != End::none || hopeless) return last_error_;
  return std::nullopt;
}

std::optional<Error> ScopeCache::refusal_contiguous(std::uint64_t count) const {
  if (auto error = refusal()) return error;
  if (!known_ || count <= remaining()) return std::nullopt;
  return Error{Error::Code::exhausted,
               "fewer than " + std::to_string(count) + " numbers of scope " + quoted(scope_.name) +
                   " are left to be drawn before its last, " + std::to_string(scope_.max),
               "Ask for fewer, or declare a new scope; numbers are never used again."};
}

std::optional<Error> ScopeCache::stopped() const {
  if (end_ == End::poisoned || end_ == End::closed) return last_error_;
  return std::nullopt;
}

// --- what operators see

double ScopeCache::runway_s() const {
  const std::uint64_t have = cached();
  if (have == 0) return 0;
  const double rate = meter_.highest();
  if (rate <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(have) / rate;
}

AllocatorHealth ScopeCache::health() const {
  switch (end_) {
    case End::poisoned: return AllocatorHealth::poisoned;
    case End::closed: return AllocatorHealth::closed;
    case End::exhausted:
      if (cached() == 0) return AllocatorHealth::exhausted;
      break;
    case End::none: break;
  }
  if (backoff_.failures() == 0) return AllocatorHealth::healthy;
  if (cached() == 0) return AllocatorHealth::empty;
  return runway_s() < kDrainingS ? AllocatorHealth::draining : AllocatorHealth::degraded;
}

AllocatorStatus ScopeCache::status(MonotonicTime now) {
  sample(now);
  return {.health = health(),
          .runway_s = runway_s(),
          .rate = meter_.highest(),
          .target = refill_target(policy_.refill, refill_state()),
          .cached = cached() + (unpublished_ ? unpublished_->segment.size() : 0),
          .waiters = 0,
          .draws = draws_,
          .drawn = drawn_,
          .issued = taken() + direct_ - given_up_,
          .abandoned = abandoned_,
          .unknown = unknown_,
          .failures = backoff_.failures(),
          .epoch = epoch_,
          .high_water = highest(),
          .last_error = last_error_};
}

}  // namespace tessera
