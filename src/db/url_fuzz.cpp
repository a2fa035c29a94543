// Any bytes are a URL that can be written and read again, or an error that can be shown; and no
// password is ever in either.

#include <string>

#include "support/fuzz.h"
#include "tessera/db/url.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  using fuzz::require;
  const auto text = fuzz::as_text(data, size);
  const auto url = db::parse_url(text);
  if (!url) {
    require(url.error().code == Error::Code::invalid_request);
    for (const auto& words : {url.error().message, url.error().hint}) {
      require(!words.empty());
      for (const char c : words) require(c >= ' ' && c <= '~');
    }
    return 0;
  }
  const auto again = db::parse_url(url->to_string());
  require(bool(again));
  auto open = *url;
  open.password.reset();
  require(*again == open);
  require(again->to_string() == url->to_string());
  return 0;
}
