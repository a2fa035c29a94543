// The declared types, as the page got them from GET /v1/types: TESSERA_TYPES="order ord ulid _\n…".

#include <cstdlib>

#include "args.h"
#include "output.h"
#include "types.h"
#include "types_text.h"

namespace tessera::cli {

Result<Types, Exit> load_types(const Args& args) {
  if (args.has("config")) return Failure{usage_error("--config: a web page reads no files")};
  const char* declared = std::getenv("TESSERA_TYPES");
  if (declared == nullptr) return Types{};
  auto table = parse_types(declared);
  if (!table) return Failure{usage_error("the declared types of the service cannot be read")};
  return Types{.table = *std::move(table), .file = "the service"};
}

}  // namespace tessera::cli
