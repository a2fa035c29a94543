// From request to answer, without a connection: what the routes add to a ULID.

#include "service/api.h"
#include "support/bench.h"
#include "tessera/segment/id_service.h"
#include "tessera/system.h"
#include "tessera/ulid.h"

namespace {

using namespace tessera;
using namespace tessera::service;

// Nobody draws here.
struct NoStore final : SegmentStore {
  Result<Draw, Error> draw(const DrawRequest&) override { return Failure{Error{}}; }
  Result<ScopeState, Error> find(std::string_view) override { return Failure{Error{}}; }
};

struct Bench {
  SystemClock clock;
  SystemMonotonicClock monotonic;
  SystemEntropy entropy;
  NoStore store;
  std::unique_ptr<IdService> ids =
      std::move(*IdService::make({.types = {{"order", "ord"}}}, store, clock, monotonic));
  Log log{2, Log::Level::warning, clock};
  std::unique_ptr<Api> api = make_api({}, log);
  Installation on{.ids = ids.get(), .clock = &clock, .monotonic = &monotonic};
  std::string authorization;

  void ask_for_tokens(std::uint64_t rate) {
    const auto made = make_token({.tenants = {"acme"}, .abilities = Abilities::all(), .rate = rate},
                                 clock, entropy);
    authorization = "Bearer " + made->text;
    on.tokens = std::make_shared<const TokenTable>(*TokenTable::make({made->token}));
  }
};

void answer(benchmark::State& state, Bench& bench, Method method, std::string_view path,
            std::string_view body) {
  Request request;
  request.method = method;
  request.path = path;
  request.body = body;
  request.content_type = "application/json";
  request.authorization = bench.authorization;
  Answer answer;
  bench.api->answer(bench.on, request, answer);
  bench::prove(answer.status == 200, "a request is answered");
  bench::measure_new(state, [&] {
    bench.api->answer(bench.on, request, answer);
    return static_cast<std::uint8_t>(answer.body.back());
  });
}

void one_ulid(benchmark::State& state) {
  Bench bench;
  answer(state, bench, Method::post, "/v1/ids", "");
}
BENCHMARK(one_ulid)->Name("api/one_ulid/tessera");

void one_ulid_asked_for(benchmark::State& state) {
  Bench bench;
  answer(state, bench, Method::post, "/v1/ids", R"({"kind":"ulid","count":1})");
}
BENCHMARK(one_ulid_asked_for)->Name("api/one_ulid_of_json/tessera");

void one_ulid_by_token(benchmark::State& state) {
  Bench bench;
  bench.ask_for_tokens(0);
  answer(state, bench, Method::post, "/v1/ids", "");
}
BENCHMARK(one_ulid_by_token)->Name("api/one_ulid_by_token/tessera");

void one_ulid_by_rate(benchmark::State& state) {
  Bench bench;
  bench.ask_for_tokens(1'000'000);
  Request request;
  request.method = Method::post;
  request.path = "/v1/ids";
  request.authorization = bench.authorization;
  Answer answer;
  // Beyond the rate a refusal is as good a measure of the bucket.
  bench::measure_new(state, [&] {
    bench.api->answer(bench.on, request, answer);
    return static_cast<std::uint8_t>(answer.body.back());
  });
}
BENCHMARK(one_ulid_by_rate)->Name("api/one_ulid_by_rate/tessera");

void one_public_id(benchmark::State& state) {
  Bench bench;
  answer(state, bench, Method::post, "/v1/ids", R"({"type":"order"})");
}
BENCHMARK(one_public_id)->Name("api/one_public_id/tessera");

void health(benchmark::State& state) {
  Bench bench;
  answer(state, bench, Method::get, "/healthz", "");
}
BENCHMARK(health)->Name("api/health/tessera");

void million(benchmark::State& state, const char* accept) {
  Bench bench;
  Request request;
  request.method = Method::post;
  request.path = "/v1/ids";
  request.body = R"({"count":1000000})";
  request.content_type = "application/json";
  request.accept = accept;
  Answer answer;
  std::string buffer;
  std::int64_t bytes = 0;
  for (auto _ : state) {
    bench.api->answer(bench.on, request, answer);
    bool more = true;
    while (more) {
      buffer.clear();
      more = answer.stream->fill(buffer, 64 << 10);
      bytes += static_cast<std::int64_t>(buffer.size());
    }
  }
  state.SetBytesProcessed(bytes);
}
BENCHMARK_CAPTURE(million, text, "text/plain")
    ->Name("api/million_as_text/tessera")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(million, json, "application/json")
    ->Name("api/million_as_json/tessera")
    ->Unit(benchmark::kMillisecond);

}  // namespace
