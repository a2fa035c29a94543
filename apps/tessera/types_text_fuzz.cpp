// Any list of types: read or refused, and every type that is read can be written, and read again.

#include <string>

#include "support/fuzz.h"
#include "types_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  const auto table = cli::parse_types(fuzz::as_text(data, size));
  if (!table) return 0;
  std::string again;
  for (const ResourceType* type : table->types()) {
    again += type->name + ' ' + type->prefix + ' ' + std::string(name_of(type->style)) + ' ';
    again += type->separator;
    again += '\n';
  }
  const auto second = cli::parse_types(again);
  fuzz::require(second && second->types().size() == table->types().size());
  return 0;
}
