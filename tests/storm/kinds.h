#pragma once

// What a storm can mint: the process-wide default generators, Snowflakes by machine number,
// and generators with a known bug, which a storm must find.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "tessera/mint_error.h"

namespace storm {

inline constexpr std::size_t kBatchMax = 300;  // more than generators take in one step

struct Kind {
  std::string_view name;
  std::size_t id_size;
  bool ordered;       // IDs of one process strictly increase, over all its threads
  bool above_parent;  // a child's IDs are above those that were made before the fork

  // Writes one ID, or says why there is none. Thread-safe.
  std::optional<tessera::MintError> (*mint)(std::uint8_t* out) noexcept;

  // Writes `count` IDs at once, at most kBatchMax; nullptr where there is no such call.
  std::optional<tessera::MintError> (*mint_many)(std::uint8_t* out,
                                                 std::size_t count) noexcept = nullptr;

  // Only for kinds that are bound to a process: makes this one the holder of `machine`. A
  // child has nothing to mint with before it has called this.
  void (*take_machine)(std::uint64_t machine) noexcept = nullptr;
};

std::span<const Kind> all_kinds() noexcept;

// ULIDs by a generator that others have shipped, and that the named part of a storm finds:
//    share-pool       random bytes are buffered and copied by fork      any fork
//    fork-handler     ... and thrown away in a handler of fork()        raw clone
//    pid-check        ... and thrown away when getpid() has changed     pid namespaces
//    thread-tick      each thread has an order of its own               turns
//    guarded-setup    a function-local static is set up on first use    first use: a child hangs
std::span<const Kind> all_bugs() noexcept;

const Kind* find_kind(std::span<const Kind> kinds, std::string_view name) noexcept;

}  // namespace storm
