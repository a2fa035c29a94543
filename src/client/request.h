#pragma once

// What requests are made of.

#include <string>
#include <string_view>

#include "tessera/source.h"

namespace tessera {

// `text` with %NN for all that is not a letter, a digit or one of -._~.
std::string encoded(std::string_view text);

// What keys that we made begin with.
inline constexpr std::string_view kOwnKey = "tessera-client/";

// A request key that nobody else has; empty, if there is no entropy.
std::string make_own_key(Entropy& entropy);

}  // namespace tessera
