// Boost.JSON's parser calls back for each piece and builds nothing. It does not say where it is:
// so it is fed line by line, and the line is that of the piece it was fed.

#include "contract/json_reader.h"

#include <boost/json/basic_parser_impl.hpp>

#include <algorithm>

namespace tessera::contract {

namespace json = boost::json;

class JsonReader::Handler {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the names are Boost's
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  // NOLINTEND(readability-identifier-naming)
  using Ec = json::error_code;
  using View = json::string_view;

  explicit Handler(JsonListener& listener) : listener_(listener) {}

  bool on_document_begin(Ec&) {
    key_.clear();  // a value that broke may have left the beginning of a name
    return true;
  }
  bool on_document_end(Ec&) {
    listener_.end_value();
    return true;
  }
  bool on_object_begin(Ec&) {
    listener_.begin_object();
    return true;
  }
  bool on_object_end(std::size_t, Ec&) {
    listener_.end_object();
    return true;
  }
  bool on_array_begin(Ec&) {
    listener_.begin_array();
    return true;
  }
  bool on_array_end(std::size_t, Ec&) {
    listener_.end_array();
    return true;
  }
  bool on_key_part(View piece, std::size_t, Ec&) {
    add_to_key(piece);
    return true;
  }
  bool on_key(View piece, std::size_t, Ec&) {
    add_to_key(piece);
    listener_.key(key_);
    key_.clear();
    return true;
  }
  bool on_string_part(View piece, std::size_t, Ec&) {
    listener_.text({piece.data(), piece.size()}, false);
    return true;
  }
  bool on_string(View piece, std::size_t, Ec&) {
    listener_.text({piece.data(), piece.size()}, true);
    return true;
  }
  bool on_number_part(View, Ec&) { return true; }
  bool on_int64(std::int64_t, View, Ec&) {
    listener_.number(true);
    return true;
  }
  bool on_uint64(std::uint64_t, View, Ec&) {
    listener_.number(true);
    return true;
  }
  bool on_double(double, View, Ec&) {
    listener_.number(false);
    return true;
  }
  bool on_bool(bool truth, Ec&) {
    listener_.literal(truth ? "true" : "false");
    return true;
  }
  bool on_null(Ec&) {
    listener_.literal("null");
    return true;
  }
  bool on_comment_part(View, Ec&) { return true; }
  bool on_comment(View, Ec&) { return true; }

 private:
  void add_to_key(View piece) {
    key_.append(piece.data(), std::min(piece.size(), kKeySizeMax - key_.size()));
  }

  JsonListener& listener_;
  std::string key_;
};

namespace {

json::parse_options reader_options() {
  json::parse_options options;
  options.max_depth = JsonReader::kDepthMax;
  return options;
}

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

struct JsonReader::Parser {
  explicit Parser(JsonListener& listener) : parser(reader_options(), listener) {}

  json::basic_parser<Handler> parser;
};

JsonReader::JsonReader(JsonListener& listener) : parser_(std::make_unique<Parser>(listener)) {}
JsonReader::~JsonReader() = default;

bool JsonReader::feed(std::string_view bytes) {
  if (first_ && !bytes.empty()) {
    first_ = false;
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  }
  while (!bytes.empty() && error_.empty()) {
    const std::size_t end = bytes.find('\n');
    const bool whole = end != bytes.npos;
    const std::string_view piece = whole ? bytes.substr(0, end + 1) : bytes;
    if (!skipping_ && !feed_piece(piece)) return false;
    if (whole) {
      ++line_;
      skipping_ = false;
    }
    bytes.remove_prefix(piece.size());
  }
  return error_.empty();
}

bool JsonReader::feed_piece(std::string_view piece) {
  while (!piece.empty()) {
    if (!inside_) {
      const auto* begin = std::ranges::find_if_not(piece, is_blank);
      piece.remove_prefix(static_cast<std::size_t>(begin - piece.begin()));
      if (piece.empty()) return true;
      inside_ = true;
      value_line_ = line_;
      parser_->parser.reset();
    }
    json::error_code ec;
    const std::size_t used = parser_->parser.write_some(true, piece.data(), piece.size(), ec);
    if (ec) {
      error_ = ec.message();
      return false;
    }
    piece.remove_prefix(used);
    if (parser_->parser.done()) {
      inside_ = false;
      ++values_;
    }
  }
  return true;
}

bool JsonReader::end() {
  if (!error_.empty()) return false;
  if (!inside_) return true;
  json::error_code ec;
  parser_->parser.write_some(false, "", 0, ec);  // a number ends here, too
  inside_ = false;
  if (ec) {
    error_ = "it ends in the middle of a value";
    return false;
  }
  ++values_;
  return true;
}

bool JsonReader::skip_broken_line() {
  if (error_.empty() || value_line_ != line_) return false;
  error_.clear();
  inside_ = false;
  skipping_ = true;
  return true;
}

}  // namespace tessera::contract
