// Errors become problem documents.

#include "service/problem.h"

#include <array>

#include "tessera/json.h"

namespace tessera::service {
namespace {

constexpr std::array kFaults = {
    FaultText{Fault::bad_framing, "bad_framing", 400, "the bytes are no HTTP request", true},
    FaultText{Fault::bad_host, "bad_host", 400, "the host is missing or malformed", true},
    FaultText{Fault::invalid_request_line, "invalid_request_line", 400,
              "the request line is malformed", true},
    FaultText{Fault::unsupported_version, "unsupported_version", 505,
              "this version of HTTP is not spoken here", true},
    FaultText{Fault::request_line_too_large, "uri_too_long", 414, "the request line is too long",
              true},
    FaultText{Fault::headers_too_large, "headers_too_large", 431,
              "the headers are too many or too large", true},
    FaultText{Fault::payload_too_large, "payload_too_large", 413, "the body is too large", true},
    FaultText{Fault::too_slow, "too_slow", 408, "the request took too long to arrive", true},
    FaultText{Fault::expectation_failed, "expectation_failed", 417,
              "nothing but 100-continue can be expected", true},
    FaultText{Fault::misdirected_request, "misdirected_request", 421,
              "this host is not served here", false},
    FaultText{Fault::no_route, "no_route", 404, "there is no such route", false},
    FaultText{Fault::method_not_allowed, "method_not_allowed", 405,
              "the route does not have this method", false},
    FaultText{Fault::unsupported_media_type, "unsupported_media_type", 415,
              "the body is of a kind that is not read here", false},
    FaultText{Fault::not_acceptable, "not_acceptable", 406,
              "no answer is of a kind that is accepted", false},
    FaultText{Fault::unauthenticated, "unauthenticated", 401, "a good token is needed", false},
    FaultText{Fault::forbidden, "forbidden", 403, "the token may not do this", false},
    FaultText{Fault::foreign_host, "foreign_host", 403, "this is no name of this machine", false},
    FaultText{Fault::foreign_origin, "foreign_origin", 403, "a page of another origin sent this",
              false},
    FaultText{Fault::too_many_requests, "too_many_requests", 429, "the token has asked too often",
              false},
    FaultText{Fault::too_many_connections, "too_many_connections", 503,
              "there are too many connections", true},
    FaultText{Fault::internal_error, "internal_error", 500, "this is a bug of the service", false},

    FaultText{Fault::invalid_path, "invalid_path", 400, "the path is malformed", false},
    FaultText{Fault::invalid_json, "invalid_json", 400, "the body is no JSON", false},
    FaultText{Fault::nesting_too_deep, "nesting_too_deep", 400, "the body is nested too deep",
              false},
    FaultText{Fault::type_mismatch, "type_mismatch", 400, "a value is of the wrong type", false},
    FaultText{Fault::out_of_range, "out_of_range", 400, "a number is out of range", false},
    FaultText{Fault::missing_field, "missing_field", 400, "a field is missing", false},
    FaultText{Fault::unknown_field, "unknown_field", 400, "a field is not known", false},
    FaultText{Fault::duplicate_field, "duplicate_field", 400, "a field stands twice", false},
    FaultText{Fault::unsupported_kind, "unsupported_kind", 400, "the kind is not known here",
              false},
    FaultText{Fault::invalid_idempotency_key, "invalid_idempotency_key", 400,
              "the idempotency key is malformed", false},
    FaultText{Fault::never_issued, "not_found", 404, "nothing of that name was ever issued", false},
    FaultText{Fault::deleted, "deleted", 410, "it was deleted", false},
    FaultText{Fault::cannot_undelete, "cannot_undelete", 409, "it cannot be brought back", false},
    FaultText{Fault::not_ready, "not_ready", 503, "the service is not ready", false},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    if (static_cast<std::size_t>(kFaults[i].fault) != i) return false;
  }
  return true;
}
static_assert(in_order());

// Somebody who comes back sooner makes it worse.
constexpr std::chrono::seconds kRetryAfter{1};

}  // namespace

std::span<const FaultText> fault_texts() noexcept { return kFaults; }

const FaultText& text_of(Fault fault) noexcept { return kFaults[static_cast<std::size_t>(fault)]; }

int status_of(Error::Code code) noexcept {
  switch (code) {
    case Error::Code::invalid_request: return 400;
    case Error::Code::not_found: return 404;
    case Error::Code::already_exists:
    case Error::Code::lease_lost: return 409;
    case Error::Code::key_reused: return 422;
    case Error::Code::exhausted: return 409;  // the scope is there; 410 says that it is gone
    case Error::Code::timed_out: return 504;
    case Error::Code::overloaded:
    case Error::Code::store_unavailable:
    case Error::Code::outcome_unknown:
    case Error::Code::store_rewound:
    case Error::Code::none_free:
    case Error::Code::closed: return 503;
    case Error::Code::store_unsafe:
    case Error::Code::store_schema:
    case Error::Code::store_failed: return 500;
  }
  return 500;
}

void set_problem(Answer& answer, const Problem& problem) {
  JsonWriter json;
  json.begin_object().key("type").value("/errors/" + std::string(problem.code));
  json.key("title").value(problem.title);
  json.key("status").value(static_cast<std::int64_t>(problem.status));
  json.key("code").value(problem.code);
  const auto add = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) json.key(key).value(text);
  };
  add("detail", problem.detail);
  add("hint", problem.hint);
  add("pointer", problem.pointer);
  add("parameter", problem.parameter);
  if (problem.offset) json.key("offset").value(std::uint64_t{*problem.offset});
  add("correction", problem.correction);
  add("deleted", problem.deleted);
  json.end_object();

  answer.status = problem.status;
  answer.media = Media::problem;
  answer.body = json.take();
  answer.stream.reset();
  answer.location.clear();
  answer.etag.clear();
  answer.cache = {};
  answer.code = problem.code;
}

void set_problem(Answer& answer, Fault fault, std::string_view detail, std::string_view hint,
                 std::string_view deleted) {
  const FaultText& text = text_of(fault);
  set_problem(answer, Problem{.status = text.status,
                              .code = text.code,
                              .title = text.title,
                              .detail = detail,
                              .hint = hint,
                              .deleted = deleted});
  answer.close = answer.close || text.close;
  if (text.status == 503) answer.retry_after = kRetryAfter;
}

void set_problem(Answer& answer, const Error& error) {
  const ErrorCodeText& text = error_code_texts()[static_cast<std::size_t>(error.code)];
  std::string_view hint = error.hint;
  if (error.code == Error::Code::outcome_unknown) {
    hint = "Repeat the request with the same Idempotency-Key.";
  }
  set_problem(answer, Problem{.status = status_of(error.code),
                              .code = text.name,
                              .title = text.meaning,
                              .detail = error.message,
                              .hint = hint});
  if (may_retry(error.code)) answer.retry_after = kRetryAfter;
}

void set_problem(Answer& answer, const ParseError& error, std::string_view text,
                 std::string_view correction) {
  const ErrorText& words = error_text(error.code);
  set_problem(answer, Problem{.status = 400,
                              .code = words.name,
                              .title = words.phrase,
                              .detail = describe(error, text),
                              .hint = words.hint,
                              .offset = error.offset,
                              .correction = correction});
}

}  // namespace tessera::service
