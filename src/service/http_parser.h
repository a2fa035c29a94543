#pragma once

// HttpParser: requests of HTTP/1.1, cut out of a stream of bytes, and strictly.
//
//    HttpParser parser(limits, body_size_max);
//    while (parser.next(bytes) == HttpParser::Status::request) {
//      answer(parser.request());
//      bytes.remove_prefix(parser.size());
//    }
//
// Grammar and chunks are Boost.Beast's. What makes two readers of one stream disagree is refused
// here: a line that ends without \r\n, a folded line, two lengths, a length that is not plain
// digits, any coding but chunked, a framing field in a trailer.
//
// A request is read once, however it is cut: next() goes on where the last call stopped, so the
// bytes in front must still be there, at any address. What was refused stays refused: nobody can
// say where the next request begins.
//
// Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "service/message.h"
#include "service/problem.h"
#include "tessera/service/service.h"

namespace tessera::service {

class HttpParser {
 public:
  enum class Status : std::uint8_t { request, more, refused };
  // Where a request is while there is more to come.
  enum class Phase : std::uint8_t { nothing, head, body };
  // How large the body of a request may be, when only its head is there.
  using BodySizeMax = std::function<std::size_t(const Request& head)>;

  HttpParser(const ServiceLimits& limits, BodySizeMax body_size_max);
  ~HttpParser();

  // `bytes` begins with the request that is being read.
  Status next(std::string_view bytes);

  // The last request; views into the bytes that next() was given, or a body that was sent in
  // chunks, which holds until next() is called again.
  const Request& request() const noexcept { return request_; }
  std::size_t size() const noexcept { return size_; }  // of it, in bytes
  bool keep_alive() const noexcept { return keep_alive_; }
  bool is_http_1_0() const noexcept { return version_ == 10; }

  Phase phase() const noexcept { return phase_; }
  // The client waits to be told that it may send the body. True once for a request.
  bool takes_continue() noexcept { return std::exchange(continue_, false); }

  Fault fault() const noexcept { return fault_; }  // if refused

 private:
  class Reader;
  struct Part {
    std::size_t at = 0;
    std::size_t size = 0;
  };

  Status begin(std::string_view bytes);
  Status read_head(std::string_view bytes);
  Status read_body(std::string_view bytes);
  Status finish(std::string_view bytes);
  Status refuse(Fault fault) noexcept;
  std::optional<Fault> find_head(std::string_view bytes);
  std::optional<Fault> fault_of_size(std::size_t end) const;
  std::optional<Fault> fault_of_target() const;
  Fault fault_of_line(std::string_view bytes) const;
  void set_request(std::string_view bytes);

  const ServiceLimits limits_;
  const BodySizeMax body_size_max_;
  std::unique_ptr<Reader> reader_;

  Phase phase_ = Phase::nothing;
  std::size_t start_ = 0;     // of the request line: behind empty lines
  std::size_t scanned_ = 0;   // no end of the head in front of it
  std::size_t line_ = 0;      // where the line begins that is being read
  std::size_t line_end_ = 0;  // of the request line; 0: not seen
  std::size_t head_end_ = 0;  // where the body begins
  std::size_t at_ = 0;        // what is in front of it has been read, in a body of chunks
  std::size_t size_ = 0;
  int version_ = 11;
  bool keep_alive_ = true;
  bool continue_ = false;
  Fault fault_ = Fault::bad_framing;
  Request request_;
};

}  // namespace tessera::service
