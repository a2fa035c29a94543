// Compares Host and Origin.

#include "service/foreign.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

namespace tessera::service {
namespace {

bool same(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// "a:80" and "[::1]:80" without the port.
std::string_view without_port(std::string_view host) noexcept {
  if (host.starts_with('[')) return host.substr(0, std::min(host.find(']'), host.size() - 1) + 1);
  return host.substr(0, host.find(':'));
}

// By the rules of addresses: 127.1 and 0x7f.1 are names that somebody may own.
bool is_loopback(std::string_view host) noexcept {
  if (host == "[::1]") return true;
  std::array<char, 16> text{};
  if (host.size() >= text.size()) return false;
  std::ranges::copy(host, text.begin());
  in_addr address{};
  constexpr in_addr_t kNet = 127;
  return ::inet_pton(AF_INET, text.data(), &address) == 1 && ntohl(address.s_addr) >> 24 == kNet;
}

}  // namespace

bool is_our_host(std::string_view host, std::span<const std::string> names) noexcept {
  if (host.empty()) return true;
  const std::string_view name = without_port(host);
  return same(name, "localhost") || is_loopback(name) ||
         std::ranges::any_of(names, [&](const std::string& ours) { return same(name, ours); });
}

bool is_same_origin(std::string_view origin, std::string_view host) noexcept {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return same(origin.substr(scheme.size()), host);
  }
  return false;
}

}  // namespace tessera::service
