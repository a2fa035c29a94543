// What any client of Redis may rely on here.

#include "service/redis_conversation.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "support/fake_segment_store.h"
#include "support/fakes.h"
#include "support/registry_fixture.h"
#include "tessera/lease/memory_store.h"
#include "tessera/system.h"

namespace tessera::service {
namespace {

using Next = Conversation::Next;

template <typename T>
T must(Result<T, Error> result) {
  if (!result) ADD_FAILURE() << result.error().message;
  return *std::move(result);
}

struct Talk {
  FakeClock clock{1'794'819'600'000};
  SystemMonotonicClock monotonic;
  FakeSegmentStore store{Scope{.name = "ORDER"}};
  std::unique_ptr<IdService> ids =
      must(IdService::make({.scopes = {{.name = "ORDER"}}}, store, clock, monotonic));
  Metrics metrics;
  Counter& commands = metrics.counter("c", "c");
  Counter& errors = metrics.counter("e", "e");
  std::shared_ptr<Installation> installation = std::make_shared<Installation>(
      Installation{.ids = ids.get(), .segments = &store, .clock = &clock, .monotonic = &monotonic});
  std::shared_ptr<const Installation> on = installation;
  RateLimits limits{0};
  RedisConversation conversation{{on, commands, errors, &limits}};

  // The whole reply; waits where it must.
  std::string say(std::string_view text) {
    std::string out;
    std::size_t used = 0;
    for (;;) {
      const Next next = conversation.advance(text, used, out);
      if (next == Next::wait) {
        conversation.wait();
        continue;
      }
      ended = next == Next::close;
      EXPECT_EQ(used, text.size());
      return out;
    }
  }
  bool ended = false;
};

TEST(RedisConversation, CountsUp) {
  Talk talk;
  EXPECT_EQ(talk.say("INCR ORDER\r\n"), ":1\r\n");
  EXPECT_EQ(talk.say("INCRBY ORDER 1\r\n"), ":2\r\n");
  EXPECT_EQ(talk.say("*2\r\n$4\r\nincr\r\n$5\r\nORDER\r\nINCR ORDER\r\n"), ":3\r\n:4\r\n");
}

// A number in a row is the caller's alone, and in the order of all others.
TEST(RedisConversation, ReservesARangeFromMemory) {
  Talk talk;
  EXPECT_EQ(talk.say("INCR ORDER\r\n"), ":1\r\n");
  EXPECT_EQ(talk.say("INCRBY ORDER 100\r\nINCR ORDER\r\nINCRBY ORDER 2\r\n"),
            ":101\r\n:102\r\n:104\r\n");
  EXPECT_EQ(talk.store.counts().size(), 1U) << "one draw for all";
  const std::string reply = talk.say("INCRBY ORDER 5000\r\n");
  EXPECT_EQ(reply, ":5104\r\n") << "more than are cached: drawn";
  EXPECT_EQ(talk.say("INCR ORDER\r\n"), ":5105\r\n");
  for (const std::string_view bad : {"0", "-1", "x", "1.5", "99999999999999999999"}) {
    EXPECT_TRUE(talk.say("INCRBY ORDER " + std::string(bad) + "\r\n").starts_with("-ERR ")) << bad;
  }
}

TEST(RedisConversation, AStrictScopeAsksTheStoreEveryTimeAndNotInTheLoop) {
  FakeSegmentStore store{Scope{.name = "ORDER", .order = Scope::Order::strict}};
  Talk talk;
  const auto ids =
      must(IdService::make({.scopes = {store.state().scope}}, store, talk.clock, talk.monotonic));
  talk.installation->ids = ids.get();
  std::string out;
  std::size_t used = 0;
  EXPECT_EQ(talk.conversation.advance("INCR ORDER\r\n", used, out), Next::wait);
  EXPECT_EQ(store.counts().size(), 0U);
  talk.conversation.wait();
  EXPECT_EQ(talk.conversation.advance("INCR ORDER\r\n", used, out), Next::write);
  EXPECT_EQ(out, ":1\r\n");
  ASSERT_TRUE(store.draw({.scope = "ORDER", .count = 10}));  // another server
  EXPECT_EQ(talk.say("INCRBY ORDER 5\r\n"), ":16\r\n");
  EXPECT_EQ(store.counts(), (std::vector<std::uint64_t>{1, 10, 5}));
}

TEST(RedisConversation, KnowsWhatClientsAskFor) {
  Talk talk;
  EXPECT_EQ(talk.say("PING\r\n"), "+PONG\r\n");
  EXPECT_EQ(talk.say("PING hi\r\n"), "$2\r\nhi\r\n");
  EXPECT_EQ(talk.say("ECHO hi\r\n"), "$2\r\nhi\r\n");
  EXPECT_EQ(talk.say("SELECT 0\r\n"), "+OK\r\n");
  EXPECT_TRUE(talk.say("SELECT 1\r\n").starts_with("-ERR "));
  EXPECT_EQ(talk.say("CLIENT SETINFO lib-name x\r\n"), "+OK\r\n");
  EXPECT_EQ(talk.say("COMMAND DOCS\r\n"), "*0\r\n");
  EXPECT_EQ(talk.say("CONFIG GET save\r\n"), "*0\r\n");
  EXPECT_TRUE(talk.say("INFO\r\n").starts_with("$"));
  EXPECT_TRUE(talk.say("HELLO\r\n").starts_with("*12\r\n$6\r\nserver\r\n$7\r\ntessera\r\n"));
  EXPECT_TRUE(talk.say("HELLO 3\r\n").starts_with("%6\r\n"));
  EXPECT_EQ(talk.say("COMMAND DOCS\r\n"), "%0\r\n");
  EXPECT_TRUE(talk.say("HELLO 4\r\n").starts_with("-NOPROTO "));
}

TEST(RedisConversation, RefusesInOneLine) {
  Talk talk;
  EXPECT_EQ(talk.say("INCR\r\n"), "-ERR wrong number of arguments for 'INCR' command\r\n");
  EXPECT_EQ(talk.say("FLUSHALL\r\n"), "-ERR unknown command 'FLUSHALL'\r\n");
  EXPECT_EQ(talk.say("INCR NONE\r\n").substr(0, 15), "-ERR not_found:");
  const std::string reply = talk.say("*2\r\n$4\r\nINCR\r\n$8\r\nA\r\n+OK\r\n\r\n");
  EXPECT_EQ(reply.find('\n'), reply.size() - 1);
  EXPECT_EQ(talk.errors.count(), 4U);
}

TEST(RedisConversation, EndsWhenItIsNotTheProtocol) {
  Talk talk;
  std::string out;
  std::size_t used = 0;
  EXPECT_EQ(talk.conversation.advance("*1\r\n$x\r\n", used, out), Next::close);
  EXPECT_TRUE(out.starts_with("-ERR Protocol error: "));
}

TEST(RedisConversation, QuitsWhenAsked) {
  Talk talk;
  EXPECT_EQ(talk.say("QUIT\r\n"), "+OK\r\n");
  EXPECT_TRUE(talk.ended);
}

TEST(RedisConversation, TellsWhatMayBeTriedAgain) {
  Talk talk;
  talk.store.fail_draws(1000, Error::Code::store_unavailable);
  EXPECT_TRUE(talk.say("INCR ORDER\r\n").starts_with("-TRYAGAIN "));
}

struct GuardedTalk : Talk {
  NewToken counter = token({Ability::segments});
  NewToken minter = token({Ability::mint});

  GuardedTalk() {
    installation->tokens =
        std::make_shared<const TokenTable>(must(TokenTable::make({counter.token, minter.token})));
  }
  NewToken token(std::initializer_list<Ability> abilities) {
    SystemEntropy entropy;
    Token wanted;
    for (const Ability ability : abilities) wanted.abilities.add(ability);
    wanted.tenants = {"*"};
    return must(make_token(wanted, clock, entropy));
  }
};

TEST(RedisConversation, AsksForAToken) {
  GuardedTalk talk;
  EXPECT_TRUE(talk.say("INCR ORDER\r\n").starts_with("-NOAUTH "));
  EXPECT_TRUE(talk.say("PING\r\n").starts_with("-NOAUTH "));
  EXPECT_TRUE(talk.say("HELLO 3\r\n").starts_with("-NOAUTH "));
  EXPECT_TRUE(talk.say("AUTH wrong\r\n").starts_with("-WRONGPASS "));
  EXPECT_EQ(talk.say("AUTH " + talk.minter.text + "\r\n"), "+OK\r\n");
  EXPECT_TRUE(talk.say("INCR ORDER\r\n").starts_with("-NOPERM "));
  EXPECT_TRUE(talk.say("HELLO 3 AUTH default " + talk.counter.text + "\r\n").starts_with("%6"));
  EXPECT_EQ(talk.say("INCR ORDER\r\n"), ":1\r\n");
}

TEST(RedisConversation, ForgetsATokenThatWasRevoked) {
  GuardedTalk talk;
  EXPECT_EQ(talk.say("AUTH " + talk.counter.text + "\r\n"), "+OK\r\n");
  EXPECT_EQ(talk.say("INCR ORDER\r\n"), ":1\r\n");
  auto newer = std::make_shared<Installation>(*talk.on);
  newer->tokens = std::make_shared<const TokenTable>(must(TokenTable::make({talk.minter.token})));
  talk.on = newer;
  EXPECT_TRUE(talk.say("INCR ORDER\r\n").starts_with("-NOAUTH "));
}

// The bucket is the token's, whatever it speaks.
TEST(RedisConversation, WhoAsksTooOftenIsToldSo) {
  Talk talk;
  SystemEntropy entropy;
  const auto made =
      make_token({.tenants = {"*"}, .abilities = Abilities::all(), .rate = 3}, talk.clock, entropy);
  ASSERT_TRUE(made) << made.error().message;
  talk.installation->tokens =
      std::make_shared<const TokenTable>(must(TokenTable::make({made->token})));
  FakeMonotonic time;
  talk.installation->monotonic = &time;
  EXPECT_EQ(talk.say("AUTH " + made->text + "\r\n"), "+OK\r\n");
  const std::string refusal = "-ERR too_many_requests: the token has asked too often\r\n";
  const std::string replies = talk.say("INCR ORDER\r\nINCRBY ORDER 2\r\nPING\r\nPING\r\n");
  EXPECT_TRUE(replies.starts_with(":1\r\n:")) << replies;
  EXPECT_TRUE(replies.ends_with("\r\n+PONG\r\n" + refusal)) << replies;
  EXPECT_EQ(talk.say("INCR ORDER\r\n"), refusal);
  EXPECT_FALSE(talk.ended) << "it may ask again later";
  const auto bucket =
      talk.limits.bucket_of(talk.installation->tokens, talk.installation->tokens->tokens()[0]);
  EXPECT_GT(bucket->take(1, time.now()).count(), 0) << "empty for HTTP, too";
  time.time += std::chrono::seconds(1);
  EXPECT_EQ(talk.say("INCR ORDER\r\n"), ":4\r\n");
}

// By a form or a script any page can make a browser send HTTP to our port.
TEST(RedisConversation, ABrowserIsHungUpOn) {
  for (const char* head : {"POST / HTTP/1.1\r\nHost: a\r\n\r\nINCR ORDER\r\n",
                           "GET / HTTP/1.1\r\nHost: a\r\n\r\nINCR ORDER\r\n",
                           "PUT / HTTP/1.1\r\nhost: a\r\nX: y\r\n\r\nINCR ORDER\r\n"}) {
    Talk talk;
    std::string out;
    std::size_t used = 0;
    EXPECT_EQ(talk.conversation.advance(head, used, out), Next::close) << head;
    EXPECT_EQ(out.find(':' + std::string("1")), std::string::npos) << "no number was given";
    EXPECT_EQ(out.substr(0, 5), "-ERR ");
    EXPECT_EQ(must(talk.ids->next_long("ORDER", std::chrono::seconds(5))), 1);
  }
}

TEST(RedisConversation, MakesSnowflakesWithALeasedNumber) {
  Talk talk;
  EXPECT_EQ(talk.say("TESSERA.NEW snowflake\r\n").substr(0, 4), "-ERR") << "without a store";
  SystemClock wall;
  SystemBootClock boot;
  const auto leases = make_memory_lease_store(wall);
  Snowflakes snowflakes(*leases, boot, {},
                        {{"TICKET", *parse_snowflake_layout("1700000000000/10/t40.s8.m8")}});
  talk.installation->snowflakes = &snowflakes;
  const std::string one = talk.say("TESSERA.NEW snowflake\r\n");
  ASSERT_EQ(one.substr(0, 5), "$19\r\n") << one;
  const std::string more = talk.say("TESSERA.NEW snowflake 2\r\n");
  ASSERT_EQ(more.substr(0, 9), "*2\r\n$19\r\n") << more;
  EXPECT_LT(one.substr(5, 19), more.substr(9, 19));
  EXPECT_LT(more.substr(9, 19), more.substr(35, 19));
  ASSERT_EQ(leases->list_all("twitter")->size(), 1U);
  EXPECT_EQ(talk.say("TESSERA.NEW snowflake 2 TICKET\r\n").substr(0, 4), "*2\r\n");
  EXPECT_EQ(talk.say("TESSERA.NEW snowflake 1 1700000000000/10/t40.s8.m8\r\n").substr(0, 4),
            "*1\r\n");
  EXPECT_EQ(leases->list_all("TICKET")->size(), 1U);
  EXPECT_EQ(talk.say("TESSERA.NEW snowflake 1 1700000000001/10/t40.s8.m8\r\n").substr(0, 4),
            "-ERR");
  EXPECT_EQ(talk.say("TESSERA.NEW ulid 1 TICKET\r\n").substr(0, 4), "-ERR");
  EXPECT_EQ(leases->list_all("")->size(), 2U) << "what was refused took no number";
  snowflakes.close();
  EXPECT_EQ(leases->list_all("twitter")->front().state, LeaseRecord::State::resting);
  EXPECT_EQ(talk.say("TESSERA.NEW snowflake\r\n").substr(0, 11), "-ERR closed");
}

}  // namespace
}  // namespace tessera::service
