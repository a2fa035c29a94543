#pragma once

// What is asked, and what is answered, in HTTP/1.1.
//
// An answer is not believed: its size has a limit, and whatever could be read in two ways (two
// lengths, a length that is no number, a line that goes on in the next) is none.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::http {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string_view method;  // "POST"
  std::string_view target;  // "/v1/segments"; encoded already
  Fields fields{};          // besides Host and Content-Length; no value has a line end in it
  std::string_view body{};
};

// As it goes over the wire. `host` is that of the header.
std::string written(const Request& request, std::string_view host);

struct Answer {
  int status = 0;
  Fields fields{};
  std::string body{};
  bool keeps_open = false;  // the next request may use the same connection

  // The value of the first field of that name, in any case; empty, if there is none.
  std::string_view field(std::string_view name) const noexcept;
};

// Reads one answer from pieces, as they come.
class AnswerReader {
 public:
  enum class State : std::uint8_t { more, whole, too_large, bad };

  explicit AnswerReader(std::size_t body_size_max) noexcept : body_size_max_(body_size_max) {}

  // After anything but `more`, nothing is taken any longer.
  State take(std::string_view bytes);
  // The other side has closed, in good order.
  State end();

  Answer& answer() noexcept { return answer_; }
  // Whether bytes came behind the answer: then the connection is of no more use.
  bool has_rest() const noexcept { return !pending_.empty(); }

  static constexpr std::size_t kHeadSizeMax = 64 << 10;

 private:
  enum class Part : std::uint8_t { head, sized, chunk_size, chunk, chunk_end, trailer, to_the_end };

  bool step();  // false: more bytes are needed, or it is over
  bool take_head();
  bool take_sized();
  bool take_chunk_size();
  bool take_chunk_end();
  bool take_trailer();
  bool take_to_the_end();
  bool frame_by_fields(bool http_1_0);
  bool give_up(State state) noexcept;
  bool finish() noexcept;

  const std::size_t body_size_max_;
  State state_ = State::more;
  Part part_ = Part::head;
  std::string pending_;   // not read yet
  std::size_t left_ = 0;  // of the body or chunk
  std::size_t trailer_size_ = 0;
  unsigned interim_ = 0;  // answers before the answer
  Answer answer_;
};

}  // namespace tessera::http
