// Takes numbers, and writes them down.

#include "worker.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "counters.h"
#include "record.h"
#include "storm/dice.h"
#include "tessera/segment/allocator.h"
#include "tessera/segment/refiller.h"
#include "tessera/segment/witness.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

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

std::atomic<bool> over{false};

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

[[noreturn]] void refuse(const WorkerOptions& options, const std::string& why) {
  if (options.bug == Bug::none) {
    std::fprintf(stderr, "worker %u.%u: %s\n", options.slot, options.incarnation, why.c_str());
  }
  _exit(3);
}

// What a correct program may get while servers are killed and workers are stopped.
bool is_weather(Code code) {
  return code == Code::timed_out || code == Code::overloaded || code == Code::store_unavailable ||
         code == Code::outcome_unknown;
}

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

class Worker {
 public:
  explicit Worker(const WorkerOptions& options)
      : options_(options), counters_(map_counters(options.folder + "/counters")) {
    const std::string path = options.folder + "/" + std::to_string(options.slot) + "." +
                             std::to_string(options.incarnation) + ".log";
    log_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (log_ < 0) refuse(options_, path + ": could not be made");
  }

  int run() {
    const auto store = open_store();
    if (!store) return 0;
    const auto buggy = make_buggy(options_.bug, store->segments(), options_.url, options_.seed);
    CountedStore counted(buggy ? *buggy : store->segments(), counters_);
    std::unique_ptr<tessera::FileWitness> witness;
    if (options_.bug == Bug::none && options_.slot % 2 == 1) {
      auto opened =
          tessera::FileWitness::open(options_.folder + "/witness." + std::to_string(options_.slot));
      if (!opened) refuse(options_, opened.error().message);
      witness = std::move(*opened);
    }
    tessera::SystemMonotonicClock clock;
    tessera::Refiller refiller(clock, 2);
    std::vector<std::unique_ptr<SegmentAllocator>> allocators;
    for (std::uint8_t order = 0; order < kOrderCount; ++order) {
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

  // Waits for a server that is down. Null: told to end meanwhile.
  std::unique_ptr<tessera::Store> open_store() {
    tessera::OpenOptions opening;
    opening.connections_max = 3;
    opening.connect_timeout = 1000ms;
    opening.portable_statements = options_.slot % 4 == 3;  // both ways to draw, side by side
    while (!over) {
      auto opened = tessera::open_store(options_.url, opening);
      if (opened) return std::move(*opened);
      if (!is_weather(opened.error().code)) refuse(options_, opened.error().message);
      std::this_thread::sleep_for(20ms);
    }
    return nullptr;
  }

  struct Thread {
    std::uint8_t index;
    Dice dice;
    std::uint32_t records = 0;
  };

  Thread make_thread(std::uint8_t index) const {
    return {index,
            Dice(options_.seed * 1009 + options_.slot * 101 + options_.incarnation * 11 + index)};
  }

  void write_down(Thread& thread, Order order, std::span<const Segment> ranges,
                  std::uint64_t invoked_ns, std::uint64_t returned_ns, std::uint64_t key) {
    for (const Segment& range : ranges) {
      Record record;
      record.slot = static_cast<std::uint16_t>(options_.slot);
      record.thread = thread.index;
      record.order = order;
      record.incarnation = options_.incarnation;
      record.number = thread.records++;
      record.first = range.first;
      record.end = range.end;
      record.invoked_ns = invoked_ns;
      record.returned_ns = returned_ns;
      record.key = key;
      record.sum = sum_of(record);
      if (write(log_, &record, sizeof record) != sizeof record) {
        refuse(options_, "the log cannot be written");
      }
      counters_.ids += range.size();
    }
  }

  void complain(const Error& error) {
    ++counters_.refusals;
    if (!is_weather(error.code)) {
      refuse(options_, std::string(name_of(error.code)) + ": " + error.message);
    }
  }

  // Singles, batches, and now and then more than is cached.
  void take_cached(std::uint8_t index, SegmentAllocator& allocator) {
    Thread thread = make_thread(index);
    Dice& dice = thread.dice;
    while (!over) {
      const std::uint64_t invoked_ns = now_ns();
      if (dice.one_in(4)) {
        const auto one = allocator.next(kWait);
        const std::uint64_t returned_ns = now_ns();
        if (one) {
          const auto first = static_cast<std::uint64_t>(*one);
          write_down(thread, Order::process, {{{first, first + 1}}}, invoked_ns, returned_ns, 0);
        } else {
          complain(one.error());
        }
      } else {
        const std::uint64_t count = dice.one_in(100) ? 1 + dice.below(10'000) : 1 + dice.below(300);
        const auto many = allocator.next_range(count, kWait);
        const std::uint64_t returned_ns = now_ns();
        if (many) {
          write_down(thread, Order::process, *many, invoked_ns, returned_ns, 0);
        } else {
          complain(many.error());
        }
      }
      if (dice.one_in(2)) std::this_thread::sleep_for(std::chrono::microseconds(dice.below(800)));
    }
  }

  void take_directly(std::uint8_t index, SegmentAllocator& strict, SegmentAllocator& keyed) {
    Thread thread = make_thread(index);
    Dice& dice = thread.dice;
    while (!over) {
      const std::uint64_t invoked_ns = now_ns();
      if (dice.one_in(2)) {
        const auto some = strict.next_range(1 + dice.below(5), kWait);
        const std::uint64_t returned_ns = now_ns();
        if (some) {
          write_down(thread, Order::strict, *some, invoked_ns, returned_ns, 0);
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
    for (int tries = 0; tries < 3 && !over; ++tries) {
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

  const WorkerOptions& options_;
  Counters& counters_;
  int log_ = -1;
};

}  // namespace

int work(const WorkerOptions& options) {
  struct sigaction action {};
  action.sa_handler = [](int) { over = true; };
  sigaction(SIGTERM, &action, nullptr);
  return Worker(options).run();
}

}  // namespace segment_storm
