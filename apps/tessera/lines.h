#pragma once

// A stream by lines, records or columns, in memory that does not grow with it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::cli {

// A longer line is not held: only that it was there is known, and reading goes on behind it.
inline constexpr std::size_t kLineSizeMax = 1024 * 1024;

// Lines of a file descriptor, which stays the caller's. A last line without a separator is
// a line too; an empty stream has none.
class LineReader {
 public:
  LineReader(int fd, char separator) : fd_(fd), separator_(separator), buffer_(kBlock) {}

  enum class Status : std::uint8_t { line, too_long, end, failed };

  // The next line, without its separator; valid until the next call. `failed` leaves errno.
  Status next(std::string_view& line);

  // The next `size` bytes, whatever they are; fewer at the very end.
  Status next_record(std::size_t size, std::string_view& record);

 private:
  static constexpr std::size_t kBlock = 256 * 1024;

  Status skip_line();
  void make_room();
  std::ptrdiff_t read_more();  // how much, 0 at the end, less if it failed

  int fd_;
  char separator_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// One column of CSV (RFC 4180, with , or ;) or TSV.
//
// What parts the fields is told from the first line: a tab if it has one outside of quotes,
// else a comma, else a semicolon. TSV has no quotes. A field with a line end in it is not
// understood.
class Column {
 public:
  // A number from 1, or the name that stands above it in the first line.
  explicit Column(std::string_view spec);

  bool by_name() const noexcept { return number_ == 0 || !name_.empty(); }

  // Looks at the first line of a stream. False if the column is wanted by name and has none
  // there; names() then says which there are.
  bool begin(std::string_view first_line);

  // The field of this line, or nothing. Valid until the next call, and as long as `line`.
  std::optional<std::string_view> field_of(std::string_view line);

  static std::vector<std::string> names(std::string_view first_line);

 private:
  std::string name_;
  std::uint64_t number_ = 0;  // from 1; 0: not known yet
  char separator_ = ',';
  std::string unquoted_;
};

}  // namespace tessera::cli
