// Members, attempts and pauses.

#include "store/etcd_client.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>
#include <utility>

#include "segment/backoff.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"
#include "tessera/version.h"

namespace tessera::etcd {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Code = Error::Code;

constexpr std::size_t kAnswerSizeMax = 32 << 20;
constexpr std::size_t kWordsMax = 300;
// A member that has stopped accepts connections and says nothing. Twice as long in every round, so
// that one that is merely slow gets its time.
constexpr milliseconds kAttemptMin{1000};
constexpr unsigned kDoublingsMax = 4;
constexpr milliseconds kPauseMin{20};
constexpr milliseconds kPauseMax{250};

// Codes of gRPC, which the gateway passes on.
enum Grpc : std::int64_t {
  grpc_invalid_argument = 3,
  grpc_not_found = 5,
  grpc_permission_denied = 7,
  grpc_failed_precondition = 9,
  grpc_out_of_range = 11,
  grpc_unimplemented = 12,
  grpc_unauthenticated = 16,
};

// Said before anything was proposed to the cluster.
constexpr std::array<std::string_view, 5> kNotDone = {
    "etcdserver: no leader", "etcdserver: not leader", "raft proposal dropped",
    "etcdserver: too many requests", "etcdserver: server is initializing"};

bool says(std::string_view message, std::string_view words) noexcept {
  return message.find(words) != std::string_view::npos;
}

Error unavailable(std::string message) {
  return {Code::store_unavailable, std::move(message),
          "Look whether a majority of its members is up, and at the URL."};
}

}  // namespace

std::optional<std::string> fault_of_version(std::string_view version) {
  std::array<unsigned, 3> parts{};
  const char* at = version.data();
  const char* const end = at + version.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return "it is no version";
    const auto read = std::from_chars(at, end, parts[i]);
    if (read.ec != std::errc{}) return "it is no version";
    at = read.ptr;
  }
  // etcd#14370, etcd#13766: writes that were confirmed and lost.
  const bool good = parts >= std::array<unsigned, 3>{3, 5, 5} ||
                    (parts[0] == 3 && parts[1] == 4 && parts[2] >= 21);
  if (good) return std::nullopt;
  return "it may lose what it has confirmed";
}

class Client::Place {
 public:
  Place(Client& client, Time deadline) : client_(client), taken_(client.enter(deadline)) {}
  ~Place() {
    if (taken_) client_.leave();
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  bool taken() const noexcept { return taken_; }

 private:
  Client& client_;
  const bool taken_;
};

Client::Client(ClientOptions options)
    : options_(std::move(options)), idle_(options_.members.size()) {}

bool Client::enter(Time deadline) {
  std::unique_lock lock(mutex_);
  const auto free = [this] { return busy_ < std::max<std::size_t>(1, options_.connections_max); };
  if (!free_.wait_until(lock, deadline, free)) return false;
  ++busy_;
  return true;
}

void Client::leave() noexcept {
  {
    const std::lock_guard lock(mutex_);
    --busy_;
  }
  free_.notify_one();
}

Client::Lent Client::take_idle(std::size_t member) {
  const std::lock_guard lock(mutex_);
  auto& idle = idle_[member];
  while (!idle.empty()) {
    auto connection = std::move(idle.back());
    idle.pop_back();
    if (connection->is_usable()) return connection;
  }
  return nullptr;
}

void Client::keep(std::size_t member, Lent connection) {
  if (!connection->is_usable()) return;
  const std::lock_guard lock(mutex_);
  idle_[member].push_back(std::move(connection));
}

void Client::forget_token(const std::string& token) {
  const std::lock_guard lock(mutex_);
  if (token_ == token) token_.clear();
}

void Client::prefer_another(std::size_t than) {
  const std::lock_guard lock(mutex_);
  if (preferred_ == than) preferred_ = (than + 1) % options_.members.size();
}

std::string Client::url_of(std::size_t member) const {
  const Address& address = options_.members[member];
  return (address.tls ? "https://" : "http://") + address.authority();
}

Result<TxnAnswer, Error> Client::commit(const Txn& txn, Time deadline) {
  const std::string body = txn.body();
  bool doubt = false;
  const auto answer = ask({"/v3/kv/txn", body, txn.changes()}, deadline, doubt);
  if (!answer) return Failure{answer.error()};
  if (auto read = read_answer(*answer, txn)) {
    read->after_doubt = doubt;
    return *std::move(read);
  }
  return Failure{Error{txn.changes() ? Code::outcome_unknown : Code::store_failed,
                       "etcd answered with something that is no transaction", ""}};
}

Result<Json, Error> Client::ask(std::string_view path, std::string_view body, Time deadline) {
  bool doubt = false;
  return ask({path, body, false}, deadline, doubt);
}

Result<std::string, Error> Client::version_of(std::size_t member, Time deadline) {
  Connection connection(options_.members[member], options_.tls.get(), kAnswerSizeMax);
  if (auto lost = connection.connect(deadline)) {
    return Failure{unavailable("could not ask " + url_of(member) + ": " + lost->why)};
  }
  auto version = read_version(connection, member, deadline);
  if (!version) return Failure{version.error().error};
  return *std::move(version);
}

Result<Json, Error> Client::ask(const Call& call, Time deadline, bool& doubt) {
  const Place place(*this, deadline);
  if (!place.taken()) {
    return Failure{Error{
        Code::timed_out,
        "all " + std::to_string(options_.connections_max) + " connections to the store are busy",
        "Ask again, or allow more connections."}};
  }
  Backoff pauses(kPauseMin, kPauseMax,
                 static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()));
  const std::size_t count = options_.members.size();
  bool token_renewed = false;
  for (std::size_t attempt = 0;; ++attempt) {
    std::size_t member = 0;
    {
      const std::lock_guard lock(mutex_);
      member = preferred_;
    }
    const auto doublings =
        static_cast<unsigned>(std::min<std::size_t>(attempt / count, kDoublingsMax));
    const Time until = std::min(deadline, Clock::now() + kAttemptMin * (1U << doublings));
    auto answer = try_once(member, call, until);
    if (answer) return *std::move(answer);
    Miss miss = answer.error();
    if (miss.kind == Miss::Kind::token && !std::exchange(token_renewed, true)) continue;
    doubt = doubt || (miss.kind == Miss::Kind::maybe_done && call.changes);
    const bool refused = miss.kind == Miss::Kind::refused || miss.kind == Miss::Kind::token;
    if (!refused) prefer_another(member);
    const bool round_over = (attempt + 1) % count == 0;
    const auto pause = round_over ? std::chrono::duration_cast<Clock::duration>(pauses.fail())
                                  : Clock::duration::zero();
    if (refused || Clock::now() + pause >= deadline) {
      if (!doubt) return Failure{std::move(miss.error)};
      return Failure{
          Error{Code::outcome_unknown, miss.error.message,
                "The range, if one was reserved, stays unused; with a request key the same call "
                "finds it."}};
    }
    std::this_thread::sleep_for(pause);
  }
}

Result<Client::Lent, Client::Miss> Client::connect(std::size_t member, Time deadline) {
  if (auto idle = take_idle(member)) return idle;
  auto fresh =
      std::make_unique<Connection>(options_.members[member], options_.tls.get(), kAnswerSizeMax);
  if (auto lost = fresh->connect(deadline)) {
    return Failure{Miss{Miss::Kind::not_done,
                        unavailable("could not ask " + url_of(member) + ": " + lost->why)}};
  }
  auto version = read_version(*fresh, member, deadline);
  if (!version) return Failure{version.error()};
  if (const auto fault = fault_of_version(*version); fault && !options_.accept_duplicate_risk) {
    return Failure{Miss{Miss::Kind::refused,
                        {Code::store_unsafe,
                         "etcd at " + url_of(member) + " is " + quoted(*version) + ": " + *fault,
                         "It must be " + std::string(kVersionsWanted) + "."}}};
  }
  return fresh;
}

Result<Json, Client::Miss> Client::try_once(std::size_t member, const Call& call, Time deadline) {
  auto connection = connect(member, deadline);
  if (!connection) return Failure{connection.error()};
  const auto token = token_for(**connection, member, deadline);
  if (!token) return Failure{token.error()};
  auto answer = exchange(**connection, member, call, *token, deadline);
  if (!answer) return Failure{answer.error()};
  keep(member, *std::move(connection));
  if (answer->status != 200) {
    Miss miss = miss_of(*answer, member);
    if (miss.kind == Miss::Kind::token) forget_token(*token);
    return Failure{std::move(miss)};
  }
  auto json = Json::parse(answer->body);
  if (json && json->is_object()) return *std::move(json);
  return Failure{Miss{Miss::Kind::maybe_done,
                      {Code::store_failed, url_of(member) + " answered with something else",
                       "Is it an etcd, and is its JSON gateway on?"}}};
}

Result<http::Answer, Client::Miss> Client::exchange(Connection& connection, std::size_t member,
                                                    const Call& call, const std::string& token,
                                                    Time deadline) {
  http::Request request{
      .method = call.body.empty() ? "GET" : "POST", .target = call.path, .body = call.body};
  request.fields.emplace_back("User-Agent", "tessera/" TESSERA_VERSION);
  if (!call.body.empty()) request.fields.emplace_back("Content-Type", "application/json");
  if (!token.empty()) request.fields.emplace_back("Authorization", token);
  auto answer = connection.exchange(request, deadline);
  if (answer) return *std::move(answer);
  return Failure{Miss{answer.error().sent ? Miss::Kind::maybe_done : Miss::Kind::not_done,
                      unavailable("asked " + url_of(member) + ": " + answer.error().why)}};
}

Result<std::string, Client::Miss> Client::read_version(Connection& connection, std::size_t member,
                                                       Time deadline) {
  auto answer = exchange(connection, member, {"/version", ""}, "", deadline);
  if (!answer) {
    Miss miss = answer.error();
    miss.kind = Miss::Kind::not_done;
    return Failure{std::move(miss)};
  }
  const auto json = Json::parse(answer->body);
  const auto version = json ? json->text_in("etcdserver") : std::nullopt;
  if (version) return std::string(*version);
  return Failure{Miss{Miss::Kind::refused,
                      {Code::store_failed, url_of(member) + " does not answer as an etcd does",
                       "Is it the port for clients?"}}};
}

Result<std::string, Client::Miss> Client::token_for(Connection& connection, std::size_t member,
                                                    Time deadline) {
  if (options_.user.empty()) return std::string();
  {
    const std::lock_guard lock(mutex_);
    if (!token_.empty()) return token_;
  }
  JsonWriter body;
  body.begin_object().key("name").value(options_.user);
  const std::string text = body.key("password").value(options_.password).end_object().take();
  auto answer = exchange(connection, member, {"/v3/auth/authenticate", text}, "", deadline);
  if (!answer) {
    Miss miss = answer.error();
    miss.kind = Miss::Kind::not_done;  // what was asked for is still to come
    return Failure{std::move(miss)};
  }
  if (answer->status != 200) {
    Miss miss = miss_of(*answer, member);
    if (miss.kind != Miss::Kind::refused) miss.kind = Miss::Kind::not_done;
    return Failure{std::move(miss)};
  }
  const auto json = Json::parse(answer->body);
  const auto token = json ? json->text_in("token") : std::nullopt;
  const auto plain = [](char c) { return c > 0x20 && c < 0x7F; };
  if (!token || token->empty() || !std::ranges::all_of(*token, plain)) {
    return Failure{
        Miss{Miss::Kind::refused, {Code::store_failed, url_of(member) + " gave no token", ""}}};
  }
  const std::lock_guard lock(mutex_);
  token_ = *token;
  return token_;
}

Client::Miss Client::miss_of(const http::Answer& answer, std::size_t member) const {
  const auto json = Json::parse(answer.body);
  std::string_view said;
  if (json) said = json->text_in("message").value_or(json->text_in("error").value_or(""));
  const Json* number = json ? json->find("code") : nullptr;
  const std::int64_t code = number == nullptr ? -1 : number->whole().value_or(-1);
  const std::string message =
      url_of(member) + ": " +
      (said.empty() ? "status " + std::to_string(answer.status) : printable(said, kWordsMax));
  if (code == grpc_unauthenticated || says(said, "revision of auth store is old")) {
    return {Miss::Kind::token, {Code::store_failed, message, "The token was not accepted twice."}};
  }
  if (says(said, "space exceeded")) {
    // The one that fills the store is done and told so all the same.
    return {Miss::Kind::maybe_done,
            {Code::store_unavailable, message,
             "Compact and defragment the cluster, then clear its alarm NOSPACE."}};
  }
  if (std::ranges::any_of(kNotDone, [&](auto words) { return says(said, words); })) {
    return {Miss::Kind::not_done, unavailable(message)};
  }
  switch (code) {
    case grpc_permission_denied:
      return {Miss::Kind::refused,
              {Code::store_failed, message,
               "The account needs the right to read and write all keys of the prefix."}};
    case grpc_invalid_argument:
    case grpc_failed_precondition:
      return {Miss::Kind::refused,
              {Code::store_failed, message,
               says(said, "user name is empty")
                   ? "Write the account into the URL: etcd://USER@HOST:2379."
                   : "Look at the account, its password and its rights."}};
    case grpc_not_found:
      if (says(said, "requested lease not found")) {
        return {Miss::Kind::refused, {Code::lease_lost, message, ""}};
      }
      [[fallthrough]];
    case grpc_out_of_range:
    case grpc_unimplemented: return {Miss::Kind::refused, {Code::store_failed, message, ""}};
    default: break;
  }
  if (answer.status == 404) {
    return {Miss::Kind::refused,
            {Code::store_failed, message, "Is its JSON gateway on (--enable-grpc-gateway)?"}};
  }
  return {Miss::Kind::maybe_done, unavailable(message)};
}

}  // namespace tessera::etcd
