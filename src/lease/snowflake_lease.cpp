// What a holder does with a lease: makes IDs inside of it, and keeps it alive.

#include "tessera/lease/snowflake_lease.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tessera/lease/rules.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr std::uint64_t kClosed = ~std::uint64_t{0};
constexpr std::int64_t kNsPerMs = 1'000'000;

Error invalid(std::string message, std::string hint) {
  return Error{Error::Code::invalid_request, std::move(message), std::move(hint)};
}

// Nanoseconds of a time after the year 2255 do not fit; an answer that says so is wrong.
bool is_time(std::uint64_t ms) noexcept { return ms <= 9'000'000'000'000; }

}  // namespace

// One lease, as long as it lasts. A raise moves its limits; a new claim makes another.
struct SnowflakeLease::Grant {
  std::uint32_t machine = 0;
  std::int64_t token = 0;
  std::uint64_t start = 0;                   // the first unit of time
  std::atomic<std::uint64_t> last_tick;      // kClosed: it is over
  std::atomic<std::uint64_t> end{0};         // the unit of time after the last one
  std::atomic<std::int64_t> offset_ns{0};    // what makes the time of the store of `now`
  std::atomic<std::int64_t> deadline_ns{0};  // from then on it is not used
  std::uint64_t ts_limit_ms = 0;             // of the last answer
};

std::string_view name_of(LeaseRefusal refusal) noexcept {
  switch (refusal) {
    case LeaseRefusal::no_lease: return "no_lease";
    case LeaseRefusal::too_far_ahead: return "too_far_ahead";
    case LeaseRefusal::time_out_of_range: return "time_out_of_range";
    case LeaseRefusal::exhausted: return "exhausted";
    case LeaseRefusal::forked: break;
  }
  return "forked";
}

std::optional<Error> SnowflakeLease::fault_of(const SnowflakeLayout& layout,
                                              const SnowflakeLeaseOptions& options) {
  if (!layout.valid()) {
    return invalid("no layout: " + snowflake_layout_text(layout),
                   "It has a bit of time and of sequence at least, and 63 bits at most.");
  }
  if (std::max(options.machine_min, options.machine_max.value_or(0)) > layout.machine_max()) {
    return invalid(
        "the layout has machine numbers up to " + std::to_string(layout.machine_max()) + ", not " +
            std::to_string(std::max(options.machine_min, options.machine_max.value_or(0))),
        "Ask for those that it has room for.");
  }
  if (options.lead_max < milliseconds(0)) {
    return invalid("the lead is " + std::to_string(options.lead_max.count()) + " ms",
                   "Let it be 0 or more.");
  }
  if (options.margin &&
      (*options.margin < milliseconds(0) || *options.margin >= options.terms.ttl)) {
    return invalid("the margin is " + std::to_string(options.margin->count()) + " ms",
                   "Let it be less than the time to live.");
  }
  const SnowflakeLease tried(layout, options);
  return tessera::fault_of(tried.claim_request());
}

SnowflakeLease::SnowflakeLease(const SnowflakeLayout& layout, SnowflakeLeaseOptions options)
    : layout_(layout),
      options_(std::move(options)),
      layout_text_(snowflake_layout_text(layout)),
      fork_generation_(fork_generation()),
      jitter_(options_.jitter_seed | 1) {
  if (options_.scope.empty()) options_.scope = layout.name;
  if (!options_.machine_max) {
    options_.machine_max = static_cast<std::uint32_t>(layout.machine_max());
  }
  if (!options_.margin) options_.margin = options_.terms.ttl / 10;
  counts_.time_ms_max = layout.time_ms_max();
}

SnowflakeLease::~SnowflakeLease() = default;

SnowflakeLease::Action SnowflakeLease::poll(Time now) const noexcept {
  if (closed_) return {Action::Kind::nothing, Time::max()};
  if (now < due_) return {Action::Kind::nothing, due_};
  return {held() == nullptr ? Action::Kind::claim : Action::Kind::raise, now};
}

ClaimRequest SnowflakeLease::claim_request() const {
  return {options_.scope,  layout_text_,   options_.machine_min, *options_.machine_max,
          options_.holder, options_.terms, options_.timeout};
}

RaiseRequest SnowflakeLease::raise_request() const {
  const Grant* grant = held();
  return {options_.scope, grant->machine, grant->token, options_.terms, options_.timeout};
}

void SnowflakeLease::claimed(Time sent, const Result<Lease, Error>& answer, Time now) {
  if (!answer) return failed(answer.error(), now);
  if (closed_) return;  // nobody's, until it ends by itself
  const Lease& lease = *answer;
  if (lease.machine < options_.machine_min || lease.machine > *options_.machine_max ||
      lease.reservation.ts_limit_ms < lease.floor_ms || !is_time(lease.reservation.now_ms)) {
    return failed(Error{Error::Code::store_failed, "the store leases what was not asked for", ""},
                  now);
  }
  auto grant = std::make_unique<Grant>();
  grant->machine = lease.machine;
  grant->token = lease.token;
  // Not before the limit of the holder before; and after all IDs of ours, with whatever number.
  grant->start = std::max(tick_start(lease.floor_ms), last_time_ + 1);
  grant->last_tick = (grant->start << layout_.sequence_bits) - 1;
  grant_time(*grant, sent, lease.reservation, now);
  ++counts_.claims;
  counts_.error.reset();
  grant_.store(grant.get(), std::memory_order_release);
  grants_.push_back(std::move(grant));
}

void SnowflakeLease::raised(Time sent, const Result<Reservation, Error>& answer, Time now) {
  Grant* grant = held();
  if (grant == nullptr) return;
  if (!answer) {
    const Error& error = answer.error();
    if (error.code == Error::Code::lease_lost) {
      ++counts_.losses;
      drop();
      failures_in_row_ = 0;
      counts_.error = error;
      due_ = now;
      return;
    }
    return failed(error, now);
  }
  if (answer->ts_limit_ms < grant->ts_limit_ms) {
    ++counts_.losses;
    drop();
    return failed(Error{Error::Code::store_rewound,
                        "the store knows less ID time than it has reserved for us",
                        "It was set back to an old backup; the number is claimed anew."},
                  now);
  }
  if (!is_time(answer->now_ms)) {
    return failed(Error{Error::Code::store_failed, "the clock of the store is wrong", ""}, now);
  }
  grant_time(*grant, sent, *answer, now);
  ++counts_.raises;
  counts_.error.reset();
}

// What an answer gives. Its time is that of a moment after `sent` and before `now`: counted from
// `now` ours is behind that of the store, never ahead of it.
void SnowflakeLease::grant_time(Grant& grant, Time sent, const Reservation& reservation,
                                Time now) noexcept {
  grant.ts_limit_ms = reservation.ts_limit_ms;
  grant.offset_ns.store(static_cast<std::int64_t>(reservation.now_ms) * kNsPerMs - now.count(),
                        std::memory_order_relaxed);
  grant.end.store(tick_end(reservation.ts_limit_ms), std::memory_order_relaxed);
  grant.deadline_ns.store((sent + reservation.ttl - *options_.margin).count(),
                          std::memory_order_release);
  failures_in_row_ = 0;
  // Time for two more attempts before either of the two ends.
  constexpr Time kOften = milliseconds(10);
  due_ = sent +
         std::max(kOften, jittered(std::min<Time>(reservation.ttl, options_.terms.reserve) / 3));
}

void SnowflakeLease::failed(const Error& error, Time now) {
  constexpr Time kFirst = milliseconds(100);
  constexpr Time kLast = milliseconds(2000);
  constexpr unsigned kDoublings = 5;
  ++counts_.failures;
  counts_.error = error;
  due_ = now + jittered(std::min(kLast, kFirst * (1 << std::min(failures_in_row_, kDoublings))));
  ++failures_in_row_;
}

// Half of it to all of it: those that began together come apart.
SnowflakeLease::Time SnowflakeLease::jittered(Time span) noexcept {
  jitter_ ^= jitter_ << 13;
  jitter_ ^= jitter_ >> 7;
  jitter_ ^= jitter_ << 17;
  const auto half = std::max<std::int64_t>(span.count() / 2, 1);
  return span - Time(static_cast<std::int64_t>(jitter_ % static_cast<std::uint64_t>(half)));
}

void SnowflakeLease::drop() noexcept {
  Grant* grant = grant_.exchange(nullptr, std::memory_order_acq_rel);
  if (grant == nullptr) return;
  const std::uint64_t last = grant->last_tick.exchange(kClosed);
  last_time_ = std::max(last_time_, last >> layout_.sequence_bits);
}

std::optional<ReleaseRequest> SnowflakeLease::close() noexcept {
  const Grant* grant = held();
  drop();
  closed_ = true;
  if (grant == nullptr) return std::nullopt;
  return ReleaseRequest{options_.scope, grant->machine, grant->token, options_.timeout};
}

// A unit of time belongs to a lease if all of it does.
std::uint64_t SnowflakeLease::tick_end(std::uint64_t ts_limit_ms) const noexcept {
  if (ts_limit_ms <= layout_.epoch_ms) return 0;
  return std::min((ts_limit_ms - layout_.epoch_ms) / layout_.unit_ms, layout_.time_max() + 1);
}
std::uint64_t SnowflakeLease::tick_start(std::uint64_t floor_ms) const noexcept {
  if (floor_ms <= layout_.epoch_ms) return 0;
  return std::min((floor_ms - layout_.epoch_ms + layout_.unit_ms - 1) / layout_.unit_ms,
                  layout_.time_max() + 1);
}

Result<SnowflakeLease::Taken, LeaseRefusal> SnowflakeLease::take(Time now,
                                                                 std::uint64_t count) noexcept {
  if (fork_generation() != fork_generation_) return Failure{LeaseRefusal::forked};
  Grant* grant = held();
  if (grant == nullptr || now.count() >= grant->deadline_ns.load(std::memory_order_acquire)) {
    return Failure{LeaseRefusal::no_lease};
  }
  const std::int64_t store_ns = now.count() + grant->offset_ns.load(std::memory_order_relaxed);
  const auto store_ms = static_cast<std::uint64_t>(std::max<std::int64_t>(store_ns, 0) / kNsPerMs);
  if (store_ms < layout_.epoch_ms) return Failure{LeaseRefusal::time_out_of_range};
  if (store_ms > layout_.time_ms_max()) return Failure{LeaseRefusal::exhausted};
  const std::uint64_t time = (store_ms - layout_.epoch_ms) / layout_.unit_ms;
  const auto lead = static_cast<std::uint64_t>(options_.lead_max.count()) / layout_.unit_ms;
  const std::uint64_t end = grant->end.load(std::memory_order_relaxed);
  const std::uint64_t time_end = std::min(end, time + lead + 1);

  std::uint64_t last = grant->last_tick.load(std::memory_order_relaxed);
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  do {
    if (last == kClosed) return Failure{LeaseRefusal::no_lease};
    first = std::max(last + 1, time << layout_.sequence_bits);
    const std::uint64_t tick_end = time_end << layout_.sequence_bits;
    if (first >= tick_end) {
      return Failure{first >> layout_.sequence_bits > layout_.time_max()
                         ? LeaseRefusal::exhausted
                         : LeaseRefusal::too_far_ahead};
    }
    size = std::min(count, tick_end - first);
  } while (
      !grant->last_tick.compare_exchange_weak(last, first + size - 1, std::memory_order_relaxed));
  return Taken{first, size, grant->machine};
}

Snowflake SnowflakeLease::id_of(const Taken& taken, std::uint64_t offset) const noexcept {
  const std::uint64_t tick = taken.tick + offset;
  return Snowflake::from_parts(layout_, tick >> layout_.sequence_bits, taken.machine,
                               tick & layout_.sequence_max());
}

Result<Snowflake, LeaseRefusal> SnowflakeLease::next(Time now) noexcept {
  const auto taken = take(now, 1);
  if (!taken) return Failure{taken.error()};
  return id_of(*taken, 0);
}

SnowflakeLeaseStatus SnowflakeLease::status(Time now) const {
  SnowflakeLeaseStatus status = counts_;
  const Grant* grant = held();
  if (grant == nullptr) return status;
  const Time left = Time(grant->deadline_ns.load(std::memory_order_acquire)) - now;
  status.held = left > Time::zero();
  status.machine = grant->machine;
  status.token = grant->token;
  status.ts_limit_ms = grant->ts_limit_ms;
  status.left = std::max(duration_cast<milliseconds>(left), milliseconds(0));
  return status;
}

}  // namespace tessera
