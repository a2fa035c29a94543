// The witness as a file. See tessera/segment/witness.h for its form.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "tessera/parse_error.h"
#include "tessera/scope_name.h"
#include "tessera/segment/witness.h"

namespace tessera {
namespace {

constexpr std::string_view kHeader = "tessera witness 1\n";
constexpr std::size_t kFileSizeMax = std::size_t{64} << 20;

// A file descriptor that is closed when it goes.
class File {
 public:
  File(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }
  int release() noexcept { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

Error failed(const char* what, const std::string& path, int error) {
  return Error{Error::Code::store_failed,
               std::string("could not ") + what + " the witness '" + printable(path) +
                   "': " + std::strerror(error),
               "See to its folder and its disk; no number is given out that it has not seen."};
}

Error damaged(const std::string& path, std::size_t line) {
  return Error{Error::Code::store_failed,
               "the witness '" + printable(path) + "' is damaged at line " + std::to_string(line),
               "Restore it, or remove it if you are sure that the store was never rewound."};
}

bool read_all(int fd, std::string& text) {
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > kFileSizeMax) {
      errno = EFBIG;
      return false;
    }
  }
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

// A number of 0 or more at the start of `text`, which is then cut off.
bool take_number(std::string_view& text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// "ORDER 1 20000"
bool read_line(std::string_view line, std::string& scope, WitnessMark& mark) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return false;
  scope = line.substr(0, blank);
  if (scope_name_fault(scope)) return false;
  line.remove_prefix(blank + 1);
  if (!take_number(line, mark.epoch) || !line.starts_with(' ')) return false;
  line.remove_prefix(1);
  return take_number(line, mark.high_water) && line.empty();
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

Result<std::unique_ptr<FileWitness>, Error> FileWitness::open(std::string path) {
  File lock(path + ".lock", O_RDWR | O_CREAT);
  if (lock.get() < 0) return Failure{failed("lock", path, errno)};
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    Error error = failed("lock", path, errno);
    error.hint = "Another process uses it; give each its own.";
    return Failure{std::move(error)};
  }
  std::unique_ptr<FileWitness> witness(new FileWitness(std::move(path), lock.release()));
  const std::string& name = witness->path_;

  const File file(name, O_RDONLY);
  if (file.get() < 0) {
    if (errno == ENOENT) return witness;
    return Failure{failed("open", name, errno)};
  }
  std::string text;
  if (!read_all(file.get(), text)) return Failure{failed("read", name, errno)};
  if (!text.starts_with(kHeader)) return Failure{damaged(name, 1)};
  std::string_view rest = std::string_view(text).substr(kHeader.size());
  for (std::size_t number = 2; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string scope;
    WitnessMark mark;
    if (end == std::string_view::npos || !read_line(rest.substr(0, end), scope, mark) ||
        !witness->marks_.emplace(std::move(scope), mark).second) {
      return Failure{damaged(name, number)};
    }
    rest.remove_prefix(end + 1);
  }
  return witness;
}

FileWitness::~FileWitness() { ::close(lock_); }

Result<std::optional<WitnessMark>, Error> FileWitness::load(std::string_view scope) {
  const std::scoped_lock guard(mutex_);
  const auto found = marks_.find(scope);
  if (found == marks_.end()) return std::optional<WitnessMark>();
  return std::optional(found->second);
}

std::optional<Error> FileWitness::store(std::string_view scope, const WitnessMark& mark) {
  const std::scoped_lock guard(mutex_);
  // Two writers of one scope may come in either order: the mark never falls.
  WitnessMark& kept = marks_.try_emplace(std::string(scope), mark).first->second;
  kept.epoch = std::max(kept.epoch, mark.epoch);
  kept.high_water = std::max(kept.high_water, mark.high_water);
  return write();
}

std::optional<Error> FileWitness::write() {
  std::string text(kHeader);
  for (const auto& [scope, mark] : marks_) {
    text += scope + " " + std::to_string(mark.epoch) + " " + std::to_string(mark.high_water) + "\n";
  }
  const std::string next = path_ + ".next";
  {
    const File file(next, O_WRONLY | O_CREAT | O_TRUNC);
    if (file.get() < 0 || !write_all(file.get(), text) || ::fsync(file.get()) != 0) {
      return failed("write", path_, errno);
    }
  }
  if (::rename(next.c_str(), path_.c_str()) != 0) return failed("replace", path_, errno);
  // The new name is durable only with its folder.
  const File folder(folder_of(path_), O_RDONLY | O_DIRECTORY);
  if (folder.get() < 0 || ::fsync(folder.get()) != 0) return failed("sync", path_, errno);
  return std::nullopt;
}

}  // namespace tessera
