#pragma once

// Conversation: what is said on a connection, without the connection. Bytes in, bytes out.
//
//    advance(in) -> read   all was taken; more is needed
//                -> write  there is something to write; then go on
//                -> wait   wait() on a thread that may, then go on
//                -> close  write what there is, then end
//
// Not thread-safe; but wait() may run on another thread while nothing else is called.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::service {

class Conversation {
 public:
  enum class Next : std::uint8_t { read, write, wait, close };
  // What the other side is to do next, and so how long it may take.
  enum class Phase : std::uint8_t { idle, head, body };

  // Enough for one write of an answer that is made while it is sent.
  static constexpr std::size_t kWriteSize = 128 << 10;
  // A pipeline of small answers goes out together, up to so much: what somebody asks for and does
  // not take lies here until he does.
  static constexpr std::size_t kPipelineSize = 16 << 10;

  virtual ~Conversation() = default;

  // Goes on with the bytes behind the first `used`, and counts up what it has taken. Between `wait`
  // and the next call the bytes must stay where they are.
  virtual Next advance(std::string_view in, std::size_t& used, std::string& out) = 0;
  virtual void wait() = 0;

  virtual Phase phase() const noexcept = 0;
  // The other side took too long. What is to be told it is written to `out`.
  virtual void give_up(std::string& out) = 0;
  // The answer to what is being asked is the last one.
  virtual void drain() noexcept = 0;
};

}  // namespace tessera::service
