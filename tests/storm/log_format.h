#pragma once

// The file that storm writes and storm_check reads.
//
//    | header | block | block | block | ...      each of 4,096 bytes
//    block:  | head: 40 bytes | IDs, as many as fit |
//
// A stream is what one thread of one process made, in the order in which it was made. Its
// blocks are numbered from 0 and stand in the file in that order, between those of others.
// Numbers are in the machine's own byte order: a log is read where it was written.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace storm {

inline constexpr std::size_t kBlockSize = 4096;
inline constexpr std::size_t kIdSizeMax = 20;
inline constexpr std::array<char, 8> kMagic = {'S', 'T', 'O', 'R', 'M', ' ', '1', '\n'};

using IdBytes = std::array<std::uint8_t, kIdSizeMax>;  // the kind says how many of them count

// What the maker of a stream was doing.
enum class Origin : std::uint8_t {
  fork_storm,
  fresh_ms,
  pid_namespace,
  raw_clone,
  turns,
  first_use
};

inline constexpr std::array<std::string_view, 6> kOriginNames = {
    "fork storm", "fresh millisecond", "pid namespace", "raw clone", "turns", "first use"};

struct Header {
  std::array<char, 8> magic;
  std::array<char, 16> kind;
  std::uint32_t id_size;
  std::uint32_t ordered;  // 1: the IDs of a stream strictly increase
  std::uint64_t seed;
  std::uint64_t block_count;  // how many the file has room for

  // Shared by all processes of a storm, and changed as atomics only.
  std::uint64_t blocks_used;
  std::uint64_t stream_count;
  std::uint64_t fork_count;
  std::uint64_t machine_count;  // machine numbers taken
  std::uint32_t failed;
  std::array<char, 256> failure;  // why, in words; of the first that failed
};

struct BlockHead {
  std::uint64_t stream;
  std::uint32_t sequence;  // of the block in its stream
  std::uint32_t count;     // of IDs in it
  Origin origin;
  std::uint8_t depth;      // how many forks below the processes that storm starts
  std::uint8_t has_floor;  // 1: every ID of the stream is above `floor`
  std::uint8_t reserved;
  IdBytes floor;
};

struct Block {
  BlockHead head;
  std::array<std::uint8_t, kBlockSize - sizeof(BlockHead)> ids;
};

static_assert(sizeof(Header) <= kBlockSize);
static_assert(sizeof(BlockHead) == 40);
static_assert(sizeof(Block) == kBlockSize);

constexpr std::size_t ids_per_block(std::size_t id_size) noexcept {
  return sizeof(Block::ids) / id_size;
}

}  // namespace storm
