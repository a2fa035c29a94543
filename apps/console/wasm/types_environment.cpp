// The declared types, as the page got them from GET /v1/types.
//
//    TESSERA_TYPES="order ord ulid _\nitem itm checked -"       name, prefix, style, separator
//
// What is malformed is refused as a whole: half a table would call good IDs unknown.

#include <cstdlib>

#include "args.h"
#include "output.h"
#include "types.h"

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

Result<Types, Exit> load_types(const Args& args) {
  if (args.has("config")) return Failure{usage_error("--config: a web page reads no files")};
  Types types;
  const char* declared = std::getenv("TESSERA_TYPES");
  std::string_view rest = declared == nullptr ? "" : declared;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    auto type = type_of(rest.substr(0, end));
    if (!type || !types.table.add(*std::move(type))) {
      return Failure{usage_error("the declared types of the service cannot be read")};
    }
    types.file = "the service";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return types;
}

}  // namespace tessera::cli
