#pragma once

// The known word that is nearest to one that is not known: for "did you mean 'prefix'?".

#include <cstddef>
#include <span>
#include <string_view>

namespace tessera {

// How many letters must be put in, left out, replaced, or swapped with their neighbour to get
// from one word to the other. Words of more than kWordSizeMax bytes count as far apart.
inline constexpr std::size_t kWordSizeMax = 64;
std::size_t edit_distance(std::string_view from, std::string_view to) noexcept;

// The nearest of `known`, if it is near enough to be meant; otherwise empty.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known) noexcept;

}  // namespace tessera
