#pragma once

// Who sends a request without a token: this machine, or a web page that was opened on it.
//
// Without tokens everybody on this machine may ask, and so could every web page that a browser
// here shows: by a name that its owner lets point to 127.0.0.1 (DNS rebinding), or by a form that
// is sent to us. The first has its own name in Host, the second its own in Origin.

#include <span>
#include <string>
#include <string_view>

namespace tessera::service {

// Whether a Host, with or without a port, is a name of this machine: localhost, a loopback address,
// or one of `names`. None at all is, too: browsers always send one.
bool is_our_host(std::string_view host, std::span<const std::string> names) noexcept;

// Whether a page of this origin was loaded from `host`.
bool is_same_origin(std::string_view origin, std::string_view host) noexcept;

}  // namespace tessera::service
