#pragma once

// The key of short IDs, from its file. Never from the command line, which others can see.

#include <string>

#include "args.h"
#include "exit.h"
#include "tessera/config/config.h"
#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/short_cipher.h"

namespace tessera::cli {

// By --key-file, else by what the settings say. What is wrong has been complained about, without
// a character of the key.
Result<ShortKey, Exit> read_short_key(const Args& args, const Config& config);
Result<ShortKey, Error> read_short_key(const std::string& path);

}  // namespace tessera::cli
