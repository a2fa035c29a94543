// Types by the names under which fields, parameters and tables know them.

#include "tessera/contract/declared.h"

#include <algorithm>

#include "contract/words.h"

namespace tessera::contract {

Declared::Declared(std::vector<DeclaredType> types) : types_(std::move(types)) {
  for (const DeclaredType& declared : types_) (void)table_.add(declared.type);
}

const DeclaredType* Declared::find(std::string_view word) const noexcept {
  if (same_word(word, "")) return nullptr;  // a collection may be empty, too
  const bool plural = lower(word.back()) == 's';
  const auto found = std::ranges::find_if(types_, [&](const DeclaredType& declared) {
    return same_word(word, declared.type.name) || same_word(word, declared.collection) ||
           (plural && same_word(word.substr(0, word.size() - 1), declared.type.name));
  });
  return found == types_.end() ? nullptr : &*found;
}

const DeclaredType* Declared::find_by_prefix(std::string_view prefix) const noexcept {
  const auto found = std::ranges::find_if(
      types_, [&](const DeclaredType& declared) { return declared.type.prefix == prefix; });
  return found == types_.end() ? nullptr : &*found;
}

// Goes back to the last star only, so that it takes at most the product of both sizes.
bool matches_glob(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t behind = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      behind = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++behind;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tessera::contract
