// Reading lines, and columns of them.

#include "lines.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace tessera::cli {
namespace {

// The fields of a line, one at a time.
class Fields {
 public:
  Fields(std::string_view line, char separator) : line_(line), separator_(separator) {}

  // False behind the last. The field is a part of the line, or of `unquoted`.
  bool next(std::string_view& field, std::string& unquoted) {
    if (over_) return false;
    if (separator_ != '\t' && at_ < line_.size() && line_[at_] == '"') {
      field = read_quoted(unquoted);
    } else {
      const std::size_t end = std::min(line_.find(separator_, at_), line_.size());
      field = line_.substr(at_, end - at_);
      at_ = end;
    }
    over_ = at_ >= line_.size();
    ++at_;
    return true;
  }

 private:
  // Two quotes are one; what follows the last, up to the separator, belongs to nothing.
  std::string_view read_quoted(std::string& unquoted) {
    unquoted.clear();
    std::size_t i = at_ + 1;
    for (; i < line_.size(); ++i) {
      if (line_[i] != '"') {
        unquoted += line_[i];
      } else if (i + 1 < line_.size() && line_[i + 1] == '"') {
        unquoted += line_[i++];
      } else {
        break;
      }
    }
    at_ = std::min(line_.find(separator_, i), line_.size());
    return unquoted;
  }

  std::string_view line_;
  char separator_;
  std::size_t at_ = 0;
  bool over_ = false;
};

char separator_of(std::string_view line) noexcept {
  bool quoted = false;
  bool comma = false;
  bool semicolon = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\t') return '\t';
    comma = comma || c == ',';
    semicolon = semicolon || c == ';';
  }
  return semicolon && !comma ? ';' : ',';
}

}  // namespace

LineReader::Status LineReader::next(std::string_view& line) {
  std::size_t scanned = begin_;
  while (true) {
    const char* found =
        static_cast<const char*>(std::memchr(buffer_.data() + scanned, separator_, end_ - scanned));
    if (found != nullptr) {
      const auto at = static_cast<std::size_t>(found - buffer_.data());
      line = {buffer_.data() + begin_, at - begin_};
      begin_ = at + 1;
      return line.size() > kLineSizeMax ? Status::too_long : Status::line;
    }
    if (end_ - begin_ > kLineSizeMax) return skip_line();
    scanned = end_ - begin_;
    make_room();
    const auto got = read_more();
    if (got < 0) return Status::failed;
    if (got == 0) {
      if (begin_ == end_) return Status::end;
      line = {buffer_.data() + begin_, end_ - begin_};
      begin_ = end_;
      return Status::line;
    }
  }
}

LineReader::Status LineReader::next_record(std::size_t size, std::string_view& record) {
  while (end_ - begin_ < size) {
    make_room();
    const auto got = read_more();
    if (got < 0) return Status::failed;
    if (got == 0) break;
  }
  size = std::min(size, end_ - begin_);
  if (size == 0) return Status::end;
  record = {buffer_.data() + begin_, size};
  begin_ += size;
  return Status::line;
}

// What is there of a line goes to the front, and something must fit behind it.
void LineReader::make_room() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() - end_ < kBlock / 2) buffer_.resize(buffer_.size() + kBlock);
}

std::ptrdiff_t LineReader::read_more() {
  while (true) {
    const auto got = ::read(fd_, buffer_.data() + end_, buffer_.size() - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got > 0) end_ += static_cast<std::size_t>(got);
    return got;
  }
}

// Forgets what there is of a line, and what follows of it.
LineReader::Status LineReader::skip_line() {
  while (true) {
    begin_ = end_ = 0;
    const auto got = read_more();
    if (got < 0) return Status::failed;
    if (got == 0) return Status::too_long;
    const char* found = static_cast<const char*>(std::memchr(buffer_.data(), separator_, end_));
    if (found != nullptr) {
      begin_ = static_cast<std::size_t>(found - buffer_.data()) + 1;
      return Status::too_long;
    }
  }
}

Column::Column(std::string_view spec) {
  const auto [end, error] = std::from_chars(spec.data(), spec.data() + spec.size(), number_);
  if (error != std::errc{} || end != spec.data() + spec.size() || number_ == 0) {
    number_ = 0;
    name_ = spec;
  }
}

bool Column::begin(std::string_view first_line) {
  separator_ = separator_of(first_line);
  if (!by_name()) return true;
  const auto all = names(first_line);
  const auto found = std::ranges::find(all, name_);
  number_ = static_cast<std::uint64_t>(found - all.begin()) + 1;
  return found != all.end();
}

std::optional<std::string_view> Column::field_of(std::string_view line) {
  Fields fields(line, separator_);
  std::string_view field;
  for (std::uint64_t number = 1; fields.next(field, unquoted_); ++number) {
    if (number == number_) return field;
  }
  return std::nullopt;
}

std::vector<std::string> Column::names(std::string_view first_line) {
  std::vector<std::string> out;
  Fields fields(first_line, separator_of(first_line));
  std::string_view field;
  std::string unquoted;
  while (fields.next(field, unquoted)) out.emplace_back(field);
  return out;
}

}  // namespace tessera::cli
