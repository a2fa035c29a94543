// Draws ranges from a table.
//
// However it is written down, a draw is this, in one transaction:
//
//    lock the row of the scope             from here on nobody else draws from it
//    look for the key in the range log     found: that range is the answer, once it is on disk
//    move max_id, count the draw
//    write the line of the range log
//    commit                                only then is the range anybody's
//
// PostgreSQL does it in one statement, MariaDB in one packet, SQLite in the caller's process.

#include "store/sql_store.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "store/db_errors.h"
#include "store/lease_store.h"
#include "store/registry_schema.h"
#include "store/registry_store.h"
#include "store/requests.h"
#include "store/schema.h"
#include "store/settings.h"
#include "store/transaction.h"
#include "tessera/db/pool.h"
#include "tessera/parse_error.h"

namespace tessera {
namespace {

using db::Connection;
using db::DbError;
using db::Engine;
using db::Value;
using SteadyClock = std::chrono::steady_clock;

// A draw, or nothing: then the scope is not there, or has too few numbers left.
using Drawn = Result<std::optional<Draw>, Broken>;

Failure<Broken> broken(const DbError& error, At at) { return Failure{Broken{error, at}}; }

Segment segment_of(std::int64_t first, std::int64_t last) noexcept {
  return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last) + 1};
}

// A row of number, epoch, first_id, last_id.
Draw draw_of(const std::vector<Value>& row, bool repeated) {
  return {segment_of(number_of(row[2]), number_of(row[3])), number_of(row[1]), number_of(row[0]),
          repeated};
}

ScopeState state_of(const std::vector<Value>& row) {
  ScopeState state;
  state.scope.name = text_of(row[0]);
  state.scope.min = number_of(row[1]);
  state.scope.max = number_of(row[2]);
  state.scope.step = number_of(row[3]);
  state.scope.order = number_of(row[4]) == 1 ? Scope::Order::strict : Scope::Order::process;
  state.scope.js_safe = number_of(row[5]) == 1;
  state.high_water = number_of(row[6]);
  state.epoch = number_of(row[7]);
  state.draws = number_of(row[8]);
  state.updated_ms = static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_of(row[9])));
  return state;
}

RangeRecord record_of(const std::vector<Value>& row) {
  return {text_of(row[0]),
          number_of(row[1]),
          number_of(row[2]),
          segment_of(number_of(row[3]), number_of(row[4])),
          text_of(row[5]),
          text_of(row[6]),
          static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_of(row[7])))};
}

Value key_value(std::string_view key) {
  if (key.empty()) return std::monostate{};
  return std::string(key);
}

class SqlStore final : public Store, public SegmentStore, public ScopeCatalogue {
 public:
  SqlStore(db::Url url, const OpenOptions& options, Dialect dialect)
      : url_(std::move(url)),
        options_(options),
        dialect_(std::move(dialect)),
        // SQLite has one writer at a time: waiting for our lock is fair, and waiting for its is
        // not.
        pool_(dialect_.engine == Engine::sqlite ? 1 : options.connections_max,
              [this](std::chrono::milliseconds timeout) {
                return open_checked(url_, options_, std::min(timeout, options_.connect_timeout),
                                    false);
              }),
        leases_(pool_, dialect_, options_.connect_timeout) {}

  SegmentStore& segments() override { return *this; }
  ScopeCatalogue& scopes() override { return *this; }
  LeaseStore& leases() override { return leases_; }

  Result<std::unique_ptr<RegistryStore>, Error> registry(const RegistryTypes& types) override {
    if (auto fault = fault_of_registry_table(options_.registry_table)) return Failure{*fault};
    const RegistryNames names{dialect_.engine, options_.registry_table};
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    if (auto fault = fault_of_registry(**connection, names, types)) return Failure{*fault};
    return std::unique_ptr<RegistryStore>(std::make_unique<SqlRegistryStore>(
        pool_, names, types,
        SqlRegistryStore::Options{options_.connect_timeout, options_.portable_statements}));
  }

  std::optional<Error> check_schema() {
    auto connection = lend();
    if (!connection) return connection.error();
    const auto schema = look_at_schema(**connection, dialect_);
    if (!schema) return schema.error();
    if (schema->version != schema->newest) {
      const std::string table = quoted(dialect_.table);
      return Error{Error::Code::store_schema,
                   schema->version == 0
                       ? "there is no table " + table
                       : "table " + table + " is of version " + std::to_string(schema->version) +
                             ", not " + std::to_string(schema->newest),
                   "Make the tables first: init_store, or tessera store init."};
    }
    return fault_of_columns(**connection, dialect_);
  }

  Result<StoreStatus, Error> status() override {
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    const auto schema = look_at_schema(**connection, dialect_);
    if (!schema) return Failure{schema.error()};
    const auto settings = read_settings(**connection, url_, dialect_, options_.registry_table);
    if (!settings) return Failure{settings.error()};
    return StoreStatus{
        url_.to_string(),
        std::string(name_of(dialect_.engine)) + " " + (*connection)->server_version(), *schema,
        *settings};
  }

  Result<Draw, Error> draw(const DrawRequest& request) override {
    if (auto fault = tessera::fault_of(request)) return Failure{*fault};
    const auto deadline = SteadyClock::now() + request.timeout;
    constexpr int kAttempts = 8;
    int met_others = 0;
    for (int attempt = 1;; ++attempt) {
      auto connection = pool_.lend(deadline);
      if (!connection) return Failure{connection.error()};
      give_time(**connection, deadline);
      auto drawn = draw_once(**connection, request);
      if (drawn && *drawn && (*drawn)->repeated) {
        if (auto error = confirm(**connection, request.scope)) drawn = Failure{*error};
      }
      const bool last = attempt == kAttempts || SteadyClock::now() >= deadline;
      if (!drawn) {
        const DbError& error = drawn.error().error;
        const bool again = error.kind == DbError::Kind::conflict ||
                           error.kind == DbError::Kind::unique;  // somebody with the same key
        met_others += error.kind == DbError::Kind::unique ? 1 : 0;
        if (again && !last) continue;
        // With a key it may be that of another caller, who was faster. The next attempt would find
        // it, so that only a second meeting says that it is the range.
        const bool may_be_key =
            error.kind == DbError::Kind::unique && !request.key.empty() && met_others < 2;
        if (may_be_key ||
            (error.kind == DbError::Kind::conflict && SteadyClock::now() >= deadline)) {
          return Failure{Error{Error::Code::timed_out, "the scope was busy: " + error.message,
                               "Nothing was done; ask again."}};
        }
        if (error.kind == DbError::Kind::unique) {
          return Failure{Error{Error::Code::store_rewound,
                               "the range log knows these numbers of " + quoted(request.scope) +
                                   " already: " + error.message,
                               "The row was set back; lift its mark above the log."}};
        }
        return Failure{error_of(error, dialect_.engine, drawn.error().at)};
      }
      if (*drawn) {
        const Draw& made = **drawn;
        if (made.segment.size() != request.count) {
          return Failure{key_is_reused(request, made.segment.size())};
        }
        return made;
      }
      const auto state = find_by(**connection, request.scope);
      if (!state) return Failure{state.error()};
      if (state->remaining() < request.count) return Failure{is_exhausted(*state, request.count)};
      if (last) {
        return Failure{Error{Error::Code::timed_out, "the scope has just been made",
                             "Nothing was done; ask again."}};
      }
      // Something changed between the two statements: it is worth another look.
    }
  }

  Result<ScopeState, Error> find(std::string_view scope) override {
    if (auto fault = fault_of_name(scope)) return Failure{*fault};
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    return find_by(**connection, scope);
  }

  Result<std::vector<ScopeState>, Error> list() override {
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    const auto rows = (*connection)->query(dialect_.list);
    if (!rows) return Failure{error_of(rows.error(), dialect_.engine, At::reading)};
    std::vector<ScopeState> states;
    for (const auto& row : rows->rows) states.push_back(state_of(row));
    return states;
  }

  Result<ScopeState, Error> create(const Scope& scope) override {
    if (auto fault = tessera::fault_of(scope)) return Failure{*fault};
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    const auto made =
        (*connection)
            ->query(dialect_.create, {scope.name, scope.min - 1, scope.step, scope.min, scope.max,
                                      std::int64_t{scope.order == Scope::Order::strict},
                                      std::int64_t{scope.js_safe}});
    if (!made && made.error().kind != DbError::Kind::unique) {
      return Failure{error_of(made.error(), dialect_.engine, At::commit)};
    }
    auto state = find_by(**connection, scope.name);
    if (!state || made) return state;
    if (auto error = difference(state->scope, scope)) return Failure{*error};
    return state;
  }

  Result<ScopeState, Error> set_step(std::string_view scope, std::int64_t step) override {
    if (auto fault = fault_of_step(scope, step)) return Failure{*fault};
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    const auto done = (*connection)->query(dialect_.set_step, {step, std::string(scope)});
    if (!done) return Failure{error_of(done.error(), dialect_.engine, At::commit)};
    return find_by(**connection, scope);
  }

  Result<ScopeState, Error> advance(std::string_view scope, std::int64_t high_water) override {
    if (auto fault = fault_of_name(scope)) return Failure{*fault};
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    const auto done =
        (*connection)
            ->query(dialect_.advance, {high_water, std::string(scope), high_water, high_water});
    if (!done) return Failure{error_of(done.error(), dialect_.engine, At::commit)};
    auto state = find_by(**connection, scope);
    if (state && done->affected != 1) return Failure{bad_mark(*state, high_water)};
    return state;
  }

  Result<std::string, Error> keep_fingerprint(std::string_view scope,
                                              std::string_view fingerprint) override {
    if (auto fault = fault_of_fingerprint(scope, fingerprint)) return Failure{*fault};
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    // Read twice: nobody takes it away, so what is there after our attempt was the first.
    for (const bool tried : {false, true}) {
      const auto rows = (*connection)->query(dialect_.fingerprint, {std::string(scope)});
      if (!rows) return Failure{error_of(rows.error(), dialect_.engine, At::reading)};
      if (!rows->empty()) {
        if (auto error = confirm(**connection, scope)) {
          return Failure{error_of(error->error, dialect_.engine, error->at)};
        }
        return text_of(rows->rows[0][0]);
      }
      if (tried) break;
      const auto kept =
          (*connection)
              ->query(dialect_.keep_fingerprint, {std::string(fingerprint), std::string(scope)});
      if (!kept) return Failure{error_of(kept.error(), dialect_.engine, At::commit)};
    }
    return Failure{no_scope(scope)};
  }

  Result<std::optional<RangeRecord>, Error> range_of(std::string_view scope,
                                                     std::int64_t number) override {
    if (auto fault = fault_of_name(scope)) return Failure{*fault};
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    const auto state = find_by(**connection, scope);
    if (!state) return Failure{state.error()};
    const auto rows = (*connection)->query(dialect_.range_of, {std::string(scope), number});
    if (!rows) return Failure{error_of(rows.error(), dialect_.engine, At::reading)};
    std::optional<RangeRecord> found;
    if (!rows->empty() && number_of(rows->rows[0][4]) >= number) found = record_of(rows->rows[0]);
    return found;
  }

  Result<std::vector<RangeRecord>, Error> ranges(std::string_view scope,
                                                 std::size_t count_max) override {
    if (auto fault = fault_of_name(scope)) return Failure{*fault};
    auto connection = lend();
    if (!connection) return Failure{connection.error()};
    const auto state = find_by(**connection, scope);
    if (!state) return Failure{state.error()};
    const auto count = static_cast<std::int64_t>(std::min<std::size_t>(count_max, INT32_MAX));
    const auto rows = (*connection)->query(dialect_.ranges, {std::string(scope), count});
    if (!rows) return Failure{error_of(rows.error(), dialect_.engine, At::reading)};
    std::vector<RangeRecord> records;
    for (const auto& row : rows->rows) records.push_back(record_of(row));
    return records;
  }

 private:
  static void give_time(Connection& connection, SteadyClock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    connection.set_timeout(std::max(left, std::chrono::milliseconds(1)));
  }

  Result<db::Pool::Handle, Error> lend() {
    const auto deadline = SteadyClock::now() + options_.connect_timeout;
    auto connection = pool_.lend(deadline);
    if (connection) give_time(**connection, deadline);
    return connection;
  }

  Result<ScopeState, Error> find_by(Connection& connection, std::string_view scope) {
    const auto rows = connection.query(dialect_.find, {std::string(scope)});
    if (!rows) return Failure{error_of(rows.error(), dialect_.engine, At::reading)};
    if (rows->empty()) return Failure{no_scope(scope)};
    return state_of(rows->rows[0]);
  }

  // What was read is told only when it cannot be lost any more. See Dialect::confirm.
  std::optional<Broken> confirm(Connection& connection, std::string_view scope) {
    if (dialect_.confirm.empty()) return std::nullopt;
    const auto written = connection.query(dialect_.confirm, {std::string(scope)});
    if (!written) return Broken{written.error(), At::commit};
    if (written->affected == 1) return std::nullopt;
    return Broken{{DbError::Kind::failed, "the row of the scope is gone", "", 0}, At::commit};
  }

  Drawn draw_once(Connection& connection, const DrawRequest& request) {
    if (options_.portable_statements) return draw_in_steps(connection, request);
    switch (dialect_.engine) {
      case Engine::sqlite: return draw_in_file(connection, request);
      case Engine::postgres: return draw_by_statement(connection, request);
      case Engine::mariadb: break;
    }
    return draw_by_packet(connection, request);
  }

  // PostgreSQL: the statement is its own transaction.
  Drawn draw_by_statement(Connection& connection, const DrawRequest& request) {
    const auto rows = connection.query(
        dialect_.draw, {std::string(request.scope), key_value(request.key),
                        static_cast<std::int64_t>(request.count), std::string(request.holder)});
    if (!rows) return broken(rows.error(), At::commit);
    if (rows->empty()) return std::optional<Draw>();
    return std::optional(draw_of(rows->rows[0], number_of(rows->rows[0][4]) == 1));
  }

  // MariaDB: the answer counts when that of COMMIT, the last one, has come.
  Drawn draw_by_packet(Connection& connection, const DrawRequest& request) {
    Transaction transaction(connection);
    transaction.is_open();
    const auto count = static_cast<std::int64_t>(request.count);
    const auto answers =
        connection.batch(draw_packet(dialect_, request.scope, count, request.holder, request.key));
    if (!answers) return broken(answers.error(), At::commit);
    const bool has_key = !request.key.empty();
    const std::size_t insert = has_key ? 3 : 2;
    if (answers->size() != insert + 3) {
      return broken({DbError::Kind::failed, "an answer too many or too few", "", 0}, At::commit);
    }
    transaction.is_closed();
    if (has_key && !(*answers)[2].empty()) {
      return std::optional(draw_of((*answers)[2].rows[0], true));
    }
    const auto& locked = (*answers)[1];
    if (locked.empty() || (*answers)[insert].affected != 1) return std::optional<Draw>();
    if ((*answers)[insert + 1].affected != 1) {
      return broken({DbError::Kind::failed, "a line in the log without its range", "", 0},
                    At::commit);
    }
    const auto& row = locked.rows[0];
    const std::int64_t max_id = number_of(row[0]);
    return std::optional(Draw{segment_of(max_id + 1, max_id + count), number_of(row[2]),
                              number_of(row[3]) + 1, false});
  }

  // SQLite: the lock is that of the file.
  Drawn draw_in_file(Connection& connection, const DrawRequest& request) {
    Transaction transaction(connection);
    if (auto error = transaction.begin(dialect_.begin)) return Failure{*error};
    const std::string scope(request.scope);
    if (!request.key.empty()) {
      const auto prior = connection.query(dialect_.prior, {scope, key_value(request.key)});
      if (!prior) return broken(prior.error(), At::before_commit);
      if (!prior->empty()) return std::optional(draw_of(prior->rows[0], true));
    }
    const auto count = static_cast<std::int64_t>(request.count);
    const auto moved = connection.query(dialect_.draw, {count, scope, count});
    if (!moved) return broken(moved.error(), At::before_commit);
    if (moved->empty()) return std::optional<Draw>();
    const auto& row = moved->rows[0];
    const std::int64_t last = number_of(row[2]);
    return log_and_commit(
        connection, transaction, request,
        {segment_of(last - count + 1, last), number_of(row[1]), number_of(row[0]), false});
  }

  // All of them: the statements that every database has.
  Drawn draw_in_steps(Connection& connection, const DrawRequest& request) {
    Transaction transaction(connection);
    if (auto error = transaction.begin(dialect_.begin)) return Failure{*error};
    const std::string scope(request.scope);
    const auto locked = connection.query(dialect_.lock, {scope});
    if (!locked) return broken(locked.error(), At::before_commit);
    if (locked->empty()) return std::optional<Draw>();
    if (!request.key.empty()) {
      const auto prior = connection.query(dialect_.prior, {scope, key_value(request.key)});
      if (!prior) return broken(prior.error(), At::before_commit);
      if (!prior->empty()) {
        // PostgreSQL: the lock makes the commit wait for a synchronous standby, which may not
        // have it yet.
        if (auto error = transaction.commit()) return Failure{*error};
        return std::optional(draw_of(prior->rows[0], true));
      }
    }
    const auto& row = locked->rows[0];
    const std::int64_t max_id = number_of(row[0]);
    const auto count = static_cast<std::int64_t>(request.count);
    if (max_id > number_of(row[1]) - count) return std::optional<Draw>();
    const std::int64_t number = number_of(row[3]) + 1;
    const auto moved = connection.query(dialect_.update, {max_id + count, number, scope});
    if (!moved) return broken(moved.error(), At::before_commit);
    return log_and_commit(
        connection, transaction, request,
        {segment_of(max_id + 1, max_id + count), number_of(row[2]), number, false});
  }

  Drawn log_and_commit(Connection& connection, Transaction& transaction, const DrawRequest& request,
                       const Draw& made) {
    const auto logged =
        connection.query(dialect_.log, {std::string(request.scope), made.number, made.epoch,
                                        static_cast<std::int64_t>(made.segment.first),
                                        static_cast<std::int64_t>(made.segment.end - 1),
                                        std::string(request.holder), key_value(request.key)});
    if (!logged) return broken(logged.error(), At::before_commit);
    if (auto error = transaction.commit()) return Failure{*error};
    return std::optional(made);
  }

  const db::Url url_;
  const OpenOptions options_;
  const Dialect dialect_;
  db::Pool pool_;
  SqlLeaseStore leases_;
};

Engine engine_of(const db::Url& url) noexcept {
  switch (url.scheme) {
    case db::Url::Scheme::postgres: return Engine::postgres;
    case db::Url::Scheme::mariadb: return Engine::mariadb;
    case db::Url::Scheme::memory:
    case db::Url::Scheme::etcd:
    case db::Url::Scheme::etcds:
    case db::Url::Scheme::sqlite: break;
  }
  return Engine::sqlite;
}

}  // namespace

Result<std::unique_ptr<Connection>, Error> open_checked(const db::Url& url,
                                                        const OpenOptions& options,
                                                        std::chrono::milliseconds timeout,
                                                        bool create) {
  const Engine engine = engine_of(url);
  if (engine == Engine::sqlite && !create && access(url.path.c_str(), F_OK) != 0) {
    return Failure{Error{Error::Code::store_schema, "there is no file " + quoted(url.path),
                         "Make it first: init_store, or tessera store init."}};
  }
  auto made = db::connect(url, {timeout, create});
  if (!made) return Failure{error_of(made.error(), engine, At::reading)};
  if (auto error = prepare_session(**made)) return Failure{*error};
  const auto settings =
      read_settings(**made, url, make_dialect(engine, options.table), options.registry_table);
  if (!settings) return Failure{settings.error()};
  if (auto fault = fault_of(*settings); fault && !options.accept_duplicate_risk) {
    return Failure{*fault};
  }
  return std::move(*made);
}

Result<std::unique_ptr<Store>, Error> open_sql_store(const db::Url& url,
                                                     const OpenOptions& options) {
  auto store =
      std::make_unique<SqlStore>(url, options, make_dialect(engine_of(url), options.table));
  if (auto error = store->check_schema()) return Failure{*error};
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace tessera
