#pragma once

// Connection: a socket and the conversation on it.
//
//    read -> advance -> write -> read -> …        one thing at a time, on the thread of its worker
//                    -> wait, on another thread -> advance
//
// Nothing is read while something is written or waited for: a client that takes nothing is asked
// nothing. Its memory is one request and one piece of an answer.

#include <chrono>
#include <memory>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include "service/conversation.h"

namespace tessera::service {

struct Worker;

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  virtual ~Connection() = default;
  virtual void start() = 0;
  // Ends it, if the other side has taken too long.
  virtual void check(Time now) = 0;
  // Ends it, as soon as what was asked is answered.
  virtual void drain() = 0;
  virtual void close() = 0;
};

// `tls` may be null. The connection lives until it ends, and is among those of the worker.
std::shared_ptr<Connection> make_connection(boost::asio::ip::tcp::socket socket,
                                            std::shared_ptr<boost::asio::ssl::context> tls,
                                            std::unique_ptr<Conversation> conversation,
                                            Worker& worker);

}  // namespace tessera::service
