#pragma once

// The last tick of a generator, which all threads share: one more, and another.
//
// While the process has no second thread, and never had one, nobody need be kept out meanwhile,
// which is most of the price on some processors. It is still one instruction, so that no handler
// of a signal comes in between. glibc says when, and that it is over before the second thread
// starts.

#include <atomic>
#include <cstdint>

#if defined(__x86_64__) && __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define TESSERA_KNOWS_LONE_THREAD 1
#endif

namespace tessera::detail {

#if defined(TESSERA_KNOWS_LONE_THREAD)
inline bool is_lone_thread() noexcept { return __libc_single_threaded != 0; }
#endif

// Adds 1, and returns what was there before.
inline std::uint64_t take_tick(std::atomic<std::uint64_t>& last_tick) noexcept {
#if defined(TESSERA_KNOWS_LONE_THREAD)
  if (is_lone_thread()) {
    std::uint64_t last = 1;
    __asm__ volatile("xaddq %0, %1" : "+r"(last), "+m"(last_tick) : : "cc");
    return last;
  }
#endif
  return last_tick.fetch_add(1, std::memory_order_relaxed);
}

// As compare_exchange_strong() does it.
inline bool replace_tick(std::atomic<std::uint64_t>& last_tick, std::uint64_t& last,
                         std::uint64_t next) noexcept {
#if defined(TESSERA_KNOWS_LONE_THREAD)
  if (is_lone_thread()) {
    bool replaced = false;
    __asm__ volatile("cmpxchgq %3, %1"
                     : "=@ccz"(replaced), "+m"(last_tick), "+a"(last)
                     : "r"(next));
    return replaced;
  }
#endif
  return last_tick.compare_exchange_strong(last, next, std::memory_order_relaxed);
}

}  // namespace tessera::detail
