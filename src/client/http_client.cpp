// Calls, their attempts, and the pauses between them.

#include "tessera/client/http_client.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "client/address.h"
#include "client/answer.h"
#include "http/connection.h"
#include "segment/backoff.h"
#include "tessera/system.h"
#include "tessera/version.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t random_seed() {
  SystemEntropy entropy;
  std::array<std::uint8_t, 8> bytes{};
  std::uint64_t seed = 0;
  // Without entropy the pauses are those of everybody else; nothing more depends on them.
  if (!entropy.fill(bytes)) return seed;
  for (const std::uint8_t byte : bytes) seed = seed << 8 | byte;
  return seed;
}

std::string_view name_of(HttpCall::Method method) noexcept {
  switch (method) {
    case HttpCall::Method::get: return "GET";
    case HttpCall::Method::post: return "POST";
    case HttpCall::Method::del: break;
  }
  return "DELETE";
}

// Of an answer, what matters for the next attempt.
struct Received {
  HttpAnswer answer;
  std::optional<std::chrono::seconds> retry_after;
};

// Seconds only: of dates we would have to know whose clock they are by.
std::optional<std::chrono::seconds> seconds_of(std::string_view text) noexcept {
  constexpr int kRetryAfterMax = 3600;
  int seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  if (seconds < 0 || seconds > kRetryAfterMax) return std::nullopt;
  return std::chrono::seconds(seconds);
}

http::Request request_of(const HttpCall& call, const std::string& token) {
  http::Request request{.method = name_of(call.method), .target = call.target, .body = call.body};
  auto& fields = request.fields;
  fields.emplace_back("User-Agent", "tessera/" TESSERA_VERSION);
  fields.emplace_back("Accept", "application/json");
  if (!token.empty()) fields.emplace_back("Authorization", "Bearer " + token);
  if (!call.idempotency_key.empty()) fields.emplace_back("Idempotency-Key", call.idempotency_key);
  if (!call.body.empty()) fields.emplace_back("Content-Type", "application/json");
  return request;
}

class Client final : public HttpClient {
 public:
  Client(Address address, HttpClientOptions options, std::unique_ptr<http::Tls> tls)
      : address_(std::move(address)),
        options_(std::move(options)),
        tls_(std::move(tls)),
        url_((address_.tls ? "https://" : "http://") + address_.authority()) {}

  const std::string& url() const noexcept override { return url_; }

  Result<HttpAnswer, Error> ask(const HttpCall& call) override {
    const auto timeout = call.timeout.count() > 0 ? call.timeout : options_.timeout;
    const auto deadline = Clock::now() + timeout;
    Backoff pauses(options_.pause_min, options_.pause_max, random_seed());
    bool maybe_done = false;
    for (unsigned attempt = 1;; ++attempt) {
      // Who may not ask twice gains nothing by giving up early.
      const auto patience = call.repeatable ? options_.attempt_timeout : timeout;
      auto received = try_once(call, std::min(deadline, Clock::now() + patience));
      std::optional<std::chrono::seconds> wanted;
      if (received) {
        const Advice advice = advice_of(received->answer);
        const bool again =
            advice == Advice::again || (advice == Advice::again_if_repeatable && call.repeatable);
        if (!again) return settled(std::move(received->answer), maybe_done);
        maybe_done = maybe_done || advice == Advice::again_if_repeatable;
        wanted = received->retry_after;
      } else {
        const bool is_question = call.method == HttpCall::Method::get;
        maybe_done = maybe_done || (received.error().sent && !is_question);
        if (received.error().sent && !call.repeatable)
          return Failure{unknown(received.error().why)};
      }
      auto pause = std::chrono::duration_cast<Clock::duration>(pauses.fail());
      if (wanted) pause = std::max<Clock::duration>(pause, *wanted);
      if (attempt >= options_.attempts_max || Clock::now() + pause >= deadline) {
        if (received) return settled(std::move(received->answer), maybe_done);
        if (maybe_done) return Failure{unknown(received.error().why)};
        return Failure{unavailable(received.error().why)};
      }
      std::this_thread::sleep_for(pause);
    }
  }

 private:
  using Lost = http::Lost;
  using Connection = http::Connection;

  Result<Received, Lost> try_once(const HttpCall& call, Clock::time_point deadline) {
    auto connection = take_idle();
    if (connection == nullptr) {
      connection = std::make_unique<Connection>(address_, tls_.get(), options_.answer_size_max);
      if (auto lost = connection->connect(deadline)) return Failure{*std::move(lost)};
    }
    auto answer = connection->exchange(request_of(call, options_.token), deadline);
    if (!answer) return Failure{answer.error()};
    keep(std::move(connection));
    return Received{.answer = {.status = answer->status,
                               .body = std::move(answer->body),
                               .replayed = answer->field("Idempotent-Replayed") == "true"},
                    .retry_after = seconds_of(answer->field("Retry-After"))};
  }

  std::unique_ptr<Connection> take_idle() {
    const std::lock_guard lock(mutex_);
    while (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      if (connection->is_usable()) return connection;
    }
    return nullptr;
  }

  void keep(std::unique_ptr<Connection> connection) {
    if (!connection->is_usable()) return;
    const std::lock_guard lock(mutex_);
    if (idle_.size() < options_.idle_max) idle_.push_back(std::move(connection));
  }

  // An answer that does not speak for the attempts before it leaves their outcome unknown.
  Result<HttpAnswer, Error> settled(HttpAnswer answer, bool maybe_done) const {
    const int status = answer.status;
    const bool about_now = status == 401 || status == 403 || status == 429 || status >= 500;
    if (maybe_done && about_now) return Failure{unknown(error_of(answer).message)};
    return answer;
  }

  Error unavailable(const std::string& why) const {
    return {Error::Code::store_unavailable, "could not ask " + url_ + ": " + why,
            "Is tessera serve running there, and is this its internal listener?"};
  }
  Error unknown(const std::string& why) const {
    return {Error::Code::outcome_unknown, "asked " + url_ + ": " + why,
            "It may have been done. Ask again with the same key."};
  }

  const Address address_;
  const HttpClientOptions options_;
  const std::unique_ptr<http::Tls> tls_;
  const std::string url_;

  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;
};

bool is_token(std::string_view text) noexcept {
  return text.size() <= 4096 &&
         std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F; });
}

}  // namespace

Result<std::shared_ptr<HttpClient>, Error> HttpClient::open(std::string_view url,
                                                            const HttpClientOptions& options) {
  auto address = parse_address(url);
  if (!address) return Failure{address.error()};
  if (!is_token(options.token)) {
    return Failure{Error{Error::Code::invalid_request, "the token is none",
                         "It is one word, as tessera token create printed it."}};
  }
  std::unique_ptr<http::Tls> tls;
  if (address->tls) {
    auto made = http::Tls::make({.ca = options.ca_file});
    if (!made) return Failure{made.error()};
    tls = *std::move(made);
  }
  return std::shared_ptr<HttpClient>(
      std::make_shared<Client>(*std::move(address), options, std::move(tls)));
}

}  // namespace tessera
