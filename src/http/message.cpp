// Writes requests and reads answers.

#include "http/message.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tessera::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::size_t kFieldsMax = 256;
constexpr std::size_t kChunkLineMax = 256;
constexpr unsigned kInterimMax = 8;

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_word(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Whether one of the words between commas is that one.
bool has_word(std::string_view list, std::string_view word) noexcept {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (same_word(trimmed(list.substr(0, end)), word)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// Of a line that ends there, or has not ended yet; then half of its end may be there.
std::size_t line_size(std::string_view pending, std::size_t end) noexcept {
  if (end != std::string_view::npos) return end;
  return pending.ends_with('\r') ? pending.size() - 1 : pending.size();
}

std::optional<std::size_t> number_of(std::string_view text, int base) noexcept {
  std::size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

bool is_name(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_value(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) {
    return (static_cast<unsigned char>(c) >= 0x20 && c != '\x7F') || c == '\t';
  });
}

// The status of "HTTP/1.1 200 OK"; nothing, if it is no such line.
std::optional<int> status_of(std::string_view line) noexcept {
  constexpr std::size_t kVersionSize = 9;  // with its blank
  if (!line.starts_with("HTTP/1.1 ") && !line.starts_with("HTTP/1.0 ")) return std::nullopt;
  line.remove_prefix(kVersionSize);
  if (line.size() < 3 || (line.size() > 3 && line[3] != ' ') || !is_value(line)) {
    return std::nullopt;
  }
  const auto status = number_of(line.substr(0, 3), 10);
  if (!status || *status < 100) return std::nullopt;
  return static_cast<int>(*status);
}

}  // namespace

std::string written(const Request& request, std::string_view host) {
  std::string out;
  out.reserve(256 + request.body.size());
  out.append(request.method).append(" ").append(request.target).append(" HTTP/1.1\r\n");
  const auto field = [&out](std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append(kLineEnd);
  };
  field("Host", host);
  for (const auto& [name, value] : request.fields) field(name, value);
  if (!request.body.empty() || request.method == "POST") {
    field("Content-Length", std::to_string(request.body.size()));
  }
  return out.append(kLineEnd).append(request.body);
}

std::string_view Answer::field(std::string_view name) const noexcept {
  for (const auto& [key, value] : fields) {
    if (same_word(key, name)) return value;
  }
  return {};
}

AnswerReader::State AnswerReader::take(std::string_view bytes) {
  if (state_ != State::more) return state_;
  pending_ += bytes;
  while (step()) {
  }
  return state_;
}

AnswerReader::State AnswerReader::end() {
  if (state_ != State::more) return state_;
  if (part_ == Part::to_the_end) {
    finish();
  } else {
    give_up(State::bad);
  }
  return state_;
}

bool AnswerReader::step() {
  if (state_ != State::more) return false;
  switch (part_) {
    case Part::head: return take_head();
    case Part::sized:
    case Part::chunk: return take_sized();
    case Part::chunk_size: return take_chunk_size();
    case Part::chunk_end: return take_chunk_end();
    case Part::trailer: return take_trailer();
    case Part::to_the_end: break;
  }
  return take_to_the_end();
}

bool AnswerReader::give_up(State state) noexcept {
  state_ = state;
  return false;
}

bool AnswerReader::finish() noexcept {
  state_ = State::whole;
  return false;
}

bool AnswerReader::take_head() {
  const std::size_t end = pending_.find("\r\n\r\n");
  // Of its end some may be there already.
  const std::size_t head_size =
      end != std::string::npos ? end : std::max<std::size_t>(pending_.size(), 3) - 3;
  if (head_size > kHeadSizeMax) return give_up(State::too_large);
  if (end == std::string::npos) return false;
  std::string_view head = std::string_view(pending_).substr(0, end + kLineEnd.size());
  const auto next_line = [&head] {
    const std::size_t size = head.find(kLineEnd);
    const std::string_view line = head.substr(0, size);
    head.remove_prefix(size + kLineEnd.size());
    return line;
  };
  const std::string_view first = next_line();
  const auto status = status_of(first);
  if (!status) return give_up(State::bad);
  const bool http_1_0 = first.starts_with("HTTP/1.0");
  answer_ = {};
  answer_.status = *status;
  while (!head.empty()) {
    const std::string_view line = next_line();
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view name = line.substr(0, colon);
    if (colon == line.size() || !is_name(name) || !is_value(line.substr(colon + 1)) ||
        answer_.fields.size() >= kFieldsMax) {
      return give_up(State::bad);
    }
    answer_.fields.emplace_back(name, trimmed(line.substr(colon + 1)));
  }
  pending_.erase(0, end + 2 * kLineEnd.size());
  if (answer_.status < 200) {  // "go on": the answer is still to come
    if (answer_.status == 101 || ++interim_ > kInterimMax) return give_up(State::bad);
    return true;
  }
  return frame_by_fields(http_1_0);
}

// How long the body is. RFC 9112, 6.3, but for what may be read in two ways: that is refused.
bool AnswerReader::frame_by_fields(bool http_1_0) {
  std::optional<std::string_view> length;
  std::optional<std::string_view> coding;
  bool closes = http_1_0;
  for (const auto& [name, value] : answer_.fields) {
    if (same_word(name, "Content-Length")) {
      if (length) return give_up(State::bad);
      length = value;
    } else if (same_word(name, "Transfer-Encoding")) {
      if (coding) return give_up(State::bad);
      coding = value;
    } else if (same_word(name, "Connection")) {
      closes = closes || has_word(value, "close");
    }
  }
  if (coding && (length || http_1_0 || !same_word(*coding, "chunked"))) return give_up(State::bad);
  answer_.keeps_open = !closes;
  if (answer_.status == 204 || answer_.status == 304) return finish();
  if (coding) {
    part_ = Part::chunk_size;
    return true;
  }
  if (!length) {
    answer_.keeps_open = false;
    part_ = Part::to_the_end;
    return true;
  }
  const auto size = number_of(*length, 10);
  if (!size) return give_up(State::bad);
  if (*size > body_size_max_) return give_up(State::too_large);
  left_ = *size;
  part_ = Part::sized;
  return true;
}

bool AnswerReader::take_sized() {
  const std::size_t size = std::min(left_, pending_.size());
  answer_.body.append(pending_, 0, size);
  pending_.erase(0, size);
  left_ -= size;
  if (left_ > 0) return false;
  if (part_ == Part::sized) return finish();
  part_ = Part::chunk_end;
  return true;
}

bool AnswerReader::take_chunk_size() {
  const std::size_t end = pending_.find(kLineEnd);
  if (line_size(pending_, end) > kChunkLineMax) return give_up(State::bad);
  if (end == std::string::npos) return false;
  const std::string_view line = std::string_view(pending_).substr(0, end);
  // What may stand behind a semicolon means nothing to us.
  const auto size = number_of(trimmed(line.substr(0, line.find(';'))), 16);
  if (!size) return give_up(State::bad);
  if (*size > body_size_max_ - answer_.body.size()) return give_up(State::too_large);
  pending_.erase(0, end + kLineEnd.size());
  left_ = *size;
  part_ = *size == 0 ? Part::trailer : Part::chunk;
  return true;
}

bool AnswerReader::take_chunk_end() {
  if (pending_.size() < kLineEnd.size()) return false;
  if (!pending_.starts_with(kLineEnd)) return give_up(State::bad);
  pending_.erase(0, kLineEnd.size());
  part_ = Part::chunk_size;
  return true;
}

bool AnswerReader::take_trailer() {
  const std::size_t end = pending_.find(kLineEnd);
  const std::size_t size = line_size(pending_, end);
  if (size > kHeadSizeMax - trailer_size_) return give_up(State::too_large);
  if (end == std::string::npos) return false;
  trailer_size_ += size;
  pending_.erase(0, end + kLineEnd.size());
  return end == 0 ? finish() : true;
}

bool AnswerReader::take_to_the_end() {
  if (pending_.size() > body_size_max_ - answer_.body.size()) return give_up(State::too_large);
  answer_.body += pending_;
  pending_.clear();
  return false;
}

}  // namespace tessera::http
