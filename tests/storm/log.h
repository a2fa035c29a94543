#pragma once

// Log: the shared memory that all processes of a storm write their IDs to. It is a mapped
// file, so that what a process wrote stays when it dies.
//
// Thread-safe and fork-safe: a child goes on with the same mapping. Nothing here allocates,
// because a child of a process with threads may not.

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

#include "dice.h"
#include "log_format.h"

namespace storm {

// Ends this process at once, and no sanitizer asks a child for the threads of its parent.
[[noreturn]] void leave(int exit_code) noexcept;

class Log {
 public:
  // Makes the file, with room for `block_count` blocks. Where it cannot, says why on stderr
  // and exits with 2.
  Log(const std::string& path, std::string_view kind, std::size_t id_size, bool ordered,
      std::uint64_t block_count, std::uint64_t seed);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  Block& new_block() noexcept;
  std::uint64_t new_stream() noexcept;
  std::uint64_t new_machine() noexcept;
  void count_fork() noexcept;

  // Writes down why, if nobody did before, and ends this process with 1.
  [[noreturn]] void fail(std::string_view why) noexcept;

  std::size_t id_size() const noexcept { return header_->id_size; }
  std::uint64_t seed() const noexcept { return header_->seed; }
  std::uint64_t blocks_used() const noexcept;
  std::uint64_t fork_count() const noexcept;
  std::string failure() const;  // empty if there was none

 private:
  Header* header_;
  Block* blocks_;
  std::size_t size_;
};

// What a child's IDs must be above.
struct Floor {
  bool some = false;
  IdBytes id{};
};

// The IDs of one thread. Not thread-safe; a forked child opens one of its own.
class Stream {
 public:
  Stream(Log& log, Origin origin, unsigned depth, const Floor& floor = {}) noexcept
      : log_(log),
        number_(log.new_stream()),
        dice_(log.seed() ^ ~number_),
        origin_(origin),
        depth_(depth),
        floor_(floor) {}

  // Where the next ID goes; it counts as written when commit() was called.
  std::span<std::uint8_t> next() noexcept;
  void commit() noexcept { ++block_->head.count; }

  // `count` IDs that stand one behind the other.
  void append(const std::uint8_t* ids, std::size_t count) noexcept;

  std::uint64_t number() const noexcept { return number_; }
  Dice& dice() noexcept { return dice_; }
  Floor last() const noexcept;  // the newest ID; the stream's own floor before the first

 private:
  Log& log_;
  std::uint64_t number_;
  Dice dice_;
  Origin origin_;
  unsigned depth_;
  Floor floor_;
  Block* block_ = nullptr;
  std::uint32_t block_count_ = 0;
};

}  // namespace storm
