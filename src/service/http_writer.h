#pragma once

// HttpWriter: answers as HTTP/1.1 writes them.
//
// A body that is made while it is sent goes in chunks; to a client of HTTP/1.0, up to the end of
// the connection. Every answer has a date, its length, and says nosniff; nothing from outside is
// ever in a field of the head.
//
// Not thread-safe: one for each thread.

#include <cstdint>
#include <string>
#include <string_view>

#include "service/message.h"
#include "tessera/source.h"

namespace tessera::service {

class HttpWriter {
 public:
  struct Connection {
    bool keep_alive = true;
    bool is_http_1_0 = false;
    bool is_head = false;   // the request was HEAD: all but the body
    bool is_gzip = false;   // the body is
    bool may_gzip = false;  // it would be, for who asks for that
  };

  explicit HttpWriter(Clock& clock) : clock_(clock) {}

  // The head, and the body unless it is a stream.
  void write(const Answer& answer, const Connection& connection, std::string& out);

  // Space for the size of a chunk, which is known when the chunk is there.
  static std::size_t begin_chunk(std::string& out);
  static void end_chunk(std::size_t begun, std::string& out);
  static void end_chunks(std::string& out) { out.append("0\r\n\r\n"); }

 private:
  std::string_view date();

  Clock& clock_;
  std::uint64_t date_s_ = 0;
  std::string date_;
};

}  // namespace tessera::service
