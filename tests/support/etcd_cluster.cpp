// Starts and ends members of etcd.

#include "support/etcd_cluster.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "support/network.h"

namespace tessera::servers {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

void wait_for_end(pid_t pid) {
  if (!comes_true([pid] { return !is_running(pid); })) give_up("a member does not end");
}

}  // namespace

EtcdCluster::EtcdCluster(std::size_t members, const Tls& tls)
    : EtcdCluster(members, tls, nullptr) {}

EtcdCluster::EtcdCluster(std::size_t members, const Network& network)
    : EtcdCluster(members, {}, &network) {}

EtcdCluster::EtcdCluster(std::size_t members, const Tls& tls, const Network* network)
    : tls_(tls), members_(members) {
  if (access("/usr/bin/etcd", X_OK) != 0 || access("/usr/bin/etcdctl", X_OK) != 0) {
    give_up("it is not installed; tools/install-deps test installs it");
  }
  const char* top = std::getenv("TMPDIR");
  folder_ = std::string(top != nullptr ? top : "/tmp") + "/tessera-etcd-XXXXXX";
  if (mkdtemp(folder_.data()) == nullptr) give_up("no temporary folder");
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    member.name = "m" + std::to_string(i);
    member.folder = folder_ + "/" + member.name;
    member.port = free_port();
    member.peer_port = free_port();
    if (network != nullptr) {
      member.host = network->address(i);
      member.place = network->on(i);
    }
    if (mkdir(member.folder.c_str(), 0700) != 0) give_up("no folder " + member.folder);
  }
  for (Member& member : members_) launch(member);
  for (std::size_t i = 0; i < members_.size(); ++i) start(i);
}

EtcdCluster::~EtcdCluster() {
  members_.clear();  // their keepers end them
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string EtcdCluster::endpoint(const Member& member) const {
  return (tls_.certificate.empty() ? "http://" + member.host : "https://localhost") + ":" +
         std::to_string(member.port);
}

std::string EtcdCluster::url(const std::string& prefix, std::size_t first) const {
  std::string out = tls_.certificate.empty() ? "etcd://" : "etcds://";
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[(first + i) % members_.size()];
    out += (i > 0 ? "," : "") + (tls_.certificate.empty() ? member.host : "localhost") + ":" +
           std::to_string(member.port);
  }
  return out + "/" + prefix;
}

std::string EtcdCluster::url_of(std::uint16_t port, const std::string& prefix) {
  return "etcd://127.0.0.1:" + std::to_string(port) + "/" + prefix;
}

void EtcdCluster::launch(Member& member) {
  std::string cluster;
  for (const Member& one : members_) {
    cluster += (cluster.empty() ? "" : ",") + one.name + "=http://" + one.host + ":" +
               std::to_string(one.peer_port);
  }
  const std::string peer = "http://" + member.host + ":" + std::to_string(member.peer_port);
  std::string server = member.place + "/usr/bin/etcd --name " + member.name + " --data-dir " +
                       member.folder + "/data --listen-client-urls " + endpoint(member) +
                       " --advertise-client-urls " + endpoint(member) + " --listen-peer-urls " +
                       peer + " --initial-advertise-peer-urls " + peer + " --initial-cluster " +
                       cluster + " --initial-cluster-state new --logger zap --log-level error";
  if (!tls_.certificate.empty()) {
    server += " --cert-file " + tls_.certificate + " --key-file " + tls_.key;
  }
  if (!tls_.ca_of_clients.empty()) {
    server += " --client-cert-auth --trusted-ca-file " + tls_.ca_of_clients;
  }
  member.process.start("env -i PATH=/usr/bin:/bin " + server,
                       {.folder = member.folder, .removed = folder_});
}

std::string EtcdCluster::ctl_command(const std::string& endpoints) const {
  std::string command = "ETCDCTL_API=3 /usr/bin/etcdctl --endpoints=" + endpoints;
  if (!tls_.certificate.empty()) {
    command +=
        " --cacert=" + tls_.certificate + " --cert=" + tls_.certificate + " --key=" + tls_.key;
  }
  if (!account_.empty()) command += " --user=" + account_;
  return command;
}

// It answers when it has joined a cluster that has a leader.
bool EtcdCluster::answers(const Member& member) const {
  const std::string command =
      ctl_command(endpoint(member)) + " --command-timeout=2s endpoint health >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

void EtcdCluster::start(std::size_t index) {
  Member& member = members_[index];
  if (!is_running(member.process.pid())) {
    member.process.dismiss();
    launch(member);
  }
  const pid_t pid = member.process.pid();
  const auto answers_or_ended = [&] { return answers(member) || !is_running(pid); };
  if (!comes_true(answers_or_ended, milliseconds(20)) || !is_running(pid)) {
    give_up("a member does not answer:\n" + contents(member.folder + "/server.log"));
  }
}

std::string EtcdCluster::ctl(const std::string& arguments) const {
  std::string endpoints;
  for (const Member& member : members_) {
    endpoints += (endpoints.empty() ? "" : ",") + endpoint(member);
  }
  const std::string out = folder_ + "/ctl.out";
  const std::string command = ctl_command(endpoints) + " " + arguments + " >" + out + " 2>&1";
  if (std::system(command.c_str()) != 0) give_up(arguments + "\n" + contents(out));
  return contents(out);
}

std::size_t EtcdCluster::leader() const {
  const std::string out = folder_ + "/leader.out";
  for (int tries = 0; tries < 1000; ++tries) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (!is_running(members_[i].process.pid()) || is_stopped(members_[i].process.pid())) continue;
      const std::string command = ctl_command(endpoint(members_[i])) +
                                  " --command-timeout=2s endpoint status -w json >" + out +
                                  " 2>/dev/null";
      if (std::system(command.c_str()) != 0) continue;
      const std::string status = contents(out);
      const auto number_of = [&status](const std::string& name) {
        const std::size_t at = status.find("\"" + name + "\":");
        return at == std::string::npos
                   ? 0ULL
                   : std::strtoull(status.c_str() + at + name.size() + 3, nullptr, 10);
      };
      const auto leads = number_of("leader");
      if (leads != 0 && leads == number_of("member_id")) return i;
    }
    std::this_thread::sleep_for(milliseconds(20));
  }
  give_up("there is no leader");
}

void EtcdCluster::kill(std::size_t member) {
  ::kill(members_[member].process.pid(), SIGKILL);
  wait_for_end(members_[member].process.pid());
}

void EtcdCluster::stop(std::size_t member) {
  ::kill(members_[member].process.pid(), SIGTERM);
  wait_for_end(members_[member].process.pid());
}

void EtcdCluster::freeze(std::size_t member) {
  ::kill(members_[member].process.pid(), SIGSTOP);
  if (!comes_true([&] { return is_stopped(pid(member)); })) give_up("a member does not freeze");
}

void EtcdCluster::thaw(std::size_t member) { ::kill(members_[member].process.pid(), SIGCONT); }

EtcdCluster& etcd() {
  static EtcdCluster cluster;
  return cluster;
}

}  // namespace tessera::servers
