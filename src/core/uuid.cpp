// UUIDs from names (RFC 9562, sections 5.3 and 5.5), and the texts of many.

#include "tessera/uuid.h"

#include <algorithm>
#include <cstdlib>

#include "core/digest.h"

namespace tessera {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

void write_texts(std::span<const Uuid> ids, char separator, std::span<char> out) noexcept {
  if (out.size() < ids.size() * (Uuid::kTextSize + 1)) std::abort();
  char* line = out.data();
  for (const Uuid& id : ids) {
    id.write_text(std::span<char, Uuid::kTextSize>(line, Uuid::kTextSize));
    line[Uuid::kTextSize] = separator;
    line += Uuid::kTextSize + 1;
  }
}

std::size_t parse_texts(std::span<const std::string_view> texts,
                        std::span<Result<Uuid, ParseError>> out) noexcept {
  if (out.size() < texts.size()) std::abort();
  std::size_t good = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out[i] = Uuid::parse(texts[i]);
    if (out[i]) ++good;
  }
  return good;
}

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
