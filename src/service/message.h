#pragma once

// A request over HTTP and its answer, as the routes see them: no bytes of the protocol, no
// connection.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tessera/service/asset.h"
#include "tessera/text.h"

namespace tessera::service {

class Histogram;

enum class Method : std::uint8_t { get, head, post, del, options, other };

// Views are into the buffer of the connection, and hold until the request is answered. A field that
// was not sent has a null data(); one that may stand only once did.
struct Request {
  Method method = Method::get;
  std::string_view path;   // begins with /, without the query; percent-encoded as it was sent
  std::string_view query;  // behind the ?; likewise
  std::string_view body;

  std::string_view accept;
  std::string_view accept_encoding;
  std::string_view authorization;
  std::string_view content_encoding;
  std::string_view content_type;
  std::string_view host;
  std::string_view idempotency_key;
  std::string_view if_none_match;
  std::string_view origin;
  std::string_view traceparent;

  bool internal = false;  // came to a listener for our own services
  bool may_wait = true;   // not on a thread that other connections are waiting for
};

enum class Media : std::uint8_t {
  none,
  json,
  problem,
  text,
  bytes,
  html,
  css,
  script,
  svg,
  metrics
};
std::string_view name_of(Media media) noexcept;  // "application/json"

// A body that is made while it is sent.
class BodySource {
 public:
  virtual ~BodySource() = default;
  // Appends about `size` bytes; false if that was all. Waits for nothing.
  virtual bool fill(std::string& buffer, std::size_t size) = 0;
  // After fill() was false: the rest could not be made, so that the body must not look complete.
  virtual bool failed() const noexcept { return false; }
};

// Reused from request to request: clear() keeps the memory of the body.
struct Answer {
  int status = 200;
  Media media = Media::json;
  std::string body;                    // also for HEAD, of which only the size is sent
  std::unique_ptr<BodySource> stream;  // if not null, the body is what it makes
  const Asset* asset = nullptr;        // if not null, the body is its bytes, and it says the type
  bool is_gzip = false;                // with it: those that are compressed

  std::string_view allow;  // of 405; from the table of routes
  std::string location;    // of 201
  std::string etag;        // with its quotes
  std::string_view cache;  // Cache-Control; empty: no-store
  std::chrono::seconds retry_after{0};
  std::string_view authenticate;    // WWW-Authenticate, of 401
  bool replayed = false;            // Idempotent-Replayed: true
  std::string_view allowed_origin;  // CORS; a view into the options
  bool preflight = false;           // with it: `allow` and kAllowedHeaders are what may be asked
  bool close = false;               // the connection ends with this answer

  Text<26> request_id;           // ours; sent as Request-Id with every answer
  std::string_view traceparent;  // as it came, if it is one; else empty

  // For the log and for counting; set by the api.
  std::string_view route;        // the pattern
  std::string_view caller;       // the ID of the token
  std::string_view code;         // of a problem
  Histogram* latency = nullptr;  // of the route: the connection adds how long it took

  // What is sent, unless it is a stream.
  std::string_view content() const noexcept {
    if (asset == nullptr) return body;
    return is_gzip ? asset->gzip : asset->bytes;
  }
  void clear();
};

// What a page of another origin may send.
inline constexpr std::string_view kAllowedHeaders =
    "authorization, content-type, idempotency-key, if-none-match, traceparent";
// Content-Security-Policy of every answer that a browser may show: between the two, what else may
// be a style.
inline constexpr std::string_view kPolicyToStyles =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";
inline constexpr std::string_view kPolicyAfterStyles =
    "; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

// What became of a request.
enum class Outcome : std::uint8_t {
  done,       // the answer is there
  must_wait,  // ask again where waiting is allowed; nothing was done
};

}  // namespace tessera::service
