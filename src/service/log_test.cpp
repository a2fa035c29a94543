// What the log promises: a line is one JSON object, whatever was put into it, and of bounded size.

#include "tessera/service/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <string>
#include <vector>

#include "support/fakes.h"

namespace tessera::service {
namespace {

class Lines {
 public:
  Lines() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Lines() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  int descriptor() const { return ends_[1]; }
  std::string next() {
    std::string text(64 << 10, '\0');
    const auto size = ::read(ends_[0], text.data(), text.size());
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

 private:
  int ends_[2]{};
};

TEST(Log, WritesOneObjectALine) {
  Lines lines;
  FakeClock clock(1'790'000'000'123);
  Log log(lines.descriptor(), Log::Level::info, clock);
  log.write(Log::Level::info, "started",
            {{"address", "127.0.0.1:8420"}, {"threads", std::int64_t{2}}, {"tls", false}});
  EXPECT_EQ(lines.next(),
            "{\"time\":\"2026-09-21T14:13:20.123Z\",\"level\":\"info\",\"event\":\"started\","
            "\"address\":\"127.0.0.1:8420\",\"threads\":2,\"tls\":false}\n");
}

TEST(Log, LeavesOutWhatIsBelowItsLevel) {
  Lines lines;
  FakeClock clock;
  Log log(lines.descriptor(), Log::Level::warning, clock);
  EXPECT_FALSE(log.writes(Log::Level::info));
  log.write(Log::Level::info, "quiet");
  log.write(Log::Level::error, "loud");
  EXPECT_NE(lines.next().find("\"loud\""), std::string::npos);
}

TEST(Log, HostileTextStaysInItsLineAndItsBounds) {
  const std::vector<std::string> hostile = {"a\nb",
                                            "a\r\nlevel: info",
                                            "\x1b[31mred",
                                            std::string("a\0b", 3),
                                            "\"},{\"x\":\"",
                                            "\xff\xfe",
                                            "\xe2\x80\xae evil",
                                            std::string(100'000, 'x'),
                                            std::string(511, 'x') + "\xC3\xA9\xC3\xA9"};
  FakeClock clock;
  for (const std::string& text : hostile) {
    Lines lines;
    Log log(lines.descriptor(), Log::Level::debug, clock);
    log.write(Log::Level::info, text, {{"text", std::string_view(text)}});
    const std::string line = lines.next();
    ASSERT_TRUE(line.ends_with('\n'));
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_LT(line.size(), 2 * 6 * Log::kTextSizeMax + 200);
    EXPECT_EQ(line.find('\x1b'), line.npos);
    boost::json::error_code ec;
    const auto value = boost::json::parse(line, ec);
    ASSERT_FALSE(ec) << line;
    EXPECT_LE(value.at("text").as_string().size(), 3 * Log::kTextSizeMax);
  }
}

TEST(Log, NamesItsLevels) {
  EXPECT_EQ(name_of(Log::Level::debug), "debug");
  EXPECT_EQ(name_of(Log::Level::error), "error");
}

}  // namespace
}  // namespace tessera::service
