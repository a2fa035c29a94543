// Any bytes, in one piece and byte by byte: the same requests, refused at the same request, and no
// view beyond the bytes. What has two faults may be refused for either.

#include <algorithm>
#include <string>
#include <vector>

#include "service/http_parser.h"
#include "support/fuzz.h"

namespace {

using namespace tessera::service;
using tessera::fuzz::require;

struct Read {
  std::vector<std::string> requests;
  bool refused = false;
  std::size_t left = 0;

  friend bool operator==(const Read&, const Read&) = default;
};

Read read_in_pieces(std::string_view bytes, std::size_t piece) {
  const ServiceLimits limits{
      .request_line_size_max = 256, .header_size_max = 512, .header_count_max = 8};
  HttpParser parser(limits, [](const Request&) { return std::size_t{64}; });
  Read read;
  std::string buffer;
  while (!bytes.empty() && !read.refused) {
    buffer = buffer + std::string(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    HttpParser::Status status{};
    while ((status = parser.next(buffer)) == HttpParser::Status::request) {
      require(parser.size() > 0 && parser.size() <= buffer.size());
      const Request& request = parser.request();
      require(request.body.size() <= 64);
      require(request.path.starts_with('/') || request.path == "*");
      std::string all = std::to_string(static_cast<int>(request.method));
      for (const std::string_view part :
           {request.path, request.query, request.body, request.accept, request.authorization,
            request.content_type, request.host, request.idempotency_key}) {
        all.append("|").append(part);
      }
      read.requests.push_back(all);
      buffer = buffer.substr(parser.size());
    }
    read.refused = status == HttpParser::Status::refused;
  }
  read.left = read.refused ? 0 : buffer.size();
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  require(read_in_pieces(bytes, 1) == read_in_pieces(bytes, bytes.size() + 1));
  return 0;
}
