// Kills, stops and restarts.

#include "nemesis.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "counters.h"
#include "storm/dice.h"
#include "support/servers.h"
#include "tessera/store/store.h"
#include "worker.h"

namespace segment_storm {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using storm::Dice;
using tessera::servers::Server;

constexpr std::chrono::seconds kStallMax{30};

// The processes. Not thread-safe: a worker dies with the thread that started it.
class Workers {
 public:
  Workers(const StormOptions& options, std::string program, std::string url, StormReport& report)
      : options_(options),
        program_(std::move(program)),
        url_(std::move(url)),
        report_(report),
        slots_(options.workers) {
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
    const auto pause =
        std::chrono::milliseconds(dice.one_in(8) ? dice.below(1500) : dice.below(150));
    const bool kills = dice.one_in(2);
    if (slot.pid < 0 || slot.stopped) return true;
    slot.due = now + pause;
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

  void start(unsigned index) {
    Slot& slot = slots_[index];
    const std::string incarnation = std::to_string(slot.incarnations++);
    const std::string number = std::to_string(index);
    const std::string seed = std::to_string(options_.seed);
    const char* const arguments[] = {
        program_.c_str(), "--worker",          url_.c_str(), options_.folder.c_str(),
        number.c_str(),   incarnation.c_str(), seed.c_str(), options_.bug_name.c_str(),
        nullptr};
    const pid_t parent = getpid();
    slot.pid = fork();
    if (slot.pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      execv(arguments[0], const_cast<char* const*>(arguments));
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
};

// Strikes the server every few seconds, on a thread of its own: it takes a while to come back.
class ServerNemesis {
 public:
  ServerNemesis(Server& server, Server::Kind kind, std::uint64_t seed, StormReport& report)
      : server_(server), kind_(kind), dice_(seed ^ 0x5E2F), report_(report), thread_([this] {
          run();
        }) {}
  ~ServerNemesis() { end(); }
  ServerNemesis(const ServerNemesis&) = delete;
  ServerNemesis& operator=(const ServerNemesis&) = delete;

  // The server is up afterwards.
  void end() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run() {
    constexpr std::uint64_t kKill = 2;
    std::uint64_t what = kKill;  // at first, so that every storm has one
    for (; rest(800 + dice_.below(1'500)); what = dice_.below(5)) {
      switch (what) {
        case 0:
          ++report_.server_stops;
          server_.freeze();
          rest(100 + dice_.below(900));
          server_.thaw();
          break;
        case 1:
          ++report_.server_shutdowns;
          // PostgreSQL's immediate shutdown: no checkpoint, recovery at the next start.
          if (kind_ == Server::Kind::postgres) kill(server_.pid(), SIGQUIT);
          server_.restart();
          break;
        default:
          ++report_.server_kills;
          server_.kill();
          rest(dice_.below(300));
          server_.restart();
      }
    }
  }

  // False when it is over.
  bool rest(std::uint64_t time_ms) {
    const auto end = steady_clock::now() + std::chrono::milliseconds(time_ms);
    while (!over_ && steady_clock::now() < end) std::this_thread::sleep_for(10ms);
    return !over_;
  }

  Server& server_;
  const Server::Kind kind_;
  Dice dice_;
  StormReport& report_;
  std::atomic<bool> over_{false};
  std::thread thread_;
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
void judge(const StormOptions& options, StormReport& report) {
  if (!report.failure.empty() || options.time < 4s) return;
  if (report.worker_kills == 0 || report.worker_stops == 0) {
    report.failure = "no worker was killed, or none was stopped";
  } else if (options.store != StoreChoice::sqlite && report.server_kills == 0 &&
             report.server_shutdowns == 0) {
    report.failure = "the server was not struck";
  }
}

}  // namespace

StormReport rage(const StormOptions& options, const std::string& program) {
  StormReport report;
  Counters& counters = map_counters(options.folder + "/counters");
  std::unique_ptr<Server> server;
  std::string url = "sqlite:" + options.folder + "/ids.db";
  const auto kind =
      options.store == StoreChoice::postgres ? Server::Kind::postgres : Server::Kind::mariadb;
  if (options.store != StoreChoice::sqlite) {
    server = std::make_unique<Server>(kind);
    url = server->fresh_database();
  }
  if (!make_scopes(url, report)) return report;

  Workers workers(options, program, url, report);
  {
    std::unique_ptr<ServerNemesis> server_nemesis;
    if (server) {
      server_nemesis = std::make_unique<ServerNemesis>(*server, kind, options.seed, report);
    }
    Dice dice(options.seed);
    std::uint64_t seen = 0;
    auto seen_at = steady_clock::now();
    const auto end = seen_at + options.time;
    while (steady_clock::now() < end && report.failure.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10 + dice.below(120)));
      if (!workers.strike(dice)) break;
      if (counters.ids != seen) {
        seen = counters.ids;
        seen_at = steady_clock::now();
      } else if (steady_clock::now() - seen_at > kStallMax) {
        report.failure = "nobody got a number for " + std::to_string(kStallMax.count()) + " s";
      }
    }
  }
  if (report.failure.empty()) workers.end();
  judge(options, report);
  return report;
}

}  // namespace segment_storm
