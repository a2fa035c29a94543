#pragma once

// A progress bar for long work, on standard error and only if that is a terminal and
// standard output is not (the bar would run through the answers).

#include <chrono>
#include <cstdint>
#include <string_view>

namespace tessera::cli {

class Progress {
 public:
  // `total` 0: not known; then only the count and the rate are shown.
  Progress(std::string_view what, std::uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void update(std::uint64_t done);

 private:
  void draw(std::uint64_t done);

  std::string_view what_;
  std::uint64_t total_;
  bool on_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace tessera::cli
