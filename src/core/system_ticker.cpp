// The thread behind a TickerClock. What it shares with the clock lies in memory that the kernel
// wipes in a forked child, which has no such thread: there the time reads 0, and nobody waits for a
// thread that is not there.

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include <atomic>
#include <new>

#include "tessera/system.h"

namespace tessera {

struct TickerClock::Ticker {
  std::atomic<std::uint64_t> time_ms{0};
  alignas(64) std::atomic<bool> stop{false};
  bool started = false;
  pthread_t thread{};

  static void* run(void* self) noexcept {
    auto& ticker = *static_cast<Ticker*>(self);
    prctl(PR_SET_TIMERSLACK, 1);  // wake when asked to, not 50 us later
    while (!ticker.stop.load(std::memory_order_relaxed)) {
      timespec now{};
      clock_gettime(CLOCK_REALTIME, &now);
      ticker.time_ms.store(static_cast<std::uint64_t>(now.tv_sec) * 1000 +
                               static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000,
                           std::memory_order_relaxed);
      const timespec rest{0, 1'000'000 - now.tv_nsec % 1'000'000};  // of this millisecond
      clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, nullptr);
    }
    return nullptr;
  }
};

TickerClock::TickerClock() noexcept {
  void* page =
      mmap(nullptr, sizeof(Ticker), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (madvise(page, sizeof(Ticker), MADV_WIPEONFORK) != 0) {
    munmap(page, sizeof(Ticker));
    return;
  }
  ticker_ = new (page) Ticker;
  // The program's signals are for its own threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  ticker_->started = pthread_create(&ticker_->thread, nullptr, Ticker::run, ticker_) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  time_ms_ = &ticker_->time_ms;
}

TickerClock::~TickerClock() {
  if (ticker_ == nullptr) return;
  if (ticker_->started) {  // not in a child
    ticker_->stop.store(true, std::memory_order_relaxed);
    pthread_join(ticker_->thread, nullptr);
  }
  munmap(ticker_, sizeof(Ticker));
}

}  // namespace tessera
