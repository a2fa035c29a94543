// Files: the one place of this room that touches the disk.

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "tessera/config/config.h"
#include "tessera/parse_error.h"

namespace tessera {
namespace {

using Code = ConfigError::Code;

ConfigError failure_of(const std::string& path, int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return {
      0, 0, missing ? Code::not_found : Code::unreadable,
      "could not read '" + printable(path, 256) + "': " + std::generic_category().message(error),
      missing ? "Name the file where it is, or go on without one: every key has a default." : ""};
}

}  // namespace

Result<std::string, ConfigError> read_config_file(const std::string& path) {
  errno = 0;
  const auto close = [](std::FILE* open) { std::fclose(open); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (file == nullptr) return Failure{failure_of(path, errno)};

  // One byte more than is allowed tells a file that is too large from one that just fits, and
  // /dev/zero ends, too.
  std::string text;
  std::array<char, 16'384> block;
  while (text.size() <= kConfigSizeMax) {
    const std::size_t size = std::fread(block.data(), 1, block.size(), file.get());
    text.append(block.data(), size);
    if (size < block.size()) break;
  }
  if (std::ferror(file.get()) != 0) return Failure{failure_of(path, errno)};
  return text;
}

Result<Config, ConfigErrors> load_config(const std::string& path) {
  const auto text = read_config_file(path);
  if (!text) return Failure{ConfigErrors{text.error()}};
  return parse_config(*text);
}

}  // namespace tessera
