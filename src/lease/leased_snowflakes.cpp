// A lease with a thread that keeps it.

#include "tessera/lease/leased_snowflakes.h"

#include <algorithm>
#include <utility>

#include "tessera/system.h"

namespace tessera {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

LeasedSnowflakes::LeasedSnowflakes(const SnowflakeLayout& layout, LeaseStore& store,
                                   MonotonicClock& clock, SnowflakeLeaseOptions options,
                                   Thread thread)
    : store_(store),
      clock_(clock),
      fork_generation_(fork_generation()),
      fault_(SnowflakeLease::fault_of(layout, options)),
      lease_(layout, std::move(options)) {
  if (thread == Thread::own && !fault_) sync_->thread = std::thread([this] { work(); });
}

LeasedSnowflakes::~LeasedSnowflakes() {
  if (fork_generation() != fork_generation_) {
    static_cast<void>(sync_.release());  // the parent's
    return;
  }
  close();
}

void LeasedSnowflakes::work() {
  for (;;) {
    const nanoseconds wake = run();
    std::unique_lock lock(sync_->mutex);
    if (closed_) return;
    const nanoseconds now = clock_.now();
    // No longer than this: a machine that wakes up is behind, and the lock sleeps with it.
    constexpr nanoseconds kNap = milliseconds(500);
    if (wake > now) sync_->changed.wait_for(lock, std::min(wake - now, kNap));
  }
}

nanoseconds LeasedSnowflakes::run() {
  const std::scoped_lock one(sync_->asking);
  std::unique_lock lock(sync_->mutex);
  if (fault_ || closed_) return nanoseconds::max();
  const auto action = lease_.poll(clock_.now());
  if (action.kind == SnowflakeLease::Action::Kind::nothing) return action.wake;
  if (action.kind == SnowflakeLease::Action::Kind::claim) {
    const ClaimRequest request = lease_.claim_request();
    const nanoseconds sent = clock_.now();
    lock.unlock();
    const auto answer = store_.claim(request);
    lock.lock();
    if (closed_ && answer) {  // it was closed meanwhile, and could not release what it had not
      lock.unlock();
      static_cast<void>(
          store_.release({request.scope, answer->machine, answer->token, request.timeout}));
      return nanoseconds::max();
    }
    lease_.claimed(sent, answer, clock_.now());
  } else {
    const RaiseRequest request = lease_.raise_request();
    const nanoseconds sent = clock_.now();
    lock.unlock();
    const auto answer = store_.raise(request);
    lock.lock();
    lease_.raised(sent, answer, clock_.now());
  }
  sync_->changed.notify_all();
  return lease_.poll(clock_.now()).wake;
}

void LeasedSnowflakes::close() {
  {
    const std::scoped_lock lock(sync_->mutex);
    if (std::exchange(closed_, true)) return;
  }
  sync_->changed.notify_all();
  if (sync_->thread.joinable()) sync_->thread.join();
  const std::scoped_lock one(sync_->asking);  // what is under way elsewhere ends first
  std::unique_lock lock(sync_->mutex);
  const auto release = lease_.close();
  lock.unlock();
  if (release && !fault_) static_cast<void>(store_.release(*release));
}

Result<Snowflake, Error> LeasedSnowflakes::next(milliseconds wait) {
  if (!fault_) {
    if (const auto id = lease_.next(clock_.now())) return *id;
  }
  Snowflake id;
  const auto made = next(std::span(&id, 1), wait);
  if (!made) return Failure{made.error()};
  return id;
}

Result<std::size_t, Error> LeasedSnowflakes::next(std::span<Snowflake> out, milliseconds wait) {
  if (fault_) return Failure{*fault_};
  const nanoseconds deadline = clock_.now() + wait;
  std::size_t done = 0;
  while (done < out.size()) {
    const nanoseconds now = clock_.now();
    const auto taken = lease_.take(now, out.size() - done);
    if (taken) {
      for (std::uint64_t i = 0; i < taken->count; ++i) out[done + i] = lease_.id_of(*taken, i);
      done += taken->count;
      continue;
    }
    const LeaseRefusal refusal = taken.error();
    const bool passes = refusal == LeaseRefusal::no_lease || refusal == LeaseRefusal::too_far_ahead;
    if (!passes || now >= deadline) return Failure{error_of(refusal)};
    std::unique_lock lock(sync_->mutex);
    if (closed_) return Failure{Error{Error::Code::closed, "it is shutting down", ""}};
    // Time passes by itself, and nobody says so; a lease is told.
    constexpr nanoseconds kBreath = milliseconds(1);
    constexpr nanoseconds kNap = milliseconds(50);
    sync_->changed.wait_for(
        lock, std::min(refusal == LeaseRefusal::no_lease ? kNap : kBreath, deadline - now));
  }
  return done;
}

Error LeasedSnowflakes::error_of(LeaseRefusal refusal) const {
  switch (refusal) {
    case LeaseRefusal::too_far_ahead:
      return {Error::Code::overloaded, "more IDs are wanted than the layout has for this time",
              "Ask later, ask for fewer, or use a layout with a longer sequence."};
    case LeaseRefusal::time_out_of_range:
      return {Error::Code::store_failed, "the clock of the store is before the epoch of the layout",
              "Set its clock."};
    case LeaseRefusal::exhausted:
      return {Error::Code::exhausted, "the layout has no more time: its time field has ended",
              "Begin another scope, with a later epoch."};
    case LeaseRefusal::forked:
      return {Error::Code::closed, "a forked process holds no machine number of its own",
              "Make another object in the child."};
    case LeaseRefusal::no_lease: break;
  }
  const std::scoped_lock lock(sync_->mutex);
  if (closed_) return {Error::Code::closed, "it is shutting down", ""};
  const auto status = lease_.status(clock_.now());
  if (status.error && status.error->code != Error::Code::lease_lost) return *status.error;
  return {Error::Code::timed_out, "no machine number was leased in time", "Ask again."};
}

SnowflakeLeaseStatus LeasedSnowflakes::status() const {
  const std::scoped_lock lock(sync_->mutex);
  SnowflakeLeaseStatus status = lease_.status(clock_.now());
  if (fault_) status.error = fault_;
  return status;
}

}  // namespace tessera
