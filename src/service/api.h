#pragma once

// Api: every route of the service, from request to answer.
//
//    host, origin -> route -> listener -> caller -> rate -> ability -> tenant -> handler -> answer
//
// A caller whose token is wrong learns nothing of what is there: the order above is the order of
// the refusals. What is counted and logged of a request is done here; how long it took the
// connection adds to Answer::latency.
//
// Thread-safe.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "service/message.h"
#include "service/metrics.h"
#include "service/rate_limits.h"
#include "tessera/service/service.h"

namespace tessera::service {

class Api {
 public:
  virtual ~Api() = default;

  // Outcome::must_wait only if the request may not wait. Clears the answer first. A HEAD is
  // answered as the GET.
  virtual Outcome answer(const Installation& on, const Request& request, Answer& answer) = 0;

  // How large the body of a request to this path may be. A request whose head is here and whose
  // body is not yet is refused by it.
  virtual std::size_t body_size_max(const Request& head) const noexcept = 0;

  // Everything but the scopes, which the Installation has.
  virtual Metrics& metrics() noexcept = 0;
  // One for all protocols.
  virtual RateLimits& limits() noexcept = 0;
};

struct ApiOptions {
  std::vector<std::string> origins{};
  std::uint64_t rate = 0;
  std::vector<std::string> hosts{};  // of this machine, for who asks without a token
  std::span<const Asset> assets{};
};
std::unique_ptr<Api> make_api(const ApiOptions& options, Log& log);

// What GET /openapi.json answers.
std::string openapi_text();

}  // namespace tessera::service
