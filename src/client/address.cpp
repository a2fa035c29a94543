// Reads the URL of another Tessera.

#include "client/address.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "tessera/client/http_client.h"

namespace tessera {
namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";

Failure<Error> not_an_address(std::string_view why) {
  return Failure{Error{Error::Code::invalid_request,
                       "not the address of a Tessera: " + std::string(why),
                       "As in: http://127.0.0.1:8421, with nothing behind the port."}};
}

bool is_host(std::string_view text, bool ipv6) noexcept {
  constexpr std::size_t kHostSizeMax = 253;  // RFC 1035
  return !text.empty() && text.size() <= kHostSizeMax && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           (ipv6 ? c == ':' : c == '-' || c == '_');
  });
}

std::optional<std::uint16_t> port_of(std::string_view text) noexcept {
  std::uint16_t port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || port == 0) {
    return std::nullopt;
  }
  return port;
}

}  // namespace

bool is_http_url(std::string_view url) noexcept {
  return url.starts_with(kHttp) || url.starts_with(kHttps);
}

Result<Address, Error> parse_address(std::string_view url) {
  if (url.size() > Address::kSizeMax) return not_an_address("it is too long");
  Address address;
  address.tls = url.starts_with(kHttps);
  if (!address.tls && !url.starts_with(kHttp)) {
    return not_an_address("it begins with neither http:// nor https://");
  }
  address.port = address.tls ? 443 : 80;
  std::string_view rest = url.substr(address.tls ? kHttps.size() : kHttp.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.find('@') != rest.npos) {
    return not_an_address("it has a user in it; a token comes from TESSERA_TOKEN");
  }
  if (rest.find_first_of("/?#") != rest.npos) return not_an_address("something is behind the host");
  const bool ipv6 = rest.starts_with('[');
  const std::size_t host_end = ipv6 ? rest.find(']') : std::min(rest.find(':'), rest.size());
  if (host_end == rest.npos) return not_an_address("a bracket is open");
  address.host = ipv6 ? rest.substr(1, host_end - 1) : rest.substr(0, host_end);
  rest.remove_prefix(ipv6 ? host_end + 1 : host_end);
  if (!is_host(address.host, ipv6)) return not_an_address("the host is none");
  if (rest.empty()) return address;
  const auto port = rest.starts_with(':') ? port_of(rest.substr(1)) : std::nullopt;
  if (!port) return not_an_address("the port is none");
  address.port = *port;
  return address;
}

}  // namespace tessera
