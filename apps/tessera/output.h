#pragma once

// Where answers and complaints go. Data goes to standard output, everything else to
// standard error.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "exit.h"
#include "given_pages.h"

namespace tessera::cli {

// A file descriptor with a large buffer. A reader that has gone away (a broken pipe) ends the
// program quietly; any other failure ends it with a complaint and Exit::io.
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
  static constexpr std::size_t kSpace = 16 * 1024;
  std::span<char> space(std::size_t size);
  void commit(std::size_t size);

  void flush();

  // How the program ends if its reader goes away. A reader of IDs has what it wanted, and that
  // is good; whoever promised more by its exit code says so here.
  void end_broken_pipe_with(Exit exit) noexcept { broken_pipe_exit_ = exit; }

  // The one of this process.
  static Output& standard();

 private:
  void change_buffer(bool given);
  void take_piece(bool well);
  [[noreturn]] void end_program() const;

  int fd_;
  std::unique_ptr<char[]> own_;  // pages of it that are not used are not made
  std::span<char> buffer_;       // own_, or a piece of given_
  std::size_t used_ = 0;
  std::size_t full_buffers_ = 0;
  std::optional<GivenPages> given_;
  Exit broken_pipe_exit_ = Exit::good;
};

// "tessera: message", and "hint: …" on a line of its own. Untrusted text in it must have
// been made printable.
void complain(std::string_view message, std::string_view hint = {});

// complain(), and the exit code of a wrong command line.
Exit usage_error(std::string_view message, std::string_view hint = {});

}  // namespace tessera::cli
