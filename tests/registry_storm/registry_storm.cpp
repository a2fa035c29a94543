// registry_storm: four workers create, retire and retry with the same keys on one store, while they
// and the server are killed. When it is over, the store is asked about everything that was
// acknowledged. It judges nothing: registry_storm_check reads the logs.
//
//   registry_storm STORE FOLDER SECONDS SEED BUG       sqlite, postgres or mariadb; none
//
// Exit 0: there was a storm. 1: there was none, or the store did not answer. 2: usage.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "event.h"
#include "storm/dice.h"
#include "support/servers.h"
#include "tessera/registry/registry.h"
#include "tessera/store/store.h"
#include "tessera/system.h"
#include "worker.h"

namespace registry_storm {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using storm::Dice;
using tessera::servers::Server;

struct Storm {
  std::string program, store, folder, bug;
  std::chrono::seconds time{15};
  std::uint64_t seed = 1;
  std::string url;
  std::unique_ptr<Server> server;
  unsigned worker_kills = 0;
  std::atomic<unsigned> server_kills{0};
};

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "registry_storm: %s\n", why.c_str());
  std::exit(1);
}

pid_t start_worker(const Storm& storm, unsigned number) {
  const std::string name = "worker-" + std::to_string(number);
  const std::string seed = std::to_string(storm.seed + number);
  const std::array<const char*, 8> arguments = {
      storm.program.c_str(), "--worker",   storm.url.c_str(), storm.folder.c_str(),
      name.c_str(),          seed.c_str(), storm.bug.c_str(), nullptr};
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    execv(arguments[0], const_cast<char* const*>(arguments.data()));
    _exit(127);
  }
  if (pid < 0) fail("could not start a worker");
  return pid;
}

void end_worker(pid_t pid) {
  kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (!killed) fail("a worker ended by itself, with status " + std::to_string(status));
}

constexpr std::chrono::milliseconds kLogTime{30};

void make_store(Storm& storm) {
  if (storm.store == "sqlite") {
    storm.url = "sqlite:" + storm.folder + "/ids.db";
  } else {
    const bool postgres = storm.store == "postgres";
    storm.server =
        std::make_unique<Server>(postgres ? Server::Kind::postgres : Server::Kind::mariadb);
    // MariaDB shows what is not on disk yet: with a slow disk, as it has half of the time, that is
    // seen.
    if (!postgres) {
      storm.server->set_log_time(kLogTime);
      storm.server->restart();
    }
    storm.url = storm.server->fresh_database();
  }
  const auto types = storm_types();
  const auto made = tessera::init_store(storm.url);
  if (!made) fail(made.error().message);
  const auto tables = tessera::init_registry(storm.url, types);
  if (!tables) fail(tables.error().message);
  const auto store = tessera::open_store(storm.url);
  if (!store) fail(store.error().message);
  tessera::Scope scope;
  scope.name = "S";
  const auto created = (*store)->scopes().create(scope);
  if (!created) fail(created.error().message);
}

void rage(Storm& storm) {
  constexpr unsigned kWorkers = 4;
  Dice dice(storm.seed);
  std::atomic<bool> over{false};
  std::thread server_nemesis([&] {
    Dice server_dice(storm.seed ^ 0x5E2F);
    while (!over && storm.server) {
      const auto end =
          steady_clock::now() + 2s + std::chrono::milliseconds(server_dice.below(2000));
      while (!over && steady_clock::now() < end) std::this_thread::sleep_for(20ms);
      if (over) break;
      ++storm.server_kills;
      storm.server->kill();
      if (storm.store == "mariadb") {
        storm.server->set_log_time(server_dice.one_in(2) ? 0ms : kLogTime);
      }
      storm.server->restart();
    }
  });
  unsigned number = 0;
  std::vector<pid_t> workers;
  for (unsigned i = 0; i < kWorkers; ++i) workers.push_back(start_worker(storm, number++));
  const auto end = steady_clock::now() + storm.time;
  while (steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30 + dice.below(400)));
    pid_t& worker = workers[dice.below(workers.size())];
    end_worker(worker);
    ++storm.worker_kills;
    worker = start_worker(storm, number++);
  }
  over = true;
  server_nemesis.join();
  for (const pid_t worker : workers) end_worker(worker);
}

// What the store says of everything that was acknowledged, when all is quiet.
void ask_about_all(const Storm& storm) {
  std::map<std::string, Event> seen;
  for (const auto& entry : std::filesystem::directory_iterator(storm.folder)) {
    if (entry.path().extension() != ".log") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      Event event;
      if (event.read(line) && event.what == "create") seen[event.id] = event;
    }
  }
  const auto types = storm_types();
  const auto store = tessera::open_store(storm.url);
  if (!store) fail(store.error().message);
  const auto registry = (*store)->registry(types);
  if (!registry) fail(registry.error().message);
  while (true) {  // what the killed ones have left to do
    const auto swept = (*registry)->sweep(500);
    if (!swept) fail(swept.error().message);
    if (!swept->more) break;
  }
  std::ofstream out(storm.folder + "/final.log");
  for (const auto& [id, event] : seen) {
    const tessera::RegisteredType& type = *types.find(event.type);
    const auto found = (*registry)->find({type, event.tenant, *type.parse(id)});
    if (!found) fail(found.error().message);
    Event last = event;
    last.what = "final";
    last.state = found->state == tessera::Issued::State::live      ? "live"
                 : found->state == tessera::Issued::State::deleted ? "deleted"
                                                                   : "never_issued";
    out << last.line();
  }
}

}  // namespace
}  // namespace registry_storm

int main(int argc, char** argv) {
  using namespace registry_storm;
  if (argc == 7 && std::string(argv[1]) == "--worker") {
    return work({argv[2], argv[3], argv[4], std::strtoull(argv[5], nullptr, 10), bug_of(argv[6])});
  }
  if (argc != 6) return 2;
  Storm storm;
  storm.program = std::filesystem::read_symlink("/proc/self/exe").string();
  storm.store = argv[1];
  storm.folder = std::filesystem::absolute(argv[2]).string();
  storm.time = std::chrono::seconds(std::atoi(argv[3]));
  storm.seed = std::strtoull(argv[4], nullptr, 10);
  storm.bug = argv[5];
  static_cast<void>(bug_of(storm.bug));
  make_store(storm);
  rage(storm);
  ask_about_all(storm);
  std::printf("%s: %u workers and %u servers killed, seed %llu\n", storm.store.c_str(),
              storm.worker_kills, storm.server_kills.load(),
              static_cast<unsigned long long>(storm.seed));
  return storm.worker_kills > 0 && (!storm.server || storm.server_kills > 0) ? 0 : 1;
}
