// The progress bar: a line that is drawn over, ten times a second.

#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "terminal.h"
#include "tessera/odds.h"

namespace tessera::cli {
namespace {

constexpr auto kDelay = std::chrono::milliseconds(500);  // short work shows no bar at all
constexpr auto kInterval = std::chrono::milliseconds(100);

void write_error(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress(std::string_view what, std::uint64_t total)
    : what_(what),
      total_(total),
      on_(is_terminal(STDERR_FILENO) && !is_terminal(STDOUT_FILENO)),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + kDelay) {}

Progress::~Progress() {
  if (drawn_) write_error("\r\x1b[K");
}

void Progress::update(std::uint64_t done) {
  if (!on_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  draw(done);
}

void Progress::draw(std::uint64_t done) {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double rate = static_cast<double>(done) / std::max(seconds, 1e-3);
  std::string line = "\r" + std::string(what_) + " ";
  if (total_ > 0) {
    constexpr std::size_t kWidth = 30;
    const auto filled = static_cast<std::size_t>(
        static_cast<double>(kWidth) * static_cast<double>(std::min(done, total_)) /
        static_cast<double>(total_));
    line += "[" + std::string(filled, '#') + std::string(kWidth - filled, ' ') + "] " +
            std::to_string(std::min<std::uint64_t>(done, total_) * 100 / total_) + "%  ";
  }
  line += number_in_words(static_cast<double>(done)) + ", " + number_in_words(rate) + "/s";
  if (total_ > done && rate > 0) {
    const auto left = static_cast<std::uint64_t>(static_cast<double>(total_ - done) / rate) + 1;
    line += ", " + std::to_string(left) + " s left";
  }
  write_error(line + "\x1b[K");
  drawn_ = true;
}

}  // namespace tessera::cli
