// Makes the tables of a registry: three for all types, two for each.

#include "store/registry_schema.h"

#include <array>

#include "store/db_errors.h"
#include "store/init_lock.h"
#include "store/requests.h"
#include "store/schema.h"
#include "store/schema_files.h"
#include "tessera/parse_error.h"
#include "tessera/system.h"

namespace tessera {
namespace {

using db::Connection;
using db::Engine;
using Storage = RegistryType::Storage;

struct Files {
  std::string_view shared, type;
};

Files files_of(Engine engine) noexcept {
  switch (engine) {
    case Engine::sqlite: return {sqlite_registry_sql, sqlite_registry_type_sql};
    case Engine::postgres: return {postgres_registry_sql, postgres_registry_type_sql};
    case Engine::mariadb: break;
  }
  return {mariadb_registry_sql, mariadb_registry_type_sql};
}

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + by.size())) {
    text.replace(at, mark.size(), by);
  }
  return text;
}

std::string form_of(Engine engine, Storage storage) {
  switch (engine) {
    case Engine::sqlite:
      return storage == Storage::text ? "TEXT" : storage == Storage::bytes ? "BLOB" : "INTEGER";
    case Engine::postgres:
      return storage == Storage::text    ? "VARCHAR(64) COLLATE \"C\""
             : storage == Storage::bytes ? "BYTEA"
                                         : "BIGINT";
    case Engine::mariadb: break;
  }
  return storage == Storage::text    ? "VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
         : storage == Storage::bytes ? "BINARY(16)"
                                     : "BIGINT";
}

std::string name_of_storage(const RegisteredType& type) {
  switch (type.declared.storage) {
    case Storage::text: return "text";
    case Storage::bytes: return "bytes";
    case Storage::integer: break;
  }
  return "integer";
}

std::string parent_of(const RegisteredType& type) {
  return type.parent == nullptr ? "" : type.parent->id.prefix;
}

Error schema_error(std::string message, std::string hint) {
  return Error{Error::Code::store_schema, std::move(message), std::move(hint)};
}

// By chance, so that a filter that was kept of one store is not taken for that of another.
std::int64_t first_epoch() {
  std::array<std::uint8_t, 6> bytes{};
  static_cast<void>(SystemEntropy().fill(bytes));
  return static_cast<std::int64_t>(detail::load_be<6>(bytes.data()));
}

enum class There : std::uint8_t { no, yes };

// Whether the type has its tables; an error if they are other than declared.
Result<There, Error> look_for(Connection& connection, const RegistryNames& names,
                              const RegisteredType& type) {
  const auto rows =
      connection.query("SELECT version, storage, parent FROM " + names.types() + " WHERE name = ?",
                       {type.id.prefix});
  if (!rows) return Failure{error_of(rows.error(), connection.engine(), At::reading)};
  if (rows->empty()) return There::no;
  const auto& row = rows->rows[0];
  const auto version = number_of(row[0]);
  const std::string what = "type " + quoted(type.name()) + " is there ";
  if (version != kRegistryNewest) {
    return Failure{schema_error(
        what + "in version " + std::to_string(version) + ", not " + std::to_string(kRegistryNewest),
        "Use the program that made it.")};
  }
  if (text_of(row[1]) != name_of_storage(type)) {
    return Failure{
        schema_error(what + "stored as " + text_of(row[1]) + ", not as " + name_of_storage(type),
                     "Declare it as it is; its IDs are for ever.")};
  }
  if (text_of(row[2]) != parent_of(type)) {
    return Failure{schema_error(
        what + "with the parent " + quoted(text_of(row[2])) + ", not " + quoted(parent_of(type)),
        "Declare it as it is.")};
  }
  return There::yes;
}

std::optional<Error> run(Connection& connection, const std::string& sql) {
  const auto done = connection.batch(sql);
  if (done) return std::nullopt;
  return error_of(done.error(), connection.engine(), At::before_commit);
}

}  // namespace

std::optional<Error> fault_of_registry_table(std::string_view table) {
  constexpr std::size_t kSizeMax = 24;  // PostgreSQL cuts names at 63
  if (auto fault = fault_of_table(table)) return fault;
  if (table.size() <= kSizeMax) return std::nullopt;
  return Error{Error::Code::invalid_request, "too long for tables of a registry: " + quoted(table),
               "At most 24 characters; the name of the type is appended."};
}

std::optional<Error> fault_of_registry(Connection& connection, const RegistryNames& names,
                                       const RegistryTypes& types) {
  for (const auto& type : types.all()) {
    const auto there = look_for(connection, names, *type);
    if (!there) return there.error();
    if (*there == There::no) {
      return schema_error("the store has no tables for type " + quoted(type->name()),
                          "Make them first: init_registry.");
    }
  }
  return std::nullopt;
}

Result<SchemaStatus, Error> make_registry(Connection& connection, const RegistryNames& names,
                                          const RegistryTypes& types) {
  InitLock lock(connection);
  if (auto error = lock.take()) return Failure{*error};
  const Files files = files_of(names.engine);
  if (auto error = run(connection, replaced(std::string(files.shared), "{table}", names.table))) {
    return Failure{*error};
  }
  for (const auto& type : types.all()) {
    const auto there = look_for(connection, names, *type);
    if (!there) return Failure{there.error()};
    if (*there == There::yes) continue;
    std::string sql = replaced(std::string(files.type), "{table}", names.table);
    sql = replaced(sql, "{children}",
                   type->parent == nullptr ? "" : "KEY (parent_id, state, public_id),");
    sql = replaced(sql, "{type}", type->id.prefix);
    sql = replaced(sql, "{form}", form_of(names.engine, type->declared.storage));
    if (auto error = run(connection, sql)) return Failure{*error};
    const auto noted =
        connection.query("INSERT INTO " + names.types() +
                             " (name, version, storage, parent, epoch) VALUES (?, ?, ?, ?, ?)",
                         {type->id.prefix, std::int64_t{kRegistryNewest}, name_of_storage(*type),
                          parent_of(*type), first_epoch()});
    if (!noted) return Failure{error_of(noted.error(), connection.engine(), At::before_commit)};
  }
  if (auto error = lock.commit()) return Failure{*error};
  return SchemaStatus{kRegistryNewest, kRegistryNewest};
}

}  // namespace tessera
