#pragma once

// ScopeCache: what one process knows of one scope, and what it should do next.
//
// The rules of the allocator without its threads, so that a simulation can play them by the
// million. Events go in, with their time; what to do comes out.
//
//    poll ---> find ---> found
//         \--> draw ---> drawn ---> published     one at a time
//          \-> nothing, until `wake`
//
// The rules that keep numbers unique:
//  - A range is handed out after the store has confirmed it (drawn) and the witness has seen it
//    (published), never before. A draw of unknown outcome is forgotten: a gap, not a repeat.
//  - A range must lie above everything that we knew when we asked for it. If not, the store has
//    been rewound, and somebody may hold what we hold: we stop at once, with what is cached, and
//    go on in a later epoch only.
//  - A new epoch means that an operator has moved the mark, perhaps because numbers below it are
//    in use elsewhere. What was cached under the old one is abandoned.
//
// Not thread-safe, but for what Handout says of itself.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "segment/backoff.h"
#include "tessera/segment/allocator_status.h"
#include "tessera/segment/handout.h"
#include "tessera/segment/refill.h"
#include "tessera/segment/scope.h"
#include "tessera/segment/store.h"
#include "tessera/segment/witness.h"

namespace tessera {

struct ScopeCachePolicy {
  RefillPolicy refill{};
  // Ranges older than this are abandoned: what bounds the disorder between processes.
  std::chrono::milliseconds segment_ttl{3'600'000};
  // How often an active scope asks for the step and the epoch.
  std::chrono::milliseconds refresh{60'000};
  // How long a mark must stand in the store, where we have only read it, to be held against it.
  std::chrono::milliseconds settle{10'000};
  std::chrono::milliseconds backoff_min{50};
  std::chrono::milliseconds backoff_max{5'000};
  std::uint64_t jitter_seed = 0;
};

class ScopeCache {
 public:
  static constexpr MonotonicTime kNever = MonotonicTime::max();

  struct Action {
    enum class Kind : std::uint8_t { nothing, find, draw };
    Kind kind = Kind::nothing;
    std::uint64_t count = 0;      // to draw
    MonotonicTime wake = kNever;  // when to poll again, if there is nothing to do
  };

  // What we knew when a question was sent. An answer below it comes from a rewound store; an
  // answer below what we know by now may just have been slow.
  struct Asked {
    std::int64_t epoch = 0;
    std::int64_t high_water = -1;
    std::uint64_t count = 0;
    MonotonicTime time{};
  };

  // `handout` must be empty, and live longer.
  ScopeCache(const Scope& scope, Handout& handout, const ScopeCachePolicy& policy);

  // Background.
  void remember(const WitnessMark& mark);  // from an earlier life of the process
  Action poll(MonotonicTime now);          // at most one find or draw is under way
  Asked ask(std::uint64_t count, MonotonicTime now) const;
  void found(const Asked& asked, const Result<ScopeState, Error>& answer, MonotonicTime now);
  // The mark that the witness must see before published(); nothing if there is no range to use.
  std::optional<WitnessMark> drawn(const Asked& asked, const Result<Draw, Error>& answer,
                                   MonotonicTime now);
  void published(const std::optional<Error>& witness_error, MonotonicTime now);

  // Questions that go past the cache, any number at a time: the error, if the answer is not to
  // be used.
  std::optional<Error> found_directly(const Asked& asked, const Result<ScopeState, Error>& answer,
                                      MonotonicTime now);
  std::optional<Error> drawn_directly(const Asked& asked, const Draw& draw);
  void failed_directly(const Asked& asked, const Error& error);

  // Demand.
  std::uint64_t take(std::uint64_t count, std::vector<Segment>& out);  // up to `count`
  // `count` in a row, or nothing. Pieces that lie below and are too small for it are abandoned,
  // since later calls must not get smaller numbers: fewer than `count` for each.
  std::optional<Segment> take_contiguous(std::uint64_t count);
  void abandon(const std::vector<Segment>& taken);  // numbers that no caller has got after all
  void wait(std::uint64_t count);                   // a caller waits for so many ...
  void wait_no_longer(std::uint64_t count);         // ... and not any more
  void wait_contiguous(std::uint64_t count);        // the same, for so many in a row
  void wait_contiguous_no_longer(std::uint64_t count);

  // Why an empty cache will not be filled by waiting; nothing if it may.
  std::optional<Error> refusal() const;
  // The same for `count` in a row, which may be more than are left.
  std::optional<Error> refusal_contiguous(std::uint64_t count) const;
  // Why nothing at all may be handed out, not even straight from the store.
  std::optional<Error> stopped() const;

  void wake_up() { asleep_ = false; }  // draw before the first call
  void resume(MonotonicTime now);      // after store_rewound: look at the store again
  void close();

  const Scope& scope() const noexcept { return scope_; }
  bool known() const noexcept { return known_; }
  std::uint64_t cached() const noexcept { return handout_.left() + pending_count_; }
  const std::optional<Error>& last_error() const noexcept { return last_error_; }
  // What a store must not fall below; after it did, only a later epoch will do.
  WitnessMark mark() const noexcept { return {std::max(epoch_, epoch_least_), high_water_}; }
  // Once, after the store was found to be rewound: the mark for the witness, so that a restart
  // does not forget it. The rewound store may be drawn beyond all that we have seen by then.
  std::optional<WitnessMark> alarm();
  AllocatorStatus status(MonotonicTime now);

 private:
  struct Range {
    Segment segment;
    std::int64_t epoch = 0;
    MonotonicTime drawn_at{};
  };
  struct Settling {
    std::int64_t high_water = 0;
    MonotonicTime since{};
  };
  enum class End : std::uint8_t { none, exhausted, poisoned, closed };

  // Cached numbers that follow each other: those of the hand-out, or of pending_ from `from`.
  struct Run {
    bool with_current = false;
    std::size_t from = 0;
  };

  std::uint64_t remaining() const;
  std::optional<Run> run_of(std::uint64_t count) const;
  RefillState refill_state() const;
  std::uint64_t taken() const { return handout_.taken() + carved_; }
  void sample(MonotonicTime now);
  void expire(MonotonicTime now);
  void arm_mark();
  bool advance();
  void drop_all();
  void learn(std::int64_t epoch, std::int64_t high_water);
  void see(std::int64_t high_water, MonotonicTime now);
  std::int64_t highest() const noexcept { return std::max(high_water_, seen_); }
  void fail(const Error& error, MonotonicTime now);
  void succeed();
  void end(End how, Error error);
  void poison(std::int64_t epoch, Error error);
  std::optional<Error> rewound(const Asked& asked, std::int64_t epoch,
                               std::int64_t stands_at) const;
  std::optional<Error> fault_of_range(const Asked& asked, const Draw& draw) const;
  AllocatorHealth health() const;
  double runway_s() const;

  Scope scope_;
  Handout& handout_;
  ScopeCachePolicy policy_;

  Range current_;  // in handout_
  std::deque<Range> pending_;
  std::uint64_t pending_count_ = 0;  // numbers in them
  std::optional<Range> unpublished_;

  bool known_ = false;    // the store has told us about the scope
  bool recount_ = false;  // fewer are left than we thought
  bool under_way_ = false;
  bool asleep_ = true;  // nobody asks; do not draw in advance
  std::int64_t epoch_ = 0;
  std::int64_t epoch_least_ = 0;
  std::int64_t high_water_;  // of ranges that we drew, or that stood there for a while
  std::int64_t seen_ = 0;    // of the last look at the store
  std::optional<Settling> settling_;
  bool alarmed_ = false;
  MonotonicTime refresh_at_ = kNever;

  End end_ = End::none;
  std::optional<Error> last_error_;
  Backoff backoff_;
  std::uint64_t recounts_ = 0;  // in a row
  MonotonicTime retry_at_ = MonotonicTime::min();

  RateMeter meter_;
  FetchTimes fetch_times_;
  std::uint64_t last_draw_ = 0;
  std::uint64_t sampled_ = 0;  // of taken()
  MonotonicTime idle_wait_{};
  std::uint64_t waiting_ = 0;
  std::multiset<std::uint64_t> waiting_contiguous_;  // those of waiting_ that want theirs in a row

  std::uint64_t draws_ = 0;
  std::uint64_t drawn_ = 0;
  std::uint64_t carved_ = 0;    // handed out of pending_, past the hand-out
  std::uint64_t direct_ = 0;    // handed out past the cache
  std::uint64_t given_up_ = 0;  // taken from the hand-out, but not by a caller
  std::uint64_t abandoned_ = 0;
  std::uint64_t unknown_ = 0;
};

}  // namespace tessera
