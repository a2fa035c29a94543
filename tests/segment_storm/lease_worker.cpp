// Makes Snowflakes with a leased machine number, and writes them down.

#include <chrono>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "tessera/lease/leased_snowflakes.h"
#include "tessera/system.h"
#include "worker_process.h"

namespace segment_storm {
namespace {

using namespace std::chrono_literals;
using storm::Dice;
using tessera::Error;
using tessera::LeasedSnowflakes;
using tessera::LeaseStore;
using tessera::Result;
using tessera::Segment;
using tessera::Snowflake;
using Code = Error::Code;

constexpr unsigned kThreads = 3;
constexpr std::chrono::milliseconds kWait{300};
// So few in a millisecond that what two make with one number at the same time meets.
constexpr tessera::SnowflakeLayout kLayout{"storm", 1'700'000'000'000, 1, 41, 10, 6, false};
// As short as they may be, and without a rest: a worker that was stopped for longer finds its
// number taken, and only the limit keeps what it makes then apart. etcd makes two seconds of one.
constexpr tessera::LeaseTerms kTerms{.ttl = 1000ms, .reserve = 1000ms, .quarantine = 0ms};

// Counts what the store answers.
class CountedLeases final : public LeaseStore {
 public:
  CountedLeases(LeaseStore& store, Counters& counters) : store_(store), counters_(counters) {}

  Result<tessera::Lease, Error> claim(const tessera::ClaimRequest& request) override {
    auto lease = counted(store_.claim(request));
    if (lease && lease->token > 1) ++counters_.leases_taken_over;
    return lease;
  }
  Result<tessera::Reservation, Error> raise(const tessera::RaiseRequest& request) override {
    return counted(store_.raise(request));
  }
  Result<tessera::LeaseRecord, Error> release(const tessera::ReleaseRequest& request) override {
    return store_.release(request);
  }
  Result<tessera::LeasePage, Error> list(const tessera::LeaseListRequest& request) override {
    return store_.list(request);
  }

 private:
  template <class T>
  Result<T, Error> counted(Result<T, Error> answer) {
    ++(answer                                         ? counters_.draws
       : answer.error().code == Code::outcome_unknown ? counters_.draws_unknown
       : answer.error().code == Code::lease_lost      ? counters_.leases_lost
                                                      : counters_.draws_failed);
    return answer;
  }

  LeaseStore& store_;
  Counters& counters_;
};

class LeaseWorker final : public WorkerProcess {
 public:
  using WorkerProcess::WorkerProcess;

  int run() {
    const auto store = open_store();
    if (!store) return 0;
    CountedLeases counted(store->leases(), counters_);
    const auto buggy = make_buggy(options_.bug, counted);
    tessera::SystemBootClock clock;
    LeasedSnowflakes ids(
        kLayout, buggy ? *buggy : counted, clock,
        {.scope = "STORM",
         .holder = std::to_string(options_.slot) + "." + std::to_string(options_.incarnation),
         .terms = kTerms,
         .timeout = 1000ms,
         .jitter_seed = options_.seed + options_.slot});
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] { make(static_cast<std::uint8_t>(i), ids); });
    }
    for (auto& thread : threads) thread.join();
    return 0;
  }

 private:
  void make(std::uint8_t index, LeasedSnowflakes& ids) {
    Thread thread = make_thread(index);
    Dice& dice = thread.dice;
    std::vector<Snowflake> batch;
    while (!over_) {
      batch.resize(dice.one_in(4) ? 1 : 1 + dice.below(200));
      const std::uint64_t invoked_ns = now_ns();
      const auto made = ids.next(batch, kWait);
      const std::uint64_t returned_ns = now_ns();
      if (made) {
        write_down(thread, Order::leased, runs_of(batch), invoked_ns, returned_ns);
      } else if (made.error().code == Code::none_free || made.error().code == Code::lease_lost) {
        ++counters_.refusals;  // until it has another
      } else {
        complain(made.error());
      }
      if (dice.one_in(2)) std::this_thread::sleep_for(std::chrono::microseconds(dice.below(800)));
    }
  }

  // As they were made, those that follow one another in one range.
  static std::vector<Segment> runs_of(std::span<const Snowflake> ids) {
    std::vector<Segment> runs;
    for (const Snowflake& id : ids) {
      if (runs.empty() || runs.back().end != id.value) runs.push_back({id.value, id.value});
      ++runs.back().end;
    }
    return runs;
  }
};

}  // namespace

int work_with_lease(const WorkerOptions& options) { return LeaseWorker(options).run(); }

}  // namespace segment_storm
