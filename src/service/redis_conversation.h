#pragma once

// RedisConversation: the Redis protocol on one connection, without the connection.
//
//    INCR scope            the next number, from memory: never twice, and no write for each
//    INCRBY scope n        n numbers in a row, from memory too; the last of them
//    TESSERA.NEW kind [n]  IDs of any kind
//    PING ECHO QUIT AUTH HELLO SELECT CLIENT COMMAND CONFIG INFO      what clients ask for
//
// INCRBY with 1 is INCR: many libraries send it so.
//
// Any client library of Redis is a client of ours. Numbers of a scope and a server come in one
// order, whichever of the two asked for them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "service/conversation.h"
#include "service/metrics.h"
#include "service/rate_limits.h"
#include "service/redis_writer.h"
#include "service/resp_parser.h"
#include "tessera/service/service.h"

namespace tessera::service {

// What all conversations of one thread share.
struct RedisShared {
  const std::shared_ptr<const Installation>& on;
  Counter& commands;
  Counter& errors;
  RateLimits* limits = nullptr;  // null: there are none
};

class RedisConversation final : public Conversation {
 public:
  explicit RedisConversation(const RedisShared& shared) : shared_(shared) {}

  Next advance(std::string_view in, std::size_t& used, std::string& out) override;
  void wait() override;
  Phase phase() const noexcept override { return phase_; }
  void give_up(std::string&) override {}
  void drain() noexcept override { draining_ = true; }

 private:
  using Arguments = std::span<const std::string_view>;
  struct Command;
  static const Command* find(std::string_view name) noexcept;

  bool run(const Installation& on, Arguments arguments, bool may_wait, std::string& out);
  // True and a reply, if it has asked too often.
  bool is_too_often(const Installation& on, const Token& token, RedisWriter& reply);
  bool authenticate(const Installation& on, std::string_view text);
  const Token* caller(const Installation& on) const noexcept;
  void fail(RedisWriter& reply, std::string_view code, std::string_view message);
  void fail(RedisWriter& reply, const Error& error);

  // One each. False: it would have to wait, and may not; nothing was done.
  bool auth(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool client(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool command(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool config(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool echo(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool hello(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool incr(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool incrby(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool info(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool ping(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool quit(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool select(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);
  bool tessera_new(const Installation& on, Arguments arguments, bool may_wait, RedisWriter& reply);

  const RedisShared shared_;
  RespParser parser_;
  Phase phase_ = Phase::idle;
  int version_ = 2;
  std::string token_;  // the ID of the token that AUTH gave; empty: none
  std::shared_ptr<const Installation> waiting_on_;
  std::string waited_;  // the reply that wait() made
  bool closing_ = false;
  bool draining_ = false;
};

}  // namespace tessera::service
