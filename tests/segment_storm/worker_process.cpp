// The store and the log of a worker.

#include "worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace segment_storm {

using namespace std::chrono_literals;
using storm::Dice;
using tessera::Error;
using tessera::Segment;
using Code = Error::Code;

std::atomic<bool> WorkerProcess::over_{false};

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

bool is_weather(Code code) {
  return code == Code::timed_out || code == Code::overloaded || code == Code::store_unavailable ||
         code == Code::outcome_unknown;
}

WorkerProcess::WorkerProcess(const WorkerOptions& options)
    : options_(options), counters_(map_counters(options.folder + "/counters")) {
  struct sigaction action {};
  action.sa_handler = [](int) { over_ = true; };
  sigaction(SIGTERM, &action, nullptr);
  const std::string path = options.folder + "/" + std::to_string(options.slot) + "." +
                           std::to_string(options.incarnation) + ".log";
  log_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (log_ < 0) refuse(path + ": could not be made");
}

void WorkerProcess::refuse(const std::string& why) const {
  if (options_.bug == Bug::none) {
    std::fprintf(stderr, "worker %u.%u: %s\n", options_.slot, options_.incarnation, why.c_str());
  }
  _exit(3);
}

std::unique_ptr<tessera::Store> WorkerProcess::open_store() const {
  tessera::OpenOptions opening;
  opening.connections_max = 3;
  opening.connect_timeout = 1000ms;
  opening.portable_statements = options_.slot % 4 == 3;  // both ways to draw, side by side
  while (!over_) {
    auto opened = tessera::open_store(options_.url, opening);
    if (opened) return std::move(*opened);
    if (!is_weather(opened.error().code)) refuse(opened.error().message);
    std::this_thread::sleep_for(20ms);
  }
  return nullptr;
}

WorkerProcess::Thread WorkerProcess::make_thread(std::uint8_t index) const {
  return {index,
          Dice(options_.seed * 1009 + options_.slot * 101 + options_.incarnation * 11 + index)};
}

void WorkerProcess::write_down(Thread& thread, Order order, std::span<const Segment> ranges,
                               std::uint64_t invoked_ns, std::uint64_t returned_ns,
                               std::uint64_t key) {
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
    if (write(log_, &record, sizeof record) != sizeof record) refuse("the log cannot be written");
    counters_.ids += range.size();
  }
}

void WorkerProcess::complain(const Error& error) {
  ++counters_.refusals;
  if (!is_weather(error.code)) refuse(std::string(name_of(error.code)) + ": " + error.message);
}

}  // namespace segment_storm
