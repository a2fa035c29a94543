// Leases in a database. The rules are those of tessera/lease/rules.h; here is what makes them
// atomic.
//
//    claim            lock the scope; read its rows and the clock; choose; write the row, if it
//                     still is what was read; commit
//    raise, release   lock the row; read the clock; write it; commit
//
// A claim holds the lock of the scope, so that two claims never choose alike. A raise does not wait
// for it: it may come between what a claim reads and what it writes. The claim then finds another
// row than it has read, writes nothing, and begins anew. Without this the claim would give away
// time that the raise has just reserved.

#include "store/lease_store.h"

#include <algorithm>
#include <utility>

#include "store/db_errors.h"

namespace tessera {
namespace {

using db::Connection;
using db::DbError;
using db::Engine;
using db::Value;
using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view kColumns =
    "machine, token, holder, claimed_ms, expires_ms, quarantine_ms, ts_limit_ms";

std::uint64_t unsigned_of(const Value& value) noexcept {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_of(value)));
}
Value value_of(std::uint64_t number) { return static_cast<std::int64_t>(number); }

LeaseRow row_of(std::span<const Value> columns) {
  return {static_cast<std::uint32_t>(unsigned_of(columns[0])),
          number_of(columns[1]),
          text_of(columns[2]),
          unsigned_of(columns[3]),
          unsigned_of(columns[4]),
          unsigned_of(columns[5]),
          unsigned_of(columns[6])};
}

void give_time(Connection& connection, SteadyClock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now());
  connection.set_timeout(std::max(left, milliseconds(1)));
}

}  // namespace

SqlLeaseStore::SqlLeaseStore(db::Pool& pool, const Dialect& dialect, milliseconds timeout)
    : pool_(pool), dialect_(dialect), timeout_(timeout) {
  const std::string columns(kColumns);
  const std::string leases = dialect.lease_name();
  const std::string scopes = dialect.lease_scope_name();
  const std::string for_update = dialect.engine == Engine::sqlite ? "" : " FOR UPDATE";
  keep_scope_ = "INSERT INTO " + scopes + " (scope, layout) VALUES (?, ?)" +
                (dialect.engine == Engine::mariadb ? " ON DUPLICATE KEY UPDATE scope = scope"
                                                   : " ON CONFLICT DO NOTHING");
  lock_scope_ = "SELECT layout FROM " + scopes + " WHERE scope = ?" + for_update;
  layout_ = "SELECT layout FROM " + scopes + " WHERE scope = ?";
  rows_ = "SELECT " + columns + " FROM " + leases + " WHERE scope = ? ORDER BY machine";
  lock_row_ =
      "SELECT " + columns + " FROM " + leases + " WHERE scope = ? AND machine = ?" + for_update;
  insert_ = "INSERT INTO " + leases +
            " (token, holder, claimed_ms, expires_ms, quarantine_ms, ts_limit_ms, scope, machine)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
  update_ = "UPDATE " + leases +
            " SET token = ?, holder = ?, claimed_ms = ?, expires_ms = ?, quarantine_ms = ?,"
            " ts_limit_ms = ? WHERE scope = ? AND machine = ? AND token = ? AND expires_ms = ?"
            " AND ts_limit_ms = ?";
  now_ = "SELECT " + dialect.now_ms;
  const std::string listed =
      "SELECT s.scope, s.layout, l.machine, l.token, l.holder, l.claimed_ms,"
      " l.expires_ms, l.quarantine_ms, l.ts_limit_ms FROM " +
      leases + " l JOIN " + scopes + " s ON s.scope = l.scope";
  const std::string order = " ORDER BY l.scope, l.machine LIMIT ?";
  list_all_ = listed + " WHERE l.scope >= ? AND (l.scope > ? OR l.machine > ?)" + order;
  list_scope_ = listed + " WHERE l.scope = ? AND l.machine > ?" + order;
}

template <class T>
Result<T, Error> SqlLeaseStore::attempt(milliseconds timeout,
                                        const std::function<Tried<T>(Connection&)>& once) {
  const auto deadline = SteadyClock::now() + timeout;
  constexpr int kAttempts = 16;
  for (int attempt = 1;; ++attempt) {
    auto connection = pool_.lend(deadline);
    if (!connection) return Failure{connection.error()};
    give_time(**connection, deadline);
    auto tried = once(**connection);
    if (tried) return std::move(*tried);
    const Stop& why = tried.error();
    if (why.refusal) return Failure{*why.refusal};
    const DbError& error = why.broken->error;
    const bool others =
        error.kind == DbError::Kind::conflict || error.kind == DbError::Kind::unique;
    if (others && attempt < kAttempts && SteadyClock::now() < deadline) continue;
    if (others) {
      return Failure{Error{Error::Code::timed_out, "others were faster: " + error.message,
                           "Nothing was done; ask again."}};
    }
    Error mapped = error_of(error, dialect_.engine, why.broken->at);
    if (mapped.code == Error::Code::outcome_unknown) {
      mapped.hint = "The lease, if one was taken or raised, ends by itself; ask again.";
    }
    return Failure{std::move(mapped)};
  }
}

Result<Lease, Error> SqlLeaseStore::claim(const ClaimRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*fault};
  return attempt<Lease>(request.timeout,
                        [&](Connection& connection) { return claim_once(connection, request); });
}

SqlLeaseStore::Tried<Lease> SqlLeaseStore::claim_once(Connection& connection,
                                                      const ClaimRequest& request) {
  Transaction transaction(connection);
  if (auto broken = transaction.begin(dialect_.begin)) return stop(broken->error, broken->at);
  const std::string scope(request.scope);
  const auto kept = connection.query(keep_scope_, {scope, std::string(request.layout)});
  if (!kept) return stop(kept.error(), At::before_commit);
  const auto locked = connection.query(lock_scope_, {scope});
  if (!locked) return stop(locked.error(), At::before_commit);
  if (locked->empty()) {
    return stop({DbError::Kind::conflict, "the scope has just been made", "", 0},
                At::before_commit);
  }
  const std::string layout = text_of(locked->rows[0][0]);
  if (layout != request.layout) return stop(layout_differs(scope, layout, request.layout));

  const auto read = connection.query(rows_, {scope});
  if (!read) return stop(read.error(), At::before_commit);
  std::vector<LeaseRow> rows;
  for (const auto& row : read->rows) rows.push_back(row_of(row));
  const auto now = now_ms(connection);
  if (!now) return Failure{now.error()};
  const auto machine = choose_machine(rows, request, *now);
  if (!machine) return stop(machine.error());

  const auto found = std::ranges::find(rows, *machine, &LeaseRow::machine);
  const auto before = found == rows.end() ? std::nullopt : std::optional(*found);
  const LeaseRow after = after_claim(before, *machine, request, *now);
  if (auto stopped = write(connection, scope, before, after)) return Failure{std::move(*stopped)};
  if (auto broken = transaction.commit()) return stop(broken->error, broken->at);
  return lease_of(before, after, request.terms, *now);
}

Result<Reservation, Error> SqlLeaseStore::raise(const RaiseRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*fault};
  return attempt<Reservation>(request.timeout, [&](Connection& connection) -> Tried<Reservation> {
    Transaction transaction(connection);
    if (auto broken = transaction.begin(dialect_.begin)) return stop(broken->error, broken->at);
    const auto before = lock_row(connection, request.scope, request.machine);
    if (!before) return Failure{before.error()};
    const auto now = now_ms(connection);
    if (!now) return Failure{now.error()};
    auto after = after_raise(*before, request, *now);
    if (!after) return stop(after.error());
    // Always a write, be it of a millisecond: what an answer that was lost has written before may
    // be shown to us and not be on disk yet, and a commit that writes nothing does not wait for it.
    if (*after == **before) ++after->expires_ms;
    if (auto stopped = write(connection, request.scope, *before, *after)) {
      return Failure{std::move(*stopped)};
    }
    if (auto broken = transaction.commit()) return stop(broken->error, broken->at);
    return reservation_of(*after, request.terms, *now);
  });
}

Result<LeaseRecord, Error> SqlLeaseStore::release(const ReleaseRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*fault};
  return attempt<LeaseRecord>(request.timeout, [&](Connection& connection) -> Tried<LeaseRecord> {
    Transaction transaction(connection);
    if (auto broken = transaction.begin(dialect_.begin)) return stop(broken->error, broken->at);
    const auto before = lock_row(connection, request.scope, request.machine);
    if (!before) return Failure{before.error()};
    const auto now = now_ms(connection);
    if (!now) return Failure{now.error()};
    const auto after = after_release(*before, request, *now);
    if (!after) return stop(after.error());
    const auto layout = connection.query(layout_, {std::string(request.scope)});
    if (!layout) return stop(layout.error(), At::before_commit);
    if (auto stopped = write(connection, request.scope, *before, *after)) {
      return Failure{std::move(*stopped)};
    }
    if (auto broken = transaction.commit()) return stop(broken->error, broken->at);
    return record_of(request.scope, layout->empty() ? "" : text_of(layout->rows[0][0]), *after,
                     *now);
  });
}

Result<LeasePage, Error> SqlLeaseStore::list(const LeaseListRequest& request) {
  const auto start = page_start(request);
  if (!start) return Failure{start.error()};
  const auto deadline = SteadyClock::now() + timeout_;
  auto connection = pool_.lend(deadline);
  if (!connection) return Failure{connection.error()};
  give_time(**connection, deadline);
  const std::string scope = *start ? (*start)->scope : std::string(request.scope);
  const Value machine = *start ? value_of((*start)->machine) : Value(std::int64_t{-1});
  const Value count_max = value_of(request.page_size + 1);
  const auto rows = request.scope.empty()
                        ? (*connection)->query(list_all_, {scope, scope, machine, count_max})
                        : (*connection)->query(list_scope_, {scope, machine, count_max});
  if (!rows) return Failure{error_of(rows.error(), dialect_.engine, At::reading)};
  const auto now = now_ms(**connection);
  if (!now) return Failure{error_of(now.error().broken->error, dialect_.engine, At::reading)};
  std::vector<LeaseRecord> records;
  for (const auto& row : rows->rows) {
    records.push_back(
        record_of(text_of(row[0]), text_of(row[1]), row_of(std::span(row).subspan(2)), *now));
  }
  return page_of(request, std::move(records));
}

SqlLeaseStore::Tried<std::optional<LeaseRow>> SqlLeaseStore::lock_row(Connection& connection,
                                                                      std::string_view scope,
                                                                      std::uint32_t machine) {
  const auto rows = connection.query(lock_row_, {std::string(scope), value_of(machine)});
  if (!rows) return stop(rows.error(), At::before_commit);
  return rows->empty() ? std::optional<LeaseRow>() : row_of(rows->rows[0]);
}

// After the locks, never before: who has waited for one must not go by an old time.
SqlLeaseStore::Tried<std::uint64_t> SqlLeaseStore::now_ms(Connection& connection) {
  const auto rows = connection.query(now_);
  if (!rows) return stop(rows.error(), At::before_commit);
  return unsigned_of(rows->rows.at(0).at(0));
}

std::optional<SqlLeaseStore::Stop> SqlLeaseStore::write(Connection& connection,
                                                        std::string_view scope,
                                                        const std::optional<LeaseRow>& before,
                                                        const LeaseRow& after) {
  std::vector<Value> values = {after.token,
                               after.holder,
                               value_of(after.claimed_ms),
                               value_of(after.expires_ms),
                               value_of(after.quarantine_ms),
                               value_of(after.ts_limit_ms),
                               std::string(scope),
                               value_of(after.machine)};
  if (before) {
    values.insert(values.end(),
                  {before->token, value_of(before->expires_ms), value_of(before->ts_limit_ms)});
  }
  const auto done = connection.query(before ? update_ : insert_, values);
  if (!done) return Stop{Broken{done.error(), At::before_commit}, std::nullopt};
  if (done->affected == 1) return std::nullopt;
  return Stop{
      Broken{{DbError::Kind::conflict, "the lease has just changed", "", 0}, At::before_commit},
      std::nullopt};
}

}  // namespace tessera
