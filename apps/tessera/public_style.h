#pragma once

// The style of a public ID whose type nobody has said.

#include <algorithm>
#include <string_view>

#include "tessera/public_id.h"

namespace tessera::cli {

// The style that a body's length and letters fit.
inline PublicStyle guess_style(std::string_view text) noexcept {
  const std::string_view body = text.substr(text.rfind(kDefaultSeparator) + 1);
  if (body.size() == public_id::body_size(PublicStyle::base36)) return PublicStyle::base36;
  if (body.size() == public_id::body_size(PublicStyle::checked)) return PublicStyle::checked;
  const bool lower = std::ranges::any_of(body, [](char c) { return c >= 'a' && c <= 'z'; });
  return lower ? PublicStyle::type_id : PublicStyle::ulid;
}

}  // namespace tessera::cli
