#pragma once

// RedisWriter: replies of the Redis protocol, RESP2 or RESP3. It writes what it is told; counting
// the members of arrays and maps is the caller's business.

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::service {

class RedisWriter {
 public:
  RedisWriter(std::string& out, int version) : out_(out), version_(version) {}

  // `text` is ours, and one line.
  void simple(std::string_view text) { line('+', text); }
  // "ERR no such scope 'ORDRE'". Line breaks in what is quoted become blanks.
  void error(std::string_view code, std::string_view message) {
    out_.push_back('-');
    out_.append(code).push_back(' ');
    for (const char c : message) out_.push_back(c == '\r' || c == '\n' ? ' ' : c);
    out_.append("\r\n");
  }
  void integer(std::int64_t number) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    line(':', {digits.data(), end});
  }
  void bulk(std::string_view bytes) {
    size('$', bytes.size());
    out_.append(bytes).append("\r\n");
  }
  void raw(std::string_view reply) { out_.append(reply); }  // a whole one, written before
  void null() { out_.append(version_ >= 3 ? "_\r\n" : "$-1\r\n"); }
  void array(std::size_t count) { size('*', count); }
  // Pairs of key and value follow; in RESP2 an array of both.
  void map(std::size_t count) { version_ >= 3 ? size('%', count) : size('*', 2 * count); }

 private:
  void size(char type, std::size_t count) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), count).ptr;
    line(type, {digits.data(), end});
  }
  void line(char type, std::string_view text) {
    out_.push_back(type);
    out_.append(text).append("\r\n");
  }

  std::string& out_;
  const int version_;
};

}  // namespace tessera::service
