#pragma once

// A network of its own for a test: hosts that are network namespaces, with a switch between them
// and us, and links that can be cut.
//
//      us 10.99.0.254 --+-- switch --+-- host 0, 10.99.0.1
//                                    +-- host 1, 10.99.0.2      cut(1): nobody reaches it
//                                    +-- host 2, 10.99.0.3      part(0, 2): these two not each
//                                    other
//
// The program itself moves into a namespace: neither the machine nor another test sees any of it,
// and the kernel removes it all with the last process. So it is made before the first thread.
// Needs root, or a kernel that lets others be root in a namespace; and iproute2. Where it cannot be
// made the program ends with an error: tests are not skipped.

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::servers {

class Network {
 public:
  explicit Network(std::size_t hosts);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  std::string address(std::size_t host) const;
  // What a command begins with that is to run on the host: "nsenter --net=... ".
  std::string on(std::size_t host) const;

  void cut(std::size_t host);                       // its cable is out: what is sent is lost
  void part(std::size_t first, std::size_t other);  // one pair at a time
  void mend();                                      // all links

 private:
  std::vector<pid_t> keepers_;  // a process for each host, which holds its namespace
};

}  // namespace tessera::servers
