// UUIDs from names: RFC 9562, sections 5.3 and 5.5.

#include "tessera/uuid.h"

#include <algorithm>

#include "core/digest.h"

namespace tessera {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

Uuid Uuid::name_v3(const Uuid& name_space, std::string_view name) noexcept {
  return stamped(detail::load_pair(detail::md5(name_space.bytes, bytes_of(name))), 3);
}

Uuid Uuid::name_v5(const Uuid& name_space, std::string_view name) noexcept {
  const auto digest = detail::sha1(name_space.bytes, bytes_of(name));
  std::array<std::uint8_t, kSize> first;
  std::copy_n(digest.begin(), kSize, first.begin());
  return stamped(detail::load_pair(first), 5);
}

}  // namespace tessera
