// One thread, all connections: reads what comes, holds it back, passes it on or loses it.

#include "support/fault_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tessera {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::abort();
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// Small questions and answers: each packet at once.
void send_at_once(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool send_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

}  // namespace

FaultProxy::FaultProxy(std::uint16_t server_port)
    : server_port_(server_port),
      listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      wakeup_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || wakeup_ < 0 || bind(listener_, generic, size) != 0 ||
      listen(listener_, 64) != 0 || getsockname(listener_, generic, &size) != 0) {
    give_up("no proxy");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

FaultProxy::~FaultProxy() {
  {
    const std::scoped_lock guard(mutex_);
    stopping_ = true;
  }
  wake();
  thread_.join();
  for (auto& link : links_) close_link(link, false);
  close(listener_);
  close(wakeup_);
}

std::string FaultProxy::url(std::string server_url) const {
  const std::string from = ":" + std::to_string(server_port_) + "/";
  const std::size_t place = server_url.find(from);
  if (place == std::string::npos) give_up("no port in the URL");
  return server_url.replace(place, from.size(), ":" + std::to_string(port_) + "/");
}

void FaultProxy::delay(milliseconds time) {
  const std::scoped_lock guard(mutex_);
  delay_ = time;
}
void FaultProxy::cut_before_reply(std::function<bool()> done) {
  const std::scoped_lock guard(mutex_);
  cut_when_ = std::move(done);
}
void FaultProxy::cut_after(std::size_t reply_size) {
  const std::scoped_lock guard(mutex_);
  pass_size_ = reply_size;
}
void FaultProxy::reset() {
  std::unique_lock lock(mutex_);
  resetting_ = true;
  wake();
  reset_done_.wait(lock, [this] { return !resetting_; });
}
void FaultProxy::freeze() {
  const std::scoped_lock guard(mutex_);
  frozen_ = true;
}
void FaultProxy::heal() {
  const std::scoped_lock guard(mutex_);
  delay_ = milliseconds(0);
  cut_when_ = nullptr;
  pass_size_.reset();
  frozen_ = false;
  wake();
}

std::size_t FaultProxy::connections_made() const {
  const std::scoped_lock guard(mutex_);
  return connections_made_;
}
std::size_t FaultProxy::cuts_made() const {
  const std::scoped_lock guard(mutex_);
  return cuts_made_;
}

void FaultProxy::wake() const {
  const std::uint64_t one = 1;
  static_cast<void>(!write(wakeup_, &one, sizeof one));  // full is awake enough
}

void FaultProxy::accept_one() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(server_port_);
  if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close(server);
    close(client);
    return;
  }
  send_at_once(client);
  send_at_once(server);
  ++connections_made_;
  Link link;
  link.client = client;
  link.server = server;
  links_.push_back(std::move(link));
}

void FaultProxy::close_link(Link& link, bool with_reset) {
  if (link.over) return;
  link.over = true;
  if (with_reset) {
    const linger at_once{1, 0};
    setsockopt(link.client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    setsockopt(link.server, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  close(link.client);
  close(link.server);
}

void FaultProxy::read_from(Link& link, bool is_reply) {
  char buffer[16'384];
  const ssize_t size = recv(is_reply ? link.server : link.client, buffer, sizeof buffer, 0);
  if (size < 0 && errno == EINTR) return;
  if (size <= 0) {
    // What was read before passes first, if it may pass now.
    pass_on(link, is_reply, Time::max());
    close_link(link, false);
    return;
  }
  std::string bytes(buffer, static_cast<std::size_t>(size));
  if (!is_reply) {
    link.requests.push_back({steady_clock::now(), std::move(bytes)});
  } else if (cut_when_) {
    link.lost_reply = true;
  } else {
    link.replies.push_back({steady_clock::now() + delay_, std::move(bytes)});
  }
}

void FaultProxy::pass_on(Link& link, bool is_reply, Time now) {
  auto& chunks = is_reply ? link.replies : link.requests;
  while (!link.over && !chunks.empty() && chunks.front().due <= now) {
    std::string bytes = std::move(chunks.front().bytes);
    chunks.pop_front();
    const bool cuts = is_reply && pass_size_ && bytes.size() >= *pass_size_;
    if (cuts) bytes.resize(*pass_size_);
    if (is_reply && pass_size_) *pass_size_ -= bytes.size();
    if (!send_all(is_reply ? link.client : link.server, bytes)) close_link(link, false);
    if (cuts) {
      pass_size_.reset();
      ++cuts_made_;
      close_link(link, false);
    }
  }
}

void FaultProxy::run() {
  std::vector<pollfd> waiting;
  for (;;) {
    std::function<bool()> cut_when;
    {
      const std::scoped_lock guard(mutex_);
      if (stopping_) return;
      std::erase_if(links_, [](const Link& link) { return link.over; });
      waiting.assign({{wakeup_, POLLIN, 0}, {listener_, POLLIN, 0}});
      if (!frozen_) {
        for (const auto& link : links_) {
          waiting.push_back({link.client, POLLIN, 0});
          waiting.push_back({link.server, POLLIN, 0});
        }
      }
      cut_when = cut_when_;
    }
    // Commands are noticed within a millisecond or two, without waking us.
    if (poll(waiting.data(), waiting.size(), 1) < 0 && errno != EINTR) give_up("poll");
    const bool done = cut_when && cut_when();  // not under the lock: it may ask for a connection

    const std::scoped_lock guard(mutex_);
    std::uint64_t ignored = 0;
    static_cast<void>(!read(wakeup_, &ignored, sizeof ignored));
    // Here, since a socket that is polled does not go away when it is closed.
    if (std::exchange(resetting_, false)) {
      for (auto& link : links_) close_link(link, true);
      reset_done_.notify_all();
      continue;
    }
    if (frozen_) continue;
    const std::size_t link_count = (waiting.size() - 2) / 2;
    for (std::size_t i = 0; i < link_count; ++i) {
      Link& link = links_[i];
      if (!link.over && waiting[2 + 2 * i].revents != 0) read_from(link, false);
      if (!link.over && waiting[3 + 2 * i].revents != 0) read_from(link, true);
    }
    if (waiting[1].revents != 0) accept_one();
    const Time now = steady_clock::now();
    for (auto& link : links_) {
      pass_on(link, false, now);
      pass_on(link, true, now);
    }
    // Done may be seen before the reply is: one must have been lost.
    if (done && std::ranges::any_of(links_, &Link::lost_reply)) {
      for (auto& link : links_) {
        if (!link.lost_reply) continue;
        ++cuts_made_;
        close_link(link, false);
      }
      cut_when_ = nullptr;
    }
  }
}

}  // namespace tessera
