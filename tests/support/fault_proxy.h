#pragma once

// FaultProxy: stands between a client and a server on this machine, and spoils what passes.
//
//   FaultProxy proxy(server.port());
//   open_store(proxy.url(server.fresh_database()));
//   proxy.cut_before_reply([&] { return draws() == 2; });
//
//    client  <-- replies ---  proxy  <-- replies ---  server
//            --- requests ->         --- requests ->
//
// Faults hold for all connections, those that come later too, until heal(). Thread-safe.

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tessera {

class FaultProxy {
 public:
  explicit FaultProxy(std::uint16_t server_port);
  ~FaultProxy();
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  std::uint16_t port() const noexcept { return port_; }
  // The same URL by way of the proxy.
  std::string url(std::string server_url) const;

  // Every reply comes so much later.
  void delay(std::chrono::milliseconds time);
  // Requests pass, replies are thrown away. When one was lost and `done` says so, the connections
  // that lost one are closed, and the fault is over. `done` is asked by the thread of the proxy.
  void cut_before_reply(std::function<bool()> done);
  // So many bytes of replies pass, then that connection is closed, and the fault is over.
  void cut_after(std::size_t reply_size);
  // All connections break at once, as by a crash of the machine between (RST); when it
  // returns they are broken.
  void reset();
  // Nothing passes, nothing is closed.
  void freeze();
  // Ends delay, cuts and freeze; what was held back passes.
  void heal();

  std::size_t connections_made() const;  // since the beginning
  std::size_t cuts_made() const;         // connections closed by cut_before_reply and cut_after

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Chunk {
    Time due;
    std::string bytes;
  };
  struct Link {
    int client = -1;
    int server = -1;
    std::deque<Chunk> requests;  // read and not yet passed on
    std::deque<Chunk> replies;
    bool lost_reply = false;
    bool over = false;
  };

  void run();
  void accept_one();
  void read_from(Link& link, bool is_reply);
  void pass_on(Link& link, bool is_reply, Time now);
  void close_link(Link& link, bool with_reset);
  void wake() const;

  const std::uint16_t server_port_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  int wakeup_ = -1;

  mutable std::mutex mutex_;
  std::vector<Link> links_;
  std::chrono::milliseconds delay_{0};
  std::function<bool()> cut_when_;
  std::optional<std::size_t> pass_size_;
  bool frozen_ = false;
  bool resetting_ = false;
  std::condition_variable reset_done_;
  bool stopping_ = false;
  std::size_t connections_made_ = 0;
  std::size_t cuts_made_ = 0;

  std::thread thread_;
};

}  // namespace tessera
