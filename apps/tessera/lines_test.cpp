// What reading promises: every line comes whole and once, wherever the blocks of the stream
// begin and end; a line that is too long is reported and costs no memory; columns are those
// that a spreadsheet would show.

#include "lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace tessera::cli {
namespace {

using Status = LineReader::Status;

// A stream of bytes, from a file.
class Stream {
 public:
  explicit Stream(const std::string& bytes) : file_(std::tmpfile()) {
    EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file_), bytes.size());
    std::fflush(file_);
    ::lseek(fd(), 0, SEEK_SET);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { std::fclose(file_); }

  int fd() const { return ::fileno(file_); }

 private:
  std::FILE* file_;
};

const std::string kTooLong = "(too long)";

std::vector<std::string> lines_of(int fd, char separator = '\n') {
  LineReader reader(fd, separator);
  std::vector<std::string> lines;
  std::string_view line;
  while (true) {
    const Status status = reader.next(line);
    if (status == Status::end) return lines;
    if (status == Status::failed) {
      ADD_FAILURE() << "could not read";
      return lines;
    }
    lines.push_back(status == Status::too_long ? kTooLong : std::string(line));
  }
}

std::vector<std::string> lines_of(const std::string& bytes, char separator = '\n') {
  return lines_of(Stream(bytes).fd(), separator);
}

using Lines = std::vector<std::string>;

TEST(LineReader, EveryLineIsThereAlsoAnEmptyOneAndALastWithoutAnEnd) {
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), Lines{""});
  EXPECT_EQ(lines_of("a"), Lines{"a"});
  EXPECT_EQ(lines_of("a\n"), Lines{"a"});
  EXPECT_EQ(lines_of("a\n\nb"), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines_of("a\r\nb\r\n"), (Lines{"a\r", "b\r"}));
}

TEST(LineReader, SplitsAtNulIfToldTo) {
  using namespace std::string_literals;
  EXPECT_EQ(lines_of("a\nb\0c\0\0"s, '\0'), (Lines{"a\nb", "c", ""}));
}

TEST(LineReader, ALineMayLieAcrossBlocks) {
  // Around the size of a block, so that lines end before, at and behind its end.
  for (const std::size_t size : {262'142u, 262'143u, 262'144u, 262'145u, 524'288u}) {
    const std::string first(size, 'x');
    EXPECT_EQ(lines_of(first + "\nshort\n"), (Lines{first, "short"})) << size;
  }
}

TEST(LineReader, DoesNotDependOnHowTheBytesArrive) {
  std::mt19937 random(1);
  std::string bytes;
  Lines expected;
  for (int i = 0; i < 500; ++i) {
    expected.emplace_back(random() % 3 == 0 ? random() % 5000 : random() % 40, 'a' + i % 26);
    bytes += expected.back() + "\n";
  }
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 3000, bytes.size() - at);
      const auto written = ::write(ends[1], bytes.data() + at, size);
      if (written <= 0) break;
      at += static_cast<std::size_t>(written);
    }
    ::close(ends[1]);
  });
  EXPECT_EQ(lines_of(ends[0]), expected);
  writer.join();
  ::close(ends[0]);
}

TEST(LineReader, TheLongestLineIsReadAndALongerOneIsNot) {
  const std::string longest(kLineSizeMax, 'x');
  for (const std::string& end : {std::string(), std::string("\n"), std::string("\nnext\n")}) {
    Lines expected{longest};
    Lines too_long{kTooLong};
    if (end.size() > 1) expected.emplace_back("next"), too_long.emplace_back("next");
    EXPECT_TRUE(lines_of(longest + end) == expected) << end;
    EXPECT_TRUE(lines_of(longest + "x" + end) == too_long) << end;
    EXPECT_TRUE(lines_of(longest + longest + end) == too_long) << end;
    EXPECT_TRUE(lines_of(std::string(10 * kLineSizeMax, 'x') + end) == too_long) << end;
  }
  EXPECT_EQ(lines_of("a\n" + longest + "x\nb\n" + longest + "x\nc"),
            (Lines{"a", kTooLong, "b", kTooLong, "c"}));
}

TEST(LineReader, AStreamThatCannotBeReadSaysSo) {
  LineReader reader(-1, '\n');
  std::string_view line;
  EXPECT_EQ(reader.next(line), Status::failed);
}

TEST(LineReader, RecordsAreBytesWhateverTheyAre) {
  const Stream stream(std::string("ab\ncd\0ef", 8) + std::string(300'000, 'x') + "tail");
  LineReader reader(stream.fd(), '\n');
  std::string_view record;
  ASSERT_EQ(reader.next_record(4, record), Status::line);
  EXPECT_EQ(record, "ab\nc");
  ASSERT_EQ(reader.next_record(4, record), Status::line);
  EXPECT_EQ(record, std::string_view("d\0ef", 4));
  for (int i = 0; i < 300'000 / 4; ++i) ASSERT_EQ(reader.next_record(4, record), Status::line);
  ASSERT_EQ(reader.next_record(8, record), Status::line);
  EXPECT_EQ(record, "tail");  // fewer, since there are no more
  EXPECT_EQ(reader.next_record(8, record), Status::end);
}

std::string field(std::string_view spec, std::string_view line) {
  Column column(spec);
  column.begin(line);
  const auto found = column.field_of(line);
  return found ? std::string(*found) : "(none)";
}

TEST(Column, IsCountedFromOne) {
  EXPECT_EQ(field("1", "a,b,c"), "a");
  EXPECT_EQ(field("3", "a,b,c"), "c");
  EXPECT_EQ(field("4", "a,b,c"), "(none)");
  EXPECT_EQ(field("1", "alone"), "alone");
  EXPECT_EQ(field("1", ""), "");
  EXPECT_EQ(field("2", ""), "(none)");
  EXPECT_EQ(field("2", "a,"), "");
  EXPECT_EQ(field("3", "a,"), "(none)");
  EXPECT_EQ(field("2", ",,"), "");
}

TEST(Column, QuotesOfCsvAreUndone) {
  EXPECT_EQ(field("1", R"("a,b",c)"), "a,b");
  EXPECT_EQ(field("2", R"("a,b",c)"), "c");
  EXPECT_EQ(field("2", R"(x,"say ""hi""",z)"), R"(say "hi")");
  EXPECT_EQ(field("3", R"(x,"",z)"), "z");
  EXPECT_EQ(field("2", R"(x,"",z)"), "");
  EXPECT_EQ(field("2", R"(x,"never closed)"), "never closed");
  EXPECT_EQ(field("2", R"(x,"a"b,c)"), "a");
  EXPECT_EQ(field("3", R"(x,"a"b,c)"), "c");
  EXPECT_EQ(field("1", R"(a"b,c)"), R"(a"b)");
}

TEST(Column, TabsAndSemicolonsPartFieldsWhereTheFirstLineHasThem) {
  EXPECT_EQ(field("2", "a\tb,c\td"), "b,c");
  EXPECT_EQ(field("1", "\"a\"\tb"), "\"a\"");  // no quotes in TSV
  EXPECT_EQ(field("2", "a;b;c"), "b");
  EXPECT_EQ(field("1", "a;b,c"), "a;b");
  EXPECT_EQ(field("1", "\"a\tb\",c"), "a\tb");  // a tab within quotes parts nothing
}

TEST(Column, TheFirstLineDecidesForAll) {
  Column column("2");
  ASSERT_TRUE(column.begin("id,note"));
  EXPECT_EQ(column.field_of("1,two\twords"), "two\twords");
  EXPECT_EQ(column.field_of("1;2,x"), "x");
}

TEST(Column, MayBeNamedByTheFirstLine) {
  Column column("order id");
  EXPECT_TRUE(column.by_name());
  ASSERT_TRUE(column.begin("\"who\",\"order id\",when"));
  EXPECT_EQ(column.field_of("me,17,now"), "17");
  ASSERT_TRUE(column.begin("order id\tx"));  // of the next file
  EXPECT_EQ(column.field_of("18\ty"), "18");
  EXPECT_TRUE(column.by_name());
}

TEST(Column, ANameThatIsNotThereIsRefused) {
  Column column("id");
  EXPECT_FALSE(column.begin("a,b"));
  EXPECT_EQ(Column::names("a,\"b c\""), (std::vector<std::string>{"a", "b c"}));
  EXPECT_TRUE(Column("0").by_name());
  EXPECT_TRUE(Column("").by_name());
  EXPECT_FALSE(Column("7").by_name());
}

}  // namespace
}  // namespace tessera::cli
