// Takes numbers, and writes them down.

#include "worker.h"

#include <chrono>
#include <iterator>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "tessera/segment/allocator.h"
#include "tessera/segment/refiller.h"
#include "tessera/segment/witness.h"
#include "tessera/system.h"
#include "worker_process.h"

namespace segment_storm {
namespace {

using namespace std::chrono_literals;
using storm::Dice;
using tessera::Draw;
using tessera::DrawRequest;
using tessera::Error;
using tessera::Result;
using tessera::Scope;
using tessera::Segment;
using tessera::SegmentAllocator;
using Code = Error::Code;

constexpr unsigned kCachedThreads = 3;  // and one that goes straight to the store
constexpr std::chrono::milliseconds kWait{300};
constexpr std::uint64_t kKeyedCount = 7;
constexpr std::uint64_t kKeyPeriod_ns = 20'000'000;  // all workers ask for the key of the moment

// Counts what the store answers.
class CountedStore final : public tessera::SegmentStore {
 public:
  CountedStore(tessera::SegmentStore& store, Counters& counters)
      : store_(store), counters_(counters) {}

  Result<Draw, Error> draw(const DrawRequest& request) override {
    auto drawn = store_.draw(request);
    ++(drawn                                         ? counters_.draws
       : drawn.error().code == Code::outcome_unknown ? counters_.draws_unknown
                                                     : counters_.draws_failed);
    return drawn;
  }
  Result<tessera::ScopeState, Error> find(std::string_view scope) override {
    return store_.find(scope);
  }

 private:
  tessera::SegmentStore& store_;
  Counters& counters_;
};

class Worker final : public WorkerProcess {
 public:
  using WorkerProcess::WorkerProcess;

  int run() {
    const auto store = open_store();
    if (!store) return 0;
    const auto buggy = make_buggy(options_.bug, store->segments(), options_.url, options_.seed);
    CountedStore counted(buggy ? *buggy : store->segments(), counters_);
    std::unique_ptr<tessera::FileWitness> witness;
    if (options_.bug == Bug::none && options_.slot % 2 == 1) {
      auto opened =
          tessera::FileWitness::open(options_.folder + "/witness." + std::to_string(options_.slot));
      if (!opened) refuse(opened.error().message);
      witness = std::move(*opened);
    }
    tessera::SystemMonotonicClock clock;
    tessera::Refiller refiller(clock, 2);
    std::vector<std::unique_ptr<SegmentAllocator>> allocators;
    for (std::uint8_t order = 0; order < std::size(kScopes); ++order) {
      Scope scope;
      scope.name = kScopes[order];
      scope.step = kStep;
      if (static_cast<Order>(order) == Order::strict) scope.order = Scope::Order::strict;
      allocators.push_back(std::make_unique<SegmentAllocator>(scope, counted, refiller, clock,
                                                              witness.get(), allocator_options()));
    }
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < kCachedThreads; ++i) {
      threads.emplace_back([&, i] { take_cached(static_cast<std::uint8_t>(i), *allocators[0]); });
    }
    threads.emplace_back([&] { take_directly(kCachedThreads, *allocators[1], *allocators[2]); });
    for (auto& thread : threads) thread.join();
    return 0;
  }

 private:
  // Horizons so short that the cache is a few draws: what is tried here are draws.
  tessera::AllocatorOptions allocator_options() const {
    tessera::AllocatorOptions made;
    made.refill = {
        .slow_average = 200ms, .fast_average = 20ms, .outage_horizon = 60ms, .burst_horizon = 20ms};
    made.draw_timeout = 400ms;
    made.holder = std::to_string(options_.slot) + "." + std::to_string(options_.incarnation);
    made.jitter_seed = options_.seed;
    return made;
  }

  // Singles, batches in pieces and in a row, and now and then more than is cached.
  void take_cached(std::uint8_t index, SegmentAllocator& allocator) {
    Thread thread = make_thread(index);
    Dice& dice = thread.dice;
    while (!over_) {
      const std::uint64_t invoked_ns = now_ns();
      if (dice.one_in(4)) {
        const auto one = allocator.next(kWait);
        const std::uint64_t returned_ns = now_ns();
        if (one) {
          const auto first = static_cast<std::uint64_t>(*one);
          write_down(thread, Order::process, {{{first, first + 1}}}, invoked_ns, returned_ns);
        } else {
          complain(one.error());
        }
      } else {
        const std::uint64_t count = dice.one_in(100) ? 1 + dice.below(10'000) : 1 + dice.below(300);
        const auto many =
            dice.one_in(2) ? in_a_row(allocator, count) : allocator.next_range(count, kWait);
        const std::uint64_t returned_ns = now_ns();
        if (many) {
          write_down(thread, Order::process, *many, invoked_ns, returned_ns);
        } else {
          complain(many.error());
        }
      }
      if (dice.one_in(2)) std::this_thread::sleep_for(std::chrono::microseconds(dice.below(800)));
    }
  }

  Result<std::vector<Segment>, Error> in_a_row(SegmentAllocator& allocator,
                                               std::uint64_t count) const {
    const auto range = allocator.next_contiguous(count, kWait);
    if (!range) return tessera::Failure{range.error()};
    if (range->size() != count) refuse("not as many in a row as asked for");
    return std::vector<Segment>{*range};
  }

  void take_directly(std::uint8_t index, SegmentAllocator& strict, SegmentAllocator& keyed) {
    Thread thread = make_thread(index);
    Dice& dice = thread.dice;
    const bool only_keys = options_.bug == Bug::tells_unflushed;  // which others would slow down
    while (!over_) {
      const std::uint64_t invoked_ns = now_ns();
      if (!only_keys && dice.one_in(2)) {
        const auto some = strict.next_range(1 + dice.below(5), kWait);
        const std::uint64_t returned_ns = now_ns();
        if (some) {
          write_down(thread, Order::strict, *some, invoked_ns, returned_ns);
        } else {
          complain(some.error());
        }
      } else {
        const std::uint64_t key = invoked_ns / kKeyPeriod_ns;
        ask_by_key(thread, keyed, key);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(dice.below(10)));
    }
  }

  // As a caller would who wants it once: asks again when the answer was lost.
  void ask_by_key(Thread& thread, SegmentAllocator& allocator, std::uint64_t key) {
    for (int tries = 0; tries < 3 && !over_; ++tries) {
      const std::uint64_t invoked_ns = now_ns();
      const auto drawn = allocator.next_keyed(kKeyedCount, "key " + std::to_string(key), kWait);
      const std::uint64_t returned_ns = now_ns();
      if (drawn) {
        write_down(thread, Order::keyed, {&drawn->segment, 1}, invoked_ns, returned_ns, key);
        return;
      }
      complain(drawn.error());
    }
  }
};

}  // namespace

int work(const WorkerOptions& options) { return Worker(options).run(); }

}  // namespace segment_storm
