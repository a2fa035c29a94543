// HttpConversation: requests become answers, in order.

#include "service/http_conversation.h"

#include <utility>

#include "service/gzip.h"

namespace tessera::service {

HttpConversation::HttpConversation(const HttpShared& shared)
    : shared_(shared), parser_(shared.limits, [&api = shared.api](const Request& head) {
        return api.body_size_max(head);
      }) {}

Conversation::Next HttpConversation::advance(std::string_view in, std::size_t& used,
                                             std::string& out) {
  if (std::exchange(answered_, false)) {
    waiting_on_.reset();
    used += parser_.size();
    answer(out);
  }
  for (;;) {
    if (answer_.stream != nullptr && pump(out)) return Next::write;
    if (closing_) return Next::close;
    if (out.size() >= kPipelineSize) return Next::write;
    switch (parser_.next(in.substr(used))) {
      case HttpParser::Status::more:
        if (parser_.takes_continue()) out.append("HTTP/1.1 100 Continue\r\n\r\n");
        return out.empty() ? Next::read : Next::write;
      case HttpParser::Status::refused: refuse(parser_.fault(), out); return Next::close;
      case HttpParser::Status::request: break;
    }
    request_ = parser_.request();
    request_.internal = shared_.internal;
    request_.may_wait = false;
    begun_ = shared_.on->monotonic->now();
    if (shared_.api.answer(*shared_.on, request_, answer_) == Outcome::must_wait) {
      waiting_on_ = shared_.on;
      return Next::wait;
    }
    used += parser_.size();
    answer(out);
  }
}

void HttpConversation::wait() {
  request_.may_wait = true;
  shared_.api.answer(*waiting_on_, request_, answer_);
  answered_ = true;
}

Conversation::Phase HttpConversation::phase() const noexcept {
  switch (parser_.phase()) {
    case HttpParser::Phase::nothing: return Phase::idle;
    case HttpParser::Phase::head: return Phase::head;
    case HttpParser::Phase::body: return Phase::body;
  }
  return Phase::idle;
}

void HttpConversation::give_up(std::string& out) {
  if (phase() != Phase::idle) refuse(Fault::too_slow, out);
}

void HttpConversation::answer(std::string& out) {
  how_ = {.keep_alive = parser_.keep_alive() && !answer_.close && !draining_,
          .is_http_1_0 = parser_.is_http_1_0(),
          .is_head = request_.method == Method::head,
          .is_gzip = answer_.is_gzip,
          .may_gzip = answer_.asset != nullptr || !answer_.etag.empty() || is_worth_gzip(answer_)};
  if (answer_.stream != nullptr && how_.is_http_1_0) how_.keep_alive = false;
  if (is_worth_gzip(answer_) && takes_gzip(request_.accept_encoding)) {
    how_.is_gzip = true;
    gzip(answer_);
  }
  closing_ = !how_.keep_alive;
  shared_.writer.write(answer_, how_, out);
  if (answer_.latency != nullptr) answer_.latency->add(shared_.on->monotonic->now() - begun_);
  if (how_.is_head) answer_.stream.reset();
  // What was written is not needed twice, while the connection stays. To assign an empty text would
  // keep the memory of the old one.
  if (answer_.body.capacity() > kPipelineSize) std::string().swap(answer_.body);
}

void HttpConversation::refuse(Fault fault, std::string& out) {
  answer_.clear();
  set_problem(answer_, fault);
  how_ = {.keep_alive = false};
  closing_ = true;
  shared_.writer.write(answer_, how_, out);
}

// True: enough for now. The stream is gone when it has come to its end.
bool HttpConversation::pump(std::string& out) {
  while (out.size() < kWriteSize) {
    const std::size_t begun = how_.is_http_1_0 ? 0 : HttpWriter::begin_chunk(out);
    const bool more = answer_.stream->fill(out, kWriteSize);
    if (!how_.is_http_1_0) HttpWriter::end_chunk(begun, out);
    if (!more) {
      // A body that could not be made must not look complete.
      if (answer_.stream->failed()) {
        closing_ = true;
      } else if (!how_.is_http_1_0) {
        HttpWriter::end_chunks(out);
      }
      answer_.stream.reset();
      return false;
    }
  }
  return true;
}

}  // namespace tessera::service
