#pragma once

// Handout: the numbers of the current segment, given to any number of threads without a lock.
//
//    word: | generation: 36 bits | offset: 28 bits |      one fetch_add takes numbers
//              |
//              +--> slots[generation % 8]: start (the word at offset 0), first, mark, size
//
// A take is one fetch_add, compared with a slot. The offset was given to nobody else; it is good
// if it is below the size of the slot that the generation names, which never changes while the
// generation lives. There is no loop, and no pointer to anything that could be freed: slots are
// written again after eight switches. A thread that slept through all of them finds another
// generation in its slot, and its number is lost, not given twice (the slot's start is
// cleared before anything else in it changes, and read after everything else).
//
// The slot is read before the fetch_add, from where the current one should be, so that nothing
// but two comparisons stands between this fetch_add and the next: threads that contend for the
// word then pass it on as seldom as if they did nothing else. If the word has another generation
// by then, the slot is read again, the one that it names.
//
// A used-up segment leaves the offset too large. That room is 2^28 less a segment; takes of the
// lock-free sort add 4,096 at most, and whoever finds the offset far beyond goes through trim().
//
// The word lies in memory that the kernel wipes in a forked child: it finds generation 0, which
// has no numbers. Two processes never continue the same segment.
//
// take() and take_whole() are for any thread; everything else for one at a time, under the lock of
// the owner.

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
    const Quick quick = take_quickly(count);
    return quick.good ? Taken{quick.first, count, false} : look_again(quick.word, count);
  }

  // The part of take() that is worth its place in a caller's loop.
  struct Quick {
    bool good = false;
    std::uint64_t first = 0;  // if good: `count` numbers from here, none at the mark
    std::uint64_t word = 0;   // otherwise: ask look_again()
  };
  Quick take_quickly(std::uint64_t count) noexcept {
    // Acquire, in this order: who sees something newer than this generation in the slot also sees,
    // in the word, that the generation is over.
    const Slot& likely = *current_.load(std::memory_order_acquire);
    const std::uint64_t start = likely.start.load(std::memory_order_acquire);
    const std::uint64_t first = likely.first.load(std::memory_order_acquire);
    const std::uint64_t mark = likely.mark.load(std::memory_order_acquire);
    const std::uint64_t word = word_->fetch_add(count, std::memory_order_acquire);
    const std::uint64_t offset = word - start;  // of another generation: 2^28 or more
    if (count <= mark && offset <= mark - count) [[likely]] {
      return {.good = true, .first = first + offset};
    }
    return {.word = word};
  }

  // What take_quickly() of `count` has got after all: the segment was switched, or its mark met.
  Taken look_again(std::uint64_t word, std::uint64_t count) noexcept;

  // All of `count`, or none and nothing is lost: what is left stays for those who want less. Of any
  // size, since it never adds what is not there.
  Taken take_whole(std::uint64_t count) noexcept;

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
  static constexpr std::uint64_t kGenerationMax = (~std::uint64_t{0} >> kOffsetBits) - 1;
  static constexpr std::uint64_t kNoStart = (kGenerationMax + 1) << kOffsetBits;
  static constexpr std::uint64_t kOvershootMax = std::uint64_t{1} << 20;
  static constexpr std::size_t kSlotCount = 8;
  static_assert(static_cast<std::uint64_t>(Scope::kDrawMax) * 2 + kOvershootMax < kOffsetMax);

  struct alignas(64) Slot {
    std::atomic<std::uint64_t> start{kNoStart};
    std::atomic<std::uint64_t> first{0};
    std::atomic<std::uint64_t> mark{0};
    std::atomic<std::uint64_t> size{0};
  };

  // These two lie together: with many scopes a cache line more is what a take waits for.
  alignas(64) std::atomic<std::uint64_t>* word_;  // alone on a cache line of its own
  std::atomic<const Slot*> current_{nullptr};
  std::uint64_t generation_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t taken_before_ = 0;  // of earlier generations
  std::array<Slot, kSlotCount> slots_;
};

}  // namespace tessera
