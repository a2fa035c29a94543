// Starts, looks at and ends processes.

#include "support/process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

namespace tessera::servers {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kAmple{100};

// 'R', 'S', 'T' and so on; 0 of one that is not there.
char state_of(const std::string& process) {
  const std::string stat = contents(process + "/stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && name_end + 2 < stat.size() ? stat[name_end + 2] : '\0';
}

void wait_for_child(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

void give_up(const std::string& why) {
  std::fprintf(stderr, "servers: %s\n", why.c_str());
  std::fflush(stderr);
  _exit(1);
}

// An istreambuf_iterator would throw where this stops.
std::string contents(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return std::move(out).str();
}

std::uint16_t free_port() {
  static std::mutex mutex;
  static std::set<std::uint16_t> given;
  const std::lock_guard one(mutex);
  std::random_device random;
  for (int tries = 0; tries < 1000; ++tries) {
    const auto port = static_cast<std::uint16_t>(10'000 + random() % 22'000);
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool free =
        bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(descriptor);
    if (free && given.insert(port).second) return port;
  }
  give_up("no free port");
}

bool is_running(pid_t pid) {
  const char state = state_of("/proc/" + std::to_string(pid));
  return state != '\0' && state != 'Z';
}

bool is_stopped(pid_t pid) {
  std::error_code gone;
  for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone)) {
    const char state = state_of(task.path().string());
    if (state != 'T' && state != 'Z' && state != '\0') return false;
  }
  return true;
}

bool comes_true(const std::function<bool()>& holds, std::chrono::milliseconds pause) {
  const auto deadline = std::chrono::steady_clock::now() + kAmple;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

KeptProcess::KeptProcess(KeptProcess&& other) noexcept
    : keeper_(std::exchange(other.keeper_, -1)),
      keeper_input_(std::exchange(other.keeper_input_, -1)),
      pid_(std::exchange(other.pid_, -1)) {}

void KeptProcess::end() {
  if (keeper_ < 0) return;
  close(std::exchange(keeper_input_, -1));  // the keeper ends the process
  wait_for_child(std::exchange(keeper_, -1));
}

void KeptProcess::start(const std::string& command, const Place& place) {
  // The keeper reads until we close our end, which the kernel does for us if we crash. It then
  // ends the process at once: nobody needs its data any more.
  const std::string pid_file = place.folder + "/keeper.pid";
  const std::string script = "cd /; " + command + " >>" + place.folder +
                             "/server.log 2>&1 </dev/null & p=$!; echo $p >" + pid_file +
                             ".new; mv " + pid_file + ".new " + pid_file +
                             "; read x; if [ \"$x\" != done ]; then kill -CONT $p; kill -" +
                             place.last + " $p; wait $p; rm -rf " + place.removed + "; fi";
  unlink(pid_file.c_str());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) give_up("no pipe");
  const pid_t keeper = fork();
  if (keeper < 0) give_up("no process");
  if (keeper == 0) {
    dup2(ends[0], 0);
    const int log =
        open((place.folder + "/keeper.log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(log, 1);  // not ours: ctest waits for all who hold it
    dup2(log, 2);
    setsid();
    execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
    _exit(127);
  }
  close(ends[0]);
  keeper_ = keeper;
  keeper_input_ = ends[1];
  pid_t pid = 0;
  if (!comes_true([&] { return static_cast<bool>(std::ifstream(pid_file) >> pid); })) {
    give_up("a process does not start: " + command);
  }
  pid_ = pid;
}

void KeptProcess::dismiss() {
  if (keeper_ < 0) return;
  if (write(keeper_input_, "done\n", 5) != 5) give_up("the keeper is gone");
  end();
}

}  // namespace tessera::servers
