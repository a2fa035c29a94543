// Server: listeners, workers, and how they begin and end.

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "service/api.h"
#include "service/connection.h"
#include "service/http_conversation.h"
#include "service/redis_conversation.h"
#include "service/tls.h"
#include "service/worker.h"
#include "tessera/parse_error.h"
#include "tessera/service/service.h"

namespace tessera::service {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int kBacklog = 4096;
constexpr std::chrono::milliseconds kAcceptPause{100};  // when there are no descriptors left

std::string text_of(const tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" +
         std::to_string(endpoint.port());
}

Error cannot_listen(const std::string& where, std::string_view why, std::string hint = {}) {
  return {.code = Error::Code::invalid_request,
          .message = std::string("cannot listen on " + quoted(where) + ": ").append(why),
          .hint = std::move(hint)};
}

class Server;

// One socket that listens. Connections go to the workers in turn.
class Listener {
 public:
  Listener(Server& server, const Listen& listen, tcp::acceptor acceptor)
      : server_(server),
        protocol_(listen.protocol),
        internal_(listen.internal),
        acceptor_(std::move(acceptor)),
        pause_(acceptor_.get_executor()) {}

  void accept();
  void close();
  tcp::endpoint endpoint() const {
    error_code ignored;
    return acceptor_.local_endpoint(ignored);
  }

 private:
  void on_accept(const error_code& error, tcp::socket socket, Worker& worker);
  void serve(tcp::socket socket, Worker& worker);
  std::unique_ptr<Conversation> converse(Worker& worker) const;

  Server& server_;
  const Protocol protocol_;
  const bool internal_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
};

class Server final : public Service {
 public:
  Server(const ServiceOptions& options, const std::shared_ptr<const Installation>& installation,
         Log& log)
      : options_(options),
        log_(log),
        api_(make_api({.origins = options.origins,
                       .rate = options.limits.rate,
                       .hosts = options.hosts,
                       .assets = options.assets},
                      log)),
        waiting_(std::max<std::size_t>(options.waiting_max, 1)),
        redis_commands_(api_->metrics().counter("tessera_redis_commands_total",
                                                "Commands of the Redis protocol.")),
        redis_errors_(api_->metrics().counter("tessera_redis_errors_total",
                                              "Commands that were answered with an error.")) {
    const std::size_t threads =
        options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
    for (std::size_t i = 0; i < threads; ++i) {
      workers_.push_back(
          std::make_unique<Worker>(options_.limits, waiting_, connection_count_, installation));
    }
    api_->metrics().gauge("tessera_connections", "Connections that are open.", {}, [this] {
      return static_cast<double>(connection_count_.load(std::memory_order_relaxed));
    });
  }

  // NOLINTNEXTLINE(bugprone-exception-escape): what cannot be ended ends the process
  ~Server() override {
    stop(std::chrono::milliseconds(0));
    waiting_.join();
  }

  std::optional<Error> listen() {
    auto tls = make_tls(options_.tls);
    if (!tls) return tls.error();
    tls_ = *std::move(tls);
    for (const Listen& listen : options_.listens) {
      tcp::acceptor acceptor(workers_[0]->context);
      if (auto error = open(listen, acceptor)) return error;
      listeners_.push_back(std::make_unique<Listener>(*this, listen, std::move(acceptor)));
    }
    return std::nullopt;
  }

  void run() {
    for (auto& listener : listeners_) listener->accept();
    for (auto& worker : workers_) {
      worker->tick();
      threads_.emplace_back([&worker = *worker] { worker.context.run(); });
    }
  }

  std::vector<ListenedAt> addresses() const override {
    std::vector<ListenedAt> all;
    for (const auto& listener : listeners_) {
      const tcp::endpoint endpoint = listener->endpoint();
      all.push_back({endpoint.address().to_string(), endpoint.port()});
    }
    return all;
  }

  std::optional<Error> reload(std::shared_ptr<const Installation> installation) override {
    auto tls = make_tls(options_.tls);
    if (!tls) return tls.error();
    {
      const std::lock_guard lock(mutex_);
      tls_ = *std::move(tls);
    }
    for (auto& worker : workers_) {
      asio::post(worker->context, [&worker = *worker, installation] { worker.on = installation; });
    }
    return std::nullopt;
  }

  void stop(std::chrono::milliseconds grace) override {
    if (stopped_.exchange(true)) return;
    on_each_worker([](Worker& worker) {
      const std::vector<Connection*> all(worker.connections.begin(), worker.connections.end());
      for (Connection* connection : all) {
        if (worker.connections.contains(connection)) connection->drain();
      }
    });
    // Who was let in last is on its way from the first worker to another, and not counted yet.
    for (int way = 0; way < 2; ++way) on_each_worker([](Worker&) {});
    const auto end = std::chrono::steady_clock::now() + grace;
    while (connection_count_.load() > 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    // Whoever waits for a store still gets its answer; it is written if there is somebody to read.
    for (auto& worker : workers_) worker->context.stop();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

  Worker& next_worker() { return *workers_[next_++ % workers_.size()]; }
  std::shared_ptr<asio::ssl::context> tls() {
    const std::lock_guard lock(mutex_);
    return tls_;
  }
  bool is_full() const {
    return connection_count_.load(std::memory_order_relaxed) >= options_.limits.connections_max;
  }

 private:
  friend class Listener;

  std::optional<Error> open(const Listen& listen, tcp::acceptor& acceptor) {
    error_code error;
    if (listen.socket >= 0) {
      sockaddr_storage address{};
      socklen_t size = sizeof address;
      if (getsockname(listen.socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        return cannot_listen("an inherited socket", "it is none");
      }
      acceptor.assign(address.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), listen.socket, error);
      if (error) return cannot_listen("an inherited socket", error.message());
      return std::nullopt;
    }
    const std::string where = listen.host + ":" + std::to_string(listen.port);
    tcp::resolver resolver(workers_[0]->context);
    const auto found =
        resolver.resolve(listen.host, std::to_string(listen.port), tcp::resolver::passive, error);
    if (error || found.empty()) return cannot_listen(where, error.message());
    const tcp::endpoint endpoint = found.begin()->endpoint();
    if (workers_[0]->on->tokens == nullptr && !endpoint.address().is_loopback()) {
      return cannot_listen(where, "without tokens only this machine may ask",
                           "Make one with `tessera token create`, or listen on 127.0.0.1.");
    }
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(kBacklog, error);
    if (error) return cannot_listen(text_of(endpoint), error.message());
    return std::nullopt;
  }

  // Closes the listeners too, which are those of the first.
  template <typename Function>
  void on_each_worker(Function function) {
    std::vector<std::future<void>> done;
    for (auto& worker : workers_) {
      auto promise = std::make_shared<std::promise<void>>();
      done.push_back(promise->get_future());
      if (threads_.empty()) {
        promise->set_value();
        continue;
      }
      asio::post(worker->context, [this, &worker = *worker, function, promise] {
        if (&worker == workers_[0].get()) {
          for (auto& listener : listeners_) listener->close();
        }
        function(worker);
        promise->set_value();
      });
    }
    for (auto& one : done) one.get();
  }

  const ServiceOptions options_;
  Log& log_;
  std::unique_ptr<Api> api_;
  std::mutex mutex_;
  std::shared_ptr<asio::ssl::context> tls_;
  std::atomic<std::size_t> connection_count_{0};
  asio::thread_pool waiting_;
  Counter& redis_commands_;
  Counter& redis_errors_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<std::thread> threads_;
  std::size_t next_ = 0;
  std::atomic<bool> stopped_{false};
};

void Listener::accept() {
  Worker& worker = server_.next_worker();
  acceptor_.async_accept(worker.context,
                         [this, &worker](const error_code& error, tcp::socket socket) {
                           on_accept(error, std::move(socket), worker);
                         });
}

void Listener::on_accept(const error_code& error, tcp::socket socket, Worker& worker) {
  if (!error) serve(std::move(socket), worker);  // also if we have closed since
  if (error == asio::error::operation_aborted || !acceptor_.is_open()) return;
  if (error) {  // too many open files, most likely: it passes
    const std::string why = error.message();
    server_.log_.write(Log::Level::warning, "not_accepted", {{"error", std::string_view(why)}});
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([this](const error_code& ended) {
      if (!ended) accept();
    });
    return;
  }
  accept();
}

void Listener::serve(tcp::socket socket, Worker& worker) {
  // One too many is closed at once: to tell it so would need what there is too little of.
  if (server_.is_full()) return;
  asio::post(worker.context,
             [this, &worker, tls = server_.tls(), socket = std::move(socket)]() mutable {
               const auto connection =
                   make_connection(std::move(socket), std::move(tls), converse(worker), worker);
               connection->start();
               if (server_.stopped_) connection->drain();
             });
}

// Whoever was let in by the kernel already is served: to close on them would be a reset.
void Listener::close() {
  error_code ended;
  acceptor_.non_blocking(true, ended);
  while (!ended) {
    Worker& worker = server_.next_worker();
    tcp::socket socket(worker.context);
    acceptor_.accept(socket, ended);
    if (!ended) serve(std::move(socket), worker);
  }
  error_code ignored;
  acceptor_.close(ignored);
  pause_.cancel();
}

std::unique_ptr<Conversation> Listener::converse(Worker& worker) const {
  if (protocol_ == Protocol::redis) {
    return std::make_unique<RedisConversation>(RedisShared{
        worker.on, server_.redis_commands_, server_.redis_errors_, &server_.api_->limits()});
  }
  return std::make_unique<HttpConversation>(
      HttpShared{*server_.api_, worker.writer, worker.limits, worker.on, internal_});
}

}  // namespace

Result<std::unique_ptr<Service>, Error> Service::start(
    const ServiceOptions& options, const std::shared_ptr<const Installation>& installation,
    Log& log) {
  auto server = std::make_unique<Server>(options, installation, log);
  if (auto error = server->listen()) return Failure{*std::move(error)};
  server->run();
  return std::unique_ptr<Service>(std::move(server));
}

}  // namespace tessera::service
