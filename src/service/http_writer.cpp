// HttpWriter: heads, chunks and dates.

#include "service/http_writer.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <ctime>

namespace tessera::service {
namespace {

constexpr std::size_t kChunkHeadSize = 10;  // eight digits and \r\n

std::string_view reason_of(int status) noexcept {
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 204: return "No Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "";
  }
}

void append_number(std::string& out, std::uint64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

void append_policy(std::string& out, std::string_view style_digest) {
  out.append("Content-Security-Policy: ").append(kPolicyToStyles);
  if (!style_digest.empty()) out.append(" '").append(style_digest).append("'");
  out.append(kPolicyAfterStyles).append("\r\n");
}

}  // namespace

// "Mon, 16 Nov 2026 09:00:00 GMT", made once a second.
std::string_view HttpWriter::date() {
  const std::uint64_t now_s = clock_.now_ms() / 1000;
  if (now_s == date_s_ && !date_.empty()) return date_;
  date_s_ = now_s;
  const auto time = static_cast<std::time_t>(now_s);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 40> text{};
  // The C locale, which is ours: the names are English.
  const std::size_t size =
      std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  date_.assign(text.data(), size);
  return date_;
}

void HttpWriter::write(const Answer& answer, const Connection& connection, std::string& out) {
  out.append("HTTP/1.1 ");
  append_number(out, static_cast<std::uint64_t>(answer.status));
  out.append(" ").append(reason_of(answer.status)).append("\r\n");
  append_field(out, "Date", date());
  const bool has_body = answer.status != 204 && answer.status != 304;
  if (has_body) {
    const std::string_view type =
        answer.asset != nullptr ? answer.asset->type : name_of(answer.media);
    if (!type.empty()) append_field(out, "Content-Type", type);
    if (connection.is_gzip) append_field(out, "Content-Encoding", "gzip");
    if (answer.stream == nullptr) {
      out.append("Content-Length: ");
      append_number(out, answer.content().size());
      out.append("\r\n");
    } else if (!connection.is_http_1_0) {
      append_field(out, "Transfer-Encoding", "chunked");
    }
  }
  append_field(out, "Cache-Control", answer.cache.empty() ? "no-store" : answer.cache);
  append_field(out, "X-Content-Type-Options", "nosniff");
  if (answer.request_id.size > 0) append_field(out, "Request-Id", answer.request_id.view());
  if (!answer.traceparent.empty()) append_field(out, "traceparent", answer.traceparent);
  if (answer.media == Media::html) {
    append_policy(out, answer.asset != nullptr ? answer.asset->style_digest : "");
    append_field(out, "Referrer-Policy", "no-referrer");
    // Apart from pages on other ports of this host, which a browser takes for the same site. Not
    // Cross-Origin-Opener-Policy: it makes the browser start a process before anything is seen, and
    // who opened the page can read nothing of it without.
    append_field(out, "Origin-Agent-Cluster", "?1");
  }
  if (!answer.authenticate.empty()) append_field(out, "WWW-Authenticate", answer.authenticate);
  if (answer.replayed) append_field(out, "Idempotent-Replayed", "true");
  if (!answer.allow.empty()) append_field(out, "Allow", answer.allow);
  if (!answer.location.empty()) append_field(out, "Location", answer.location);
  if (!answer.etag.empty()) append_field(out, "ETag", answer.etag);
  if (connection.may_gzip) append_field(out, "Vary", "Accept-Encoding");
  if (!answer.allowed_origin.empty()) {
    append_field(out, "Access-Control-Allow-Origin", answer.allowed_origin);
    append_field(out, "Vary", "Origin");
    if (answer.preflight) {
      append_field(out, "Access-Control-Allow-Methods", answer.allow);
      append_field(out, "Access-Control-Allow-Headers", kAllowedHeaders);
    }
  }
  if (answer.retry_after.count() > 0) {
    out.append("Retry-After: ");
    append_number(out, static_cast<std::uint64_t>(answer.retry_after.count()));
    out.append("\r\n");
  }
  if (!connection.keep_alive) {
    append_field(out, "Connection", "close");
  } else if (connection.is_http_1_0) {
    append_field(out, "Connection", "keep-alive");
  }
  out.append("\r\n");
  if (has_body && !connection.is_head && answer.stream == nullptr) out.append(answer.content());
}

std::size_t HttpWriter::begin_chunk(std::string& out) {
  const std::size_t begun = out.size();
  out.append(kChunkHeadSize, '0');
  return begun;
}

void HttpWriter::end_chunk(std::size_t begun, std::string& out) {
  const std::size_t size = out.size() - begun - kChunkHeadSize;
  if (size == 0) {  // that would be the end of all chunks
    out.resize(begun);
    return;
  }
  std::size_t left = size;
  for (std::size_t at = begun + kChunkHeadSize - 2; at-- > begun; left >>= 4) {
    out[at] = "0123456789ABCDEF"[left & 15];
  }
  out.replace(begun + kChunkHeadSize - 2, 2, "\r\n");
  out.append("\r\n");
}

}  // namespace tessera::service
