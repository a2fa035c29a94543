#pragma once

// A Redis server of our own, on a socket in a temporary folder, for benchmarks that compare.
//
//   redis::Server server({"--appendonly", "yes"});
//   redis::Client client(server.socket());
//   client.incr("ORDER");     1, 2, 3 ...

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/servers.h"

namespace redis {

class Server {
 public:
  explicit Server(const std::vector<std::string>& settings) {
    std::vector<std::string> words = {"redis-server", "--port",    "0",
                                      "--unixsocket", socket(),    "--dir",
                                      folder_.path(), "--logfile", folder_ / "log"};
    words.insert(words.end(), settings.begin(), settings.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::execvp(argv[0], argv.data());
      ::_exit(127);
    }
    for (int i = 0; i < 500 && ::access(socket().c_str(), F_OK) != 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (::access(socket().c_str(), F_OK) != 0)
      throw std::runtime_error("redis-server did not start");
  }
  ~Server() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string socket() const { return folder_ / "redis.sock"; }

 private:
  tessera::servers::TemporaryFolder folder_;
  pid_t pid_ = -1;
};

// Asks and waits, as most programs do.
class Client {
 public:
  explicit Client(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw std::runtime_error("the path is too long");
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    // The socket is there a moment before anybody listens.
    for (int i = 0;
         ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0; ++i) {
      if (i == 500) throw std::runtime_error("could not connect to Redis");
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  std::int64_t incr(const std::string& key) {
    const std::string request = "INCR " + key + "\r\n";
    if (::write(fd_, request.data(), request.size()) != static_cast<ssize_t>(request.size())) {
      throw std::runtime_error("could not write to Redis");
    }
    char answer[64];
    std::size_t size = 0;
    while (size == 0 || answer[size - 1] != '\n') {
      const ssize_t got = ::read(fd_, answer + size, sizeof answer - 1 - size);
      if (got <= 0) throw std::runtime_error("could not read from Redis");
      size += static_cast<std::size_t>(got);
    }
    answer[size] = '\0';
    if (answer[0] != ':') throw std::runtime_error(answer);
    return std::atoll(answer + 1);
  }

 private:
  int fd_;
};

}  // namespace redis
