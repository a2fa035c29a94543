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

std::string time_left(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::min(seconds, 1e15)) + 1;
  if (whole < 120) return std::to_string(whole) + " s left";
  if (whole < 7200) return std::to_string(whole / 60) + " min left";
  return std::to_string(whole / 3600) + " h left";
}

}  // namespace

Progress::Progress(std::string_view what, std::uint64_t total, Answers answers)
    : what_(what),
      total_(total),
      on_(is_terminal(STDERR_FILENO) && !is_dumb_terminal() &&
          (answers == Answers::come_at_the_end || !is_terminal(STDOUT_FILENO))),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + kDelay) {}

void Progress::clear() {
  if (drawn_) write_error("\r\x1b[K");
  drawn_ = false;
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
  std::string line(what_);
  line += ' ';
  if (total_ > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    // A line that is wider than the terminal could not be drawn over.
    constexpr std::size_t kWideEnough = 80;
    constexpr std::size_t kBar = 30;
    if (terminal_width(STDERR_FILENO) >= kWideEnough) {
      const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBar));
      line += "[" + std::string(filled, '#') + std::string(kBar - filled, ' ') + "] ";
    }
    line += std::to_string(static_cast<int>(share * 100)) + "%  ";
  }
  line += number_in_words(static_cast<double>(done)) + ", " + number_in_words(rate) + "/s";
  if (total_ > done && rate > 0) {
    line += ", " + time_left(static_cast<double>(total_ - done) / rate);
  }
  write_error("\r" + line + "\x1b[K");
  drawn_ = true;
}

}  // namespace tessera::cli
