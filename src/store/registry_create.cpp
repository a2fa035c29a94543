// Creates: in one statement or packet where the store can, in steps where it cannot.

#include <algorithm>
#include <array>

#include "db/literals.h"
#include "store/registry_attempts.h"
#include "store/requests.h"

namespace tessera {

using db::Connection;
using db::DbError;
using db::Engine;
using db::Value;

namespace {

constexpr std::size_t kEntrySize = 24;  // of an entry in the answer of a key

// None, if these are no answer.
std::vector<NewEntry> entries_of(const std::string& bytes) {
  if (bytes.size() % kEntrySize != 0) return {};
  std::vector<NewEntry> entries(bytes.size() / kEntrySize);
  const auto* in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (auto& entry : entries) {
    entry.key = static_cast<std::int64_t>(detail::load_be<8>(in));
    std::copy_n(in + 8, entry.body.size(), entry.body.begin());
    in += kEntrySize;
  }
  return entries;
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

Error other_request(std::string_view key) {
  return Error{Error::Code::key_reused,
               "idempotency key " + quoted(key) + " belongs to another request",
               "A key is for one request; take a new one."};
}

// A list for PostgreSQL, of something of each entry.
template <class ValueOf>
Value array_of(std::span<const NewEntry> entries, ValueOf value_of_entry) {
  std::string out = "{";
  for (const auto& entry : entries) {
    if (out.size() > 1) out += ',';
    out += db::element_of(value_of_entry(entry));
  }
  return out + "}";
}

// Tenant, keys and IDs of a batch.
void add_lists(std::vector<Value>& parameters, const CreateRequest& request) {
  parameters.emplace_back(std::string(request.tenant));
  parameters.push_back(
      array_of(request.entries, [](const NewEntry& entry) -> Value { return entry.key; }));
  parameters.push_back(array_of(
      request.entries, [&](const NewEntry& entry) { return value_of(request.type, entry.body); }));
}

Value tombstones_of(const CreateRequest& request) {
  return array_of(request.entries, [&](const NewEntry& entry) {
    return bytes_of(request.type.tombstone_of(request.tenant, entry.body));
  });
}

}  // namespace

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

bool may_be_erased(const CreateRequest& request) {
  const RegisteredType& type = request.type;
  const bool too_young = type.has_time() && type.declared.erase_after.count() >=
                                                request.store_ms_max - request.store_ms_min;
  return type.is_exact() && !too_young;
}

Result<CreateAnswer, Error> SqlRegistryStore::create(const CreateRequest& request) {
  if (auto fault = fault_of(request)) return Failure{*fault};
  const bool has_key = !request.idempotency_key.empty();
  const bool at_once = request.entries.size() == 1 && !options_.portable_statements;
  // A twin with the same key may be faster: then the next attempt finds its answer.
  auto made = in_attempts<CreateAnswer>(request.timeout, has_key, [&](Connection& connection) {
    if (at_once && !has_key) return create_at_once(connection, request);
    if (options_.portable_statements) return create_in_steps(connection, request);
    switch (names_.engine) {
      case Engine::sqlite: break;
      case Engine::postgres:
        return has_key ? create_keyed(connection, request) : create_many(connection, request);
      case Engine::mariadb:
        if (at_once) return create_by_packet(connection, request);
        if (!has_key && !may_be_erased(request)) return create_pairs(connection, request);
        break;
    }
    return create_in_steps(connection, request);
  });
  if (made && hints_) {
    for (const auto& entry : made->entries) {
      hints_->keep_new({request.type, request.tenant, entry.body}, entry.key);
    }
  }
  return made;
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

// PostgreSQL: a batch is one statement, of lists.
auto SqlRegistryStore::create_many(Connection& connection, const CreateRequest& request)
    -> Attempt<CreateAnswer> {
  const RegisteredType& type = request.type;
  Parameters parameters;
  add_chain(parameters, type, request.tenant, request.ancestors);
  add_lists(parameters, request);
  parameters.emplace_back(request.store_ms_min);
  parameters.emplace_back(request.store_ms_max);
  if (type.is_exact()) parameters.push_back(tombstones_of(request));
  const auto made = connection.query(sql(type).create_many, parameters);
  if (!made) return stop(made.error(), At::commit);
  if (made->affected != static_cast<std::int64_t>(request.entries.size())) {
    return Failure{why_not(connection, request)};
  }
  return CreateAnswer{{request.entries.begin(), request.entries.end()}, false};
}

auto SqlRegistryStore::create_keyed(Connection& connection, const CreateRequest& request)
    -> Attempt<CreateAnswer> {
  const NewEntry& entry = request.entries[0];
  const bool many = request.entries.size() > 1;
  const std::string tenant(request.tenant);
  const std::string key(request.idempotency_key);
  Parameters parameters = {tenant, key};
  add_chain(parameters, request.type, request.tenant, request.ancestors);
  for (Value& value : Parameters{tenant, key, bytes_of(request.digest), answer_of(request.entries),
                                 request.store_ms_min, request.store_ms_max}) {
    parameters.push_back(std::move(value));
  }
  if (request.type.is_exact()) {
    parameters.push_back(many ? tombstones_of(request)
                              : bytes_of(request.type.tombstone_of(tenant, entry.body)));
  }
  if (many) {
    add_lists(parameters, request);
  } else {
    for (Value& value : Parameters{entry.key, tenant, value_of(request.type, entry.body)}) {
      parameters.push_back(std::move(value));
    }
  }
  const RegistrySql& statements = sql(request.type);
  const auto made =
      connection.query(many ? statements.create_many_keyed : statements.create_keyed, parameters);
  if (!made) return stop(made.error(), At::commit);
  if (made->empty()) return create_in_steps(connection, request);
  const auto& row = made->rows[0];
  if (number_of(row[0]) == 1) {
    return CreateAnswer{{request.entries.begin(), request.entries.end()}, false};
  }
  return known_answer(request, row[1], row[2]);
}

// To a key that was used before.
auto SqlRegistryStore::known_answer(const CreateRequest& request, const Value& digest,
                                    const Value& answer) -> Attempt<CreateAnswer> {
  const auto known = body_of(digest);
  const auto* bytes = std::get_if<db::Bytes>(&answer);
  if (!known || bytes == nullptr) return refuse(is_damaged(request.type));
  if (*known != request.digest) return refuse(other_request(request.idempotency_key));
  auto entries = entries_of(bytes->bytes);
  if (entries.empty()) return refuse(is_damaged(request.type));
  return CreateAnswer{std::move(entries), true};
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
    if (*prior) {
      // The commit waits for the disk and for a synchronous standby, which may not have it yet.
      if (auto error = transaction.commit()) return stop(*error);
      return known_answer(request, (**prior)[0], (**prior)[1]);
    }
  }
  if (auto fault = fault_of_clock(request, now_ms)) return refuse(*fault);
  Value parent;
  if (request.type.parent != nullptr) {
    const auto found = lock_chain(connection, request.type, request.tenant, request.ancestors);
    if (!found) return Failure{found.error()};
    if (!*found) return refuse(no_parent(request.type));
    parent = **found;
  }
  if (names_.engine == Engine::mariadb && !options_.portable_statements) {
    if (auto error = insert_in_packet(connection, transaction, request, now_ms, parent)) {
      return Failure{*error};
    }
  } else {
    if (auto error = insert(connection, request, now_ms, parent)) return Failure{*error};
    if (auto error = transaction.commit()) return stop(*error);
  }
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

// Digest and answer of the first call with this key; or nothing, and the key is taken.
auto SqlRegistryStore::use_key(Connection& connection, const CreateRequest& request,
                               std::int64_t now_ms) -> Attempt<std::optional<std::vector<Value>>> {
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
    if (taken->affected == 1) return std::optional<std::vector<Value>>();
    const auto found = connection.query(statements.find_key, {tenant, key});
    if (!found) return stop(found.error(), At::before_commit);
    if (found->empty()) continue;  // it was just taken away
    const auto& row = found->rows[0];
    if (number_of(row[2]) > now_ms) {
      if (!statements.confirm_key.empty()) {
        const auto confirmed = connection.query(statements.confirm_key, {tenant, key});
        if (!confirmed) return stop(confirmed.error(), At::before_commit);
      }
      return std::optional(row);
    }
    const auto dropped = connection.query(statements.drop_key, {tenant, key});
    if (!dropped) return stop(dropped.error(), At::before_commit);
  }
}

// Steps only: nothing that was erased comes back.
auto SqlRegistryStore::look_for_erased(Connection& connection, const CreateRequest& request)
    -> std::optional<Stop> {
  const RegisteredType& type = request.type;
  if (may_be_erased(request)) {
    for (const auto& entry : request.entries) {
      const auto gone = connection.query(sql(type).was_erased,
                                         {bytes_of(type.tombstone_of(request.tenant, entry.body))});
      if (!gone) return Stop{std::nullopt, {gone.error(), At::before_commit}};
      if (!gone->empty()) {
        return Stop{std::nullopt, {{DbError::Kind::unique, "it was erased", "", 0}, At::reading}};
      }
    }
  }
  return std::nullopt;
}

auto SqlRegistryStore::insert(Connection& connection, const CreateRequest& request,
                              std::int64_t now_ms, const Value& parent) -> std::optional<Stop> {
  const RegisteredType& type = request.type;
  const std::string tenant(request.tenant);
  if (auto erased = look_for_erased(connection, request)) return erased;
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

}  // namespace tessera
