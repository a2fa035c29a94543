#pragma once

// A world in virtual time: processes with the allocator's own rules, a store, a network between
// them, and everything that goes wrong. One seed is one history, the same in every run.
//
//    process --draw--> network --> store      lost, slow, lost on the way back, store down
//       |                                     crash and restart, with and without a witness
//    Oracle <-- every number handed out       rewound to a backup, advanced by the operator
//
// The oracle knows what the store has committed to whom, and nothing of the rules. It complains
// of a number handed out twice, out of order in its process, outside its scope, or before it was
// committed; of numbers that no account explains; and of a world at peace that serves nobody.
//
// Rewinds happen to one process with a witness, or without restarts: two processes cannot know
// what the other has lost.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "segment/scope_cache.h"
#include "support/dice.h"

namespace tessera::sim {

// Faults in the simulated parts that the oracle must find.
enum class Bug : std::uint8_t {
  none,
  hand_out_before_commit,  // the process does not wait for the answer
  reuse_after_unknown,     // it takes a lost answer for a good one
  accept_rewound_store,    // it forgets what it knew, and goes on
  wrap_at_end,             // the store begins again at `min`
};

struct Report {
  std::string violation;  // empty: none
  std::uint64_t trace = 0;
  std::uint64_t issued = 0;
  std::uint64_t events = 0;
  std::uint64_t poisoned = 0;
  std::uint64_t exhausted = 0;
  std::uint64_t in_a_row = 0;  // calls that got their numbers as one range
};

// Knows what happened; shares no code with the rules.
class Oracle {
 public:
  void committed(std::size_t life, Segment range) { committed_.push_back({life, range}); }

  void issued(std::size_t life, Segment range, const Scope& scope) {
    count_ += range.size();
    if (range.first >= range.end) return complain("an empty range was handed out", range);
    if (range.first < static_cast<std::uint64_t>(scope.min) ||
        range.end - 1 > static_cast<std::uint64_t>(scope.max)) {
      complain("outside of its scope", range);
    }
    if (last_.size() <= life) last_.resize(life + 1);
    if (last_[life] && range.first <= *last_[life]) complain("out of order", range);
    last_[life] = range.end - 1;
    // A range handed out may span several that follow each other.
    std::uint64_t covered = range.first;
    for (bool found = true; found && covered < range.end;) {
      found = false;
      for (const auto& [owner, segment] : committed_) {
        if (owner == life && segment.first <= covered && covered < segment.end) {
          covered = segment.end;
          found = true;
        }
      }
    }
    if (covered < range.end) complain("handed out before it was committed", range);
    issued_.push_back(range);
  }

  void no_number_twice() {
    std::ranges::sort(issued_, {}, &Segment::first);
    for (std::size_t i = 1; i < issued_.size(); ++i) {
      if (issued_[i].first < issued_[i - 1].end) return complain("handed out twice", issued_[i]);
    }
  }

  void complain(const std::string& what, Segment range = {}) {
    if (violation_.empty()) {
      violation_ =
          what + ": " + std::to_string(range.first) + " up to " + std::to_string(range.end);
    }
  }
  const std::string& violation() const { return violation_; }
  std::uint64_t count() const { return count_; }

 private:
  struct Commit {
    std::size_t life;
    Segment range;
  };
  std::vector<Commit> committed_;
  std::vector<Segment> issued_;
  std::vector<std::optional<std::uint64_t>> last_;
  std::uint64_t count_ = 0;
  std::string violation_;
};

class World {
 public:
  World(std::uint64_t seed, Bug bug) : dice_(seed), bug_(bug) {
    scope_.name = "SIM";
    static constexpr std::int64_t kSteps[] = {1, 3, 10, 100, 1000};
    scope_.step = kSteps[dice_.below(5)];
    const auto size = static_cast<std::int64_t>(dice_.some(100'000));
    switch (dice_.below(4)) {
      case 0: scope_.max = Scope::kMax; break;
      case 1: scope_.max = Scope::kMax, scope_.min = Scope::kMax - size + 1; break;
      case 2: scope_.max = Scope::kJsSafeMax, scope_.min = Scope::kJsSafeMax - size + 1; break;
      default: scope_.min = 0, scope_.max = size - 1;
    }
    store_.high_water = scope_.min - 1;
    highest_ = store_.high_water;
    processes_.resize(1 + dice_.below(3));
    rewinds_ = processes_.size() == 1 && dice_.chance(60);
    crashes_ = dice_.chance(60);
    witness_ = dice_.chance(50) || (rewinds_ && crashes_);
    faults_percent_ = static_cast<unsigned>(dice_.below(40));
    patience_ = dice_.time(std::chrono::seconds(20));
    for (std::size_t p = 0; p < processes_.size(); ++p) start(p);
  }

  Report run() {
    constexpr int kEvents = 160;
    for (int i = 0; i < kEvents && oracle_.violation().empty(); ++i) {
      // Between two events of the queue, something may happen from outside.
      if (queue_.empty() || dice_.chance(35)) {
        outside();
      } else {
        next_event();
      }
    }
    if (bug_ == Bug::none) make_peace();
    close_accounts();
    oracle_.no_number_twice();
    report_.violation = oracle_.violation();
    report_.issued = oracle_.count();
    return report_;
  }

 private:
  struct Store {
    std::int64_t high_water = 0;
    std::int64_t epoch = 1;
    std::int64_t draws = 0;
    bool down = false;
    std::vector<std::int64_t> backups;
  };

  struct Process {
    std::size_t life = 0;  // counts all starts of all processes
    std::unique_ptr<Handout> handout;
    std::unique_ptr<ScopeCache> cache;
    std::optional<WitnessMark> witness;  // on its disk
    std::optional<WitnessMark> writing;
    std::uint64_t wanted = 0;  // by a caller who waits
    bool in_a_row = false;     // as one range
    MonotonicTime deadline{};
    std::uint64_t poll = 0;  // the only poll event that counts
    bool asking = false;
  };

  enum class Kind : std::uint8_t { poll, commit, find_answer, draw_answer, witnessed, restart };

  struct Event {
    MonotonicTime time{};
    std::uint64_t number = 0;
    Kind kind = Kind::poll;
    std::size_t process = 0;
    std::size_t life = 0;
    ScopeCache::Asked asked{};
    bool answer_lost = false;
    bool is_find = false;
    std::optional<Draw> draw{};
    std::optional<WitnessMark> state{};  // the epoch and the mark that a find has seen
    Error::Code error = Error::Code::store_unavailable;

    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };

  static Error error_of(Error::Code code) { return Error{code, "simulated", ""}; }

  // --- processes

  void start(std::size_t p) {
    Process& process = processes_[p];
    process.cache.reset();
    process.handout = std::make_unique<Handout>();
    ScopeCachePolicy policy;
    policy.jitter_seed = dice_.roll();
    policy.segment_ttl = std::chrono::seconds(60);
    process.cache = std::make_unique<ScopeCache>(scope_, *process.handout, policy);
    if (witness_ && process.witness) process.cache->remember(*process.witness);
    process.life = ++lives_;
    process.wanted = 0;
    process.writing.reset();
    process.asking = false;
    poll_at(p, now_);
  }

  void crash(std::size_t p) {
    Process& process = processes_[p];
    // A write to the disk that was under way may have arrived.
    if (process.writing && dice_.chance(50)) process.witness = process.writing;
    process.cache.reset();
    process.handout.reset();
    process.life = ++lives_;  // answers to the old life find nobody
    Event event{.kind = Kind::restart, .process = p};
    send(event, dice_.time(std::chrono::seconds(30)));
  }

  void poll_at(std::size_t p, MonotonicTime time) {
    if (time == ScopeCache::kNever) return;
    Event event{.kind = Kind::poll, .process = p};
    event.asked.count = ++processes_[p].poll;
    send(event, std::max(time - now_, MonotonicTime::zero()));
  }

  void poll(std::size_t p) {
    Process& process = processes_[p];
    if (!process.cache || process.asking) return;
    if (process.wanted > 0 && now_ >= process.deadline) give_up(process);
    const auto action = process.cache->poll(now_);
    if (action.kind == ScopeCache::Action::Kind::nothing) return poll_at(p, action.wake);
    process.asking = true;
    const auto asked = process.cache->ask(action.count, now_);
    const bool find = action.kind == ScopeCache::Action::Kind::find;
    if (!find && bug_ == Bug::hand_out_before_commit) {
      accept(process, asked, guess(asked));
      return ask(p, asked, find);
    }
    ask(p, asked, find);
  }

  // What the store would answer if nobody else drew.
  static Draw guess(const ScopeCache::Asked& asked) {
    const auto first = static_cast<std::uint64_t>(asked.high_water) + 1;
    return {{first, first + asked.count}, asked.epoch, 0, false};
  }

  void accept(Process& process, const ScopeCache::Asked& asked, const Draw& draw) {
    if (process.cache->drawn(asked, draw, now_)) process.cache->published(std::nullopt, now_);
    serve(process);
  }

  void demand(std::size_t p) {
    Process& process = processes_[p];
    if (!process.cache) return;
    if (process.wanted > 0) {
      if (now_ >= process.deadline) give_up(process);
      return;
    }
    if (dice_.chance(50)) {  // a burst of single numbers, without the lock
      const std::uint64_t burst = dice_.some(300);
      Segment got{};
      for (std::uint64_t i = 0; i < burst; ++i) {
        const auto taken = process.handout->take(1);
        if (taken.count == 0) break;
        if (got.end == taken.first && got.size() > 0) {
          ++got.end;
        } else {
          if (got.size() > 0) oracle_.issued(process.life, got, scope_);
          got = {taken.first, taken.first + 1};
        }
        if (taken.at_mark) poll_at(p, now_);
      }
      if (got.size() > 0) oracle_.issued(process.life, got, scope_);
    }
    want(process, dice_.some(5000), dice_.chance(40));
    process.deadline = now_ + patience_;
    serve(process);
    poll_at(p, now_);
  }

  static void want(Process& process, std::uint64_t count, bool in_a_row) {
    process.wanted = count;
    process.in_a_row = in_a_row;
    in_a_row ? process.cache->wait_contiguous(count) : process.cache->wait(count);
  }

  static void give_up(Process& process) {
    process.in_a_row ? process.cache->wait_contiguous_no_longer(process.wanted)
                     : process.cache->wait_no_longer(process.wanted);
    process.wanted = 0;
  }

  void serve(Process& process) {
    if (process.wanted == 0) return;
    std::vector<Segment> ranges;
    if (process.in_a_row) {
      const auto range = process.cache->take_contiguous(process.wanted);
      if (!range) return;
      if (range->size() != process.wanted) oracle_.complain("not as many as asked for", *range);
      ++report_.in_a_row;
      ranges.push_back(*range);
    } else {
      if (process.cache->cached() < process.wanted) return;
      process.cache->take(process.wanted, ranges);
    }
    give_up(process);
    for (const Segment& range : ranges) oracle_.issued(process.life, range, scope_);
  }

  void watch(std::size_t p) {
    Process& process = processes_[p];
    if (const auto mark = process.cache->alarm()) {
      ++report_.poisoned;
      process.witness = mark;
      if (bug_ == Bug::accept_rewound_store) {
        process.witness.reset();
        start(p);
      }
    }
  }

  // --- the network and the store

  void send(Event event, MonotonicTime delay) {
    event.time = now_ + delay;
    event.number = ++event_count_;
    queue_.push(event);
  }

  void ask(std::size_t p, const ScopeCache::Asked& asked, bool find) {
    Event event{.kind = Kind::commit, .process = p, .life = processes_[p].life, .asked = asked};
    event.is_find = find;
    if (!at_peace_ && dice_.chance(faults_percent_)) {
      if (dice_.chance(50)) {  // lost on the way: the caller cannot know
        event.error = Error::Code::outcome_unknown;
        event.kind = find ? Kind::find_answer : Kind::draw_answer;
        return send(event, kTimeout);
      }
      event.answer_lost = true;
    }
    const bool slow = !at_peace_ && dice_.chance(faults_percent_ / 2);
    send(event, dice_.time(slow ? 2 * kTimeout : std::chrono::milliseconds(20)));
  }

  // The moment in which the store does what it was asked for.
  void commit(Event event) {
    const MonotonicTime waited = now_ - event.asked.time;
    event.kind = event.is_find ? Kind::find_answer : Kind::draw_answer;
    event.error = Error::Code::store_unavailable;
    if (!store_.down) {
      if (event.is_find) {
        event.state = WitnessMark{store_.epoch, store_.high_water};
      } else {
        commit_draw(event);
      }
    }
    MonotonicTime delay = dice_.time(std::chrono::milliseconds(20));
    if (event.answer_lost || waited + delay > kTimeout) {
      event.draw.reset();
      event.state.reset();
      event.error = Error::Code::outcome_unknown;
      delay = std::max(kTimeout - waited, MonotonicTime::zero());
    }
    send(event, delay);
  }

  void commit_draw(Event& event) {
    const auto left =
        static_cast<std::uint64_t>(scope_.max) - static_cast<std::uint64_t>(store_.high_water);
    if (event.asked.count > left) {
      event.error = Error::Code::exhausted;
      if (bug_ != Bug::wrap_at_end) return;
      store_.high_water = scope_.min - 1;
      if (event.asked.count > static_cast<std::uint64_t>(scope_.max - store_.high_water)) return;
    }
    if (dice_.chance(10)) store_.backups.push_back(store_.high_water);
    const auto first = static_cast<std::uint64_t>(store_.high_water) + 1;
    store_.high_water += static_cast<std::int64_t>(event.asked.count);
    highest_ = std::max(highest_, store_.high_water);
    event.draw = Draw{{first, first + event.asked.count}, store_.epoch, ++store_.draws, false};
    oracle_.committed(event.life, event.draw->segment);
  }

  void answered(const Event& event) {
    Process& process = processes_[event.process];
    if (!process.cache || process.life != event.life) return;  // it has crashed meanwhile
    process.asking = false;
    if (event.kind == Kind::find_answer) {
      Result<ScopeState, Error> answer(Failure{error_of(event.error)});
      if (event.state) {
        answer = ScopeState{scope_, event.state->high_water, event.state->epoch, 0, 0};
      }
      process.cache->found(event.asked, answer, now_);
    } else if (bug_ == Bug::hand_out_before_commit) {
      // It was taken for granted long ago.
    } else if (bug_ == Bug::reuse_after_unknown && event.error == Error::Code::outcome_unknown &&
               !event.draw) {
      accept(process, event.asked, guess(event.asked));
    } else {
      const auto mark =
          process.cache->drawn(event.asked,
                               event.draw ? Result<Draw, Error>(*event.draw)
                                          : Result<Draw, Error>(Failure{error_of(event.error)}),
                               now_);
      if (mark) {
        process.asking = true;
        process.writing = mark;
        Event done{.kind = Kind::witnessed, .process = event.process, .life = event.life};
        return send(done, witness_ ? dice_.time(std::chrono::milliseconds(50)) : MonotonicTime(1));
      }
    }
    watch(event.process);
    poll_at(event.process, now_);
  }

  void witnessed(const Event& event) {
    Process& process = processes_[event.process];
    if (!process.cache || process.life != event.life) return;
    process.asking = false;
    process.witness = std::exchange(process.writing, std::nullopt);
    const bool disk_full = !at_peace_ && witness_ && dice_.chance(faults_percent_ / 8);
    process.cache->published(
        disk_full ? std::optional(error_of(Error::Code::store_failed)) : std::nullopt, now_);
    serve(process);
    poll_at(event.process, now_);
  }

  // --- what happens by itself

  void outside() {
    now_ += dice_.time(std::chrono::milliseconds(200));
    if (!queue_.empty()) now_ = std::min(now_, queue_.top().time);
    const std::size_t p = dice_.below(processes_.size());
    const std::uint64_t what = dice_.below(100);
    trace(1000 + what);
    if (what < 80) return demand(p);
    if (what < 85) {
      store_.down = !store_.down && dice_.chance(faults_percent_);
    } else if (what < 90) {
      if (crashes_ && processes_[p].cache) crash(p);
    } else if (what < 94) {
      if (rewinds_ && !store_.backups.empty()) {
        store_.high_water = store_.backups[dice_.below(store_.backups.size())];
        store_.backups.clear();
      }
    } else if (what < 97) {
      mend(p);
    } else {
      advance();  // an operator has numbers of his own in use
    }
  }

  void advance() {
    const auto left = static_cast<std::uint64_t>(scope_.max) - static_cast<std::uint64_t>(highest_);
    store_.high_water = highest_ + static_cast<std::int64_t>(dice_.below(1 + left / 4));
    highest_ = store_.high_water;
    ++store_.epoch;
  }

  // The operator comes when the alarm rings.
  void mend(std::size_t p) {
    Process& process = processes_[p];
    if (!process.cache || process.cache->status(now_).health != AllocatorHealth::poisoned) return;
    if (dice_.chance(80)) advance();
    process.cache->resume(now_);
    poll_at(p, now_);
  }

  void next_event() {
    const Event event = queue_.top();
    queue_.pop();
    now_ = event.time;
    trace(static_cast<std::uint64_t>(event.kind));
    switch (event.kind) {
      case Kind::poll:
        if (event.asked.count == processes_[event.process].poll) poll(event.process);
        break;
      case Kind::commit: commit(event); break;
      case Kind::find_answer:
      case Kind::draw_answer: answered(event); break;
      case Kind::witnessed: witnessed(event); break;
      case Kind::restart:
        if (!processes_[event.process].cache) start(event.process);
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

  // Nothing fails any more: a call is served within 20 seconds, or told why not.
  void make_peace() {
    at_peace_ = true;
    store_.down = false;
    const auto run_for = [&](MonotonicTime time) {
      const MonotonicTime end = now_ + time;
      for (int i = 0; i < 5000 && !queue_.empty() && queue_.top().time <= end; ++i) next_event();
      now_ = end;
    };
    run_for(kPeace);
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      Process& process = processes_[p];
      if (!process.cache) start(p);
      if (process.wanted > 0) give_up(process);
      for (const std::uint64_t in_a_row : {std::uint64_t{0}, dice_.some(300)}) {
        want(process, std::max<std::uint64_t>(in_a_row, 1), in_a_row > 0);
        process.deadline = ScopeCache::kNever;
        serve(process);
        poll_at(p, now_);
        run_for(kPeace);
        if (process.wanted > 0) judge_refusal(process);
      }
    }
  }

  void judge_refusal(Process& process) {
    const auto refusal = process.in_a_row ? process.cache->refusal_contiguous(process.wanted)
                                          : process.cache->refusal();
    if (!refusal) {
      oracle_.complain("a world at peace serves nobody");
    } else if (refusal->code == Error::Code::exhausted) {
      ++report_.exhausted;
      const auto left =
          static_cast<std::uint64_t>(scope_.max) - static_cast<std::uint64_t>(highest_);
      if (left >= process.wanted) oracle_.complain("exhausted, but there are more");
    } else if (refusal->code != Error::Code::store_rewound) {
      oracle_.complain("refused for no reason: " + refusal->message);
    }
    give_up(process);
  }

  void close_accounts() {
    for (Process& process : processes_) {
      if (!process.cache) continue;
      const auto status = process.cache->status(now_);
      if (status.drawn != status.issued + status.abandoned + status.cached) {
        oracle_.complain("numbers that no account explains");
      }
    }
  }

  static constexpr MonotonicTime kTimeout = std::chrono::seconds(5);
  static constexpr MonotonicTime kPeace = std::chrono::seconds(20);  // back-off, timeout, and more

  Dice dice_;
  Bug bug_;
  Scope scope_;
  Store store_;
  std::int64_t highest_ = 0;  // that was ever committed
  std::vector<Process> processes_;
  std::size_t lives_ = 0;
  bool rewinds_ = false;
  bool crashes_ = false;
  bool witness_ = false;
  bool at_peace_ = false;
  unsigned faults_percent_ = 0;
  MonotonicTime patience_{};
  MonotonicTime now_ = std::chrono::seconds(1);
  std::uint64_t event_count_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
  Oracle oracle_;
  Report report_;
};

inline Report play(std::uint64_t seed, Bug bug = Bug::none) { return World(seed, bug).run(); }

}  // namespace tessera::sim
