#pragma once

// How the program ends. Scripts rely on these numbers.

namespace tessera::cli {

enum class Exit : int {
  good = 0,
  invalid = 1,      // some input is invalid, or not live
  usage = 2,        // the command line is wrong
  io = 3,           // a file could not be read or written
  unreachable = 4,  // a store or service did not answer
};

}  // namespace tessera::cli
