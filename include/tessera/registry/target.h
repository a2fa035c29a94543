#pragma once

// What a text means to a registry: a public ID, a resource name, or neither.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/parse_error.h"
#include "tessera/registry/port.h"
#include "tessera/registry/type.h"
#include "tessera/result.h"

namespace tessera {

struct ResourceTarget {
  const RegisteredType* type = nullptr;
  IdBody body{};
  // By name: the parent, its parent, and so on, as the text has them.
  std::optional<std::vector<IdBody>> ancestors{};
  bool elsewhere = false;  // the name is of another tenant: asked for, and never issued

  std::optional<ParseError> fault{};
  std::string correction{};
  bool alias = false;
};

// Asks nobody. Where there is a fault, `type` is as far as the text says.
ResourceTarget read_target(const RegistryTypes& types, std::string_view tenant,
                           std::string_view text);

// The answer about a text that is none.
LookUp invalid_answer(ResourceTarget target);

// What a thing of `type` is to be in, as the text says. The target has no type, if it needs no
// parent; whether the parent is there, a store says.
Result<ResourceTarget, Error> read_parent(const RegistryTypes& types, const RegisteredType& type,
                                          std::string_view tenant, std::string_view parent);
// The error of a parent that is not there.
Error no_parent(const RegisteredType& type, std::string_view parent);

// The error of a type that is not declared.
Result<const RegisteredType*, Error> type_named(const RegistryTypes& types, std::string_view name);

// "tenants/acme/stores/st_…/products/prd_…". `ancestors` begin with the parent.
std::string resource_name_of(std::string_view tenant, const RegisteredType& type,
                             std::span<const IdBody> ancestors, const IdBody& body);

}  // namespace tessera
