#pragma once

// Processes of servers that tests start: kept by a shell that ends them when the test program ends,
// however that comes about; looked at through /proc; waited for, but never for ever.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace tessera::servers {

// Ends the program: where a server cannot be had, tests are not skipped.
[[noreturn]] void give_up(const std::string& why);

// Of a file; as far as it goes if it cannot be read: a process may end while we read of it.
std::string contents(const std::string& path);

// From below the ports that the kernel gives to clients (32768 and up): one of those could take
// the port while its server is down for a moment, and the server could not come back. None is given
// twice. Another program may still take it before its server does; then that says so.
std::uint16_t free_port();

// A child that has ended stays in the table until its keeper asks for it: it does not run.
bool is_running(pid_t pid);
// Every thread of it: a signal to stop reaches them one after another.
bool is_stopped(pid_t pid);

// Asks again and again. False if it has not come true in that time, which is ample for what must
// happen, and less than ctest waits: who is told can say what went wrong.
[[nodiscard]] bool comes_true(const std::function<bool()>& holds,
                              std::chrono::milliseconds pause = std::chrono::milliseconds(1));

// A command that runs until we end it, or are gone.
class KeptProcess {
 public:
  KeptProcess() = default;
  ~KeptProcess() { end(); }
  KeptProcess(KeptProcess&& other) noexcept;
  KeptProcess& operator=(KeptProcess&&) = delete;
  KeptProcess(const KeptProcess&) = delete;
  KeptProcess& operator=(const KeptProcess&) = delete;

  struct Place {
    std::string folder;         // gets server.log, keeper.log and keeper.pid
    std::string removed;        // when we are gone
    const char* last = "KILL";  // the signal that ends it then
  };
  void start(const std::string& command, const Place& place);
  void end();
  void dismiss();  // the process has ended by itself: its keeper may go
  pid_t pid() const noexcept { return pid_; }

 private:
  pid_t keeper_ = -1;  // a shell that waits for our end, and then ends the process
  int keeper_input_ = -1;
  pid_t pid_ = -1;
};

}  // namespace tessera::servers
