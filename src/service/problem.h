#pragma once

// Problems: errors as RFC 9457 writes them, with the code, the phrase and the hint that they have
// everywhere.
//
//    {"type":"/errors/not_found","title":"…","status":404,"code":"not_found",
//     "detail":"there is no scope 'ORDRE'","hint":"…"}
//
// `type` is a relative reference: docs/service.md has a line for each code. Where something is
// wrong in the body, "pointer" says where (RFC 6901); in an ID, "offset" and perhaps "correction".
// Of what has ended "deleted" says when, if that may be told.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "service/message.h"
#include "tessera/error.h"
#include "tessera/parse_error.h"

namespace tessera::service {

// Problems of the protocol and of requests, which the rest of the program does not know.
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
  unauthenticated,         // 401
  forbidden,               // 403
  foreign_host,            // 403
  foreign_origin,          // 403
  too_many_requests,       // 429
  too_many_connections,    // 503, and close
  internal_error,          // 500: a bug of ours

  invalid_path,             // 400
  invalid_json,             // 400
  nesting_too_deep,         // 400
  type_mismatch,            // 400
  out_of_range,             // 400
  missing_field,            // 400
  unknown_field,            // 400
  duplicate_field,          // 400
  unsupported_kind,         // 400
  invalid_idempotency_key,  // 400
  never_issued,             // 404, also of what belongs to somebody else
  deleted,                  // 410
  cannot_undelete,          // 409
  not_ready,                // 503
};

struct FaultText {
  Fault fault;
  std::string_view code;  // "bad_framing"
  int status;
  std::string_view title;
  bool close;
};
std::span<const FaultText> fault_texts() noexcept;  // in the order of the enum
const FaultText& text_of(Fault fault) noexcept;

int status_of(Error::Code code) noexcept;

// Everything a problem can say. What is empty is left out.
struct Problem {
  int status = 500;
  std::string_view code;
  std::string_view title;
  std::string_view detail = {};
  std::string_view hint = {};
  std::string_view pointer = {};          // into the body
  std::string_view parameter = {};        // of the query
  std::optional<std::uint32_t> offset{};  // in the ID
  std::string_view correction = {};       // of the ID
  std::string_view deleted = {};          // when it was
};

// Makes the answer a problem. `detail` may quote what came from outside: it is escaped.
void set_problem(Answer& answer, const Problem& problem);
void set_problem(Answer& answer, Fault fault, std::string_view detail = {},
                 std::string_view hint = {}, std::string_view deleted = {});
void set_problem(Answer& answer, const Error& error);
// `text` is what was parsed.
void set_problem(Answer& answer, const ParseError& error, std::string_view text,
                 std::string_view correction = {});

}  // namespace tessera::service
