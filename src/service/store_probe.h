#pragma once

// StoreProbe: whether the store answers, asked so that nobody waits long and nobody can make it
// busy.
//
// What was heard is believed for a second. One asks at a time, on a thread of its own, which may
// take as long as the store does; whoever wants to know waits for it for a moment only, and hears
// "no" if that is not enough. Thread-safe.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "tessera/service/service.h"

namespace tessera::service {

class StoreProbe {
 public:
  static constexpr std::chrono::milliseconds kWait{1000};
  static constexpr std::chrono::seconds kBelieved{1};

  StoreProbe() = default;
  ~StoreProbe();  // waits for who is asking
  StoreProbe(const StoreProbe&) = delete;
  StoreProbe& operator=(const StoreProbe&) = delete;

  // What is still believed; nothing, if it must be asked for.
  std::optional<bool> believed(const Installation& on) const;
  // Asks, or waits for who does. The installation, or its owner, must live until it is answered.
  bool ask(const Installation& on, std::chrono::milliseconds wait = kWait);

 private:
  void run(const Installation& on);

  mutable std::mutex mutex_;
  std::condition_variable answered_;
  std::thread thread_;
  bool asking_ = false;
  bool answers_ = false;
  std::chrono::nanoseconds until_{0};  // believed, by the monotonic clock
};

}  // namespace tessera::service
