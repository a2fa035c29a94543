#pragma once

// A worker: creates, retires, looks up and sweeps, with keys that others use at the same time,
// until it is killed. Says in its log what it was told.

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/registry/type.h"

namespace registry_storm {

// Bugs that the storm must find.
enum class Bug : std::uint8_t {
  none,
  early_answer,  // says that it is done, then does it
  no_key,        // does not keep the key
  filter_ahead,  // believes that it has read more than it has
};
Bug bug_of(std::string_view name);  // ends the program if there is none of that name

// A chain of two, one to be erased, and one that is short-lived in its filter.
tessera::RegistryTypes storm_types();

struct WorkerOptions {
  std::string url;
  std::string folder;
  std::string name;  // of the log
  std::uint64_t seed = 0;
  Bug bug = Bug::none;
};
int work(const WorkerOptions& options);  // returns only if it cannot go on

std::uint64_t now_ns();

}  // namespace registry_storm
