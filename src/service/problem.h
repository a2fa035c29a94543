#pragma once

// Problems: errors as RFC 9457 writes them, with the code, the phrase and the hint that they have
// everywhere.
//
//    {"type":"https://tessera.dev/errors/not_found","title":"…","status":404,"code":"not_found",
//     "detail":"there is no scope 'ORDRE'","hint":"…"}

#include <string_view>

#include "service/message.h"
#include "tessera/error.h"

namespace tessera::service {

// Problems of the protocol itself, which the rest of the program does not know.
enum class Fault : std::uint8_t {
  bad_framing,             // 400, and close
  bad_host,                // 400, and close
  invalid_request_line,    // 400, and close
  unsupported_version,     // 505, and close
  request_line_too_large,  // 414, and close
  headers_too_large,       // 431, and close
  payload_too_large,       // 413, and close
  too_slow,                // 408, and close
  expectation_failed,      // 417, and close
  misdirected_request,     // 421
  no_route,                // 404
  method_not_allowed,      // 405
  unsupported_media_type,  // 415
  not_acceptable,          // 406
  unauthorized,            // 401
  forbidden,               // 403
  too_many_requests,       // 429
  too_many_connections,    // 503, and close
  internal_error,          // 500: a bug of ours
};

struct FaultText {
  Fault fault;
  std::string_view code;  // "bad_framing"
  int status;
  std::string_view title;
  bool close;
};
const FaultText& text_of(Fault fault) noexcept;

int status_of(Error::Code code) noexcept;

// Makes the answer a problem. `detail` may quote what came from outside: it is escaped.
void set_problem(Answer& answer, Fault fault, std::string_view detail = {},
                 std::string_view hint = {});
void set_problem(Answer& answer, const Error& error);

}  // namespace tessera::service
