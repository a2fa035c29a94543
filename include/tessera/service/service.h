#pragma once

// Service: IDs for every language, over HTTP and the Redis protocol.
//
//    auto service = Service::start(options, installation, log);
//    (*service)->addresses();        what to tell people
//    (*service)->reload(newer);      other types, scopes and tokens, from the next request on
//    (*service)->stop(grace);        no new connection; what was begun is answered
//
//    bytes -> listener -> parser -> api: route, caller, rate -> core      on the thread of the
//    connection
//                                                            -> store     on a thread that may wait
//
// Thread-safe.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/error.h"
#include "tessera/lease/store.h"
#include "tessera/registry/port.h"
#include "tessera/result.h"
#include "tessera/segment/id_service.h"
#include "tessera/segment/store.h"
#include "tessera/service/asset.h"
#include "tessera/service/log.h"
#include "tessera/service/snowflakes.h"
#include "tessera/service/store_meter.h"
#include "tessera/service/tokens.h"
#include "tessera/source.h"

namespace tessera::service {

// What a service works on. Requests keep it alive until they are answered.
struct Installation {
  IdService* ids = nullptr;
  RegistryPort* registry = nullptr;  // null: no type is kept
  SegmentStore* segments = nullptr;
  ScopeCatalogue* scopes = nullptr;
  LeaseStore* leases = nullptr;       // null: no machine numbers are leased
  Snowflakes* snowflakes = nullptr;   // null: none are made
  const StoreMeter* meter = nullptr;  // null: what the store takes is not told
  // Null: no token is asked for. The service then listens on loopback only.
  std::shared_ptr<const TokenTable> tokens{};
  Clock* clock = nullptr;
  MonotonicClock* monotonic = nullptr;
  std::shared_ptr<void> owner{};  // of all these
};

enum class Protocol : std::uint8_t { http, redis };

struct Listen {
  std::string host{};
  std::uint16_t port = 0;  // 0: any free one
  Protocol protocol = Protocol::http;
  bool internal = false;  // segments, leases and 64-bit keys are told here, and only here
  int socket = -1;        // one that listens already, from systemd; host and port are then its own
};

struct TlsFiles {
  std::string certificate{};  // PEM, with its chain; empty: no TLS
  std::string key{};
  std::string client_ca{};  // not empty: callers must have a certificate that it signed
};

struct ServiceLimits {
  std::size_t request_line_size_max = 8 << 10;
  std::size_t header_size_max = 64 << 10;
  std::size_t header_count_max = 100;
  std::size_t connections_max = 10'000;
  std::chrono::milliseconds header_time{10'000};
  std::chrono::milliseconds body_time{30'000};
  std::chrono::milliseconds idle_time{60'000};
  std::chrono::milliseconds write_time{30'000};  // for a client to take anything at all
  std::uint64_t rate = 0;  // requests a second for each token that says nothing; 0: no limit
};

struct ServiceOptions {
  std::vector<Listen> listens{};
  TlsFiles tls{};
  ServiceLimits limits{};
  std::size_t threads = 0;             // that serve connections; 0: one for each core
  std::size_t waiting_max = 8;         // threads that wait for the store
  std::vector<std::string> origins{};  // of web pages that may ask (CORS); none by default
  std::span<const Asset> assets{};     // of the console; none: a plain page says so
  // Without tokens, names by which this machine may be asked, besides localhost and 127.0.0.1. A
  // page whose owner lets its name point here (DNS rebinding) has another.
  std::vector<std::string> hosts{};
};

// Where a listener listens, in the order of the options.
struct ListenedAt {
  std::string host;
  std::uint16_t port = 0;
};

class Service {
 public:
  static Result<std::unique_ptr<Service>, Error> start(
      const ServiceOptions& options, const std::shared_ptr<const Installation>& installation,
      Log& log);
  virtual ~Service() = default;

  virtual std::vector<ListenedAt> addresses() const = 0;
  // Holds from the next request of every connection on. Certificate files are read again.
  virtual std::optional<Error> reload(std::shared_ptr<const Installation> installation) = 0;
  // Returns when every request that was begun is answered, or `grace` is over.
  virtual void stop(std::chrono::milliseconds grace) = 0;
};

}  // namespace tessera::service
