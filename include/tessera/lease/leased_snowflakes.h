#pragma once

// LeasedSnowflakes: Snowflakes from a machine number that a store has leased to us.
//
//   LeasedSnowflakes ids(snowflake_layouts::kTwitter, store, clock, {.scope = "ORDER"});
//   const auto id = ids.next();
//
// Unique: no two IDs of one scope are equal, in whatever process, after whatever crash, pause or
// step of a clock, if the store keeps what it confirms. In order: if a call returned before another
// began, on the same object, its ID is smaller. See SnowflakeLease for how.
//
// A thread of its own claims the number, and raises the lease three times before it ends. If the
// store is away, IDs go on until the lease ends, and calls then wait as long as each says.
//
// Thread-safe. Store and clock must outlive it; the clock must go on while the machine sleeps
// (SystemBootClock). A child made by fork() gets `closed`, and must make its own.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "tessera/error.h"
#include "tessera/lease/snowflake_lease.h"
#include "tessera/lease/store.h"
#include "tessera/result.h"
#include "tessera/snowflake.h"
#include "tessera/source.h"

namespace tessera {

class LeasedSnowflakes {
 public:
  static constexpr std::chrono::milliseconds kWait{1000};
  // own: keeps itself alive. caller: run() must be called when it says, as in tests.
  enum class Thread : std::uint8_t { own, caller };

  // Options with a fault (SnowflakeLease::fault_of) make one that answers every call with it.
  LeasedSnowflakes(const SnowflakeLayout& layout, LeaseStore& store, MonotonicClock& clock,
                   SnowflakeLeaseOptions options = {}, Thread thread = Thread::own);
  // Releases the lease, if the store can be reached.
  ~LeasedSnowflakes();
  LeasedSnowflakes(const LeasedSnowflakes&) = delete;
  LeasedSnowflakes& operator=(const LeasedSnowflakes&) = delete;

  // The next ID. Errors: overloaded (more than the layout has for this time), exhausted (the time
  // field has ended), closed; and while there is no lease, what the store has said: none_free,
  // store_unavailable and the like; timed_out, if it has not answered yet.
  Result<Snowflake, Error> next(std::chrono::milliseconds wait = kWait);

  // Fills all of `out`, in order. On failure some of it may have been written; none of that may be
  // used.
  Result<std::size_t, Error> next(std::span<Snowflake> out, std::chrono::milliseconds wait = kWait);

  // Does what is due, and says when it wants to be called again.
  std::chrono::nanoseconds run();

  // Makes no ID any more, wakes who waits, and releases the lease.
  void close();

  SnowflakeLeaseStatus status() const;
  const SnowflakeLayout& layout() const noexcept { return lease_.layout(); }
  const SnowflakeLeaseOptions& options() const noexcept { return lease_.options(); }

 private:
  void work();
  Error error_of(LeaseRefusal refusal) const;

  LeaseStore& store_;
  MonotonicClock& clock_;
  const std::uint32_t fork_generation_;
  const std::optional<Error> fault_;
  SnowflakeLease lease_;

  // Apart, since a forked child must leave it as it is: to destroy what another thread waits for
  // is to wait for that thread, which is not there.
  struct Sync {
    std::mutex asking;  // one question at a time; taken before the other
    std::mutex mutex;   // of the lease, but for take()
    std::condition_variable changed;
    std::thread thread;
  };
  std::unique_ptr<Sync> sync_ = std::make_unique<Sync>();
  bool closed_ = false;
};

}  // namespace tessera
