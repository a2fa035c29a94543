// The program.

#include <csignal>
#include <string_view>
#include <vector>

#include "output.h"
#include "run.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a write says so instead, and Output knows what to do
  const std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto exit = tessera::cli::run(words);
  tessera::cli::Output::standard().flush();
  return static_cast<int>(exit);
}
