#pragma once

// What stands between two that make tables at once.

#include <optional>

#include "store/db_errors.h"
#include "tessera/db/connection.h"
#include "tessera/error.h"

namespace tessera {

class InitLock {
 public:
  explicit InitLock(db::Connection& connection) : connection_(connection) {}
  InitLock(const InitLock&) = delete;
  InitLock& operator=(const InitLock&) = delete;
  ~InitLock() {
    if (!locked_) return;
    // An open transaction is one that has failed; DDL of MariaDB is in none.
    static_cast<void>(connection_.batch(connection_.engine() == db::Engine::mariadb
                                            ? "DO RELEASE_LOCK('tessera.init')"
                                            : "ROLLBACK"));
  }

  std::optional<Error> take() {
    const auto answers = [&] {
      switch (connection_.engine()) {
        case db::Engine::sqlite: return connection_.batch("BEGIN IMMEDIATE");
        case db::Engine::postgres:
          return connection_.batch("BEGIN; SELECT pg_advisory_xact_lock(1953719397, 1)");
        case db::Engine::mariadb: break;
      }
      return connection_.batch("SELECT GET_LOCK('tessera.init', 30)");
    }();
    if (!answers) return error_of(answers.error(), connection_.engine(), At::before_commit);
    locked_ = true;
    if (connection_.engine() == db::Engine::mariadb &&
        number_of(answers->back().rows.at(0).at(0)) != 1) {
      locked_ = false;
      return Error{Error::Code::timed_out, "another init is under way", "Ask again."};
    }
    return std::nullopt;
  }

  std::optional<Error> commit() {
    if (connection_.engine() == db::Engine::mariadb) return std::nullopt;
    const auto done = connection_.batch("COMMIT");
    if (!done) return error_of(done.error(), connection_.engine(), At::commit);
    locked_ = false;
    return std::nullopt;
  }

 private:
  db::Connection& connection_;
  bool locked_ = false;
};

}  // namespace tessera
