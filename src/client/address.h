#pragma once

// Address: where a Tessera is, read from its URL.
//
//    http://127.0.0.1:8421    https://ids.example    http://[::1]:8421/

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera {

struct Address {
  static constexpr std::size_t kSizeMax = 512;  // of the URL

  bool tls = false;
  std::string host{};  // without the brackets of IPv6
  std::uint16_t port = 0;

  // "ids.example:8421", as the header Host has it.
  std::string authority() const;

  friend bool operator==(const Address&, const Address&) = default;
};

// The error never quotes what may be a password.
Result<Address, Error> parse_address(std::string_view url);

}  // namespace tessera
