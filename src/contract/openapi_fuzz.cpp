// Any bytes as an API document and as waivers: read or refused, in words that can be printed.

#include <algorithm>
#include <string>

#include "support/fuzz.h"
#include "tessera/contract/openapi.h"
#include "tessera/contract/report.h"
#include "tessera/contract/waivers.h"

using tessera::fuzz::require;
using namespace tessera::contract;

namespace {

void require_printable(std::string_view words) {
  require(std::ranges::all_of(words, [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\n'; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Declared declared({{{"order", "ord"}, "orders", ""}, {{"store", "sto"}, "", ""}});
  const std::string_view text = tessera::fuzz::as_text(data, size);
  Findings findings = check_openapi(text, "api.yaml", declared);
  const auto waivers = read_waivers(text, "w.yaml");
  if (waivers) {
    apply_waivers(*waivers, "w.yaml", "2026-01-01", findings);
  } else {
    require_printable(waivers.error().message);
  }
  for (const Finding& finding : findings) require_printable(text_of(finding));
  return 0;
}
