// Compares what was typed with what may have been meant.

#include "change.h"

#include <algorithm>

#include "tessera/parse_error.h"

namespace tessera::cli {

std::string change_in(std::string_view text, std::string_view suggestion) {
  std::string typed;
  for (const char c : text) {
    if (c != '-' && c != ' ') typed += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  std::string meant;
  for (const char c : suggestion) {
    meant += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  if (typed.size() != meant.size()) return {};
  const auto [first, other] = std::ranges::mismatch(typed, meant);
  if (first == typed.end()) return {};
  const auto at = static_cast<std::size_t>(first - typed.begin());
  const std::string_view rest(meant.data() + at + 1, meant.size() - at - 1);
  const std::string_view typed_rest(typed.data() + at + 1, typed.size() - at - 1);
  if (rest == typed_rest) {
    return std::string(1, meant[at]) + " for " + printable(typed.substr(at, 1)) + ", character " +
           std::to_string(at + 1);
  }
  if (!rest.empty() && rest[0] == typed[at] && typed_rest[0] == meant[at] &&
      rest.substr(1) == typed_rest.substr(1)) {
    return "characters " + std::to_string(at + 1) + " and " + std::to_string(at + 2) + " swapped";
  }
  return {};
}

}  // namespace tessera::cli
