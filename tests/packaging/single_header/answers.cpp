// What core says of every word in the files it is given, a line each; then that it can make IDs.
// Built with the library, and with the single header: both must say the same.

#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#ifdef SINGLE_HEADER
#define TESSERA_IMPLEMENTATION
#include "tessera.hpp"
#else
#include "tessera/inspect.h"
#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/version.h"
#endif

int main(int argc, char** argv) {
  constexpr std::uint64_t kNowMs = 1'763'424'000'000;
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    std::string line;
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string word;
      while (std::getline(words, word, '\t')) {
        std::cout << to_json(tessera::inspect(word, kNowMs)) << '\n';
        ++count;
      }
    }
  }

  tessera::SystemClock clock;
  tessera::SystemEntropy entropy;
  tessera::UlidGenerator ulids(clock, entropy);
  const auto first = ulids.next();
  const auto second = ulids.next();
  if (!first || !second || !(*first < *second)) return 1;
  std::cout << count << " words, tessera " << TESSERA_VERSION << '\n';
  return count > 0 ? 0 : 1;
}
