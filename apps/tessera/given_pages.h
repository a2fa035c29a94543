#pragma once

// Memory that is given to a pipe instead of being copied into it.

#include <cstddef>
#include <span>

namespace tessera::cli {

// Fresh memory, a piece at a time. A piece that was given is never written again: whoever reads
// the pipe may have passed the very pages on (splice, tee) and look at them later. So all memory
// here is new, which is faster than copying only where the system gives out huge pages.
class GivenPages {
 public:
  static constexpr std::size_t kPiece = 128 * 1024;

  GivenPages() = default;
  GivenPages(const GivenPages&) = delete;
  GivenPages& operator=(const GivenPages&) = delete;
  ~GivenPages();

  // Whether `fd` is a pipe, and huge pages may be asked for.
  static bool suit(int fd);

  // The next kPiece bytes; none if there is no memory, or it did not come as huge pages.
  std::span<char> next();

  // What could not be given, and is to be written in the usual way: all if the system knows no
  // such thing, or nobody reads any more.
  static std::span<const char> give(int fd, std::span<const char> filled);

 private:
  void drop();

  char* region_ = nullptr;
  std::size_t used_ = 0;
  long faults_before_ = 0;
};

}  // namespace tessera::cli
