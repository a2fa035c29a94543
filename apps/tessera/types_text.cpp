// Declared types as short text.

#include "types_text.h"

#include <algorithm>
#include <string>
#include <utility>

#include "args.h"

namespace tessera::cli {
namespace {

std::optional<ResourceType> type_of(std::string_view line) {
  const auto words = split_words(line);
  if (words.size() != 4 || words[3].size() != 1) return std::nullopt;
  const auto style = public_style_of(words[2]);
  if (!style) return std::nullopt;
  return ResourceType{.name = std::string(words[0]),
                      .prefix = std::string(words[1]),
                      .style = *style,
                      .separator = words[3][0]};
}

}  // namespace

std::optional<TypeTable> parse_types(std::string_view text) {
  TypeTable table;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    auto type = type_of(text.substr(0, end));
    if (!type || !table.add(*std::move(type))) return std::nullopt;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return table;
}

}  // namespace tessera::cli
