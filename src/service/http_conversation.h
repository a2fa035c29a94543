#pragma once

// HttpConversation: HTTP/1.1 on one connection, without the connection.
//
// Answers come in the order of the requests. A request that has to wait for a store stops those
// behind it; a large body is made piece by piece, as fast as it is taken.

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "service/api.h"
#include "service/conversation.h"
#include "service/http_parser.h"
#include "service/http_writer.h"
#include "service/message.h"
#include "tessera/service/service.h"

namespace tessera::service {

// What all conversations of one thread share.
struct HttpShared {
  Api& api;
  HttpWriter& writer;
  const ServiceLimits& limits;
  // What requests work on from now on; changes when the service is reloaded.
  const std::shared_ptr<const Installation>& on;
  bool internal = false;
};

class HttpConversation final : public Conversation {
 public:
  explicit HttpConversation(const HttpShared& shared);

  Next advance(std::string_view in, std::size_t& used, std::string& out) override;
  void wait() override;
  Phase phase() const noexcept override;
  void give_up(std::string& out) override;
  void drain() noexcept override { draining_ = true; }

 private:
  void answer(std::string& out);
  void refuse(Fault fault, std::string& out);
  bool pump(std::string& out);

  const HttpShared shared_;
  HttpParser parser_;
  Request request_;
  Answer answer_;
  HttpWriter::Connection how_;
  std::shared_ptr<const Installation> waiting_on_;  // while a request waits
  std::chrono::nanoseconds begun_{0};
  bool answered_ = false;  // wait() has run
  bool draining_ = false;
  bool closing_ = false;
};

}  // namespace tessera::service
