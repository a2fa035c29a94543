// PostgreSQL, by libpq without blocking: every wait is a poll() with a deadline.

#include <libpq-fe.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "db/engines.h"
#include "db/library.h"
#include "db/placeholders.h"
#include "tessera/system.h"

namespace tessera::db {
namespace {

using Kind = DbError::Kind;

// The functions we use, each under its own name.
// clang-format off
#define TESSERA_LIBPQ(X) \
  X(PQconnectStartParams) X(PQconnectPoll) X(PQstatus) X(PQsocket) X(PQfinish) \
  X(PQerrorMessage) X(PQsetnonblocking) X(PQserverVersion) X(PQparameterStatus) \
  X(PQsendPrepare) X(PQsendQueryPrepared) X(PQsendQuery) X(PQflush) X(PQconsumeInput) \
  X(PQisBusy) X(PQgetResult) X(PQclear) X(PQresultStatus) X(PQresultErrorField) \
  X(PQresultErrorMessage) X(PQnfields) X(PQntuples) X(PQfname) X(PQftype) X(PQgetisnull) \
  X(PQgetvalue) X(PQgetlength) X(PQcmdTuples) X(PQtransactionStatus) X(PQsetNoticeReceiver)
// clang-format on

struct Libpq {
  Library library{"libpq.so.5"};
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declared name takes none
#define TESSERA_MEMBER(name) decltype(&::name) name = nullptr;
  TESSERA_LIBPQ(TESSERA_MEMBER)
#undef TESSERA_MEMBER

  Libpq() {
#define TESSERA_FIND(name) library.find(name, #name);
    TESSERA_LIBPQ(TESSERA_FIND)
#undef TESSERA_FIND
  }
};
#undef TESSERA_LIBPQ

const Libpq& libpq() {
  static const Libpq functions;
  return functions;
}

// The types of which we know more than their text.
constexpr Oid kBool = 16;
constexpr Oid kBytea = 17;
constexpr Oid kInt8 = 20;
constexpr Oid kInt2 = 21;
constexpr Oid kInt4 = 23;
constexpr Oid kOid = 26;

Kind kind_of(std::string_view state) noexcept {
  struct Row {
    std::string_view prefix;
    Kind kind;
  };
  constexpr std::array<Row, 22> kRows = {{
      {"23505", Kind::unique},
      {"23514", Kind::check},
      {"22003", Kind::check},
      {"40001", Kind::conflict},
      {"40P01", Kind::conflict},
      {"55P03", Kind::conflict},
      {"55006", Kind::conflict},
      {"0A000", Kind::conflict},  // a plan that the schema has outrun; it was dropped
      {"26000", Kind::conflict},  // a prepared statement that a pooler has lost
      {"42P01", Kind::missing},
      {"42703", Kind::missing},
      {"3D000", Kind::missing},
      {"42501", Kind::denied},
      {"28", Kind::denied},
      {"53100", Kind::full},
      {"25006", Kind::full},
      {"53", Kind::unavailable},
      {"57014", Kind::unavailable},    // cancelled: the statement was undone
      {"57P03", Kind::unavailable},    // starting up
      {"57P", Kind::outcome_unknown},  // shutting down, crashed
      {"08", Kind::outcome_unknown},
      {"40003", Kind::outcome_unknown},
  }};
  for (const auto& row : kRows) {
    if (state.starts_with(row.prefix)) return row.kind;
  }
  return Kind::failed;
}

struct Finish {
  void operator()(PGconn* connection) const noexcept { libpq().PQfinish(connection); }
};
struct Clear {
  void operator()(PGresult* result) const noexcept { libpq().PQclear(result); }
};
using Session = std::unique_ptr<PGconn, Finish>;
using Answer = std::unique_ptr<PGresult, Clear>;

enum class Waited : std::uint8_t { ready, timed_out, broken };

Waited wait_for(int socket, short events, Clock::time_point deadline) noexcept {
  while (true) {
    pollfd waiting{socket, events, 0};
    const int count = poll(&waiting, 1, left_ms(deadline));
    if (count > 0) return Waited::ready;
    if (count == 0) return Waited::timed_out;
    if (errno != EINTR) return Waited::broken;
  }
}

std::string unhexed(std::string_view text) {
  std::string bytes;
  if (!text.starts_with("\\x")) return std::string(text);
  for (std::size_t i = 2; i + 1 < text.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

Value value_of(Oid type, std::string_view text) {
  switch (type) {
    case kBool: return std::int64_t{text == "t"};
    case kBytea: return Bytes{unhexed(text)};
    case kInt8:
    case kInt2:
    case kInt4:
    case kOid: {
      std::int64_t number = 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      return number;
    }
    default: return std::string(text);
  }
}

Rows rows_of(const PGresult* result) {
  const Libpq& pq = libpq();
  Rows rows;
  const int columns = pq.PQnfields(result);
  const int count = pq.PQntuples(result);
  for (int i = 0; i < count; ++i) {
    auto& row = rows.rows.emplace_back();
    for (int j = 0; j < columns; ++j) {
      if (pq.PQgetisnull(result, i, j) != 0) {
        row.emplace_back(std::monostate{});
      } else {
        const auto size = static_cast<std::size_t>(pq.PQgetlength(result, i, j));
        row.push_back(value_of(pq.PQftype(result, j), {pq.PQgetvalue(result, i, j), size}));
      }
    }
  }
  const std::string_view affected = pq.PQcmdTuples(const_cast<PGresult*>(result));
  std::from_chars(affected.data(), affected.data() + affected.size(), rows.affected);
  return rows;
}

class PostgresConnection final : public Connection {
 public:
  PostgresConnection(Session session, std::string password)
      : session_(std::move(session)),
        password_(std::move(password)),
        fork_generation_(fork_generation()) {
    pq_.PQsetNoticeReceiver(session_.get(), hear, this);
  }
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;
  ~PostgresConnection() override {
    if (session_ && is_forked()) {  // no word of farewell on the parent's connection
      close(pq_.PQsocket(session_.get()));
      static_cast<void>(session_.release());
    }
  }

  Engine engine() const noexcept override { return Engine::postgres; }
  std::string server_version() override {
    const char* version =
        session_ ? pq_.PQparameterStatus(session_.get(), "server_version") : nullptr;
    const std::string_view text = version != nullptr ? version : "";
    return std::string(text.substr(0, text.find(' ')));
  }
  void set_timeout(std::chrono::milliseconds timeout) override { timeout_ = timeout; }

  // A server that has something to say to a connection at rest says good-bye.
  bool usable() const noexcept override {
    if (!session_ || is_forked() || pq_.PQstatus(session_.get()) != CONNECTION_OK) return false;
    pollfd waiting{pq_.PQsocket(session_.get()), POLLIN, 0};
    return poll(&waiting, 1, 0) == 0;
  }

  Result<Rows, DbError> query(std::string_view sql, std::span<const Value> parameters) override {
    if (is_forked()) return forked();
    if (!session_) return gone();
    deadline_ = Clock::now() + timeout_;
    auto found = statements_.find(sql);
    if (found == statements_.end()) {
      const auto name = prepare(sql, parameters);
      if (!name) return Failure{name.error()};
      found = statements_.emplace(std::string(sql), *name).first;
    }

    std::vector<std::string> numbers(parameters.size());
    std::vector<const char*> values(parameters.size());
    std::vector<int> sizes(parameters.size());
    std::vector<int> formats(parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (const auto* number = std::get_if<std::int64_t>(&parameters[i])) {
        numbers[i] = std::to_string(*number);
        values[i] = numbers[i].c_str();
      } else if (const auto* text = std::get_if<std::string>(&parameters[i])) {
        if (text->find('\0') != std::string::npos) return fail(Kind::failed, "a NUL in a text");
        values[i] = text->c_str();
      } else if (const auto* bytes = std::get_if<Bytes>(&parameters[i])) {
        values[i] = bytes->bytes.data();
        sizes[i] = static_cast<int>(bytes->bytes.size());
        formats[i] = 1;
      }
    }
    if (pq_.PQsendQueryPrepared(session_.get(), found->second.c_str(),
                                static_cast<int>(parameters.size()), values.data(), sizes.data(),
                                formats.data(), 0) == 0) {
      return broken(Kind::outcome_unknown);
    }
    auto answers = receive(Kind::outcome_unknown);
    if (!answers) {
      // The plan no longer fits, or is not there: the next call prepares it anew.
      if (answers.error().state == "0A000" || answers.error().state == "26000") {
        statements_.erase(found);
      }
      return Failure{answers.error()};
    }
    return answers->empty() ? Rows{} : std::move(answers->back());
  }

  Result<std::vector<Rows>, DbError> batch(std::string_view sql) override {
    if (is_forked()) return forked();
    if (!session_) return gone();
    deadline_ = Clock::now() + timeout_;
    if (pq_.PQsendQuery(session_.get(), std::string(sql).c_str()) == 0) {
      return broken(Kind::outcome_unknown);
    }
    return receive(Kind::outcome_unknown);
  }

 private:
  bool is_forked() const noexcept { return fork_generation() != fork_generation_; }

  static Failure<DbError> gone() { return fail(Kind::unavailable, "the connection is closed"); }

  // The connection is of no use any more.
  Failure<DbError> broken(Kind kind, std::string_view why = {}) {
    const std::string_view message = why.empty() ? pq_.PQerrorMessage(session_.get()) : why;
    auto failure = fail(kind, clean_message(message, password_));
    session_.reset();
    return failure;
  }

  Result<std::string, DbError> prepare(std::string_view sql, std::span<const Value> parameters) {
    std::vector<Oid> types(parameters.size());
    std::ranges::transform(parameters, types.begin(), [](const Value& value) {
      if (std::holds_alternative<std::int64_t>(value)) return kInt8;
      return std::holds_alternative<Bytes>(value) ? kBytea : Oid{0};
    });
    const std::string name = "t" + std::to_string(++statement_number_);
    const std::string numbered = with_numbered_placeholders(sql);
    if (pq_.PQsendPrepare(session_.get(), name.c_str(), numbered.c_str(),
                          static_cast<int>(types.size()), types.data()) == 0) {
      return broken(Kind::unavailable);
    }
    const auto answers = receive(Kind::unavailable);  // preparing does nothing
    if (!answers) return Failure{answers.error()};
    return name;
  }

  // All answers to what was sent. `lost` is what to say when the connection breaks.
  Result<std::vector<Rows>, DbError> receive(Kind lost) {
    unreplicated_ = false;
    while (true) {
      const int left = pq_.PQflush(session_.get());
      if (left == 0) break;
      if (left < 0) return broken(lost);
      if (const auto waited = wait_for(pq_.PQsocket(session_.get()), POLLIN | POLLOUT, deadline_);
          waited != Waited::ready) {
        return broken(lost, "no answer in time");
      }
      if (pq_.PQconsumeInput(session_.get()) == 0) return broken(lost);
    }
    std::vector<Rows> answers;
    std::optional<DbError> error;
    while (true) {
      while (pq_.PQisBusy(session_.get()) != 0) {
        if (const auto waited = wait_for(pq_.PQsocket(session_.get()), POLLIN, deadline_);
            waited != Waited::ready) {
          return broken(lost, waited == Waited::timed_out ? "no answer in time" : "");
        }
        if (pq_.PQconsumeInput(session_.get()) == 0) return broken(lost);
      }
      const Answer answer(pq_.PQgetResult(session_.get()));
      if (!answer) break;
      const auto status = pq_.PQresultStatus(answer.get());
      if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
        answers.push_back(rows_of(answer.get()));
      } else if (status != PGRES_EMPTY_QUERY && !error) {
        error = error_of(answer.get(), lost);
      }
    }
    if (error) {
      if (pq_.PQstatus(session_.get()) != CONNECTION_OK) session_.reset();
      return Failure{*error};
    }
    if (unreplicated_) return fail(lost, "the commit did not wait for the standby");
    return answers;
  }

  // Somebody has cancelled a commit that waited for its synchronous standby. PostgreSQL then
  // confirms it, with a warning: a standby that is promoted may not have it. Known by the place in
  // the server that speaks, which is in no language.
  static void hear(void* self, const PGresult* notice) {
    const char* place = libpq().PQresultErrorField(notice, PG_DIAG_SOURCE_FUNCTION);
    if (place != nullptr && std::string_view(place) == "SyncRepWaitForLSN") {
      static_cast<PostgresConnection*>(self)->unreplicated_ = true;
    }
  }

  DbError error_of(const PGresult* answer, Kind lost) {
    const char* state = pq_.PQresultErrorField(answer, PG_DIAG_SQLSTATE);
    const char* primary = pq_.PQresultErrorField(answer, PG_DIAG_MESSAGE_PRIMARY);
    const std::string_view message =
        primary != nullptr ? primary : pq_.PQresultErrorMessage(answer);
    // No state: it is libpq that speaks, of a connection that broke.
    auto kind = state == nullptr ? lost : kind_of(state);
    if (kind == Kind::outcome_unknown) kind = lost;
    return DbError{kind, clean_message(message, password_), state != nullptr ? state : "", 0};
  }

  const Libpq& pq_ = libpq();
  Session session_;
  std::string password_;
  std::uint32_t fork_generation_;
  std::chrono::milliseconds timeout_{5000};
  Clock::time_point deadline_;
  Statements<std::string> statements_;
  std::uint64_t statement_number_ = 0;
  bool unreplicated_ = false;  // what was last sent is committed here, and perhaps only here
};

// Notices would go to stderr.
void ignore_notice(void* /*unused*/, const PGresult* /*unused*/) {}

// One host of the URL; none leaves it to libpq.
Opened open_host(const Url& url, const Url::Host* host, const ConnectOptions& options,
                 Clock::time_point deadline) {
  const Libpq& pq = libpq();
  const std::string password = password_of(url);
  const auto named = url.option("host");
  std::vector<std::pair<std::string, std::string>> settings = {
      {"host", named             ? std::string(*named)
               : host != nullptr ? host->name
                                 : ""},
      {"port", host != nullptr ? std::to_string(host->port == 0 ? 5432 : host->port) : ""},
      // Of several hosts one takes writes; the others are its standbys.
      {"target_session_attrs", url.hosts.size() > 1 ? "read-write" : ""},
      {"user", url.user},
      {"password", password},  // an empty one leaves it to PGPASSWORD and ~/.pgpass
      {"dbname", url.path},
      {"client_encoding", "UTF8"},
      {"fallback_application_name", "tessera"},
      {"keepalives_idle", "30"},
      {"keepalives_interval", "10"},
  };
  for (const auto& [name, value] : url.options) {
    if (name != "host") settings.emplace_back(name, value);
  }
  std::erase_if(settings, [](const auto& setting) { return setting.second.empty(); });
  std::vector<const char*> names;
  std::vector<const char*> values;
  for (const auto& [name, value] : settings) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);

  Session session(pq.PQconnectStartParams(names.data(), values.data(), 0));
  if (!session) return fail(Kind::unavailable, "no memory");
  pq.PQsetNoticeReceiver(session.get(), ignore_notice, nullptr);
  const auto refused = [&](std::string_view why) {
    const std::string message =
        clean_message(why.empty() ? pq.PQerrorMessage(session.get()) : why, password);
    const bool denied = message.find("authentication failed") != std::string::npos ||
                        message.find("no password supplied") != std::string::npos ||
                        message.find("no pg_hba.conf entry") != std::string::npos;
    return fail(denied ? Kind::denied : Kind::unavailable, message);
  };
  auto wanted = PGRES_POLLING_WRITING;
  while (pq.PQstatus(session.get()) != CONNECTION_BAD && wanted != PGRES_POLLING_OK) {
    if (wanted == PGRES_POLLING_FAILED) return refused("");
    const auto waited = wait_for(pq.PQsocket(session.get()),
                                 wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadline);
    if (waited != Waited::ready) return refused("no answer in time");
    wanted = pq.PQconnectPoll(session.get());
  }
  if (pq.PQstatus(session.get()) != CONNECTION_OK) return refused("");
  pq.PQsetnonblocking(session.get(), 1);
  auto connection = std::make_unique<PostgresConnection>(std::move(session), password);
  connection->set_timeout(options.timeout);
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace

// libpq would wait for a host that is cut off until the time is over, and never come to the next:
// so each host gets its share of the time.
Opened open_postgres(const Url& url, const ConnectOptions& options) {
  if (!libpq().library.loaded()) return fail(Kind::unavailable, libpq().library.fault());
  const auto deadline = Clock::now() + options.timeout;
  if (url.hosts.empty()) return open_host(url, nullptr, options, deadline);
  for (std::size_t i = 0;; ++i) {
    const auto left = deadline - Clock::now();
    const auto share = left / static_cast<int>(url.hosts.size() - i);
    auto opened = open_host(url, &url.hosts[i], options, Clock::now() + share);
    const bool last = i + 1 == url.hosts.size();
    if (opened || last || opened.error().kind == Kind::denied) return opened;
  }
}

}  // namespace tessera::db
