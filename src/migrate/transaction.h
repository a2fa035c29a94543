#pragma once

// Transaction: undoes what was begun, unless it was committed.
//
// Not thread-safe. The connection must outlive it.

#include <string_view>

#include "migrate/dialect.h"

namespace tessera::migrate {

class Transaction {
 public:
  explicit Transaction(db::Connection& connection) : connection_(connection) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (open_ && connection_.usable()) static_cast<void>(connection_.batch("ROLLBACK"));
  }
  Done begin(std::string_view sql) {
    auto begun = send(connection_, sql);
    open_ = static_cast<bool>(begun);
    return begun;
  }
  Done commit() {
    auto done = send(connection_, "COMMIT");
    if (done) open_ = false;
    return done;
  }
  // All of it, from BEGIN to COMMIT, in one packet.
  Result<std::vector<db::Rows>, db::DbError> send_whole(std::string_view sql) {
    open_ = true;
    auto answers = connection_.batch(sql);
    if (answers) open_ = false;
    return answers;
  }

 private:
  db::Connection& connection_;
  bool open_ = false;
};

}  // namespace tessera::migrate
