#pragma once

// A store of segments that does as it is told: fails, is slow, loses its answer, is rewound.
//
//   store.fail_draws(2, Error::Code::store_unavailable);   the next two draws fail, undone
//   store.lose_answers(1);          the next draw is done, and its answer lost
//   store.delay = 50ms;             every question takes as long, in real time
//   store.rewind(100);              back to an old backup
//
// Thread-safe.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tessera/segment/store.h"

namespace tessera {

class FakeSegmentStore final : public SegmentStore {
 public:
  explicit FakeSegmentStore(Scope scope) {
    state_.high_water = scope.min - 1;
    state_.scope = std::move(scope);
  }

  std::atomic<std::chrono::milliseconds> delay{std::chrono::milliseconds(0)};

  void fail_draws(int count, Error::Code code) {
    const std::scoped_lock guard(mutex_);
    failing_ = count;
    failure_ = code;
  }
  void fail_finds(int count, Error::Code code) {
    const std::scoped_lock guard(mutex_);
    failing_finds_ = count;
    failure_ = code;
  }
  void lose_answers(int count) {
    const std::scoped_lock guard(mutex_);
    losing_ = count;
  }
  void rewind(std::int64_t high_water) {
    const std::scoped_lock guard(mutex_);
    state_.high_water = high_water;
  }
  void set_epoch(std::int64_t epoch) {
    const std::scoped_lock guard(mutex_);
    state_.epoch = epoch;
  }
  void set_step(std::int64_t step) {
    const std::scoped_lock guard(mutex_);
    state_.scope.step = step;
  }
  // Others draw too.
  void advance(std::int64_t high_water) {
    const std::scoped_lock guard(mutex_);
    state_.high_water = high_water;
    ++state_.epoch;
  }
  // Questions wait until it is opened again.
  void shut() {
    const std::scoped_lock guard(mutex_);
    shut_ = true;
  }
  void open() {
    {
      const std::scoped_lock guard(mutex_);
      shut_ = false;
    }
    opened_.notify_all();
  }

  ScopeState state() {
    const std::scoped_lock guard(mutex_);
    return state_;
  }
  std::vector<std::uint64_t> counts() {  // of all draws, also of those that failed
    const std::scoped_lock guard(mutex_);
    return counts_;
  }
  int most_at_once() const { return most_at_once_; }

  Result<Draw, Error> draw(const DrawRequest& request) override {
    const Visit visit(*this);
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [&] { return !shut_; });
    counts_.push_back(request.count);
    if (request.scope != state_.scope.name) return refuse(Error::Code::not_found);
    if (failing_ > 0) {
      --failing_;
      return refuse(failure_);
    }
    if (!request.key.empty()) {
      const auto known = keyed_.find(request.key);
      if (known != keyed_.end()) {
        if (known->second.segment.size() != request.count) return refuse(Error::Code::key_reused);
        Draw again = known->second;
        again.repeated = true;
        return again;
      }
    }
    const auto left = static_cast<std::uint64_t>(state_.scope.max) -
                      static_cast<std::uint64_t>(state_.high_water);
    if (request.count > left) return refuse(Error::Code::exhausted);
    const auto first = static_cast<std::uint64_t>(state_.high_water) + 1;
    state_.high_water += static_cast<std::int64_t>(request.count);
    const Draw draw{{first, first + request.count}, state_.epoch, ++state_.draws, false};
    if (!request.key.empty()) keyed_.emplace(request.key, draw);
    if (losing_ > 0) {
      --losing_;
      return refuse(Error::Code::outcome_unknown);
    }
    return draw;
  }

  Result<ScopeState, Error> find(std::string_view scope) override {
    const Visit visit(*this);
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [&] { return !shut_; });
    if (scope != state_.scope.name) return Failure{Error{Error::Code::not_found, "no scope", ""}};
    if (failing_finds_ > 0) {
      --failing_finds_;
      return Failure{Error{failure_, "told to fail", ""}};
    }
    return state_;
  }

 private:
  // A question under way.
  struct Visit {
    FakeSegmentStore& store;
    explicit Visit(FakeSegmentStore& visited) : store(visited) {
      const int here = ++store.at_once_;
      int most = store.most_at_once_;
      while (here > most && !store.most_at_once_.compare_exchange_weak(most, here)) {
      }
      const auto pause = store.delay.load();
      if (pause.count() > 0) std::this_thread::sleep_for(pause);
    }
    ~Visit() { --store.at_once_; }
  };

  static Failure<Error> refuse(Error::Code code) {
    return Failure{Error{code, "told to fail", "Tell it otherwise."}};
  }

  std::mutex mutex_;
  std::condition_variable opened_;
  ScopeState state_;
  bool shut_ = false;
  int failing_ = 0;
  int failing_finds_ = 0;
  int losing_ = 0;
  Error::Code failure_ = Error::Code::store_unavailable;
  std::vector<std::uint64_t> counts_;
  std::map<std::string, Draw, std::less<>> keyed_;
  std::atomic<int> at_once_{0};
  std::atomic<int> most_at_once_{0};
};

}  // namespace tessera
