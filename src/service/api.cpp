// From request to answer: who asks, whether he may, and what is counted.

#include "service/api.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>

#include "service/accept.h"
#include "service/call.h"
#include "service/digest.h"
#include "service/foreign.h"
#include "service/problem.h"
#include "service/rate_limits.h"
#include "service/routes.h"
#include "tessera/ulid.h"

namespace tessera::service {
namespace {

constexpr std::string_view kMethods = "GET, HEAD, POST, DELETE, OPTIONS";
constexpr std::string_view kAskForToken = "Bearer realm=\"tessera\"";
constexpr std::string_view kRefuseToken = "Bearer realm=\"tessera\", error=\"invalid_token\"";
constexpr std::size_t kBodyOfNobody = 64 << 10;  // read only to be refused
constexpr std::array<std::string_view, 5> kClasses = {"1xx", "2xx", "3xx", "4xx", "5xx"};

// "00-4bf9…36-00f0…b7-01" (W3C Trace Context).
bool is_traceparent(std::string_view text) noexcept {
  constexpr std::string_view kShape = "hh-hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh-hhhhhhhhhhhhhhhh-hh";
  if (text.size() != kShape.size() || text.starts_with("ff")) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    if (kShape[i] == 'h' ? !hex : c != '-') return false;
  }
  const auto zero = [&](std::size_t first, std::size_t size) {
    return text.substr(first, size).find_first_not_of('0') == std::string_view::npos;
  };
  return !zero(3, 32) && !zero(36, 16);
}

// What stands behind "Bearer "; nothing if it is another scheme.
std::string_view bearer_of(std::string_view authorization) noexcept {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() < kScheme.size()) return {};
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = authorization[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != kScheme[i]) return {};
  }
  return authorization.substr(kScheme.size());
}

std::chrono::seconds whole_seconds(std::chrono::nanoseconds time) {
  return std::chrono::ceil<std::chrono::seconds>(std::min<std::chrono::nanoseconds>(
      std::max<std::chrono::nanoseconds>(time, std::chrono::seconds(1)), std::chrono::hours(1)));
}

class RoutedApi final : public Api {
 public:
  RoutedApi(const ApiOptions& options, Log& log)
      : origins_(options.origins),
        hosts_(options.hosts),
        log_(log),
        table_(routes()),
        limits_(options.rate) {
    state_.assets = options.assets;
    state_.openapi = openapi_text();
    state_.openapi_etag = etag_of(state_.openapi);
    for (const Route& route : routes()) add_series(name_of(route.method), route.pattern);
    add_series("", "none");
  }

  Outcome answer(const Installation& on, const Request& request, Answer& answer) override;
  std::size_t body_size_max(const Request& head) const noexcept override;
  Metrics& metrics() noexcept override { return state_.metrics; }
  RateLimits& limits() noexcept override { return limits_; }

 private:
  struct Series {
    std::array<Counter*, kClasses.size()> requests{};
    Histogram* latency = nullptr;
  };

  void add_series(std::string_view method, std::string_view pattern);
  Outcome decide(const Installation& on, const Request& request, Answer& answer,
                 std::size_t& number);
  Outcome serve(const Installation& on, const Request& request, Answer& answer, const Route& route,
                const Path& path);
  const Token* authenticate(const Installation& on, const Request& request, Answer& answer);
  void refuse_route(const RouteTable::Match& match, const Request& request, Answer& answer);
  void finish(const Request& request, Answer& answer, std::size_t number);
  bool is_foreign_page(const Request& request, Answer& answer) const;
  static bool is_foreign(const Token& token, const Route& route, const Path& path,
                         const Request& request);
  static bool has_good_content(const Request& request, const Route& route, Answer& answer);

  const std::vector<std::string> origins_;
  const std::vector<std::string> hosts_;
  Log& log_;
  const RouteTable table_;
  RateLimits limits_;
  ApiState state_;
  std::vector<Series> series_;  // by the number of the route; one more for no route
};

void RoutedApi::add_series(std::string_view method, std::string_view pattern) {
  Series series;
  for (std::size_t i = 0; i < kClasses.size(); ++i) {
    series.requests[i] =
        &state_.metrics.counter("tessera_requests_total", "Requests answered.",
                                {{"method", method}, {"route", pattern}, {"code", kClasses[i]}});
  }
  series.latency =
      &state_.metrics.histogram("tessera_request_seconds", "From the request to its answer.",
                                {{"method", method}, {"route", pattern}});
  series_.push_back(series);
}

Outcome RoutedApi::answer(const Installation& on, const Request& request, Answer& answer) {
  answer.clear();
  if (const auto id = Ulid::generate()) answer.request_id = id->text();
  if (!request.traceparent.empty() && is_traceparent(request.traceparent)) {
    answer.traceparent = request.traceparent;
  }
  std::size_t number = series_.size() - 1;
  try {
    if (decide(on, request, answer, number) == Outcome::must_wait) return Outcome::must_wait;
  } catch (const std::exception& error) {
    // What was thrown is for us, not for callers.
    set_problem(answer, Fault::internal_error);
    log_.write(
        Log::Level::error, "exception",
        {{"request_id", answer.request_id.view()}, {"what", std::string_view(error.what())}});
  }
  finish(request, answer, number);
  return Outcome::done;
}

std::size_t RoutedApi::body_size_max(const Request& head) const noexcept {
  Path path;
  const auto match = table_.find(head.method, head.path, head.internal, path);
  return match.route == nullptr ? kBodyOfNobody : match.route->body_size_max;
}

Outcome RoutedApi::decide(const Installation& on, const Request& request, Answer& answer,
                          std::size_t& number) {
  if (!request.origin.empty()) {
    const auto found = std::ranges::find(origins_, request.origin);
    if (found != origins_.end()) answer.allowed_origin = *found;
  }
  if (on.tokens == nullptr && is_foreign_page(request, answer)) return Outcome::done;
  Path path;
  const auto match = table_.find(request.method, request.path, request.internal, path);
  if (match.route == nullptr) {
    refuse_route(match, request, answer);
    return Outcome::done;
  }
  number = match.number;
  answer.route = match.route->pattern;
  return serve(on, request, answer, *match.route, path);
}

// True and a problem, if a web page may have sent it that is none of ours.
bool RoutedApi::is_foreign_page(const Request& request, Answer& answer) const {
  if (!is_our_host(request.host, hosts_)) {
    set_problem(answer, Fault::foreign_host,
                "without tokens only this machine may ask, by its name",
                "Ask for 127.0.0.1 or localhost, or start the service with --host NAME.");
    return true;
  }
  const bool changes = request.method == Method::post || request.method == Method::del;
  if (!changes || request.origin.empty() || !answer.allowed_origin.empty() ||
      is_same_origin(request.origin, request.host)) {
    return false;
  }
  set_problem(answer, Fault::foreign_origin, "without tokens no page of another origin may do this",
              "Make a token, or start the service with --origin URL.");
  return true;
}

void RoutedApi::refuse_route(const RouteTable::Match& match, const Request& request,
                             Answer& answer) {
  if (request.method == Method::other) {
    set_problem(answer, Fault::method_not_allowed);
    answer.allow = kMethods;
  } else if (match.malformed) {
    set_problem(answer, Fault::invalid_path);
  } else if (match.allow.empty()) {
    set_problem(answer, Fault::no_route);
  } else if (request.method == Method::options && !answer.allowed_origin.empty()) {
    answer.status = 204;
    answer.media = Media::none;
    answer.allow = match.allow;
    answer.preflight = true;
  } else {
    set_problem(answer, Fault::method_not_allowed);
    answer.allow = match.allow;
  }
}

// Null and a problem, if he is nobody.
const Token* RoutedApi::authenticate(const Installation& on, const Request& request,
                                     Answer& answer) {
  const std::string_view text = bearer_of(request.authorization);
  const Token* token = text.empty() ? nullptr : on.tokens->find(text);
  if (token != nullptr && token->expires_ms != 0 && token->is_over(on.clock->now_ms())) {
    token = nullptr;
  }
  if (token != nullptr) return token;
  if (request.authorization.empty()) {
    set_problem(answer, Fault::unauthenticated, "there is no token",
                "Send it as: Authorization: Bearer tsr_...");
    answer.authenticate = kAskForToken;
  } else {
    set_problem(answer, Fault::unauthenticated, "the token is not good, or no longer");
    answer.authenticate = kRefuseToken;
  }
  return nullptr;
}

Outcome RoutedApi::serve(const Installation& on, const Request& request, Answer& answer,
                         const Route& route, const Path& path) {
  const Token* token = nullptr;
  if (!route.open && on.tokens != nullptr) {
    token = authenticate(on, request, answer);
    if (token == nullptr) return Outcome::done;
    answer.caller = token->id;
  }
  if (route.waits && !request.may_wait) return Outcome::must_wait;
  std::shared_ptr<TokenBucket> bucket;
  if (token != nullptr) {
    bucket = limits_.bucket_of(on.tokens, *token);
    const auto wait =
        bucket == nullptr ? std::chrono::nanoseconds(0) : bucket->take(1, on.monotonic->now());
    if (wait.count() > 0) {
      set_problem(answer, Fault::too_many_requests);
      answer.retry_after = whole_seconds(wait);
      return Outcome::done;
    }
    if (route.ability && !token->abilities.has(*route.ability)) {
      set_problem(answer, Fault::forbidden,
                  "the token may not " + std::string(name_of(*route.ability)));
      return Outcome::done;
    }
    if (route.tenant != TenantIn::nowhere && is_foreign(*token, route, path, request)) {
      set_problem(answer, Fault::never_issued);  // as of an ID that nobody has
      return Outcome::done;
    }
  }
  if (!has_good_content(request, route, answer)) return Outcome::done;
  // A browser takes what a page of ours links to, whatever it says.
  const auto media = route.is_page ? route.offers.front() : choose(request.accept, route.offers);
  if (!media) {
    set_problem(answer, Fault::not_acceptable);
    return Outcome::done;
  }
  Call call{on, request, answer, route, path, *media, token, state_};
  const Outcome outcome = route.handler(call);
  if (outcome == Outcome::must_wait && bucket != nullptr) bucket->give_back(1);
  return outcome;
}

bool RoutedApi::is_foreign(const Token& token, const Route& route, const Path& path,
                           const Request& request) {
  if (route.tenant == TenantIn::path) return !token.may_ask_for(path[2]);
  std::vector<std::string_view> names;
  for (const Parameter& parameter : route.parameters) names.push_back(parameter.name);
  const Query query(request.query, names);
  const auto tenant = query.text("tenant");
  // What is missing or malformed the handler complains about.
  return tenant && !query.has_fault() && !token.may_ask_for(*tenant);
}

bool RoutedApi::has_good_content(const Request& request, const Route& route, Answer& answer) {
  if (!request.content_encoding.empty() && request.content_encoding != "identity") {
    set_problem(answer, Fault::unsupported_media_type, "compressed bodies are not read here");
    return false;
  }
  if (request.body.empty()) return true;
  if (request.body.size() > route.body_size_max) {
    set_problem(answer, Fault::payload_too_large,
                "the body may have " + std::to_string(route.body_size_max) + " bytes");
    return false;
  }
  if (!is_json(request.content_type)) {
    set_problem(answer, Fault::unsupported_media_type, "the body must be application/json");
    return false;
  }
  return true;
}

void RoutedApi::finish(const Request& request, Answer& answer, std::size_t number) {
  const Series& series = series_[number];
  answer.latency = series.latency;
  series.requests[static_cast<std::size_t>(answer.status / 100 - 1)]->add();
  if (!answer.code.empty()) [[unlikely]] {
    // Codes are ours, and few: the table does not grow with what callers send.
    state_.metrics.counter("tessera_problems_total", "Problems answered.", {{"code", answer.code}})
        .add();
  }
  const bool refused = answer.status == 401 || answer.status == 403 || answer.status == 429;
  const Log::Level level = answer.status >= 500 ? Log::Level::error
                           : refused            ? Log::Level::warning
                                                : Log::Level::debug;
  if (!log_.writes(level)) return;
  log_.write(level, "request",
             {{"request_id", answer.request_id.view()},
              {"method", name_of(request.method)},
              {"route", answer.route},
              {"status", std::int64_t{answer.status}},
              {"code", answer.code},
              {"caller", answer.caller},
              {"traceparent", answer.traceparent}});
}

}  // namespace

std::unique_ptr<Api> make_api(const ApiOptions& options, Log& log) {
  return std::make_unique<RoutedApi>(options, log);
}

}  // namespace tessera::service
