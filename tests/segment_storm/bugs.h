#pragma once

// Stores with bugs that others have shipped, so that the storm is known to find them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/segment/store.h"

namespace segment_storm {

enum class Bug : std::uint8_t {
  none,
  early_answer,     // the range is handed out, then committed
  reuse_unknown,    // after a lost answer the last range below the mark is taken for one's own
  read_then_write,  // the mark is read, and written higher, without a lock
};

std::optional<Bug> find_bug(std::string_view name);

// A store with the bug, on the table of `store`, which must outlive it.
std::unique_ptr<tessera::SegmentStore> make_buggy(Bug bug, tessera::SegmentStore& store,
                                                  const std::string& url, std::uint64_t seed);

}  // namespace segment_storm
