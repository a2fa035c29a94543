// Reading items from arguments and streams.

#include "input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "output.h"
#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

constexpr std::uint64_t kColumnMax = 10'000;
constexpr std::size_t kNameShown = 200;

// Lines of a file descriptor, by blocks.
class LineReader {
 public:
  LineReader(int fd, char separator) : fd_(fd), separator_(separator), buffer_(kBlock) {}

  enum class Status : std::uint8_t { line, too_long, end, failed };

  // The next line, without its separator. `line` is valid until the next call.
  Status next(std::string_view& line) {
    std::size_t scanned = begin_;
    while (true) {
      const char* found = static_cast<const char*>(
          std::memchr(buffer_.data() + scanned, separator_, end_ - scanned));
      if (found != nullptr) {
        const auto at = static_cast<std::size_t>(found - buffer_.data());
        line = {buffer_.data() + begin_, at - begin_};
        begin_ = at + 1;
        return Status::line;
      }
      if (end_ - begin_ > kLineSizeMax) return skip_line();
      scanned = end_ - begin_;
      compact();
      const ssize_t got = read_more();
      if (got < 0) return Status::failed;
      if (got == 0) {
        if (begin_ == end_) return Status::end;
        line = {buffer_.data() + begin_, end_ - begin_};
        begin_ = end_;
        return Status::line;
      }
    }
  }

 private:
  static constexpr std::size_t kBlock = 256 * 1024;

  void compact() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (buffer_.size() - end_ < kBlock / 2) buffer_.resize(buffer_.size() + kBlock);
  }

  ssize_t read_more() {
    while (true) {
      const ssize_t got = ::read(fd_, buffer_.data() + end_, buffer_.size() - end_);
      if (got < 0 && errno == EINTR) continue;
      if (got > 0) end_ += static_cast<std::size_t>(got);
      return got;
    }
  }

  // Forgets what there is of a line, and what follows of it.
  Status skip_line() {
    while (true) {
      begin_ = end_ = 0;
      const ssize_t got = read_more();
      if (got < 0) return Status::failed;
      if (got == 0) return Status::too_long;
      const char* found =
          static_cast<const char*>(std::memchr(buffer_.data(), separator_, end_));
      if (found != nullptr) {
        begin_ = static_cast<std::size_t>(found - buffer_.data()) + 1;
        return Status::too_long;
      }
    }
  }

  int fd_;
  char separator_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// Field `column` (from 1) of a line: by tabs if it has any, else by commas with the quotes
// of RFC 4180.
std::optional<std::string_view> column_of(std::string_view line, std::uint64_t column,
                                          std::string& unquoted) {
  const char separator = line.find('\t') != line.npos ? '\t' : ',';
  std::size_t at = 0;
  for (std::uint64_t field = 1;; ++field) {
    if (separator == ',' && at < line.size() && line[at] == '"') {
      unquoted.clear();
      std::size_t i = at + 1;
      for (; i < line.size(); ++i) {
        if (line[i] != '"') {
          unquoted += line[i];
        } else if (i + 1 < line.size() && line[i + 1] == '"') {
          unquoted += line[i++];
        } else {
          break;
        }
      }
      if (field == column) return unquoted;
      at = std::min(line.find(separator, i), line.size());
    } else {
      const std::size_t end = std::min(line.find(separator, at), line.size());
      if (field == column) return line.substr(at, end - at);
      at = end;
    }
    if (at >= line.size()) return std::nullopt;
    ++at;
  }
}

// Also true for /dev/null: nobody pipes IDs from there.
bool is_character_device(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISCHR(status.st_mode);
}

bool is_file(std::string_view name) {
  if (name.size() > 4096 || name.find_first_of("./") == name.npos) return false;
  struct stat status {};
  return ::stat(std::string(name).c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

struct StreamOptions {
  char separator = '\n';
  std::optional<std::uint64_t> column;
};

// False if `use` has had enough; nothing if it could not be read.
std::optional<bool> read_stream(int fd, std::string_view name, const StreamOptions& options,
                                const std::function<bool(const Item&)>& use) {
  LineReader reader(fd, options.separator);
  std::string unquoted;
  for (std::uint64_t number = 1;; ++number) {
    std::string_view line;
    const auto status = reader.next(line);
    if (status == LineReader::Status::end) return true;
    if (status == LineReader::Status::failed) return std::nullopt;
    Item item{.text = {}, .file = name, .line = number};
    if (status == LineReader::Status::too_long) {
      item.too_long = true;
    } else {
      if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
      if (options.separator == '\n' && line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty() && !options.column) continue;  // a blank line is no ID
      item.text = line;
      if (options.column) {
        const auto field = column_of(line, *options.column, unquoted);
        item.missing_column = !field;
        item.text = field.value_or(std::string_view());
      }
    }
    if (!use(item)) return false;
  }
}

}  // namespace

std::string Item::place() const {
  if (file.empty()) return "argument " + std::to_string(line);
  return (file == "-" ? "line " : printable(file, kNameShown) + ":") + std::to_string(line);
}

Exit for_each_item(const Args& args, std::span<const std::string_view> words,
                   const std::function<bool(const Item&)>& use) {
  StreamOptions options;
  if (args.has("null")) options.separator = '\0';
  const auto column = args.number("column", 1, kColumnMax);
  if (!column) return usage_error(column.error().message, column.error().hint);
  options.column = *column;

  // False if `use` has had enough.
  Exit status = Exit::good;
  const auto read = [&](std::string_view name) {
    const bool standard = name == "-";
    const int fd =
        standard ? STDIN_FILENO : ::open(std::string(name).c_str(), O_RDONLY | O_CLOEXEC);
    const auto more = fd < 0 ? std::nullopt : read_stream(fd, name, options, use);
    const int error = errno;
    if (!standard && fd >= 0) ::close(fd);
    if (more) return *more;
    complain("could not read " +
             (standard ? "standard input" : "'" + printable(name, kNameShown) + "'") + ": " +
             std::strerror(error));
    status = Exit::io;
    return false;
  };
  if (const auto file = args.value("file")) {
    if (!read(*file)) return status;
  } else if (words.empty()) {
    if (is_character_device(STDIN_FILENO)) {
      return usage_error("no ID given", "Give IDs as arguments, or pipe them in.");
    }
    if (!read("-")) return status;
  }
  std::uint64_t number = 0;
  for (const std::string_view word : words) {
    ++number;
    const bool more = word == "-" || is_file(word)
                          ? read(word)
                          : use({.text = word, .file = {}, .line = number});
    if (!more) return status;
  }
  return status;
}

}  // namespace tessera::cli
