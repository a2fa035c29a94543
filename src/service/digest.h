#pragma once

// SHA-256, and what is made of it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::service {

// Thread-safe; allocates once for each thread.
std::array<std::uint8_t, 32> sha256(std::string_view bytes) noexcept;

// The ETag of a body that does not change while the program runs, with its quotes.
std::string etag_of(std::string_view body);

// Whether If-None-Match names `etag`: "*", or a list that has it, weak or strong.
bool matches_etag(std::string_view if_none_match, std::string_view etag) noexcept;

}  // namespace tessera::service
