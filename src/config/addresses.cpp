// Reads URLs of stores and addresses of listeners, and hides passwords in them. The form only:
// whether somebody answers there, the one who connects will see.

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "config/spelling.h"
#include "config/values.h"

namespace tessera {
namespace config {
namespace {

using Code = ConfigError::Code;

struct Scheme {
  enum class Rest { nothing, path, authority, authority_or_socket };
  std::string_view name;
  Rest rest;
};

constexpr std::array<Scheme, 10> kSchemes = {{
    {"memory", Scheme::Rest::nothing},
    {"sqlite", Scheme::Rest::path},
    {"postgresql", Scheme::Rest::authority_or_socket},  // libpq: no host is a local socket
    {"postgres", Scheme::Rest::authority_or_socket},
    {"mariadb", Scheme::Rest::authority},
    {"mysql", Scheme::Rest::authority},
    {"etcd", Scheme::Rest::authority},
    {"etcds", Scheme::Rest::authority},
    {"http", Scheme::Rest::authority},
    {"https", Scheme::Rest::authority},
}};

constexpr std::string_view kStoreHint =
    "A store is memory:, sqlite:FILE, or postgresql:// mariadb:// etcd:// http:// and a host.";

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::uint16_t> port_of(std::string_view text) noexcept {
  std::uint16_t port = 0;
  if (!is_digits(text) || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  if (read.ec != std::errc{}) return std::nullopt;
  return port;
}

bool is_host(std::string_view text) noexcept {
  constexpr std::size_t kHostSizeMax = 253;  // RFC 1035
  return !text.empty() && text.size() <= kHostSizeMax && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  });
}

bool is_ipv6_host(std::string_view text) noexcept {
  constexpr std::size_t kHostSizeMax = 64;  // with a zone, as in fe80::1%eth0
  const std::string_view address = text.substr(0, text.find('%'));
  const std::string_view zone = text.substr(address.size());
  return text.size() <= kHostSizeMax && address.find(':') != std::string_view::npos &&
         std::ranges::all_of(address,
                             [](char c) {
                               return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ||
                                      (c >= '0' && c <= '9') || c == ':' || c == '.';
                             }) &&
         (zone.empty() || is_host(zone.substr(1)));
}

// Why "host", "host:port" or "[ipv6]:port" is none of them; empty if it is one.
std::string_view host_fault(std::string_view text) noexcept {
  std::string_view host = text;
  std::string_view port;
  bool good = false;
  if (text.starts_with('[')) {
    const std::size_t end = std::min(text.find(']'), text.size());
    host = text.substr(1, end - 1);
    port = text.substr(std::min(end + 1, text.size()));
    good = end < text.size() && is_ipv6_host(host);
  } else {
    const std::size_t end = std::min(text.find(':'), text.size());
    host = text.substr(0, end);
    port = text.substr(end);
    good = is_host(host);
  }
  if (host.empty()) return "no host";
  if (!good) return "a bad host";
  if (!port.empty() && (port[0] != ':' || !port_of(port.substr(1)))) return "a bad port";
  return "";
}

// What is wrong with the part behind "scheme:"; empty if nothing is.
std::string_view rest_fault(Scheme::Rest kind, std::string_view rest) noexcept {
  switch (kind) {
    case Scheme::Rest::nothing: return rest.empty() ? "" : "something behind the colon";
    case Scheme::Rest::path: return rest.empty() ? "no file" : "";
    case Scheme::Rest::authority:
    case Scheme::Rest::authority_or_socket: break;
  }
  if (!rest.starts_with("//")) return "no // behind the colon";
  std::string_view authority = rest.substr(2);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  authority = authority.substr(authority.rfind('@') + 1);  // npos + 1 is 0: all of it
  if (authority.empty() && kind == Scheme::Rest::authority_or_socket) return "";
  // Several hosts: libpq and etcd clients try one after the other.
  while (true) {
    const std::size_t end = std::min(authority.find(','), authority.size());
    if (const auto fault = host_fault(authority.substr(0, end)); !fault.empty()) return fault;
    if (end == authority.size()) return "";
    authority.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<std::string> store_of(const Value& value) {
  constexpr std::size_t kStoreSizeMax = 4096;
  auto text = text_of(value);
  if (!text) return std::nullopt;
  const auto refuse = [&value](std::string_view why, std::string_view hint = kStoreHint) {
    value.complain(Code::invalid_store, quoted(value.key) + " " + std::string(why),
                   std::string(hint));
    return std::nullopt;
  };
  if (text->size() > kStoreSizeMax) return refuse("is longer than 4096 bytes");
  const bool visible = std::ranges::all_of(
      *text, [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != '\x7F'; });
  if (!visible) return refuse("has a blank or a control character in it", "");

  const std::string_view url = *text;
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos) return refuse("does not say which kind of store");
  const std::string_view name = url.substr(0, colon);
  const auto* scheme = std::ranges::find(kSchemes, name, &Scheme::name);
  if (scheme == kSchemes.end()) {
    std::array<std::string_view, kSchemes.size()> names;
    std::ranges::transform(kSchemes, names.begin(), &Scheme::name);
    const auto meant = nearest(name, names);
    // The name alone: what follows may be a password.
    return refuse("is of no known kind: " + quoted(name.substr(0, 16)),
                  meant.empty() ? std::string(kStoreHint) : "did you mean " + quoted(meant) + "?");
  }
  if (const auto fault = rest_fault(scheme->rest, url.substr(colon + 1)); !fault.empty()) {
    return refuse("has " + std::string(fault));
  }
  return text;
}

std::optional<std::optional<ListenAddress>> address_of(const Value& value) {
  const auto text = text_of(value);
  if (!text) return std::nullopt;
  if (*text == "off") return std::optional<ListenAddress>();

  const std::string_view all = *text;
  const std::size_t colon = all.rfind(':');
  const bool has_port = colon != std::string_view::npos && port_of(all.substr(colon + 1));
  const auto fault = has_port ? host_fault(all) : "no port";
  if (!fault.empty()) {
    value.complain(Code::invalid_address,
                   quoted(value.key) + " has " + std::string(fault) + ": " + quoted(all),
                   fault == "no host"
                       ? "Say 127.0.0.1 for this machine only, 0.0.0.0 for every network."
                       : "Write host:port, as in 127.0.0.1:8420 or \"[::1]:8420\", or off.");
    return std::nullopt;
  }
  std::string_view host = all.substr(0, colon);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return ListenAddress{std::string(host), *port_of(all.substr(colon + 1))};
}

}  // namespace config

std::string ListenAddress::to_string() const {
  const bool ipv6 = host.find(':') != std::string::npos;
  return (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string without_password(std::string_view text) {
  std::string out(text);
  constexpr std::string_view kEnds = " \t\r\n\"'";
  const auto star_out = [&out](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = '*';
  };
  // scheme://user:password@host, up to the last @, for a password that has one in it.
  for (std::size_t start = out.find("://"); start != std::string::npos;) {
    start += 3;
    const std::size_t end = std::min(out.find_first_of(kEnds, start), out.size());
    const auto authority = std::string_view(out).substr(start, end - start);
    const std::size_t colon = authority.find(':');
    const std::size_t at = authority.rfind('@');
    if (at != std::string_view::npos && colon < at) star_out(start + colon + 1, start + at);
    start = out.find("://", end);
  }
  constexpr std::string_view kPassword = "password=";
  for (std::size_t start = out.find(kPassword); start != std::string::npos;) {
    start += kPassword.size();
    const std::size_t end = std::min(out.find_first_of(kEnds, start), out.size());
    const std::size_t next = std::min(out.find('&', start), end);
    star_out(start, next);
    start = out.find(kPassword, next);
  }
  return out;
}

}  // namespace tessera
