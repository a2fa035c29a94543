#pragma once

// A service in memory: a registry, scopes, tokens and the routes over them, without a connection.
//
//   ServiceWorld world;
//   const Answer& answer = world.ask({.path = "/v1/ids", .method = Method::post});
//
// No token that it made may stand in its log: that is checked at the end of each.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "service/api.h"
#include "support/registry_fixture.h"
#include "tessera/lease/memory_store.h"
#include "tessera/segment/id_service.h"
#include "tessera/system.h"

namespace tessera::service {

// Scopes in memory. Fails when told to. Thread-safe.
class MemorySegments final : public SegmentStore, public ScopeCatalogue {
 public:
  std::atomic<bool> away{false};

  Result<Draw, Error> draw(const DrawRequest& request) override {
    const std::scoped_lock guard(mutex_);
    if (away) return Failure{unavailable()};
    const auto found = scopes_.find(request.scope);
    if (found == scopes_.end()) return Failure{unknown(request.scope)};
    if (!request.key.empty()) {
      const auto known = keyed_.find(request.key);
      if (known != keyed_.end()) {
        Draw again = known->second;
        again.repeated = true;
        return again;
      }
    }
    ScopeState& state = found->second;
    if (request.count > state.remaining()) {
      return Failure{Error{Error::Code::exhausted, "no number is left", ""}};
    }
    const auto first = static_cast<std::uint64_t>(state.high_water) + 1;
    state.high_water += static_cast<std::int64_t>(request.count);
    const Draw draw{{first, first + request.count}, state.epoch, ++state.draws, false};
    if (!request.key.empty()) keyed_.emplace(request.key, draw);
    log_.push_back({state.scope.name, draw.epoch, draw.number, draw.segment,
                    std::string(request.holder), std::string(request.key), 1'790'000'000'000});
    return draw;
  }
  Result<ScopeState, Error> find(std::string_view scope) override {
    const std::scoped_lock guard(mutex_);
    if (away) return Failure{unavailable()};
    const auto found = scopes_.find(scope);
    if (found == scopes_.end()) return Failure{unknown(scope)};
    return found->second;
  }
  Result<std::vector<ScopeState>, Error> list() override {
    const std::scoped_lock guard(mutex_);
    if (away) return Failure{unavailable()};
    std::vector<ScopeState> all;
    for (const auto& [name, state] : scopes_) all.push_back(state);
    return all;
  }
  Result<ScopeState, Error> create(const Scope& scope) override {
    const std::scoped_lock guard(mutex_);
    ScopeState state{.scope = scope};
    state.high_water = scope.min - 1;
    return scopes_.emplace(scope.name, state).first->second;
  }
  Result<std::string, Error> keep_fingerprint(std::string_view,
                                              std::string_view fingerprint) override {
    return std::string(fingerprint);
  }
  Result<ScopeState, Error> set_step(std::string_view scope, std::int64_t step) override {
    return change(scope, [step](ScopeState& state) { state.scope.step = step; });
  }
  Result<ScopeState, Error> advance(std::string_view scope, std::int64_t high_water) override {
    return change(scope, [high_water](ScopeState& state) {
      state.high_water = high_water;
      ++state.epoch;
    });
  }
  Result<std::optional<RangeRecord>, Error> range_of(std::string_view scope,
                                                     std::int64_t number) override {
    auto all = ranges(scope, SIZE_MAX);
    if (!all) return Failure{all.error()};
    for (const RangeRecord& record : *all) {
      const auto wanted = static_cast<std::uint64_t>(number);
      if (record.segment.first <= wanted && wanted < record.segment.end)
        return std::optional(record);
    }
    return std::optional<RangeRecord>();
  }
  Result<std::vector<RangeRecord>, Error> ranges(std::string_view scope,
                                                 std::size_t count_max) override {
    if (auto state = find(scope); !state) return Failure{state.error()};
    const std::scoped_lock guard(mutex_);
    std::vector<RangeRecord> newest;
    for (auto at = log_.rbegin(); at != log_.rend() && newest.size() < count_max; ++at) {
      if (at->scope == scope) newest.push_back(*at);
    }
    return newest;
  }

 private:
  static Error unavailable() {
    return {Error::Code::store_unavailable, "the store is away", "Wait."};
  }
  static Error unknown(std::string_view scope) {
    return {Error::Code::not_found, "there is no scope '" + std::string(scope) + "'", ""};
  }

  template <class Change>
  Result<ScopeState, Error> change(std::string_view scope, const Change& how) {
    const std::scoped_lock guard(mutex_);
    const auto found = scopes_.find(scope);
    if (found == scopes_.end()) return Failure{unknown(scope)};
    how(found->second);
    return found->second;
  }

  std::mutex mutex_;
  std::vector<RangeRecord> log_;
  std::map<std::string, ScopeState, std::less<>> scopes_;
  std::map<std::string, Draw, std::less<>> keyed_;
};

// A request, said in a line of a test.
struct Ask {
  Method method = Method::get;
  std::string path = "/";  // with its query
  std::string body = {};
  std::string token = {};
  bool internal = false;
  bool may_wait = true;
  std::string accept = {};
  std::string accept_encoding = {};
  std::string content_type = "application/json";
  std::string content_encoding = {};
  std::optional<std::string> idempotency_key = {};
  std::string if_none_match = {};
  std::string origin = {};
  std::string traceparent = {};
  std::string authorization = {};  // instead of `token`
  std::string host = {};
};

struct ServiceWorld {
  explicit ServiceWorld(const ApiOptions& options = {})
      : log_file(std::tmpfile()),
        log(::fileno(log_file), Log::Level::debug, shop.clock),
        api(make_api(options, log)) {
    IdServiceOptions declared;
    for (const auto& type : shop.types.all()) declared.types.push_back(type->id);
    declared.scopes = {{.name = "ORDER"},
                       {.name = "INVOICE", .order = Scope::Order::strict},
                       {.name = "TINY", .max = 3, .step = 1}};
    for (const Scope& scope : declared.scopes) EXPECT_TRUE(segments.create(scope));
    const ShortSpace vouchers{.scope = "VOUCHER", .bits = 40};
    declared.shorts = {
        {.space = vouchers, .key = *ShortKey::parse("000102030405060708090a0b0c0d0e0f")}};
    EXPECT_TRUE(segments.create(ShortIds::scope_of(vouchers)));
    auto made = IdService::make(declared, segments, system_clock, system_monotonic);
    EXPECT_TRUE(made) << made.error().message;
    ids = *std::move(made);
    on.ids = ids.get();
    on.registry = &shop.registry;
    on.segments = &segments;
    on.scopes = &segments;
    on.leases = leases.get();
    on.snowflakes = &snowflakes;
    on.clock = &shop.clock;
    on.monotonic = &shop.monotonic;
  }
  ~ServiceWorld() {
    const std::string lines = log_text();
    for (const std::string& secret : secrets) {
      EXPECT_EQ(lines.find(secret), std::string::npos) << "a token stands in the log";
    }
    std::fclose(log_file);
  }

  // A token that this service knows from now on.
  std::string add_token(Token wanted) {
    auto made = make_token(std::move(wanted), shop.clock, shop.entropy);
    EXPECT_TRUE(made) << made.error().message;
    shop.clock.time_ms += 1;
    tokens.push_back(made->token);
    auto table = TokenTable::make(tokens);
    EXPECT_TRUE(table) << table.error().message;
    on.tokens = std::make_shared<const TokenTable>(*std::move(table));
    secrets.push_back(made->text);
    return made->text;
  }
  std::string add_token(std::vector<std::string> tenants, Abilities abilities = Abilities::all()) {
    return add_token(Token{.tenants = std::move(tenants), .abilities = abilities});
  }

  const Answer& ask(const Ask& ask) {
    const std::size_t mark = std::min(ask.path.find('?'), ask.path.size());
    const std::string authorization = ask.token.empty() ? ask.authorization : "Bearer " + ask.token;
    Request request;
    request.method = ask.method;
    request.path = std::string_view(ask.path).substr(0, mark);
    request.query = std::string_view(ask.path).substr(std::min(mark + 1, ask.path.size()));
    request.body = ask.body;
    request.accept = ask.accept;
    request.accept_encoding = ask.accept_encoding;
    request.authorization = authorization;
    request.content_encoding = ask.content_encoding;
    request.content_type = ask.content_type;
    if (ask.idempotency_key) request.idempotency_key = *ask.idempotency_key;
    request.if_none_match = ask.if_none_match;
    request.origin = ask.origin;
    request.host = ask.host;
    request.traceparent = ask.traceparent;
    request.internal = ask.internal;
    request.may_wait = ask.may_wait;
    outcome = api->answer(on, request, answer);
    return answer;
  }
  // The whole body, also of a streamed answer.
  std::string body_of(const Ask& question) {
    ask(question);
    if (answer.stream == nullptr) return answer.body;
    std::string all;
    while (answer.stream->fill(all, 16 << 10)) {
    }
    EXPECT_FALSE(answer.stream->failed());
    return all;
  }
  std::string log_text() {
    std::string text;
    std::rewind(log_file);
    char buffer[4096];
    while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, log_file)) {
      text.append(buffer, size);
    }
    ::lseek(::fileno(log_file), 0, SEEK_END);
    return text;
  }

  Shop shop;
  MemorySegments segments;
  SystemClock system_clock;
  SystemMonotonicClock system_monotonic;
  SystemBootClock system_boot;
  std::unique_ptr<LeaseStore> leases = make_memory_lease_store(system_clock);
  Snowflakes snowflakes{*leases, system_boot, {.holder = "world"}};
  std::unique_ptr<IdService> ids;
  Installation on;
  std::FILE* log_file;
  Log log;
  std::unique_ptr<Api> api;
  Answer answer;
  Outcome outcome = Outcome::done;
  std::vector<Token> tokens;
  std::vector<std::string> secrets;
};

}  // namespace tessera::service
