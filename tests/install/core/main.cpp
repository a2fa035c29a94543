// Somebody else's program: uses headers that were installed, and code that must be linked.

#include <iostream>

#include "tessera/system.h"
#include "tessera/ulid.h"
#include "tessera/version.h"

int main() {
  tessera::SystemClock clock;
  tessera::SystemEntropy entropy;
  tessera::UlidGenerator ulids(clock, entropy);

  const auto id = ulids.next();
  if (!id) return 1;
  std::cout << id->to_string() << " by tessera " << TESSERA_VERSION << '\n';
}
