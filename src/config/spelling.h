#pragma once

// "did you mean 'prefix'?": what to say about a word that is not known.

#include <span>
#include <string>
#include <string_view>

#include "tessera/spelling.h"

namespace tessera::config {

// "did you mean 'prefix'?", or the whole list if none is near: "keys here: prefix, style".
std::string suggestion(std::string_view word, std::span<const std::string_view> known,
                       std::string_view list_name);

}  // namespace tessera::config
