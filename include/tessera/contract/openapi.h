#pragma once

// An OpenAPI document, 3.0 or 3.1, JSON or YAML: whether its parameters, requests and answers keep
// the contract. References within the document are followed; those to other files are not.

#include <string_view>

#include "tessera/contract/declared.h"
#include "tessera/contract/finding.h"

namespace tessera::contract {

Findings check_openapi(std::string_view bytes, std::string_view file, const Declared& declared);

}  // namespace tessera::contract
