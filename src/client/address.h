#pragma once

// Where a Tessera is, read from its URL.
//
//    http://127.0.0.1:8421    https://ids.example    http://[::1]:8421/

#include <string_view>

#include "http/address.h"
#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera {

// The error never quotes what may be a password.
Result<Address, Error> parse_address(std::string_view url);

}  // namespace tessera
