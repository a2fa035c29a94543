// Kills, stops and restarts.

#include "nemesis.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "counters.h"
#include "server_nemesis.h"
#include "storm/dice.h"
#include "tessera/store/store.h"
#include "worker.h"

namespace segment_storm {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using storm::Dice;

constexpr std::chrono::seconds kStallMax{30};

// What workers take for the time, by libfaketime; their monotonic clock goes on.
class Clocks {
 public:
  explicit Clocks(std::string folder) : folder_(std::move(folder)) {}

  // An hour ahead, an hour behind, or right again.
  void jump(std::size_t index, Dice& dice) {
    static constexpr std::array<const char*, 3> kOffsets = {"+3600", "-3600", "+0"};
    set(index, kOffsets[dice.below(kOffsets.size())]);
  }

  std::vector<std::string> environment(std::size_t index) {
    if (!std::filesystem::exists(file_of(index))) set(index, "+0");
    auto variables = own_environment();
    variables.insert(
        variables.end(),
        {"LD_PRELOAD=" + library(), "FAKETIME_TIMESTAMP_FILE=" + file_of(index),
         "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_DISABLE_SHM=1"});
    return variables;
  }
  static std::vector<std::string> own_environment() {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      variables.emplace_back(*variable);
    }
    return variables;
  }

 private:
  std::string file_of(std::size_t index) const {
    return folder_ + "/clock." + std::to_string(index);
  }

  void set(std::size_t index, const char* offset) const {
    const std::string file = file_of(index);
    std::ofstream(file + ".new") << offset << "\n";
    std::filesystem::rename(file + ".new", file);
  }

  static std::string library() {
    for (const auto& entry : std::filesystem::directory_iterator("/usr/lib")) {
      const auto found = entry.path() / "faketime/libfaketimeMT.so.1";
      if (std::filesystem::exists(found)) return found.string();
    }
    std::fprintf(stderr, "no libfaketime; tools/install-deps test installs it\n");
    std::exit(2);
  }

  const std::string folder_;
};

// The processes. Not thread-safe: a worker dies with the thread that started it.
class Workers {
 public:
  Workers(const StormOptions& options, std::string program, std::string url, StormReport& report)
      : options_(options),
        program_(std::move(program)),
        url_(std::move(url)),
        report_(report),
        slots_(options.workers),
        clocks_(options.folder) {
    for (unsigned slot = 0; slot < slots_.size(); ++slot) start(slot);
  }
  ~Workers() {
    for (auto& slot : slots_) {
      if (slot.pid > 0) kill_and_wait(slot);
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // One blow. False if a worker has ended by itself.
  bool strike(Dice& dice) {
    const auto now = steady_clock::now();
    for (unsigned i = 0; i < slots_.size(); ++i) {
      Slot& slot = slots_[i];
      if (slot.pid < 0 && now >= slot.due) start(i);
      if (slot.stopped && now >= slot.due) {
        kill(slot.pid, SIGCONT);
        slot.stopped = false;
      }
      if (slot.pid > 0 && !still_runs(slot)) return false;
    }
    Slot& slot = slots_[dice.below(slots_.size())];
    const bool kills = dice.one_in(2);
    if (is_leasing() && slots_.size() > 1 && dice.one_in(4)) {
      clocks_.jump(2 * dice.below(slots_.size() / 2) + 1, dice);
      ++report_.clock_jumps;
    }
    if (slot.pid < 0 || slot.stopped) return true;
    slot.due = now + pause_of(dice, kills);
    if (kills) {
      ++report_.worker_kills;
      kill_and_wait(slot);
    } else {
      ++report_.worker_stops;
      kill(slot.pid, SIGSTOP);
      slot.stopped = true;
    }
    return true;
  }

  // As an operator would. False if one of them does not end well.
  bool end() {
    for (auto& slot : slots_) {
      if (slot.pid < 0) continue;
      kill(slot.pid, SIGCONT);
      kill(slot.pid, SIGTERM);
    }
    const auto deadline = steady_clock::now() + kStallMax;
    for (auto& slot : slots_) {
      while (slot.pid > 0) {
        if (!still_runs(slot)) return false;
        if (slot.pid > 0 && steady_clock::now() > deadline) {
          report_.failure = "a worker does not end";
          return false;
        }
        std::this_thread::sleep_for(5ms);
      }
    }
    return true;
  }

 private:
  struct Slot {
    pid_t pid = -1;
    unsigned incarnations = 0;
    bool stopped = false;
    steady_clock::time_point due;  // when it is started again, or continued
  };

  bool is_leasing() const { return options_.wares == Wares::leases; }

  // Often for longer than a draw may take, or a lease lives.
  std::chrono::milliseconds pause_of(Dice& dice, bool kills) const {
    if (is_leasing() && !kills && dice.one_in(2))
      return std::chrono::milliseconds(3000 + dice.below(4000));
    return std::chrono::milliseconds(dice.one_in(8) ? dice.below(1500) : dice.below(150));
  }

  void start(unsigned index) {
    Slot& slot = slots_[index];
    const std::string incarnation = std::to_string(slot.incarnations++);
    const std::string number = std::to_string(index);
    const std::string seed = std::to_string(options_.seed);
    const char* const arguments[] = {program_.c_str(),
                                     "--worker",
                                     url_.c_str(),
                                     options_.folder.c_str(),
                                     number.c_str(),
                                     incarnation.c_str(),
                                     seed.c_str(),
                                     options_.bug_name.c_str(),
                                     is_leasing() ? "leases" : "segments",
                                     nullptr};
    // Here, not in the child: other threads may be allocating.
    // Every other one has a clock that jumps.
    const auto variables =
        is_leasing() && index % 2 == 1 ? clocks_.environment(index) : Clocks::own_environment();
    std::vector<const char*> environment;
    for (const std::string& variable : variables) environment.push_back(variable.c_str());
    environment.push_back(nullptr);
    const pid_t parent = getpid();
    slot.pid = fork();
    if (slot.pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      execve(arguments[0], const_cast<char* const*>(arguments),
             const_cast<char* const*>(environment.data()));
      _exit(127);
    }
    if (slot.pid < 0) report_.failure = "could not start a worker";
    ++report_.worker_starts;
  }

  void kill_and_wait(Slot& slot) {
    kill(slot.pid, SIGKILL);
    int status = 0;
    while (waitpid(slot.pid, &status, 0) < 0 && errno == EINTR) {
    }
    slot.pid = -1;
    slot.stopped = false;
  }

  // Or has ended as it should. With a bug the allocator may notice, and give up: a new one comes.
  bool still_runs(Slot& slot) {
    int status = 0;
    const pid_t ended = waitpid(slot.pid, &status, WNOHANG);
    if (ended == 0) return true;
    slot.pid = -1;
    slot.stopped = false;
    slot.due = steady_clock::now();
    // By us, perhaps before it was ready to be asked.
    if (status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM)) return true;
    if (options_.bug != Bug::none && WIFEXITED(status) && WEXITSTATUS(status) == 3) return true;
    report_.failure = "a worker ended with status " + std::to_string(status);
    return false;
  }

  const StormOptions& options_;
  const std::string program_;
  const std::string url_;
  StormReport& report_;
  std::vector<Slot> slots_;
  Clocks clocks_;
};

bool make_scopes(const std::string& url, StormReport& report) {
  const auto made = tessera::init_store(url);
  const auto store = tessera::open_store(url);
  if (!made || !store) {
    report.failure = made ? store.error().message : made.error().message;
    return false;
  }
  for (const char* name : kScopes) {
    tessera::Scope scope;
    scope.name = name;
    scope.step = kStep;
    if (name == std::string("STRICT")) scope.order = tessera::Scope::Order::strict;
    if (const auto created = (*store)->scopes().create(scope); !created) {
      report.failure = created.error().message;
      return false;
    }
  }
  return true;
}

// What a storm must have had to be one.
void judge(const StormOptions& options, const Counters& counters, StormReport& report) {
  if (!report.failure.empty() || options.time < 4s) return;
  if (options.wares == Wares::leases && options.bug == Bug::none && options.time >= 10s) {
    if (counters.leases_taken_over == 0 || counters.leases_lost == 0) {
      report.weakness = "no machine number went from one to another, or none was lost";
    } else if (report.clock_jumps == 0) {
      report.weakness = "no clock jumped";
    }
  }
  if (report.worker_kills == 0 || report.worker_stops == 0) {
    report.failure = "no worker was killed, or none was stopped";
  } else if (options.store != StoreChoice::sqlite && report.server_kills == 0 &&
             report.server_shutdowns == 0) {
    report.failure = "the server was not struck";
  } else if (options.store == StoreChoice::etcd_network && report.server_cuts == 0) {
    report.failure = "no member was cut off";
  } else if (options.store == StoreChoice::postgres_standby && report.promotions == 0) {
    report.failure = "no standby was promoted";
  }
}

}  // namespace

StormReport rage(const StormOptions& options, const std::string& program) {
  StormReport report;
  Counters& counters = map_counters(options.folder + "/counters");
  const auto nemesis = make_server_nemesis(options, report);
  const std::string url = nemesis ? nemesis->url() : "sqlite:" + options.folder + "/ids.db";
  if (!make_scopes(url, report)) return report;  // of leases the first claim makes one

  Workers workers(options, program, url, report);
  // A new leader of etcd lets all leases live anew: some must end between two.
  const bool is_leasing = options.wares == Wares::leases;
  if (nemesis) nemesis->begin(is_leasing ? 1'500 : 800);
  {
    Dice dice(options.seed);
    std::uint64_t seen = 0;
    auto seen_at = steady_clock::now();
    const auto end = seen_at + options.time;
    while (steady_clock::now() < end && report.failure.empty()) {
      std::this_thread::sleep_for(
          std::chrono::milliseconds(10 + dice.below(is_leasing ? 200 : 120)));
      if (!workers.strike(dice)) break;
      if (counters.ids != seen) {
        seen = counters.ids;
        seen_at = steady_clock::now();
      } else if (steady_clock::now() - seen_at > kStallMax) {
        report.failure = "nobody got a number for " + std::to_string(kStallMax.count()) + " s";
      }
    }
  }
  if (nemesis) nemesis->end();
  if (report.failure.empty()) workers.end();
  judge(options, counters, report);
  return report;
}

}  // namespace segment_storm
