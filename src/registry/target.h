#pragma once

// What a text means to the registry: a public ID, or a resource name.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/parse_error.h"
#include "tessera/registry/registry.h"

namespace tessera {

struct Registry::Target {
  const RegisteredType* type = nullptr;
  IdBody body{};
  // By name: the parent, its parent, and so on, as the text has them.
  std::optional<std::vector<IdBody>> ancestors{};
  bool elsewhere = false;  // the name is of another tenant: asked for, and never issued

  std::optional<ParseError> fault{};
  std::string correction{};
  bool alias = false;
};

// The text that may have been meant by one that is no ID of this type; often empty.
std::string likely_id(const RegisteredType& type, std::string_view text);
// The same for a text of no known type.
std::string likely_id(const RegistryTypes& types, std::string_view text);

}  // namespace tessera
