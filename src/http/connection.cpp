// Sockets that do not block, poll(), and OpenSSL on top where it is wanted.

#include "http/connection.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace tessera::http {
namespace {

bool would_block(int error) noexcept {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

// OpenSSL's own way to a socket writes without MSG_NOSIGNAL: a server that has gone would end us.
namespace quiet {

int descriptor_of(BIO* bio) noexcept {
  return static_cast<const Socket*>(BIO_get_data(bio))->descriptor();
}
int write(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto sent = ::send(descriptor_of(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (sent < 0 && would_block(errno)) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}
int read(BIO* bio, char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto received = ::recv(descriptor_of(bio), bytes, static_cast<std::size_t>(size), 0);
  if (received < 0 && would_block(errno)) BIO_set_retry_read(bio);
  return static_cast<int>(received);
}
long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

BIO_METHOD* method() {
  static BIO_METHOD* const made = [] {
    BIO_METHOD* fresh = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "quiet socket");
    BIO_meth_set_write(fresh, write);
    BIO_meth_set_read(fresh, read);
    BIO_meth_set_ctrl(fresh, control);
    return fresh;
  }();
  return made;
}

}  // namespace quiet

bool is_number(const std::string& host) noexcept {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace

Connection::Connection(Address address, const Tls* tls, std::size_t answer_size_max)
    : address_(std::move(address)),
      tls_(tls),
      answer_size_max_(answer_size_max),
      process_(::getpid()) {}

Connection::~Connection() { SSL_free(ssl_); }

std::optional<Lost> Connection::connect(Time deadline) {
  if (auto why = socket_.connect(address_, deadline); !why.empty()) return Lost{false, why};
  if (address_.tls) {
    if (auto lost = shake_hands(deadline)) return lost;
  }
  usable_ = true;
  return std::nullopt;
}

std::optional<Lost> Connection::shake_hands(Time deadline) {
  ssl_ = SSL_new(tls_->context());
  BIO* bio = BIO_new(quiet::method());
  if (ssl_ == nullptr || bio == nullptr) {
    BIO_free(bio);
    return Lost{false, "no TLS: no memory"};
  }
  BIO_set_data(bio, &socket_);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_, bio, bio);
  // An address is no name: RFC 6066 does not let it be sent.
  std::string name = address_.host;
  const bool named = is_number(name)
                         ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_), name.c_str()) == 1
                         : SSL_set1_host(ssl_, name.c_str()) == 1 &&
                               SSL_ctrl(ssl_, SSL_CTRL_SET_TLSEXT_HOSTNAME,
                                        TLSEXT_NAMETYPE_host_name, name.data()) == 1;
  if (!named) return Lost{false, "no TLS: the name of the host cannot be sent"};
  while (true) {
    ERR_clear_error();
    const int result = SSL_connect(ssl_);
    if (result == 1) return std::nullopt;
    if (auto why = wait_for_tls(result, deadline); !why.empty()) {
      return Lost{false, "no TLS: " + why};
    }
  }
}

std::string Connection::wait_for_tls(int result, Time deadline) {
  const int error = errno;
  switch (SSL_get_error(ssl_, result)) {
    case SSL_ERROR_WANT_READ: return socket_.wait(POLLIN, deadline) ? "" : kTooLong;
    case SSL_ERROR_WANT_WRITE: return socket_.wait(POLLOUT, deadline) ? "" : kTooLong;
    case SSL_ERROR_ZERO_RETURN: return "the other side has closed the connection";
    default: break;
  }
  if (const long verdict = SSL_get_verify_result(ssl_); verdict != X509_V_OK) {
    return X509_verify_cert_error_string(verdict);
  }
  const char* reason = ERR_reason_error_string(ERR_peek_error());
  if (reason != nullptr) return reason;
  return error != 0 ? words_of(error) : "the connection broke";
}

Connection::Moved Connection::send(std::string_view bytes, Time deadline) {
  Moved moved;
  while (moved.size < bytes.size() && moved.why.empty()) {
    const std::string_view rest = bytes.substr(moved.size);
    if (ssl_ != nullptr) {
      ERR_clear_error();
      errno = 0;
      std::size_t size = 0;
      const int result = SSL_write_ex(ssl_, rest.data(), rest.size(), &size);
      if (result == 1) {
        moved.size += size;
      } else {
        moved.why = wait_for_tls(result, deadline);
      }
      continue;
    }
    const ssize_t size = ::send(socket_.descriptor(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (size >= 0) {
      moved.size += static_cast<std::size_t>(size);
    } else if (!would_block(errno)) {
      moved.why = words_of(errno);
    } else if (!socket_.wait(POLLOUT, deadline)) {
      moved.why = kTooLong;
    }
  }
  return moved;
}

Connection::Moved Connection::receive(char* bytes, std::size_t size, Time deadline) {
  Moved moved;
  while (moved.size == 0 && !moved.closed && moved.why.empty()) {
    if (ssl_ != nullptr) {
      ERR_clear_error();
      errno = 0;
      const int result = SSL_read_ex(ssl_, bytes, size, &moved.size);
      if (result == 1) continue;
      moved.size = 0;
      moved.closed = SSL_get_error(ssl_, result) == SSL_ERROR_ZERO_RETURN;
      if (!moved.closed) moved.why = wait_for_tls(result, deadline);
      continue;
    }
    const ssize_t received = ::recv(socket_.descriptor(), bytes, size, 0);
    if (received > 0) {
      moved.size = static_cast<std::size_t>(received);
    } else if (received == 0) {
      moved.closed = true;
    } else if (!would_block(errno)) {
      moved.why = words_of(errno);
    } else if (!socket_.wait(POLLIN, deadline)) {
      moved.why = kTooLong;
    }
  }
  return moved;
}

Result<Answer, Lost> Connection::exchange(const Request& request, Time deadline) {
  usable_ = false;
  const Moved sent = send(written(request, address_.authority()), deadline);
  // Part of it may have arrived; and a server may refuse a request before it has read it all.
  AnswerReader reader(answer_size_max_);
  auto state = AnswerReader::State::more;
  std::array<char, 16 << 10> buffer;  // not cleared: only what was received is looked at
  while (state == AnswerReader::State::more) {
    const Moved received = receive(buffer.data(), buffer.size(), deadline);
    if (!received.why.empty()) {
      return Failure{Lost{true, "no answer: " + (sent.why.empty() ? received.why : sent.why)}};
    }
    state = received.closed ? reader.end() : reader.take({buffer.data(), received.size});
  }
  if (state != AnswerReader::State::whole) {
    const bool large = state == AnswerReader::State::too_large;
    return Failure{Lost{true, large ? "no answer: the answer is too large"
                                    : "no answer: it is not HTTP, or not all of it"}};
  }
  Answer answer = std::move(reader.answer());
  usable_ = sent.why.empty() && answer.keeps_open && !reader.has_rest();
  return answer;
}

bool Connection::is_usable() const noexcept {
  if (!usable_ || process_ != ::getpid()) return false;
  char byte = 0;
  const auto size = ::recv(socket_.descriptor(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace tessera::http
