// Reads a key file, and leaves nothing of it behind.

#include "short_key.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include "output.h"
#include "tessera/parse_error.h"

namespace tessera::cli {

Result<ShortKey, Exit> read_short_key(const Args& args, const Config& config) {
  const std::string path(args.value_or("key-file", config.short_key_file));
  if (path.empty()) {
    return Failure{
        usage_error("short IDs need a key: --key-file FILE, or short.key-file in tessera.yaml",
                    "To make one: (umask 077; tessera new random --bits 256 --form hex > FILE)")};
  }
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::array<char, 128> text{};  // a key has 64 digits
  std::size_t size = 0;
  ssize_t got = file < 0 ? -1 : 1;
  while (got > 0 && size < text.size()) {
    got = ::read(file, text.data() + size, text.size() - size);
    if (got > 0) size += static_cast<std::size_t>(got);
  }
  const int error = errno;
  if (file >= 0) ::close(file);
  if (got < 0) {
    complain("could not read the key file '" + printable(path) + "': " + ::strerror(error));
    return Failure{Exit::io};
  }
  const auto key = ShortKey::parse({text.data(), size});
  ::explicit_bzero(text.data(), text.size());
  if (!key) {
    complain("key file '" + printable(path) + "': " + key.error().message, key.error().hint);
    return Failure{Exit::usage};
  }
  return *key;
}

}  // namespace tessera::cli
