#pragma once

// MembershipFilter: "was never here" without asking the database, and never wrong about it.
//
//    hash.high ---> one block of 64 bytes: a cache line, so one miss for each look-up
//    hash.low  ---> which of its 512 bits, up to 14
//
//   const auto filter = MembershipFilter::make(10'000'000, 0.001);
//   (*filter)->insert(hash_of(bytes));
//   if (!(*filter)->may_contain(hash_of(other))) ...     never inserted; else: ask the store
//
// A blocked Bloom filter. Blocks fill unevenly, which the textbook formula passes over; the size
// comes from the formula that does not, so that the rate holds at capacity (filter_test.cpp
// measures it). Past capacity nothing is forgotten, but the rate rises: overfull() says so, and
// the owner makes a larger one from what it keeps.
//
// Thread-safe: insert() and may_contain() may meet. Who hears of a key after its insert() has
// returned finds it; the news itself must come by something that orders memory, as a lock, a
// queue or a database does.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera {

// Bits of a key, evenly spread.
struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend constexpr bool operator==(const Hash128&, const Hash128&) = default;
};

// For keys that are not evenly spread, as IDs with a time in them. The same for ever: filters
// are kept in files. Not for secrets.
Hash128 hash_of(std::span<const std::uint8_t> key) noexcept;

class MembershipFilter {
 public:
  static constexpr std::uint64_t kCapacityMax = std::uint64_t{1} << 32;
  static constexpr double kRateMin = 1e-6;
  static constexpr double kRateMax = 0.5;

  // For `capacity` keys, of which others are taken for one at `rate` at most: 0.001 is one in a
  // thousand. invalid_request beyond the bounds above; overloaded if there is no memory.
  static Result<std::unique_ptr<MembershipFilter>, Error> make(std::uint64_t capacity, double rate);

  MembershipFilter(const MembershipFilter&) = delete;
  MembershipFilter& operator=(const MembershipFilter&) = delete;

  // Whether that changed anything: if not, the key was there, or another looked like it.
  bool insert(const Hash128& hash) noexcept;

  // False: never inserted. True: inserted, or one of rate().
  bool may_contain(const Hash128& hash) const noexcept {
    const Block& block = blocks_[index_of(hash)];
    // To the end, though one bit that is missing says it all: nobody could foretell which it is,
    // and a wrong guess costs more than the loads, which are of one line.
    std::uint64_t all = 1;
    const auto probe = [&](std::uint64_t word) {
      all &= block.words[word >> 6 & 7].load(std::memory_order_relaxed) >> (word & 63);
    };
    const auto probe_some = [&](std::uint64_t word, unsigned count) {
      for (; count > 0; --count, word >>= 9) probe(word);
    };
    if (probes_ < kProbesOfOneWord) {
      probe_some(hash.low, probes_);
      return all != 0;
    }
    const auto probe_each = [&]<unsigned... kth>(std::integer_sequence<unsigned, kth...>) {
      (probe(hash.low >> 9 * kth), ...);
    };
    probe_each(std::make_integer_sequence<unsigned, kProbesOfOneWord>());
    if (probes_ > kProbesOfOneWord) probe_some(second_word(hash), probes_ - kProbesOfOneWord);
    return all != 0;
  }

  std::uint64_t capacity() const noexcept { return capacity_; }
  double rate() const noexcept { return rate_; }  // as declared
  // Inserts that changed something: keys, but for those that looked like others.
  std::uint64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  bool overfull() const noexcept { return count() > capacity_; }
  // What the rate is by now, by the formula.
  double rate_now() const noexcept;
  std::uint64_t bytes() const noexcept { return block_count_ * sizeof(Block); }

  // As bytes with a version and a checksum. Keys that are inserted meanwhile may be missing.
  std::vector<std::uint8_t> serialize() const;
  // Anything but the bytes of serialize() is invalid_request, and nothing is allocated for it.
  static Result<std::unique_ptr<MembershipFilter>, Error> deserialize(
      std::span<const std::uint8_t> bytes);

 private:
  static constexpr unsigned kProbesOfOneWord = 7;  // of nine bits each
  static constexpr unsigned kProbesMax = 2 * kProbesOfOneWord;

  struct alignas(64) Block {
    std::atomic<std::uint64_t> words[8];
  };

  MembershipFilter(std::uint64_t capacity, double rate, std::uint64_t block_count,
                   unsigned probes) noexcept;
  static Result<std::unique_ptr<MembershipFilter>, Error> with_memory(std::uint64_t capacity,
                                                                      double rate,
                                                                      std::uint64_t block_count,
                                                                      unsigned probes);

  std::uint64_t index_of(const Hash128& hash) const noexcept {
    // As high * block_count / 2^64: no division.
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(hash.high) * block_count_ >> 64);
  }
  static std::uint64_t second_word(const Hash128& hash) noexcept {
    const std::uint64_t mixed = (hash.low ^ hash.high) * 0x9E37'79B9'7F4A'7C15;
    return mixed ^ mixed >> 32;
  }

  std::uint64_t capacity_;
  double rate_;
  std::uint64_t block_count_;
  unsigned probes_;
  std::unique_ptr<Block[]> blocks_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace tessera
