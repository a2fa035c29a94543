#pragma once

// Why no identifier could be made. A generator that fails is unchanged, and a later
// call may succeed, unless the comment says never.

#include <cstdint>
#include <string_view>

namespace tessera {

enum class MintError : std::uint8_t {
  no_entropy,         // the system gave us no randomness; we never go on without
  time_out_of_range,  // the clock reads a time that this kind has no bits for
  exhausted,          // the last ID of the last time is gone; never again
  too_far_ahead,      // more IDs than the layout allows for this time; wait
  forked,             // this process is a copy, and holds no machine number of its own
  invalid_machine,    // the machine number does not fit the layout; never
};

std::string_view name_of(MintError error) noexcept;   // "no_entropy"
std::string_view describe(MintError error) noexcept;  // "the system gave no randomness"

}  // namespace tessera
