#pragma once

// A progress bar for long work, on standard error and only if that is a terminal. Not if
// answers go to a terminal too while it is drawn: it would run through them.

#include <chrono>
#include <cstdint>
#include <string_view>

namespace tessera::cli {

class Progress {
 public:
  enum class Answers : std::uint8_t { are_streamed, come_at_the_end };

  // `total` 0: not known; then only the count and the rate are shown.
  Progress(std::string_view what, std::uint64_t total, Answers answers);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  void update(std::uint64_t done);
  // Before anything else is written to the terminal.
  void clear();

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
