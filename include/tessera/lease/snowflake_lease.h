#pragma once

// SnowflakeLease: makes Snowflakes as long as a lease allows it, and says what to ask the store
// for.
//
//    poll(now) -> claim | raise | nothing, until when        the caller asks the store, and brings
//    claimed(), raised()                                     the answer; LeasedSnowflakes is one
//    take(now, count)                                        IDs, from any thread, without a lock
//
// The time of an ID is that of the store: the last answer, carried on by the caller's monotonic
// clock. No wall clock is read. It never lies outside of what the lease reserved, so that no clock,
// pause or lost answer makes two equal IDs; and IDs of one object strictly increase, also from one
// lease to the next.
//
// When more IDs are wanted than a unit of time has, those of the next units are used, up to
// `lead_max` ahead of the time; then take() answers too_far_ahead, and the caller waits. So too
// when the time of the store steps back. Nothing wraps.
//
// A lease that could not be raised is not used any more when `ttl` less `margin` has passed since
// the last raise was SENT, by a clock that goes on while the machine sleeps. The store lets it live
// at least until then, so that two holders are not only disjoint, but never at work at once.
//
// `now` is that of one clock, in all calls. take() is thread-safe; the others are not, among
// themselves. A forked child has its parent's number but not the right to it: `forked`.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/lease/store.h"
#include "tessera/result.h"
#include "tessera/snowflake.h"

namespace tessera {

// Why there is no ID now.
enum class LeaseRefusal : std::uint8_t {
  no_lease,           // none yet, or it has ended; it is being asked for
  too_far_ahead,      // more IDs than the time allows, or it has stepped back; wait
  time_out_of_range,  // the time is before the epoch of the layout
  exhausted,          // the time field has ended; never again
  forked,             // this process is a copy
};
std::string_view name_of(LeaseRefusal refusal) noexcept;  // "no_lease"

struct SnowflakeLeaseOptions {
  std::string scope = {};  // empty: the name of the layout
  std::string holder = {};
  std::uint32_t machine_min = 0;
  std::optional<std::uint32_t> machine_max = {};  // nothing: as many as the layout has room for
  LeaseTerms terms{};
  std::chrono::milliseconds lead_max{1000};
  // Of ttl: for clocks that do not run alike. Nothing: a tenth.
  std::optional<std::chrono::milliseconds> margin = {};
  std::chrono::milliseconds timeout{5000};  // of one question to the store
  std::uint64_t jitter_seed = 0;            // should differ between processes
};

struct SnowflakeLeaseStatus {
  bool held = false;  // IDs can be made now
  std::uint32_t machine = 0;
  std::int64_t token = 0;
  std::uint64_t ts_limit_ms = 0;
  std::chrono::milliseconds left{0};  // until it ends, if it is not raised
  std::uint64_t claims = 0;           // that were granted
  std::uint64_t raises = 0;           // that were granted
  std::uint64_t losses = 0;           // leases that the store says are not ours any more
  std::uint64_t failures = 0;         // questions without a good answer
  std::uint64_t time_ms_max = 0;      // the last millisecond that the layout can say
  std::optional<Error> error = {};    // of the last question, if it was not granted
};

class SnowflakeLease {
 public:
  using Time = std::chrono::nanoseconds;

  // What is wrong with them; nothing, if nothing is. Others may not be used to make one.
  static std::optional<Error> fault_of(const SnowflakeLayout& layout,
                                       const SnowflakeLeaseOptions& options);

  SnowflakeLease(const SnowflakeLayout& layout, SnowflakeLeaseOptions options);
  ~SnowflakeLease();
  SnowflakeLease(const SnowflakeLease&) = delete;
  SnowflakeLease& operator=(const SnowflakeLease&) = delete;

  struct Action {
    enum class Kind : std::uint8_t { nothing, claim, raise };
    Kind kind = Kind::nothing;
    Time wake{};  // when to poll again, if there is nothing to do
  };
  // What to ask the store for. One question at a time; `sent` must be read before it is sent.
  Action poll(Time now) const noexcept;
  ClaimRequest claim_request() const;
  RaiseRequest raise_request() const;
  void claimed(Time sent, const Result<Lease, Error>& answer, Time now);
  void raised(Time sent, const Result<Reservation, Error>& answer, Time now);

  // IDs of one machine, with ticks that follow each other.
  struct Taken {
    std::uint64_t tick = 0;  // | time | sequence |
    std::uint64_t count = 0;
    std::uint32_t machine = 0;
  };
  // As many as the time allows, at least one and at most `count`.
  Result<Taken, LeaseRefusal> take(Time now, std::uint64_t count) noexcept;
  Snowflake id_of(const Taken& taken, std::uint64_t offset) const noexcept;
  Result<Snowflake, LeaseRefusal> next(Time now) noexcept;

  // No ID is made any more. The lease to release, if there is one; take() may be under way in other
  // threads, and finds it closed.
  std::optional<ReleaseRequest> close() noexcept;

  SnowflakeLeaseStatus status(Time now) const;
  const SnowflakeLayout& layout() const noexcept { return layout_; }
  const SnowflakeLeaseOptions& options() const noexcept { return options_; }

 private:
  struct Grant;

  Grant* held() const noexcept { return grant_.load(std::memory_order_acquire); }
  void drop() noexcept;
  void failed(const Error& error, Time now);
  void grant_time(Grant& grant, Time sent, const Reservation& reservation, Time now) noexcept;
  std::uint64_t tick_end(std::uint64_t ts_limit_ms) const noexcept;
  std::uint64_t tick_start(std::uint64_t floor_ms) const noexcept;
  Time jittered(Time span) noexcept;

  const SnowflakeLayout layout_;
  SnowflakeLeaseOptions options_;
  std::string layout_text_;
  const std::uint32_t fork_generation_;

  std::atomic<Grant*> grant_{nullptr};
  std::vector<std::unique_ptr<Grant>> grants_;  // all; a take() under way may hold an old one
  std::uint64_t last_time_ = 0;                 // of the grants that were dropped
  bool closed_ = false;

  Time due_{};  // the next question
  unsigned failures_in_row_ = 0;
  std::uint64_t jitter_;
  SnowflakeLeaseStatus counts_;  // claims, raises, losses, failures, error
};

}  // namespace tessera
