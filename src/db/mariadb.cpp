// MariaDB and MySQL, by MariaDB Connector/C.
//
// Its timeouts are whole seconds and fixed when it connects, so we use the calls that return
// instead of waiting (x_start, x_cont), and wait ourselves. At the deadline the socket is shut
// down and the call carried on: it then ends by itself, with "lost connection".

#include <mysql.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "db/engines.h"
#include "db/library.h"
#include "tessera/system.h"

namespace tessera::db {
namespace {

using Kind = DbError::Kind;

// The functions we use, each under its own name.
// clang-format off
#define TESSERA_LIBMARIADB(X) \
  X(mysql_server_init) X(mysql_init) X(mysql_options) X(mysql_optionsv) X(mysql_real_connect) \
  X(mysql_close) X(mysql_errno) X(mysql_error) X(mysql_sqlstate) X(mysql_get_server_info) \
  X(mysql_free_result) X(mysql_num_fields) X(mysql_fetch_fields) X(mysql_fetch_row) \
  X(mysql_fetch_lengths) X(mysql_affected_rows) X(mysql_insert_id) X(mysql_get_socket) \
  X(mysql_stmt_init) X(mysql_stmt_close) X(mysql_stmt_param_count) X(mysql_stmt_bind_param) \
  X(mysql_stmt_result_metadata) X(mysql_stmt_bind_result) X(mysql_stmt_fetch) \
  X(mysql_stmt_fetch_column) X(mysql_stmt_free_result) X(mysql_stmt_errno) \
  X(mysql_stmt_error) X(mysql_stmt_sqlstate) X(mysql_stmt_affected_rows) \
  X(mysql_stmt_insert_id) X(mysql_real_query_start) X(mysql_real_query_cont) \
  X(mysql_store_result_start) X(mysql_store_result_cont) X(mysql_next_result_start) \
  X(mysql_next_result_cont) X(mysql_stmt_prepare_start) X(mysql_stmt_prepare_cont) \
  X(mysql_stmt_execute_start) X(mysql_stmt_execute_cont) X(mysql_stmt_store_result_start) \
  X(mysql_stmt_store_result_cont)
// clang-format on

struct Libmariadb {
  Library library{"libmariadb.so.3"};
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declared name takes none
#define TESSERA_MEMBER(name) decltype(&::name) name = nullptr;
  TESSERA_LIBMARIADB(TESSERA_MEMBER)
#undef TESSERA_MEMBER

  Libmariadb() {
#define TESSERA_FIND(name) library.find(name, #name);
    TESSERA_LIBMARIADB(TESSERA_FIND)
#undef TESSERA_FIND
    if (library.loaded()) mysql_server_init(0, nullptr, nullptr);  // not thread-safe: once, here
  }
};
#undef TESSERA_LIBMARIADB

const Libmariadb& libmariadb() {
  static const Libmariadb functions;
  return functions;
}

Kind kind_of(unsigned code) noexcept {
  switch (code) {
    case 1205:                         // lock wait timeout
    case 1213:                         // deadlock
    case 1412:                         // table definition has changed
    case 1615:                         // prepared statement needs to be prepared again
    case 1020: return Kind::conflict;  // record has changed since last read
    case 1062:
    case 1586: return Kind::unique;
    case 4025:  // MariaDB: CHECK
    case 3819:  // MySQL: CHECK
    case 1264:
    case 1690: return Kind::check;
    case 1146:
    case 1054:
    case 1049: return Kind::missing;
    case 1044:
    case 1045:
    case 1142:
    case 1143:
    case 1227:
    case 1698: return Kind::denied;
    case 1021:
    case 1114:
    case 1290:  // read-only server
    case 1792:  // read-only transaction
    case 1836: return Kind::full;
    case 1040:  // too many connections
    case 1203:
    case 1226: return Kind::unavailable;
    case 1053:  // server shutdown
    case 1317:  // query interrupted
    case 1927:  // connection was killed
    case 1969:  // max_statement_time
    case 3024: return Kind::outcome_unknown;
    default: break;
  }
  return code >= 2000 && code < 3000 ? Kind::outcome_unknown : Kind::failed;
}

struct Close {
  void operator()(MYSQL* session) const noexcept { libmariadb().mysql_close(session); }
};
struct CloseStatement {
  void operator()(MYSQL_STMT* statement) const noexcept {
    libmariadb().mysql_stmt_close(statement);
  }
};
struct FreeResult {
  void operator()(MYSQL_RES* result) const noexcept { libmariadb().mysql_free_result(result); }
};
using Session = std::unique_ptr<MYSQL, Close>;
using Statement = std::unique_ptr<MYSQL_STMT, CloseStatement>;
using Answer = std::unique_ptr<MYSQL_RES, FreeResult>;

bool is_number(const MYSQL_FIELD& field) noexcept {
  switch (field.type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
    case MYSQL_TYPE_YEAR: return true;
    default: return false;
  }
}

bool is_bytes(const MYSQL_FIELD& field) noexcept {
  constexpr unsigned kBinary = 63;  // the character set that is none
  switch (field.type) {
    case MYSQL_TYPE_TINY_BLOB:
    case MYSQL_TYPE_BLOB:
    case MYSQL_TYPE_MEDIUM_BLOB:
    case MYSQL_TYPE_LONG_BLOB:
    case MYSQL_TYPE_STRING:
    case MYSQL_TYPE_VAR_STRING: return field.charsetnr == kBinary;
    default: return false;
  }
}

// A number that is too large for 64 bits with a sign stays text.
Value value_of(const MYSQL_FIELD& field, std::string_view text) {
  if (is_number(field)) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc{}) return number;
  }
  if (is_bytes(field)) return Bytes{std::string(text)};
  return std::string(text);
}

class MariadbConnection final : public Connection {
 public:
  MariadbConnection(Session session, std::string password)
      : session_(std::move(session)),
        password_(std::move(password)),
        fork_generation_(fork_generation()) {}
  MariadbConnection(const MariadbConnection&) = delete;
  MariadbConnection& operator=(const MariadbConnection&) = delete;
  ~MariadbConnection() override {
    if (session_ && is_forked()) {  // no word of farewell on the parent's connection
      close(my_.mysql_get_socket(session_.get()));
      for (auto& [sql, statement] : statements_) static_cast<void>(statement.release());
      static_cast<void>(session_.release());
    }
    statements_.clear();  // before the session
  }

  Engine engine() const noexcept override { return Engine::mariadb; }
  std::string server_version() override {
    const std::string_view text = session_ ? my_.mysql_get_server_info(session_.get()) : "";
    // 10.11 and older say "5.5.5-10.11.19-MariaDB" for the sake of old replicas.
    const std::string_view version = text.starts_with("5.5.5-") ? text.substr(6) : text;
    return std::string(version.substr(0, version.find_first_not_of("0123456789.")));
  }

  void set_timeout(std::chrono::milliseconds timeout) override { timeout_ = timeout; }

  bool usable() const noexcept override {
    if (!session_ || is_forked()) return false;
    pollfd waiting{my_.mysql_get_socket(session_.get()), POLLIN, 0};
    return poll(&waiting, 1, 0) == 0;
  }

  Result<Rows, DbError> query(std::string_view sql, std::span<const Value> parameters) override {
    if (is_forked()) return forked();
    if (!session_) return gone();
    deadline_ = Clock::now() + timeout_;
    auto found = statements_.find(sql);
    if (found == statements_.end()) {
      constexpr std::size_t kStatementsMax = 128;
      if (statements_.size() >= kStatementsMax) statements_.clear();
      Statement statement(my_.mysql_stmt_init(session_.get()));
      if (!statement) return fail(Kind::unavailable, "no memory");
      int code = 0;
      wait(my_.mysql_stmt_prepare_start(&code, statement.get(), sql.data(), sql.size()),
           [&](int events) { return my_.mysql_stmt_prepare_cont(&code, statement.get(), events); });
      if (code != 0) {
        return failure(std::move(statement), Kind::unavailable);  // preparing does nothing
      }
      found = statements_.emplace(std::string(sql), std::move(statement)).first;
    }
    MYSQL_STMT* statement = found->second.get();
    if (my_.mysql_stmt_param_count(statement) != parameters.size()) {
      return fail(Kind::failed, "a parameter too many or too few");
    }
    auto rows = run(statement, parameters);
    if (!rows && session_) my_.mysql_stmt_free_result(statement);
    return rows;
  }

  Result<std::vector<Rows>, DbError> batch(std::string_view sql) override {
    if (is_forked()) return forked();
    if (!session_) return gone();
    deadline_ = Clock::now() + timeout_;
    MYSQL* session = session_.get();
    int code = 0;
    wait(my_.mysql_real_query_start(&code, session, sql.data(), sql.size()),
         [&](int events) { return my_.mysql_real_query_cont(&code, session, events); });
    if (code != 0) return failure();
    std::vector<Rows> answers;
    while (true) {
      MYSQL_RES* stored = nullptr;
      wait(my_.mysql_store_result_start(&stored, session),
           [&](int events) { return my_.mysql_store_result_cont(&stored, session, events); });
      const Answer answer(stored);
      if (!answer && my_.mysql_errno(session) != 0) return failure();
      answers.push_back(rows_of(answer.get()));
      int more = 0;
      wait(my_.mysql_next_result_start(&more, session),
           [&](int events) { return my_.mysql_next_result_cont(&more, session, events); });
      // Below zero is "no more", but also a line that broke between the columns of an answer.
      if (more > 0 || my_.mysql_errno(session) != 0) return failure();
      if (more < 0) return answers;
    }
  }

 private:
  bool is_forked() const noexcept { return fork_generation() != fork_generation_; }

  // Carries a call on until it has ended; `events` is what it waits for.
  template <class Continue>
  void wait(int events, Continue go_on) {
    while (events != 0) {
      const auto wanted = static_cast<unsigned>(events);
      pollfd waiting{my_.mysql_get_socket(session_.get()), 0, 0};
      if ((wanted & MYSQL_WAIT_READ) != 0) waiting.events |= POLLIN;
      if ((wanted & MYSQL_WAIT_WRITE) != 0) waiting.events |= POLLOUT;
      const int count = poll(&waiting, 1, left_ms(deadline_));
      if (count < 0) continue;
      if (count == 0) {
        shutdown(waiting.fd, SHUT_RDWR);
        deadline_ = Clock::time_point::max();  // from here on it fails by itself
      }
      events = go_on(static_cast<int>(wanted & (MYSQL_WAIT_READ | MYSQL_WAIT_WRITE)));
    }
  }

  static Failure<DbError> gone() { return fail(Kind::unavailable, "the connection is closed"); }

  Failure<DbError> failure(unsigned code, const char* message, const char* state, Kind lost) {
    auto kind = kind_of(code);
    if (kind == Kind::outcome_unknown) kind = lost;
    auto out = fail(kind, clean_message(message, password_), state, static_cast<int>(code));
    const bool client = code >= 2000 && code < 3000;
    if (client || code == 1053 || code == 1927) {
      statements_.clear();
      session_.reset();
    }
    return out;
  }
  Failure<DbError> failure() {
    return failure(my_.mysql_errno(session_.get()), my_.mysql_error(session_.get()),
                   my_.mysql_sqlstate(session_.get()), Kind::outcome_unknown);
  }
  Failure<DbError> failure(MYSQL_STMT* statement, Kind lost) {
    // Copied: the statement may go with the connection.
    const std::string message = my_.mysql_stmt_error(statement);
    const std::string state = my_.mysql_stmt_sqlstate(statement);
    return failure(my_.mysql_stmt_errno(statement), message.c_str(), state.c_str(), lost);
  }
  // For a statement that is not in the table yet: it must be gone before the session is.
  Failure<DbError> failure(Statement statement, Kind lost) {
    const unsigned code = my_.mysql_stmt_errno(statement.get());
    const std::string message = my_.mysql_stmt_error(statement.get());
    const std::string state = my_.mysql_stmt_sqlstate(statement.get());
    statement.reset();
    return failure(code, message.c_str(), state.c_str(), lost);
  }

  Rows rows_of(MYSQL_RES* answer) {
    Rows rows;
    if (answer == nullptr) {
      rows.affected = static_cast<std::int64_t>(my_.mysql_affected_rows(session_.get()));
      rows.insert_id = my_.mysql_insert_id(session_.get());
      return rows;
    }
    const unsigned columns = my_.mysql_num_fields(answer);
    const MYSQL_FIELD* fields = my_.mysql_fetch_fields(answer);
    while (MYSQL_ROW row = my_.mysql_fetch_row(answer)) {
      const unsigned long* sizes = my_.mysql_fetch_lengths(answer);
      auto& out = rows.rows.emplace_back();
      for (unsigned i = 0; i < columns; ++i) {
        if (row[i] == nullptr) {
          out.emplace_back(std::monostate{});
        } else {
          out.push_back(value_of(fields[i], {row[i], sizes[i]}));
        }
      }
    }
    return rows;
  }

  Result<Rows, DbError> run(MYSQL_STMT* statement, std::span<const Value> parameters) {
    std::vector<MYSQL_BIND> binds(parameters.size());
    std::vector<std::int64_t> numbers(parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      binds[i] = MYSQL_BIND{};
      const auto point_to = [&](const std::string& text, enum_field_types type) {
        binds[i].buffer_type = type;
        binds[i].buffer = const_cast<char*>(text.data());
        binds[i].buffer_length = static_cast<unsigned long>(text.size());
      };
      if (const auto* number = std::get_if<std::int64_t>(&parameters[i])) {
        numbers[i] = *number;
        binds[i].buffer_type = MYSQL_TYPE_LONGLONG;
        binds[i].buffer = &numbers[i];
      } else if (const auto* text = std::get_if<std::string>(&parameters[i])) {
        point_to(*text, MYSQL_TYPE_STRING);
      } else if (const auto* bytes = std::get_if<Bytes>(&parameters[i])) {
        point_to(bytes->bytes, MYSQL_TYPE_BLOB);
      } else {
        binds[i].buffer_type = MYSQL_TYPE_NULL;
      }
    }
    if (!binds.empty() && my_.mysql_stmt_bind_param(statement, binds.data()) != 0) {
      return failure(statement, Kind::unavailable);
    }
    int code = 0;
    wait(my_.mysql_stmt_execute_start(&code, statement),
         [&](int events) { return my_.mysql_stmt_execute_cont(&code, statement, events); });
    if (code != 0) return failure(statement, Kind::outcome_unknown);

    Rows rows;
    const Answer meta(my_.mysql_stmt_result_metadata(statement));
    if (!meta) {
      rows.affected = static_cast<std::int64_t>(my_.mysql_stmt_affected_rows(statement));
      rows.insert_id = my_.mysql_stmt_insert_id(statement);
      return rows;
    }
    const unsigned columns = my_.mysql_num_fields(meta.get());
    const MYSQL_FIELD* fields = my_.mysql_fetch_fields(meta.get());
    // Bound without a buffer: the fetch tells the sizes, then each column is asked for.
    std::vector<MYSQL_BIND> out(columns);
    std::vector<unsigned long> sizes(columns);
    std::vector<my_bool> nulls(columns);
    for (unsigned i = 0; i < columns; ++i) {
      out[i] = MYSQL_BIND{};
      out[i].buffer_type = MYSQL_TYPE_STRING;
      out[i].length = &sizes[i];
      out[i].is_null = &nulls[i];
    }
    code = my_.mysql_stmt_bind_result(statement, out.data()) != 0 ? 1 : 0;
    if (code == 0) {
      wait(my_.mysql_stmt_store_result_start(&code, statement),
           [&](int events) { return my_.mysql_stmt_store_result_cont(&code, statement, events); });
    }
    if (code != 0) return failure(statement, Kind::outcome_unknown);
    while (true) {
      code = my_.mysql_stmt_fetch(statement);
      if (code == MYSQL_NO_DATA) break;
      if (code != 0 && code != MYSQL_DATA_TRUNCATED) {
        return failure(statement, Kind::outcome_unknown);
      }
      auto& row = rows.rows.emplace_back();
      for (unsigned i = 0; i < columns; ++i) {
        if (nulls[i] != 0) {
          row.emplace_back(std::monostate{});
          continue;
        }
        std::string text(std::max<std::size_t>(sizes[i], 32), '\0');
        unsigned long size = 0;
        MYSQL_BIND one{};
        one.buffer_type = MYSQL_TYPE_STRING;
        one.buffer = text.data();
        one.buffer_length = static_cast<unsigned long>(text.size());
        one.length = &size;
        if (my_.mysql_stmt_fetch_column(statement, &one, i, 0) != 0) {
          return failure(statement, Kind::outcome_unknown);
        }
        row.push_back(value_of(fields[i], std::string_view(text).substr(0, size)));
      }
    }
    my_.mysql_stmt_free_result(statement);
    return rows;
  }

  const Libmariadb& my_ = libmariadb();
  Session session_;
  std::string password_;
  std::uint32_t fork_generation_;
  std::chrono::milliseconds timeout_{5000};
  Clock::time_point deadline_;
  Statements<Statement> statements_;
};

}  // namespace

Opened open_mariadb(const Url& url, const ConnectOptions& options) {
  const Libmariadb& my = libmariadb();
  if (!my.library.loaded()) return fail(Kind::unavailable, my.library.fault());

  Session session(my.mysql_init(nullptr));
  if (!session) return fail(Kind::unavailable, "no memory");
  const auto seconds = static_cast<unsigned>(std::clamp<std::int64_t>(
      std::chrono::ceil<std::chrono::seconds>(options.timeout).count(), 1, 86'400));
  my.mysql_options(session.get(), MYSQL_OPT_CONNECT_TIMEOUT, &seconds);
  my.mysql_options(session.get(), MYSQL_OPT_NONBLOCK, nullptr);
  my.mysql_options(session.get(), MYSQL_SET_CHARSET_NAME, "utf8mb4");
  // A server must not be able to read files of ours.
  const unsigned no = 0;
  my.mysql_options(session.get(), MYSQL_OPT_LOCAL_INFILE, &no);
  const std::string_view tls = url.option("tls").value_or("off");
  if (tls != "off" && tls != "on" && tls != "verify") {
    return fail(Kind::failed, "no such tls; there are off, on and verify");
  }
  const my_bool enforce = tls != "off" ? 1 : 0;
  const my_bool verify = tls == "verify" ? 1 : 0;
  my.mysql_optionsv(session.get(), MYSQL_OPT_SSL_ENFORCE, &enforce);
  my.mysql_optionsv(session.get(), MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
  const auto set_file = [&](std::string_view name, mysql_option option) {
    if (const auto file = url.option(name)) {
      my.mysql_options(session.get(), option, std::string(*file).c_str());
    }
  };
  set_file("tls_ca", MYSQL_OPT_SSL_CA);
  set_file("tls_cert", MYSQL_OPT_SSL_CERT);
  set_file("tls_key", MYSQL_OPT_SSL_KEY);

  const std::string password = password_of(url);
  const std::string socket(url.option("socket").value_or(""));
  const std::string host = url.hosts.empty() ? "localhost" : url.hosts[0].name;
  const unsigned port = url.hosts.empty() ? 0 : url.hosts[0].port;
  const auto opt = [](const std::string& text) { return text.empty() ? nullptr : text.c_str(); };
  if (my.mysql_real_connect(session.get(), host.c_str(), opt(url.user), password.c_str(),
                            opt(url.path), port, opt(socket), CLIENT_MULTI_STATEMENTS) == nullptr) {
    const unsigned code = my.mysql_errno(session.get());
    const auto kind = kind_of(code);
    return fail(kind == Kind::denied || kind == Kind::missing ? kind : Kind::unavailable,
                clean_message(my.mysql_error(session.get()), password),
                my.mysql_sqlstate(session.get()), static_cast<int>(code));
  }
  auto connection = std::make_unique<MariadbConnection>(std::move(session), password);
  connection->set_timeout(options.timeout);
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace tessera::db
