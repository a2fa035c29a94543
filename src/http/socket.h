#pragma once

// Socket: a TCP connection that nobody waits for longer than until a deadline.

#include <chrono>
#include <cstddef>
#include <string>
#include <system_error>

#include "http/address.h"

namespace tessera::http {

using Time = std::chrono::steady_clock::time_point;

class Socket {
 public:
  Socket() = default;
  ~Socket() { close(); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  // Tries all addresses of the host, each for its share of the time. An empty text, or why not.
  std::string connect(const Address& address, Time deadline);
  void close() noexcept;

  // False when the deadline comes first. `events` are those of poll().
  bool wait(short events, Time deadline) const noexcept;

  int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_ = -1;
};

// "connection refused": of errno.
std::string words_of(int error);
inline constexpr const char* kTooLong = "it took too long";

}  // namespace tessera::http
