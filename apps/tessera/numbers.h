#pragma once

// Numbers of a scope, straight from the store: as many as were asked for, and none wasted.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "args.h"
#include "exit.h"
#include "tessera/config/config.h"
#include "tessera/segment/store.h"

namespace tessera::cli {

// For the range log: who was it?
std::string holder_name(std::string_view role = "cli");

// One draw. A scope that is declared in the configuration and not yet in the store is made.
Result<Draw, Error> draw(SegmentPorts& store, const Config& config, const DrawRequest& request);

enum class Numbers : std::uint8_t { each, as_range };

// As many as --count says, in one draw or several, each given to `use` when it is there. With --key
// once. What is wrong has been complained about.
Exit draw_numbers(const Args& args, SegmentPorts& store, const Config& config,
                  std::string_view scope, const std::function<void(const Draw&)>& use);

// Heeds --count, --key, --json and --null. A scope that is declared in the configuration and not
// yet in the store is made.
Exit print_numbers(const Args& args, SegmentPorts& store, const Config& config,
                   std::string_view scope, Numbers how);

}  // namespace tessera::cli
