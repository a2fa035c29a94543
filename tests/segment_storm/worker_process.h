#pragma once

// What every worker has, whatever it takes: the store, a log, and what it may be refused.

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "counters.h"
#include "record.h"
#include "storm/dice.h"
#include "tessera/error.h"
#include "tessera/segment/store.h"
#include "tessera/store/store.h"
#include "worker.h"

namespace segment_storm {

// By CLOCK_MONOTONIC, which all processes share.
std::uint64_t now_ns();

// What a correct program may get while servers are killed and workers are stopped.
bool is_weather(tessera::Error::Code code);

class WorkerProcess {
 public:
  explicit WorkerProcess(const WorkerOptions& options);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

 protected:
  struct Thread {
    std::uint8_t index;
    storm::Dice dice;
    std::uint32_t records = 0;
  };
  Thread make_thread(std::uint8_t index) const;

  // Waits for a server that is down. Null: told to end meanwhile.
  std::unique_ptr<tessera::Store> open_store() const;

  void write_down(Thread& thread, Order order, std::span<const tessera::Segment> ranges,
                  std::uint64_t invoked_ns, std::uint64_t returned_ns, std::uint64_t key = 0);
  // Counts it; ends the process, if no crash of others explains it.
  void complain(const tessera::Error& error);
  [[noreturn]] void refuse(const std::string& why) const;

  const WorkerOptions& options_;
  Counters& counters_;
  static std::atomic<bool> over_;  // told to end

 private:
  int log_ = -1;
};

}  // namespace segment_storm
