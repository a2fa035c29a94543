// A PostgreSQL for the storm, which kills and restarts it by lines on standard input.
//
//    kill, stop, restart, freeze, thaw        answered with "done"
//
// The first line that it prints is a URL. It ends, and the server with it, with the input.

#include <iostream>
#include <string>

#include "support/servers.h"

int main() {
  using tessera::servers::Server;
  Server server(Server::Kind::postgres);
  std::cout << server.fresh_database() << std::endl;
  for (std::string word; std::cin >> word;) {
    if (word == "kill") server.kill();
    if (word == "stop") server.stop();
    if (word == "restart") server.restart();
    if (word == "freeze") server.freeze();
    if (word == "thaw") server.thaw();
    std::cout << "done" << std::endl;
  }
  return 0;
}
