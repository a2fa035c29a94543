// Finds the token for another Tessera.

#include "remote.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

constexpr const char* kToken = "TESSERA_TOKEN";
constexpr const char* kTokenFile = "TESSERA_TOKEN_FILE";
constexpr const char* kCaFile = "TESSERA_CA_FILE";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The first line of a small file.
Result<std::string, Error> read_token_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::array<char, 1024> text{};
  const ssize_t size = file < 0 ? -1 : ::read(file, text.data(), text.size());
  const int error = errno;
  if (file >= 0) ::close(file);
  if (size < 0) {
    return Failure{Error{Error::Code::invalid_request,
                         "could not read the token file " + quoted(path) + ": " + ::strerror(error),
                         std::string(kTokenFile) + " names it."}};
  }
  std::string token(text.data(), static_cast<std::size_t>(size));
  token.resize(std::min(token.find_first_of("\r\n"), token.size()));
  ::explicit_bzero(text.data(), text.size());
  return token;
}

}  // namespace

bool is_remote_variable(std::string_view name) noexcept {
  return name == kToken || name == kTokenFile || name == kCaFile;
}

Result<std::shared_ptr<HttpClient>, Error> open_remote(std::string_view url) {
  HttpClientOptions options{.token = variable(kToken), .ca_file = variable(kCaFile)};
  if (const std::string path = variable(kTokenFile); options.token.empty() && !path.empty()) {
    auto token = read_token_file(path);
    if (!token) return Failure{token.error()};
    options.token = *std::move(token);
  }
  return HttpClient::open(url, options);
}

}  // namespace tessera::cli
