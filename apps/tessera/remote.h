#pragma once

// Another Tessera as the store: its token and its authorities, from the environment.
//
//    TESSERA_TOKEN         the token itself
//    TESSERA_TOKEN_FILE    or a file whose first line it is
//    TESSERA_CA_FILE       whom to believe, in PEM; else whom the system believes

#include <memory>
#include <string_view>

#include "tessera/client/http_client.h"
#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera::cli {

Result<std::shared_ptr<HttpClient>, Error> open_remote(std::string_view url);

// Whether a variable is one of these, and none of the settings.
bool is_remote_variable(std::string_view name) noexcept;

}  // namespace tessera::cli
