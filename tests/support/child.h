#pragma once

// Runs a piece of a test in a child process and hands back the bytes that it wrote.
//
//   const auto told = in_child([](Pipe& out) { out.write(Ulid::generate()->bytes); });
//
// The child ends without running destructors or GoogleTest; what it finds, it must tell. A
// child that does not end well, by itself and with 0, fails the test.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace tessera {

// The child's end. Writes all or ends the process.
class Pipe {
 public:
  explicit Pipe(int descriptor) : descriptor_(descriptor) {}

  void write(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
      const ssize_t size = ::write(descriptor_, bytes.data(), bytes.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) _exit(111);
      bytes = bytes.subspan(static_cast<std::size_t>(size));
    }
  }
  void write_byte(std::uint8_t byte) { write({&byte, 1}); }

 private:
  int descriptor_;
};

enum class ForkBy { fork, bare_clone };  // the latter runs no handler of pthread_atfork

// `meanwhile` runs in the parent while the child lives.
inline std::vector<std::uint8_t> in_child(
    const std::function<void(Pipe&)>& child, ForkBy how = ForkBy::fork,
    const std::function<void()>& meanwhile = [] {}) {
  std::vector<std::uint8_t> told;
  int ends[2];
  if (pipe(ends) != 0) {
    ADD_FAILURE() << "no pipe";
    return told;
  }
  const auto id =
      how == ForkBy::fork
          ? fork()
          : static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0));
  if (id == 0) {
    close(ends[0]);
    Pipe out(ends[1]);
    child(out);
    _exit(0);
  }
  close(ends[1]);
  if (id < 0) {
    ADD_FAILURE() << "no child";
  } else {
    meanwhile();
    std::uint8_t buffer[4096];
    while (true) {
      const ssize_t size = read(ends[0], buffer, sizeof buffer);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) break;
      told.insert(told.end(), buffer, buffer + size);
    }
    int status = 0;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "child ended with " << status;
  }
  close(ends[0]);
  return told;
}

}  // namespace tessera
