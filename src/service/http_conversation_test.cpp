// What a conversation promises: answers in the order of the requests, one write for a pipeline, a
// stream as fast as it is taken, and an end when there is one.

#include "service/http_conversation.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/fakes.h"
#include "tessera/system.h"

namespace tessera::service {
namespace {

using Next = Conversation::Next;

// Says what it was asked; /wait has to wait, /stream/N is N bytes.
class EchoApi final : public Api {
 public:
  std::vector<std::string> asked;
  Metrics counted;

  Outcome answer(const Installation&, const Request& request, Answer& answer) override {
    asked.emplace_back(request.path);
    if (request.path == "/wait" && !request.may_wait) return Outcome::must_wait;
    answer.media = Media::text;
    answer.body = std::string(request.path) + " " + std::string(request.body);
    if (request.path.starts_with("/stream/")) {
      answer.stream = std::make_unique<Bytes>(std::stoull(std::string(request.path.substr(8))));
    }
    return Outcome::done;
  }
  std::size_t body_size_max(const Request&) const noexcept override { return 1000; }
  Metrics& metrics() noexcept override { return counted; }
  RateLimits& limits() noexcept override { return limits_; }

 private:
  RateLimits limits_{0};
  struct Bytes final : BodySource {
    explicit Bytes(std::size_t count) : left(count) {}
    std::size_t left;

    bool fill(std::string& buffer, std::size_t size) override {
      const std::size_t count = std::min(left, size);
      buffer.append(count, 'x');
      left -= count;
      return left > 0;
    }
  };
};

struct Talk {
  EchoApi api;
  FakeClock clock{1'794'819'600'000};
  HttpWriter writer{clock};
  ServiceLimits limits;
  SystemMonotonicClock monotonic;
  std::shared_ptr<const Installation> on =
      std::make_shared<Installation>(Installation{.clock = &clock, .monotonic = &monotonic});
  HttpConversation conversation{{api, writer, limits, on}};
  std::string in;
  std::size_t used = 0;
  std::string out;

  Next say(std::string_view text) {
    in.append(text);
    return conversation.advance(in, used, out);
  }
};

std::string get(std::string_view path, std::string_view fields = "") {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n";
}

// The bodies of chunks, put together.
std::string chunks_of(std::string_view text) {
  std::string body;
  for (;;) {
    const auto end = text.find("\r\n");
    const std::size_t size = std::stoull(std::string(text.substr(0, end)), nullptr, 16);
    text.remove_prefix(end + 2);
    if (size == 0) break;
    body.append(text.substr(0, size));
    text.remove_prefix(size + 2);
  }
  EXPECT_EQ(text, "\r\n");
  return body;
}

std::string body_of(const std::string& answer) {
  return answer.substr(answer.find("\r\n\r\n") + 4);
}

TEST(HttpConversation, AnswersAsHttpDoes) {
  Talk talk;
  EXPECT_EQ(talk.say(get("/a")), Next::write);
  EXPECT_EQ(talk.out,
            "HTTP/1.1 200 OK\r\nDate: Mon, 16 Nov 2026 09:00:00 GMT\r\n"
            "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 3\r\n"
            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n/a ");
  EXPECT_EQ(talk.used, talk.in.size());
  talk.out.clear();
  EXPECT_EQ(talk.say(""), Next::read);
  EXPECT_EQ(talk.conversation.phase(), Conversation::Phase::idle);
}

TEST(HttpConversation, AnswersAPipelineInOrderAndInOneWrite) {
  Talk talk;
  std::string text;
  for (int i = 0; i < 16; ++i) text += get("/" + std::to_string(i));
  EXPECT_EQ(talk.say(text), Next::write);
  std::size_t at = 0;
  for (int i = 0; i < 16; ++i) {
    at = talk.out.find("\r\n\r\n/" + std::to_string(i) + " ", at);
    ASSERT_NE(at, std::string::npos) << i;
  }
}

TEST(HttpConversation, LetsNobodyOvertakeOneThatWaits) {
  Talk talk;
  EXPECT_EQ(talk.say(get("/a") + get("/wait") + get("/b")), Next::wait);
  EXPECT_EQ(body_of(talk.out), "/a ");
  talk.out.clear();
  talk.conversation.wait();
  EXPECT_EQ(talk.say(""), Next::write);
  EXPECT_LT(talk.out.find("/wait "), talk.out.find("/b "));
  EXPECT_EQ(talk.api.asked, (std::vector<std::string>{"/a", "/wait", "/wait", "/b"}));
}

TEST(HttpConversation, MakesALargeBodyPieceByPiece) {
  Talk talk;
  constexpr std::size_t kSize = 1'000'000;
  Next next = talk.say(get("/stream/" + std::to_string(kSize)));
  std::string all;
  for (int i = 0; i < 100 && next == Next::write; ++i) {
    EXPECT_LE(talk.out.size(), 3 * Conversation::kWriteSize);
    all += std::exchange(talk.out, {});
    next = talk.say("");
  }
  EXPECT_EQ(next, Next::read);
  EXPECT_NE(all.find("Transfer-Encoding: chunked\r\n"), std::string::npos);
  EXPECT_EQ(chunks_of(body_of(all)), std::string(kSize, 'x'));
}

TEST(HttpConversation, EndsAStreamForOldClientsByClosing) {
  Talk talk;
  EXPECT_EQ(talk.say("GET /stream/10 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"), Next::close);
  EXPECT_EQ(body_of(talk.out), "xxxxxxxxxx");
  EXPECT_EQ(talk.out.find("chunked"), std::string::npos);
}

TEST(HttpConversation, HeadHasNoBody) {
  Talk talk;
  EXPECT_EQ(talk.say("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n"
                     "HEAD /stream/9 HTTP/1.1\r\nHost: a\r\n\r\n"),
            Next::write);
  EXPECT_NE(talk.out.find("Content-Length: 3\r\n"), std::string::npos);
  EXPECT_TRUE(talk.out.ends_with("\r\n\r\n"));
  EXPECT_EQ(talk.out.find("xxx"), std::string::npos);
}

TEST(HttpConversation, CompressesWhereItIsAskedAndWorthIt) {
  Talk talk;
  EXPECT_EQ(talk.say(get("/a", "Accept-Encoding: gzip\r\n")), Next::write);
  EXPECT_EQ(talk.out.find("gzip"), std::string::npos);
  talk.out.clear();
  EXPECT_EQ(talk.say(get("/stream/50000", "Accept-Encoding: br, gzip;q=0.5\r\n")), Next::write);
  EXPECT_NE(talk.out.find("Content-Encoding: gzip\r\n"), std::string::npos);
  std::string packed = chunks_of(body_of(talk.out));
  EXPECT_LT(packed.size(), 1000U);
  z_stream stream{};
  ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string plain(60'000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  EXPECT_EQ(plain, std::string(50'000, 'x'));
}

TEST(HttpConversation, TellsWhatWasWrongAndEnds) {
  Talk talk;
  EXPECT_EQ(talk.say(get("/a") + "GET / HTTP/1.1\nHost: a\n\n"), Next::close);
  EXPECT_NE(talk.out.find("HTTP/1.1 400 Bad Request\r\n"), std::string::npos);
  EXPECT_NE(talk.out.find("Connection: close\r\n"), std::string::npos);
  EXPECT_NE(talk.out.find("\"bad_framing\""), std::string::npos);
  EXPECT_EQ(talk.api.asked, std::vector<std::string>{"/a"});
}

TEST(HttpConversation, GivesUpOnThoseWhoAreTooSlow) {
  Talk talk;
  EXPECT_EQ(talk.say("GET /slow HTT"), Next::read);
  EXPECT_EQ(talk.conversation.phase(), Conversation::Phase::head);
  talk.conversation.give_up(talk.out);
  EXPECT_TRUE(talk.out.starts_with("HTTP/1.1 408 Request Timeout\r\n"));
}

TEST(HttpConversation, SaysNothingToThoseWhoOnlyStay) {
  Talk talk;
  talk.conversation.give_up(talk.out);
  EXPECT_EQ(talk.out, "");
}

TEST(HttpConversation, AnswersOnceMoreWhenTheServiceEnds) {
  Talk talk;
  EXPECT_EQ(talk.say("GET /last HTTP/1.1\r\n"), Next::read);
  talk.conversation.drain();
  EXPECT_EQ(talk.say("Host: a\r\n\r\n" + get("/never")), Next::close);
  EXPECT_EQ(body_of(talk.out), "/last ");
  EXPECT_NE(talk.out.find("Connection: close\r\n"), std::string::npos);
}

TEST(HttpConversation, WhoWasToldToStayMayAskOnceMore) {
  Talk talk;
  talk.say(get("/one"));
  EXPECT_EQ(talk.out.find("Connection: close\r\n"), std::string::npos);
  talk.out.clear();
  talk.conversation.drain();
  EXPECT_EQ(talk.say(""), Next::read) << "it may have asked already";
  EXPECT_EQ(talk.say(get("/two")), Next::close);
  EXPECT_NE(talk.out.find("Connection: close\r\n"), std::string::npos);
}

}  // namespace
}  // namespace tessera::service
