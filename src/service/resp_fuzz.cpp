// Any bytes, in one piece and byte by byte: the same commands, within the limits, and no view
// beyond the bytes.

#include <string>
#include <vector>

#include "service/resp_parser.h"
#include "support/fuzz.h"

namespace {

using namespace tessera::service;
using tessera::fuzz::require;

struct Read {
  std::vector<std::vector<std::string>> commands;
  bool broken = false;
  std::size_t left = 0;

  friend bool operator==(const Read&, const Read&) = default;
};

Read read_in_pieces(std::string_view bytes, std::size_t piece, const RespLimits& limits) {
  RespParser parser(limits);
  Read read;
  std::string buffer;
  while (!bytes.empty() && !read.broken) {
    buffer = buffer + std::string(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    RespParser::Status status{};
    while ((status = parser.next(buffer)) == RespParser::Status::command) {
      require(parser.size() > 0 && parser.size() <= buffer.size());
      require(parser.arguments().size() <= limits.arguments_max);
      auto& command = read.commands.emplace_back();
      for (const std::string_view argument : parser.arguments()) {
        require(argument.data() >= buffer.data());
        require(argument.data() + argument.size() <= buffer.data() + parser.size());
        command.emplace_back(argument);
      }
      buffer = buffer.substr(parser.size());
    }
    read.broken = status == RespParser::Status::broken;
  }
  read.left = read.broken ? 0 : buffer.size();
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const RespLimits limits{.arguments_max = 8, .argument_size_max = 64, .inline_size_max = 64};
  require(read_in_pieces(bytes, 1, limits) == read_in_pieces(bytes, bytes.size() + 1, limits));
  return 0;
}
