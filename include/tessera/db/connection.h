#pragma once

// One connection to a database. Knows SQL, knows no IDs.
//
//    auto rows = connection->query("SELECT max_id FROM t WHERE scope = ?", {scope});
//
// Parameters are `?` in all three (PostgreSQL's become $1, $2 ...), and are sent apart from the
// text, never pasted into it. Statements are prepared once per connection and text.
//
// Not thread-safe: one connection, one thread at a time.

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera::db {

enum class Engine : std::uint8_t { sqlite, postgres, mariadb };
std::string_view name_of(Engine engine) noexcept;  // "PostgreSQL"

struct Bytes {
  std::string bytes;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

// NULL, a number, text in UTF-8, bytes.
using Value = std::variant<std::monostate, std::int64_t, std::string, Bytes>;

bool is_null(const Value& value) noexcept;

// The same, lying elsewhere: for parameters that outlive the call.
struct BytesView {
  std::string_view bytes;
};
using View = std::variant<std::monostate, std::int64_t, std::string_view, BytesView>;

struct Rows {
  std::vector<std::vector<Value>> rows;
  std::int64_t affected = 0;    // rows changed
  std::uint64_t insert_id = 0;  // MariaDB: what LAST_INSERT_ID(expression) was given

  bool empty() const noexcept { return rows.empty(); }
};

struct DbError {
  enum class Kind : std::uint8_t {
    unavailable,      // could not connect, or refused before anything was done
    outcome_unknown,  // the connection broke or timed out while a statement was under way
    conflict,         // deadlock, serialization, busy: done again it may work
    unique,           // a unique key stood in the way
    check,            // a CHECK constraint, or a number out of range
    missing,          // no such table or column
    denied,           // the account may not
    full,             // disk full, read-only
    failed,           // everything else
  };

  Kind kind = Kind::failed;
  std::string message;  // what the server says, printable; never a password
  std::string state;    // SQLSTATE, or the number of SQLite's result code
  int code = 0;         // the number that SQLite or MariaDB gives it
};

class Connection {
 public:
  virtual ~Connection() = default;
  virtual Engine engine() const noexcept = 0;
  virtual std::string server_version() = 0;  // "15.18"

  virtual Result<Rows, DbError> query(std::string_view sql, std::span<const Value> parameters) = 0;
  Result<Rows, DbError> query(std::string_view sql, std::initializer_list<Value> parameters = {}) {
    return query(sql, std::span(parameters.begin(), parameters.size()));
  }
  // The first row of a statement that only reads, for those who ask often; empty, if there is none.
  // It lies here until the next call, and what is behind it is not read.
  virtual Result<std::span<const Value>, DbError> first(std::string_view sql,
                                                        std::span<const View> parameters);
  // Several statements without parameters: schema files. The answer is that of the last.
  Result<Rows, DbError> script(std::string_view sql);
  // The same, with the answer of each. PostgreSQL and MariaDB get them in one packet. The first
  // that fails ends it; what came before stays done, but for PostgreSQL, where all is undone.
  virtual Result<std::vector<Rows>, DbError> batch(std::string_view sql) = 0;

  // What a query may take from now on, before it is cut off as outcome_unknown.
  virtual void set_timeout(std::chrono::milliseconds timeout) = 0;

  // False after an error that leaves it useless, after the server has hung up, and in a child of
  // fork(); it is then closed and made anew by its owner.
  virtual bool usable() const noexcept = 0;

 protected:
  std::vector<Value> first_row_;
};

struct ConnectOptions {
  std::chrono::milliseconds timeout{5000};
  bool create = true;  // SQLite: make a file that is not there
  // SQLite: nothing is written, not even how the file keeps its journal; it must be there.
  bool read_only = false;
};

struct Url;  // see tessera/db/url.h for what it may be
Result<std::unique_ptr<Connection>, DbError> connect(const Url& url,
                                                     const ConnectOptions& options = {});
Result<std::unique_ptr<Connection>, DbError> connect(std::string_view url,
                                                     const ConnectOptions& options = {});

}  // namespace tessera::db
