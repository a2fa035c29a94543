// A suggestion, in words.

#include "config/spelling.h"

#include "config/complaints.h"

namespace tessera::config {

std::string suggestion(std::string_view word, std::span<const std::string_view> known,
                       std::string_view list_name) {
  if (const auto best = nearest(word, known); !best.empty()) {
    return "did you mean " + quoted(best) + "?";
  }
  constexpr std::size_t kListMax = 12;
  if (known.empty() || known.size() > kListMax) return "";
  std::string out(list_name);
  for (std::size_t i = 0; i < known.size(); ++i) {
    out += (i == 0 ? ": " : ", ") + printable(known[i], kWordSizeMax);
  }
  return out;
}

}  // namespace tessera::config
