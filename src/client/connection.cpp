// HTTP/1.1 by Boost.Beast. Every step ends by the deadline.

#include "client/connection.h"

#include <openssl/err.h>
#include <sys/socket.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <charconv>
#include <type_traits>
#include <utility>

#include "tessera/version.h"

namespace tessera {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

using Plain = beast::tcp_stream;
using Secure = beast::ssl_stream<beast::tcp_stream>;

constexpr std::size_t kHeaderSizeMax = 64 << 10;
constexpr int kRetryAfterMax = 3600;

http::verb verb_of(HttpCall::Method method) noexcept {
  switch (method) {
    case HttpCall::Method::get: return http::verb::get;
    case HttpCall::Method::post: return http::verb::post;
    case HttpCall::Method::del: break;
  }
  return http::verb::delete_;
}

// Seconds only: of dates we would have to know whose clock they are by.
std::optional<std::chrono::seconds> seconds_of(beast::string_view text) noexcept {
  int seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  if (seconds < 0 || seconds > kRetryAfterMax) return std::nullopt;
  return std::chrono::seconds(seconds);
}

template <class Stream>
class Link final : public Connection {
 public:
  Link(const Address& address, asio::ssl::context* tls, std::size_t answer_size_max)
      : address_(address), answer_size_max_(answer_size_max), stream_(make_stream(io_, tls)) {}

  std::optional<Lost> connect(Time deadline) override {
    asio::ip::tcp::resolver resolver(io_);
    asio::ip::tcp::resolver::results_type found;
    // getaddrinfo() has no deadline of its own: who gives up waits for its end in the destructor.
    const error_code unknown = run(deadline, [&](auto done) {
      resolver.async_resolve(address_.host, std::to_string(address_.port),
                             [&found, done](error_code error, auto results) {
                               found = std::move(results);
                               done(error);
                             });
    });
    if (unknown) return Lost{false, "no address of the host: " + unknown.message()};
    beast::tcp_stream& tcp = beast::get_lowest_layer(stream_);
    tcp.expires_at(deadline);
    const error_code refused = run(deadline, [&](auto done) {
      tcp.async_connect(found, [done](error_code error, const auto&) { done(error); });
    });
    if (refused) return Lost{false, "no connection: " + words_of(refused)};
    error_code ignored;
    tcp.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    if constexpr (std::is_same_v<Stream, Secure>) return shake_hands(deadline);
    return std::nullopt;
  }

  Result<Received, Lost> exchange(const HttpCall& call, const std::string& token,
                                  Time deadline) override {
    auto request = request_of(call, token);
    usable_ = false;
    beast::get_lowest_layer(stream_).expires_at(deadline);
    const error_code unsent = run(deadline, [&](auto done) {
      http::async_write(stream_, request, [done](error_code error, std::size_t) { done(error); });
    });
    // Part of it may have arrived; and a server may refuse a request before it has read it all.
    http::response_parser<http::string_body> parser;
    parser.header_limit(kHeaderSizeMax);
    parser.body_limit(answer_size_max_);
    const error_code unread = run(deadline, [&](auto done) {
      http::async_read(stream_, buffer_, parser,
                       [done](error_code error, std::size_t) { done(error); });
    });
    if (unread) return Failure{Lost{true, "no answer: " + words_of(unsent ? unsent : unread)}};
    auto message = parser.release();
    usable_ = !unsent && message.keep_alive() && buffer_.size() == 0;
    Received received;
    received.answer.status = static_cast<int>(message.result_int());
    received.answer.replayed = message["Idempotent-Replayed"] == "true";
    received.retry_after = seconds_of(message[http::field::retry_after]);
    received.answer.body = std::move(message.body());
    return received;
  }

  bool is_usable() override {
    if (!usable_) return false;
    char byte = 0;
    const auto size = ::recv(beast::get_lowest_layer(stream_).socket().native_handle(), &byte, 1,
                             MSG_PEEK | MSG_DONTWAIT);
    return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

 private:
  static Stream make_stream(asio::io_context& io, asio::ssl::context* tls) {
    if constexpr (std::is_same_v<Stream, Secure>) {
      return Stream(io, *tls);
    } else {
      (void)tls;
      return Stream(io);
    }
  }

  // Begins something and waits for its end, by the deadline. The stream has the same deadline, and
  // ends what was begun with it; only a resolver does not, and then nothing is begun any more.
  template <class Begin>
  error_code run(Time deadline, const Begin& begin) {
    struct Ending {
      error_code result = asio::error::timed_out;
      bool there = false;
    };
    const auto ending = std::make_shared<Ending>();
    begin([ending](error_code error) { *ending = {error, true}; });
    io_.restart();
    while (!ending->there && io_.run_one_until(deadline + kSlack) > 0) {
    }
    if (!ending->there) {
      beast::get_lowest_layer(stream_).close();
      io_.poll();
      return asio::error::timed_out;
    }
    return ending->result == beast::error::timeout ? asio::error::timed_out : ending->result;
  }
  static constexpr std::chrono::milliseconds kSlack{100};

  std::optional<Lost> shake_hands(Time deadline) {
    error_code error;
    // An address is no name: RFC 6066 does not let it be sent.
    error_code is_name;
    asio::ip::make_address(address_.host, is_name);
    std::string name = address_.host;
    if (is_name && SSL_ctrl(stream_.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME,
                            TLSEXT_NAMETYPE_host_name, name.data()) != 1) {
      return Lost{false, "the name of the host cannot be sent"};
    }
    stream_.set_verify_callback(asio::ssl::host_name_verification(address_.host), error);
    if (error) return Lost{false, words_of(error)};
    beast::get_lowest_layer(stream_).expires_at(deadline);
    error = run(deadline, [&](auto done) {
      stream_.async_handshake(asio::ssl::stream_base::client, [done](error_code e) { done(e); });
    });
    if (error) return Lost{false, "no TLS: " + words_of(error)};
    return std::nullopt;
  }

  http::request<http::string_body> request_of(const HttpCall& call,
                                              const std::string& token) const {
    http::request<http::string_body> request(verb_of(call.method), call.target, 11);
    request.set(http::field::host, address_.authority());
    request.set(http::field::user_agent, "tessera/" TESSERA_VERSION);
    request.set(http::field::accept, "application/json");
    if (!token.empty()) request.set(http::field::authorization, "Bearer " + token);
    if (!call.idempotency_key.empty()) {
      request.set("Idempotency-Key",
                  beast::string_view(call.idempotency_key.data(), call.idempotency_key.size()));
    }
    if (!call.body.empty()) request.set(http::field::content_type, "application/json");
    request.body() = call.body;
    request.prepare_payload();
    return request;
  }

  static std::string words_of(const error_code& error) {
    if (error == asio::error::timed_out) return "it took too long";
    if (error == http::error::body_limit || error == http::error::header_limit) {
      return "the answer is too large";
    }
    return error.message();
  }

  const Address address_;
  const std::size_t answer_size_max_;
  asio::io_context io_{1};
  Stream stream_;
  beast::flat_buffer buffer_{kHeaderSizeMax * 2};
  bool usable_ = false;
};

}  // namespace

std::unique_ptr<Connection> Connection::make(const Address& address, asio::ssl::context* tls,
                                             std::size_t answer_size_max) {
  if (tls != nullptr) return std::make_unique<Link<Secure>>(address, tls, answer_size_max);
  return std::make_unique<Link<Plain>>(address, tls, answer_size_max);
}

}  // namespace tessera
