// Any bytes, as the text of a KSUID and as a KSUID: 160 bits in base 62 agree with school
// arithmetic, and every value has one text.

#include "support/fuzz.h"
#include "tessera/ksuid.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

constexpr std::string_view kDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  const auto read = Ksuid::parse(text);
  require_read(read, text, size == 27 ? number_of(text, kDigits, 20) : std::nullopt);
  if (!read && read.error().code == ParseError::Code::invalid_character) {
    require(!digit_value(text[read.error().offset], kDigits, Letters::exact));
  }

  const Ksuid id = read ? *read : id_of<Ksuid>(data, size);
  require_text(id, digits_of(id.bytes, kDigits, 27));
  require_order(id, id_of<Ksuid>(data + size / 2, size - size / 2));
  require(id.time_s() >= Ksuid::kEpochS && id.time_s() <= Ksuid::kTimeSMax);
  require(Ksuid::smallest(id.time_s()) <= id && id <= Ksuid::largest(id.time_s()));
  return 0;
}
