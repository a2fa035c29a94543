// What happens to a call when the other side is odd: pauses, limits, certificates.

#include "tessera/client/http_client.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/served_tessera.h"
#include "support/servers.h"

namespace tessera {
namespace {

using std::chrono::milliseconds;
using Method = HttpCall::Method;

// Gives one answer after the other, the last one for ever, and keeps what was asked.
class ScriptedServer {
 public:
  explicit ScriptedServer(std::vector<std::string> answers) : answers_(std::move(answers)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 16), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~ScriptedServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<std::string> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  void serve() {
    for (int fd = 0; (fd = ::accept(listener_, nullptr, nullptr)) >= 0; ::close(fd)) {
      std::string request;
      char buffer[4096];
      while (!is_whole(request)) {
        const ssize_t size = ::recv(fd, buffer, sizeof buffer, 0);
        if (size <= 0) break;
        request.append(buffer, static_cast<std::size_t>(size));
      }
      if (!is_whole(request)) continue;
      std::string answer;
      {
        const std::lock_guard lock(mutex_);
        answer = answers_[std::min(asked_.size(), answers_.size() - 1)];
        asked_.push_back(request);
      }
      (void)::send(fd, answer.data(), answer.size(), MSG_NOSIGNAL);
    }
  }
  static bool is_whole(const std::string& request) {
    const std::size_t end = request.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    const std::size_t field = request.find("Content-Length: ");
    const std::size_t body =
        field == std::string::npos ? 0 : std::strtoul(request.c_str() + field + 16, nullptr, 10);
    return request.size() >= end + 4 + body;
  }

  std::vector<std::string> answers_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  std::mutex mutex_;
  std::vector<std::string> asked_;
  std::thread thread_;
};

std::string answer(int status, const std::string& body, const std::string& fields = "") {
  return "HTTP/1.1 " + std::to_string(status) +
         " X\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n" +
         fields + "\r\n" + body;
}
std::string problem(int status, const std::string& code, const std::string& fields = "") {
  return answer(status, R"({"status":)" + std::to_string(status) + R"(,"code":")" + code + R"("})",
                fields);
}

// On a busy machine everything takes its time.
Result<HttpAnswer, Error> ask(ScriptedServer& server, const HttpCall& call,
                              HttpClientOptions options = {.pause_min = milliseconds(1)}) {
  options.timeout = std::chrono::seconds(60);
  options.attempt_timeout = std::chrono::seconds(20);
  return (*HttpClient::open(server.url(), options))->ask(call);
}

TEST(HttpClient, WhatWasNotDoneIsAskedForAgain) {
  for (const std::string& refusal :
       {problem(429, "too_many_requests"), problem(503, "store_unavailable"),
        problem(503, "overloaded"), problem(503, "not_ready")}) {
    ScriptedServer server({refusal, refusal, answer(200, "{}")});
    const auto got = ask(server, {.method = Method::post, .target = "/x", .repeatable = false});
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->status, 200);
    EXPECT_EQ(server.asked().size(), 3U);
  }
}

TEST(HttpClient, WhatMayHaveBeenDoneIsRepeatedOnlyWhereThatIsSafe) {
  for (const std::string& odd : {problem(503, "outcome_unknown"), problem(504, "timed_out"),
                                 answer(502, "<html>"), std::string()}) {
    ScriptedServer server({odd, answer(200, "{}")});
    const auto safe = ask(server, {.method = Method::post, .target = "/x"});
    ASSERT_TRUE(safe) << safe.error().message;
    EXPECT_EQ(server.asked().size(), 2U);
    EXPECT_EQ(server.asked()[0], server.asked()[1]) << "the same request, with the same key";

    ScriptedServer other({odd, answer(200, "{}")});
    const auto once = ask(other, {.method = Method::post, .target = "/x", .repeatable = false});
    EXPECT_EQ(other.asked().size(), 1U);
    if (odd.empty()) {
      ASSERT_FALSE(once);
      EXPECT_EQ(once.error().code, Error::Code::outcome_unknown);
    } else {
      ASSERT_TRUE(once);
      EXPECT_GE(once->status, 500);
    }
  }
}

// The first attempt may have been done: that the second was not says nothing about it.
TEST(HttpClient, ARefusalAfterALostAnswerIsUnknown) {
  ScriptedServer server({"", problem(503, "store_unavailable")});
  const auto got = ask(server, {.method = Method::post, .target = "/x"},
                       {.pause_min = milliseconds(1), .attempts_max = 2});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Error::Code::outcome_unknown);
}

TEST(HttpClient, AQuestionIsNeverUnknown) {
  ScriptedServer server({""});
  const auto got = ask(server, {.target = "/x"}, {.pause_min = milliseconds(1), .attempts_max = 2});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Error::Code::store_unavailable);
}

TEST(HttpClient, RetryAfterIsHeeded) {
  ScriptedServer server(
      {problem(429, "too_many_requests", "Retry-After: 1\r\n"), answer(200, "{}")});
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(ask(server, {.target = "/x"}));
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(1000));

  // Past the deadline nobody waits for it.
  ScriptedServer later({problem(429, "too_many_requests", "Retry-After: 3000\r\n")});
  const auto got = ask(later, {.target = "/x"});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 429);
  EXPECT_EQ(later.asked().size(), 1U);
}

TEST(HttpClient, AttemptsAreCounted) {
  ScriptedServer server({problem(503, "overloaded")});
  const auto got = ask(server, {.target = "/x"}, {.pause_min = milliseconds(1), .attempts_max = 4});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 503);
  EXPECT_EQ(server.asked().size(), 4U);
}

TEST(HttpClient, AnAnswerThatIsTooLargeIsNone) {
  const HttpClientOptions small{
      .pause_min = milliseconds(1), .attempts_max = 2, .answer_size_max = 1000};
  ScriptedServer fits({answer(200, std::string(1000, 'x'))});
  EXPECT_TRUE(ask(fits, {.target = "/x"}, small));
  for (const std::string& large :
       {answer(200, std::string(1001, 'x')),
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n" + std::string(100, 'x'),
        "HTTP/1.1 200 OK\r\n" + std::string(200'000, 'x')}) {
    ScriptedServer server({large});
    const auto got = ask(server, {.target = "/x"}, small);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, Error::Code::store_unavailable);
  }
}

TEST(HttpClient, WhatIsNoHttpIsNoAnswer) {
  for (const char* odd : {"hello\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "\r\n\r\n"}) {
    ScriptedServer server({odd});
    const auto got =
        ask(server, {.target = "/x"}, {.pause_min = milliseconds(1), .attempts_max = 2});
    EXPECT_FALSE(got) << odd;
  }
}

TEST(HttpClient, SaysWhoAsksAndWhat) {
  ScriptedServer server({answer(200, "{}")});
  ASSERT_TRUE(ask(
      server, {.method = Method::post, .target = "/x", .body = "{}", .idempotency_key = "\"k\""},
      {.token = "tsr_secret"}));
  const std::string asked = server.asked()[0];
  EXPECT_THAT(asked, testing::StartsWith("POST /x HTTP/1.1\r\n"));
  EXPECT_THAT(asked, testing::HasSubstr("Host: 127.0.0.1:"));
  EXPECT_THAT(asked, testing::HasSubstr("Authorization: Bearer tsr_secret\r\n"));
  EXPECT_THAT(asked, testing::HasSubstr("Idempotency-Key: \"k\"\r\n"));
  EXPECT_THAT(asked, testing::HasSubstr("Content-Type: application/json\r\n"));
}

TEST(HttpClient, ATokenOfTwoLinesIsRefusedUnseen) {
  const auto client = HttpClient::open("http://127.0.0.1:1", {.token = "a\r\nHost: b"});
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().message.find("Host"), std::string::npos);
}

class HttpClientTls : public testing::Test {
 protected:
  // For "localhost", signed by itself.
  service::TlsFiles make_certificate(const std::string& name, const std::string& host) {
    service::TlsFiles files{.certificate = folder_ / (name + ".pem"),
                            .key = folder_ / (name + ".key")};
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "
        "/CN=" +
        host + " -addext subjectAltName=DNS:" + host + " -keyout " + files.key + " -out " +
        files.certificate + " 2>/dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return files;
  }
  static Result<HttpAnswer, Error> health(const std::string& url, const std::string& ca_file) {
    auto client = HttpClient::open(url, {.ca_file = ca_file,
                                         .timeout = std::chrono::seconds(60),
                                         .attempt_timeout = std::chrono::seconds(20),
                                         .pause_min = milliseconds(1),
                                         .attempts_max = 2});
    EXPECT_TRUE(client) << client.error().message;
    return (*client)->ask({.target = "/healthz"});
  }

  servers::TemporaryFolder folder_;
};

TEST_F(HttpClientTls, ACertificateMustBeSignedAndForThatName) {
  const auto good = make_certificate("good", "localhost");
  const auto other = make_certificate("other", "elsewhere.example");
  ServedTessera served(memory_store(), good);
  const auto answered = health(served.url(), good.certificate);
  ASSERT_TRUE(answered) << answered.error().message;
  EXPECT_EQ(answered->status, 200);
  for (const auto& refused :
       {health(served.url(), ""),                 // by nobody whom the system believes
        health(served.url(), other.certificate),  // by somebody else
        health("https://127.0.0.1:" + std::to_string(served.port()), good.certificate)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Error::Code::store_unavailable);
    EXPECT_THAT(refused.error().message, testing::HasSubstr("no TLS"));
  }
  ServedTessera impostor(memory_store(), other);
  EXPECT_FALSE(health(impostor.url(), other.certificate)) << "another name";
  EXPECT_FALSE(HttpClient::open(served.url(), {.ca_file = folder_ / "none.pem"}));
}

}  // namespace
}  // namespace tessera
