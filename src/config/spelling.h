#pragma once

// "did you mean 'prefix'?": the known word that is nearest to one that is not known.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tessera::config {

// How many letters must be put in, left out, replaced, or swapped with their neighbour to get
// from one word to the other. Words of more than kWordSizeMax bytes count as far apart.
inline constexpr std::size_t kWordSizeMax = 64;
std::size_t distance(std::string_view from, std::string_view to) noexcept;

// The nearest of `known`, if it is near enough to be meant; otherwise empty.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known) noexcept;

// "did you mean 'prefix'?", or the whole list if none is near: "keys here: prefix, style".
std::string suggestion(std::string_view word, std::span<const std::string_view> known,
                       std::string_view list_name);

}  // namespace tessera::config
