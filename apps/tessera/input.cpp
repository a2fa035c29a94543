// Reading items from arguments and streams.

#include "input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "output.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

constexpr std::size_t kNameShown = 200;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string shown_name(std::string_view name) {
  return name == "-" ? "standard input" : "'" + printable(name, kNameShown) + "'";
}

// Also true for /dev/null: nobody pipes IDs from there.
bool is_character_device(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISCHR(status.st_mode);
}

// Pipes too: /dev/fd/63 is what a shell makes of <(command).
bool is_there(std::string_view name) {
  struct stat status {};
  return !name.empty() && name.size() <= 4096 && ::stat(std::string(name).c_str(), &status) == 0 &&
         !S_ISDIR(status.st_mode);
}

// What could be an ID is one, even if there is a file of that name; but it is said.
bool is_file(std::string_view name) {
  if (!is_there(name)) return false;
  if (name.find_first_of("./") != name.npos) return true;
  complain("'" + printable(name) + "' is taken for an ID, but there is a file of that name",
           "To read it, write ./" + printable(name));
  return false;
}

class Stream {
 public:
  Stream(int fd, std::string_view name, const Args& args, const Reading& reading,
         const std::function<void(const Item&)>& use)
      : name_(name),
        separator_(args.has("null") ? '\0' : '\n'),
        reader_(fd, separator_),
        record_size_(reading.record_size),
        use_(use) {
    if (const auto column = args.value("column")) column_.emplace(*column);
  }

  // Exit::io leaves errno.
  Exit read() {
    for (std::uint64_t number = 1;; ++number) {
      std::string_view line;
      const auto status =
          record_size_ == 0 ? reader_.next(line) : reader_.next_record(record_size_, line);
      if (status == LineReader::Status::end) return Exit::good;
      if (status == LineReader::Status::failed) return Exit::io;
      Item item{.text = {}, .file = name_, .line = number, .fault = {}};
      if (status == LineReader::Status::too_long) {
        item.fault = kLineTooLong;
        use_(item);
        continue;
      }
      if (record_size_ != 0) {
        item.text = line;
        if (line.size() < record_size_) item.fault = kShortRecord;
        use_(item);
        continue;
      }
      if (separator_ == '\n') {
        if (number == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(3);
        if (line.ends_with('\r')) line.remove_suffix(1);
      }
      item.text = line;
      if (column_) {
        if (number == 1 && !begin_columns(line)) return Exit::usage;
        if (number == 1 && column_->by_name()) continue;  // the names themselves
        const auto field = column_->field_of(line);
        if (!field) item.fault = kMissingColumn;
        item.text = field.value_or(std::string_view());
      }
      use_(item);
    }
  }

 private:
  bool begin_columns(std::string_view line) {
    if (column_->begin(line)) return true;
    std::string names;
    for (const auto& name : Column::names(line)) {
      if (names.size() > kNameShown) break;
      names += (names.empty() ? "" : ", ") + printable(name, 40);
    }
    complain("the first line of " + shown_name(name_) + " has no such column",
             "Its columns are: " + names);
    return false;
  }

  std::string_view name_;
  char separator_;
  LineReader reader_;
  std::size_t record_size_;
  std::optional<Column> column_;
  const std::function<void(const Item&)>& use_;
};

}  // namespace

std::string Item::place() const {
  if (is_argument()) return "argument " + std::to_string(line);
  return (file == "-" ? "line " : printable(file, kNameShown) + ":") + std::to_string(line);
}

std::string_view Item::fault_words() const noexcept {
  if (fault == kLineTooLong) return "the line is longer than a megabyte";
  if (fault == kShortRecord) return "the input ends within a value";
  return "the line has no such column";
}

Exit for_each_item(const Args& args, std::span<const std::string_view> words,
                   const Reading& reading, const std::function<void(const Item&)>& use) {
  Exit worst = Exit::good;
  const auto read = [&](std::string_view name) {
    const bool standard = name == "-";
    const int fd =
        standard ? STDIN_FILENO : ::open(std::string(name).c_str(), O_RDONLY | O_CLOEXEC);
    const Exit exit = fd < 0 ? Exit::io : Stream(fd, name, args, reading, use).read();
    if (exit == Exit::io) {
      const int error = errno;
      Output::standard().flush();
      complain("could not read " + shown_name(name) + ": " + std::strerror(error));
    }
    if (exit != Exit::good) worst = exit;
    if (!standard && fd >= 0) ::close(fd);
  };
  const auto files = args.values("file");
  if (files.empty() && words.empty()) {
    if (is_character_device(STDIN_FILENO)) {
      return usage_error("no ID given", "Give IDs as arguments, or pipe them in.");
    }
    read("-");
  }
  for (const std::string_view file : files) read(file);
  std::uint64_t number = 0;
  for (const std::string_view word : words) {
    ++number;
    const bool file = reading.words == Words::may_be_files && is_file(word);
    if (word == "-" || file) {
      read(word);
    } else {
      use({.text = word, .file = {}, .line = number, .fault = {}});
    }
  }
  return worst;
}

std::string with_place(std::string object, const Item& item) {
  JsonWriter place;
  place.begin_object().key("file");
  item.is_argument() ? place.null() : place.value(item.file);
  place.key("line").value(item.line).end_object();
  object.back() = ',';
  return object + place.text().substr(1);
}

}  // namespace tessera::cli
