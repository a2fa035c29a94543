// A slice's rarer side: it is used up.

#include "tessera/segment/slice.h"

#include <algorithm>
#include <new>

#include "segment/wiped_lines.h"

namespace tessera {

static_assert(sizeof(Segment) <= kWipedLineSize);

SegmentSlice::SegmentSlice(SegmentAllocator& numbers, std::uint64_t count)
    : rest_(new (take_wiped_line()) Segment{}),
      numbers_(numbers),
      count_(std::clamp<std::uint64_t>(count, 1, Handout::kTakeMax)) {}

SegmentSlice::~SegmentSlice() { return_wiped_line(rest_); }

Result<std::int64_t, Error> SegmentSlice::next_of_another(std::chrono::milliseconds wait) {
  const auto slice = numbers_.next_slice(count_, wait);
  if (!slice) return Failure{slice.error()};
  *rest_ = {slice->first + 1, slice->end};
  return static_cast<std::int64_t>(slice->first);
}

}  // namespace tessera
