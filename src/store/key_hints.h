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

// Thread-safe, without a lock. Of fixed size, eight megabytes, of which the system gives what is
// used: a new hint takes the place of an old one. Without memory there are no hints.
class KeyHints {
 public:
  static constexpr std::size_t kCount = std::size_t{1} << 19;

  KeyHints() noexcept;

  // Asks for the memory where a hint would be, so that find() need not wait for it.
  void expect(const IssuedId& id) const noexcept {
    if (lines_) __builtin_prefetch(&line(mark_of(id)));
  }
  std::optional<std::int64_t> find(const IssuedId& id) noexcept;
  void keep(const IssuedId& id, std::int64_t key) noexcept;
  // Of one that nobody has asked for yet: it takes the place of another such, if it can. So who
  // creates millions does not drive out what is asked for.
  void keep_new(const IssuedId& id, std::int64_t key) noexcept;

 private:
  // Each is read and written by itself: a mark beside another's key is a wrong hint, no more.
  struct Slot {
    std::atomic<std::uint64_t> mark{0};
    std::atomic<std::int64_t> key{0};
  };
  // Four IDs that meet keep their hints: the last place is for a new one, which moves to the first
  // when it is asked for. They are one cache line.
  struct Line {
    alignas(64) std::array<Slot, 4> slots;
  };
  static constexpr std::size_t kLines = kCount / 4;

  struct Unmap {
    void operator()(Line* lines) const noexcept;
  };

  static std::uint64_t mark_of(const IssuedId& id) noexcept;
  static void put_first(Line& line, std::uint64_t mark, std::int64_t key) noexcept;
  Line& line(std::uint64_t mark) const noexcept { return lines_[mark % kLines]; }

  std::unique_ptr<Line[], Unmap> lines_;
};

}  // namespace tessera
