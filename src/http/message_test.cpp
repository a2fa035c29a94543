// Answers, whole and in pieces; and what is none.

#include "http/message.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::http {
namespace {

using State = AnswerReader::State;

constexpr std::size_t kBodyMax = 100;

struct Read {
  State state;
  Answer answer;
  bool rest;
};

// In pieces of that size, then the end, if the answer is not whole by then.
Read read(std::string_view text, std::size_t piece = std::string_view::npos) {
  AnswerReader reader(kBodyMax);
  State state = State::more;
  while (!text.empty() && state == State::more) {
    state = reader.take(text.substr(0, piece));
    text.remove_prefix(std::min(piece, text.size()));
  }
  if (state == State::more) state = reader.end();
  return {state, reader.answer(), reader.has_rest()};
}

TEST(HttpMessage, ARequestIsWrittenAsItGoes) {
  const Request request{
      .method = "POST", .target = "/x?y=1", .fields = {{"Accept", "a"}}, .body = "{}"};
  EXPECT_EQ(written(request, "h:1"),
            "POST /x?y=1 HTTP/1.1\r\nHost: h:1\r\nAccept: a\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(written({.method = "GET", .target = "/"}, "h"), "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
}

TEST(HttpMessage, BodiesByLengthByChunksAndToTheEnd) {
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000}}) {
    const auto sized = read("HTTP/1.1 200 OK\r\ncontent-LENGTH: 5\r\nX:  y z \r\n\r\nhello", piece);
    EXPECT_EQ(sized.state, State::whole);
    EXPECT_EQ(sized.answer.status, 200);
    EXPECT_EQ(sized.answer.body, "hello");
    EXPECT_EQ(sized.answer.field("x"), "y z");
    EXPECT_EQ(sized.answer.field("none"), "");
    EXPECT_TRUE(sized.answer.keeps_open);

    const auto chunked = read(
        "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: Chunked\r\n\r\n"
        "5;a=b\r\nhello\r\n0A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n",
        piece);
    EXPECT_EQ(chunked.state, State::whole);
    EXPECT_EQ(chunked.answer.status, 404);
    EXPECT_EQ(chunked.answer.body, "hello0123456789");
    EXPECT_TRUE(chunked.answer.keeps_open);

    const auto to_the_end = read("HTTP/1.1 200\r\n\r\nall of it", piece);
    EXPECT_EQ(to_the_end.state, State::whole);
    EXPECT_EQ(to_the_end.answer.body, "all of it");
    EXPECT_FALSE(to_the_end.answer.keeps_open);

    const auto none = read("HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 204 None\r\n\r\n", piece);
    EXPECT_EQ(none.state, State::whole);
    EXPECT_EQ(none.answer.status, 204);
    EXPECT_TRUE(none.answer.fields.empty());
  }
}

TEST(HttpMessage, WhoClosesSaysSo) {
  EXPECT_FALSE(read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: x, Close\r\n\r\n")
                   .answer.keeps_open);
  EXPECT_FALSE(read("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").answer.keeps_open);
  EXPECT_TRUE(read("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab").rest);
}

TEST(HttpMessage, WhatCouldBeReadInTwoWaysIsRefused) {
  for (const char* odd : {
           "",
           "hello\r\n\r\n",
           "\r\n\r\n",
           "HTTP/1.1 20 OK\r\n\r\n",
           "HTTP/2.0 200 OK\r\n\r\n",
           "HTTP/1.1 099 OK\r\n\r\n",
           "HTTP/1.1 2000 OK\r\n\r\n",
           "HTTP/1.1  200 OK\r\n\r\n",
           "HTTP/1.1 101 Switching\r\n\r\n",
           "HTTP/1.1 200 OK\n\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
           "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
           "HTTP/1.1 200 OK\r\nContent-Length: 1 \t2\r\n\r\na",
           "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
           "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
           "HTTP/1.1 200 OK\r\nA b: c\r\n\r\n",
           "HTTP/1.1 200 OK\r\nA : c\r\n\r\n",
           "HTTP/1.1 200 OK\r\n: c\r\n\r\n",
           "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
           "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
       }) {
    EXPECT_EQ(read(odd).state, State::bad) << odd;
    EXPECT_EQ(read(odd, 1).state, State::bad) << odd;
  }
}

TEST(HttpMessage, LimitsHoldBeforeTheBytesCome) {
  const auto state_of = [](const std::string& text) { return read(text).state; };
  const std::string head = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(state_of(head + "Content-Length: 100\r\n\r\n" + std::string(100, 'x')), State::whole);
  EXPECT_EQ(state_of(head + "Content-Length: 101\r\n\r\n"), State::too_large);
  EXPECT_EQ(state_of(head + "Content-Length: 18446744073709551615\r\n\r\n"), State::too_large);
  EXPECT_EQ(state_of(head + "Transfer-Encoding: chunked\r\n\r\n65\r\n"), State::too_large);
  EXPECT_EQ(state_of(head + "Transfer-Encoding: chunked\r\n\r\n64\r\n" + std::string(100, 'x') +
                     "\r\n1\r\n"),
            State::too_large);
  EXPECT_EQ(state_of(head + "\r\n" + std::string(101, 'x')), State::too_large);
  EXPECT_EQ(state_of(head + std::string(70'000, 'x')), State::too_large);
  EXPECT_EQ(state_of(head + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + std::string(70'000, 'x')),
            State::too_large);
  std::string many = head;
  for (int i = 0; i < 300; ++i) many += "A: b\r\n";
  EXPECT_EQ(state_of(many + "\r\n"), State::bad);
}

}  // namespace
}  // namespace tessera::http
