#pragma once

// Stores with bugs that others have shipped, so that the storm is known to find them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/lease/store.h"
#include "tessera/segment/store.h"

namespace segment_storm {

enum class Bug : std::uint8_t {
  none,
  early_answer,     // the range is handed out, then committed
  reuse_unknown,    // after a lost answer the last range below the mark is taken for one's own
  read_then_write,  // the mark is read, and written higher, without a lock
  tells_unflushed,  // what was drawn for a key is told again before it is on disk; on MariaDB
  go_on_alone,      // without an answer in time it goes on behind the last range it knows
  async_standby,    // of the server, not of the store: commits do not wait for the standby
  ignore_limit,     // of who holds a lease: goes on by its own clock, whatever was reserved
};

std::optional<Bug> find_bug(std::string_view name);

// A store with the bug, on the table of `store`, which must outlive it.
std::unique_ptr<tessera::SegmentStore> make_buggy(Bug bug, tessera::SegmentStore& store,
                                                  const std::string& url, std::uint64_t seed);
// The same of leases. None, if the bug is not one of theirs.
std::unique_ptr<tessera::LeaseStore> make_buggy(Bug bug, tessera::LeaseStore& store);

}  // namespace segment_storm
