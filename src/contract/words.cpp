// Names taken apart by underscores, hyphens and capitals.

#include "contract/words.h"

#include <algorithm>

namespace tessera::contract {
namespace {

bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
bool is_mark(char c) noexcept { return c == '_' || c == '-' || c == '.' || c == ' '; }

// Where the last word begins. A run of capitals is one word: StoreID, storeIDs.
std::size_t last_word(std::string_view name) noexcept {
  std::size_t begin = name.size();
  // The plural s of IDs belongs to the capitals before it.
  if (begin > 1 && name[begin - 1] == 's' && is_upper(name[begin - 2])) --begin;
  const bool capitals = begin > 0 && is_upper(name[begin - 1]);
  while (begin > 0 && !is_mark(name[begin - 1])) {
    if (capitals && !is_upper(name[begin - 1])) break;
    --begin;
    if (!capitals && is_upper(name[begin])) break;
  }
  return begin;
}

std::string_view without_marks(std::string_view name) noexcept {
  while (!name.empty() && is_mark(name.back())) name.remove_suffix(1);
  return name;
}

}  // namespace

std::string lowered(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), lower);
  return low;
}

bool same_word(std::string_view a, std::string_view b) noexcept {
  std::size_t i = 0;
  std::size_t j = 0;
  while (true) {
    while (i < a.size() && is_mark(a[i])) ++i;
    while (j < b.size() && is_mark(b[j])) ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (lower(a[i++]) != lower(b[j++])) return false;
  }
}

IdName id_name(std::string_view name) noexcept {
  IdName said;
  const std::size_t begin = last_word(name);
  const std::string_view last = name.substr(begin);
  const bool ulid = same_word(last, "ulid");
  if (!ulid && !same_word(last, "id") && !same_word(last, "ids")) return said;
  said.is_id = true;
  said.whose = without_marks(name.substr(0, begin));
  const std::size_t before = last_word(said.whose);
  if (same_word(said.whose.substr(before), "public")) {
    said.whose = without_marks(said.whose.substr(0, before));
  }
  said.is_own = said.whose.empty();
  return said;
}

}  // namespace tessera::contract
