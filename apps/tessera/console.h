#pragma once

// The web console, as it was built into this program.

#include <span>

#include "tessera/service/asset.h"

namespace tessera::cli {

// None if it was built without. cmake/console.cmake says where they come from.
std::span<const service::Asset> console_assets() noexcept;

}  // namespace tessera::cli
