#pragma once

// A store in memory, for tests and trials. Keeps every promise but one: it is gone with the object.

#include <memory>

#include "tessera/store/store.h"

namespace tessera {

std::unique_ptr<Store> make_memory_store();

}  // namespace tessera
