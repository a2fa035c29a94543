// Any file of tokens: refused with words that are safe to print, or read, and then written and read
// back the same. Any token: found only if it was made.

#include <algorithm>

#include "support/fuzz.h"
#include "tessera/service/tokens.h"

using tessera::fuzz::require;
using tessera::service::TokenTable;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = tessera::fuzz::as_text(data, size);
  const auto table = TokenTable::parse(text);
  if (!table) {
    const std::string& words = table.error().message;
    require(!words.empty());
    require(std::ranges::all_of(words, [](char c) { return c >= 0x20 && c < 0x7F; }));
    return 0;
  }
  require(table->find(text) == nullptr);  // nobody knows the token of a digest
  const std::string written = table->render();
  const auto again = TokenTable::parse(written);
  require(again && again->tokens() == table->tokens() && again->render() == written);
  return 0;
}
