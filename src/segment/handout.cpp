// The hand-out's rarer side: segments are switched, marks set and met.

#include "tessera/segment/handout.h"

#include <algorithm>
#include <new>

#include "segment/wiped_lines.h"

namespace tessera {

Handout::Handout() : word_(new (take_wiped_line()) std::atomic<std::uint64_t>(0)) {
  slots_[0].start.store(0, std::memory_order_relaxed);
  current_.store(slots_.data(), std::memory_order_release);
}

Handout::~Handout() { return_wiped_line(word_); }

Handout::Taken Handout::look_again(std::uint64_t word, std::uint64_t count) noexcept {
  const std::uint64_t offset = word & kOffsetMax;
  Slot& slot = slots_[(word >> kOffsetBits) % kSlotCount];
  const std::uint64_t first = slot.first.load(std::memory_order_acquire);
  std::uint64_t mark = slot.mark.load(std::memory_order_acquire);
  const std::uint64_t size = slot.size.load(std::memory_order_acquire);
  if (slot.start.load(std::memory_order_relaxed) != word - offset) return {};
  if (offset >= size) return {};
  const std::uint64_t got = std::min(count, size - offset);
  const bool at_mark = offset <= mark && mark < offset + count && mark < size;
  // Once met it only slows down those that come after. Should the slot have another generation by
  // now, with the same mark, that one is not met; whoever set it looks again in time anyway.
  if (at_mark) slot.mark.compare_exchange_strong(mark, size, std::memory_order_release);
  return {first + offset, got, at_mark};
}

Handout::Taken Handout::take_whole(std::uint64_t count) noexcept {
  std::uint64_t word = word_->load(std::memory_order_acquire);
  for (;;) {
    const std::uint64_t offset = word & kOffsetMax;
    Slot& slot = slots_[(word >> kOffsetBits) % kSlotCount];
    const std::uint64_t first = slot.first.load(std::memory_order_acquire);
    std::uint64_t mark = slot.mark.load(std::memory_order_acquire);
    const std::uint64_t size = slot.size.load(std::memory_order_acquire);
    if (slot.start.load(std::memory_order_relaxed) != word - offset) {
      // Switched eight times meanwhile; or it is the word of a forked child, and stays.
      const std::uint64_t now = word_->load(std::memory_order_acquire);
      if (now == word) return {};
      word = now;
      continue;
    }
    if (count == 0 || offset >= size || count > size - offset) return {};
    // Generations only grow: if the word is still the same, so was the slot all the time.
    if (!word_->compare_exchange_weak(word, word + count, std::memory_order_acquire)) continue;
    const bool at_mark = offset <= mark && mark < offset + count && mark < size;
    if (at_mark) slot.mark.compare_exchange_strong(mark, size, std::memory_order_release);
    return {first + offset, count, at_mark};
  }
}

std::uint64_t Handout::publish(Segment segment) noexcept {
  // Generation 0 is what a forked child finds; it is never used again.
  generation_ = generation_ == kGenerationMax ? 1 : generation_ + 1;
  const std::uint64_t start = generation_ << kOffsetBits;
  Slot& slot = slots_[generation_ % kSlotCount];
  slot.start.store(kNoStart, std::memory_order_relaxed);
  // Release: who reads one of these values also sees that the old generation is gone.
  slot.first.store(segment.first, std::memory_order_release);
  slot.size.store(segment.size(), std::memory_order_release);
  slot.mark.store(segment.size(), std::memory_order_release);
  slot.start.store(start, std::memory_order_release);
  current_.store(&slot, std::memory_order_release);

  const std::uint64_t last = word_->exchange(start, std::memory_order_acq_rel);
  const std::uint64_t taken = std::min(last & kOffsetMax, size_);
  const std::uint64_t left = size_ - taken;
  taken_before_ += taken;
  size_ = segment.size();
  return left;
}

void Handout::set_mark(std::uint64_t offset) noexcept {
  slots_[generation_ % kSlotCount].mark.store(std::min(offset, size_), std::memory_order_release);
}

void Handout::trim() noexcept {
  const std::uint64_t offset = word_->load(std::memory_order_relaxed) & kOffsetMax;
  if (offset > size_ + kOvershootMax) publish({});
}

std::uint64_t Handout::left() const noexcept {
  return size_ - std::min(word_->load(std::memory_order_relaxed) & kOffsetMax, size_);
}

std::uint64_t Handout::taken() const noexcept { return taken_before_ + size_ - left(); }

}  // namespace tessera
