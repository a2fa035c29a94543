#pragma once

// HttpClient: asks another Tessera, and asks again where that is safe.
//
//   auto client = HttpClient::open("https://ids.example:8421", {.token = token});
//   (*client)->ask({.target = "/v1/segments"});
//
// What happens to a call:
//
//    not connected                          nothing was done: again, after a pause
//    429, or 503 that says nothing was done     likewise, after Retry-After if it is said
//    sent, and no answer                    may have been done: again only if `repeatable`
//    any other answer                       is the answer
//
// until the deadline, or too many attempts. If one of them may have been done and none was
// answered, the error is outcome_unknown. Pauses double, and are shorter by chance. Connections are
// kept for later calls. With TLS the name in the certificate must be that of the URL.
//
// The token is in no message. Thread-safe; a call waits in its own thread.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera {

struct HttpClientOptions {
  std::string token{};    // of the other Tessera; empty: it asks for none
  std::string ca_file{};  // PEM, whom we believe; empty: those whom the system believes
  std::chrono::milliseconds timeout{5000};          // of a call, with all its attempts
  std::chrono::milliseconds attempt_timeout{2000};  // of one attempt, if there may be more
  std::chrono::milliseconds pause_min{20};
  std::chrono::milliseconds pause_max{500};
  unsigned attempts_max = 8;
  std::size_t answer_size_max = 16 << 20;
  std::size_t idle_max = 8;  // connections that are kept
};

struct HttpCall {
  enum class Method : std::uint8_t { get, post, del };

  Method method = Method::get;
  std::string target;     // "/v1/segments/ORDER"; encoded already
  std::string body = {};  // JSON; empty: none
  std::string_view idempotency_key = {};
  bool repeatable = true;                // twice is as once: a question, or a request with a key
  std::chrono::milliseconds timeout{0};  // 0: that of the options
};

struct HttpAnswer {
  int status = 0;
  std::string body{};
  bool replayed = false;  // the answer of an earlier call with the same key
};

class HttpClient {
 public:
  // `url` is http:// or https://, a host and perhaps a port, and nothing else. Asks nobody yet. An
  // authority file that cannot be used is invalid_request.
  static Result<std::shared_ptr<HttpClient>, Error> open(std::string_view url,
                                                         const HttpClientOptions& options = {});
  virtual ~HttpClient() = default;

  virtual Result<HttpAnswer, Error> ask(const HttpCall& call) = 0;
  virtual const std::string& url() const noexcept = 0;
};

// Whether a store of that URL is another Tessera.
bool is_http_url(std::string_view url) noexcept;

}  // namespace tessera
