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

constexpr std::size_t kBufferSize = Output::kSpace;
constexpr std::size_t kBufferCount = 16;  // one is enough until there is a thread
constexpr std::size_t kPassedAlone = 4;   // whoever has filled so many will fill more

// The usual 64 KiB of a pipe make writer and reader wait for each other at every turn. What is no
// pipe, or may not grow, stays as it is.
void widen_pipe([[maybe_unused]] int fd) {
#ifdef F_SETPIPE_SZ
  (void)::fcntl(fd, F_SETPIPE_SZ, static_cast<int>(kBufferCount * kBufferSize));
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

Output::Output(int fd) : fd_(fd), buffers_(kBufferCount), current_(buffers_.data()) {
  current_->bytes.resize(kBufferSize);
}

Output::~Output() {
  flush();
  if (!writer_.joinable()) return;
  {
    const std::scoped_lock guard(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  writer_.join();
}

Output& Output::standard() {
  static Output output(STDOUT_FILENO);
  return output;
}

void Output::write(std::string_view text) {
  while (!text.empty()) {
    if (current_->used == kBufferSize) pass_on();
    const std::size_t size = std::min(text.size(), kBufferSize - current_->used);
    std::memcpy(current_->bytes.data() + current_->used, text.data(), size);
    current_->used += size;
    text.remove_prefix(size);
  }
}

std::span<char> Output::space(std::size_t size) {
  if (kBufferSize - current_->used < size) pass_on();
  return {current_->bytes.data() + current_->used, size};
}

void Output::commit(std::size_t size) { current_->used += size; }

void Output::flush() {
  if (current_->used > 0) pass_on();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return written_ == queued_; });
}

void Output::pass_on() {
  if (++passed_ <= kPassedAlone) {
    write_out(current_->bytes.data(), std::exchange(current_->used, 0));
    return;
  }
  if (!writer_.joinable()) {
    widen_pipe(fd_);
    for (Buffer& buffer : buffers_) buffer.bytes.resize(kBufferSize);
    writer_ = std::thread([this] { write_in_background(); });
  }
  std::unique_lock lock(mutex_);
  ++queued_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return queued_ - written_ < kBufferCount; });
  current_ = &buffers_[queued_ % kBufferCount];
}

void Output::write_in_background() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || written_ < queued_; });
    if (written_ == queued_) return;
    Buffer& buffer = buffers_[written_ % kBufferCount];
    lock.unlock();
    write_out(buffer.bytes.data(), std::exchange(buffer.used, 0));
    lock.lock();
    ++written_;
    changed_.notify_all();
  }
}

void Output::write_out(const char* data, std::size_t size) {
  if (write_all(fd_, data, size)) return;
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
