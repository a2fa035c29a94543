// The registry of another Tessera.

#include "tessera/client/http_registry.h"

#include <type_traits>
#include <utility>

#include "client/answer.h"
#include "client/request.h"
#include "tessera/json.h"
#include "tessera/registry/store.h"

namespace tessera {
namespace {

using Method = HttpCall::Method;
using State = LookUp::State;

std::string collection_of(std::string_view tenant, const RegisteredType& type) {
  return "tenants/" + std::string(tenant) + "/" + type.declared.collection;
}

// The whole name, if it is known; else what the service finds it by all the same.
std::string name_of(const ResourceTarget& target, std::string_view tenant) {
  if (!target.ancestors) {
    return collection_of(tenant, *target.type) + "/" + target.type->text_of(target.body);
  }
  return resource_name_of(tenant, *target.type, *target.ancestors, target.body);
}

std::string path_of(const ResourceTarget& target, std::string_view tenant) {
  return "/v1/" + name_of(target, tenant);
}

std::optional<NewResource> resource_of(const Json& object, bool repeated) {
  const auto id = text_in(object, "id");
  const auto name = text_in(object, "name");
  if (!id || !name) return std::nullopt;
  // Keys are told to those who may resolve.
  return NewResource{std::string(*id), std::string(*name), long_in(object, "key").value_or(0),
                     repeated};
}

std::optional<ListedResource> listed_of(const Json& object) {
  const auto id = text_in(object, "id");
  const auto created_ms = time_in(object, "created");
  if (!id || !created_ms) return std::nullopt;
  return ListedResource{.id = std::string(*id),
                        .name = std::string(text_in(object, "name").value_or("")),
                        .key = long_in(object, "key").value_or(0),
                        .created_ms = *created_ms,
                        .deleted_ms = time_in(object, "deleted")};
}

// The items of an answer, each read by `read`; nothing, if one cannot be.
template <class Read>
auto items_in(const Json& object, Read read) {
  using Item = typename std::invoke_result_t<Read, const Json&>::value_type;
  std::optional<std::vector<Item>> resources;
  const Json* items = object.find("items");
  if (items == nullptr || !items->is_list()) return resources;
  resources.emplace();
  for (const Json& item : items->items()) {
    auto resource = read(item);
    if (!resource) return std::optional<std::vector<Item>>();
    resources->push_back(*std::move(resource));
  }
  return resources;
}

// One of the four answers, or an error.
Result<Resolution, Error> resolution_of(const HttpAnswer& answer, const ResourceTarget& target) {
  Resolution resolution;
  LookUp& found = resolution.answer;
  found.type = target.type;
  const auto object = object_in(answer.body);
  if (!object) return Failure{error_of(answer)};
  const std::string_view code = text_in(*object, "code").value_or("");
  found.deleted_ms = time_in(*object, "deleted");
  if (answer.status == 404 && code == "not_found") return resolution;
  found.id = target.type->text_of(target.body);
  if (answer.status == 410 || (answer.status == 409 && code == "cannot_undelete")) {
    found.state = State::deleted;
    return resolution;
  }
  if (answer.status != 200) return Failure{error_of(answer)};
  const auto state = text_in(*object, "state");
  if (text_in(*object, "id") != found.id) return Failure{odd_answer("the ID that was asked for")};
  if (state == "deleted") {
    found.state = State::deleted;
    return resolution;
  }
  const auto name = text_in(*object, "name");
  const auto created_ms = time_in(*object, "created");
  if (state != "live" || !name || !created_ms) return Failure{odd_answer("a state")};
  found.state = State::live;
  found.name = *name;
  found.created_ms = *created_ms;
  resolution.key = long_in(*object, "key");
  return resolution;
}

}  // namespace

Result<std::string, Error> HttpRegistry::collection_path(std::string_view tenant,
                                                         const RegisteredType& type,
                                                         std::string_view parent) {
  auto target = read_parent(types_, type, tenant, parent);
  if (!target) return Failure{target.error()};
  if (target->type == nullptr) return "/v1/" + collection_of(tenant, type);
  if (target->elsewhere) return Failure{no_parent(type, parent)};
  std::string name = name_of(*target, tenant);
  if (!target->ancestors && target->type->parent != nullptr) {
    const auto found = look_up(tenant, parent);
    if (!found) return Failure{found.error()};
    if (found->state != State::live) return Failure{no_parent(type, parent)};
    name = found->name;
  }
  return "/v1/" + name + "/" + type.declared.collection;
}

Result<std::vector<NewResource>, Error> HttpRegistry::create_many(std::string_view tenant,
                                                                  std::string_view type_name,
                                                                  std::size_t count,
                                                                  const CreateOptions& options) {
  if (auto fault = fault_of_tenant(tenant)) return Failure{*std::move(fault)};
  const auto type = type_named(types_, type_name);
  if (!type) return Failure{type.error()};
  auto path = collection_path(tenant, **type, options.parent);
  if (!path) return Failure{path.error()};
  const bool own = options.idempotency_key.empty();
  const std::string key = own ? make_own_key(entropy_) : std::string(options.idempotency_key);
  if (key.empty()) {
    return Failure{Error{Error::Code::store_unavailable, "there is no entropy for a key", ""}};
  }
  JsonWriter body;
  body.begin_object().key("count").value(std::uint64_t{count}).end_object();
  const std::string quoted_key = "\"" + key + "\"";
  const auto answer = client_->ask({.method = Method::post,
                                    .target = *std::move(path),
                                    .body = body.take(),
                                    .idempotency_key = quoted_key,
                                    .timeout = options.timeout});
  if (!answer) return Failure{answer.error()};
  if (answer->status != 201) return Failure{error_of(*answer)};
  const auto object = object_in(answer->body);
  const bool repeated = answer->replayed && !own;
  const auto read = [&](const Json& item) { return resource_of(item, repeated); };
  auto made = object ? items_in(*object, read) : std::nullopt;
  if (!made || made->size() != count) return Failure{odd_answer("what was made")};
  return *std::move(made);
}

Result<Resolution, Error> HttpRegistry::ask_about(std::string_view tenant, std::string_view text,
                                                  Ask ask) {
  if (auto fault = fault_of_tenant(tenant)) return Failure{*std::move(fault)};
  ResourceTarget target = read_target(types_, tenant, text);
  if (target.fault) return Resolution{invalid_answer(std::move(target)), std::nullopt};
  if (target.elsewhere) {
    Resolution stranger;
    stranger.answer.type = target.type;
    return stranger;
  }
  const auto answer = client_->ask(ask(target, tenant));
  if (!answer) return Failure{answer.error()};
  return resolution_of(*answer, target);
}

Result<LookUp, Error> HttpRegistry::look_up(std::string_view tenant, std::string_view text) {
  auto found = ask_about(tenant, text, [](const ResourceTarget& target, std::string_view whose) {
    return HttpCall{.target = path_of(target, whose)};
  });
  if (!found) return Failure{found.error()};
  return std::move(found->answer);
}

Result<Resolution, Error> HttpRegistry::resolve(std::string_view tenant, std::string_view text) {
  return ask_about(tenant, text, [](const ResourceTarget& target, std::string_view whose) {
    const std::string id =
        target.ancestors ? name_of(target, whose) : target.type->text_of(target.body);
    return HttpCall{.target = "/v1/resolve?tenant=" + encoded(whose) + "&id=" + encoded(id)};
  });
}

Result<LookUp, Error> HttpRegistry::retire(std::string_view tenant, std::string_view text) {
  auto found = ask_about(tenant, text, [](const ResourceTarget& target, std::string_view whose) {
    return HttpCall{.method = Method::del, .target = path_of(target, whose), .repeatable = false};
  });
  if (!found) return Failure{found.error()};
  return std::move(found->answer);
}

Result<LookUp, Error> HttpRegistry::undelete(std::string_view tenant, std::string_view text) {
  auto found = ask_about(tenant, text, [](const ResourceTarget& target, std::string_view whose) {
    return HttpCall{.method = Method::post,
                    .target = path_of(target, whose) + ":undelete",
                    .repeatable = false};
  });
  if (!found) return Failure{found.error()};
  return std::move(found->answer);
}

Result<Page, Error> HttpRegistry::list(std::string_view tenant, std::string_view type_name,
                                       const ListOptions& options) {
  if (auto fault = fault_of_tenant(tenant)) return Failure{*std::move(fault)};
  const auto type = type_named(types_, type_name);
  if (!type) return Failure{type.error()};
  auto path = options.parent.empty()
                  ? Result<std::string, Error>("/v1/" + collection_of(tenant, **type))
                  : collection_path(tenant, **type, options.parent);
  if (!path) return Failure{path.error()};
  std::string target = *path + "?page_size=" + std::to_string(options.page_size);
  if (options.deleted) target += "&state=deleted";
  if (!options.page_token.empty()) target += "&page_token=" + encoded(options.page_token);
  const auto answer = client_->ask({.target = std::move(target)});
  if (!answer) return Failure{answer.error()};
  if (answer->status != 200) return Failure{error_of(*answer)};
  const auto object = object_in(answer->body);
  auto items = object ? items_in(*object, listed_of) : std::nullopt;
  const auto next = object ? text_in(*object, "next_page_token") : std::nullopt;
  if (!items || !next) return Failure{odd_answer("a page")};
  return Page{*std::move(items), std::string(*next)};
}

}  // namespace tessera
