#pragma once

// A worker: one process that takes numbers on several threads, and writes down what it got before
// it asks for more. Ends by SIGTERM, by SIGKILL, or by an error that no crash of others explains.

#include <cstdint>
#include <string>

#include "bugs.h"

namespace segment_storm {

// The scopes of segments, one for each of the first orders.
inline constexpr const char* kScopes[] = {"PROCESS", "STRICT", "KEYED"};
inline constexpr int kStep = 100;

struct WorkerOptions {
  std::string url;
  std::string folder;  // of logs, counters and witnesses
  unsigned slot = 0;
  unsigned incarnation = 0;
  std::uint64_t seed = 0;
  Bug bug = Bug::none;
};

// 0: asked to end. 3: refused; the reason is on stderr.
int work(const WorkerOptions& options);
// The same, making Snowflakes with a leased machine number.
int work_with_lease(const WorkerOptions& options);

}  // namespace segment_storm
