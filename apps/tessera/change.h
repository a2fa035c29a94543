#pragma once

// What a suggestion changes in what was typed.

#include <string>
#include <string_view>

namespace tessera::cli {

// "P for A, character 7", or "characters 2 and 3 swapped". Empty if it is not one change. Letter
// case, hyphens and blanks are no change.
std::string change_in(std::string_view text, std::string_view suggestion);

}  // namespace tessera::cli
