// Buffered standard output.

#include "output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tessera::cli {
namespace {

constexpr std::size_t kBufferSize = 6 * Output::kSpace;  // the best of many, into a pipe
constexpr std::size_t kVeryMuch = 32;                    // full buffers

// The usual 64 KiB of a pipe make writer and reader wait for each other at every turn. What is no
// pipe, or may not grow, stays as it is.
void widen_pipe([[maybe_unused]] int fd) {
#ifdef F_SETPIPE_SZ
  constexpr int kPipeSize = 1024 * 1024;
  (void)::fcntl(fd, F_SETPIPE_SZ, kPipeSize);
#endif
}

// False if nobody reads any more, or it failed; errno says which.
bool write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

Output::Output(int fd)
    : fd_(fd),
      own_(std::make_unique_for_overwrite<char[]>(kBufferSize)),
      buffer_(own_.get(), kBufferSize) {}

Output::~Output() { flush(); }

Output& Output::standard() {
  static Output output(STDOUT_FILENO);
  return output;
}

void Output::write(std::string_view text) {
  while (!text.empty()) {
    if (used_ == buffer_.size()) flush();
    const std::size_t size = std::min(text.size(), buffer_.size() - used_);
    std::memcpy(buffer_.data() + used_, text.data(), size);
    used_ += size;
    text.remove_prefix(size);
  }
}

std::span<char> Output::space(std::size_t size) {
  if (buffer_.size() - used_ < size) flush();
  return {buffer_.data() + used_, size};
}

void Output::commit(std::size_t size) { used_ += size; }

void Output::flush() {
  const std::span<const char> filled = buffer_.first(std::exchange(used_, 0));
  const bool full = filled.size() > buffer_.size() / 2;
  const std::span<const char> rest = full && given_ ? GivenPages::give(fd_, filled) : filled;
  if (!write_all(fd_, rest.data(), rest.size())) end_program();
  if (full) change_buffer(rest.empty());
}

// After a full one. Only who writes much gets a wide pipe, since the memory of all pipes of a user
// has a limit; and only who writes very much is worth huge pages.
void Output::change_buffer(bool given) {
  if (given_) {
    take_piece(given);
  } else if (++full_buffers_ == 1) {
    widen_pipe(fd_);
  } else if (full_buffers_ == kVeryMuch && GivenPages::suit(fd_)) {
    given_.emplace();
    take_piece(true);
  }
}

// What cannot be given once will not be tried again.
void Output::take_piece(bool well) {
  buffer_ = well ? given_->next() : std::span<char>();
  if (!buffer_.empty()) return;
  given_.reset();
  buffer_ = {own_.get(), kBufferSize};
}

void Output::end_program() const {
  // Not exit(): its destructors would come here again.
  if (errno == EPIPE) ::_exit(static_cast<int>(broken_pipe_exit_));
  complain("could not write to standard output: " + std::string(std::strerror(errno)));
  ::_exit(static_cast<int>(Exit::io));
}

void complain(std::string_view message, std::string_view hint) {
  std::string text = "tessera: " + std::string(message) + "\n";
  if (!hint.empty()) text += "hint: " + std::string(hint) + "\n";
  (void)write_all(STDERR_FILENO, text.data(), text.size());
}

Exit usage_error(std::string_view message, std::string_view hint) {
  complain(message, hint);
  return Exit::usage;
}

}  // namespace tessera::cli
