#pragma once

// One line of a log: a range of numbers that a thread of a worker got, and when.
//
// 64 bytes, so that none crosses a page: a process that is killed in write(2) leaves whole records.
// All that segment_storm and segment_storm_check have in common.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace segment_storm {

enum class Order : std::uint8_t {
  process,  // through the cache: in order for each worker, and for those that follow it in its slot
  strict,   // one commit for each call: in order for all workers
  keyed,    // no order, but the same range for the same key
  leased,   // Snowflakes by a lease: in order for each worker
};
inline constexpr std::uint8_t kOrderCount = 4;

struct Record {
  static constexpr std::uint32_t kMagic = 0x4745'5354;  // "TSEG"

  std::uint32_t magic = kMagic;
  std::uint16_t slot = 0;  // of the worker; a worker that was killed is followed by another
  std::uint8_t thread = 0;
  Order order = Order::process;  // a scope for each
  std::uint32_t incarnation = 0;
  std::uint32_t number = 0;  // of this record in its thread, from 0, without holes
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t invoked_ns = 0;   // by CLOCK_MONOTONIC, which all processes share:
  std::uint64_t returned_ns = 0;  // what returned before another was invoked came before it
  std::uint64_t key = 0;
  std::uint64_t sum = 0;
};
static_assert(sizeof(Record) == 64 && 4096 % sizeof(Record) == 0);

// FNV-1a of all before `sum`.
inline std::uint64_t sum_of(const Record& record) noexcept {
  unsigned char bytes[offsetof(Record, sum)];
  std::memcpy(bytes, &record, sizeof bytes);
  std::uint64_t sum = 0xCBF2'9CE4'8422'2325;
  for (const unsigned char byte : bytes) sum = (sum ^ byte) * 0x100'0000'01B3;
  return sum;
}

}  // namespace segment_storm
