// HttpParser: what is a request, and what is refused before anybody reads it.

#include "service/http_parser.h"

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <optional>
#include <utility>

namespace tessera::service {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using BeastView = boost::beast::string_view;

constexpr std::size_t kEmptyLinesMax = 2;
constexpr std::size_t kChunkEndSize =
    5;  // 0\r\n\r\n: nothing shorter can follow, nor may Beast see it
constexpr std::size_t kChunkLineSizeMax = 4096;  // a chunk's size and extensions, or a trailer

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// A name, an IPv4 address, or an IPv6 address in brackets, and a port.
bool is_host(std::string_view text) noexcept {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~!$&'()*+,;=%:[]").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, is_allowed);
}

// Printable, and nothing that a log or another parser could take for an end.
bool is_printable(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

Method method_of(http::verb verb) noexcept {
  switch (verb) {
    case http::verb::get: return Method::get;
    case http::verb::head: return Method::head;
    case http::verb::post: return Method::post;
    case http::verb::delete_: return Method::del;
    case http::verb::options: return Method::options;
    default: return Method::other;
  }
}

std::string_view view(BeastView text) noexcept { return {text.data(), text.size()}; }

}  // namespace

// Takes what Beast finds, as places in the bytes: these may move until the request is whole.
class HttpParser::Reader final : public http::basic_parser<true> {
 public:
  // The fields that we read. None may stand twice, but for accept and accept_encoding, which are
  // lists: there the first counts.
  enum Known : std::uint8_t {
    accept,
    accept_encoding,
    authorization,
    content_encoding,
    content_length,
    content_type,
    expect,
    host,
    idempotency_key,
    if_none_match,
    origin,
    traceparent,
    transfer_encoding,
    known_count
  };

  explicit Reader(const ServiceLimits& limits) : field_count_max_(limits.header_count_max) {
    // Both are checked before Beast sees the bytes.
    header_limit(static_cast<std::uint32_t>(limits.header_size_max + limits.request_line_size_max));
    body_limit(boost::none);
  }

  const char* base = nullptr;  // where the places count from
  Method method = Method::other;
  int version = 11;  // 10 or 11
  Part target{};
  std::array<std::optional<Part>, known_count> fields{};
  std::optional<Fault> fault{};
  std::string chunks{};
  std::size_t chunks_max = 0;

  std::string_view field(Known known) const noexcept {
    return fields[known] ? std::string_view(base + fields[known]->at, fields[known]->size)
                         : std::string_view();
  }

 protected:
  void on_request_impl(http::verb verb, BeastView, BeastView target_text, int number,
                       error_code&) override {
    method = method_of(verb);
    version = number;
    target = part_of(target_text);
  }
  void on_response_impl(int, BeastView, int, error_code&) override {}

  void on_field_impl(http::field name, BeastView name_text, BeastView value,
                     error_code& error) override {
    if (++field_count_ > field_count_max_) return refuse(Fault::headers_too_large, error);
    const Known known = known_of(name, view(name_text));
    if (known == known_count) return;
    if (head_is_over_) return refuse(Fault::bad_framing, error);  // in a trailer
    if (fields[known]) {
      if (known == accept || known == accept_encoding) return;
      return refuse(known == host ? Fault::bad_host : Fault::bad_framing, error);
    }
    if (known == content_length && !is_digits(view(value))) {
      return refuse(Fault::bad_framing, error);
    }
    if (known == transfer_encoding && !boost::beast::iequals(value, "chunked")) {
      return refuse(Fault::bad_framing, error);
    }
    fields[known] = part_of(value);
  }

  // The rest is for later: whether there may be a body is not known yet.
  void on_header_impl(error_code&) override { head_is_over_ = true; }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(BeastView body, error_code&) override { return body.size(); }

  void on_chunk_header_impl(std::uint64_t size, BeastView extensions, error_code& error) override {
    if (extensions.size() > kChunkLineSizeMax) return refuse(Fault::bad_framing, error);
    if (size > chunks_max - chunks.size()) return refuse(Fault::payload_too_large, error);
  }
  std::size_t on_chunk_body_impl(std::uint64_t, BeastView body, error_code&) override {
    chunks.append(body.data(), body.size());
    return body.size();
  }
  void on_finish_impl(error_code&) override {}

 private:
  static Known known_of(http::field name, std::string_view text) noexcept {
    switch (name) {
      case http::field::accept: return accept;
      case http::field::accept_encoding: return accept_encoding;
      case http::field::authorization: return authorization;
      case http::field::content_encoding: return content_encoding;
      case http::field::content_length: return content_length;
      case http::field::content_type: return content_type;
      case http::field::expect: return expect;
      case http::field::host: return host;
      case http::field::if_none_match: return if_none_match;
      case http::field::origin: return origin;
      case http::field::transfer_encoding: return transfer_encoding;
      case http::field::unknown: break;
      default: return known_count;
    }
    if (boost::beast::iequals({text.data(), text.size()}, "idempotency-key")) {
      return idempotency_key;
    }
    return boost::beast::iequals({text.data(), text.size()}, "traceparent") ? traceparent
                                                                            : known_count;
  }

  Part part_of(BeastView text) const noexcept {
    return {static_cast<std::size_t>(text.data() - base), text.size()};
  }
  void refuse(Fault why, error_code& error) {
    fault = why;
    error = http::error::bad_value;
  }

  const std::size_t field_count_max_;
  std::size_t field_count_ = 0;
  bool head_is_over_ = false;
};

HttpParser::HttpParser(const ServiceLimits& limits, BodySizeMax body_size_max)
    : limits_(limits), body_size_max_(std::move(body_size_max)) {}

HttpParser::~HttpParser() = default;

HttpParser::Status HttpParser::next(std::string_view bytes) {
  if (phase_ == Phase::nothing) return begin(bytes);
  return phase_ == Phase::head ? read_head(bytes) : read_body(bytes);
}

HttpParser::Status HttpParser::refuse(Fault fault) noexcept {
  fault_ = fault;
  return Status::refused;
}

HttpParser::Status HttpParser::begin(std::string_view bytes) {
  if (bytes.empty()) return Status::more;
  start_ = scanned_ = line_ = line_end_ = head_end_ = at_ = size_ = 0;
  continue_ = false;
  phase_ = Phase::head;
  return read_head(bytes);
}

// Looks for the empty line that ends the head, from where the last call stopped. Every line must
// end with \r\n, and begin with something.
std::optional<Fault> HttpParser::find_head(std::string_view bytes) {
  while (head_end_ == 0) {
    const auto at = bytes.find('\r', scanned_);
    const std::size_t end = std::min(at, bytes.size());
    if (bytes.substr(scanned_, end - scanned_).find('\n') != std::string_view::npos) {
      return Fault::bad_framing;
    }
    if (const auto fault = fault_of_size(end)) return fault;
    scanned_ = end;
    if (end + 1 >= bytes.size()) return std::nullopt;  // \r may be the last that is there
    if (bytes[end + 1] != '\n') return Fault::bad_framing;
    const bool is_empty = end == line_;
    if (line_end_ != 0 && (bytes[line_] == ' ' || bytes[line_] == '\t')) {  // folded
      return Fault::bad_framing;
    }
    scanned_ = line_ = end + 2;
    if (line_end_ != 0) {
      if (is_empty) head_end_ = line_;
    } else if (!is_empty) {
      line_end_ = line_;
    } else {
      start_ = line_;  // an empty line in front
      if (start_ > 2 * kEmptyLinesMax) return Fault::invalid_request_line;
    }
    if (const auto fault = fault_of_size(line_)) return fault;
  }
  return std::nullopt;
}

// Of a head that reaches to `end`, at least.
std::optional<Fault> HttpParser::fault_of_size(std::size_t end) const {
  const std::size_t line_size = (line_end_ != 0 ? line_end_ : end) - start_;
  if (line_size > limits_.request_line_size_max) return Fault::request_line_too_large;
  if (end - start_ - line_size > limits_.header_size_max) return Fault::headers_too_large;
  return std::nullopt;
}

// Beast knows HTTP/1.0 and 1.1, and tells everything else alike.
Fault HttpParser::fault_of_line(std::string_view bytes) const {
  const std::string_view line = bytes.substr(start_, line_end_ - start_ - 2);
  const auto blank = line.rfind(' ');
  if (blank == std::string_view::npos) return Fault::invalid_request_line;
  const std::string_view version = line.substr(blank + 1);
  const bool is_version = version.size() == 8 && version.starts_with("HTTP/") &&
                          is_digits(version.substr(5, 1)) && version[6] == '.' &&
                          is_digits(version.substr(7));
  return is_version ? Fault::unsupported_version : Fault::invalid_request_line;
}

HttpParser::Status HttpParser::read_head(std::string_view bytes) {
  if (const auto fault = find_head(bytes)) return refuse(*fault);
  if (head_end_ == 0) return Status::more;

  reader_ = std::make_unique<Reader>(limits_);
  reader_->base = bytes.data();
  error_code error;
  // A higher minor version is read as 1.1 (RFC 9110, 2.5), which Beast refuses.
  const std::string_view line = bytes.substr(start_, line_end_ - start_ - 2);
  std::string copy;
  std::string_view head = bytes.substr(start_, head_end_ - start_);
  if (line.size() > 9 && line.substr(line.size() - 9, 8) == " HTTP/1." && line.back() >= '2' &&
      line.back() <= '9') {
    copy.assign(head);
    copy[line.size() - 1] = '1';
    head = copy;
    reader_->base = copy.data() - start_;
  }
  reader_->put({head.data(), head.size()}, error);
  reader_->base = bytes.data();
  if (error == http::error::need_more) {
    // For the body; of a head that is whole, the line must be too short to be one.
    if (!reader_->is_header_done()) return refuse(Fault::invalid_request_line);
    error = {};
  }
  if (error) {
    if (reader_->fault) return refuse(*reader_->fault);
    if (error == http::error::bad_version) return refuse(fault_of_line(bytes));
    const bool in_line = error == http::error::bad_method || error == http::error::bad_target;
    return refuse(in_line ? Fault::invalid_request_line : Fault::bad_framing);
  }

  version_ = reader_->version;
  keep_alive_ = reader_->keep_alive();
  const bool is_chunked = reader_->fields[Reader::transfer_encoding].has_value();
  if (is_chunked && (version_ < 11 || reader_->fields[Reader::content_length])) {
    return refuse(Fault::bad_framing);
  }
  const bool has_host = reader_->fields[Reader::host].has_value();
  if ((version_ >= 11 && !has_host) || (has_host && !is_host(reader_->field(Reader::host)))) {
    return refuse(Fault::bad_host);
  }
  set_request(bytes);
  if (const auto fault = fault_of_target()) return refuse(*fault);
  const std::uint64_t length =
      is_chunked ? 0 : reader_->http::basic_parser<true>::content_length().value_or(0);
  at_ = head_end_;
  size_ = head_end_ + static_cast<std::size_t>(std::min<std::uint64_t>(length, SIZE_MAX / 2));
  if (!is_chunked && length == 0) return finish(bytes);

  const std::size_t body_max = body_size_max_(request_);
  if (length > body_max) return refuse(Fault::payload_too_large);
  reader_->chunks_max = body_max;
  phase_ = Phase::body;
  const std::string_view expected = reader_->field(Reader::expect);
  if (!expected.empty()) {
    if (!boost::beast::iequals({expected.data(), expected.size()}, "100-continue")) {
      return refuse(Fault::expectation_failed);
    }
    continue_ = version_ >= 11 && bytes.size() == head_end_;
  }
  return read_body(bytes);
}

HttpParser::Status HttpParser::read_body(std::string_view bytes) {
  if (!reader_->fields[Reader::transfer_encoding]) {
    return bytes.size() >= size_ ? finish(bytes) : Status::more;
  }
  reader_->base = bytes.data();
  while (!reader_->is_done()) {
    error_code error;
    const std::string_view rest = bytes.substr(at_);
    if (rest.size() < kChunkEndSize) return Status::more;
    const std::size_t used = reader_->put({rest.data(), rest.size()}, error);
    at_ += used;
    if (error == http::error::need_more || (!error && used == 0)) {
      if (reader_->is_done()) break;
      return bytes.size() - at_ > kChunkLineSizeMax ? refuse(Fault::bad_framing) : Status::more;
    }
    if (error) return refuse(reader_->fault.value_or(Fault::bad_framing));
  }
  size_ = at_;
  return finish(bytes);
}

// A target is /path?query. A proxy may write http://host/path, with the host that it also names
// in the field; another one is not ours to answer for.
std::optional<Fault> HttpParser::fault_of_target() const {
  if (request_.path.empty() || !is_printable(request_.path) || !is_printable(request_.query)) {
    return Fault::invalid_request_line;
  }
  if (request_.path.starts_with('/') || request_.path == "*") return std::nullopt;
  return request_.path.find("://") != std::string_view::npos ? Fault::misdirected_request
                                                             : Fault::invalid_request_line;
}

void HttpParser::set_request(std::string_view bytes) {
  reader_->base = bytes.data();
  std::string_view target = bytes.substr(reader_->target.at, reader_->target.size);
  const std::string_view host = reader_->field(Reader::host);
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!host.empty() && target.starts_with(scheme) &&
        target.substr(scheme.size()).starts_with(host) &&
        target.substr(scheme.size() + host.size()).starts_with('/')) {
      target.remove_prefix(scheme.size() + host.size());
    }
  }
  const auto query = target.find('?');
  request_ = Request{};
  request_.method = reader_->method;
  request_.path = target.substr(0, query);
  if (query != std::string_view::npos) request_.query = target.substr(query + 1);
  request_.accept = reader_->field(Reader::accept);
  request_.accept_encoding = reader_->field(Reader::accept_encoding);
  request_.authorization = reader_->field(Reader::authorization);
  request_.content_encoding = reader_->field(Reader::content_encoding);
  request_.content_type = reader_->field(Reader::content_type);
  request_.host = host;
  request_.idempotency_key = reader_->field(Reader::idempotency_key);
  request_.if_none_match = reader_->field(Reader::if_none_match);
  request_.origin = reader_->field(Reader::origin);
  request_.traceparent = reader_->field(Reader::traceparent);
}

HttpParser::Status HttpParser::finish(std::string_view bytes) {
  set_request(bytes);
  request_.body = reader_->fields[Reader::transfer_encoding]
                      ? std::string_view(reader_->chunks)
                      : bytes.substr(head_end_, size_ - head_end_);
  phase_ = Phase::nothing;
  return Status::request;
}

}  // namespace tessera::service
