// storm: mints IDs of one kind from many threads and processes while they fork, and writes
// all of them to a log. It judges nothing: storm_check reads the log.
//
// This process mints nothing itself, so that every process it starts is as good as new.
// Exit 0: minted. 1: something failed or hung, a broken promise in itself. 2: usage, no room.

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios.h"

namespace storm {
namespace {

using Seconds = std::chrono::duration<double>;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kStallMax{180};

struct Options {
  const Kind* kind = nullptr;
  std::string log_path;
  std::uint64_t ids = 3'000'000;
  std::uint64_t forks = kSanitized ? 96 : 960;
  std::uint64_t seed = static_cast<std::uint64_t>(time(nullptr));
};

[[noreturn]] void usage() {
  std::fprintf(stderr,
               "usage: storm --kind KIND --log FILE [--ids N] [--forks N] [--seed N]\n"
               "       storm --bug BUG   --log FILE ...   mint with a known bug\n");
  for (const auto& kind : all_kinds()) std::fprintf(stderr, "  KIND %s\n", kind.name.data());
  for (const auto& bug : all_bugs()) std::fprintf(stderr, "  BUG  %s\n", bug.name.data());
  std::exit(2);
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) usage();
  return number;
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string_view value = argv[i + 1];
    if (name == "--kind") {
      options.kind = find_kind(all_kinds(), value);
    } else if (name == "--bug") {
      options.kind = find_kind(all_bugs(), value);
    } else if (name == "--log") {
      options.log_path = value;
    } else if (name == "--ids") {
      options.ids = number_of(value);
    } else if (name == "--forks") {
      options.forks = number_of(value);
    } else if (name == "--seed") {
      options.seed = number_of(value);
    } else {
      usage();
    }
  }
  if (options.kind == nullptr || options.log_path.empty() || argc % 2 == 0) usage();
  return options;
}

// How many blocks a storm takes at most: what was asked for, with a block for each thread that
// is not full; for each fork a child with two below it, of two streams each; and the rest.
std::uint64_t block_count_max(const Options& options) {
  const std::uint64_t per_block = ids_per_block(options.kind->id_size);
  const std::uint64_t per_fork = 3 * 2 * (kChildIdsMax / per_block + 2);
  constexpr std::uint64_t kRest = 8'192;
  return (options.ids + 2 * kTurns) / per_block + (options.forks + 100) * per_fork + kRest;
}

// Starts processes and waits for them, with a line on the terminal meanwhile.
class Director {
 public:
  explicit Director(Storm& storm) : storm_(storm) {}

  void start(const std::function<void()>& body) {
    const pid_t process = fork();
    if (process < 0) storm_.log.fail("could not start a process");
    if (process == 0) {
      body();
      leave(0);
    }
    running_.push_back(process);
  }

  // False if one of them failed; then the others are ended too.
  bool wait_for_all() {
    auto seen = progress();
    auto seen_at = steady_clock::now();
    while (!running_.empty()) {
      if (!reap()) return end_all();
      if (progress() != seen) {
        seen = progress();
        seen_at = steady_clock::now();
      } else if (steady_clock::now() - seen_at > kStallMax) {
        why_ = "nothing was minted for " + std::to_string(kStallMax.count()) + " s";
        return end_all();
      }
      show();
      pause_us_ = std::min(pause_us_ * 2, 50'000u);
      usleep(pause_us_);
    }
    pause_us_ = 50;
    return true;
  }

  void clear_line() const {
    if (on_terminal_) std::fprintf(stderr, "\r\033[K");
  }
  std::string why() const { return storm_.log.failure().empty() ? why_ : storm_.log.failure(); }
  double seconds() const { return Seconds(steady_clock::now() - began_).count(); }
  std::uint64_t minted() const {  // a little too many: blocks are not always full
    return storm_.log.blocks_used() * ids_per_block(storm_.kind.id_size);
  }

 private:
  bool reap() {
    for (std::size_t i = 0; i < running_.size();) {
      int status = 0;
      const pid_t ended = waitpid(running_[i], &status, WNOHANG);
      if (ended == 0) {
        ++i;
        continue;
      }
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      if (ended < 0 || status != 0) {
        why_ = "a process ended with status " + std::to_string(status);
        return false;
      }
    }
    return true;
  }

  bool end_all() {
    for (const pid_t process : running_) kill(process, SIGKILL);
    for (const pid_t process : running_) waitpid(process, nullptr, 0);
    running_.clear();
    return false;
  }

  std::uint64_t progress() const { return storm_.log.blocks_used() + storm_.log.fork_count(); }

  void show() const {
    if (!on_terminal_) return;
    std::fprintf(stderr, "\r\033[K%s: %.1f of %.1f million IDs, %llu forks, %.0f s",
                 storm_.kind.name.data(), static_cast<double>(minted()) / 1e6,
                 static_cast<double>(storm_.ids) / 1e6,
                 static_cast<unsigned long long>(storm_.log.fork_count()), seconds());
  }

  Storm& storm_;
  std::vector<pid_t> running_;
  std::string why_;
  unsigned pause_us_ = 50;
  bool on_terminal_ = isatty(STDERR_FILENO) == 1;
  steady_clock::time_point began_ = steady_clock::now();
};

bool rage(Storm& storm, Director& director) {
  Dice dice(storm.seed);
  for (unsigned i = 0; i < kFirstUses; ++i) {
    director.start([&, delay = dice.below(3'000)] { fork_at_first_use(storm, delay); });
    if (!director.wait_for_all()) return false;
  }
  for (const auto part : {take_turns, fork_in_fresh_ms, clone_in_fresh_ms, nest_pid_namespaces}) {
    director.start([&] { part(storm); });
    if (!director.wait_for_all()) return false;
  }
  for (unsigned process = 0; process < kProcesses; ++process) {
    director.start([&, process] { fork_storm(storm, process); });
  }
  return director.wait_for_all();
}

int run(const Options& options) {
  Log log(options.log_path, options.kind->name, options.kind->id_size, options.kind->ordered,
          block_count_max(options), options.seed);
  Storm storm{log, *options.kind, options.ids, options.forks, options.seed};
  Director director(storm);
  const bool done = rage(storm, director);
  director.clear_line();
  if (!done) {
    std::fprintf(stderr, "storm: %s: %s\n  seed %llu\n", options.kind->name.data(),
                 director.why().c_str(), static_cast<unsigned long long>(options.seed));
    return 1;
  }
  std::printf("%s: minted by %llu processes in %.1f s, seed %llu\n", options.kind->name.data(),
              static_cast<unsigned long long>(log.fork_count() + kFirstUses + kProcesses + 4),
              director.seconds(), static_cast<unsigned long long>(options.seed));
  return 0;
}

}  // namespace
}  // namespace storm

int main(int argc, char** argv) { return storm::run(storm::read_options(argc, argv)); }
