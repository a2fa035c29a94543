#pragma once

// Leases of machine numbers, in two tables of a database.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/dialect.h"
#include "store/transaction.h"
#include "tessera/db/pool.h"
#include "tessera/lease/rules.h"
#include "tessera/lease/store.h"

namespace tessera {

// Thread-safe. Pool and dialect must outlive it.
class SqlLeaseStore final : public LeaseStore {
 public:
  SqlLeaseStore(db::Pool& pool, const Dialect& dialect, std::chrono::milliseconds timeout);

  Result<Lease, Error> claim(const ClaimRequest& request) override;
  Result<Reservation, Error> raise(const RaiseRequest& request) override;
  Result<LeaseRecord, Error> release(const ReleaseRequest& request) override;
  Result<LeasePage, Error> list(const LeaseListRequest& request) override;

 private:
  // What stopped a transaction: the database, or the rules.
  struct Stop {
    std::optional<Broken> broken;
    std::optional<Error> refusal;
  };
  template <class T>
  using Tried = Result<T, Stop>;

  static Failure<Stop> stop(const db::DbError& error, At at) {
    return Failure{Stop{Broken{error, at}, std::nullopt}};
  }
  static Failure<Stop> stop(Error refusal) {
    return Failure{Stop{std::nullopt, std::move(refusal)}};
  }

  // Runs `once` in transactions of its own until it is not stopped by others at work, or the time
  // is over.
  template <class T>
  Result<T, Error> attempt(std::chrono::milliseconds timeout,
                           const std::function<Tried<T>(db::Connection&)>& once);

  Tried<Lease> claim_once(db::Connection& connection, const ClaimRequest& request);
  Tried<std::optional<LeaseRow>> lock_row(db::Connection& connection, std::string_view scope,
                                          std::uint32_t machine);
  Tried<std::uint64_t> now_ms(db::Connection& connection);
  std::optional<Stop> write(db::Connection& connection, std::string_view scope,
                            const std::optional<LeaseRow>& before, const LeaseRow& after);

  db::Pool& pool_;
  const Dialect& dialect_;
  const std::chrono::milliseconds timeout_;

  std::string keep_scope_;  // scope, layout: if it is not there
  std::string lock_scope_;  // scope -> layout
  std::string layout_;      // scope -> layout, without a lock
  std::string rows_;        // scope -> the columns of a row, by number
  std::string lock_row_;    // scope, machine -> the columns of a row
  std::string insert_;
  std::string update_;  // with what it was before as its condition
  std::string now_;
  std::string list_all_;    // scope, scope, machine, count -> scope, layout, columns; behind that
  std::string list_scope_;  // scope, machine, count -> the same, of this scope
};

}  // namespace tessera
