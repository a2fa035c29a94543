// Threads, a queue by time, and one lock for both.

#include "tessera/segment/refiller.h"

#include <algorithm>

namespace tessera {

Refiller::Refiller(MonotonicClock& clock, std::size_t thread_count) : clock_(clock) {
  threads_.reserve(thread_count);
  for (std::size_t i = 0; i < std::max<std::size_t>(thread_count, 1); ++i) {
    threads_.emplace_back([this] { work(); });
  }
}

Refiller::~Refiller() {
  {
    const std::scoped_lock guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Refiller::add(Job& job) {
  const std::scoped_lock guard(mutex_);
  jobs_.try_emplace(&job);
}

void Refiller::schedule(Job& job, Entry& entry, MonotonicTime due) {
  if (entry.due != kNever) queue_.erase({entry.due, &job});
  entry.due = due;
  if (due != kNever) queue_.emplace(due, &job);
}

void Refiller::wake(Job& job) {
  {
    const std::scoped_lock guard(mutex_);
    const auto found = jobs_.find(&job);
    if (found == jobs_.end()) return;
    Entry& entry = found->second;
    if (entry.running) {
      entry.again = true;
      return;
    }
    // Behind those that wait already, and not again behind them if it was woken before: a busy
    // job must not starve the others.
    schedule(job, entry, std::min(entry.due, clock_.now()));
  }
  changed_.notify_one();
}

void Refiller::remove(Job& job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    const auto found = jobs_.find(&job);
    return found == jobs_.end() || !found->second.running;
  });
  const auto found = jobs_.find(&job);
  if (found == jobs_.end()) return;
  schedule(job, found->second, kNever);
  jobs_.erase(found);
}

void Refiller::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (queue_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto [due, job] = *queue_.begin();
    const MonotonicTime now = clock_.now();
    if (due > now) {
      changed_.wait_for(lock, due - now);
      continue;
    }
    Entry& entry = jobs_.find(job)->second;  // stays while it runs: remove() waits
    schedule(*job, entry, kNever);
    entry.running = true;
    lock.unlock();
    const MonotonicTime next = job->run(now);
    lock.lock();
    entry.running = false;
    const bool again = std::exchange(entry.again, false);
    schedule(*job, entry, again ? clock_.now() : std::max(next, clock_.now()));
    changed_.notify_all();
  }
}

}  // namespace tessera
