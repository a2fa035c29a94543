// Retires, brings back, sweeps; and what the filter in front asks for.
//
// A row is live, deleted (it can be brought back), or ended (never again). Retiring changes one row
// only: everything below it is deleted from that moment on, because every look-up asks for the
// ancestors too. Sweeping then ends the children, row by row, so that their ancestors are needed
// no more; what is left to do stands in the table of work, and is found there after a crash.

#include <algorithm>

#include "store/registry_attempts.h"
#include "store/registry_store.h"

namespace tessera {

using db::Connection;
using db::Engine;
using db::Value;

namespace {

constexpr std::int64_t kDeleted = 1;
constexpr std::int64_t kEnded = 2;

bool needs_work(const RegisteredType& type) { return type.is_exact() || !type.children.empty(); }

// From its end until there is something to do.
std::int64_t rest_ms(const RegisteredType& type) {
  if (!type.children.empty()) return type.declared.undelete.count();
  return type.declared.erase_after.count();
}

}  // namespace

Result<Issued, Error> SqlRegistryStore::retire(const IssuedId& id) {
  return in_attempts<Issued>(options_.timeout, false, [&](Connection& connection) {
    const auto marked = mark_retired(connection, id);
    if (!marked) return Attempt<Issued>(Failure{marked.error()});
    return *marked ? find_by(connection, id) : find_confirmed(connection, id);
  });
}

auto SqlRegistryStore::find_confirmed(Connection& connection, const IssuedId& id)
    -> Attempt<Issued> {
  auto found = find_by(connection, id);
  if (!found || found->state == Issued::State::never) return found;
  const RegistrySql& statements = sql(id.type);
  if (!statements.confirm.empty()) {
    const auto locked =
        connection.query(statements.confirm, {std::string(id.tenant), value_of(id.type, id.body)});
    if (!locked) return stop(locked.error(), At::commit);
  }
  if (!statements.confirm_by.empty()) {
    const Value bytes = bytes_of(id.type.tombstone_of(id.tenant, id.body));
    Transaction transaction(connection);
    if (auto error = transaction.begin(begin())) return stop(*error);
    for (const std::string& statement : {statements.confirm_by, statements.confirm_end}) {
      const auto written = connection.query(statement, {bytes});
      if (!written) return stop(written.error(), At::before_commit);
    }
    if (auto error = transaction.commit()) return stop(*error);
  }
  return found;
}

auto SqlRegistryStore::mark_retired(Connection& connection, const IssuedId& id) -> Attempt<bool> {
  const RegistrySql& statements = sql(id.type);
  const std::string tenant(id.tenant);
  const Value body = value_of(id.type, id.body);
  const std::int64_t state = id.type.declared.undelete.count() > 0 ? kDeleted : kEnded;
  if (!needs_work(id.type)) {
    const auto done = connection.query(statements.retire, {state, tenant, body});
    if (!done) return stop(done.error(), At::commit);
    return done->affected == 1;
  }
  Transaction transaction(connection);
  if (auto error = transaction.begin(begin())) return stop(*error);
  const auto done = connection.query(statements.retire, {state, tenant, body});
  if (!done) return stop(done.error(), At::before_commit);
  if (done->affected == 0) return false;
  const auto noted = connection.query(statements.retire_work, {rest_ms(id.type), tenant, body});
  if (!noted) return stop(noted.error(), At::before_commit);
  if (auto error = transaction.commit()) return stop(*error);
  return true;
}

Result<Issued, Error> SqlRegistryStore::undelete(const IssuedId& id) {
  return in_attempts<Issued>(options_.timeout, false, [&](Connection& connection) {
    const auto marked = mark_undeleted(connection, id);
    if (!marked) return Attempt<Issued>(Failure{marked.error()});
    return *marked ? find_by(connection, id) : find_confirmed(connection, id);
  });
}

auto SqlRegistryStore::mark_undeleted(Connection& connection, const IssuedId& id) -> Attempt<bool> {
  const std::int64_t grace_ms = id.type.declared.undelete.count();
  if (grace_ms == 0) return false;
  const auto known = find_by(connection, id);
  if (!known) return Failure{known.error()};
  if (known->state != Issued::State::deleted) return false;
  Transaction transaction(connection);
  if (auto error = transaction.begin(begin())) return stop(*error);
  if (id.type.parent != nullptr) {
    if (known->ancestors.empty()) return false;
    const auto parent = lock_chain(connection, id.type, id.tenant, known->ancestors);
    if (!parent) return Failure{parent.error()};
    if (!*parent) return false;
  }
  const std::string tenant(id.tenant);
  const Value body = value_of(id.type, id.body);
  const auto done = connection.query(sql(id.type).undelete, {tenant, body, grace_ms});
  if (!done) return stop(done.error(), At::before_commit);
  if (done->affected == 0) return false;
  const auto forgotten = connection.query(sql(id.type).forget_work, {tenant, body});
  if (!forgotten) return stop(forgotten.error(), At::before_commit);
  if (auto error = transaction.commit()) return stop(*error);
  return true;
}

Result<Sweep, Error> SqlRegistryStore::sweep(std::size_t count_max) {
  const std::size_t count = std::clamp<std::size_t>(count_max, 1, 10'000);
  return in_attempts<Sweep>(options_.timeout, false,
                            [&](Connection& connection) { return sweep_once(connection, count); });
}

auto SqlRegistryStore::sweep_once(Connection& connection, std::size_t count_max) -> Attempt<Sweep> {
  Transaction transaction(connection);
  if (auto error = transaction.begin(begin())) return stop(*error);
  const auto due = connection.query(work_sql_.due);
  if (!due) return stop(due.error(), At::before_commit);
  Sweep sweep;
  if (due->empty()) {
    const auto stale = drop_stale_keys(connection, count_max);
    if (!stale) return Failure{stale.error()};
    sweep.more = *stale;
  } else {
    const auto& work = due->rows[0];
    const RegisteredType& type = *types_.find_by_prefix(tessera::text_of(work[0]));
    const std::int64_t key = number_of(work[1]);
    const auto ended = connection.query(sql(type).end_grace, {key});
    if (!ended) return stop(ended.error(), At::before_commit);
    const auto state = connection.query(sql(type).state, {key});
    if (!state) return stop(state.error(), At::before_commit);
    std::size_t children = 0;
    const bool there = !state->empty() && number_of(state->rows[0][0]) == kEnded;
    if (there) {
      const auto count =
          end_children(connection, type, key, number_of(state->rows[0][1]), count_max);
      if (!count) return Failure{count.error()};
      children = *count;
    }
    sweep.ended = children;
    if (!there) {
      const auto dropped = connection.query(sql(type).drop_work, {key});
      if (!dropped) return stop(dropped.error(), At::before_commit);
    } else if (children < count_max) {
      const auto finished = finish_work(connection, type, key, state->rows[0], number_of(work[2]));
      if (!finished) return Failure{finished.error()};
      sweep.ended += finished->ended;
      sweep.damaged += finished->damaged;
    }
  }
  const auto more = connection.query(work_sql_.any_due);
  if (!more) return stop(more.error(), At::before_commit);
  sweep.more = sweep.more || !more->empty();
  if (auto error = transaction.commit()) return stop(*error);
  return sweep;
}

// How many children have ended; fewer than `count_max`, if there are no more.
auto SqlRegistryStore::end_children(Connection& connection, const RegisteredType& type,
                                    std::int64_t key, std::int64_t deleted_ms,
                                    std::size_t count_max) -> Attempt<std::size_t> {
  std::size_t count = 0;
  for (const RegisteredType* child : type.children) {
    const auto rows =
        connection.query(sql(*child).children, {key, static_cast<std::int64_t>(count_max - count)});
    if (!rows) return stop(rows.error(), At::before_commit);
    for (const auto& row : rows->rows) {
      const auto ended = connection.query(sql(*child).end_child, {deleted_ms, row[0]});
      if (!ended) return stop(ended.error(), At::before_commit);
      if (ended->affected == 1 && needs_work(*child)) {
        const std::int64_t rest = child->children.empty() ? rest_ms(*child) : 0;
        const auto noted = connection.query(sql(*child).add_work, {row[0], deleted_ms + rest});
        if (!noted) return stop(noted.error(), At::before_commit);
      }
    }
    count += rows->rows.size();
    if (count == count_max) break;
  }
  return count;
}

// There are no more children. `row` is state, deleted_ms, tenant_id, public_id. What cannot be read
// is not erased, since its tombstone would be a wrong one; it must not hold up all others either.
auto SqlRegistryStore::finish_work(Connection& connection, const RegisteredType& type,
                                   std::int64_t key, const std::vector<Value>& row,
                                   std::int64_t now_ms) -> Attempt<Sweep> {
  constexpr std::int64_t kDayMs = 86'400'000;
  const RegistrySql& statements = sql(type);
  Sweep done;
  if (type.is_exact()) {
    const std::int64_t due_ms = number_of(row[1]) + type.declared.erase_after.count();
    const auto body = body_of(type, row[3]);
    if (due_ms > now_ms || !body) {
      const std::int64_t later_ms = std::max(due_ms, now_ms + kDayMs);
      const auto deferred =
          connection.query(statements.defer_work, {body ? due_ms : later_ms, key});
      if (!deferred) return stop(deferred.error(), At::before_commit);
      done.damaged = body ? 0 : 1;
      return done;
    }
    const IdBody tombstone = type.tombstone_of(tessera::text_of(row[2]), *body);
    const auto buried = connection.query(statements.bury, {bytes_of(tombstone)});
    if (!buried) return stop(buried.error(), At::before_commit);
    const auto erased = connection.query(statements.erase, {key});
    if (!erased) return stop(erased.error(), At::before_commit);
    done.ended = 1;
  }
  const auto dropped = connection.query(statements.drop_work, {key});
  if (!dropped) return stop(dropped.error(), At::before_commit);
  return done;
}

auto SqlRegistryStore::drop_stale_keys(Connection& connection, std::size_t count_max)
    -> Attempt<bool> {
  const auto stale = connection.query(work_sql_.stale_keys, {static_cast<std::int64_t>(count_max)});
  if (!stale) return stop(stale.error(), At::before_commit);
  for (const auto& row : stale->rows) {
    const auto dropped = connection.query(work_sql_.drop_stale, {row[0], row[1], row[2]});
    if (!dropped) return stop(dropped.error(), At::before_commit);
  }
  return stale->rows.size() == count_max;
}

Result<Barrier, Error> SqlRegistryStore::barrier(const RegisteredType& type) {
  return in_attempts<Barrier>(options_.timeout, false,
                              [&](Connection& connection) { return barrier_by(connection, type); });
}

auto SqlRegistryStore::barrier_by(Connection& connection, const RegisteredType& type)
    -> Attempt<Barrier> {
  Transaction transaction(connection);
  if (names_.engine == Engine::sqlite) {
    if (auto error = transaction.begin(begin())) return stop(*error);
  }
  const auto rows = connection.query(sql(type).barrier);
  if (!rows) return stop(rows.error(), At::reading);
  if (rows->empty()) {
    return refuse(Error{Error::Code::store_schema, "the store has no type '" + type.name() + "'",
                        "Make its tables first."});
  }
  return Barrier{number_of(rows->rows[0][0]), number_of(rows->rows[0][1])};
}

Result<Barrier, Error> SqlRegistryStore::new_epoch(const RegisteredType& type) {
  return in_attempts<Barrier>(options_.timeout, false,
                              [&](Connection& connection) -> Attempt<Barrier> {
                                const auto done = connection.query(sql(type).new_epoch);
                                if (!done) return stop(done.error(), At::commit);
                                return barrier_by(connection, type);
                              });
}

Result<IssuedPage, Error> SqlRegistryStore::issued(const RegisteredType& type,
                                                   std::int64_t created_ms, std::int64_t key,
                                                   std::size_t count_max) {
  return in_attempts<IssuedPage>(
      options_.timeout, false, [&](Connection& connection) -> Attempt<IssuedPage> {
        const auto rows = connection.query(
            sql(type).issued, {created_ms, created_ms, key, static_cast<std::int64_t>(count_max)});
        if (!rows) return stop(rows.error(), At::reading);
        IssuedPage page{{}, created_ms, key, rows->rows.size() == count_max};
        for (const auto& row : rows->rows) {
          page.created_ms = number_of(row[0]);
          page.key = number_of(row[1]);
          const auto body = body_of(type, row[3]);
          if (!body) return refuse(is_damaged(type));
          page.filter_keys.push_back(type.filter_key_of(tessera::text_of(row[2]), *body));
        }
        return page;
      });
}

Result<std::vector<IdBody>, Error> SqlRegistryStore::erased(const RegisteredType& type,
                                                            const IdBody& after,
                                                            std::size_t count_max) {
  using List = std::vector<IdBody>;
  return in_attempts<List>(options_.timeout, false, [&](Connection& connection) -> Attempt<List> {
    const auto rows =
        connection.query(sql(type).erased, {bytes_of(after), static_cast<std::int64_t>(count_max)});
    if (!rows) return stop(rows.error(), At::reading);
    List list;
    for (const auto& row : rows->rows) {
      const auto tombstone = body_of(row[0]);
      if (!tombstone) return refuse(is_damaged(type));
      list.push_back(*tombstone);
    }
    return list;
  });
}

}  // namespace tessera
