#pragma once

// Leases in memory, for tests and trials. Keeps every promise but one: it is gone with the object.

#include <memory>

#include "tessera/lease/store.h"
#include "tessera/source.h"

namespace tessera {

// The clock is that of the store, and must outlive it.
std::unique_ptr<LeaseStore> make_memory_lease_store(Clock& clock);

}  // namespace tessera
