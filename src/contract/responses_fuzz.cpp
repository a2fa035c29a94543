// Any bytes as answers: whole or in pieces the findings are the same, they are printable, and
// there are never more than the limit.

#include <algorithm>
#include <string>

#include "support/fuzz.h"
#include "tessera/contract/report.h"
#include "tessera/contract/responses.h"

using tessera::fuzz::require;
using namespace tessera::contract;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Declared declared({{{"order", "ord"}, "orders", ""}, {{"store", "sto"}, "", ""}});
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0] % 16;
  std::string_view text = tessera::fuzz::as_text(data + 1, size - 1);
  // The mark of UTF-8 is only known if it comes in one piece.
  if (text.starts_with('\xEF')) return 0;
  ResponsesCheck whole("x", declared);
  whole.feed(text);
  whole.end();
  ResponsesCheck parts("x", declared);
  for (std::string_view rest = text; !rest.empty();
       rest.remove_prefix(std::min(piece, rest.size()))) {
    parts.feed(rest.substr(0, piece));
  }
  parts.end();
  require(whole.findings().size() <= ResponsesCheck::kFindingsMax);
  require(whole.findings().size() == parts.findings().size());
  require(whole.values() == parts.values());
  for (std::size_t i = 0; i < whole.findings().size(); ++i) {
    const std::string words = text_of(whole.findings()[i]);
    require(words == text_of(parts.findings()[i]));
    require(
        std::ranges::all_of(words, [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\n'; }));
  }
  return 0;
}
