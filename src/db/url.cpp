// Reads and writes the URLs of stores.

#include "tessera/db/url.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "tessera/parse_error.h"

namespace tessera::db {
namespace {

constexpr std::string_view kHint =
    "A store is memory:, sqlite:FILE, postgres://HOST/DATABASE, mariadb://HOST/DATABASE or "
    "etcd://HOST:PORT.";

struct SchemeName {
  std::string_view name;
  Url::Scheme scheme;
};

constexpr std::array<SchemeName, 8> kSchemes = {{
    {"memory", Url::Scheme::memory},
    {"sqlite", Url::Scheme::sqlite},
    {"postgres", Url::Scheme::postgres},  // the first of a scheme is the one that is written
    {"postgresql", Url::Scheme::postgres},
    {"mariadb", Url::Scheme::mariadb},
    {"mysql", Url::Scheme::mariadb},
    {"etcd", Url::Scheme::etcd},
    {"etcds", Url::Scheme::etcds},
}};

constexpr std::array<std::string_view, 2> kSqliteOptions = {"journal", "synchronous"};
constexpr std::array<std::string_view, 7> kPostgresOptions = {
    "host", "password", "sslmode", "sslrootcert", "sslcert", "sslkey", "application_name"};
constexpr std::array<std::string_view, 6> kMariadbOptions = {"socket", "password", "tls",
                                                             "tls_ca", "tls_cert", "tls_key"};
constexpr std::array<std::string_view, 1> kEtcdOptions = {"password"};
constexpr std::array<std::string_view, 4> kEtcdsOptions = {"password", "tls_ca", "tls_cert",
                                                           "tls_key"};

std::span<const std::string_view> options_of(Url::Scheme scheme) noexcept {
  switch (scheme) {
    case Url::Scheme::memory: return {};
    case Url::Scheme::sqlite: return kSqliteOptions;
    case Url::Scheme::postgres: return kPostgresOptions;
    case Url::Scheme::mariadb: return kMariadbOptions;
    case Url::Scheme::etcd: return kEtcdOptions;
    case Url::Scheme::etcds: return kEtcdsOptions;
  }
  return {};
}

Failure<Error> invalid(const std::string& message, std::string_view hint = kHint) {
  return Failure{
      Error{Error::Code::invalid_request, "not the URL of a store: " + message, std::string(hint)}};
}

std::optional<unsigned> hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

// Nothing where a % is not followed by two digits, or stands for NUL, which ends a text in C.
std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const auto high = hex_value(text[i + 1]);
      const auto low = hex_value(text[i + 2]);
      if (!high || !low) return std::nullopt;
      c = static_cast<char>(*high << 4 | *low);
      i += 2;
    }
    if (c == '\0') return std::nullopt;
    out += c;
  }
  return out;
}

// What stands before the first `mark`; the rest stays. All, if there is none.
std::string_view cut(std::string_view& text, char mark) noexcept {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view before = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return before;
}

bool has_colon(std::string_view text) noexcept { return text.find(':') != std::string_view::npos; }

// What may stand in brackets, and is written in them: digits, colons, and a zone behind a %.
// Nothing that ends a host, so that what is written is read again.
bool is_ipv6(std::string_view name) noexcept {
  return has_colon(name) && std::ranges::all_of(name, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  std::string_view(":.%-_~").find(c) != std::string_view::npos;
         });
}

// "host", "host:port", "[ipv6]:port". Nothing if it is none of them.
std::optional<Url::Host> host_of(std::string_view text) {
  Url::Host host;
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    host.name = text.substr(1, end - 1);
    if (!has_colon(host.name)) return std::nullopt;
    port = text.substr(end + 1);
  } else {
    const std::size_t end = std::min(text.find(':'), text.size());
    const auto name = decoded(text.substr(0, end));
    if (!name) return std::nullopt;
    host.name = *name;
    port = text.substr(end);
  }
  const auto bad = [](char c) { return c <= ' ' || c == '\x7F' || c == ',' || c == '@'; };
  if (host.name.empty() || std::ranges::any_of(host.name, bad)) return std::nullopt;
  // A colon is part of an address, or of the folder of a socket.
  if (has_colon(host.name) && !host.name.starts_with('/') && !is_ipv6(host.name)) {
    return std::nullopt;
  }
  if (port.empty()) return host;
  if (!port.starts_with(':')) return std::nullopt;
  port.remove_prefix(1);
  const auto read = std::from_chars(port.data(), port.data() + port.size(), host.port);
  if (read.ec != std::errc{} || read.ptr != port.data() + port.size() || host.port == 0) {
    return std::nullopt;
  }
  return host;
}

// What stands between "//" and "/"; an empty text if that is well.
std::string_view read_authority(std::string_view authority, Url& url) {
  const std::size_t at = authority.rfind('@');
  if (at != std::string_view::npos) {
    std::string_view account = authority.substr(0, at);
    authority.remove_prefix(at + 1);
    const bool has_password = has_colon(account);
    const auto user = decoded(cut(account, ':'));
    const auto password = decoded(account);
    if (!user || !password) return "a bad % in the account";
    url.user = *user;
    if (has_password) url.password = *password;
  }
  while (!authority.empty()) {
    const bool more = authority.find(',') != std::string_view::npos;
    const auto host = host_of(cut(authority, ','));
    if (!host || (more && authority.empty())) return "a bad host or port";
    url.hosts.push_back(*host);
  }
  return "";
}

std::string_view read_options(std::string_view text, Url& url) {
  const auto known = options_of(url.scheme);
  while (!text.empty()) {
    std::string_view value = cut(text, '&');
    const auto name = decoded(cut(value, '='));
    const auto read = decoded(value);
    if (!name || !read) return "a bad % in an option";
    if (std::ranges::find(known, *name) == known.end()) return "an unknown option";
    if (*name == "password") {
      if (url.password) return "two passwords";
      url.password = *read;
    } else if (url.option(*name)) {
      return "an option twice";
    } else {
      url.options.emplace_back(*name, *read);
    }
  }
  return "";
}

std::string joined(std::span<const std::string_view> names) {
  std::string out;
  for (const auto name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

}  // namespace

std::optional<std::string_view> Url::option(std::string_view name) const noexcept {
  for (const auto& [key, value] : options) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::string percent_encoded(std::string_view text, std::string_view keep) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~").find(c) != std::string_view::npos ||
                       keep.find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

std::string Url::to_string() const {
  const auto* name = std::ranges::find(kSchemes, scheme, &SchemeName::scheme);
  std::string out = std::string(name->name) + ":";
  if (scheme != Scheme::memory && scheme != Scheme::sqlite) {
    out += "//";
    if (!user.empty()) out += percent_encoded(user) + "@";
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      if (i > 0) out += ",";
      out += is_ipv6(hosts[i].name) ? "[" + hosts[i].name + "]" : percent_encoded(hosts[i].name);
      if (hosts[i].port != 0) out += ":" + std::to_string(hosts[i].port);
    }
    out += "/";
  }
  out += percent_encoded(path, "/");
  char mark = '?';
  for (const auto& [key, value] : options) {
    out += mark + percent_encoded(key) + "=" + percent_encoded(value, "/");
    mark = '&';
  }
  return out;
}

Result<Url, Error> parse_url(std::string_view text) {
  constexpr std::size_t kSizeMax = 4096;
  constexpr std::string_view kTooLong = "longer than 4096 bytes";
  if (text.size() > kSizeMax) return invalid(std::string(kTooLong));
  if (!has_colon(text)) return invalid("it does not say which kind");
  std::string_view rest = text;
  const std::string_view name = cut(rest, ':');
  const auto* scheme = std::ranges::find(kSchemes, name, &SchemeName::name);
  if (scheme == kSchemes.end()) {
    return invalid("of no known kind: '" + printable(name.substr(0, 16)) + "'");
  }
  Url url;
  url.scheme = scheme->scheme;
  if (url.scheme == Url::Scheme::memory) {
    if (!rest.empty()) return invalid("something behind memory:");
    return url;
  }
  std::string_view place = cut(rest, '?');
  if (url.scheme == Url::Scheme::sqlite) {
    if (place.starts_with("//")) {
      return invalid("sqlite: is followed by a file, not by //",
                     "Others disagree about what sqlite:///x.db means; write sqlite:x.db or "
                     "sqlite:/var/lib/x.db.");
    }
    if (place == ":memory:") return invalid("each connection would have one", "Write memory:.");
    if (place.empty()) return invalid("no file", "Write sqlite:FILE.");
  } else {
    if (!place.starts_with("//")) return invalid("no // behind the colon");
    place.remove_prefix(2);
    if (const auto fault = read_authority(cut(place, '/'), url); !fault.empty()) {
      return invalid(std::string(fault), "Write %40 for @, %2F for / and %3A for : in a password.");
    }
    if (url.scheme == Url::Scheme::mariadb && url.hosts.size() > 1) {
      return invalid("more than one host", "Only postgres:// and etcd:// may have several.");
    }
  }
  const auto path = decoded(place);
  if (!path) return invalid("a bad % in the name", "Write %25 for %.");
  url.path = *path;
  if (const auto fault = read_options(rest, url); !fault.empty()) {
    return invalid(std::string(fault), "There are: " + joined(options_of(url.scheme)) + ".");
  }
  // As it is written, too, where a character may take three: what we write we read again.
  if (url.to_string().size() > kSizeMax) return invalid(std::string(kTooLong));
  return url;
}

}  // namespace tessera::db
