#pragma once

// SegmentSlice: some numbers of a segment for one thread, for less than a nanosecond each.
//
//    SegmentAllocator    | 1 ... 1024 | 1025 ... 2048 | 2049 ...        one fetch_add for each
//    slice
//                          thread A     thread B        thread A again
//
//   SegmentSlice numbers(allocator);      one for each thread
//   const auto id = numbers.next();
//
// The choice of those who make so many numbers in so many threads that one shared counter is what
// they wait for, and who need no order: numbers of one slice increase, and those of two threads
// do not say which was first. As unique as the allocator's own. What is left in a slice when it is
// destroyed is lost; and close() of the allocator does not take back what a slice already has.
//
// For one thread at a time. The allocator must outlive it. In a child made by fork() it is empty,
// and its calls are refused as `closed`; so it is not to be used by a handler of a signal.
// A strict scope has no slices.

#include <chrono>
#include <cstdint>

#include "tessera/error.h"
#include "tessera/result.h"
#include "tessera/segment/allocator.h"

namespace tessera {

class SegmentSlice {
 public:
  static constexpr std::uint64_t kCount = 1024;

  // `count`: how many numbers to take at a time, 1 to Handout::kTakeMax.
  explicit SegmentSlice(SegmentAllocator& numbers, std::uint64_t count = kCount);
  ~SegmentSlice();
  SegmentSlice(const SegmentSlice&) = delete;
  SegmentSlice& operator=(const SegmentSlice&) = delete;

  // The next number of this slice, or the first of a new one. Errors as of SegmentAllocator.
  Result<std::int64_t, Error> next(std::chrono::milliseconds wait = SegmentAllocator::kWait) {
    if (rest_->first != rest_->end) [[likely]]
      return static_cast<std::int64_t>(rest_->first++);
    return next_of_another(wait);
  }

  // Of the current slice, not yet handed out.
  std::uint64_t left() const noexcept { return rest_->size(); }

 private:
  Result<std::int64_t, Error> next_of_another(std::chrono::milliseconds wait);

  Segment* rest_;  // in memory that the kernel wipes in a child: two processes never continue one
  SegmentAllocator& numbers_;
  const std::uint64_t count_;
};

}  // namespace tessera
