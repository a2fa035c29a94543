#pragma once

// A command line is a command, its flags and its arguments; the command runs, and its answer is
// the exit code.

#include <span>
#include <string_view>

#include "exit.h"

namespace tessera::cli {

// `words` without the name of the program. Answers may still be in Output::standard().
Exit run(std::span<const std::string_view> words);

}  // namespace tessera::cli
