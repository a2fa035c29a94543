// Finds, lists.

#include "store/registry_store.h"

#include <algorithm>
#include <array>

#include "store/registry_attempts.h"
#include "store/requests.h"
#include "tessera/parse_error.h"

namespace tessera {

using db::Connection;
using db::DbError;
using db::Engine;
using db::Value;

Value bytes_of(const IdBody& body) {
  return db::Bytes{std::string(reinterpret_cast<const char*>(body.data()), body.size())};
}

std::optional<IdBody> body_of(const Value& bytes) {
  const auto* held = std::get_if<db::Bytes>(&bytes);
  IdBody body{};
  if (held == nullptr || held->bytes.size() != body.size()) return std::nullopt;
  std::copy_n(held->bytes.begin(), body.size(), body.begin());
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

std::optional<IdBody> body_of(const RegisteredType& type, const Value& value) {
  switch (type.declared.storage) {
    case RegistryType::Storage::text: {
      const auto* text = std::get_if<std::string>(&value);
      if (text == nullptr) return std::nullopt;
      const auto body = type.parse_stored(*text);
      return body ? std::optional(*body) : std::nullopt;
    }
    case RegistryType::Storage::bytes: return body_of(value);
    case RegistryType::Storage::integer: break;
  }
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || *number < 0 || *number >> type.declared.short_bits != 0) {
    return std::nullopt;
  }
  return detail::store_pair({0, static_cast<std::uint64_t>(*number)});
}

Error is_damaged(const RegisteredType& type) {
  return Error{Error::Code::store_failed,
               "the store holds something of type " + quoted(type.name()) + " that cannot be read",
               "Somebody has changed it by hand; tessera registry verify finds such rows."};
}

void add_chain(std::vector<Value>& parameters, const RegisteredType& type, std::string_view tenant,
               std::span<const IdBody> ancestors) {
  const RegisteredType* at = type.parent;
  for (std::size_t i = 0; i < ancestors.size(); ++i, at = at->parent) {
    if (i == 0) parameters.emplace_back(std::string(tenant));
    parameters.push_back(value_of(*at, ancestors[i]));
  }
}

Error no_parent(const RegisteredType& type) {
  return Error{Error::Code::not_found,
               "there is no such " + quoted(type.parent->name()) + " to create a " +
                   quoted(type.name()) + " in",
               "It was never issued, or has ended, or belongs to another tenant."};
}

namespace {

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

db::View view_of(const IdBody& body) {
  return db::BytesView{{reinterpret_cast<const char*>(body.data()), body.size()}};
}

// An ID as a column holds it, without a copy where it has that form already.
class Column {
 public:
  explicit Column(const IssuedId& id) : id_(id) {
    const bool is_text = id.type.declared.storage == RegistryType::Storage::text;
    if (is_text && (id.text.empty() || !id.type.is_stored_as_shown())) {
      text_ = id.type.stored_text_of(id.body);
    }
  }
  db::View view() const noexcept {
    switch (id_.type.declared.storage) {
      case RegistryType::Storage::text: return text_.empty() ? id_.text : std::string_view(text_);
      case RegistryType::Storage::bytes: return view_of(id_.body);
      case RegistryType::Storage::integer: break;
    }
    return static_cast<std::int64_t>(detail::load_pair(id_.body).lo);
  }

 private:
  const IssuedId& id_;
  std::string text_;
};

// What the columns of `find` say: state, created_ms, deleted_ms, and of each ancestor its
// public_id, state and deleted_ms. The type whose ID cannot be read, if there is one.
const RegisteredType* read_found(const RegisteredType& type, std::span<const Value> row,
                                 Issued& issued) {
  issued.created_ms = time_of(row[1]);
  bool live = number_of(row[0]) == 0;
  std::optional<std::uint64_t> deleted_ms;
  if (!live) deleted_ms = time_of(row[2]);
  bool whole = true;
  std::size_t column = 3;
  for (const auto* at = type.parent; at != nullptr; at = at->parent, column += 3) {
    if (db::is_null(row[column])) {  // an ancestor that was erased
      live = whole = false;
      continue;
    }
    const auto body = body_of(*at, row[column]);
    if (!body) return at;
    issued.ancestors.push_back(*body);
    if (number_of(row[column + 1]) == 0) continue;
    live = false;
    const std::uint64_t ended_ms = time_of(row[column + 2]);
    deleted_ms = std::min(deleted_ms.value_or(ended_ms), ended_ms);
  }
  if (!whole) issued.ancestors.clear();
  issued.state = live ? Issued::State::live : Issued::State::deleted;
  if (!live && !type.is_exact()) issued.deleted_ms = deleted_ms;
  return nullptr;
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
  if (names_.engine != db::Engine::postgres) hints_.emplace();
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

Result<Issued, Error> SqlRegistryStore::find(const IssuedId& id) {
  if (hints_) hints_->expect(id);
  return in_attempts<Issued>(options_.timeout, false,
                             [&](Connection& connection) { return find_by(connection, id); });
}

auto SqlRegistryStore::find_by(Connection& connection, const IssuedId& id) -> Attempt<Issued> {
  Issued issued;
  issued.body = id.body;
  if (const auto key = hints_ ? hints_->find(id) : std::nullopt) {
    const auto found = find_at(connection, id, key, issued);
    if (!found) return Failure{found.error()};
    if (*found) return issued;
  }
  const auto found = find_at(connection, id, std::nullopt, issued);
  if (!found) return Failure{found.error()};
  return issued;
}

// Whether there is a row, or a tombstone. With a key, only in the row of that key.
auto SqlRegistryStore::find_at(Connection& connection, const IssuedId& id,
                               std::optional<std::int64_t> key, Issued& issued) -> Attempt<bool> {
  constexpr std::int64_t kErased = 3;
  const Column column(id);
  IdBody tombstone;
  std::array<db::View, 4> parameters;
  std::size_t count = 0;
  if (key) parameters[count++] = *key;
  parameters[count++] = column.view();
  parameters[count++] = id.tenant;
  if (id.type.is_exact()) {
    tombstone = id.type.tombstone_of(id.tenant, id.body);
    parameters[count++] = view_of(tombstone);
  }
  const auto& statements = sql(id.type);
  const auto found = connection.first(key ? statements.find_at : statements.find,
                                      std::span(parameters).first(count));
  if (!found) return stop(found.error(), At::reading);
  const std::span<const Value> row = *found;
  if (row.empty()) return false;
  issued.state = Issued::State::deleted;
  if (number_of(row[0]) == kErased) return true;
  if (const auto* damaged = read_found(id.type, row, issued)) return refuse(is_damaged(*damaged));
  issued.key = key ? *key : number_of(row.back());
  if (hints_ && !key) hints_->keep(id, issued.key);
  return true;
}

Result<std::vector<Issued>, Error> SqlRegistryStore::list(const ListRequest& request) {
  using List = std::vector<Issued>;
  const RegisteredType& type = request.type;
  return in_attempts<List>(options_.timeout, false, [&](Connection& connection) -> Attempt<List> {
    const auto& statements = request.deleted ? sql(type).deleted : sql(type).live;
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
        connection.query(of_parent ? (request.after ? statements.of_after : statements.of)
                                   : (request.after ? statements.all_after : statements.all),
                         parameters);
    if (!rows) return stop(rows.error(), At::reading);
    List list;
    for (const auto& row : rows->rows) {
      Issued issued;
      const auto body = body_of(type, row.back());
      if (!body) return refuse(is_damaged(type));
      issued.body = *body;
      issued.key = number_of(row[row.size() - 2]);
      if (const auto* damaged = read_found(type, row, issued)) return refuse(is_damaged(*damaged));
      list.push_back(std::move(issued));
    }
    return list;
  });
}

}  // namespace tessera
