// Keeps and finds hints: a table of fixed size, by a hash of tenant, type and ID.

#include "store/key_hints.h"

#include <sys/mman.h>

#include <functional>

#include "tessera/detail/bytes.h"

namespace tessera {

// Of zeros, which are empty slots, and of pages that take no memory until they are written to.
KeyHints::KeyHints() noexcept {
  void* memory = mmap(nullptr, kLines * sizeof(Line), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) lines_.reset(static_cast<Line*>(memory));
}

void KeyHints::Unmap::operator()(Line* lines) const noexcept {
  munmap(lines, kLines * sizeof(Line));
}

// Never 0, which is the mark of an empty slot. The place is by the lowest bits.
std::uint64_t KeyHints::mark_of(const IssuedId& id) noexcept {
  constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;  // 2^64 by the golden ratio
  std::uint64_t hash = std::hash<std::string_view>{}(id.tenant) + id.type.number;
  for (std::size_t half = 0; half < id.body.size(); half += 8) {
    hash = (hash ^ detail::load_be<8>(id.body.data() + half)) * kOdd;
    hash ^= hash >> 32;
  }
  return hash | std::uint64_t{1} << 63;
}

std::optional<std::int64_t> KeyHints::find(const IssuedId& id) noexcept {
  if (!lines_) return std::nullopt;
  const std::uint64_t mark = mark_of(id);
  Line& here = line(mark);
  for (const Slot& at : here.slots) {
    if (at.mark.load(std::memory_order_relaxed) != mark) continue;
    const std::int64_t key = at.key.load(std::memory_order_relaxed);
    if (&at == &here.slots.back()) put_first(here, mark, key);
    return key;
  }
  return std::nullopt;
}

void KeyHints::keep(const IssuedId& id, std::int64_t key) noexcept {
  if (!lines_) return;
  const std::uint64_t mark = mark_of(id);
  put_first(line(mark), mark, key);
}

void KeyHints::keep_new(const IssuedId& id, std::int64_t key) noexcept {
  if (!lines_) return;
  const std::uint64_t mark = mark_of(id);
  Slot& last = line(mark).slots.back();
  last.mark.store(mark, std::memory_order_relaxed);
  last.key.store(key, std::memory_order_relaxed);
}

// The place it had is free for the others to move up, or else that of the last.
void KeyHints::put_first(Line& line, std::uint64_t mark, std::int64_t key) noexcept {
  auto& slots = line.slots;
  std::size_t place = 0;
  while (place + 1 < slots.size() && slots[place].mark.load(std::memory_order_relaxed) != mark) {
    ++place;
  }
  for (; place > 0; --place) {
    const Slot& before = slots[place - 1];
    slots[place].mark.store(before.mark.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slots[place].key.store(before.key.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  slots[0].mark.store(mark, std::memory_order_relaxed);
  slots[0].key.store(key, std::memory_order_relaxed);
}

}  // namespace tessera
