// Any bytes, as the text of a ULID and as a ULID: strict and friendly reading agree with
// school arithmetic, and every value has one text.

#include "support/fuzz.h"
#include "tessera/ulid.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

std::optional<std::vector<std::uint8_t>> value_of(std::string_view text) {
  if (text.size() != 26) return std::nullopt;
  return number_of(text, kDigits, 16, Letters::either_case);
}

// What a person typed, as it is meant: no hyphens, and no letters that look like digits.
std::string as_meant(std::string_view text) {
  std::string meant;
  for (const char c : text) {
    if (c == '-') continue;
    const char letter = lower(c);
    meant += letter == 'o' ? '0' : letter == 'i' || letter == 'l' ? '1' : c;
  }
  return meant;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  const auto strict = Ulid::parse(text);
  const auto friendly = Ulid::parse_friendly(text);
  require_read(strict, text, value_of(text));
  // Longer than 64 is refused unread, however many hyphens there are.
  require_read(friendly, text, size <= 64 ? value_of(as_meant(text)) : std::nullopt);
  if (strict) require(friendly == strict);
  if (!strict && strict.error().code == ParseError::Code::invalid_character) {
    require(!digit_value(text[strict.error().offset], kDigits, Letters::either_case));
  }

  const Ulid id = friendly ? *friendly : id_of<Ulid>(data, size);
  require_text(id, digits_of(id.bytes, kDigits, 26));
  require(Ulid::smallest(id.time_ms()) <= id && id <= Ulid::largest(id.time_ms()));
  require_order(id, id_of<Ulid>(data + size / 2, size - size / 2));
  return 0;
}
