#pragma once

// Where answers and complaints go. Data goes to standard output, everything else to
// standard error.

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "exit.h"

namespace tessera::cli {

// A file descriptor with a large buffer. A reader that has gone away (a broken pipe) ends the
// program quietly; any other failure ends it with a complaint and Exit::io.
//
// Who writes much gets a thread that writes, and fills the next buffer meanwhile: to copy a text
// into a pipe takes as long as to make it. For one thread only, as far as callers are concerned.
class Output {
 public:
  explicit Output(int fd);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  void write(std::string_view text);
  void line(std::string_view text) {
    write(text);
    write("\n");
  }

  // Room for `size` bytes (at most kSpace) to be filled in place, then commit() of what was.
  static constexpr std::size_t kSpace = 64 * 1024;
  std::span<char> space(std::size_t size);
  void commit(std::size_t size);

  void flush();

  // How the program ends if its reader goes away. A reader of IDs has what it wanted, and that
  // is good; whoever promised more by its exit code says so here.
  void end_broken_pipe_with(Exit exit) noexcept { broken_pipe_exit_ = exit; }

  // The one of this process.
  static Output& standard();

 private:
  struct Buffer {
    std::vector<char> bytes;
    std::size_t used = 0;
  };

  void pass_on();  // the current buffer; there is an empty one after
  void write_out(const char* data, std::size_t size);
  void write_in_background();

  int fd_;
  std::vector<Buffer> buffers_;
  Buffer* current_;
  std::size_t passed_ = 0;  // buffers, to the thread or written here
  Exit broken_pipe_exit_ = Exit::good;

  std::thread writer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t written_ = 0;  // buffers, under mutex_, as the next two
  std::size_t queued_ = 0;   // up to this one
  bool over_ = false;
};

// "tessera: message", and "hint: …" on a line of its own. Untrusted text in it must have
// been made printable.
void complain(std::string_view message, std::string_view hint = {});

// complain(), and the exit code of a wrong command line.
Exit usage_error(std::string_view message, std::string_view hint = {});

}  // namespace tessera::cli
