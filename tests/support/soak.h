#pragma once

// How long a test of concurrency or endurance runs: a moment in ctest, so that it is always
// tried, and as long as TESSERA_SOAK_SECONDS says under `make soak`.

#include <chrono>
#include <cstdlib>

namespace tessera {

inline std::chrono::milliseconds soak_time() {
  const char* seconds = std::getenv("TESSERA_SOAK_SECONDS");
  if (seconds == nullptr) return std::chrono::milliseconds(500);
  return std::chrono::seconds(std::atoi(seconds));
}

}  // namespace tessera
