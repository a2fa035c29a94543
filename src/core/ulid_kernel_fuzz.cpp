// Any bytes, as a separator and ULIDs: every kernel writes what each ULID writes itself, and not
// one byte behind.

#include <vector>

#include "core/ulid_kernel.h"
#include "support/fuzz.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

std::string texts_by(detail::UlidTextsWriter kernel, std::span<const Ulid> ids, char separator) {
  // On the heap and of the exact size: what is written behind it is found by the sanitizer.
  std::vector<char> buffer(ids.size() * (Ulid::kTextSize + 1));
  kernel(ids, separator, buffer.data());
  return {buffer.begin(), buffer.end()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char separator = static_cast<char>(data[0]);
  std::vector<Ulid> ids;
  for (std::size_t at = 1; at < size; at += Ulid::kSize) {
    ids.push_back(id_of<Ulid>(data + at, size - at));
  }
  std::string expected;
  for (const Ulid& id : ids) expected += id.to_string() + separator;
  for (const auto kernel : detail::ulid_texts_writers()) {
    require(texts_by(kernel, ids, separator) == expected);
  }
  return 0;
}
