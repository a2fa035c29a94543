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

Result<ShortKey, Error> read_short_key(const std::string& path) {
  if (path.empty()) {
    return Failure{
        Error{Error::Code::invalid_request,
              "short IDs need a key: --key-file FILE, or short.key-file in tessera.yaml",
              "To make one: (umask 077; tessera new random --bits 256 --form hex > FILE)"}};
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
    return Failure{Error{Error::Code::store_failed,
                         "could not read the key file " + quoted(path) + ": " + ::strerror(error),
                         ""}};
  }
  auto key = ShortKey::parse({text.data(), size});
  ::explicit_bzero(text.data(), text.size());
  if (!key) {
    return Failure{Error{Error::Code::invalid_request,
                         "key file " + quoted(path) + ": " + key.error().message,
                         key.error().hint}};
  }
  return *key;
}

Result<ShortKey, Exit> read_short_key(const Args& args, const Config& config) {
  const auto key = read_short_key(std::string(args.value_or("key-file", config.short_key_file)));
  if (key) return *key;
  complain(key.error().message, key.error().hint);
  return Failure{key.error().code == Error::Code::store_failed ? Exit::io : Exit::usage};
}

}  // namespace tessera::cli
