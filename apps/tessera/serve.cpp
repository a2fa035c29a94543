// tessera serve: the service, from the first line it prints to the last answer it gives.

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "commands.h"
#include "console.h"
#include "installation.h"
#include "output.h"
#include "settings.h"
#include "tessera/parse_error.h"
#include "tessera/service/service.h"
#include "tessera/system.h"

namespace tessera::cli {
namespace {

using service::Listen;
using service::Log;
using service::Protocol;
using service::Service;

constexpr std::chrono::seconds kTokensLook{1};  // how soon a revoked token is none
constexpr int kFirstInherited = 3;              // as systemd says

// Tells systemd how it goes; without it, nobody.
void notify(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t size = std::strlen(path);
  if (size >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path, size);
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  // Whether anybody listens is not our business.
  (void)::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&address),
                 static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size));
  ::close(fd);
}

// Sockets that systemd opened for us, by name: public, internal, redis.
int inherited_socket(std::string_view name) {
  const char* pid = std::getenv("LISTEN_PID");
  const char* count_text = std::getenv("LISTEN_FDS");
  const char* names = std::getenv("LISTEN_FDNAMES");
  if (pid == nullptr || count_text == nullptr || names == nullptr) return -1;
  if (std::to_string(::getpid()) != pid) return -1;
  int count = 0;
  std::from_chars(count_text, count_text + std::strlen(count_text), count);
  std::string_view rest = names;
  for (int i = 0; i < count; ++i) {
    const auto colon = rest.find(':');
    if (rest.substr(0, colon) == name) return kFirstInherited + i;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return -1;
}

void add_listen(service::ServiceOptions& options, const std::optional<ListenAddress>& address,
                std::string_view name, Protocol protocol, bool internal) {
  const int socket = inherited_socket(name);
  if (!address && socket < 0) return;
  options.listens.push_back({.host = address ? address->host : "",
                             .port = address ? address->port : std::uint16_t{0},
                             .protocol = protocol,
                             .internal = internal,
                             .socket = socket});
}

// What a fresh machine lacks: a configuration and a place to keep things.
Exit make_what_is_missing(const Args& args) {
  const std::string path(args.value_or("config", "tessera.yaml"));
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) {
    if (errno == EEXIST) return Exit::good;
    complain("could not make " + quoted(path) + ": " + std::strerror(errno));
    return Exit::io;
  }
  Output file(fd);
  file.write(default_config_yaml());
  file.flush();
  ::close(fd);
  complain("made " + path + ", with the types and scopes of a shop");
  return Exit::good;
}

std::string url_of(std::string_view scheme, const service::ListenedAt& at) {
  const bool is_ipv6 = at.host.find(':') != std::string::npos;
  return std::string(scheme) + (is_ipv6 ? "[" + at.host + "]" : at.host) + ":" +
         std::to_string(at.port);
}

// Lines that work as they are pasted.
void print_greeting(const Config& config, const service::ServiceOptions& options,
                    const std::vector<service::ListenedAt>& addresses, bool has_tokens) {
  const std::string scheme = options.tls.certificate.empty() ? "http://" : "https://";
  const std::string auth = has_tokens ? " -H \"Authorization: Bearer $TESSERA_TOKEN\"" : "";
  Output& out = Output::standard();
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const Listen& listen = options.listens[i];
    if (listen.protocol == Protocol::redis) {
      if (config.scopes.empty()) continue;
      out.line("  redis-cli -h " + addresses[i].host + " -p " + std::to_string(addresses[i].port) +
               (has_tokens ? " -a \"$TESSERA_TOKEN\"" : "") + " INCR " + config.scopes[0].name);
      continue;
    }
    const std::string base = url_of(scheme, addresses[i]);
    if (listen.internal) {
      out.line("for your own services: " + base);
      continue;
    }
    out.line("console: " + base + "/");
    out.line("");
    out.line("  curl -X POST" + auth + " " + base + "/v1/ids");
    out.line("  curl" + auth + " " + base + "/v1/ids/01ARZ3NDEKTSV4RRFFQ69G5FAV");
    for (const TypeConfig& type : config.types) {
      if (type.scope.empty() || !type.parent.empty()) continue;
      out.line("  curl -X POST" + auth + " " + base + "/v1/tenants/acme/" +
               Config::collection_of(type));
      break;
    }
  }
  if (!has_tokens) {
    out.line("");
    out.line("There are no tokens: only this machine may ask.");
  }
  out.flush();
}

Result<Log::Level, Exit> log_level(const Args& args) {
  const std::string_view name = args.value_or("log-level", "info");
  for (const auto level :
       {Log::Level::debug, Log::Level::info, Log::Level::warning, Log::Level::error}) {
    if (service::name_of(level) == name) return level;
  }
  return Failure{usage_error("--log-level: debug, info, warning or error, not " + quoted(name))};
}

Result<service::ServiceOptions, Exit> options_of(const Args& args, const Config& config) {
  service::ServiceOptions options;
  add_listen(options, config.listen.public_api, "public", Protocol::http, false);
  add_listen(options, config.listen.internal_api, "internal", Protocol::http, true);
  add_listen(options, config.listen.redis, "redis", Protocol::redis, true);
  if (options.listens.empty()) {
    return Failure{usage_error("there is nothing to listen on", "All of listen is off.")};
  }
  const auto threads = args.number("threads", 1, 1024);
  if (!threads) return Failure{usage_error(threads.error().message, threads.error().hint)};
  options.threads = threads->value_or(0);
  const auto rate = args.number("rate", 1, 1'000'000'000);
  if (!rate) return Failure{usage_error(rate.error().message, rate.error().hint)};
  options.limits.rate = rate->value_or(0);
  options.tls = {.certificate = std::string(args.value_or("tls-certificate", "")),
                 .key = std::string(args.value_or("tls-key", "")),
                 .client_ca = std::string(args.value_or("tls-client-ca", ""))};
  if (options.tls.certificate.empty() != options.tls.key.empty()) {
    return Failure{usage_error("--tls-certificate and --tls-key belong together")};
  }
  for (const std::string_view host : args.values("host")) options.hosts.emplace_back(host);
  for (const std::string_view origin : args.values("origin")) options.origins.emplace_back(origin);
  options.assets = console_assets();
  return options;
}

// Of snowflakes: they go on for as long as the number is ours, and no longer.
Result<LeaseTerms, Exit> lease_terms(const Args& args) {
  constexpr std::uint64_t kMax =
      std::chrono::duration_cast<std::chrono::seconds>(LeaseTerms::kReserveMax).count();
  const auto ttl = args.number("lease-ttl", 1, kMax);
  if (!ttl) return Failure{usage_error(ttl.error().message, ttl.error().hint)};
  LeaseTerms terms;
  if (*ttl) terms.ttl = terms.reserve = std::chrono::seconds(**ttl);
  terms.quarantine = std::min<std::chrono::milliseconds>(terms.quarantine, terms.ttl / 3);
  return terms;
}

// The signals that we answer, held back from every thread but the one that waits for them.
sigset_t held_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return signals;
}

void reload(const Args& args, Installed& installed, Service& service, Log& log) {
  notify("RELOADING=1");
  const auto config = load_settings(args);
  if (config) {
    auto installation = installed.reload(*config);
    const auto error = installation ? service.reload(*installation) : installation.error();
    error ? log.write(Log::Level::error, "not_reloaded", {{"error", error->message}})
          : log.write(Log::Level::info, "reloaded");
  }
  notify("READY=1");
}

// Until somebody says so.
int wait_for_the_end(const Args& args, const sigset_t& signals, Installed& installed,
                     Service& service, Log& log) {
  for (;;) {
    const timespec look{.tv_sec = kTokensLook.count(), .tv_nsec = 0};
    const int number = sigtimedwait(&signals, nullptr, &look);
    if (number == SIGHUP) {
      reload(args, installed, service, log);
    } else if (number > 0) {
      return number;
    } else if (const auto newer = installed.reload_tokens()) {
      if (!service.reload(newer)) log.write(Log::Level::info, "tokens_reloaded");
    }
  }
}

}  // namespace

Exit run_serve(const Args& args) {
  const sigset_t signals = held_signals();
  if (args.has("init")) {
    if (const Exit exit = make_what_is_missing(args); exit != Exit::good) return exit;
  }
  const auto config = load_settings(args);
  if (!config) return config.error();
  const auto options = options_of(args, *config);
  if (!options) return options.error();
  const auto level = log_level(args);
  if (!level) return level.error();
  const auto grace = args.number("grace", 0, 3600);
  if (!grace) return usage_error(grace.error().message, grace.error().hint);
  const auto lease = lease_terms(args);
  if (!lease) return lease.error();

  SystemClock clock;
  Log log(STDERR_FILENO, *level, clock);
  auto installed = Installed::open(*config,
                                   {.store = open_options(args),
                                    .witness = std::string(args.value_or("witness", "")),
                                    .filters = std::string(args.value_or("filters", "")),
                                    .lease = *lease},
                                   log);
  if (!installed) return complain_of(installed.error());
  auto service = Service::start(*options, (*installed)->now(), log);
  if (!service) return complain_of(service.error());
  print_greeting(*config, *options, (*service)->addresses(),
                 (*installed)->now()->tokens != nullptr);
  log.write(Log::Level::info, "started", {{"pid", std::int64_t{::getpid()}}});
  notify("READY=1");

  const int number = wait_for_the_end(args, signals, **installed, **service, log);
  notify("STOPPING=1");
  log.write(Log::Level::info, "stopping", {{"signal", std::int64_t{number}}});
  (*service)->stop(std::chrono::seconds(grace->value_or(30)));
  service->reset();
  installed->reset();
  log.write(Log::Level::info, "stopped");
  return Exit::good;
}

}  // namespace tessera::cli
