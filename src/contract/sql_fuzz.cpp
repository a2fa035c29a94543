// Any bytes as SQL: tokens are parts of the text in its order, lines never go back, and every
// finding has a line that there is.

#include <algorithm>
#include <string>

#include "contract/sql_tokens.h"
#include "support/fuzz.h"
#include "tessera/contract/report.h"
#include "tessera/contract/sql.h"

using tessera::fuzz::require;
using namespace tessera::contract;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = tessera::fuzz::as_text(data, size);
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 1;
  SqlTokens tokens(text);
  const char* end = text.data();
  std::uint64_t line = 1;
  for (SqlToken token = tokens.next(); token.kind != SqlToken::Kind::end; token = tokens.next()) {
    require(token.text.data() >= end);
    end = token.text.data() + token.text.size();
    require(end <= text.data() + text.size());
    require(token.line >= line && token.line <= lines);
    line = token.line;
  }
  for (const Finding& finding : check_sql(text, "q.sql", {})) {
    require(finding.place.line >= 1 && finding.place.line <= lines);
    const std::string words = text_of(finding);
    require(
        std::ranges::all_of(words, [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\n'; }));
  }
  return 0;
}
