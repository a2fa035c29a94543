#pragma once

// What a command that needs a store goes by: tessera.yaml, then TESSERA_*, then flags.

#include <memory>
#include <vector>

#include "args.h"
#include "exit.h"
#include "tessera/config/config.h"
#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/segment/scope.h"
#include "tessera/service/snowflakes.h"
#include "tessera/store/store.h"

namespace tessera::cli {

// What is wrong has been complained about. Without a file, the defaults.
Result<Config, Exit> load_settings(const Args& args);

OpenOptions open_options(const Args& args);

// The database that the settings name, ready for use.
Result<std::unique_ptr<Store>, Exit> open_store(const Args& args, const Config& config);
// Likewise, or another Tessera: for who needs no more than scopes.
Result<std::unique_ptr<SegmentPorts>, Exit> open_segments(const Args& args, const Config& config);

// Likewise, for who needs machine numbers.
Result<std::shared_ptr<LeaseStore>, Exit> open_leases(const Args& args, const Config& config);

Scope scope_of(const Config& config, const ScopeConfig& declared);
std::vector<service::DeclaredSnowflakes> snowflakes_of(const Config& config);

// Complains, and says how to end: 1 for what will not be so, 2 for a wrong call, 4 for a store
// that did not answer or must not be used.
Exit complain_of(const Error& error);

}  // namespace tessera::cli
