// The parts of an answer that all have.

#include "service/message.h"

namespace tessera::service {

std::string_view name_of(Media media) noexcept {
  switch (media) {
    case Media::none: return "";
    case Media::json: return "application/json";
    case Media::problem: return "application/problem+json";
    case Media::text: return "text/plain; charset=utf-8";
    case Media::bytes: return "application/octet-stream";
    case Media::html: return "text/html; charset=utf-8";
    case Media::css: return "text/css; charset=utf-8";
    case Media::script: return "text/javascript; charset=utf-8";
    case Media::svg: return "image/svg+xml";
    case Media::metrics: return "text/plain; version=0.0.4; charset=utf-8";
  }
  return "";
}

void Answer::clear() {
  status = 200;
  media = Media::json;
  body.clear();
  stream.reset();
  asset = nullptr;
  is_gzip = false;
  allow = {};
  location.clear();
  etag.clear();
  cache = {};
  retry_after = std::chrono::seconds(0);
  authenticate = {};
  replayed = false;
  allowed_origin = {};
  preflight = false;
  close = false;
  request_id.size = 0;
  traceparent = {};
  route = {};
  caller = {};
  code = {};
  latency = nullptr;
}

}  // namespace tessera::service
