#pragma once

// Real database servers for tests: PostgreSQL and MariaDB, each in a temporary folder, on a port of
// its own, with a password, and gone when the test program is, however that ends.
//
//   const std::string url = servers::postgres().fresh_database();     "postgres://tester:...@..."
//
// The two of postgres() and mariadb() are started at first use and shared by all tests of a
// program. A test that needs other settings, or that kills, takes a breakable() one. Where the
// program of a server is not installed, the test program ends with an error: tests are not skipped.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/process.h"

namespace tessera::servers {

class Server {
 public:
  enum class Kind : std::uint8_t { postgres, mariadb };

  // `settings` are name=value, as on the server's command line: "fsync=off".
  explicit Server(Kind kind, std::vector<std::string> settings = {});
  // A standby of a PostgreSQL, with all that it has.
  Server(Server& primary, std::vector<std::string> settings);
  ~Server();  // stops it and removes its folder
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // As an account that may do all but is not the superuser of PostgreSQL.
  std::string url(const std::string& database) const;
  std::string superuser_url(const std::string& database) const;
  // By the socket instead of the port.
  std::string socket_url(const std::string& database) const;
  // A new database of the account, by URL.
  std::string fresh_database();
  // A statement of the superuser, in the database of that name. Ends the program if it fails.
  void run(const std::string& sql, const std::string& database = {});

  std::uint16_t port() const noexcept { return port_; }
  pid_t pid() const noexcept { return process_.pid(); }

  void kill();     // as a power cut of the process: nothing is flushed
  void stop();     // as an operator would
  void restart();  // after either, or without; waits until it answers
  void restart_with(std::vector<std::string> settings);
  void mend();  // restarts it without settings, if it is down or has some
  // PostgreSQL. A server that is down forgets its data, and comes back as a standby of the other.
  void follow(Server& primary);
  void promote();  // waits until it takes writes
  void freeze();   // answers nothing until thawed
  void thaw();
  // MariaDB. From its next start on, every write to its log takes so long; 0: as long as it must.
  void set_log_time(std::chrono::milliseconds time) { log_time_ = time; }

  static constexpr const char* kPassword = "s3cret/word";

 private:
  void make_folder();
  void start();
  void halt();
  bool answers() const;
  std::string slow_disk() const;
  std::string client(const std::string& database) const;
  std::string log_file() const { return folder_ + "/server.log"; }

  Kind kind_;
  std::vector<std::string> settings_;
  std::chrono::milliseconds log_time_{0};
  std::string folder_;
  std::uint16_t port_ = 0;
  KeptProcess process_;
};

Server& postgres();
Server& mariadb();
// A second one of each, for tests that kill, freeze and restart it, or change its settings;
// running, with the usual settings, whenever it is asked for.
Server& breakable(Server::Kind kind);

// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const noexcept { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace tessera::servers
