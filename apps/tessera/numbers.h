#pragma once

// Numbers of a scope, straight from the store: as many as were asked for, and none wasted.

#include <cstdint>
#include <string_view>

#include "args.h"
#include "exit.h"
#include "tessera/config/config.h"
#include "tessera/store/store.h"

namespace tessera::cli {

enum class Numbers : std::uint8_t { each, as_range };

// Heeds --count, --key, --json and --null. A scope that is declared in the configuration and not
// yet in the store is made.
Exit print_numbers(const Args& args, Store& store, const Config& config, std::string_view scope,
                   Numbers how);

}  // namespace tessera::cli
