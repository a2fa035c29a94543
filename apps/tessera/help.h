#pragma once

// Help as text: what `tessera help` and --help print.

#include <string>
#include <string_view>

#include "command.h"
#include "terminal.h"

namespace tessera::cli {

std::string overview(const Painter& paint);
std::string help_for(const Command& command, const Painter& paint);

// `text` in lines of at most `width`, each behind `indent`. Empty lines part paragraphs.
std::string wrapped(std::string_view text, std::string_view indent, std::size_t width = 80);

// "-n, --count N".
std::string flag_words(const Flag& flag);

// "one of: a, b, c"; empty if it takes anything.
std::string choices_words(const Flag& flag);

inline constexpr std::string_view kExitCodes =
    "0 good; 1 some input is invalid; 2 usage; 3 a file could not be read or written; 4 a store or "
    "service did not answer.";

}  // namespace tessera::cli
