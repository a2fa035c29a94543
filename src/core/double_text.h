#pragma once

// Numbers with a fraction, as text; the same in every locale.
//
// A file of its own, since the tables behind std::to_chars are larger than all else of core: the
// module for web pages brings another.

#include <string>

namespace tessera::detail {

// The fewest digits that read back as `number`; "1e+09" where that is shorter.
std::string shortest_text(double number);

std::string fixed_text(double number, int decimals);      // "0.25"
std::string general_text(double number, int digits_max);  // "0.25", "1e-09"

}  // namespace tessera::detail
