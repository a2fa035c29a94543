// Paths and keys of requests.

#include "client/request.h"

#include <array>
#include <cstdint>

namespace tessera {
namespace {
constexpr std::string_view kDigits = "0123456789ABCDEF";
}

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string make_own_key(Entropy& entropy) {
  std::array<std::uint8_t, 16> bytes{};
  if (!entropy.fill(bytes)) return "";
  std::string key(kOwnKey);
  for (const std::uint8_t byte : bytes) {
    key += kDigits[byte >> 4];
    key += kDigits[byte & 15];
  }
  return key;
}

}  // namespace tessera
