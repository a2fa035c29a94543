// Creates, looks up, retires.

#include "tessera/registry/registry.h"
#include "tessera/parse_error.h"

#include <algorithm>
#include <utility>

#include "registry/blake2s.h"

namespace tessera {
namespace {

Error invalid(std::string message, std::string hint) {
  return Error{Error::Code::invalid_request, std::move(message), std::move(hint)};
}

// With the text of its ID.
std::string name_of_resource(std::string_view tenant, const RegisteredType& type,
                             std::span<const IdBody> ancestors, std::string_view id) {
  std::string above;
  const RegisteredType* at = type.parent;
  for (std::size_t i = 0; i < ancestors.size() && at != nullptr; ++i, at = at->parent) {
    above = at->declared.collection + "/" + at->text_of(ancestors[i]) + "/" + above;
  }
  constexpr std::string_view kFront = "tenants/";
  const std::string_view collection = type.declared.collection;
  std::string name(
      kFront.size() + tenant.size() + 1 + above.size() + collection.size() + 1 + id.size(), '/');
  char* out = name.data();
  const auto put = [&](std::string_view part) { out = std::copy_n(part.data(), part.size(), out); };
  put(kFront);
  put(tenant);
  ++out;
  if (!above.empty()) put(above);
  put(collection);
  ++out;
  put(id);
  return name;
}

Result<LookUp, Error> answer_to_stranger(const RegisteredType& type) {
  Result<LookUp, Error> answer(std::in_place);
  answer->type = &type;
  return answer;
}

}  // namespace

std::string_view name_of(LookUp::State state) noexcept {
  switch (state) {
    case LookUp::State::invalid: return "invalid";
    case LookUp::State::never_issued: return "never_issued";
    case LookUp::State::deleted: return "deleted";
    case LookUp::State::live: return "live";
  }
  return "";
}

std::string resource_name_of(std::string_view tenant, const RegisteredType& type,
                             std::span<const IdBody> ancestors, const IdBody& body) {
  return name_of_resource(tenant, type, ancestors, type.text_of(body));
}

Registry::Registry(const RegistryTypes& types, RegistryStore& store, NumberSource& numbers,
                   RegistrySources sources, const RegistryOptions& options)
    : types_(types),
      store_(store),
      numbers_(numbers),
      options_(options),
      ulids_(sources.clock, sources.entropy),
      uuids_(sources.clock, sources.entropy) {
  IssuedFilterOptions filter;
  filter.window = options.window;
  filter.lease = options.filter_lease;
  for (const auto& type : types.all()) {
    filters_.push_back(options.filters
                           ? std::make_unique<IssuedFilter>(*type, store, sources.monotonic, filter)
                           : nullptr);
  }
}

Result<IdBody, Error> Registry::mint(const RegisteredType& type, std::int64_t key) {
  if (!type.has_time()) {
    const auto number = numbers_.short_number(type, key);
    if (!number) return Failure{number.error()};
    return detail::store_pair({0, *number});
  }
  const auto failed = [](MintError error) {
    return Failure{Error{Error::Code::store_unavailable,
                         "could not make an ID: " + std::string(describe(error)), ""}};
  };
  const bool is_ulid = type.id.style == PublicStyle::ulid || type.id.style == PublicStyle::checked;
  if (is_ulid) {
    const auto id = ulids_.next();
    if (!id) return failed(id.error());
    return id->bytes;
  }
  const auto id = uuids_.next();
  if (!id) return failed(id.error());
  return id->bytes;
}

// The parent that is named, its parent, and so on. Whether they are live, the store says.
Result<std::vector<IdBody>, Error> Registry::ancestors_of(std::string_view tenant,
                                                          const RegisteredType& type,
                                                          std::string_view parent) {
  std::vector<IdBody> ancestors;
  auto target = read_parent(types_, type, tenant, parent);
  if (!target) return Failure{target.error()};
  if (target->type == nullptr) return ancestors;
  if (target->elsewhere) return Failure{no_parent(type, parent)};
  ancestors.push_back(target->body);
  if (!target->ancestors && type.parent->parent != nullptr) {
    const auto found = store_.find({*type.parent, tenant, target->body});
    if (!found) return Failure{found.error()};
    if (found->ancestors.size() != type.parent->depth()) return Failure{no_parent(type, parent)};
    target->ancestors = found->ancestors;
  }
  if (target->ancestors) {
    ancestors.insert(ancestors.end(), target->ancestors->begin(), target->ancestors->end());
  }
  return ancestors;
}

Result<std::vector<NewResource>, Error> Registry::create_many(std::string_view tenant,
                                                              std::string_view type_name,
                                                              std::size_t count,
                                                              const CreateOptions& options) {
  if (auto fault = fault_of_tenant(tenant)) return Failure{*fault};
  const auto found = type_named(types_, type_name);
  if (!found) return Failure{found.error()};
  const RegisteredType& type = **found;
  if (count == 0 || count > CreateRequest::kEntriesMax) {
    return Failure{invalid("cannot create " + std::to_string(count) + " at once",
                           "Create 1 to " + std::to_string(CreateRequest::kEntriesMax) + ".")};
  }
  const auto ancestors = ancestors_of(tenant, type, options.parent);
  if (!ancestors) return Failure{ancestors.error()};

  const auto keys = numbers_.keys(type.declared.scope, count);
  if (!keys) return Failure{keys.error()};
  std::vector<NewEntry> entries(count);
  CreateRequest request{.type = type,
                        .tenant = tenant,
                        .ancestors = *ancestors,
                        .entries = entries,
                        .idempotency_key = options.idempotency_key,
                        .timeout = options.timeout};
  for (std::size_t i = 0; i < count; ++i) {
    const auto body = mint(type, (*keys)[i]);
    if (!body) return Failure{body.error()};
    entries[i] = {(*keys)[i], *body};
    if (!type.has_time()) continue;
    // See IssuedFilter: of old IDs no new ones may come.
    const auto time_ms = static_cast<std::int64_t>(RegisteredType::time_ms(*body));
    const std::int64_t half = options_.window.count() / 2;
    request.store_ms_min = std::max(request.store_ms_min, time_ms - half);
    request.store_ms_max = std::min(request.store_ms_max, time_ms + half);
  }
  if (!options.idempotency_key.empty()) {
    Blake2s digest;
    digest.add_number(count).add_number(ancestors->size());
    for (const auto& ancestor : *ancestors) digest.add(ancestor);
    request.digest = digest.finish_16();
  }
  const auto answer = store_.create(request);
  if (!answer) return Failure{answer.error()};
  std::vector<NewResource> made;
  made.reserve(answer->entries.size());
  for (const auto& entry : answer->entries) {
    std::string id = type.text_of(entry.body);
    std::string name = name_of_resource(tenant, type, *ancestors, id);
    made.push_back({std::move(id), std::move(name), entry.key, answer->repeated});
  }
  return made;
}

bool Registry::is_stranger(std::string_view tenant, const RegisteredType& type,
                           const IdBody& body) const {
  const auto& filter = filters_[type.number];
  return filter && filter->never_issued(tenant, body);
}

Result<Issued, Error> Registry::find(std::string_view tenant, const Target& target,
                                     std::string_view id) {
  auto issued = store_.find({*target.type, tenant, target.body, id});
  if (!issued) return issued;
  // A name is of the thing only with the right ancestors in it; those of an erased one are gone.
  const bool other =
      target.ancestors && !issued->ancestors.empty() && *target.ancestors != issued->ancestors;
  if (target.elsewhere || other) return Issued{.body = target.body};
  return issued;
}

LookUp Registry::answer_of(std::string_view tenant, const RegisteredType& type,
                           const Issued& issued, std::string id) {
  LookUp answer;
  answer.type = &type;
  if (issued.state == Issued::State::never) return answer;
  answer.id = std::move(id);
  switch (issued.state) {
    case Issued::State::never: break;
    case Issued::State::deleted:
      answer.state = LookUp::State::deleted;
      answer.deleted_ms = issued.deleted_ms;
      break;
    case Issued::State::live:
      answer.state = LookUp::State::live;
      answer.name = name_of_resource(tenant, type, issued.ancestors, answer.id);
      answer.created_ms = issued.created_ms;
      break;
  }
  return answer;
}

// `key` becomes that of a live one.
Result<LookUp, Error> Registry::ask(std::string_view tenant, std::string_view text,
                                    std::optional<std::int64_t>& key) {
  if (!is_tenant(tenant)) return Failure{*fault_of_tenant(tenant)};
  // Most are IDs as they are written. What is none of ours ends here, and costs no allocation.
  const TypedBody asked = types_.parse(text);
  if (asked.type == nullptr) return ask_by_name(tenant, text, key);
  if (is_stranger(tenant, *asked.type, asked.body)) return answer_to_stranger(*asked.type);
  return ask_store(tenant, asked, key);
}

Result<LookUp, Error> Registry::ask_store(std::string_view tenant, const TypedBody& asked,
                                          std::optional<std::int64_t>& key) {
  std::string id = asked.type->text_of(asked.body);
  const auto issued = store_.find({*asked.type, tenant, asked.body, id});
  if (!issued) return Failure{issued.error()};
  if (issued->state == Issued::State::live) key = issued->key;
  return answer_of(tenant, *asked.type, *issued, std::move(id));
}

Result<LookUp, Error> Registry::ask_by_name(std::string_view tenant, std::string_view text,
                                            std::optional<std::int64_t>& key) {
  Target target = target_of(tenant, text);
  if (target.fault) return invalid_answer(std::move(target));
  if (is_stranger(tenant, *target.type, target.body)) return answer_to_stranger(*target.type);
  std::string id = target.type->text_of(target.body);
  const auto issued = find(tenant, target, id);
  if (!issued) return Failure{issued.error()};
  if (issued->state == Issued::State::live) key = issued->key;
  return answer_of(tenant, *target.type, *issued, std::move(id));
}

Result<Resolution, Error> Registry::resolve(std::string_view tenant, std::string_view text) {
  std::optional<std::int64_t> key;
  auto answer = ask(tenant, text, key);
  if (!answer) return Failure{answer.error()};
  return Resolution{std::move(*answer), key};
}

Result<LookUp, Error> Registry::look_up(std::string_view tenant, std::string_view text) {
  std::optional<std::int64_t> key;
  return ask(tenant, text, key);
}

Result<LookUp, Error> Registry::retire(std::string_view tenant, std::string_view text) {
  // Also what ended with its parent: it must not come back with it.
  auto before = look_up(tenant, text);
  const auto there = [](LookUp::State state) {
    return state == LookUp::State::live || state == LookUp::State::deleted;
  };
  if (!before || !there(before->state)) return before;
  const Target target = target_of(tenant, text);
  const auto issued = store_.retire({*target.type, tenant, target.body});
  if (!issued) return Failure{issued.error()};
  // A first batch at once. The retirement stands, whatever becomes of it.
  if (!target.type->children.empty()) static_cast<void>(sweep());
  return answer_of(tenant, *target.type, *issued, target.type->text_of(target.body));
}

Result<LookUp, Error> Registry::undelete(std::string_view tenant, std::string_view text) {
  auto before = look_up(tenant, text);
  if (!before || before->state != LookUp::State::deleted) return before;
  const Target target = target_of(tenant, text);
  const auto issued = store_.undelete({*target.type, tenant, target.body});
  if (!issued) return Failure{issued.error()};
  return answer_of(tenant, *target.type, *issued, target.type->text_of(target.body));
}

std::optional<Error> Registry::sync_filters() {
  for (const auto& filter : filters_) {
    if (!filter) continue;
    if (auto error = filter->sync()) return error;
  }
  return std::nullopt;
}

IssuedFilter* Registry::filter(const RegisteredType& type) noexcept {
  return filters_[type.number].get();
}

}  // namespace tessera
