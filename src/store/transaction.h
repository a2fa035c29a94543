#pragma once

// A transaction that ends with its scope.

#include <optional>
#include <string>

#include "store/db_errors.h"
#include "tessera/db/connection.h"

namespace tessera {

// What the database said, and when.
struct Broken {
  db::DbError error;
  At at = At::before_commit;
};

// Undoes what was begun, unless it was committed. A connection that cannot even do that is broken,
// and undone by its end.
class Transaction {
 public:
  explicit Transaction(db::Connection& connection) : connection_(connection) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (open_ && connection_.usable()) static_cast<void>(connection_.batch("ROLLBACK"));
  }

  std::optional<Broken> begin(const std::string& sql) {
    const auto begun = connection_.batch(sql);
    if (!begun) return Broken{begun.error(), At::before_commit};
    open_ = true;
    return std::nullopt;
  }
  std::optional<Broken> commit() {
    const auto committed = connection_.batch("COMMIT");
    if (!committed) return Broken{committed.error(), At::commit};
    open_ = false;
    return std::nullopt;
  }
  void is_open() noexcept { open_ = true; }
  void is_closed() noexcept { open_ = false; }

 private:
  db::Connection& connection_;
  bool open_ = false;
};

}  // namespace tessera
