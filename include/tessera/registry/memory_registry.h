#pragma once

// The registry in memory, for tests and trials.

#include <memory>

#include "tessera/registry/store.h"
#include "tessera/source.h"

namespace tessera {

// What was issued; the registries of one store share it. Clock and types outlive the registries.
struct MemoryRegistryData;
std::shared_ptr<MemoryRegistryData> make_memory_registry_data();
// All that is there now; and back to it, as when an old backup is restored. Others may be at work.
std::shared_ptr<const MemoryRegistryData> back_up(MemoryRegistryData& data);
void restore(MemoryRegistryData& data, const MemoryRegistryData& backup);
std::unique_ptr<RegistryStore> make_memory_registry(std::shared_ptr<MemoryRegistryData> data,
                                                    const RegistryTypes& types, Clock& clock);

}  // namespace tessera
