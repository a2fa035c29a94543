#pragma once

// SegmentAllocator: the numbers of one scope, handed out from memory.
//
//    next() --> current segment --> next segment       one fetch_add, no lock
//                                        ^
//                  background: draws ahead of demand, one at a time --> store
//
//   SegmentAllocator orders(scope, store, refiller, clock);
//   const auto id = orders.next();
//
// Unique: a number is handed out once, by any process, ever, if the store keeps what it confirms;
// one that was rewound is found out. In order: if a call returned before another began in this
// process, its numbers are smaller. There are gaps: at restarts, after lost answers.
//
// When the store is away, the cache goes on, for status().runway_s seconds. Then calls wait, for
// as long as each says, and so many at a time as `waiters_max` says.
//
// Thread-safe. Store, refiller, clock and witness must outlive it. A child made by fork() gets
// `closed`, and must make its own.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/segment/allocator_status.h"
#include "tessera/segment/handout.h"
#include "tessera/segment/refill.h"
#include "tessera/segment/refiller.h"
#include "tessera/segment/scope.h"
#include "tessera/segment/store.h"
#include "tessera/segment/witness.h"
#include "tessera/source.h"

namespace tessera {

class ScopeCache;

struct AllocatorOptions {
  RefillPolicy refill{};
  std::chrono::milliseconds draw_timeout{5000};  // of one question to the store
  std::chrono::milliseconds segment_ttl{3'600'000};
  std::size_t waiters_max = 1024;
  std::string holder{};           // for the range log: "host/pid/start"
  std::uint64_t jitter_seed = 0;  // should differ between processes
};

class SegmentAllocator final : private Refiller::Job {
 public:
  static constexpr std::chrono::milliseconds kWait{1000};

  SegmentAllocator(const Scope& scope, SegmentStore& store, Refiller& refiller,
                   MonotonicClock& clock, Witness* witness = nullptr,
                   AllocatorOptions options = {});
  ~SegmentAllocator() override;
  SegmentAllocator(const SegmentAllocator&) = delete;
  SegmentAllocator& operator=(const SegmentAllocator&) = delete;

  // The next number. Errors: exhausted, timed_out, overloaded, store_rewound, closed, and what
  // the store says that will not pass by waiting.
  Result<std::int64_t, Error> next(std::chrono::milliseconds wait = kWait) {
    const Handout::Quick taken = handout_.take_quickly(1);
    if (taken.good) [[likely]]
      return static_cast<std::int64_t>(taken.first);
    // Not the Result itself: to be written there it would have to lie in memory, for every call.
    const Slow slow = next_slowly(taken.word, wait);
    if (slow.error != nullptr) return Failure{std::unique_ptr<Error>(slow.error)};
    return slow.number;
  }

  // The next `count` numbers, 1 to Scope::kDrawMax, all or none: one range, and one more for
  // each segment that ends in between. Other calls may fall between two ranges of this one.
  Result<std::vector<Segment>, Error> next_range(std::uint64_t count,
                                                 std::chrono::milliseconds wait = kWait);

  // The next `count` numbers in a row, 1 to Scope::kDrawMax: one range, the caller's alone, in the
  // order of all calls. So a rest of the cache that is too small is abandoned, fewer than `count`
  // numbers, unless the next segment goes on where it ends. `exhausted` if fewer can be drawn.
  Result<Segment, Error> next_contiguous(std::uint64_t count,
                                         std::chrono::milliseconds wait = kWait);

  // One range of at most `count` numbers, 1 to Handout::kTakeMax, and of one at least: what is left
  // of a segment rather than a second range. For SegmentSlice. A strict scope refuses.
  Result<Segment, Error> next_slice(std::uint64_t count, std::chrono::milliseconds wait = kWait);

  // Once for each key, whoever calls and however often: straight from the store. These numbers
  // have no place in the order of the others.
  Result<Draw, Error> next_keyed(std::uint64_t count, std::string_view key,
                                 std::chrono::milliseconds wait = kWait);

  // Draws the first segment now, so that the first call need not wait for the store.
  void warm_up();

  AllocatorStatus status() const;
  // Of a strict scope every number is asked of the store, also by a call that may not wait.
  Scope::Order order() const noexcept { return order_; }

  // After store_rewound, when the scope was advanced beyond every number in use. Believes the
  // store if it is in a later epoch, and above all that was ever seen here.
  void resume();

  // Hands out nothing any more, wakes who waits, and waits for the draw under way. What is cached
  // is abandoned.
  void close();

 private:
  MonotonicTime run(MonotonicTime now) override;
  std::optional<Error> forked() const;
  Error overloaded() const;
  struct Slow {
    std::int64_t number = 0;
    Error* error = nullptr;  // the caller's
  };
  Slow next_slowly(std::uint64_t word, std::chrono::milliseconds wait);
  enum class Shape : std::uint8_t { ranges, one_range };
  Result<std::vector<Segment>, Error> take_or_wait(std::uint64_t count,
                                                   std::chrono::milliseconds wait,
                                                   Shape shape = Shape::ranges);
  Result<Draw, Error> draw_directly(std::uint64_t count, std::string_view key,
                                    std::chrono::milliseconds wait);
  Result<Draw, Error> ask_directly(std::uint64_t count, std::string_view key,
                                   std::chrono::milliseconds wait);
  std::optional<Error> know_scope();
  std::optional<Error> load_witness();
  void write_alarm();

  Handout handout_;
  Refiller& refiller_;
  SegmentStore& store_;
  MonotonicClock& clock_;
  Witness* witness_;
  const AllocatorOptions options_;
  const std::string name_;
  const Scope::Order order_;
  const std::uint32_t fork_generation_;

  mutable std::mutex mutex_;
  std::condition_variable filled_;
  std::unique_ptr<ScopeCache> cache_;  // under mutex_
  std::size_t waiters_ = 0;
  bool witness_loaded_ = false;
};

}  // namespace tessera
