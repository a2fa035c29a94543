// Creates, finds, lists.

#include "store/registry_store.h"

#include <algorithm>
#include <array>

#include "store/registry_attempts.h"
#include "store/requests.h"

namespace tessera {

using db::Connection;
using db::DbError;
using db::Engine;
using db::Value;

Value bytes_of(const IdBody& body) {
  return db::Bytes{std::string(reinterpret_cast<const char*>(body.data()), body.size())};
}

IdBody body_of(const Value& bytes) {
  const auto* held = std::get_if<db::Bytes>(&bytes);
  IdBody body{};
  if (held != nullptr && held->bytes.size() == body.size()) {
    std::copy_n(held->bytes.begin(), body.size(), body.begin());
  }
  return body;
}

Value value_of(const RegisteredType& type, const IdBody& body) {
  switch (type.declared.storage) {
    case RegistryType::Storage::text: return type.stored_text_of(body);
    case RegistryType::Storage::bytes: return bytes_of(body);
    case RegistryType::Storage::integer: break;
  }
  return static_cast<std::int64_t>(detail::load_pair(body).lo);
}

IdBody body_of(const RegisteredType& type, const Value& value) {
  switch (type.declared.storage) {
    case RegistryType::Storage::text: return type.parse_stored(text_of(value)).value_or({});
    case RegistryType::Storage::bytes: return body_of(value);
    case RegistryType::Storage::integer: break;
  }
  return detail::store_pair({0, static_cast<std::uint64_t>(number_of(value))});
}

namespace {

constexpr std::size_t kEntrySize = 24;  // of an entry in the answer of a key

Value answer_of(std::span<const NewEntry> entries) {
  std::string bytes(entries.size() * kEntrySize, '\0');
  auto* out = reinterpret_cast<std::uint8_t*>(bytes.data());
  for (const auto& entry : entries) {
    detail::store_be<8>(out, static_cast<std::uint64_t>(entry.key));
    std::copy(entry.body.begin(), entry.body.end(), out + 8);
    out += kEntrySize;
  }
  return db::Bytes{bytes};
}

std::vector<NewEntry> entries_of(const std::string& bytes) {
  std::vector<NewEntry> entries(bytes.size() / kEntrySize);
  const auto* in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (auto& entry : entries) {
    entry.key = static_cast<std::int64_t>(detail::load_be<8>(in));
    std::copy_n(in + 8, entry.body.size(), entry.body.begin());
    in += kEntrySize;
  }
  return entries;
}

// Tenant and ID of the parent, then the IDs of those above it.
void add_chain(std::vector<Value>& parameters, const RegisteredType& type, std::string_view tenant,
               std::span<const IdBody> ancestors) {
  const RegisteredType* at = type.parent;
  for (std::size_t i = 0; i < ancestors.size(); ++i, at = at->parent) {
    if (i == 0) parameters.emplace_back(std::string(tenant));
    parameters.push_back(value_of(*at, ancestors[i]));
  }
}

std::optional<Error> fault_of_clock(const CreateRequest& request, std::int64_t now_ms) {
  if (now_ms >= request.store_ms_min && now_ms <= request.store_ms_max) return std::nullopt;
  const std::int64_t middle =
      request.store_ms_min + (request.store_ms_max - request.store_ms_min) / 2;
  return Error{Error::Code::store_unavailable,
               "the clock of the store is " + std::to_string(now_ms - middle) +
                   " ms away from the time in the ID",
               "Set the clocks of both machines by NTP; nothing was done."};
}

Error no_parent(const RegisteredType& type) {
  return Error{Error::Code::not_found,
               "there is no such " + quoted(type.parent->name()) + " to create a " +
                   quoted(type.name()) + " in",
               "It was never issued, or has ended, or belongs to another tenant."};
}

Error other_request(std::string_view key) {
  return Error{Error::Code::key_reused,
               "idempotency key " + quoted(key) + " belongs to another request",
               "A key is for one request; take a new one."};
}

std::string begin_of(Engine engine) {
  switch (engine) {
    case Engine::sqlite: return "BEGIN IMMEDIATE";
    case Engine::postgres: return "BEGIN";
    case Engine::mariadb: break;
  }
  return "START TRANSACTION";
}

std::uint64_t time_of(const Value& value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_of(value)));
}

}  // namespace

SqlRegistryStore::SqlRegistryStore(db::Pool& pool, RegistryNames names, const RegistryTypes& types,
                                   Options options)
    : pool_(pool),
      names_(std::move(names)),
      types_(types),
      options_(options),
      begin_(begin_of(names_.engine)),
      work_sql_(make_registry_work_sql(names_, types)) {
  for (const auto& type : types.all()) sql_.push_back(make_registry_sql(names_, *type));
}

Result<CreateAnswer, Error> SqlRegistryStore::create(const CreateRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*fault};
  const bool has_key = !request.idempotency_key.empty();
  const bool at_once = request.entries.size() == 1 && !options_.portable_statements;
  // A twin with the same key may be faster: then the next attempt finds its answer.
  return in_attempts<CreateAnswer>(request.timeout, has_key, [&](Connection& connection) {
    if (at_once && !has_key) return create_at_once(connection, request);
    if (at_once && names_.engine == Engine::postgres) return create_keyed(connection, request);
    return create_in_steps(connection, request);
  });
}

auto SqlRegistryStore::create_at_once(Connection& connection, const CreateRequest& request)
    -> Attempt<CreateAnswer> {
  const NewEntry& entry = request.entries[0];
  Parameters parameters = {entry.key, std::string(request.tenant),
                           value_of(request.type, entry.body), request.store_ms_min,
                           request.store_ms_max};
  add_chain(parameters, request.type, request.tenant, request.ancestors);
  if (request.type.is_exact()) {
    parameters.push_back(bytes_of(request.type.tombstone_of(request.tenant, entry.body)));
  }
  const auto made = connection.query(sql(request.type).create, parameters);
  if (!made) return stop(made.error(), At::commit);
  if (made->affected == 1) return CreateAnswer{{entry}, false};
  return Failure{why_not(connection, request)};
}

auto SqlRegistryStore::create_keyed(Connection& connection, const CreateRequest& request)
    -> Attempt<CreateAnswer> {
  const NewEntry& entry = request.entries[0];
  const std::string tenant(request.tenant);
  const std::string key(request.idempotency_key);
  Parameters parameters = {tenant, key};
  add_chain(parameters, request.type, request.tenant, request.ancestors);
  for (Value& value : Parameters{tenant, key, bytes_of(request.digest), answer_of(request.entries),
                                 request.store_ms_min, request.store_ms_max}) {
    parameters.push_back(std::move(value));
  }
  if (request.type.is_exact()) {
    parameters.push_back(bytes_of(request.type.tombstone_of(tenant, entry.body)));
  }
  for (Value& value : Parameters{entry.key, tenant, value_of(request.type, entry.body)}) {
    parameters.push_back(std::move(value));
  }
  const auto made = connection.query(sql(request.type).create_keyed, parameters);
  if (!made) return stop(made.error(), At::commit);
  if (made->empty()) return create_in_steps(connection, request);
  const auto& row = made->rows[0];
  if (number_of(row[0]) == 1) return CreateAnswer{{entry}, false};
  if (body_of(row[1]) != request.digest) return refuse(other_request(key));
  return CreateAnswer{entries_of(tessera::text_of(row[2])), true};
}

// After a statement that made nothing.
auto SqlRegistryStore::why_not(Connection& connection, const CreateRequest& request) -> Stop {
  const auto now = connection.query(sql(request.type).gate);
  if (!now) return {std::nullopt, {now.error(), At::reading}};
  if (now->empty()) {
    return {Error{Error::Code::store_schema, "the store has no type " + quoted(request.type.name()),
                  "Make its tables first."},
            {}};
  }
  if (auto fault = fault_of_clock(request, number_of(now->rows[0][0]))) return {*fault, {}};
  for (const auto& entry : request.entries) {
    const auto gone =
        connection.query(sql(request.type).was_erased,
                         {bytes_of(request.type.tombstone_of(request.tenant, entry.body))});
    if (gone && !gone->empty()) {
      return {std::nullopt, {{DbError::Kind::unique, "it was erased", "", 0}, At::reading}};
    }
  }
  if (request.type.parent != nullptr) return {no_parent(request.type), {}};
  return {std::nullopt, {{DbError::Kind::conflict, "the clock moved", "", 0}, At::reading}};
}

auto SqlRegistryStore::create_in_steps(Connection& connection, const CreateRequest& request)
    -> Attempt<CreateAnswer> {
  Transaction transaction(connection);
  const auto now = begin_at_gate(connection, transaction, request.type);
  if (!now) return Failure{now.error()};
  if (now->empty()) return Failure{why_not(connection, request)};
  const std::int64_t now_ms = number_of(now->rows[0][0]);
  if (!request.idempotency_key.empty()) {
    auto prior = use_key(connection, request, now_ms);
    if (!prior) return Failure{prior.error()};
    if (*prior) return std::move(**prior);
  }
  if (auto fault = fault_of_clock(request, now_ms)) return refuse(*fault);
  Value parent;
  if (request.type.parent != nullptr) {
    const auto found = lock_chain(connection, request.type, request.tenant, request.ancestors);
    if (!found) return Failure{found.error()};
    if (!*found) return refuse(no_parent(request.type));
    parent = **found;
  }
  if (auto error = insert(connection, request, now_ms, parent)) return Failure{*error};
  if (auto error = transaction.commit()) return stop(*error);
  return CreateAnswer{{request.entries.begin(), request.entries.end()}, false};
}

// The clock, read behind the gate. A server begins and answers in one round trip.
auto SqlRegistryStore::begin_at_gate(Connection& connection, Transaction& transaction,
                                     const RegisteredType& type) -> Attempt<db::Rows> {
  if (names_.engine == Engine::sqlite) {
    if (auto error = transaction.begin(begin())) return stop(*error);
    auto now = connection.query(sql(type).gate);
    if (!now) return stop(now.error(), At::before_commit);
    return std::move(*now);
  }
  transaction.is_open();
  auto answers = connection.batch(begin() + ";" + sql(type).gate);
  if (!answers) return stop(answers.error(), At::before_commit);
  return std::move(answers->back());
}

// The answer of the first call with this key; or nothing, and the key is taken.
auto SqlRegistryStore::use_key(Connection& connection, const CreateRequest& request,
                               std::int64_t now_ms) -> Attempt<std::optional<CreateAnswer>> {
  const RegistrySql& statements = sql(request.type);
  const std::string tenant(request.tenant);
  const std::string key(request.idempotency_key);
  const Value digest = bytes_of(request.digest);
  const Value answer = answer_of(request.entries);
  const std::int64_t expires_ms = now_ms + request.type.declared.key_time.count();
  while (true) {
    // A twin that is under way is waited for here.
    const auto taken =
        connection.query(statements.insert_key, {tenant, key, digest, answer, expires_ms});
    if (!taken) return stop(taken.error(), At::before_commit);
    if (taken->affected == 1) return std::optional<CreateAnswer>();
    const auto found = connection.query(statements.find_key, {tenant, key});
    if (!found) return stop(found.error(), At::before_commit);
    if (found->empty()) continue;  // it was just taken away
    const auto& row = found->rows[0];
    if (number_of(row[2]) > now_ms) {
      if (body_of(row[0]) != request.digest) return refuse(other_request(key));
      return std::optional(CreateAnswer{entries_of(tessera::text_of(row[1])), true});
    }
    const auto dropped = connection.query(statements.drop_key, {tenant, key});
    if (!dropped) return stop(dropped.error(), At::before_commit);
  }
}

auto SqlRegistryStore::lock_chain(Connection& connection, const RegisteredType& type,
                                  std::string_view tenant, std::span<const IdBody> ancestors)
    -> Attempt<std::optional<std::int64_t>> {
  Parameters parameters;
  add_chain(parameters, type, tenant, ancestors);
  const auto found = connection.query(sql(type).chain, parameters);
  if (!found) return stop(found.error(), At::before_commit);
  if (found->empty()) return std::optional<std::int64_t>();
  return std::optional(number_of(found->rows[0][0]));
}

auto SqlRegistryStore::insert(Connection& connection, const CreateRequest& request,
                              std::int64_t now_ms, const Value& parent) -> std::optional<Stop> {
  const RegisteredType& type = request.type;
  const std::string tenant(request.tenant);
  // Where the time in an ID is younger than any erased one can be, there is nothing to look for.
  const bool too_young = type.has_time() && type.declared.erase_after.count() >=
                                                request.store_ms_max - request.store_ms_min;
  if (type.is_exact() && !too_young) {
    for (const auto& entry : request.entries) {
      const auto gone =
          connection.query(sql(type).was_erased, {bytes_of(type.tombstone_of(tenant, entry.body))});
      if (!gone) return Stop{std::nullopt, {gone.error(), At::before_commit}};
      if (!gone->empty()) {
        return Stop{std::nullopt, {{DbError::Kind::unique, "it was erased", "", 0}, At::reading}};
      }
    }
  }
  // A few sizes only: every one is a statement that the server has to prepare.
  constexpr std::array<std::size_t, 3> kSizes = {256, 16, 1};
  auto rest = request.entries;
  for (const std::size_t size : kSizes) {
    while (rest.size() >= size) {
      Parameters parameters;
      parameters.reserve(5 * size);
      for (const auto& entry : rest.first(size)) {
        parameters.emplace_back(entry.key);
        parameters.emplace_back(tenant);
        parameters.push_back(value_of(type, entry.body));
        parameters.emplace_back(now_ms);
        parameters.push_back(parent);
      }
      const auto made = connection.query(sql(type).insert_of(size), parameters);
      if (!made) return Stop{std::nullopt, {made.error(), At::before_commit}};
      rest = rest.subspan(size);
    }
  }
  return std::nullopt;
}

Result<Issued, Error> SqlRegistryStore::find(const IssuedId& id) {
  return in_attempts<Issued>(options_.timeout, false,
                             [&](Connection& connection) { return find_by(connection, id); });
}

auto SqlRegistryStore::find_by(Connection& connection, const IssuedId& id) -> Attempt<Issued> {
  constexpr std::int64_t kErased = 3;
  const bool exact = id.type.is_exact();
  const std::array<Value, 3> parameters = {
      std::string(id.tenant), value_of(id.type, id.body),
      exact ? bytes_of(id.type.tombstone_of(id.tenant, id.body)) : Value()};
  const auto found =
      connection.query(sql(id.type).find, std::span(parameters).first(exact ? 3 : 2));
  if (!found) return stop(found.error(), At::reading);
  Issued issued;
  issued.body = id.body;
  if (found->empty()) return issued;
  const auto& row = found->rows[0];
  issued.state = Issued::State::deleted;
  if (number_of(row[1]) == kErased) return issued;
  issued.key = number_of(row[0]);
  issued.created_ms = time_of(row[2]);
  bool live = number_of(row[1]) == 0;
  std::optional<std::uint64_t> deleted_ms;
  if (!live) deleted_ms = time_of(row[3]);
  bool whole = true;
  std::size_t column = 4;
  for (const auto* at = id.type.parent; at != nullptr; at = at->parent, column += 3) {
    if (db::is_null(row[column])) {  // an ancestor that was erased
      live = whole = false;
      continue;
    }
    issued.ancestors.push_back(body_of(*at, row[column]));
    if (number_of(row[column + 1]) == 0) continue;
    live = false;
    const std::uint64_t ended_ms = time_of(row[column + 2]);
    deleted_ms = std::min(deleted_ms.value_or(ended_ms), ended_ms);
  }
  if (!whole) issued.ancestors.clear();
  if (live) {
    issued.state = Issued::State::live;
  } else if (!id.type.is_exact()) {
    issued.deleted_ms = deleted_ms;
  }
  return issued;
}

Result<std::vector<Issued>, Error> SqlRegistryStore::list(const ListRequest& request) {
  using List = std::vector<Issued>;
  const RegisteredType& type = request.type;
  return in_attempts<List>(options_.timeout, false, [&](Connection& connection) -> Attempt<List> {
    const RegistrySql& statements = sql(type);
    const bool of_parent = !request.ancestors.empty();
    Parameters parameters;
    if (of_parent) {
      const auto parent = find_by(connection, {*type.parent, request.tenant, request.ancestors[0]});
      if (!parent) return Failure{parent.error()};
      if (parent->state != Issued::State::live ||
          !std::ranges::equal(parent->ancestors, request.ancestors.subspan(1))) {
        return refuse(no_parent(type));
      }
      parameters.emplace_back(parent->key);
    } else {
      parameters.emplace_back(std::string(request.tenant));
    }
    if (request.after) parameters.push_back(value_of(type, *request.after));
    parameters.emplace_back(static_cast<std::int64_t>(request.count_max));
    const auto rows =
        connection.query(of_parent ? (request.after ? statements.list_of_after : statements.list_of)
                                   : (request.after ? statements.list_after : statements.list),
                         parameters);
    if (!rows) return stop(rows.error(), At::reading);
    List list;
    for (const auto& row : rows->rows) {
      Issued issued;
      issued.state = Issued::State::live;
      issued.key = number_of(row[0]);
      issued.body = body_of(type, row[1]);
      issued.created_ms = time_of(row[2]);
      std::size_t column = 3;
      for (const auto* at = type.parent; at != nullptr; at = at->parent) {
        issued.ancestors.push_back(body_of(*at, row[column++]));
      }
      list.push_back(std::move(issued));
    }
    return list;
  });
}

}  // namespace tessera
