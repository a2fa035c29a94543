// What the parser promises: every request once, however it is cut; and nothing that two readers
// could read in two ways.

#include "service/http_parser.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/vectors.h"

namespace tessera::service {
namespace {

constexpr std::size_t kBodyMax = 1000;

HttpParser make_parser(const ServiceLimits& limits = {}) {
  return HttpParser(limits, [](const Request&) { return kBodyMax; });
}

struct Read {
  std::vector<std::string> requests;  // "GET /a?b body"
  std::optional<Fault> fault;
  std::size_t left = 0;

  friend bool operator==(const Read&, const Read&) = default;
};

// As it comes from a socket, `piece` bytes at a time, each time at another address.
Read read_in_pieces(std::string_view bytes, std::size_t piece) {
  HttpParser parser = make_parser();
  Read read;
  std::string buffer;
  while (!bytes.empty() && !read.fault) {
    buffer = buffer + std::string(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    HttpParser::Status status{};
    while ((status = parser.next(buffer)) == HttpParser::Status::request) {
      const Request& request = parser.request();
      read.requests.push_back(std::to_string(static_cast<int>(request.method)) + " " +
                              std::string(request.path) + "?" + std::string(request.query) + " " +
                              std::string(request.body));
      buffer = buffer.substr(parser.size());
    }
    if (status == HttpParser::Status::refused) read.fault = parser.fault();
  }
  read.left = read.fault ? 0 : buffer.size();
  return read;
}

TEST(HttpParser, ReadsWhatItSays) {
  HttpParser parser = make_parser();
  const std::string text =
      "POST /v1/ids?n=3&kind=ulid HTTP/1.1\r\nHost: ids.example:8420\r\naccept: text/plain\r\n"
      "Authorization: Bearer tsr_1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
      "Idempotency-Key: k-1\r\nTraceparent: 00-1-2-01\r\nX-Other: 1\r\n\r\n{}GET";
  ASSERT_EQ(parser.next(text), HttpParser::Status::request);
  const Request& request = parser.request();
  EXPECT_EQ(request.method, Method::post);
  EXPECT_EQ(request.path, "/v1/ids");
  EXPECT_EQ(request.query, "n=3&kind=ulid");
  EXPECT_EQ(request.host, "ids.example:8420");
  EXPECT_EQ(request.accept, "text/plain");
  EXPECT_EQ(request.authorization, "Bearer tsr_1");
  EXPECT_EQ(request.content_type, "application/json");
  EXPECT_EQ(request.idempotency_key, "k-1");
  EXPECT_EQ(request.traceparent, "00-1-2-01");
  EXPECT_EQ(request.body, "{}");
  EXPECT_EQ(parser.size(), text.size() - 3);
  EXPECT_TRUE(parser.keep_alive());
}

TEST(HttpParser, ReadsEveryRequestOnceHoweverItIsCut) {
  const std::string text =
      "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
      "\r\nPOST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
      "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\none\r\n5;x=1\r\n, two\r\n0\r\nX-Sum: 1\r\n\r\n"
      "DELETE /d?x HTTP/1.0\r\n\r\n"
      "GET http://a/e HTTP/1.1\r\nHost: a\r\n\r\nGET /f";
  const Read whole = read_in_pieces(text, text.size());
  EXPECT_EQ(whole.requests, (std::vector<std::string>{"0 /a? ", "2 /b? hello", "2 /c? one, two",
                                                      "3 /d?x ", "0 /e? "}));
  EXPECT_EQ(whole.left, 6U);
  for (std::size_t piece = 1; piece < text.size(); ++piece) {
    EXPECT_EQ(read_in_pieces(text, piece), whole) << piece;
  }
}

// Rows that the parser lets through are refused by the routes.
TEST(HttpParser, RefusesWhatTheVectorsSay) {
  const std::vector<std::string_view> of_routes = {"method_not_allowed", "unsupported_media_type"};
  int count = 0;
  for (const auto& row : vectors::read_table("bad-inputs.tsv")) {
    if (row["kind"] != "http") continue;
    SCOPED_TRACE(row.where() + ": " + row["why"]);
    ++count;
    const std::string text = vectors::unescape(row["input"]);
    for (const std::size_t piece : {text.size(), std::size_t{1}, std::size_t{7}}) {
      const Read read = read_in_pieces(text, piece);
      if (row["expected"] == "ok" || std::ranges::count(of_routes, row["error_class"]) > 0) {
        EXPECT_FALSE(read.fault);
        EXPECT_EQ(read.requests.size(), 1U);
        EXPECT_EQ(read.left, 0U);
      } else {
        ASSERT_TRUE(read.fault);
        EXPECT_EQ(text_of(*read.fault).code, row["error_class"]);
        EXPECT_TRUE(read.requests.empty());
      }
    }
  }
  EXPECT_EQ(count, 44);
}

TEST(HttpParser, RefusesMoreThatTwoReadersWouldReadInTwoWays) {
  struct Case {
    std::string_view head;
    Fault fault;
  };
  for (const auto& [head, fault] : {
           Case{"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", Fault::bad_host},
           Case{"GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n", Fault::bad_framing},
           Case{"GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n\tfolded\r\n\r\n", Fault::bad_framing},
           Case{"GET / HTTP/1.1\r\nHost: a\nX: 1\r\n\r\n", Fault::bad_framing},
           Case{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
                Fault::bad_framing},
           Case{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
                Fault::bad_framing},
           Case{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                Fault::bad_framing},
           Case{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551617\r\n\r\n",
                Fault::bad_framing},
           Case{"GET /\x80 HTTP/1.1\r\nHost: a\r\n\r\n", Fault::invalid_request_line},
           Case{"GET a HTTP/1.1\r\nHost: a\r\n\r\n", Fault::invalid_request_line},
           Case{"GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nContent-Length: 1\r\n\r\n",
                Fault::expectation_failed},
       }) {
    SCOPED_TRACE(head);
    const Read read = read_in_pieces(head, head.size());
    ASSERT_TRUE(read.fault);
    EXPECT_EQ(text_of(*read.fault).code, text_of(fault).code);
    EXPECT_EQ(read_in_pieces(head, 1), read);
  }
}

TEST(HttpParser, RefusesABodyBeforeItIsSent) {
  HttpParser parser = make_parser();
  const std::string head =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(kBodyMax + 1) + "\r\n\r\n";
  ASSERT_EQ(parser.next(head), HttpParser::Status::refused);
  EXPECT_EQ(parser.fault(), Fault::payload_too_large);

  const std::string chunked =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3E8\r\n" +
      std::string(kBodyMax, 'x') + "\r\n1\r\n";
  EXPECT_EQ(read_in_pieces(chunked, 64).fault, Fault::payload_too_large);
}

TEST(HttpParser, TellsOnceThatABodyMayBeSent) {
  HttpParser parser = make_parser();
  std::string text =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n";
  ASSERT_EQ(parser.next(text), HttpParser::Status::more);
  EXPECT_EQ(parser.phase(), HttpParser::Phase::body);
  EXPECT_TRUE(parser.takes_continue());
  EXPECT_FALSE(parser.takes_continue());
  text += "{}";
  ASSERT_EQ(parser.next(text), HttpParser::Status::request);
}

TEST(HttpParser, KeepsToItsLimitsToTheByte) {
  const ServiceLimits limits{.request_line_size_max = 100, .header_size_max = 200};
  const auto status_of = [&](std::size_t line_size, std::size_t fields_size) {
    HttpParser parser = make_parser(limits);
    std::string text = "GET /" + std::string(line_size - 16, 'a') + " HTTP/1.1\r\nHost: a\r\nX: ";
    text += std::string(fields_size - 16, 'x') + "\r\n\r\n";
    return parser.next(text) == HttpParser::Status::request ? "" : text_of(parser.fault()).code;
  };
  EXPECT_EQ(status_of(100, 200), "");
  EXPECT_EQ(status_of(101, 200), "uri_too_long");
  EXPECT_EQ(status_of(100, 202), "headers_too_large");
}

TEST(HttpParser, KnowsWhoWantsToStay) {
  const auto stays = [](std::string_view text) {
    HttpParser parser = make_parser();
    EXPECT_EQ(parser.next(text), HttpParser::Status::request);
    return parser.keep_alive();
  };
  EXPECT_TRUE(stays("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_FALSE(stays("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
  EXPECT_FALSE(stays("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(stays("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

}  // namespace
}  // namespace tessera::service
