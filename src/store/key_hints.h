#pragma once

// Where the rows of IDs were found before: a guess that saves the way through an index.
//
// In SQLite and MariaDB a row that is found by its key costs one search, and by tenant and ID two.
// A hint only says which key to try: the statement that tries it asks for tenant and ID as well, so
// a hint that is wrong finds nothing, and nobody learns from it what is another tenant's.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "tessera/registry/store.h"

namespace tessera {

// Thread-safe, without a lock. Of fixed size: a new hint takes the place of an old one.
class KeyHints {
 public:
  KeyHints() : pairs_(std::make_unique<std::array<Pair, kPairs>>()) {}

  // Asks for the memory where a hint would be, so that find() need not wait for it.
  void expect(const IssuedId& id) const noexcept { __builtin_prefetch(&pair(mark_of(id))); }
  std::optional<std::int64_t> find(const IssuedId& id) const noexcept;
  void keep(const IssuedId& id, std::int64_t key) noexcept;

 private:
  static constexpr std::size_t kPairs = std::size_t{1} << 14;

  // Each is read and written by itself: a mark beside another's key is a wrong hint, no more.
  struct Slot {
    std::atomic<std::uint64_t> mark{0};
    std::atomic<std::int64_t> key{0};
  };
  // Two IDs that meet keep both their hints: the newer one is first. Never in two cache lines.
  struct Pair {
    alignas(2 * sizeof(Slot)) std::array<Slot, 2> slots;
  };

  static std::uint64_t mark_of(const IssuedId& id) noexcept;
  Pair& pair(std::uint64_t mark) const noexcept { return (*pairs_)[mark % kPairs]; }

  std::unique_ptr<std::array<Pair, kPairs>> pairs_;
};

}  // namespace tessera
