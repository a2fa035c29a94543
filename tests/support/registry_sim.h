#pragma once

// A world in virtual time: processes with the real Registry and its filters, one store, a line from
// each process to it, and everything that goes wrong. One seed is one history, the same in every
// run.
//
//    client --ask, ask again--> process --line--> store    refused, lost, late, twice, answer lost
//       |                          |                       cut off, down; clocks that step; a slow
//       disk
//    Oracle <-- every answer       crash, pause, restart    set back to a backup; numbers set back
//
// While a call is on its way others do theirs, so that calls of all processes interleave at every
// question to the store. Clocks of processes step by an hour; that of the store forward by any
// time, and back by less than half a window, which is what the registry allows.
//
// The oracle knows what clients were told, and nothing of the rules. It complains of an ID given
// twice, of a key with two answers, of "never issued" for what was acknowledged, of "live" for what
// ended before the question, of "deleted" for what nobody ended, of an answer to another tenant, of
// a child of a parent that had ended, of an internal key given twice; and at the end of things that
// no request explains.
//
// A store that was set back has lost what came after its backup, and nothing is promised of that.
// All else is: what was acknowledged before is there, and a number that has a row is refused.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/fakes.h"
#include "support/registry_line.h"
#include "tessera/registry/memory_registry.h"
#include "tessera/registry/registry.h"

namespace tessera::registry_sim {

struct Report {
  std::string violation;  // empty: none
  std::uint64_t trace = 0;
  std::uint64_t events = 0;
  std::uint64_t created = 0;
  std::uint64_t repeated = 0;  // answers to a key that was known
  std::uint64_t unknown = 0;   // answers that were lost
  std::uint64_t crashes = 0;
  std::uint64_t from_memory = 0;  // questions that the filter answered
  std::uint64_t rewinds = 0;      // of the store
  std::uint64_t refused = 0;      // numbers that had a row
  std::uint64_t too_slow = 0;     // changes that were done after everybody had given up
};

struct Monotonic final : MonotonicClock {
  std::chrono::nanoseconds time{std::chrono::seconds(1)};
  std::chrono::nanoseconds now() noexcept override { return time; }
};

// Never the same twice, unless it is set back: what segments promise is played elsewhere.
struct Numbers final : NumberSource {
  std::int64_t last = 0;
  std::int64_t highest = 0;
  Result<std::vector<std::int64_t>, Error> keys(std::string_view, std::size_t count) override {
    std::vector<std::int64_t> keys(count);
    for (auto& key : keys) key = ++last;
    highest = std::max(highest, last);
    return keys;
  }
  Result<std::uint64_t, Error> short_number(const RegisteredType&, std::int64_t key) override {
    return static_cast<std::uint64_t>(key);
  }
};

inline const RegistryTypes& sim_types() {
  static const RegistryTypes types = [] {
    TypeTable table;
    static_cast<void>(table.add({"store", "st"}));
    static_cast<void>(table.add({"product", "prd"}));
    static_cast<void>(table.add({"person", "per"}));
    auto made = RegistryTypes::make(
        table, {{.name = "store", .collection = "stores", .scope = "S", .capacity = 64},
                {.name = "product",
                 .collection = "products",
                 .scope = "S",
                 .parent = "store",
                 .capacity = 64},
                {.name = "person",
                 .collection = "people",
                 .scope = "S",
                 .tombstone = RegistryType::Tombstone::exact,
                 .erase_after = std::chrono::seconds(20),
                 .capacity = 64}});
    return std::move(*made);
  }();
  return types;
}

class World final : private Surroundings {
 public:
  World(std::uint64_t seed, Bug seeded)
      : Surroundings(seed, seeded), entropy_(seed), processes_(1 + dice.below(4)) {
    faults_percent_ = dice.chance(20) ? 0 : static_cast<unsigned>(dice.below(30));
    crashes_ = dice.chance(60);
    clocks_step_ = dice.chance(50);
    rewinds_ = dice.chance(30);
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      processes_[p].line = std::make_unique<Line>(static_cast<Surroundings&>(*this), *store_, p);
      start(p);
    }
  }

  Report run() {
    for (int i = 0; i < 150 && violation_.empty(); ++i) act();
    if (bug == Bug::none || violation_.empty()) make_peace();
    report_.violation = violation_;
    return report_;
  }

 private:
  static constexpr std::uint64_t kStartMs = 1'790'000'000'000;
  static constexpr int kDepthMax = 2;              // of calls within calls
  static constexpr std::uint64_t kWaitMs = 5'000;  // for an answer

  struct Process {
    std::unique_ptr<Line> line;
    FakeClock clock;
    std::int64_t clock_off_ms = 0;
    Monotonic monotonic;
    std::unique_ptr<Registry> registry;
    bool busy = false;
    bool crashed = false;  // in the middle of a call: its answer reaches nobody
    bool cut_off = false;
  };

  struct Thing {
    std::string tenant, type, id;
    std::optional<std::size_t> parent;
    std::uint64_t since = 0;  // the number of backups when it was acknowledged
    bool end_begun = false;   // somebody has asked for its end
    bool ended = false;       // and was told so
    std::uint64_t ended_since = 0;
    bool lost =
        false;  // the store was set back since, or while it was made: it may be there or not
  };

  struct Key {
    std::string tenant, type, text;
    std::optional<std::size_t> parent;
    std::size_t count = 1;
    std::vector<std::string> answer;  // empty: none yet
    std::uint64_t since = 0;
    std::vector<std::vector<std::string>> lost_answers;  // the store was set back since
  };

  struct Backup {
    std::shared_ptr<const MemoryRegistryData> data;
    std::uint64_t number;  // from 1
  };

  // --- time and processes

  void start(std::size_t p) {
    Process& process = processes_[p];
    process.crashed = false;
    RegistryOptions options;
    options.window = std::chrono::milliseconds(kWindowMs);
    options.filter_lease = std::chrono::milliseconds(kWindowMs);
    set_clocks();
    process.registry = std::make_unique<Registry>(
        sim_types(), *process.line, numbers_,
        RegistrySources{process.clock, process.monotonic, entropy_}, options);
  }

  void set_clocks() {
    const auto now = static_cast<std::int64_t>(kStartMs) + now_ms_;
    store_top_ms_ = std::max(store_top_ms_, now + store_off_ms_);
    store_clock_.time_ms = static_cast<std::uint64_t>(now + store_off_ms_);
    for (Process& process : processes_) {
      process.clock.time_ms = static_cast<std::uint64_t>(now + process.clock_off_ms);
      process.monotonic.time = std::chrono::seconds(1) + std::chrono::milliseconds(now_ms_);
    }
  }

  void let_pass(std::uint64_t time_ms) {
    now_ms_ += static_cast<std::int64_t>(time_ms);
    set_clocks();
  }

  // --- the line

  // Before a question arrives. Others go on meanwhile, and the one who asks may be paused.
  Fault pass(std::size_t p) override {
    trace(p);
    meanwhile();
    if (at_peace_) return Fault::none;
    Process& process = processes_[p];
    if (process.cut_off || store_down_) return dice.chance(50) ? Fault::refused : Fault::lost;
    if (!dice.chance(faults_percent_)) return Fault::none;
    return static_cast<Fault>(1 + dice.below(5));
  }

  bool write_slowly() override {
    if (at_peace_ || !disk_is_slow_) return false;
    const std::uint64_t time_ms = dice.below(2 * kWaitMs);
    let_pass(time_ms);
    meanwhile();
    report_.too_slow += time_ms > kWaitMs;
    return time_ms > kWaitMs;
  }

  void meanwhile() override {
    if (at_peace_) return;
    if (dice.chance(30)) let_pass(dice.chance(3) ? dice.below(15'000) : dice.below(50));
    if (depth_ < kDepthMax && dice.chance(25)) {
      ++depth_;
      act();
      --depth_;
    }
  }

  // --- what happens

  void act() {
    const std::uint64_t what = dice.below(100);
    trace(what);
    let_pass(dice.chance(10) ? dice.below(4'000) : dice.below(200));
    if (what < 10) return disturb();
    if (what < 13 && !late.empty()) return deliver();
    const std::size_t p = dice.below(processes_.size());
    Process& process = processes_[p];
    if (process.busy) return;
    process.busy = true;
    if (what < 45) {
      create(process);
    } else if (what < 75) {
      look_up(process);
    } else if (what < 85) {
      retire(process);
    } else if (what < 95) {
      static_cast<void>(process.registry->sync_filters());
    } else {
      static_cast<void>(process.registry->sweep());
    }
    process.busy = false;
    if (process.crashed) start(p);
  }

  void disturb() {
    Process& process = processes_[dice.below(processes_.size())];
    switch (dice.below(8)) {
      case 0:
        if (!crashes_) return;
        ++report_.crashes;
        process.crashed = true;
        if (!process.busy) start(static_cast<std::size_t>(&process - processes_.data()));
        return;
      case 1: process.cut_off = !process.cut_off && dice.chance(faults_percent_); return;
      case 2: store_down_ = !store_down_ && dice.chance(faults_percent_ / 2); return;
      case 3:
        if (!clocks_step_) return;
        process.clock_off_ms = dice.chance(50) ? 0 : jump();
        return set_clocks();
      case 4: disk_is_slow_ = !disk_is_slow_ && dice.chance(faults_percent_); return;
      case 5:
        if (rewinds_) rewind();
        return;
      case 6:  // by an operator, or by the restore of another store
        if (rewinds_)
          numbers_.last -= static_cast<std::int64_t>(dice.below(
              1 + std::min<std::uint64_t>(8, static_cast<std::uint64_t>(numbers_.last))));
        return;
      default: step_store();
    }
  }

  // Makes a backup, or goes back to the one that there is.
  void rewind() {
    if (!backup_) {
      backup_ = Backup{back_up(*data_), ++backups_};
      return;
    }
    restore(*data_, *backup_->data);
    ++report_.rewinds;
    for (Thing& thing : things_) {
      thing.lost = thing.lost || thing.since >= backup_->number;
      thing.ended = thing.ended && thing.ended_since < backup_->number;
    }
    for (Key& key : keys_) {
      if (key.since >= backup_->number && !key.answer.empty()) {
        key.lost_answers.push_back(std::exchange(key.answer, {}));
      }
    }
    backup_.reset();
  }

  std::int64_t jump() {
    const std::int64_t most = dice.chance(30) ? 3'600'000 : 8'000;
    return static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(2 * most))) - most;
  }

  // Never by half a window behind the latest time that it has told.
  void step_store() {
    if (!clocks_step_) return;
    const auto now = static_cast<std::int64_t>(kStartMs) + now_ms_;
    store_off_ms_ = std::max(store_off_ms_ + jump() / 2, store_top_ms_ - kWindowMs / 2 + 1 - now);
    set_clocks();
  }

  void deliver() {
    const auto request = std::move(late.front());
    late.pop_front();
    request();
  }

  // --- clients, and what they are told

  bool is_ended(std::size_t thing) const {
    const Thing& it = things_[thing];
    return it.ended || (it.parent && is_ended(*it.parent));
  }
  bool may_have_ended(std::size_t thing) const {
    const Thing& it = things_[thing];
    return it.end_begun || (it.parent && may_have_ended(*it.parent));
  }

  std::optional<std::size_t> some_thing(std::string_view type = {}) {
    for (int tries = 0; tries < 4 && !things_.empty(); ++tries) {
      // The latest ones more often.
      const std::size_t back = dice.below(1 + dice.below(things_.size()));
      const std::size_t index = things_.size() - 1 - back;
      if (type.empty() || things_[index].type == type) return index;
    }
    return std::nullopt;
  }

  void create(Process& process) {
    if (!keys_.empty() && dice.chance(40)) {
      return create_by_key(process, dice.below(keys_.size()));
    }
    Key wanted;
    wanted.type = std::array{"store", "product", "person"}[dice.below(3)];
    wanted.tenant = kTenants[dice.below(kTenants.size())];
    if (wanted.type == "product") {
      wanted.parent = some_thing("store");
      if (!wanted.parent) return;
      wanted.tenant = things_[*wanted.parent].tenant;
    }
    wanted.count = dice.chance(80) ? 1 : 1 + dice.below(4);
    if (dice.chance(50)) {
      wanted.text = "key " + std::to_string(keys_.size());
      keys_.push_back(wanted);
      return create_by_key(process, keys_.size() - 1);
    }
    const bool too_late = wanted.parent && is_ended(*wanted.parent);
    const std::uint64_t rewinds = report_.rewinds;
    const auto made = ask(process, wanted);
    if (process.crashed || (!made && made.error().code == Error::Code::outcome_unknown)) {
      unknown_count_ += wanted.count;
      ++report_.unknown;
    } else if (made) {
      const bool is_lost = report_.rewinds != rewinds;
      if (too_late && !is_lost) complain("a child of a parent that had ended", made->front().id);
      for (const NewResource& one : *made) add(wanted, one, is_lost);
    } else {
      expect_weather(made.error());
    }
  }

  void create_by_key(Process& process, std::size_t key) {
    const Key wanted = keys_[key];  // a copy: others may add keys while we wait
    const bool too_late = wanted.parent && is_ended(*wanted.parent);
    const std::uint64_t rewinds = report_.rewinds;
    const auto made = ask(process, wanted);
    if (process.crashed) return;
    if (!made) return expect_weather(made.error());
    std::vector<std::string> ids;
    for (const NewResource& one : *made) ids.push_back(one.id);
    report_.repeated += made->front().repeated;
    Key& asked = keys_[key];
    const bool is_lost = report_.rewinds != rewinds;
    if (!asked.answer.empty()) {
      if (asked.answer != ids && !is_lost) complain("a key with two answers", wanted.text);
      return;
    }
    const bool is_known = std::ranges::count(asked.lost_answers, ids) > 0;  // it was not lost
    if (is_lost) {
      asked.lost_answers.push_back(ids);
    } else {
      asked.answer = ids;
      asked.since = backups_;
    }
    if (is_known) return;
    if (too_late && !is_lost && !made->front().repeated) {
      complain("a child of a parent that had ended", ids[0]);
    }
    for (const NewResource& one : *made) add(wanted, one, is_lost);
  }

  Result<std::vector<NewResource>, Error> ask(Process& process, const Key& wanted) {
    const std::string parent = wanted.parent ? things_[*wanted.parent].id : "";
    return process.registry->create_many(wanted.tenant, wanted.type, wanted.count,
                                         {.parent = parent, .idempotency_key = wanted.text});
  }

  void add(const Key& wanted, const NewResource& made, bool is_lost) {
    if (!ids_.insert(made.id).second) return complain("an ID given twice", made.id);
    const auto [holder, is_new] = holders_.try_emplace({wanted.type, made.key}, things_.size());
    if (!is_new) {
      // A number whose row was lost, or erased after its end, is not there any more.
      const Thing& other = things_[holder->second];
      const bool gone = other.lost || (other.type == "person" && other.end_begun);
      if (!gone && !is_lost) complain("an internal key given twice", made.id);
      holder->second = things_.size();
    }
    things_.push_back({.tenant = wanted.tenant,
                       .type = wanted.type,
                       .id = made.id,
                       .parent = wanted.parent,
                       .since = backups_,
                       .lost = is_lost});
    ++report_.created;
  }

  void look_up(Process& process) {
    const auto thing = some_thing();
    if (!thing) return;
    const Thing it = things_[*thing];
    const bool foreign = dice.chance(25);
    const std::string tenant = !foreign ? it.tenant : it.tenant == "acme" ? "zeta" : "acme";
    const bool had_ended = is_ended(*thing);
    const std::uint64_t finds = process.line->finds;
    const std::uint64_t rewinds = report_.rewinds;
    const auto answer = process.registry->look_up(tenant, it.id);
    if (process.crashed) return;
    if (!answer) return expect_weather(answer.error());
    report_.from_memory += process.line->finds == finds;
    if (!foreign && report_.rewinds != rewinds) return;
    judge(it, *answer, foreign, had_ended, may_have_ended(*thing));
  }

  void judge(const Thing& it, const LookUp& answer, bool foreign, bool had_ended, bool may_end) {
    using State = LookUp::State;
    if (foreign) {
      if (answer.state != State::never_issued) complain("told to another tenant", it.id);
    } else if (it.lost) {
      if (answer.state == State::invalid) complain("said to be invalid", it.id);
    } else if (answer.state == State::never_issued || answer.state == State::invalid) {
      complain("acknowledged, and said to be never issued", it.id);
    } else if (answer.state == State::live && had_ended) {
      complain("said to live after its end", it.id);
    } else if (answer.state == State::deleted && !may_end) {
      complain("said to be deleted, and nobody has", it.id);
    }
  }

  void retire(Process& process) {
    const auto thing = some_thing();
    if (!thing) return;
    const Thing it = things_[*thing];
    things_[*thing].end_begun = true;
    const std::uint64_t rewinds = report_.rewinds;
    const auto answer = process.registry->retire(it.tenant, it.id);
    if (process.crashed) return;
    if (!answer) return expect_weather(answer.error());
    if (it.lost || report_.rewinds != rewinds) return;
    if (answer->state != LookUp::State::deleted)
      return complain("retired, and is " + std::string(name_of(answer->state)), it.id);
    things_[*thing].ended = true;
    things_[*thing].ended_since = backups_;
  }

  // What a correct client may be told while things fail.
  void expect_weather(const Error& error) {
    using Code = Error::Code;
    if (error.code == Code::store_rewound && rewinds_) {
      ++report_.refused;
      return;
    }
    if (error.code != Code::store_unavailable && error.code != Code::outcome_unknown &&
        error.code != Code::not_found) {
      complain("refused for no reason", error.message);
    }
  }

  // --- the end

  // Nothing fails any more: every key has its answer, and everything is where it should be.
  void make_peace() {
    while (!late.empty()) deliver();
    at_peace_ = true;
    store_down_ = false;
    numbers_.last = numbers_.highest;  // by an operator
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      processes_[p].cut_off = false;
      processes_[p].clock_off_ms = store_off_ms_;  // by NTP
      start(p);
    }
    Process& process = processes_[0];
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      let_pass(10);
      const Key wanted = keys_[key];
      const auto made = ask(process, wanted);
      if (made) {
        create_by_key(process, key);
      } else if (made.error().code != Error::Code::not_found || !wanted.parent ||
                 !(things_[*wanted.parent].lost || may_have_ended(*wanted.parent))) {
        complain("a world at peace does not answer", made.error().message);
      }
    }
    for (Process& asked : processes_) {
      if (auto error = asked.registry->sync_filters()) complain("no filter", error->message);
    }
    let_pass(1);
    for (std::size_t i = 0; i < things_.size(); ++i) {
      const auto answer =
          processes_[i % processes_.size()].registry->look_up(things_[i].tenant, things_[i].id);
      if (!answer) return complain("a world at peace does not answer", answer.error().message);
      judge(things_[i], *answer, false, is_ended(i), may_have_ended(i));
    }
    count_all();
  }

  void count_all() {
    std::uint64_t stored = 0;
    for (const auto& type : sim_types().all()) {
      const auto stats = store_->stats(*type);
      stored += stats->rows() + stats->erased;
    }
    const auto kept = static_cast<std::uint64_t>(
        std::ranges::count_if(things_, [](const Thing& thing) { return !thing.lost; }));
    if (stored < kept || stored > things_.size() + unknown_count_) {
      complain("things that no request explains", std::to_string(stored));
    }
  }

  void complain(const std::string& what, const std::string& whom) {
    if (violation_.empty()) violation_ = what + ": " + whom;
  }

  void trace(std::uint64_t what) {
    ++report_.events;
    for (const std::uint64_t value :
         {what, static_cast<std::uint64_t>(now_ms_), static_cast<std::uint64_t>(things_.size())}) {
      report_.trace = (report_.trace ^ value) * 0x100'0000'01B3;
    }
  }

  FakeClock store_clock_{kStartMs};
  std::shared_ptr<MemoryRegistryData> data_ = make_memory_registry_data();
  std::unique_ptr<RegistryStore> store_ = make_memory_registry(data_, sim_types(), store_clock_);
  std::optional<Backup> backup_;
  std::uint64_t backups_ = 0;
  Numbers numbers_;
  SeededEntropy entropy_;
  std::vector<Process> processes_;
  unsigned faults_percent_ = 0;
  bool crashes_ = false;
  bool clocks_step_ = false;
  bool store_down_ = false;
  bool disk_is_slow_ = false;
  bool rewinds_ = false;
  bool at_peace_ = false;
  int depth_ = 0;
  std::int64_t now_ms_ = 0;
  std::int64_t store_off_ms_ = 0;
  std::int64_t store_top_ms_ = static_cast<std::int64_t>(kStartMs);

  std::vector<Thing> things_;  // acknowledged
  std::vector<Key> keys_;
  std::set<std::string> ids_;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> holders_;  // of internal keys
  std::uint64_t unknown_count_ = 0;  // of creations without a key
  std::string violation_;
  Report report_;
};

inline Report play(std::uint64_t seed, Bug bug = Bug::none) { return World(seed, bug).run(); }

}  // namespace tessera::registry_sim
