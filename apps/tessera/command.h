#pragma once

// Commands and flags as data. The help, the man pages, the completions and docs/cli.md are
// all made from these tables, so that they cannot differ from what the program does.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "exit.h"

namespace tessera::cli {

struct Flag {
  std::string_view name;     // "count", typed as --count
  char letter = '\0';        // 'n', typed as -n
  std::string_view value;    // "N"; empty: the flag is a switch
  std::string_view help;     // one line: lower case, no full stop
  std::string_view choices;  // the words it takes, with blanks between; empty: anything
  std::string_view also;  // more words it takes, which are not worth listing; *: the command knows
};

inline constexpr std::size_t kAnyNumber = SIZE_MAX;

struct Example {
  std::string_view command;
  std::string_view shows;  // what for; lower case, no full stop
};

class Args;

struct Command {
  std::string_view name;
  std::string_view arguments;    // "KIND", "[ID...]"
  std::size_t arguments_max;     // how many it takes
  std::string_view choices;      // the words its first argument takes, for completions
  std::string_view summary;      // one line
  std::string_view description;  // paragraphs, wrapped by whoever prints them
  std::span<const Flag> flags;   // its own; common_flags() come on top
  std::span<const Example> examples;
  Exit (*run)(const Args& args);
};

// In the order in which the help lists them.
std::span<const Command> commands() noexcept;
std::span<const Flag> common_flags() noexcept;  // every command takes them
const Command* find_command(std::string_view name) noexcept;

}  // namespace tessera::cli
