#pragma once

// A connection to PostgreSQL: statements with parameters, rows of text. Not thread-safe.

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

struct pg_conn;

namespace shop {

// The database did not answer, or refused. What it said is for the log, not for a caller.
struct DatabaseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Row = std::vector<std::optional<std::string>>;

class Database {
 public:
  explicit Database(std::string url);

  // Parameters are never part of the statement. A lost connection is made anew, once, before the
  // statement is sent; one that is lost after that is an error, since the statement may have been
  // carried out.
  std::vector<Row> rows(const char* statement, const std::vector<std::string>& parameters);

 private:
  void connect();

  std::string url_;
  std::unique_ptr<pg_conn, void (*)(pg_conn*)> connection_;
};

}  // namespace shop
