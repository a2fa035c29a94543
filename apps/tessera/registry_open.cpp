// Types and numbers for the registry.

#include "registry_open.h"

#include <algorithm>
#include <utility>

#include "numbers.h"
#include "output.h"
#include "remote.h"
#include "settings.h"
#include "tessera/client/http_registry.h"
#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

RegistryType::Storage storage_of(TypeConfig::Storage storage) noexcept {
  switch (storage) {
    case TypeConfig::Storage::text: return RegistryType::Storage::text;
    case TypeConfig::Storage::bytes: return RegistryType::Storage::bytes;
    case TypeConfig::Storage::integer: break;
  }
  return RegistryType::Storage::integer;
}

}  // namespace

Result<RegistryTypes, Error> registry_types(const Config& config) {
  const auto table = config.type_table();
  if (!table) {
    return Failure{Error{Error::Code::invalid_request, "the types are not as they should be",
                         "tessera config check says what is wrong."}};
  }
  std::vector<RegistryType> types;
  for (const TypeConfig& type : config.types) {
    if (type.scope.empty()) continue;
    const ScopeConfig* scope = config.find_scope(type.scope);
    const TypeConfig* parent = config.find_type(type.parent);
    if (parent != nullptr && parent->scope.empty()) {
      return Failure{
          Error{Error::Code::invalid_request,
                "type '" + type.name + "' has the parent '" + parent->name + "', without a scope",
                "The registry keeps types that have a scope, and their parents with them."}};
    }
    using Tombstone = RegistryType::Tombstone;
    types.push_back({.name = type.name,
                     .collection = Config::collection_of(type),
                     .scope = type.scope,
                     .parent = type.parent,
                     .storage = storage_of(type.storage),
                     .tombstone = type.tombstone == TypeConfig::Tombstone::exact ? Tombstone::exact
                                                                                 : Tombstone::soft,
                     .undelete = std::chrono::days(type.undelete_days),
                     .key_time = std::chrono::days(type.key_days),
                     .alias = type.alias,
                     .capacity = static_cast<std::uint64_t>(type.capacity),
                     .false_positives = type.false_positives,
                     .short_bits = scope == nullptr ? 0 : scope->bits});
  }
  if (types.empty()) {
    return Failure{Error{Error::Code::invalid_request, "no type with a scope is declared",
                         "In tessera.yaml, as in: types: {order: {prefix: ord, scope: ORDER}}"}};
  }
  return RegistryTypes::make(*table, std::move(types));
}

Result<std::vector<std::int64_t>, Error> DrawnNumbers::keys(std::string_view scope,
                                                            std::size_t count) {
  const std::string holder = holder_name();
  const auto drawn =
      draw(store_, config_, {.scope = scope, .count = count, .holder = holder, .key = {}});
  if (!drawn) return Failure{drawn.error()};
  std::vector<std::int64_t> keys;
  keys.reserve(count);
  for (std::uint64_t key = drawn->segment.first; key != drawn->segment.end; ++key) {
    keys.push_back(static_cast<std::int64_t>(key));
  }
  return keys;
}

Result<std::uint64_t, Error> DrawnNumbers::short_number(const RegisteredType& type,
                                                        std::int64_t key) {
  const auto cipher = ciphers_.find(type.declared.scope);
  if (cipher == ciphers_.end()) {
    return Failure{Error{Error::Code::invalid_request, "short IDs need a key", ""}};
  }
  const auto id = cipher->second.encrypt(static_cast<std::uint64_t>(key));
  if (!id) {
    return Failure{
        Error{Error::Code::exhausted, "scope " + quoted(type.declared.scope) + " is used up", ""}};
  }
  return id->number();
}

Result<const RegisteredType*, Exit> OpenRegistry::type(std::string_view name) const {
  const RegisteredType* found = types.find(name);
  if (found == nullptr) found = types.find_by_prefix(name);
  if (found != nullptr) return found;
  std::vector<std::string_view> names;
  std::string all;
  for (const auto& type : types.all()) {
    names.push_back(type->name());
    all += (all.empty() ? "" : ", ") + type->name();
  }
  const std::string_view meant = nearest(name, names);
  return Failure{usage_error(
      "the registry keeps no type '" + printable(name) + "'",
      meant.empty() ? "It keeps " + all + "." : "Did you mean " + std::string(meant) + "?")};
}

Result<std::unique_ptr<OpenRegistry>, Exit> open_registry(const Args& args, Config config) {
  auto open = std::make_unique<OpenRegistry>();
  open->config = std::move(config);
  auto types = registry_types(open->config);
  if (!types) return Failure{complain_of(types.error())};
  open->types = *std::move(types);
  if (is_http_url(open->config.store)) {
    auto client = open_remote(open->config.store);
    if (!client) return Failure{complain_of(client.error())};
    open->registry = std::make_unique<HttpRegistry>(*std::move(client), open->types, open->entropy);
    return open;
  }
  auto store = open_store(args, open->config);
  if (!store) return Failure{store.error()};
  auto rows = (*store)->registry(open->types);
  if (!rows) {
    Error error = rows.error();
    if (error.hint.find("init_") != std::string::npos) {
      error.hint = "To make them: tessera registry init";
    }
    return Failure{complain_of(error)};
  }
  open->store = *std::move(store);
  open->rows = *std::move(rows);
  open->numbers.emplace(*open->store, open->config);
  RegistryOptions options;
  options.filters = false;  // a filter is for a process that asks more than once
  auto registry = std::make_unique<Registry>(
      open->types, *open->rows, *open->numbers,
      RegistrySources{open->clock, open->monotonic, open->entropy}, options);
  open->stored = registry.get();
  open->registry = std::move(registry);
  return open;
}

}  // namespace tessera::cli
