// The allocator with its threads: calls that the hand-out cannot serve, and the background job.

#include "tessera/segment/allocator.h"

#include <algorithm>
#include <utility>

#include "segment/scope_cache.h"
#include "tessera/parse_error.h"
#include "tessera/system.h"

namespace tessera {
namespace {

ScopeCachePolicy policy_of(const AllocatorOptions& options) {
  return {.refill = options.refill,
          .segment_ttl = options.segment_ttl,
          .jitter_seed = options.jitter_seed};
}

// Counts a waiting call, and what it waits for, for as long as it lives.
class Waiter {
 public:
  Waiter(ScopeCache& cache, std::size_t& waiters, bool contiguous)
      : cache_(cache), waiters_(waiters), contiguous_(contiguous) {
    ++waiters_;
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  ~Waiter() {
    --waiters_;
    stop();
  }
  void wait_for(std::uint64_t count) {
    stop();
    count_ = count;
    contiguous_ ? cache_.wait_contiguous(count) : cache_.wait(count);
  }

 private:
  void stop() {
    if (count_ == 0) return;
    contiguous_ ? cache_.wait_contiguous_no_longer(count_) : cache_.wait_no_longer(count_);
  }

  ScopeCache& cache_;
  std::size_t& waiters_;
  const bool contiguous_;
  std::uint64_t count_ = 0;
};

}  // namespace

SegmentAllocator::SegmentAllocator(const Scope& scope, SegmentStore& store, Refiller& refiller,
                                   MonotonicClock& clock, Witness* witness,
                                   AllocatorOptions options)
    : refiller_(refiller),
      store_(store),
      clock_(clock),
      witness_(witness),
      options_(std::move(options)),
      name_(scope.name),
      order_(scope.order),
      fork_generation_(tessera::fork_generation()),
      cache_(std::make_unique<ScopeCache>(scope, handout_, policy_of(options_))) {
  refiller_.add(*this);
}

SegmentAllocator::~SegmentAllocator() {
  if (!forked()) close();
}

void SegmentAllocator::close() {
  {
    const std::scoped_lock guard(mutex_);
    cache_->close();
  }
  filled_.notify_all();
  refiller_.remove(*this);
}

std::optional<Error> SegmentAllocator::forked() const {
  if (tessera::fork_generation() == fork_generation_) return std::nullopt;
  return Error{Error::Code::closed,
               "scope " + quoted(name_) + " belongs to the parent of this process",
               "Make allocators after fork(), not before."};
}

Error SegmentAllocator::overloaded() const {
  return Error{Error::Code::overloaded,
               std::to_string(waiters_) + " calls wait for scope " + quoted(name_) + " already",
               "Ask later, or for many numbers at once."};
}

// --- in the background

std::optional<Error> SegmentAllocator::load_witness() {
  if (witness_ == nullptr) return std::nullopt;
  {
    const std::scoped_lock guard(mutex_);
    if (witness_loaded_) return std::nullopt;
  }
  const auto mark = witness_->load(name_);
  if (!mark) return mark.error();
  const std::scoped_lock guard(mutex_);
  witness_loaded_ = true;
  if (*mark) cache_->remember(**mark);
  return std::nullopt;
}

// If it cannot be written, the mark of the last range is still there.
void SegmentAllocator::write_alarm() {
  if (witness_ == nullptr) return;
  std::optional<WitnessMark> mark;
  {
    const std::scoped_lock guard(mutex_);
    mark = cache_->alarm();
  }
  if (mark) static_cast<void>(witness_->store(name_, *mark));
}

MonotonicTime SegmentAllocator::run(MonotonicTime now) {
  using Kind = ScopeCache::Action::Kind;
  const std::optional<Error> forgotten = load_witness();
  ScopeCache::Action action;
  ScopeCache::Asked asked;
  {
    const std::scoped_lock guard(mutex_);
    action = cache_->poll(now);
    asked = cache_->ask(action.count, now);
  }
  if (action.kind == Kind::nothing) return action.wake;
  if (action.kind == Kind::find) {
    auto answer = forgotten ? Result<ScopeState, Error>(Failure{*forgotten}) : store_.find(name_);
    {
      const std::scoped_lock guard(mutex_);
      cache_->found(asked, answer, clock_.now());
    }
  } else {
    const auto answer = store_.draw({.scope = name_,
                                     .count = action.count,
                                     .holder = options_.holder,
                                     .timeout = options_.draw_timeout});
    std::unique_lock lock(mutex_);
    if (const auto mark = cache_->drawn(asked, answer, clock_.now())) {
      std::optional<Error> unseen;
      if (witness_ != nullptr) {
        lock.unlock();
        unseen = witness_->store(name_, *mark);
        lock.lock();
      }
      cache_->published(unseen, clock_.now());
    }
  }
  filled_.notify_all();
  write_alarm();
  return MonotonicTime::min();  // look again: there may be more to do
}

void SegmentAllocator::warm_up() {
  {
    const std::scoped_lock guard(mutex_);
    cache_->wake_up();
  }
  refiller_.wake(*this);
}

void SegmentAllocator::resume() {
  {
    const std::scoped_lock guard(mutex_);
    cache_->resume(clock_.now());
  }
  refiller_.wake(*this);
}

AllocatorStatus SegmentAllocator::status() const {
  const std::scoped_lock guard(mutex_);
  AllocatorStatus status = cache_->status(clock_.now());
  status.waiters = waiters_;
  return status;
}

// --- calls that the current segment cannot serve

SegmentAllocator::Slow SegmentAllocator::next_slowly(std::uint64_t word,
                                                     std::chrono::milliseconds wait) {
  const Handout::Taken taken = handout_.look_again(word, 1);
  if (taken.at_mark) refiller_.wake(*this);
  if (taken.count == 1) return {.number = static_cast<std::int64_t>(taken.first)};
  const auto ranges = take_or_wait(1, wait);
  if (!ranges) return {.error = std::make_unique<Error>(ranges.error()).release()};
  return {.number = static_cast<std::int64_t>(ranges->front().first)};
}

Result<std::vector<Segment>, Error> SegmentAllocator::next_range(std::uint64_t count,
                                                                 std::chrono::milliseconds wait) {
  if (count <= Handout::kTakeMax && count > 0 && handout_.may_have(count)) {
    const Handout::Taken taken = handout_.take(count);
    if (taken.at_mark) refiller_.wake(*this);
    const Segment segment{taken.first, taken.first + taken.count};
    if (taken.count == count) return std::vector<Segment>{segment};
    if (taken.count > 0) {
      auto rest = take_or_wait(count - taken.count, wait);
      if (!rest) {
        const std::scoped_lock guard(mutex_);
        cache_->abandon({segment});
        return rest;
      }
      std::vector<Segment>& ranges = *rest;
      if (ranges.front().first == segment.end) {
        ranges.front().first = segment.first;
      } else {
        ranges.insert(ranges.begin(), segment);
      }
      return rest;
    }
  }
  return take_or_wait(count, wait);
}

Result<Segment, Error> SegmentAllocator::next_contiguous(std::uint64_t count,
                                                         std::chrono::milliseconds wait) {
  const Handout::Taken taken = handout_.take_whole(count);
  if (taken.at_mark) refiller_.wake(*this);
  if (taken.count > 0) return Segment{taken.first, taken.first + taken.count};
  const auto ranges = take_or_wait(count, wait, Shape::one_range);
  if (!ranges) return Failure{ranges.error()};
  return ranges->front();
}

Result<Segment, Error> SegmentAllocator::next_slice(std::uint64_t count,
                                                    std::chrono::milliseconds wait) {
  if (auto error = forked()) return Failure{*std::move(error)};
  if (order_ == Scope::Order::strict) {
    return Failure{Error{Error::Code::invalid_request,
                         "scope " + quoted(name_) + " is strict and has no slices",
                         "Ask it for one number at a time."}};
  }
  if (count < 1 || count > Handout::kTakeMax) {
    return Failure{Error{Error::Code::invalid_request,
                         "cannot take a slice of " + std::to_string(count) + " numbers",
                         "Ask for 1 to " + std::to_string(Handout::kTakeMax) + "."}};
  }
  if (handout_.may_have(1)) {
    const Handout::Taken taken = handout_.take(count);
    if (taken.at_mark) refiller_.wake(*this);
    if (taken.count > 0) return Segment{taken.first, taken.first + taken.count};
  }
  // It has ended. The call waits for one number, and so for the next segment.
  const auto ranges = take_or_wait(1, wait);
  if (!ranges) return Failure{ranges.error()};
  return ranges->front();
}

Result<std::vector<Segment>, Error> SegmentAllocator::take_or_wait(std::uint64_t count,
                                                                   std::chrono::milliseconds wait,
                                                                   Shape shape) {
  if (auto error = forked()) return Failure{*std::move(error)};
  if (count < 1 || count > static_cast<std::uint64_t>(Scope::kDrawMax)) {
    return Failure{Error{Error::Code::invalid_request,
                         "cannot reserve " + std::to_string(count) + " numbers at once",
                         "Ask for 1 to " + std::to_string(Scope::kDrawMax) + "."}};
  }
  if (order_ == Scope::Order::strict) {
    const auto draw = draw_directly(count, {}, wait);
    if (!draw) return Failure{draw.error()};
    return std::vector<Segment>{draw->segment};
  }

  const MonotonicTime deadline = clock_.now() + wait;
  const bool contiguous = shape == Shape::one_range;
  std::vector<Segment> ranges;
  std::uint64_t missing = count;
  std::unique_lock lock(mutex_);
  std::optional<Waiter> waiter;  // goes before the lock does
  const auto refuse = [&](Error error) -> Result<std::vector<Segment>, Error> {
    cache_->abandon(ranges);
    return Failure{std::move(error)};
  };
  for (;;) {
    // All or nothing, so that a call that fails wastes nothing; threads without the lock may be
    // faster, and then we wait for the rest.
    if (contiguous) {
      if (const auto range = cache_->take_contiguous(missing)) {
        ranges.push_back(*range);
        missing = 0;
      }
    } else if (cache_->cached() >= missing) {
      missing -= cache_->take(missing, ranges);
    }
    if (missing == 0) {
      refiller_.wake(*this);  // a segment has ended; is there enough?
      return ranges;
    }
    auto refusal = contiguous ? cache_->refusal_contiguous(missing) : cache_->refusal();
    if (refusal) return refuse(*std::move(refusal));
    if (!waiter) {
      if (waiters_ >= options_.waiters_max) {
        return refuse(overloaded());
      }
      waiter.emplace(*cache_, waiters_, contiguous);
    }
    const MonotonicTime left = deadline - clock_.now();
    if (left <= MonotonicTime::zero()) {
      const auto& reason = cache_->last_error();
      return refuse(Error{Error::Code::timed_out,
                          "no number of scope " + quoted(name_) + " within " +
                              std::to_string(wait.count()) + " ms" +
                              (reason ? ": " + reason->message : std::string()),
                          reason ? reason->hint : "Allow more time, or raise its step."});
    }
    waiter->wait_for(missing);
    refiller_.wake(*this);
    filled_.wait_for(lock, left);
  }
}

// --- calls that go past the cache

std::optional<Error> SegmentAllocator::know_scope() {
  if (auto error = load_witness()) return error;
  ScopeCache::Asked asked;
  {
    const std::scoped_lock guard(mutex_);
    if (auto error = cache_->stopped()) return error;
    if (cache_->known()) return std::nullopt;
    asked = cache_->ask(0, clock_.now());
  }
  const auto answer = store_.find(name_);
  const std::scoped_lock guard(mutex_);
  return cache_->found_directly(asked, answer, clock_.now());
}

Result<Draw, Error> SegmentAllocator::next_keyed(std::uint64_t count, std::string_view key,
                                                 std::chrono::milliseconds wait) {
  if (key.empty()) {
    return Failure{Error{Error::Code::invalid_request, "a request key without a character",
                         "Give it one, such as a ULID."}};
  }
  if (auto error = forked()) return Failure{*std::move(error)};
  return draw_directly(count, key, wait);
}

Result<Draw, Error> SegmentAllocator::draw_directly(std::uint64_t count, std::string_view key,
                                                    std::chrono::milliseconds wait) {
  {
    const std::scoped_lock guard(mutex_);
    if (waiters_ >= options_.waiters_max) return Failure{overloaded()};
    ++waiters_;
  }
  auto draw = ask_directly(count, key, wait);
  if (!draw) write_alarm();
  const std::scoped_lock guard(mutex_);
  --waiters_;
  return draw;
}

Result<Draw, Error> SegmentAllocator::ask_directly(std::uint64_t count, std::string_view key,
                                                   std::chrono::milliseconds wait) {
  if (auto error = know_scope()) return Failure{*std::move(error)};
  ScopeCache::Asked asked;
  {
    const std::scoped_lock guard(mutex_);
    asked = cache_->ask(count, clock_.now());
  }
  auto draw = store_.draw({.scope = name_,
                           .count = count,
                           .holder = options_.holder,
                           .key = key,
                           .timeout = std::min(wait, options_.draw_timeout)});
  if (!draw) {
    const std::scoped_lock guard(mutex_);
    cache_->failed_directly(asked, draw.error());
    return draw;
  }
  if (draw->repeated) return draw;
  WitnessMark mark;
  {
    const std::scoped_lock guard(mutex_);
    if (auto error = cache_->drawn_directly(asked, *draw)) return Failure{*std::move(error)};
    mark = cache_->mark();
  }
  if (witness_ != nullptr) {
    if (auto error = witness_->store(name_, mark)) return Failure{*std::move(error)};
  }
  return draw;
}

}  // namespace tessera
