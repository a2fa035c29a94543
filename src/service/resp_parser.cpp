// The protocol, byte by byte. Strict: lines end with \r\n, numbers are plain decimal digits.

#include "service/resp_parser.h"

#include <algorithm>

namespace tessera::service {
namespace {

constexpr std::size_t kDigitsMax = 10;  // more than any length that is allowed has

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

}  // namespace

RespParser::Status RespParser::give_up(std::string_view fault) {
  phase_ = Phase::over;
  fault_ = fault;
  return Status::broken;
}

RespParser::Status RespParser::next(std::string_view bytes) {
  if (phase_ == Phase::over) return Status::broken;
  if (bytes.empty()) return Status::more;
  return bytes.front() == '*' ? read_array(bytes) : read_inline(bytes);
}

RespParser::Status RespParser::read_number(std::string_view bytes, std::size_t limit,
                                           std::string_view fault, std::size_t& number) {
  std::size_t end = at_ + 1;
  number = 0;
  while (end < bytes.size() && is_digit(bytes[end])) {
    if (end - at_ > kDigitsMax) return give_up(fault);
    number = number * 10 + static_cast<std::size_t>(bytes[end] - '0');
    ++end;
  }
  if (end == bytes.size()) return Status::more;
  const bool has_digits = end > at_ + 1;
  const bool has_leading_zero = end > at_ + 2 && bytes[at_ + 1] == '0';
  if (!has_digits || has_leading_zero || bytes[end] != '\r' || number > limit) {
    return give_up(fault);
  }
  if (end + 1 == bytes.size()) return Status::more;
  if (bytes[end + 1] != '\n') return give_up(fault);
  at_ = end + 2;
  return Status::command;
}

RespParser::Status RespParser::read_array(std::string_view bytes) {
  if (phase_ == Phase::start) {
    const Status status =
        read_number(bytes, limits_.arguments_max, "invalid multibulk length", expected_);
    if (status != Status::command) return status;
    parts_.clear();
    phase_ = Phase::length;
  }
  while (expected_ > 0) {
    if (phase_ == Phase::length) {
      if (at_ == bytes.size()) return Status::more;
      if (bytes[at_] != '$') return give_up("expected '$'");
      const Status status =
          read_number(bytes, limits_.argument_size_max, "invalid bulk length", length_);
      if (status != Status::command) return status;
      phase_ = Phase::argument;
    }
    if (bytes.size() - at_ < length_ + 2) return Status::more;
    if (bytes[at_ + length_] != '\r' || bytes[at_ + length_ + 1] != '\n') {
      return give_up("a bulk string that does not end where it should");
    }
    parts_.push_back({at_, length_});
    at_ += length_ + 2;
    --expected_;
    phase_ = Phase::length;
  }
  return finish(bytes);
}

// Words between blanks; there are no quotes, since no name of ours needs them.
RespParser::Status RespParser::read_inline(std::string_view bytes) {
  const std::size_t end = bytes.find('\n', at_);
  if (end == std::string_view::npos) {
    at_ = bytes.size();
    return at_ > limits_.inline_size_max ? give_up("too big inline request") : Status::more;
  }
  if (end > limits_.inline_size_max) return give_up("too big inline request");
  parts_.clear();
  const std::size_t text_end = end > 0 && bytes[end - 1] == '\r' ? end - 1 : end;
  for (std::size_t i = 0; i < text_end;) {
    const std::size_t from = std::min(bytes.find_first_not_of(" \t", i), text_end);
    const std::size_t to = std::min(bytes.find_first_of(" \t\r\n", from), text_end);
    if (to > from) {
      if (parts_.size() == limits_.arguments_max) return give_up("too many words");
      parts_.push_back({from, to - from});
    }
    i = std::max(to, from + 1);
  }
  at_ = end + 1;
  return finish(bytes);
}

RespParser::Status RespParser::finish(std::string_view bytes) {
  arguments_.clear();
  for (const Part& part : parts_) arguments_.push_back(bytes.substr(part.at, part.size));
  size_ = at_;
  at_ = 0;
  phase_ = Phase::start;
  return Status::command;
}

}  // namespace tessera::service
