// RedisConversation: commands become replies, in order.

#include "service/redis_conversation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>

#include "service/id_source.h"
#include "service/problem.h"
#include "tessera/kind.h"
#include "tessera/parse_error.h"
#include "tessera/version.h"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kWait = 1000ms;
constexpr std::chrono::milliseconds kDraw = 5000ms;  // a store may have to choose another leader
constexpr std::size_t kNameSizeMax = 16;
constexpr std::int64_t kNewMax = 10'000;  // their text is made in one piece

bool equals(std::string_view text, std::string_view upper) noexcept {
  return std::ranges::equal(text, upper, [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

std::optional<std::int64_t> number_of(std::string_view text) noexcept {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Every call does: it may take as long as the store does, whatever it was told.
bool asks_the_store(const IdScope& scope) noexcept { return scope.order() == Scope::Order::strict; }

// Only whether the numbers in memory will do.
bool would_wait(const Error& error) noexcept {
  return error.code == Error::Code::timed_out || error.code == Error::Code::overloaded;
}

}  // namespace

struct RedisConversation::Command {
  std::string_view name;
  std::size_t count_min;  // with the name itself
  std::size_t count_max;
  bool (RedisConversation::*run)(const Installation&, Arguments, bool, RedisWriter&);
  std::optional<Ability> ability;
  bool needs_caller = true;
};

const RedisConversation::Command* RedisConversation::find(std::string_view name) noexcept {
  using R = RedisConversation;
  static constexpr std::array kCommands = {
      Command{"INCR", 2, 2, &R::incr, Ability::segments},
      Command{"INCRBY", 3, 3, &R::incrby, Ability::segments},
      Command{"TESSERA.NEW", 2, 4, &R::tessera_new, Ability::mint},
      Command{"PING", 1, 2, &R::ping, std::nullopt},
      Command{"ECHO", 2, 2, &R::echo, std::nullopt},
      Command{"AUTH", 2, 3, &R::auth, std::nullopt, false},
      Command{"HELLO", 1, 7, &R::hello, std::nullopt, false},
      Command{"QUIT", 1, 1, &R::quit, std::nullopt, false},
      Command{"SELECT", 2, 2, &R::select, std::nullopt},
      Command{"CLIENT", 2, 8, &R::client, std::nullopt},
      Command{"COMMAND", 1, 64, &R::command, std::nullopt},
      Command{"CONFIG", 2, 64, &R::config, std::nullopt},
      Command{"INFO", 1, 64, &R::info, std::nullopt},
  };
  if (name.size() > kNameSizeMax) return nullptr;
  const auto found = std::ranges::find_if(
      kCommands, [name](const Command& command) { return equals(name, command.name); });
  return found == kCommands.end() ? nullptr : &*found;
}

Conversation::Next RedisConversation::advance(std::string_view in, std::size_t& used,
                                              std::string& out) {
  if (waiting_on_ != nullptr) {
    waiting_on_.reset();
    used += parser_.size();
    out.append(waited_);
    waited_.clear();
  }
  for (;;) {
    if (closing_) return Next::close;
    if (out.size() >= kPipelineSize) return Next::write;
    const std::string_view rest = in.substr(used);
    switch (parser_.next(rest)) {
      case RespParser::Status::more:
        phase_ = rest.empty() ? Phase::idle : Phase::head;
        if (draining_ && rest.empty()) return Next::close;
        return out.empty() ? Next::read : Next::write;
      case RespParser::Status::broken: {
        RedisWriter reply(out, version_);
        fail(reply, "ERR", std::string("Protocol error: ").append(parser_.fault()));
        return Next::close;
      }
      case RespParser::Status::command: break;
    }
    phase_ = Phase::idle;
    if (!parser_.arguments().empty() && !run(*shared_.on, parser_.arguments(), false, out)) {
      waiting_on_ = shared_.on;
      return Next::wait;
    }
    used += parser_.size();
  }
}

void RedisConversation::wait() { run(*waiting_on_, parser_.arguments(), true, waited_); }

bool RedisConversation::run(const Installation& on, Arguments arguments, bool may_wait,
                            std::string& out) {
  RedisWriter reply(out, version_);
  const Command* command = find(arguments[0]);
  if (!may_wait) shared_.commands.add();
  if (command == nullptr) {
    fail(reply, "ERR", "unknown command " + quoted(arguments[0]));
    // A browser, made by some page to send us HTTP: what comes behind the head is not meant for us.
    closing_ = equals(arguments[0], "POST") || equals(arguments[0], "HOST:");
    return true;
  }
  if (command->needs_caller && on.tokens != nullptr) {
    const Token* token = caller(on);
    if (token == nullptr) {
      fail(reply, "NOAUTH", "Authentication required.");
      return true;
    }
    // Who waits was counted when it came.
    if (!may_wait && is_too_often(on, *token, reply)) return true;
    if (command->ability && !token->abilities.has(*command->ability)) {
      fail(reply, "NOPERM", "this token may not " + std::string(name_of(*command->ability)));
      return true;
    }
  }
  if (arguments.size() < command->count_min || arguments.size() > command->count_max) {
    fail(reply, "ERR", "wrong number of arguments for " + quoted(arguments[0]) + " command");
    return true;
  }
  return (this->*command->run)(on, arguments, may_wait, reply);
}

bool RedisConversation::is_too_often(const Installation& on, const Token& token,
                                     RedisWriter& reply) {
  const auto bucket =
      shared_.limits == nullptr ? nullptr : shared_.limits->bucket_of(on.tokens, token);
  if (bucket == nullptr) return false;
  const auto wait = bucket->take(1, on.monotonic->now());
  if (wait.count() <= 0) return false;
  const FaultText& text = text_of(Fault::too_many_requests);
  fail(reply, "ERR", std::string(text.code) + ": " + std::string(text.title));
  return true;
}

void RedisConversation::fail(RedisWriter& reply, std::string_view code, std::string_view message) {
  shared_.errors.add();
  reply.error(code, message);
}

void RedisConversation::fail(RedisWriter& reply, const Error& error) {
  fail(reply, may_retry(error.code) ? "TRYAGAIN" : "ERR",
       std::string(name_of(error.code)) + ": " + error.message);
}

// The token of AUTH, if it still holds: tokens are revoked while connections stay.
const Token* RedisConversation::caller(const Installation& on) const noexcept {
  if (token_.empty()) return nullptr;
  const Token* token = on.tokens->find_id(token_);
  return token != nullptr && !token->is_over(on.clock->now_ms()) ? token : nullptr;
}

bool RedisConversation::authenticate(const Installation& on, std::string_view text) {
  const Token* token = on.tokens == nullptr ? nullptr : on.tokens->find(text);
  if (token == nullptr || token->is_over(on.clock->now_ms())) {
    token_.clear();
    return false;
  }
  token_ = token->id;
  return true;
}

// AUTH token, or AUTH name token: the name does not matter.
bool RedisConversation::auth(const Installation& on, Arguments arguments, bool,
                             RedisWriter& reply) {
  if (on.tokens == nullptr) {
    fail(reply, "ERR", "AUTH called without any token configured");
  } else if (authenticate(on, arguments.back())) {
    reply.simple("OK");
  } else {
    fail(reply, "WRONGPASS", "invalid token");
  }
  return true;
}

bool RedisConversation::hello(const Installation& on, Arguments arguments, bool,
                              RedisWriter& reply) {
  int version = version_;
  if (arguments.size() > 1) {
    const auto asked = number_of(arguments[1]);
    if (!asked || (*asked != 2 && *asked != 3)) {
      fail(reply, "NOPROTO", "unsupported protocol version");
      return true;
    }
    version = static_cast<int>(*asked);
  }
  for (std::size_t at = 2; at < arguments.size();) {
    if (equals(arguments[at], "AUTH") && at + 2 < arguments.size()) {
      if (on.tokens != nullptr && !authenticate(on, arguments[at + 2])) {
        fail(reply, "WRONGPASS", "invalid token");
        return true;
      }
      at += 3;
    } else if (equals(arguments[at], "SETNAME") && at + 1 < arguments.size()) {
      at += 2;
    } else {
      fail(reply, "ERR", "syntax error in HELLO");
      return true;
    }
  }
  if (on.tokens != nullptr && caller(on) == nullptr) {
    fail(reply, "NOAUTH", "HELLO must be called with AUTH, or after it");
    return true;
  }
  version_ = version;
  // The reply is in the version that was asked for.
  std::string text;
  RedisWriter fields(text, version_);
  fields.map(6);
  fields.bulk("server");
  fields.bulk("tessera");
  fields.bulk("version");
  fields.bulk(TESSERA_VERSION);
  fields.bulk("proto");
  fields.integer(version_);
  fields.bulk("mode");
  fields.bulk("standalone");
  fields.bulk("role");
  fields.bulk("master");
  fields.bulk("modules");
  fields.array(0);
  reply.raw(text);
  return true;
}

bool RedisConversation::incr(const Installation& on, Arguments arguments, bool may_wait,
                             RedisWriter& reply) {
  const auto scope = on.ids->scope(arguments[1]);
  if (!scope) {
    fail(reply, scope.error());
    return true;
  }
  if (!may_wait && asks_the_store(*scope)) return false;
  const auto wait = asks_the_store(*scope) ? kDraw : kWait;
  const auto number = on.ids->next_long(*scope, may_wait ? wait : 0ms);
  if (number) {
    reply.integer(*number);
    return true;
  }
  if (!may_wait && would_wait(number.error())) return false;
  fail(reply, number.error());
  return true;
}

bool RedisConversation::incrby(const Installation& on, Arguments arguments, bool may_wait,
                               RedisWriter& reply) {
  const auto count = number_of(arguments[2]);
  if (!count || *count < 1 || *count > static_cast<std::int64_t>(Scope::kDrawMax)) {
    fail(reply, "ERR",
         "the increment must be 1 to " + std::to_string(Scope::kDrawMax) + ", not " +
             quoted(arguments[2]));
    return true;
  }
  // What libraries send for "incr".
  if (*count == 1) return incr(on, arguments, may_wait, reply);
  const auto scope = on.ids->scope(arguments[1]);
  if (!scope) {
    fail(reply, scope.error());
    return true;
  }
  if (!may_wait && asks_the_store(*scope)) return false;
  const auto range = on.ids->next_longs_in_a_row(*scope, static_cast<std::uint64_t>(*count),
                                                 may_wait ? kDraw : 0ms);
  if (range) {
    reply.integer(static_cast<std::int64_t>(range->end - 1));
    return true;
  }
  if (!may_wait && would_wait(range.error())) return false;
  fail(reply, range.error());
  return true;
}

// TESSERA.NEW kind [n [layout]]: one ID, or an array of them; the layout is for snowflakes. Numbers
// are what INCR is for.
bool RedisConversation::tessera_new(const Installation& on, Arguments arguments, bool may_wait,
                                    RedisWriter& reply) {
  std::int64_t count = 1;
  if (arguments.size() > 2) {
    const auto asked = number_of(arguments[2]);
    if (!asked || *asked < 1 || *asked > kNewMax) {
      fail(reply, "ERR",
           "the count must be 1 to " + std::to_string(kNewMax) + ", not " + quoted(arguments[2]));
      return true;
    }
    count = *asked;
  }
  if (!on.ids->enabled()) {
    fail(reply, "ERR", "closed: this installation hands out no IDs");
    return true;
  }
  const auto kind = kind_of(arguments[1]);
  std::unique_ptr<IdSource> source;
  if (arguments.size() > 3 && kind != Kind::snowflake) {
    fail(reply, "ERR", "a layout is for snowflakes, not for " + quoted(arguments[1]));
    return true;
  }
  if (kind == Kind::snowflake && on.snowflakes != nullptr) {
    const auto series = on.snowflakes->find(arguments.size() > 3 ? arguments[3] : "twitter");
    if (!series) {
      fail(reply, "ERR", series.error().message);
      return true;
    }
    std::vector<Snowflake> ids(static_cast<std::size_t>(count));
    const auto made = on.snowflakes->next(**series, ids, may_wait ? LeasedSnowflakes::kWait : 0ms);
    if (!made && !may_wait) return false;
    if (!made) {
      fail(reply, made.error());
      return true;
    }
    source = make_source(std::move(ids), Media::text);
  } else if (kind) {
    source = make_source({.kind = *kind, .count = static_cast<std::uint64_t>(count)}, Media::text);
  }
  if (source == nullptr) {
    fail(reply, "ERR", "no kind that can be made from here: " + quoted(arguments[1]));
    return true;
  }
  std::string lines;
  if (const auto error = source->append(lines, static_cast<std::size_t>(count))) {
    fail(reply, IdService::not_made(*error));
    return true;
  }
  if (arguments.size() > 2) reply.array(static_cast<std::size_t>(count));
  for (std::string_view rest = lines; !rest.empty();) {
    const auto end = rest.find('\n');
    reply.bulk(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return true;
}

bool RedisConversation::ping(const Installation&, Arguments arguments, bool, RedisWriter& reply) {
  arguments.size() > 1 ? reply.bulk(arguments[1]) : reply.simple("PONG");
  return true;
}

bool RedisConversation::echo(const Installation&, Arguments arguments, bool, RedisWriter& reply) {
  reply.bulk(arguments[1]);
  return true;
}

bool RedisConversation::quit(const Installation&, Arguments, bool, RedisWriter& reply) {
  reply.simple("OK");
  closing_ = true;
  return true;
}

bool RedisConversation::select(const Installation&, Arguments arguments, bool, RedisWriter& reply) {
  arguments[1] == "0" ? reply.simple("OK") : fail(reply, "ERR", "DB index is out of range");
  return true;
}

// What libraries say about themselves; we do not keep it.
bool RedisConversation::client(const Installation&, Arguments arguments, bool, RedisWriter& reply) {
  if (equals(arguments[1], "GETNAME")) {
    reply.null();
  } else if (equals(arguments[1], "ID")) {
    reply.integer(1);
  } else {
    reply.simple("OK");
  }
  return true;
}

bool RedisConversation::command(const Installation&, Arguments arguments, bool,
                                RedisWriter& reply) {
  if (arguments.size() > 1 && equals(arguments[1], "COUNT")) {
    reply.integer(0);
  } else if (arguments.size() > 1 && equals(arguments[1], "DOCS")) {
    reply.map(0);
  } else {
    reply.array(0);
  }
  return true;
}

bool RedisConversation::config(const Installation&, Arguments arguments, bool, RedisWriter& reply) {
  equals(arguments[1], "GET") ? reply.map(0)
                              : fail(reply, "ERR", "nothing can be configured from here");
  return true;
}

bool RedisConversation::info(const Installation&, Arguments, bool, RedisWriter& reply) {
  reply.bulk("# Server\r\nserver_name:tessera\r\ntessera_version:" + std::string(TESSERA_VERSION) +
             "\r\nredis_mode:standalone\r\n");
  return true;
}

}  // namespace tessera::service
