#pragma once

// Connection: one HTTP/1.1 connection, plain or TLS, used by one thread at a time.
//
// Every call ends by its deadline. A connection that was made before a fork is of no use after it.

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "http/address.h"
#include "http/message.h"
#include "http/socket.h"
#include "http/tls.h"
#include "tessera/result.h"

struct ssl_st;

namespace tessera::http {

// What an attempt came to, without an answer.
struct Lost {
  bool sent = false;  // it may have been done
  std::string why;    // "connection refused"
};

class Connection {
 public:
  // `tls` is for addresses with TLS, and must outlive it.
  Connection(Address address, const Tls* tls, std::size_t answer_size_max);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Nothing, if it is there. With TLS the name in the certificate must be that of the address.
  std::optional<Lost> connect(Time deadline);
  Result<Answer, Lost> exchange(const Request& request, Time deadline);
  // Whether the next call can use it: the other side has not closed it.
  bool is_usable() const noexcept;

 private:
  struct Moved {  // bytes that were sent or received
    std::size_t size = 0;
    bool closed = false;  // in good order
    std::string why;      // empty: all is well
  };

  std::optional<Lost> shake_hands(Time deadline);
  Moved send(std::string_view bytes, Time deadline);
  Moved receive(char* bytes, std::size_t size, Time deadline);
  // Waits for what TLS waits for; why not, if it does not come.
  std::string wait_for_tls(int result, Time deadline);

  const Address address_;
  const Tls* const tls_;
  const std::size_t answer_size_max_;
  Socket socket_;
  ssl_st* ssl_ = nullptr;
  pid_t process_;
  bool usable_ = false;
};

}  // namespace tessera::http
