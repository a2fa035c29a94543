// Connection: reading, writing and ending, over TCP and TLS.

#include "service/connection.h"

#include <netinet/tcp.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "service/worker.h"

namespace tessera::service {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using TlsStream = asio::ssl::stream<tcp::socket>;
template <typename Stream>
inline constexpr bool kIsPlain = std::is_same_v<Stream, tcp::socket>;

constexpr std::size_t kReadSize = 4 << 10;        // at first
constexpr std::size_t kReadSizeMax = 2 << 20;     // more than any request that is not refused
constexpr std::size_t kKeptSizeMax = 256 << 10;   // of an answer, when it is written
constexpr std::size_t kDiscardSizeMax = 1 << 20;  // of what is sent after the last answer
// What the kernel keeps for a client that is slower than we are. More would be memory that it
// holds, and a write that seems to stand still.
constexpr int kNotSentMax = 128 << 10;
using NotSentMax = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>;
constexpr std::chrono::milliseconds kFarewell{2000};  // for the other side to end as well
// For a request that is on its way when the service ends.
constexpr std::chrono::milliseconds kLastCall{1000};

template <typename Stream>
class StreamConnection final : public Connection,
                               public std::enable_shared_from_this<StreamConnection<Stream>> {
 public:
  StreamConnection(Stream stream, std::shared_ptr<asio::ssl::context> tls,
                   std::unique_ptr<Conversation> conversation, Worker& worker)
      : tls_(std::move(tls)),
        stream_(std::move(stream)),
        conversation_(std::move(conversation)),
        worker_(worker) {
    worker_.connections.insert(this);
    worker_.connection_count.fetch_add(1, std::memory_order_relaxed);
  }
  ~StreamConnection() override {
    worker_.connections.erase(this);
    worker_.connection_count.fetch_sub(1, std::memory_order_relaxed);
  }
  StreamConnection(const StreamConnection&) = delete;
  StreamConnection& operator=(const StreamConnection&) = delete;

  void start() override {
    error_code ignored;
    socket().set_option(tcp::no_delay(true), ignored);
    socket().set_option(NotSentMax(kNotSentMax), ignored);
    if constexpr (!kIsPlain<Stream>) {
      doing_ = Doing::reading;
      allow(worker_.limits.header_time);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](const error_code& error) {
                                if (!error && !self->late_) self->read();
                              });
    } else {
      socket().non_blocking(true, ignored);
      read();
    }
  }

  void check(Time now) override {
    if (doing_ == Doing::waiting || now < deadline_ || late_) return;
    if (is_last_call_ && is_idle()) {
      // What has arrived is read in this same turn: on a busy machine both come late.
      error_code error;
      if (socket().available(error) > 0 && !error) return;
      return close();
    }
    late_ = true;
    // A read that is given up is told why; a client that takes nothing cannot be told anything.
    if (doing_ == Doing::reading) {
      error_code ignored;
      socket().cancel(ignored);
    } else {
      close();
    }
  }

  // Who asks nothing may be about to: a request that is on its way is still answered.
  void drain() override {
    conversation_->drain();
    is_last_call_ = true;
    if (is_idle()) allow_last_call();
  }

  void close() override {
    error_code ignored;
    socket().close(ignored);
  }

 private:
  bool is_idle() const noexcept {
    return doing_ == Doing::reading && size_ == 0 &&
           conversation_->phase() == Conversation::Phase::idle;
  }

  enum class Doing : std::uint8_t { reading, writing, waiting, ending };

  tcp::socket& socket() {
    if constexpr (kIsPlain<Stream>) {
      return stream_;
    } else {
      return stream_.next_layer();
    }
  }

  void allow(std::chrono::milliseconds time) { deadline_ = worker_.now + time + Worker::kTick; }
  void allow_last_call() { deadline_ = std::chrono::steady_clock::now() + kLastCall; }

  // How long the other side may take depends on where it is, and does not begin anew with every
  // byte.
  void allow_for_phase() {
    const Conversation::Phase phase = conversation_->phase();
    if (doing_ == Doing::reading && phase == phase_ && phase != Conversation::Phase::idle) return;
    phase_ = phase;
    switch (phase) {
      case Conversation::Phase::idle: return allow(worker_.limits.idle_time);
      case Conversation::Phase::head: return allow(worker_.limits.header_time);
      case Conversation::Phase::body: return allow(worker_.limits.body_time);
    }
  }

  void read() {
    allow_for_phase();
    doing_ = Doing::reading;
    if (is_last_call_ && is_idle()) allow_last_call();
    make_room();
    if constexpr (kIsPlain<Stream>) {
      // To read at once, as async_read_some() does, mostly finds nothing: who has just been
      // answered has not asked again.
      stream_.async_wait(
          tcp::socket::wait_read,
          [self = this->shared_from_this()](const error_code& error) { self->on_readable(error); });
    } else {
      stream_.async_read_some(
          room(), [self = this->shared_from_this()](const error_code& error, std::size_t count) {
            self->on_read(error, count);
          });
    }
  }

  void on_readable(const error_code& waited) {
    error_code error = waited;
    const std::size_t count = error ? 0 : stream_.read_some(room(), error);
    if (error == asio::error::would_block) return read();
    on_read(error, count);
  }

  asio::mutable_buffer room() { return asio::buffer(in_.data() + size_, in_.size() - size_); }

  // What has been answered makes room for more.
  void make_room() {
    if (used_ > 0) {
      std::copy(in_.begin() + static_cast<std::ptrdiff_t>(used_),
                in_.begin() + static_cast<std::ptrdiff_t>(size_), in_.begin());
      size_ -= used_;
      used_ = 0;
    }
    if (size_ == in_.size()) {
      in_.resize(std::max(kReadSize, 2 * in_.size()));
    } else if (size_ == 0 && in_.size() > kKeptSizeMax) {
      in_ = std::string(kReadSize, '\0');
    }
  }

  void on_read(const error_code& error, std::size_t count) {
    if (late_) {
      conversation_->give_up(out_);
      return out_.empty() ? end() : write(Conversation::Next::close);
    }
    if (error || size_ + count > kReadSizeMax) return;
    size_ += count;
    go_on();
  }

  void go_on() {
    const auto next = conversation_->advance({in_.data(), size_}, used_, out_);
    switch (next) {
      case Conversation::Next::read: return read();
      case Conversation::Next::write: return write(next);
      case Conversation::Next::close: return out_.empty() ? end() : write(next);
      case Conversation::Next::wait: return wait();
    }
  }

  // `then` is what the conversation wanted. What others have asked meanwhile is read first: then
  // their answers leave together, and clients wake up less often.
  void write(Conversation::Next then) {
    doing_ = Doing::writing;
    allow(worker_.limits.write_time);
    asio::post(worker_.context, [self = this->shared_from_this(), then] { self->send(then); });
  }

  void send(Conversation::Next then) {
    std::size_t sent = 0;
    if constexpr (kIsPlain<Stream>) {
      error_code error;
      sent = stream_.write_some(asio::buffer(out_), error);
      if (error && error != asio::error::would_block) return;
      if (sent == out_.size()) return after_write(then);
    }
    asio::async_write(
        stream_, asio::buffer(out_) + sent,
        [self = this->shared_from_this(), then](const error_code& error, std::size_t) {
          if (!error) self->after_write(then);
        });
  }

  void after_write(Conversation::Next then) {
    out_.clear();
    if (out_.capacity() > kKeptSizeMax) out_.shrink_to_fit();
    then == Conversation::Next::close ? end() : go_on();
  }

  void wait() {
    // Answers to what was asked before go out first.
    if (!out_.empty()) {
      doing_ = Doing::writing;
      allow(worker_.limits.write_time);
      asio::async_write(stream_, asio::buffer(out_),
                        [self = this->shared_from_this()](const error_code& error, std::size_t) {
                          if (error) return;
                          self->out_.clear();
                          self->wait();
                        });
      return;
    }
    doing_ = Doing::waiting;
    asio::post(worker_.waiting, [self = this->shared_from_this()]() mutable {
      self->conversation_->wait();
      asio::io_context& context = self->worker_.context;
      asio::post(context, [self = std::move(self)] { self->go_on(); });
    });
  }

  // Says goodbye, and reads on for a moment: if we closed with something unread, the other side
  // might lose our last answer.
  void end() {
    doing_ = Doing::ending;
    late_ = false;
    deadline_ = worker_.now + kFarewell;
    error_code ignored;
    if constexpr (kIsPlain<Stream>) {
      socket().shutdown(tcp::socket::shutdown_send, ignored);
      discard(0);
    } else {
      stream_.async_shutdown([self = this->shared_from_this()](const error_code&) {});
    }
  }

  void discard(std::size_t count) {
    if (count > kDiscardSizeMax) return;
    in_.resize(std::max(in_.size(), kReadSize));
    stream_.async_read_some(asio::buffer(in_), [self = this->shared_from_this(), count](
                                                   const error_code& error, std::size_t size) {
      if (!error) self->discard(count + size);
    });
  }

  std::shared_ptr<asio::ssl::context> tls_;  // outlives the stream
  Stream stream_;
  std::unique_ptr<Conversation> conversation_;
  Worker& worker_;
  std::string in_;
  std::size_t size_ = 0;  // of what was read into it
  std::size_t used_ = 0;  // of that, what has been answered
  std::string out_;
  Doing doing_ = Doing::reading;
  Conversation::Phase phase_ = Conversation::Phase::idle;
  Time deadline_{};
  bool late_ = false;
  bool is_last_call_ = false;
};

}  // namespace

std::shared_ptr<Connection> make_connection(tcp::socket socket,
                                            std::shared_ptr<asio::ssl::context> tls,
                                            std::unique_ptr<Conversation> conversation,
                                            Worker& worker) {
  if (tls == nullptr) {
    return std::make_shared<StreamConnection<tcp::socket>>(std::move(socket), nullptr,
                                                           std::move(conversation), worker);
  }
  asio::ssl::context& context = *tls;
  return std::make_shared<StreamConnection<TlsStream>>(
      TlsStream(std::move(socket), context), std::move(tls), std::move(conversation), worker);
}

}  // namespace tessera::service
