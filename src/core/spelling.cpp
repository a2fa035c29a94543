// Guesses what a misspelt word was meant to be.

#include "tessera/spelling.h"

#include <algorithm>
#include <array>

namespace tessera {

std::size_t edit_distance(std::string_view from, std::string_view to) noexcept {
  if (from.size() > kWordSizeMax || to.size() > kWordSizeMax) return 2 * kWordSizeMax;
  // Three rows of the table of optimal string alignment: a swap looks two rows back.
  std::array<std::array<std::size_t, kWordSizeMax + 1>, 3> rows{};
  for (std::size_t j = 0; j <= to.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], two_above[j - 2] + 1);
      }
    }
  }
  return rows[from.size() % 3][to.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) noexcept {
  // A third of the letters may be wrong: more, and every short word resembles every other.
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view best;
  for (const std::string_view candidate : known) {
    const std::size_t longer = std::max(candidate.size(), word.size());
    const std::size_t shorter = std::min(candidate.size(), word.size());
    if (shorter == 0 || longer - shorter >= least) continue;
    const std::size_t steps = edit_distance(word, candidate);
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best;
}

}  // namespace tessera
