#pragma once

// Canary: does what the smallest client does, again and again, and notes how long it took.
//
//    Canary canary(touch, monotonic);        touch: one tiny commit, on a connection of its own
//    for (auto took : canary.taken()) ...    what it took since the last call
//
// A thread of its own, until its end. When a touch fails it is silent from then on: a migration
// goes on without it.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "tessera/source.h"

namespace tessera::migrate {

class Canary {
 public:
  // Both are used by the thread; `clock` must outlive it. False: it failed.
  Canary(std::function<bool()> touch, MonotonicClock& clock, std::chrono::milliseconds pause);
  ~Canary();
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;

  std::vector<std::chrono::microseconds> taken();
  bool alive();
  // Between one touch and the next, from now on.
  void set_pause(std::chrono::milliseconds pause);

 private:
  void sing();

  std::function<bool()> touch_;
  MonotonicClock& clock_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::chrono::milliseconds pause_;
  std::vector<std::chrono::microseconds> taken_;
  bool alive_ = true;
  bool stop_ = false;
  std::thread thread_;  // the last: it uses all of the others
};

// What one seldom takes longer than while nothing is done: the 99th percentile of the last few
// hundred, but no more than twice what most take: a disk that was busy for a moment is no measure
// of what may be done to clients. 0, if there are none.
class Usual {
 public:
  static constexpr std::size_t kCount = 400;
  static constexpr std::int64_t kOfMedianMax = 2;

  void add(std::span<const std::chrono::microseconds> taken);
  std::chrono::microseconds get() const;

 private:
  std::vector<std::chrono::microseconds> last_;  // the oldest first
};

}  // namespace tessera::migrate
