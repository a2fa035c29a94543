// What the parser promises: every command once, however its bytes are cut; lengths are refused
// before they are believed; what is not the protocol stays broken.

#include "service/resp_parser.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace tessera::service {
namespace {

using Status = RespParser::Status;
using Words = std::vector<std::string>;

std::string array_of(const Words& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const auto& word : words)
    bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  return bytes;
}

Words words_of(const RespParser& parser) {
  return {parser.arguments().begin(), parser.arguments().end()};
}

// All commands of `bytes`, which arrive in pieces of `piece`; each time at another address.
struct Read {
  std::vector<Words> commands;
  Status status = Status::more;
  std::size_t left = 0;
};
Read read_all(const std::string& bytes, std::size_t piece, const RespLimits& limits = {}) {
  RespParser parser(limits);
  Read read;
  std::string buffer;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    buffer = buffer + bytes.substr(at, piece);
    while ((read.status = parser.next(buffer)) == Status::command) {
      read.commands.push_back(words_of(parser));
      buffer = buffer.substr(parser.size());
    }
    if (read.status == Status::broken) break;
  }
  read.left = buffer.size();
  return read;
}

TEST(RespParser, ReadsCommandsOfClientsAndOfPeople) {
  const std::string bytes = array_of({"INCR", "ORDER"}) + "PING\r\n" + array_of({}) +
                            "  incr \t ORDER  \n\r\n" + array_of({"SET", "", "a\r\n$b"});
  const std::vector<Words> expected = {{"INCR", "ORDER"}, {"PING"}, {},
                                       {"incr", "ORDER"}, {},       {"SET", "", "a\r\n$b"}};
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const Read read = read_all(bytes, piece);
    ASSERT_EQ(read.commands, expected) << piece;
    ASSERT_EQ(read.status, Status::more);
    ASSERT_EQ(read.left, 0u);
  }
}

TEST(RespParser, RefusesWhatIsNotTheProtocol) {
  for (const char* bytes :
       {"*x\r\n", "*-1\r\n", "*\r\n", "*01\r\n", "*1\n", "*1\rx", "*65\r\n", "*99999999999\r\n",
        "*1\r\n+OK\r\n", "*1\r\n$-1\r\n", "*1\r\n$4097\r\n", "*1\r\n$00\r\n", "*1\r\n$1\r\nab\r\n",
        "*1\r\n$1\r\na\rb", "*1\r\n$18446744073709551615\r\n", "*1\r\n$ 1\r\n"}) {
    RespParser parser;
    EXPECT_EQ(parser.next(bytes), Status::broken) << bytes;
    EXPECT_FALSE(parser.fault().empty());
    EXPECT_EQ(parser.next(array_of({"PING"})), Status::broken) << "it stays so";
  }
}

TEST(RespParser, KeepsItsLimits) {
  const RespLimits limits{.arguments_max = 3, .argument_size_max = 5, .inline_size_max = 8};
  EXPECT_EQ(read_all(array_of({"a", "b", "12345"}), 1, limits).commands.size(), 1u);
  EXPECT_EQ(read_all(array_of({"a", "b", "c", "d"}), 1, limits).status, Status::broken);
  EXPECT_EQ(read_all(array_of({"123456"}), 1, limits).status, Status::broken);
  EXPECT_EQ(read_all("12345678\n", 1, limits).commands.size(), 1u);
  EXPECT_EQ(read_all("123456789\n", 1, limits).status, Status::broken);
  EXPECT_EQ(read_all("123456789\n", 100, limits).status, Status::broken);
  EXPECT_EQ(read_all("a b c d\n", 100, limits).status, Status::broken);
  EXPECT_EQ(read_all(std::string(1000, 'x'), 1, limits).status, Status::broken);
}

RC_GTEST_PROP(RespParser, ReadsWhatWasWritten, (const std::vector<Words>& written)) {
  std::string bytes;
  for (const auto& words : written) bytes += array_of(words);
  const auto piece = *rc::gen::inRange<std::size_t>(1, bytes.size() + 2);
  const RespLimits limits{.arguments_max = 1000, .argument_size_max = 10'000};
  RC_ASSERT(read_all(bytes, piece, limits).commands == written);
}

}  // namespace
}  // namespace tessera::service
