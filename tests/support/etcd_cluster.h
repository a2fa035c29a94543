#pragma once

// Real etcd for tests: one member or three, in temporary folders, on free ports of the loopback,
// and gone when the test program is, however that ends.
//
//   servers::EtcdCluster cluster(3);
//   open_store(cluster.url());              "etcd://127.0.0.1:12001,127.0.0.1:12003,..."
//   cluster.kill(cluster.leader());
//
// With a network each member is on a host of it, where it can be cut off.
//
// Where etcd is not installed the program ends with an error: tests are not skipped.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/process.h"

namespace tessera::servers {

class Network;

class EtcdCluster {
 public:
  struct Tls {  // of the port for clients
    std::string certificate;
    std::string key;
    std::string ca_of_clients;  // empty: clients need no certificate
  };

  explicit EtcdCluster(std::size_t members = 1, const Tls& tls = {});
  // The network has as many hosts, and outlives it.
  EtcdCluster(std::size_t members, const Network& network);
  ~EtcdCluster();
  EtcdCluster(const EtcdCluster&) = delete;
  EtcdCluster& operator=(const EtcdCluster&) = delete;

  // Of all members, the given one first. `prefix` is what keys begin with.
  std::string url(const std::string& prefix = {}, std::size_t first = 0) const;
  // Of one member only, by that port, which may be that of a proxy.
  static std::string url_of(std::uint16_t port, const std::string& prefix = {});
  std::uint16_t port(std::size_t member) const { return members_[member].port; }
  pid_t pid(std::size_t member) const { return members_[member].process.pid(); }
  std::size_t size() const noexcept { return members_.size(); }

  std::size_t leader() const;  // waits until there is one
  // Runs etcdctl; gives what it prints. Ends the program if it fails.
  std::string ctl(const std::string& arguments) const;
  // As whom etcdctl asks from now on: "root:password".
  void log_in(const std::string& account) { account_ = account; }

  void kill(std::size_t member);  // as a power cut of the process
  void stop(std::size_t member);
  void start(std::size_t member);  // after either; waits until it answers
  void freeze(std::size_t member);
  void thaw(std::size_t member);

 private:
  struct Member {
    std::string name;
    std::string folder;
    std::string host = "127.0.0.1";
    std::string place;  // what its command begins with
    std::uint16_t port = 0;
    std::uint16_t peer_port = 0;
    KeptProcess process;
  };

  EtcdCluster(std::size_t members, const Tls& tls, const Network* network);
  void launch(Member& member);
  bool answers(const Member& member) const;
  std::string endpoint(const Member& member) const;
  std::string ctl_command(const std::string& endpoints) const;

  Tls tls_;
  std::string account_;
  std::string folder_;
  std::vector<Member> members_;
};

// One member, shared by all tests of a program; each takes a prefix of its own.
EtcdCluster& etcd();

}  // namespace tessera::servers
