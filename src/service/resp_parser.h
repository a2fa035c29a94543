#pragma once

// RespParser: commands of the Redis protocol, cut out of a stream of bytes.
//
//    *2\r\n$4\r\nINCR\r\n$5\r\nORDER\r\n      what every client library sends
//    INCR ORDER\r\n                           what people type into telnet
//
//    RespParser parser(limits);
//    while (parser.next(buffer) == RespParser::Status::command) {
//      answer(parser.arguments());
//      buffer.remove_prefix(parser.size());
//    }
//
// A command is read once, however it is cut: next() goes on where the last call stopped, so the
// bytes in front must still be there, at any address. Lengths are checked before anything is kept
// for them. What is not the protocol is `broken`, and stays so: nobody can say where the next
// command begins.
//
// Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera::service {

struct RespLimits {
  std::size_t arguments_max = 64;
  std::size_t argument_size_max = 4096;
  std::size_t inline_size_max = 4096;
};

class RespParser {
 public:
  enum class Status : std::uint8_t { command, more, broken };

  explicit RespParser(const RespLimits& limits = {}) : limits_(limits) {}

  // `bytes` begins with the command that is being read.
  Status next(std::string_view bytes);

  // Of the last command; views into the bytes that next() was given. An empty line is a command
  // without any, and is to be passed over, as Redis does.
  const std::vector<std::string_view>& arguments() const noexcept { return arguments_; }
  std::size_t size() const noexcept { return size_; }  // of it, in bytes

  // If broken: what is wrong, in words of ours, such as "invalid bulk length".
  std::string_view fault() const noexcept { return fault_; }

 private:
  struct Part {
    std::size_t at = 0;
    std::size_t size = 0;
  };
  enum class Phase : std::uint8_t { start, length, argument, over };

  Status read_inline(std::string_view bytes);
  Status read_array(std::string_view bytes);
  Status finish(std::string_view bytes);
  Status give_up(std::string_view fault);
  // The number behind the type byte at at_, up to \r\n. Status::command if it is there.
  Status read_number(std::string_view bytes, std::size_t limit, std::string_view fault,
                     std::size_t& number);

  RespLimits limits_;
  Phase phase_ = Phase::start;
  std::size_t at_ = 0;        // what is in front of it has been read
  std::size_t expected_ = 0;  // arguments still to come
  std::size_t length_ = 0;    // of the argument that comes next
  std::vector<Part> parts_;
  std::vector<std::string_view> arguments_;
  std::size_t size_ = 0;
  std::string_view fault_;
};

}  // namespace tessera::service
