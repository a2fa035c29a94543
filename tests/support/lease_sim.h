#pragma once

// A world in virtual time: processes that make Snowflakes by leases, a store with the real rules, a
// network between them, and everything that goes wrong. One seed is one history, the same in every
// run.
//
//    process --claim, raise--> network --> store     lost, slow, twice, lost on the way back, down
//       |                                            crash, pause, clean end; clocks that run
//       apart,
//    Oracle <-- every ID                             clocks that step an hour, both ways
//
// In a third of the histories the clock of the store steps. In another third it has none: each
// question is judged by the clock of who asks, which steps. In the others the clock of the store is
// right, and there the oracle also wants that nobody uses a number that the store has taken from
// him, and that a world at peace leases every number that somebody wants.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "support/dice.h"
#include "support/fakes.h"
#include "tessera/lease/memory_store.h"
#include "tessera/lease/snowflake_lease.h"

namespace tessera::lease_sim {

using std::chrono::milliseconds;
using Time = std::chrono::nanoseconds;

// Faults in the simulated parts that the oracle must find.
enum class Bug : std::uint8_t {
  none,
  ignore_limit,      // a holder goes by its clock alone, not by what was reserved
  ignore_token,      // the store raises a lease for whoever asks
  count_from_reply,  // a holder counts its lease from the answer, not from the question
  forget_limit,      // the store hands a number on without the limit of the last holder
};

struct Report {
  std::string violation;  // empty: none
  std::uint64_t trace = 0;
  std::uint64_t events = 0;
  std::uint64_t issued = 0;
  std::uint64_t claims = 0;
  std::uint64_t losses = 0;
  std::uint64_t waits = 0;  // no ID, since the time did not allow it
};

// Knows what happened; shares no code with the rules.
class Oracle {
 public:
  void issued(std::size_t life, Snowflake id) {
    if (last_.size() <= life) last_.resize(life + 1, 0);
    if (id.value <= last_[life] && last_[life] != 0) complain("out of order", id.value);
    last_[life] = id.value;
    issued_.push_back(id.value);
  }

  void no_id_twice() {
    std::ranges::sort(issued_);
    const auto twice = std::ranges::adjacent_find(issued_);
    if (twice != issued_.end()) complain("made twice", *twice);
  }

  void complain(const std::string& what, std::uint64_t id = 0) {
    if (violation_.empty()) violation_ = what + ": " + std::to_string(id);
  }
  const std::string& violation() const { return violation_; }
  std::uint64_t count() const { return issued_.size(); }

 private:
  std::vector<std::uint64_t> last_;  // of each life
  std::vector<std::uint64_t> issued_;
  std::string violation_;
};

class World {
 public:
  World(std::uint64_t seed, Bug bug) : dice_(seed), bug_(bug) {
    layout_.name = "sim";
    layout_.epoch_ms = kStartMs - 10'000'000;
    constexpr std::array<std::uint32_t, 4> kUnits = {1, 10, 100, 1000};  // the longer, the closer
    layout_.unit_ms = kUnits[dice_.below(kUnits.size())];
    layout_.machine_bits = dice_.chance(50) ? 0 : static_cast<unsigned>(dice_.below(3));
    layout_.sequence_bits = static_cast<unsigned>(dice_.between(1, 4));
    layout_.machine_last = dice_.chance(30);
    layout_text_ = snowflake_layout_text(layout_);
    terms_.ttl = milliseconds(dice_.between(1'000, 6'000));
    terms_.reserve = milliseconds(dice_.between(200, 6'000));
    terms_.quarantine = milliseconds(dice_.chance(50) ? 0 : dice_.below(2'000));
    lead_max_ = milliseconds(dice_.chance(50) ? dice_.below(20) : dice_.below(2'000));
    const std::uint64_t clocks = dice_.below(3);
    store_steps_ = clocks == 0;
    callers_clock_ = clocks == 1;
    crashes_ = dice_.chance(70);
    pauses_ = dice_.chance(70);
    faults_percent_ = dice_.chance(20) ? 0 : static_cast<unsigned>(dice_.below(50));
    processes_.resize(dice_.between(1, 5));
    for (std::size_t p = 0; p < processes_.size(); ++p) start(p);
  }

  Report run() {
    for (int i = 0; i < 400; ++i) {
      if (queue_.empty() || dice_.chance(45)) {
        outside();
      } else {
        next_event();
      }
    }
    if (bug_ == Bug::none && !store_steps_ && !callers_clock_) make_peace();
    for (const Process& process : processes_) count(process);
    oracle_.no_id_twice();
    report_.violation = oracle_.violation();
    report_.issued = oracle_.count();
    return report_;
  }

 private:
  struct Process {
    std::size_t life = 0;  // counts all starts of all processes
    std::unique_ptr<SnowflakeLease> lease;
    double rate = 1;  // of its clock
    std::int64_t wall_ms = 0;
    Time paused_until{};
    std::uint64_t poll = 0;  // the only poll event that counts
    bool asking = false;
  };

  enum class Kind : std::uint8_t { poll, commit, answer, restart };
  enum class Asked : std::uint8_t { claim, raise, release };

  struct Event {
    Time time{};
    std::uint64_t number = 0;
    Kind kind = Kind::poll;
    std::size_t process = 0;
    std::size_t life = 0;
    std::uint64_t poll = 0;
    Asked asked = Asked::claim;
    Time sent{};  // by true time
    std::uint32_t machine = 0;
    std::int64_t token = 0;
    bool answer_lost = false;
    std::optional<Lease> lease{};
    std::optional<Reservation> reservation{};
    Error::Code error = Error::Code::store_unavailable;

    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };

  // The truth about a number: whose it is, and until when, if the clock of the store is right.
  struct Held {
    std::int64_t token = 0;
    Time end{};
  };

  static Error error_of(Error::Code code) { return Error{code, "simulated", ""}; }

  Time clock_of(const Process& process, Time time) const {
    return Time(static_cast<std::int64_t>(static_cast<double>(time.count()) * process.rate));
  }

  // --- processes

  void start(std::size_t p) {
    Process& process = processes_[p];
    process.life = ++lives_;
    process.rate = 1 + (static_cast<double>(dice_.below(41)) - 20) / 1000;
    process.asking = false;
    process.paused_until = {};
    SnowflakeLeaseOptions options;
    options.scope = "S";
    options.terms = terms_;
    options.lead_max = lead_max_;
    options.timeout = kTimeoutMs;
    options.jitter_seed = dice_.roll();
    process.lease = std::make_unique<SnowflakeLease>(layout_, options);
    poll_at(p, now_);
  }

  void count(const Process& process) {
    if (!process.lease) return;
    const auto status = process.lease->status(clock_of(process, now_));
    report_.claims += status.claims;
    report_.losses += status.losses;
  }

  void crash(std::size_t p) {
    Process& process = processes_[p];
    count(process);
    process.lease.reset();
    process.life = ++lives_;  // answers to the old life find nobody
    send({.kind = Kind::restart, .process = p}, dice_.time(std::chrono::seconds(10)));
  }

  void end_well(std::size_t p) {
    Process& process = processes_[p];
    if (const auto release = process.lease->close()) {
      Event event{.kind = Kind::commit, .process = p, .asked = Asked::release};
      event.machine = release->machine;
      event.token = release->token;
      if (!dice_.chance(faults_percent_)) send(event, dice_.time(milliseconds(50)));
    }
    crash(p);
  }

  void poll_at(std::size_t p, Time time) {
    Event event{.kind = Kind::poll, .process = p};
    event.poll = ++processes_[p].poll;
    send(event, std::max(time - now_, Time::zero()));
  }

  void poll(std::size_t p) {
    Process& process = processes_[p];
    if (!process.lease || process.asking) return;
    if (process.paused_until > now_) return poll_at(p, process.paused_until);
    const auto action = process.lease->poll(clock_of(process, now_));
    if (action.kind == SnowflakeLease::Action::Kind::nothing) {
      const auto due = static_cast<double>(action.wake.count()) / process.rate;
      return poll_at(p, std::max(Time(static_cast<std::int64_t>(due)), now_ + milliseconds(1)));
    }
    process.asking = true;
    Event event{.kind = Kind::commit, .process = p, .life = process.life, .sent = now_};
    if (action.kind == SnowflakeLease::Action::Kind::raise) {
      const RaiseRequest request = process.lease->raise_request();
      event.asked = Asked::raise;
      event.machine = request.machine;
      event.token = request.token;
    }
    ask(event);
  }

  void mint(std::size_t p) {
    Process& process = processes_[p];
    if (!process.lease || process.paused_until > now_) return;
    const std::uint64_t wanted = dice_.some(60);
    for (std::uint64_t i = 0; i < wanted; ++i) {
      const auto id = process.lease->next(clock_of(process, now_));
      if (!id) {
        report_.waits += id.error() == LeaseRefusal::too_far_ahead ? 1U : 0U;
        break;
      }
      oracle_.issued(process.life, *id);
      if (i == 0 && !store_steps_ && !callers_clock_) is_held(process, *id);
    }
  }

  void is_held(const Process& process, Snowflake id) {
    const auto status = process.lease->status(clock_of(process, now_));
    const Held& held = held_[status.machine];
    if (held.token != status.token) oracle_.complain("by one who was replaced", id.value);
    if (now_ >= held.end) oracle_.complain("after the lease had ended", id.value);
  }

  // --- the network and the store

  void send(Event event, Time delay) {
    event.time = now_ + delay;
    event.number = ++event_count_;
    queue_.push(event);
  }

  void ask(Event event) {
    if (!at_peace_ && dice_.chance(faults_percent_)) {
      if (dice_.chance(40)) {  // lost on the way: the caller cannot know
        event.error = Error::Code::outcome_unknown;
        event.kind = Kind::answer;
        return send(event, kTimeout);
      }
      if (dice_.chance(30)) {  // comes twice, the second time much later
        Event again = event;
        again.life = 0;
        send(again, dice_.time(std::chrono::seconds(10)));
      }
      event.answer_lost = dice_.chance(50);
    }
    const bool slow = !at_peace_ && dice_.chance(faults_percent_ / 2);
    send(event, dice_.time(slow ? 2 * kTimeout : milliseconds(20)));
  }

  // The moment in which the store does what it was asked for.
  void commit(Event event) {
    event.kind = Kind::answer;
    event.error = Error::Code::store_unavailable;
    if (!down_) apply(event);
    const Time waited = now_ - event.sent;
    const bool slow = !at_peace_ && dice_.chance(faults_percent_ / 2);
    Time delay = dice_.time(slow ? kTimeout : milliseconds(20));
    if (event.answer_lost || waited + delay > kTimeout) {
      event.lease.reset();
      event.reservation.reset();
      event.error = Error::Code::outcome_unknown;
      delay = std::max(kTimeout - waited, Time::zero());
    }
    if (event.life != 0) send(event, delay);
  }

  void apply(Event& event) {
    std::int64_t steps = callers_clock_ ? processes_[event.process].wall_ms : store_ms_;
    // For a moment only, so that the next answer is of another time.
    const unsigned moments = event.asked == Asked::claim ? 40 : 10;
    if ((store_steps_ || callers_clock_) && dice_.chance(moments)) steps = step();
    clock_.time_ms =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(kStartMs) +
                                   std::chrono::duration_cast<milliseconds>(now_).count() + steps);
    const auto failed = [&](const Error& error) { event.error = error.code; };
    if (event.asked == Asked::claim) {
      const auto lease =
          store_->claim({"S", layout_text_, 0, static_cast<std::uint32_t>(layout_.machine_max()),
                         "", terms_, kTimeoutMs});
      if (!lease) return failed(lease.error());
      event.lease = *lease;
      held_[lease->machine] = {lease->token, now_ + terms_.ttl};
    } else if (event.asked == Asked::raise) {
      if (bug_ == Bug::ignore_token) event.token = held_[event.machine].token;
      const auto raised = store_->raise({"S", event.machine, event.token, terms_, kTimeoutMs});
      if (!raised) return failed(raised.error());
      event.reservation = *raised;
      held_[event.machine].end = std::max(held_[event.machine].end, now_ + terms_.ttl);
    } else if (store_->release({"S", event.machine, event.token, kTimeoutMs})) {
      held_[event.machine].end = now_;
    }
  }

  void answered(Event event) {
    Process& process = processes_[event.process];
    if (!process.lease || process.life != event.life) return;  // it has crashed meanwhile
    if (process.paused_until > now_) return send(event, process.paused_until - now_);
    process.asking = false;
    const Time now = clock_of(process, now_);
    const Time sent = bug_ == Bug::count_from_reply ? now : clock_of(process, event.sent);
    const auto unlimited = [&](Reservation& reservation) {
      if (bug_ == Bug::ignore_limit) reservation.ts_limit_ms = ~std::uint64_t{0} / 2;
    };
    if (event.asked == Asked::claim) {
      if (event.lease) {
        unlimited(event.lease->reservation);
        if (bug_ == Bug::ignore_limit || bug_ == Bug::forget_limit) event.lease->floor_ms = 0;
        process.lease->claimed(sent, *event.lease, now);
      } else {
        process.lease->claimed(sent, Failure{error_of(event.error)}, now);
      }
    } else {
      if (event.reservation) {
        unlimited(*event.reservation);
        process.lease->raised(sent, *event.reservation, now);
      } else {
        process.lease->raised(sent, Failure{error_of(event.error)}, now);
      }
    }
    poll_at(event.process, now_);
  }

  // --- what happens by itself

  void outside() {
    now_ += dice_.time(milliseconds(300));
    if (!queue_.empty()) now_ = std::min(now_, queue_.top().time);
    const std::size_t p = dice_.below(processes_.size());
    Process& process = processes_[p];
    const std::uint64_t what = dice_.below(100);
    trace(1000 + what);
    if (what < 80) return mint(p);
    if (what < 84) {
      down_ = !down_ && dice_.chance(faults_percent_);
    } else if (what < 87) {
      if (crashes_ && process.lease) dice_.chance(50) ? crash(p) : end_well(p);
    } else if (what < 92) {
      if (pauses_ && process.lease) {
        process.paused_until = now_ + dice_.time(std::chrono::seconds(15));
      }
    } else {
      std::int64_t& clock = callers_clock_ ? process.wall_ms : store_ms_;
      if (store_steps_ || callers_clock_) clock = step();
    }
  }

  std::int64_t step() {
    constexpr std::int64_t kHourMs = 3'600'000;
    constexpr std::array<std::int64_t, 4> kSteps = {0, kHourMs, -kHourMs, 500};
    return kSteps[dice_.below(kSteps.size())];
  }

  void next_event() {
    const Event event = queue_.top();
    queue_.pop();
    now_ = event.time;
    trace(static_cast<std::uint64_t>(event.kind));
    switch (event.kind) {
      case Kind::poll:
        if (event.poll == processes_[event.process].poll) poll(event.process);
        break;
      case Kind::commit: commit(event); break;
      case Kind::answer: answered(event); break;
      case Kind::restart:
        if (!processes_[event.process].lease) start(event.process);
        break;
    }
  }

  void trace(std::uint64_t what) {
    ++report_.events;
    for (const std::uint64_t value :
         {what, static_cast<std::uint64_t>(now_.count()), oracle_.count()}) {
      report_.trace = (report_.trace ^ value) * 0x100'0000'01B3;
    }
  }

  // Nothing fails any more: each number is soon somebody's, if enough want one.
  void make_peace() {
    at_peace_ = true;
    down_ = false;
    const Time end = now_ + std::chrono::seconds(45);
    while (!queue_.empty() && queue_.top().time <= end) next_event();
    now_ = end;
    std::uint64_t served = 0;
    for (Process& process : processes_) {
      if (!process.lease) continue;
      const auto id = process.lease->next(clock_of(process, now_));
      if (!id && id.error() == LeaseRefusal::too_far_ahead) ++served;  // it has one, and must wait
      if (!id) continue;
      oracle_.issued(process.life, *id);
      is_held(process, *id);
      ++served;
    }
    const std::uint64_t wanted =
        std::min<std::uint64_t>(processes_.size(), layout_.machine_max() + 1);
    if (served < wanted) oracle_.complain("a world at peace, but somebody has no number", served);
  }

  static constexpr std::uint64_t kStartMs = 1'800'000'000'000;
  static constexpr milliseconds kTimeoutMs{2000};
  static constexpr Time kTimeout = kTimeoutMs;

  Dice dice_;
  Bug bug_;
  SnowflakeLayout layout_;
  std::string layout_text_;
  LeaseTerms terms_;
  milliseconds lead_max_{0};
  bool store_steps_ = false;
  bool callers_clock_ = false;
  bool crashes_ = false;
  bool pauses_ = false;
  bool at_peace_ = false;
  bool down_ = false;
  unsigned faults_percent_ = 0;
  Time now_ = std::chrono::seconds(1);
  std::int64_t store_ms_ = 0;
  FakeClock clock_{kStartMs};
  std::unique_ptr<LeaseStore> store_ = make_memory_lease_store(clock_);
  std::map<std::uint32_t, Held> held_;
  std::vector<Process> processes_;
  std::size_t lives_ = 0;
  std::uint64_t event_count_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
  Oracle oracle_;
  Report report_;
};

inline Report play(std::uint64_t seed, Bug bug = Bug::none) { return World(seed, bug).run(); }

}  // namespace tessera::lease_sim
