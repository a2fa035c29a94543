// Makes namespaces, and cuts the links between them.

#include "support/network.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "support/process.h"

namespace tessera::servers {
namespace {

void run(const std::string& command) {
  const std::string quiet = "PATH=/usr/sbin:/sbin:/usr/bin:/bin; " + command;
  if (std::system(quiet.c_str()) != 0) give_up("failed: " + command);
}

std::string link_of(std::size_t host) { return "host" + std::to_string(host); }

// Who is not root becomes it, in a namespace of his own.
void leave_the_machine() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(user == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET) != 0) {
    give_up(std::string("no namespace: ") + std::strerror(errno));
  }
  if (user == 0) return;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
}

// A process that does nothing, in a namespace that lives as long as it does.
pid_t start_keeper() {
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) give_up("no pipe");
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) give_up("no process");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || unshare(CLONE_NEWNET) != 0) _exit(1);
    const int nothing = open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor < 3; ++descriptor) dup2(nothing, descriptor);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    while (true) pause();
  }
  close(ready[1]);
  char byte = 0;
  if (read(ready[0], &byte, 1) != 1) give_up("no namespace for a host");
  close(ready[0]);
  return pid;
}

}  // namespace

Network::Network(std::size_t hosts) {
  if (access("/sbin/ip", X_OK) != 0 && access("/usr/sbin/ip", X_OK) != 0) {
    give_up("iproute2 is not installed; tools/install-deps test installs it");
  }
  leave_the_machine();
  run("ip link set lo up && ip link add switch type bridge && "
      "ip address add 10.99.0.254/24 dev switch && ip link set switch up");
  for (std::size_t host = 0; host < hosts; ++host) {
    keepers_.push_back(start_keeper());
    const std::string link = link_of(host);
    run("ip link add " + link + " type veth peer name eth0 netns " +
        std::to_string(keepers_.back()) + " && ip link set " + link + " master switch up && " +
        on(host) + "sh -c 'ip link set lo up && ip address add " + address(host) +
        "/24 dev eth0 && ip link set eth0 up'");
  }
}

Network::~Network() {
  for (const pid_t keeper : keepers_) {
    kill(keeper, SIGKILL);
    int status = 0;
    while (waitpid(keeper, &status, 0) < 0 && errno == EINTR) {
    }
  }
}

std::string Network::address(std::size_t host) const {
  return "10.99.0." + std::to_string(host + 1);
}

std::string Network::on(std::size_t host) const {
  return "/usr/bin/nsenter --net=/proc/" + std::to_string(keepers_[host]) + "/ns/net ";
}

void Network::cut(std::size_t host) { run("ip link set " + link_of(host) + " down"); }

// The switch passes nothing between two that are marked so.
void Network::part(std::size_t first, std::size_t other) {
  run("bridge link set dev " + link_of(first) + " isolated on && bridge link set dev " +
      link_of(other) + " isolated on");
}

void Network::mend() {
  for (std::size_t host = 0; host < keepers_.size(); ++host) {
    const std::string link = link_of(host);
    run("ip link set " + link + " up && bridge link set dev " + link + " isolated off");
  }
}

}  // namespace tessera::servers
