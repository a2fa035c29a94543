// Times tiny commits.

#include "migrate/canary.h"

#include <algorithm>
#include <utility>

namespace tessera::migrate {

using std::chrono::microseconds;
using std::chrono::milliseconds;

Canary::Canary(std::function<bool()> touch, MonotonicClock& clock, milliseconds pause)
    : touch_(std::move(touch)), clock_(clock), pause_(pause), thread_([this] { sing(); }) {}

Canary::~Canary() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

std::vector<microseconds> Canary::taken() {
  const std::lock_guard lock(mutex_);
  return std::exchange(taken_, {});
}

bool Canary::alive() {
  const std::lock_guard lock(mutex_);
  return alive_;
}

void Canary::set_pause(milliseconds pause) {
  const std::lock_guard lock(mutex_);
  pause_ = pause;
}

void Canary::sing() {
  constexpr std::size_t kNotesMax = 10'000;  // whoever does not ask need not know all
  std::unique_lock lock(mutex_);
  while (!stop_ && alive_) {
    lock.unlock();
    const auto start = clock_.now();
    const bool good = touch_();
    const auto took = std::chrono::duration_cast<microseconds>(clock_.now() - start);
    lock.lock();
    alive_ = good;
    if (good && taken_.size() < kNotesMax) taken_.push_back(took);
    wake_.wait_for(lock, pause_, [this] { return stop_; });
  }
}

void Usual::add(std::span<const microseconds> taken) {
  last_.insert(last_.end(), taken.begin(), taken.end());
  if (last_.size() > kCount)
    last_.erase(last_.begin(), last_.end() - static_cast<std::ptrdiff_t>(kCount));
}

microseconds Usual::get() const {
  if (last_.empty()) return microseconds(0);
  std::vector<microseconds> sorted = last_;
  std::ranges::sort(sorted);
  const std::size_t last = sorted.size() - 1;
  return std::min(sorted[last * 99 / 100], kOfMedianMax * sorted[last / 2]);
}

}  // namespace tessera::migrate
