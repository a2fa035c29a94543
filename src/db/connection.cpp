// Chooses the engine of a URL.

#include "tessera/db/connection.h"

#include <algorithm>
#include <cstdlib>

#include "db/engines.h"
#include "tessera/parse_error.h"

namespace tessera::db {

bool is_null(const Value& value) noexcept { return value.index() == 0; }

std::string_view name_of(Engine engine) noexcept {
  switch (engine) {
    case Engine::sqlite: return "SQLite";
    case Engine::postgres: return "PostgreSQL";
    case Engine::mariadb: return "MariaDB";
  }
  return "";
}

namespace {

Value copy_of(const View& view) {
  if (const auto* number = std::get_if<std::int64_t>(&view)) return *number;
  if (const auto* text = std::get_if<std::string_view>(&view)) return std::string(*text);
  if (const auto* bytes = std::get_if<BytesView>(&view)) return Bytes{std::string(bytes->bytes)};
  return std::monostate{};
}

}  // namespace

Result<std::span<const Value>, DbError> Connection::first(std::string_view sql,
                                                          std::span<const View> parameters) {
  std::vector<Value> values;
  values.reserve(parameters.size());
  for (const View& parameter : parameters) values.push_back(copy_of(parameter));
  auto answer = query(sql, values);
  if (!answer) return Failure{answer.error()};
  first_row_.clear();
  if (!answer->empty()) first_row_ = std::move(answer->rows[0]);
  return std::span<const Value>(first_row_);
}

Result<Rows, DbError> Connection::script(std::string_view sql) {
  auto answers = batch(sql);
  if (!answers) return Failure{answers.error()};
  return answers->empty() ? Rows{} : std::move(answers->back());
}

Failure<DbError> fail(DbError::Kind kind, std::string message, std::string state, int code) {
  return Failure{DbError{kind, std::move(message), std::move(state), code}};
}

Failure<DbError> forked() {
  return fail(DbError::Kind::failed, "this connection belongs to the process that was forked");
}

std::string password_of(const Url& url) {
  if (url.password) return *url.password;
  const char* password = std::getenv("TESSERA_STORE_PASSWORD");
  return password != nullptr ? password : "";
}

std::string clean_message(std::string_view text, std::string_view password) {
  constexpr std::size_t kSizeMax = 400;
  std::string line;
  for (const char c : text) {
    const bool blank = c == '\n' || c == '\r' || c == '\t';
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  if (!password.empty()) {
    for (std::size_t at = line.find(password); at != std::string::npos;
         at = line.find(password, at + 3)) {
      line.replace(at, password.size(), "***");
    }
  }
  return printable(line, kSizeMax);
}

int left_ms(Clock::time_point deadline) noexcept {
  const auto now = Clock::now();
  if (deadline <= now) return 0;
  if (deadline - now > std::chrono::hours(24)) return 86'400'000;
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count());
}

Result<std::unique_ptr<Connection>, DbError> connect(const Url& url,
                                                     const ConnectOptions& options) {
  switch (url.scheme) {
    case Url::Scheme::memory:
    case Url::Scheme::etcd:
    case Url::Scheme::etcds: break;
    case Url::Scheme::sqlite: return open_sqlite(url, options);
    case Url::Scheme::postgres: return open_postgres(url, options);
    case Url::Scheme::mariadb: return open_mariadb(url, options);
  }
  return fail(DbError::Kind::failed, "it is no database with SQL");
}

Result<std::unique_ptr<Connection>, DbError> connect(std::string_view text,
                                                     const ConnectOptions& options) {
  const auto url = parse_url(text);
  if (!url) return fail(DbError::Kind::failed, url.error().message);
  return connect(*url, options);
}

}  // namespace tessera::db
