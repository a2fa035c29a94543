// Any text: read as JSON or refused; what is read and written again is read as the same.

#include "http/json.h"
#include "support/fuzz.h"
#include "tessera/json.h"

namespace tessera {
namespace {

// Without names: they cannot be asked for.
void write(JsonWriter& out, const Json& value) {
  switch (value.kind()) {
    case Json::Kind::text: out.value(*value.text()); return;
    case Json::Kind::list:
    case Json::Kind::object:
      out.begin_array();
      for (const Json& item : value.items()) write(out, item);
      out.end_array();
      return;
    case Json::Kind::number:
      if (const auto number = value.number()) {
        out.value(*number);
        return;
      }
      break;
    case Json::Kind::truth:
    case Json::Kind::null: break;
  }
  out.null();
}

}  // namespace
}  // namespace tessera

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  const auto value = Json::parse(fuzz::as_text(data, size));
  if (!value) return 0;
  JsonWriter once;
  write(once, *value);
  const auto again = Json::parse(once.text());
  fuzz::require(again.has_value());
  JsonWriter twice;
  write(twice, *again);
  fuzz::require(once.text() == twice.text());
  return 0;
}
