// A program that was built without the web console.

#include "console.h"

namespace tessera::cli {

std::span<const service::Asset> console_assets() noexcept { return {}; }

}  // namespace tessera::cli
