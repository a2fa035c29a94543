// The file of tokens, on disk.

#include "tokens_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

using service::Token;
using service::TokenTable;

constexpr mode_t kOthers = S_IRWXG | S_IRWXO;

class File {
 public:
  File(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int fd() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }

 private:
  int fd_;
};

Error io_error(std::string_view what, const std::string& path) {
  const int number = errno;
  return {.code = number == ENOENT ? Error::Code::not_found : Error::Code::store_failed,
          .message = "could not " + std::string(what) + " " + tessera::quoted(path) + ": " +
                     std::strerror(number),
          .hint = {}};
}

Result<std::string, Error> read_all(const std::string& path) {
  const File file(path, O_RDONLY);
  struct stat about {};
  if (!file || ::fstat(file.fd(), &about) != 0) return Failure{io_error("read", path)};
  if ((about.st_mode & kOthers) != 0) {
    return Failure{Error{Error::Code::invalid_request,
                         "the file of tokens " + tessera::quoted(path) + " is open to others",
                         "chmod 600 makes it yours alone."}};
  }
  if (about.st_size > static_cast<off_t>(TokenTable::kSizeMax)) {
    return Failure{
        Error{Error::Code::invalid_request, tessera::quoted(path) + " is too large", {}}};
  }
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(file.fd(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failure{io_error("read", path)};
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  text.resize(size);
  return text;
}

std::optional<Error> write_all(const std::string& path, std::string_view text) {
  const std::string draft = path + ".new";
  const File file(draft, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file) return io_error("write", draft);
  while (!text.empty()) {
    const ssize_t count = ::write(file.fd(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return io_error("write", draft);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(file.fd()) != 0) return io_error("write", draft);
  if (::rename(draft.c_str(), path.c_str()) != 0) return io_error("replace", path);
  // The new name is durable with its folder.
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const File holder(folder, O_RDONLY | O_DIRECTORY);
  if (!holder || ::fsync(holder.fd()) != 0) return io_error("write", folder);
  return std::nullopt;
}

}  // namespace

Result<TokenTable, Error> read_tokens_file(const std::string& path) {
  auto text = read_all(path);
  if (!text) return Failure{text.error()};
  auto table = TokenTable::parse(*text);
  if (!table) {
    Error error = table.error();
    error.message = tessera::quoted(path) + ": " + error.message;
    return Failure{std::move(error)};
  }
  return table;
}

std::optional<Error> change_tokens_file(
    const std::string& path,
    const std::function<std::optional<Error>(std::vector<Token>&)>& change) {
  const File lock(path + ".lock", O_RDWR | O_CREAT);
  if (!lock || ::flock(lock.fd(), LOCK_EX) != 0) return io_error("lock", path + ".lock");
  std::vector<Token> tokens;
  if (auto table = read_tokens_file(path)) {
    tokens = table->tokens();
  } else if (table.error().code != Error::Code::not_found) {
    return table.error();
  }
  if (auto error = change(tokens)) return error;
  const auto table = TokenTable::make(std::move(tokens));
  if (!table) return table.error();
  return write_all(path, table->render());
}

}  // namespace tessera::cli
