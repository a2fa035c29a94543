#include "process.h"

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

namespace storm {
namespace {

constexpr unsigned kChildSMax = 20;  // a child needs milliseconds; a busy machine has time
constexpr std::uint64_t kMachinesMax = 4096;

pid_t clone_process(unsigned long flags) noexcept {
  return static_cast<pid_t>(syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, 0UL));
}

pid_t try_copy(Copy how) noexcept {
  switch (how) {
    case Copy::fork: return ::fork();
    case Copy::raw_clone: return clone_process(0);
    case Copy::pid_namespace: break;
  }
  const pid_t child = clone_process(CLONE_NEWPID);
  // Who is not root may still own a namespace of users, and be root in there.
  return child < 0 && errno == EPERM ? clone_process(CLONE_NEWPID | CLONE_NEWUSER) : child;
}

[[noreturn]] void fail_with(Log& log, const char* what, const char* why, int number) noexcept {
  std::array<char, 256> words{};
  std::snprintf(words.data(), words.size(), "%s: %s (%d)", what, why, number);
  log.fail(words.data());
}

}  // namespace

pid_t copy_process(Storm& storm, Copy how) noexcept {
  const pid_t child = try_copy(how);
  if (child < 0 && how == Copy::pid_namespace) {
    fail_with(
        storm.log,
        "this machine allows no PID namespaces, without which nothing is proved; run as root, "
        "or allow namespaces of users",
        std::strerror(errno), errno);
  }
  if (child < 0) fail_with(storm.log, "could not fork", std::strerror(errno), errno);
  if (child > 0) {
    storm.log.count_fork();
    return child;
  }
  alarm(kChildSMax);
  if (how == Copy::pid_namespace && syscall(SYS_getpid) != 1) {
    storm.log.fail("a child in a new PID namespace is not process 1");
  }
  return 0;
}

void wait_for(Storm& storm, pid_t child) noexcept {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      fail_with(storm.log, "could not wait for a child", std::strerror(errno), errno);
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    storm.log.fail(
        "a forked child hangs in its first calls: it waits for a lock that a thread "
        "held which is not there");
  }
  if (WIFSIGNALED(status)) {
    fail_with(storm.log, "a child died", strsignal(WTERMSIG(status)), WTERMSIG(status));
  }
  if (WEXITSTATUS(status) != 0) {
    fail_with(storm.log, "a child failed", "exit code", WEXITSTATUS(status));
  }
}

void mint(Storm& storm, Stream& stream, std::uint64_t count) noexcept {
  while (count > 0) {
    std::optional<tessera::MintError> error;
    std::uint64_t minted = 1;
    if (count > 1 && storm.kind.mint_many != nullptr && stream.dice().one_in(64)) {
      std::array<std::uint8_t, kBatchMax * kIdSizeMax> ids;
      minted = std::min<std::uint64_t>(count, 1 + stream.dice().below(kBatchMax));
      error = storm.kind.mint_many(ids.data(), minted);
      if (!error) stream.append(ids.data(), minted);
    } else {
      error = storm.kind.mint(stream.next().data());
      if (!error) stream.commit();
    }
    if (!error) {
      count -= minted;
    } else if (*error == tessera::MintError::too_far_ahead) {
      sched_yield();
    } else {
      fail_with(storm.log, "could not mint", name_of(*error).data(), static_cast<int>(*error));
    }
  }
}

bool begin_child(Storm& storm) noexcept {
  if (storm.kind.take_machine == nullptr) return true;
  std::array<std::uint8_t, kIdSizeMax> id{};
  for (int i = 0; i < 3; ++i) {
    if (storm.kind.mint(id.data()) != tessera::MintError::forked) {
      storm.log.fail("a generator bound to its process mints in a forked child");
    }
  }
  const std::uint64_t machine = storm.log.new_machine();
  if (machine >= kMachinesMax) return false;
  storm.kind.take_machine(machine);
  return true;
}

Floor floor_for_child(const Storm& storm, const Stream& stream) noexcept {
  return storm.kind.above_parent ? stream.last() : Floor{};
}

void await_fresh_ms() noexcept {
  const auto now_ms = [] {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_nsec / 1'000'000;
  };
  const auto before = now_ms();
  while (now_ms() == before) {
  }
}

}  // namespace storm
