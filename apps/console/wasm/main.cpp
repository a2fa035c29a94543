// The program as a module for web pages: the words of a command line in, an answer out.
//
// An instance runs one command line and is thrown away, so that no call can leave anything behind
// for the next.

#include <string_view>
#include <vector>

#include "output.h"
#include "run.h"

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto exit = tessera::cli::run(words);
  tessera::cli::Output::standard().flush();
  return static_cast<int>(exit);
}
