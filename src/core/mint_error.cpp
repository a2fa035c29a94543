// Names and phrases of MintError.

#include "tessera/mint_error.h"

namespace tessera {

std::string_view name_of(MintError error) noexcept {
  switch (error) {
    case MintError::no_entropy: return "no_entropy";
    case MintError::time_out_of_range: return "time_out_of_range";
    case MintError::exhausted: return "exhausted";
    case MintError::too_far_ahead: return "too_far_ahead";
    case MintError::forked: return "forked";
    case MintError::invalid_machine: return "invalid_machine";
  }
  return "unknown";
}

std::string_view describe(MintError error) noexcept {
  switch (error) {
    case MintError::no_entropy: return "the system gave no randomness";
    case MintError::time_out_of_range: return "the clock reads a time that the kind cannot hold";
    case MintError::exhausted: return "every ID of this generator has been used";
    case MintError::too_far_ahead: return "too many IDs for this time; wait for the clock";
    case MintError::forked: return "a forked process holds no machine number of its own";
    case MintError::invalid_machine: return "the machine number does not fit the layout";
  }
  return "unknown error";
}

}  // namespace tessera
