// Any bytes as the text of a RandomId: reading never fails but by its error, errors point
// into the text, and what is accepted has one canonical text that reads back to the same.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tessera/random_id.h"

namespace {

using tessera::CheckCount;
using tessera::ParseError;
using tessera::RandomId;

void require(bool true_always) {
  if (!true_always) std::abort();
}

void try_reading(const tessera::Result<RandomId, ParseError>& read, std::string_view text,
                 CheckCount check) {
  if (!read) {
    require(read.error().offset <= text.size());
    require((read.error().code == ParseError::Code::invalid_length) ==
            (read.error().offset == text.size()));
    return;
  }
  const auto canonical = read->text(check);
  require(RandomId::parse_strict(canonical, read->bits(), check) == read);
  require(RandomId::parse(read->text(check, 3), read->bits(), check) == read);
  require(RandomId::from_bytes(read->bytes(), read->bits()) == *read);
  require(canonical.view().size() <= text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto symbols = text.size() - static_cast<std::size_t>(std::ranges::count(text, '-'));
  for (const CheckCount check :
       {CheckCount::none, CheckCount::one, CheckCount::two, CheckCount::three}) {
    try_reading(RandomId::parse(text, check), text, check);
    try_reading(RandomId::parse_strict(text, check), text, check);
    // All sizes that a text of this length may have, and one too few and too many.
    const auto digits = symbols - std::min(symbols, static_cast<std::size_t>(check));
    for (std::size_t bits = 5 * digits - std::min<std::size_t>(5 * digits, 5);
         bits <= 5 * digits + 1; ++bits) {
      try_reading(RandomId::parse(text, static_cast<unsigned>(bits), check), text, check);
      try_reading(RandomId::parse_strict(text, static_cast<unsigned>(bits), check), text, check);
    }
    if (size > 16) continue;  // guesses are slow
    for (const std::string& guess : RandomId::suggest(text, check)) {
      require(static_cast<bool>(RandomId::parse_strict(guess, check)));
    }
  }
  return 0;
}
