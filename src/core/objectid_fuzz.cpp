// Any bytes, as the text of an ObjectId and as an ObjectId: reading agrees with school
// arithmetic, every value has one text, and its parts make it again.

#include "support/fuzz.h"
#include "tessera/objectid.h"

namespace {

using namespace tessera;
using namespace tessera::fuzz;

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  const auto read = ObjectId::parse(text);
  require_read(read, text,
               size == 24 ? number_of(text, kDigits, 12, Letters::either_case) : std::nullopt);
  if (!read && read.error().code == ParseError::Code::invalid_character) {
    require(!digit_value(text[read.error().offset], kDigits, Letters::either_case));
  }

  const ObjectId id = read ? *read : id_of<ObjectId>(data, size);
  require_text(id, digits_of(id.bytes, kDigits, 24));
  require_order(id, id_of<ObjectId>(data + size / 2, size - size / 2));
  require(ObjectId::from_parts(id.time_s(), id.random(), id.counter()) == id);
  require(ObjectId::smallest(id.time_s()) <= id && id <= ObjectId::largest(id.time_s()));
  return 0;
}
