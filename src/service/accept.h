#pragma once

// What the caller accepts (RFC 9110, section 12.5.1).

#include <optional>
#include <span>
#include <string_view>

#include "service/message.h"

namespace tessera::service {

// The one of `offered` that `accept` likes best; the first of several. Nothing if it likes none.
std::optional<Media> choose(std::string_view accept, std::span<const Media> offered) noexcept;

// Whether a Content-Type says JSON, with whatever parameters.
bool is_json(std::string_view content_type) noexcept;

}  // namespace tessera::service
