#pragma once

// What the three engines share, and how each is opened.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tessera/db/connection.h"
#include "tessera/db/url.h"

namespace tessera::db {

using Clock = std::chrono::steady_clock;
// Prepared statements by their text, which is looked for without a copy.
struct HashText {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>()(text);
  }
};
template <class Statement>
using Statements = std::unordered_map<std::string, Statement, HashText, std::equal_to<>>;

using Opened = Result<std::unique_ptr<Connection>, DbError>;

Opened open_sqlite(const Url& url, const ConnectOptions& options);
Opened open_postgres(const Url& url, const ConnectOptions& options);
Opened open_mariadb(const Url& url, const ConnectOptions& options);

// The password of the URL, or that of the environment (TESSERA_STORE_PASSWORD).
std::string password_of(const Url& url);

// What a server says, on one line, printable, and without the password, wherever it got it from.
std::string clean_message(std::string_view text, std::string_view password);

Failure<DbError> fail(DbError::Kind kind, std::string message, std::string state = {},
                      int code = 0);

// Milliseconds from now to `deadline`, 0 if it is over, never more than a day.
int left_ms(Clock::time_point deadline) noexcept;

// For a connection that was made by another process: parent and child would share one session.
Failure<DbError> forked();

}  // namespace tessera::db
