#pragma once

// Where a server is.

#include <cstdint>
#include <string>

namespace tessera {

struct Address {
  static constexpr std::size_t kSizeMax = 512;  // of a URL

  bool tls = false;
  std::string host{};  // without the brackets of IPv6
  std::uint16_t port = 0;

  // "ids.example:8421", as the header Host has it.
  std::string authority() const {
    const bool ipv6 = host.find(':') != std::string::npos;
    return (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
  }

  friend bool operator==(const Address&, const Address&) = default;
};

}  // namespace tessera
