#pragma once

// Bodies in gzip, for clients that ask for it.

#include <string_view>

#include "service/message.h"

namespace tessera::service {

// What the field Accept-Encoding says; "gzip;q=0" is no.
bool takes_gzip(std::string_view accept_encoding) noexcept;

// Short ones, bytes that are random anyway, and assets, which have been compressed, are not.
bool is_worth_gzip(const Answer& answer) noexcept;

// Body or stream, from now on.
void gzip(Answer& answer);

}  // namespace tessera::service
