#pragma once

// Processes: the ways to copy one, and what a copy does first and last.

#include <sys/types.h>

#include <cstdint>

#include "dice.h"
#include "kinds.h"
#include "log.h"

namespace storm {

// ThreadSanitizer ends a child that starts threads, and no sanitizer's allocator can be used
// in a child that was copied while another thread held its lock.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

inline constexpr unsigned kDepthMax = 3;

// How large a storm is. `ids` is what the fork storm mints besides its children.
struct Storm {
  Log& log;
  const Kind& kind;
  std::uint64_t ids;
  std::uint64_t forks;  // of the fork storm, its children's own not counted
  std::uint64_t seed;
};

enum class Copy : std::uint8_t {
  fork,           // fork()
  raw_clone,      // the system call alone: no fork handler runs
  pid_namespace,  // the same, and the child is process 1 of a new namespace
};

// 0 in the child, which has then an alarm set that ends it if it hangs.
pid_t copy_process(Storm& storm, Copy how) noexcept;

// Waits for a child and fails if it did.
void wait_for(Storm& storm, pid_t child) noexcept;

// Mints `count` IDs into `stream`: one by one, and many at a time where the kind can.
void mint(Storm& storm, Stream& stream, std::uint64_t count) noexcept;

// In a child that has just been made: what a kind bound to its process must refuse, it has
// refused when this returns; then the child has a machine number of its own. False if there
// are none left: then it can mint nothing.
[[nodiscard]] bool begin_child(Storm& storm) noexcept;

// What a child's IDs must be above. To be asked before the fork: the log is shared, so that
// the child sees what its parent makes meanwhile.
Floor floor_for_child(const Storm& storm, const Stream& stream) noexcept;

// Returns in the first microseconds of a millisecond.
void await_fresh_ms() noexcept;

}  // namespace storm
