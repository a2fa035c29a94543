// The shop on HTTP: a coroutine for each connection, a thread for each core.
//
//    SHOP_DATABASE=postgres://shop@127.0.0.1/shop SHOP_TOKENS=1:alpha,2:beta shop PORT
//
// Whoever sends `Authorization: Bearer alpha` is tenant 1. A statement blocks its thread, which is
// the simple way and enough for a shop of this size.

#include <algorithm>
#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "shop.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using Tokens = std::map<std::string, shop::Tenant, std::less<>>;

constexpr std::size_t kBodyMax = 16 * 1024;
constexpr std::chrono::seconds kPatience(30);

struct World {
  std::string database;
  Tokens tokens;
  tessera::IdService& ids;
};

// "1:alpha,2:beta". Nothing if it makes no sense.
std::optional<Tokens> read_tokens(std::string_view text) {
  Tokens tokens;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    std::int64_t tenant = 0;
    const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), tenant);
    if (error != std::errc{} || end == entry.data() + entry.size() || *end != ':')
      return std::nullopt;
    tokens.emplace(entry.substr(static_cast<std::size_t>(end - entry.data()) + 1),
                   shop::Tenant{tenant});
  }
  return tokens;
}

shop::Answer answer_to(World& world, const http::request<http::string_body>& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view authorization = request[http::field::authorization];
  const auto tenant = authorization.starts_with(kBearer)
                          ? world.tokens.find(authorization.substr(kBearer.size()))
                          : world.tokens.end();
  if (tenant == world.tokens.end())
    return shop::problem(401, "unauthenticated", "a good token is needed");
  thread_local shop::Shop shop(world.database, world.ids);
  const std::string_view target = request.target();
  return shop.handle(tenant->second, request.method_string(), target.substr(0, target.find('?')),
                     request.body(), request["Idempotency-Key"]);
}

http::response<http::string_body> response_of(const shop::Answer& answer, unsigned version,
                                              bool keep_alive) {
  http::response<http::string_body> response(static_cast<http::status>(answer.status), version);
  if (!answer.body.empty()) {
    response.set(http::field::content_type,
                 answer.status < 400 ? "application/json" : "application/problem+json");
  }
  if (!answer.location.empty()) response.set(http::field::location, answer.location);
  if (answer.replayed) response.set("Idempotent-Replayed", "true");
  response.body() = answer.body;
  response.keep_alive(keep_alive);
  response.prepare_payload();
  return response;
}

asio::awaitable<void> serve(tcp::socket socket, World& world) {
  constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
  beast::tcp_stream stream(std::move(socket));
  beast::flat_buffer buffer;
  for (bool keep_alive = true; keep_alive;) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(kBodyMax);
    stream.expires_after(kPatience);
    const auto [error, size] = co_await http::async_read(stream, buffer, parser, kNoThrow);
    if (error && error != http::error::body_limit) break;
    keep_alive = !error && parser.get().keep_alive();
    const auto answer = error ? shop::problem(413, "payload_too_large", "the body is too large")
                              : answer_to(world, parser.get());
    const auto response = response_of(answer, 11, keep_alive);
    stream.expires_after(kPatience);
    const auto [fault, sent] = co_await http::async_write(stream, response, kNoThrow);
    if (fault) break;
  }
  beast::error_code ignored;
  stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
}

asio::awaitable<void> accept(tcp::acceptor acceptor, World& world) {
  for (;;) {
    auto [error, socket] = co_await acceptor.async_accept(asio::as_tuple(asio::use_awaitable));
    if (error) continue;  // a caller that went away again
    auto executor = socket.get_executor();
    asio::co_spawn(executor, serve(std::move(socket), world), asio::detached);
  }
}

int fail(const std::string& why) {
  std::fprintf(stderr, "shop: %s\n", why.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* url = std::getenv("SHOP_DATABASE");
  const char* tokens_text = std::getenv("SHOP_TOKENS");
  const auto tokens = read_tokens(tokens_text == nullptr ? "" : tokens_text);
  if (argc != 2 || url == nullptr || !tokens || tokens->empty()) {
    return fail("usage: SHOP_DATABASE=postgres://… SHOP_TOKENS=1:token,2:token shop PORT");
  }

  // Keys of rows: drawn in ranges from the same database, handed out from memory.
  const auto store = tessera::open_store(url);
  if (!store) return fail(store.error().message + "\nhint: " + store.error().hint);
  tessera::SystemClock clock;
  tessera::SystemMonotonicClock monotonic;
  const auto ids = tessera::IdService::make({.scopes = {{.name = "PRODUCT"}, {.name = "ORDER"}}},
                                            (*store)->segments(), clock, monotonic);
  if (!ids) return fail(ids.error().message);
  World world{url, *tokens, **ids};

  try {
    asio::io_context context;
    const auto port = static_cast<unsigned short>(std::atoi(argv[1]));
    tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), port});
    std::printf("shop: http://127.0.0.1:%u\n",
                static_cast<unsigned>(acceptor.local_endpoint().port()));
    std::fflush(stdout);
    asio::co_spawn(context, accept(std::move(acceptor), world), asio::detached);
    asio::signal_set signals(context, SIGINT, SIGTERM);
    signals.async_wait([&](auto, auto) { context.stop(); });
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < std::max(2u, std::thread::hardware_concurrency()); ++i) {
      threads.emplace_back([&] { context.run(); });
    }
    context.run();
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
