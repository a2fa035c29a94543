#pragma once

// Refiller: a few threads that keep many allocators supplied.
//
// Five hundred scopes have four threads, and so no more than four draws under way: as many as the
// store has connections, if it is asked. A job is never run twice at the same time.
//
// Thread-safe. `clock` must outlive it, and it must outlive its jobs.

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "tessera/segment/refill.h"
#include "tessera/source.h"

namespace tessera {

class Refiller {
 public:
  static constexpr MonotonicTime kNever = MonotonicTime::max();

  class Job {
   public:
    virtual ~Job() = default;
    // Does what is due, and says when it wants to be called again.
    virtual MonotonicTime run(MonotonicTime now) = 0;
  };

  explicit Refiller(MonotonicClock& clock, std::size_t thread_count = 4);
  ~Refiller();
  Refiller(const Refiller&) = delete;
  Refiller& operator=(const Refiller&) = delete;

  void add(Job& job);     // not run before wake()
  void wake(Job& job);    // run it now, or once more if it is running
  void remove(Job& job);  // waits until it does not run any more

 private:
  struct Entry {
    MonotonicTime due = kNever;
    bool running = false;
    bool again = false;
  };

  void work();
  void schedule(Job& job, Entry& entry, MonotonicTime due);

  MonotonicClock& clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Job*, Entry> jobs_;
  std::set<std::pair<MonotonicTime, Job*>> queue_;  // of those that have a time
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tessera
