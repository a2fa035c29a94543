#pragma once

// The file of tokens: read by the service, changed by `tessera token`.

#include <functional>
#include <string>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/service/tokens.h"

namespace tessera::cli {

// A file that others may read or write is refused: what is in it opens nothing, but it says who may
// do what. One that is not there is not_found.
Result<service::TokenTable, Error> read_tokens_file(const std::string& path);

// Reads it, changes it and writes it, while nobody else does. A crash leaves the old one or the
// new one. One that is not there is made, for this user only.
std::optional<Error> change_tokens_file(
    const std::string& path,
    const std::function<std::optional<Error>(std::vector<service::Token>&)>& change);

}  // namespace tessera::cli
