// Finds hosts and connects to them.

#include "http/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tessera::http {
namespace {

using Clock = std::chrono::steady_clock;

int left_ms(Time deadline) noexcept {
  constexpr std::int64_t kDayMs = 86'400'000;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, kDayMs));
}

struct Place {
  sockaddr_storage address{};
  socklen_t size = 0;
};

struct Found {
  int error = EAI_AGAIN;
  std::vector<Place> places;
};

Found look_up(const std::string& host, const std::string& port, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  Found found;
  found.error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &list);
  for (const addrinfo* one = list; found.error == 0 && one != nullptr; one = one->ai_next) {
    Place place;
    if (one->ai_addrlen > sizeof place.address) continue;
    std::memcpy(&place.address, one->ai_addr, one->ai_addrlen);
    place.size = one->ai_addrlen;
    found.places.push_back(place);
  }
  if (list != nullptr) ::freeaddrinfo(list);
  return found;
}

// getaddrinfo() has no deadline of its own. Who gives up leaves it to a thread that nobody waits
// for, and that has its own copy of everything.
Found look_up_by(const Address& address, Time deadline) {
  const std::string port = std::to_string(address.port);
  if (auto numeric = look_up(address.host, port, AI_NUMERICHOST); numeric.error == 0) {
    return numeric;
  }
  struct Shared {
    std::mutex mutex;
    std::condition_variable ready;
    bool there = false;
    Found found;
  };
  const auto shared = std::make_shared<Shared>();
  try {
    std::thread([shared, host = address.host, port] {
      Found found = look_up(host, port, 0);
      const std::lock_guard lock(shared->mutex);
      shared->found = std::move(found);
      shared->there = true;
      shared->ready.notify_one();
    }).detach();
  } catch (const std::system_error&) {
    return look_up(address.host, port, 0);  // no thread to be had: then we wait
  }
  std::unique_lock lock(shared->mutex);
  shared->ready.wait_until(lock, deadline, [&] { return shared->there; });
  return std::move(shared->found);
}

}  // namespace

std::string words_of(int error) {
  return error == ETIMEDOUT ? kTooLong : std::generic_category().message(error);
}

void Socket::close() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

bool Socket::wait(short events, Time deadline) const noexcept {
  pollfd ready{descriptor_, events, 0};
  while (true) {
    const int left = left_ms(deadline);
    const int count = ::poll(&ready, 1, left);
    if (count > 0) return true;
    if (count == 0 && left_ms(deadline) == 0) return false;
    if (count < 0 && errno != EINTR) return false;
  }
}

std::string Socket::connect(const Address& address, Time deadline) {
  const Found found = look_up_by(address, deadline);
  if (found.error != 0) {
    const bool late = found.error == EAI_AGAIN && Clock::now() >= deadline;
    return "no address of the host: " + std::string(late ? kTooLong : ::gai_strerror(found.error));
  }
  std::string why = "no address of the host";
  for (std::size_t i = 0; i < found.places.size(); ++i) {
    const Place& place = found.places[i];
    close();
    descriptor_ =
        ::socket(place.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
    if (descriptor_ < 0) {
      why = "no connection: " + words_of(errno);
      continue;
    }
    const auto others = static_cast<std::int64_t>(found.places.size() - i);
    const Time mine = Clock::now() + (deadline - Clock::now()) / others;
    int error = 0;
    if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&place.address), place.size) !=
        0) {
      error = errno;
    }
    if (error == EINPROGRESS || error == EINTR) {
      socklen_t size = sizeof error;
      if (!wait(POLLOUT, mine)) {
        error = ETIMEDOUT;
      } else if (::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
        error = errno;
      }
    }
    if (error == 0) {
      const int on = 1;
      ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return "";
    }
    why = "no connection: " + words_of(error);
  }
  close();
  return why;
}

}  // namespace tessera::http
