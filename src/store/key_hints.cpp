// Keeps and finds hints: a table of fixed size, by a hash of tenant, type and ID.

#include "store/key_hints.h"

#include "tessera/detail/bytes.h"

#include <functional>

namespace tessera {

// Never 0, which is the mark of an empty slot.
std::uint64_t KeyHints::mark_of(const IssuedId& id) noexcept {
  constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;  // 2^64 by the golden ratio
  std::uint64_t hash = std::hash<std::string_view>{}(id.tenant) + id.type.number;
  for (std::size_t half = 0; half < id.body.size(); half += 8) {
    hash = (hash ^ detail::load_be<8>(id.body.data() + half)) * kOdd;
    hash ^= hash >> 32;
  }
  return hash | 1 << 15;
}

std::optional<std::int64_t> KeyHints::find(const IssuedId& id) const noexcept {
  const std::uint64_t mark = mark_of(id);
  for (const Slot& at : pair(mark).slots) {
    if (at.mark.load(std::memory_order_relaxed) != mark) continue;
    return at.key.load(std::memory_order_relaxed);
  }
  return std::nullopt;
}

void KeyHints::keep(const IssuedId& id, std::int64_t key) noexcept {
  const std::uint64_t mark = mark_of(id);
  auto& [first, second] = pair(mark).slots;
  if (const std::uint64_t before = first.mark.load(std::memory_order_relaxed); before != mark) {
    second.mark.store(before, std::memory_order_relaxed);
    second.key.store(first.key.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  first.mark.store(mark, std::memory_order_relaxed);
  first.key.store(key, std::memory_order_relaxed);
}

}  // namespace tessera
