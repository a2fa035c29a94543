#pragma once

// Handout: the numbers of the current segment, given to any number of threads without a lock.
//
//    word: | generation: 36 bits | offset: 28 bits |      one fetch_add takes numbers
//              |
//              +--> slots[generation % 8]: first, size, mark, generation
//
// A take is one fetch_add and a look at the slot that the generation names. The offset was given
// to nobody else; it is good if it is below the size of that slot, which never changes while the
// generation lives. There is no loop, and no pointer to anything that could be freed: slots are
// written again after eight switches. A thread that slept through all of them finds another
// generation in its slot, and its number is lost, not given twice (the slot's generation is
// cleared before anything else in it changes, and read after everything else).
//
// A used-up segment leaves the offset too large. That room is 2^28 less a segment; takes of the
// lock-free sort add 4,096 at most, and whoever finds the offset far beyond goes through trim().
//
// The word lies in memory that the kernel wipes in a forked child: it finds generation 0, which
// has no numbers. Two processes never continue the same segment.
//
// take() is for any thread; everything else for one at a time, under the lock of the owner.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tessera/segment/store.h"

namespace tessera {

class Handout {
 public:
  static constexpr std::uint64_t kTakeMax = 4096;  // without the lock of the owner

  struct Taken {
    std::uint64_t first = 0;
    std::uint64_t count = 0;  // less than asked for: the segment ended
    bool at_mark = false;     // this take, and no other, has crossed the mark
  };

  Handout();
  ~Handout();
  Handout(const Handout&) = delete;
  Handout& operator=(const Handout&) = delete;

  Taken take(std::uint64_t count) noexcept {
    // Acquire: who sees a generation sees its slot.
    const std::uint64_t word = word_->fetch_add(count, std::memory_order_acquire);
    const std::uint64_t generation = word >> kOffsetBits;
    const std::uint64_t offset = word & kOffsetMax;
    const Slot& slot = slots_[generation % kSlotCount];
    const std::uint64_t first = slot.first.load(std::memory_order_acquire);
    const std::uint64_t mark = slot.mark.load(std::memory_order_acquire);
    if (offset + count <= mark) [[likely]] {
      if (slot.generation.load(std::memory_order_relaxed) == generation) [[likely]] {
        return {first + offset, count, false};
      }
      return {};
    }
    const std::uint64_t size = slot.size.load(std::memory_order_acquire);
    if (slot.generation.load(std::memory_order_relaxed) != generation) return {};
    if (offset >= size) return {};
    const std::uint64_t left = size - offset;
    return {first + offset, count < left ? count : left, offset <= mark && mark < size};
  }

  // Whether the current segment may hold `count` more; others may be faster.
  bool may_have(std::uint64_t count) const noexcept {
    const std::uint64_t word = word_->load(std::memory_order_acquire);
    const Slot& slot = slots_[(word >> kOffsetBits) % kSlotCount];
    return (word & kOffsetMax) + count <= slot.size.load(std::memory_order_relaxed);
  }

  // Makes `segment` (of Scope::kDrawMax numbers at most; none is allowed) the current one, and
  // says how many of the last one were never taken. They never will be.
  std::uint64_t publish(Segment segment) noexcept;

  // The take that reaches this offset is told so. At most the size, which means: none is told.
  void set_mark(std::uint64_t offset) noexcept;

  // After a take that got nothing: makes room if the offset has run far beyond the size.
  void trim() noexcept;

  std::uint64_t size() const noexcept { return size_; }  // of the current segment
  std::uint64_t left() const noexcept;                   // of it, not yet taken
  std::uint64_t taken() const noexcept;                  // of all segments

 private:
  static constexpr unsigned kOffsetBits = 28;
  static constexpr std::uint64_t kOffsetMax = (std::uint64_t{1} << kOffsetBits) - 1;
  static constexpr std::uint64_t kGenerationMax = ~std::uint64_t{0} >> kOffsetBits;
  static constexpr std::uint64_t kNoGeneration = ~std::uint64_t{0};
  static constexpr std::uint64_t kOvershootMax = std::uint64_t{1} << 20;
  static constexpr std::size_t kSlotCount = 8;
  static_assert(static_cast<std::uint64_t>(Scope::kDrawMax) * 2 + kOvershootMax < kOffsetMax);

  struct alignas(64) Slot {
    std::atomic<std::uint64_t> generation{kNoGeneration};
    std::atomic<std::uint64_t> first{0};
    std::atomic<std::uint64_t> mark{0};
    std::atomic<std::uint64_t> size{0};
  };

  std::atomic<std::uint64_t>* word_;  // alone on its page
  std::array<Slot, kSlotCount> slots_;
  std::uint64_t generation_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t taken_before_ = 0;  // of earlier generations
};

}  // namespace tessera
