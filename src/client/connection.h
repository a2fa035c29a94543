#pragma once

// Connection: one HTTP/1.1 connection to another Tessera, plain or TLS, used by one thread at a
// time.

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "client/address.h"
#include "tessera/client/http_client.h"

namespace boost::asio::ssl {
class context;
}

namespace tessera {

// What an attempt came to, without an answer.
struct Lost {
  bool sent = false;  // it may have been done
  std::string why;    // "connection refused"
};

// Of an answer, what matters for the next attempt.
struct Received {
  HttpAnswer answer;
  std::optional<std::chrono::seconds> retry_after;
};

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `tls` is null for plain ones, and must outlive it.
  static std::unique_ptr<Connection> make(const Address& address, boost::asio::ssl::context* tls,
                                          std::size_t answer_size_max);
  virtual ~Connection() = default;

  // Nothing, if it is there.
  virtual std::optional<Lost> connect(Time deadline) = 0;
  virtual Result<Received, Lost> exchange(const HttpCall& call, const std::string& token,
                                          Time deadline) = 0;
  // Whether the next call can use it: the other side has not closed it.
  virtual bool is_usable() = 0;
};

}  // namespace tessera
