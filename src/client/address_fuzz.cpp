// Any URL: read or refused, and what is read goes into a header as it is.

#include "client/address.h"
#include "support/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  const auto address = parse_address(fuzz::as_text(data, size));
  if (!address) return 0;
  const std::string again = (address->tls ? "https://" : "http://") + address->authority();
  const auto second = parse_address(again);
  fuzz::require(second && *second == *address);
  for (const char c : address->authority()) {
    fuzz::require(c > 0x20 && c < 0x7F);
  }
  return 0;
}
